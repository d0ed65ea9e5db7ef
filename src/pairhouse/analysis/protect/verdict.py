"""What follows from the figures, in words: safe or not, the safe cut card, the safe largest stake, what to change."""

from collections.abc import Mapping, Sequence
from math import inf

import msgspec

from pairhouse.analysis.protect.ceiling import SURE
from pairhouse.analysis.protect.measures import HUNDRED, CutWins
from pairhouse.core.errors import Refused

SAFE_WIN = 1.0  # units per 100 rounds
PACE = 70.0
SUM_AN_HOUR = 5000
HARDLY = 0.25  # of the ceiling: a count that gets less leaves most of it to pairs of cards
NEVER = "it is never worth a bet"
PAIRS = {
    "one card twice": "Two cards alike",
    "one rank": "Two cards of one rank",
    "one suit": "Two cards of one suit",
    "neither": "Two cards of different ranks and suits",
}


class Concern(msgspec.Struct, frozen=True):
    """What a house worries about: rounds an hour, the most that may be won of it in an hour (minor units)."""

    pace: float = PACE
    sum_an_hour: int = SUM_AN_HOUR
    safe_win: float = SAFE_WIN

    def check(self) -> None:
        """Refuse what no house can mean."""
        if not 0 < self.pace < inf:
            raise Refused("bad-number", f"a pace of {self.pace:g} rounds an hour is not possible; give more than 0")
        if self.sum_an_hour <= 0:
            given = f"a sum of {money(self.sum_an_hour)} an hour is not possible"
            raise Refused("bad-number", f"{given}; give what may be won in an hour, above 0")
        if not 0 < self.safe_win < inf:
            given = f"a safe win of {self.safe_win:g} units per 100 rounds is not possible"
            raise Refused("bad-number", f"{given}; give more than 0")


def at_most(wins: CutWins) -> float:
    """The ceiling per 100 rounds with the error of the sample on the safe side; the solved one where there is one."""
    best = wins.solved or wins.ceiling
    return best.win + SURE * best.error


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


class AboutWager(msgspec.Struct, frozen=True):
    """What a verdict is about besides the wins: the price of a fresh shoe, and what single cards and pairs change."""

    price: float
    untouched: bool = False
    exact: bool = True
    second_order: Mapping[str, float] | None = None  # by kind of pair, of the stake


def verdict(by_cut: Sequence[CutWins], concern: Concern, about: AboutWager) -> str:
    """A few sentences with the figures they rest on; `by_cut` starts with the cut card the table deals."""
    if not by_cut:
        said = "No shoe was followed, so nothing is said about what could be won from one."
        return f"{said} {_second_order(about)}".strip() if about.untouched else said
    dealt = by_cut[0]
    says = [_safe_or_not(by_cut, concern, about)]
    if about.untouched:
        says += ["No single card changes its price, so no count of single cards can follow it.", _second_order(about)]
    elif dealt.ceiling.win > 0:
        says.append(_count_beside(dealt))
        if dealt.count.win < HARDLY * dealt.ceiling.win:
            says += ["A count of single cards hardly touches it.", _second_order(about)]
    stake = safe_stake(dealt, concern)
    if stake is not None:
        hour = f"At {concern.pace:g} rounds an hour, stakes up to {money(stake)} keep an hour's ceiling under"
        says.append(f"{hour} {money(concern.sum_an_hour)}.")
    if about.price <= 0 and at_most(dealt) > concern.safe_win:
        cut = safe_cut(by_cut, concern)
        change = f"Cut off {cut} cards, lower" if cut is not None else "Lower"
        says.append(f"{change} the largest stake, or shuffle before every round, which leaves nothing to win.")
    return " ".join(filter(None, says))


def _second_order(about: AboutWager) -> str:
    """The pair of cards that changes most when both are gone, in a sentence; empty where it is not known."""
    if not about.second_order or not any(about.second_order.values()):
        return ""
    kind = max(about.second_order, key=lambda name: abs((about.second_order or {})[name]))
    change = f"{about.second_order[kind]:+.4%} of the stake".replace("-", "−")
    return f"{PAIRS[kind]} gone together change it by {change}, beyond what each does alone."


def _safe_or_not(by_cut: Sequence[CutWins], concern: Concern, about: AboutWager) -> str:
    dealt, cut = by_cut[0], safe_cut(by_cut, concern)
    where = f"with {dealt.behind_cut} cards behind the cut card"
    if about.price > 0:
        return f"Not safe: the bet is worth {about.price:.4%} to the player from a fresh shoe, without any count."
    wins = _perfect(dealt, about.exact)
    if at_most(dealt) <= concern.safe_win:
        return f"Safe: {where} {wins}."
    if cut is not None and cut > dealt.behind_cut:
        return f"Not safe {where}: {wins}. Safe from {cut} cards behind the cut card on."
    return f"Not safe with any cut card that was dealt: {where} {wins}."


def _perfect(dealt: CutWins, exact: bool) -> str:
    """What a perfect player wins, in words that say how it was found."""
    if exact:
        return f"a perfect player wins {units(dealt.ceiling.win)} per 100 rounds" if dealt.ceiling.win else NEVER
    first = f"by first-order prices a perfect player wins {units(dealt.ceiling.win)} per 100 rounds"
    if dealt.solved is None:
        return first if dealt.ceiling.win else f"by first-order prices {NEVER}"
    if not dealt.solved.bets:
        return f"it was never worth a bet in {dealt.solved.rounds} rounds that were solved"
    found = (
        f"{units(dealt.solved.win)} per 100 rounds, standard error {units(dealt.solved.error).removesuffix(' units')}"
    )
    return f"a perfect player wins {found} ({dealt.solved.rounds} rounds were solved)"


def _count_beside(dealt: CutWins) -> str:
    if dealt.count.bet_from is None:
        return "The count followed here never finds a bet."
    best = (dealt.solved or dealt.ceiling).win
    share = f"{dealt.count.win / best:.0%} of that" if best > dealt.count.win else "about all of that"
    at = f"{dealt.count.bet_from:+d}" if dealt.count.bet_from else "0"
    return f"The count followed here, betting from {at} on, gets {share}."
