"""A variant with betting limits: checked when a table opens, and again with every bet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil

import msgspec

from pairhouse.core.errors import Refused, unknown
from pairhouse.core.game import AcceptedSeats, Stakes, Variant
from pairhouse.core.money import EXACT, amount_text
from pairhouse.core.settlement import largest_return

BETS_CACHED = 1_024


@dataclass(frozen=True, slots=True)
class Limits:
    """Betting limits in minor units.

    For each wager: stakes from minimum to maximum in steps of `unit`, and the chips a player may use. For each round:
    the most that may be staked before the cards, and the most that may come back, whatever the cards are.
    `wager_maximum` names wagers with a lower maximum of their own; 0 closes a wager. Where people share a shoe, all of
    them together may stake on a wager in one coup what `total_maximum` names, or what one of them may.
    """

    minimum: int = 100
    maximum: int = 50_000
    unit: int = 100
    chips: tuple[int, ...] = (100, 500, 2_500, 10_000, 50_000)
    round_maximum: int = 1_000_000
    payout_maximum: int = 100_000_000
    wager_maximum: Mapping[str, int] = field(default_factory=dict, hash=False)
    total_maximum: Mapping[str, int] = field(default_factory=dict, hash=False)

    def most(self, wager: str) -> int:
        """The largest stake on a wager; 0 if it is closed."""
        return min(self.maximum, self.wager_maximum.get(wager, self.maximum))

    def most_of_all(self, wager: str) -> int:
        """The largest sum of all bettors on a wager, where they share a shoe. [NSB-42]"""
        return max(self.most(wager), self.total_maximum.get(wager, 0)) if self.most(wager) else 0


@dataclass(frozen=True, slots=True)
class BettingTable:
    """A variant with limits. It is refused unless every stake it allows is paid exactly, or by a named rounding rule.

    [TCP-13] [NSB-13] [LP-18] [BPP-10] [BJ-6] [PV3-6]
    """

    variant: Variant
    limits: Limits = Limits()
    _accepted: dict[bytes, AcceptedSeats] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        limits = self.limits
        if not 0 < limits.unit <= limits.minimum <= limits.maximum:
            given = f"unit {limits.unit}, minimum {limits.minimum}, maximum {limits.maximum}"
            raise Refused(
                "bad-table", f"limits of {given} are not possible; each must be above 0 and none below the last"
            )
        amounts = {"unit": limits.unit, "minimum": limits.minimum}
        amounts |= {f"chip of {chip}": chip for chip in limits.chips}
        for name, amount in amounts.items():
            if amount % limits.unit:
                raise Refused("bad-table", f"a {name} is not a multiple of the unit, {limits.unit}")
            for wager, step in self.variant.steps.items():
                if self.variant.rounding == EXACT and amount % step:
                    sentence = f"a {name} ({amount}) would not always be paid exactly on {wager}"
                    raise Refused("bad-table", f"{sentence}; use multiples of {step}, or name a rounding rule")
        for wager, most in limits.wager_maximum.items():
            self._check_wager_maximum(wager, most)
        for wager in limits.total_maximum:
            self._check_placed(wager)

    def _check_wager_maximum(self, wager: str, most: int) -> None:
        limits = self.limits
        self._check_placed(wager)
        if most != 0 and (not limits.minimum <= most <= limits.maximum or most % limits.unit):
            accepted = f"0 to close it, or {limits.minimum} to {limits.maximum} in steps of {limits.unit}"
            raise Refused("bad-table", f"a maximum of {most} on {wager} is not possible; give {accepted}")

    def _check_placed(self, wager: str) -> None:
        placed = [name for name, each in self.variant.wagers.items() if each.base is None]
        if wager not in placed:
            raise unknown("wager", wager, placed)

    def check_stake(self, wager: str, stake: int) -> None:
        """Refuse a stake outside the limits of this table. [BPP-12] [BPP-20]"""
        fixed, most = self.variant.wagers[wager].fixed, self.limits.most(wager)
        if most == 0:
            raise Refused("wager-closed", f"{wager} is closed at this table; bet on another wager")
        low, high = (fixed, fixed) if fixed is not None else (self.limits.minimum, most)
        if not low <= stake <= high or (fixed is None and stake % self.limits.unit):
            accepted = f"{amount_text(low)} to {amount_text(high)} in steps of {amount_text(self.limits.unit)}"
            if fixed is not None:
                accepted = f"{amount_text(fixed)} only"
            raise Refused(
                "over-limit", f"{amount_text(stake)} on {wager} is not possible at this table; it takes {accepted}"
            )

    def accept(self, seats: Sequence[Stakes]) -> AcceptedSeats:
        """The wagers of a round, if they are within the rules and the limits.

        Players repeat their bets, so accepted ones are cached; they are never changed.
        """
        written = msgspec.json.encode(seats)  # the cache key is text, because True equals 1 and is no stake
        accepted = self._accepted.get(written)
        if accepted is None:
            accepted = self._accept(seats)
            if len(self._accepted) >= BETS_CACHED:
                self._accepted.clear()
            self._accepted[written] = accepted
        return accepted

    def _accept(self, seats: Sequence[Stakes]) -> AcceptedSeats:
        accepted = self.variant.accept(seats)
        for stakes in accepted:
            for wager, stake in stakes.items():
                self.check_stake(wager, stake)
        self._check_round(accepted)
        return accepted

    def _check_round(self, seats: Sequence[Stakes]) -> None:
        """Refuse a round that stakes too much in all, or that could pay more than the table allows."""
        staked = sum(stake for stakes in seats for stake in stakes.values())
        if staked > self.limits.round_maximum:
            sentence = f"{amount_text(staked)} in one round is not possible at this table"
            raise Refused("over-limit", f"{sentence}; it takes up to {amount_text(self.limits.round_maximum)}")
        most = self.liability(seats)
        if most > self.limits.payout_maximum:
            sentence = f"these bets could pay {amount_text(most)}, more than this table pays in one round"
            raise Refused("over-limit", f"{sentence}, {amount_text(self.limits.payout_maximum)}; bet less")

    def liability(self, seats: Sequence[Stakes]) -> int:
        """The most this round can return, whatever the cards and choices; a meter's award is not included."""
        return sum(stake * _most(self.variant, wager) for stakes in seats for wager, stake in stakes.items())


@lru_cache(maxsize=4096)
def _most(variant: Variant, name: str) -> int:
    """The most that one unit on a wager can return, with all that follows from it, rounded up."""
    wager = variant.wagers[name]
    units = variant.game.units_max(variant.rules) if wager.opens else 1
    most = units * largest_return(wager)
    for other in variant.wagers.values():
        if other.base == name:
            most += largest_return(other)
    return ceil(most)
