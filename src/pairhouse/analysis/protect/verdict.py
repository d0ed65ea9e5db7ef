"""What follows from the figures, in words: safe or not, the safe cut card, the safe largest stake, what to change."""

from collections.abc import Sequence

import msgspec

from pairhouse.analysis.protect.ceiling import SURE
from pairhouse.analysis.protect.measures import HUNDRED, CutWins
from pairhouse.core.errors import Refused

SAFE_WIN = 1.0  # units per 100 rounds
PACE = 70.0
SUM_AN_HOUR = 5000


class Concern(msgspec.Struct, frozen=True):
    """What a house worries about: rounds an hour, the most that may be won of it in an hour (minor units)."""

    pace: float = PACE
    sum_an_hour: int = SUM_AN_HOUR
    safe_win: float = SAFE_WIN

    def check(self) -> None:
        """Refuse what no house can mean."""
        if not self.pace > 0:
            raise Refused("bad-number", f"a pace of {self.pace:g} rounds an hour is not possible; give more than 0")
        if self.sum_an_hour <= 0:
            given = f"a sum of {money(self.sum_an_hour)} an hour is not possible"
            raise Refused("bad-number", f"{given}; give what may be won in an hour, above 0")
        if not self.safe_win > 0:
            given = f"a safe win of {self.safe_win:g} units per 100 rounds is not possible"
            raise Refused("bad-number", f"{given}; give more than 0")


def at_most(wins: CutWins) -> float:
    """The ceiling per 100 rounds with the error of the sample on the safe side."""
    return wins.ceiling.win + SURE * wins.ceiling.error


def safe_stake(wins: CutWins, concern: Concern) -> int | None:
    """The largest stake at which an hour's ceiling stays under the sum, in minor units; None where any does."""
    an_hour = at_most(wins) * concern.pace / HUNDRED
    return int(concern.sum_an_hour / an_hour) if an_hour > 0 else None


def safe_cut(by_cut: Sequence[CutWins], concern: Concern) -> int | None:
    """The fewest cards behind the cut card, of those dealt, with which the ceiling is safe; None where none is."""
    found = [wins.behind_cut for wins in by_cut if at_most(wins) <= concern.safe_win]
    return min(found, default=None)


def money(minor: int) -> str:
    """Minor units as people write money."""
    return f"{minor // 100:,}.{minor % 100:02d}"


def units(number: float) -> str:
    """Units in a sentence."""
    if number == 0:
        return "0 units"
    digits = 2 if abs(number) >= 0.095 else 4
    text = f"{number:.{digits}f}"
    return f"{text} units" if float(text) else f"{number:.1e} units"


def verdict(by_cut: Sequence[CutWins], concern: Concern, price: float, untouched: bool, exact: bool) -> str:
    """A few sentences with the figures they rest on; `by_cut` starts with the cut card the table deals."""
    if not by_cut:
        return "No shoe was followed, so nothing is said about what could be won from one."
    dealt = by_cut[0]
    says = [_safe_or_not(by_cut, concern, price, exact)]
    if untouched:
        says.append("No single card changes its price, so no count of single cards can follow it.")
    elif dealt.ceiling.win > 0:
        says.append(_count_beside(dealt))
    stake = safe_stake(dealt, concern)
    if stake is not None:
        hour = f"At {concern.pace:g} rounds an hour, stakes up to {money(stake)} keep an hour's ceiling under"
        says.append(f"{hour} {money(concern.sum_an_hour)}.")
    if price <= 0 and at_most(dealt) > concern.safe_win:
        cut = safe_cut(by_cut, concern)
        change = f"Cut off {cut} cards, lower" if cut is not None else "Lower"
        says.append(f"{change} the largest stake, or shuffle before every round, which leaves nothing to win.")
    return " ".join(says)


def _safe_or_not(by_cut: Sequence[CutWins], concern: Concern, price: float, exact: bool) -> str:
    dealt, cut = by_cut[0], safe_cut(by_cut, concern)
    where = f"with {dealt.behind_cut} cards behind the cut card"
    by = "" if exact else "by first-order prices "
    ceiling = f"{by}a perfect player wins {units(dealt.ceiling.win)} per 100 rounds"
    if price > 0:
        return f"Not safe: the bet is worth {price:.4%} to the player from a fresh shoe, without any count."
    if at_most(dealt) <= concern.safe_win:
        return f"Safe: {where} {ceiling if dealt.ceiling.win else f'{by}it is never worth a bet'}."
    if cut is not None:
        return f"Not safe {where}: {ceiling}. Safe from {cut} cards behind the cut card on."
    return f"Not safe with any cut card that was dealt: {where} {ceiling}."


def _count_beside(dealt: CutWins) -> str:
    if dealt.count.bet_from is None:
        return "The count followed here never finds a bet."
    share = dealt.count.win / dealt.ceiling.win
    return f"The count followed here, betting from {dealt.count.bet_from:+d} on, gets {share:.0%} of that."
