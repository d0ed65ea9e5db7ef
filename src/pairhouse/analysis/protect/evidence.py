"""Evidence from results that may be read at any time: does somebody win more, or less, than the prices allow?

**The test.** For each watched key (a player at a table, a table, a wager) imagine somebody who bets one unit against
the house's honesty. Before each round a part of that fortune is put on "this round's net result will be above its
expectation", at a fair price: what is gained or lost is in proportion to (net - expectation), and the part is so small
that the fortune never falls below 0. If the expected net of every round is at most what the prices say, the fortune
does not grow on average, whatever is staked and whenever one looks. By Ville's inequality the chance that it *ever*
reaches 1/alpha is at most alpha. So the fortune itself is the evidence: at most 1 in 1,000 honest records ever shows
1,000 or more, however long they are and however often they are read. A second fortune bets on the other side: that the
house keeps too much, as it would with broken dealing.

**What is assumed, and all of it.** (1) Stakes are fixed before the cards. (2) Given everything before the shuffle, the
expected net of each wager is at most the stated one (for the other side: at least). Nothing is assumed about how
wagers, seats or players of one round depend on one another, nor about the sizes of stakes, nor about the shape of a
distribution beyond its least and most: gains are linear in the net result, and means add up whatever depends on what.
Play that is worse than best only makes (2) truer; wagers in which the player chooses are left out of the other side.

**Shoes.** Rounds from one shoe depend on one another, so a whole shoe is one bet: gains of its rounds are added, not
multiplied. For stakes that do not follow the cards, each round of a shuffled shoe has the expectation of a fresh one
(cards not yet seen are in random order, whenever one stops to look), so the error rate holds there too. One thing is
left out: how many rounds a shoe has depends a little on its cards. Over 800 shoes of baccarat that moved no wager's
mean by as much as two standard errors (0.00005 a unit for Player). Keep one record for each player and table: a record
follows one shoe at a time. A counter is found much sooner by `counting_test`.

**How much to bet** against the house is not known beforehand, so the unit is spread evenly over `SCALES`: a scale of c
bets 1/c of the fortune for each minor unit of net above its expectation. Part of the unit is kept as a reserve and
added little by little (after n shuffles 1/(1 + log2(1 + n)) of it is left), so that somebody who starts to cheat after
a million honest rounds is found as well.

**Size and error.** A record is about 400 bytes as a row (700 in a shoe), and a round costs about 6 microseconds. Stakes
and nets are whole numbers; expectations are summed in billionths of a minor unit, each off by half of one at most;
fortunes are floats, off by about 1 part in 10^14 for each round.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm, log2, sqrt
from typing import NamedTuple

import msgspec

from pairhouse.core.errors import Refused, unknown

SCALES = tuple(100 * 4**power for power in range(12))  # minor units: 1.00 to 4,194,304.00
PARTS = len(SCALES)
BILLION = 10**9
LARGEST = 1e250  # a fortune is not counted beyond this
STAKES_CACHED = 1_024

Stakes = tuple[tuple[str, int], ...]  # each wager of a round with its stake, in minor units


class WagerOdds(NamedTuple):
    """A wager per unit of its first stake: expected net under best play, least and most possible net, variance.

    `chosen`: the player's choices change its result, so worse than expected proves nothing.
    """

    mean: Fraction
    least: Fraction
    most: Fraction
    variance: Fraction
    chosen: bool = False


class RoundTerms(NamedTuple):
    """What the stakes of a round come to, in minor units: expectation, variance, and the bets against the house."""

    staked: int
    expected: float
    expected_billionths: int
    variance: int
    risk: float  # how far net can fall below its expectation
    up_steps: tuple[float, ...]  # for each scale: gained per minor unit above the expectation
    unchosen: frozenset[str] | None  # wagers without a choice, None for all of them
    unchosen_expected: float
    reach: float  # how far the net of wagers without a choice can rise above its expectation
    down_steps: tuple[float, ...]


class Odds:
    """The wagers of a table, and how any stakes on them are expected to end.

    With `covariance` (of every pair, per unit on each) the variance of a round is exact; without it, wagers are counted
    as if they won and lost together, which makes z too small rather than too large. The test itself needs neither.
    """

    def __init__(
        self, wagers: Mapping[str, WagerOdds], covariance: Mapping[tuple[str, str], Fraction] | None = None
    ) -> None:
        self.wagers = wagers
        self.covariance = dict(covariance or {})
        self._below = lcm(*(each.denominator for odds in wagers.values() for each in odds[:3]))
        self._whole = {name: [int(each * self._below) for each in odds[:3]] for name, odds in wagers.items()}
        self._deviation = {name: sqrt(odds.variance) for name, odds in wagers.items()}
        self._covariance = {pair: float(value) for pair, value in (covariance or {}).items()}
        self._covariance |= {(other, one): value for (one, other), value in self._covariance.items()}
        self._cache: dict[Stakes, RoundTerms] = {}

    def terms(self, stakes: Stakes) -> RoundTerms:
        """The terms of these stakes; players make the same bets again and again, so some are kept."""
        found = self._cache.get(stakes)
        if found is None:
            found = self._terms(stakes)
            if len(self._cache) >= STAKES_CACHED:
                self._cache.clear()
            self._cache[stakes] = found
        return found

    def _terms(self, stakes: Stakes) -> RoundTerms:
        expected = risk = fixed_expected = reach = 0
        unchosen = []
        for name, stake in stakes:
            if name not in self.wagers:
                raise unknown("wager", name, self.wagers)
            mean, least, most = self._whole[name]
            expected += stake * mean
            risk += stake * (mean - least)
            if not self.wagers[name].chosen:
                unchosen.append(name)
                fixed_expected += stake * mean
                reach += stake * (most - mean)
        return RoundTerms(
            staked=sum(stake for _, stake in stakes),
            expected=expected / self._below,
            expected_billionths=round(Fraction(expected * BILLION, self._below)),
            variance=round(self._variance(stakes)),
            risk=risk / self._below,
            up_steps=tuple(1 / max(scale, risk / self._below) for scale in SCALES),
            unchosen=None if len(unchosen) == len(stakes) else frozenset(unchosen),
            unchosen_expected=fixed_expected / self._below,
            reach=reach / self._below,
            down_steps=tuple(1 / max(scale, reach / self._below) for scale in SCALES),
        )

    def _variance(self, stakes: Stakes) -> float:
        spread = [(name, stake * self._deviation[name]) for name, stake in stakes]
        if not self._covariance or len(stakes) == 1:
            return sum(deviation for _, deviation in spread) ** 2
        found = sum(deviation**2 for _, deviation in spread)
        for at, (name, stake) in enumerate(stakes):
            for other, other_stake in stakes[:at]:
                found += 2 * stake * other_stake * self._covariance[name, other]
        return max(found, 0.0)


class OpenShoe(msgspec.Struct):
    """The shoe a record is in: what its rounds have gained at each scale, and how much they could have lost."""

    id: str
    up: list[float]
    down: list[float]
    up_risk: float = 0.0
    down_risk: float = 0.0


class Evidence(msgspec.Struct):
    """The record of one watched key. `row` and `from_row` store and restore it; any process can go on from there.

    `up` and `down` are the parts of the two fortunes at each scale, as they were before the open shoe; `reserve` is
    what is not yet bet (the same in both). `advantage_billionths` adds up what the stakes were worth given the cards
    left in the shoe, where the caller knows it: not a test, but exactly what a counter's play was expected to win.
    """

    rounds: int = 0
    shuffles: int = 0
    staked: int = 0
    net: int = 0
    expected_billionths: int = 0
    variance: int = 0
    advantage_billionths: int = 0
    reserve: float = 1.0
    up: list[float] = msgspec.field(default_factory=lambda: [0.0] * PARTS)
    down: list[float] = msgspec.field(default_factory=lambda: [0.0] * PARTS)
    up_peak: float = 1.0
    down_peak: float = 1.0
    shoe: OpenShoe | None = None

    def record(
        self,
        terms: RoundTerms,
        net: int,
        unchosen_net: int | None = None,
        *,
        shoe: str | None = None,
        advantage: float | None = None,
    ) -> None:
        """Add a settled round: what its stakes came to, and its net result in minor units.

        `unchosen_net` is the net of wagers without a choice, where the round has others too. `shoe` names the shoe it
        was dealt from, None for a shuffle of its own. `advantage` is what the stakes were worth given the cards left.
        """
        self.rounds += 1
        self.staked += terms.staked
        self.net += net
        self.expected_billionths += terms.expected_billionths
        self.variance += terms.variance
        if advantage is not None:
            self.advantage_billionths += round(advantage * BILLION)
        above = net - terms.expected
        fixed_net = net if terms.unchosen is None else unchosen_net
        if fixed_net is None:
            raise Refused(
                "bad-round", "this round has wagers with a choice; give the net of the others as unchosen_net"
            )
        below = terms.unchosen_expected - fixed_net
        if shoe is not None:
            up, down = self._in_shoe(shoe, terms, above, below)
        else:
            self.close_shoe()
            more = self._from_reserve()
            self.up = up = [
                (part + more) * (1 + above * step) for part, step in zip(self.up, terms.up_steps, strict=True)
            ]
            self.down = down = [
                (part + more) * (1 + below * step) for part, step in zip(self.down, terms.down_steps, strict=True)
            ]
        self._note_peaks(sum(up) + self.reserve, sum(down) + self.reserve)

    def _note_peaks(self, up: float, down: float) -> None:
        self.up_peak = max(self.up_peak, up)
        self.down_peak = max(self.down_peak, down)
        if max(up, down) > LARGEST:
            self.up = [min(part, LARGEST / PARTS) for part in self.up]
            self.down = [min(part, LARGEST / PARTS) for part in self.down]

    def _from_reserve(self) -> float:
        """What each scale gets from the reserve before the next shuffle."""
        kept = (1 + log2(1 + self.shuffles)) / (1 + log2(2 + self.shuffles))
        self.shuffles += 1
        more = self.reserve * (1 - kept) / PARTS
        self.reserve *= kept
        return more

    def _in_shoe(self, shoe: str, terms: RoundTerms, above: float, below: float) -> tuple[list[float], list[float]]:
        """Add a round to its shoe; the fortunes as they stand in it."""
        if self.shoe is None or self.shoe.id != shoe:
            self.close_shoe()
            more = self._from_reserve()
            self.up, self.down = [part + more for part in self.up], [part + more for part in self.down]
            self.shoe = OpenShoe(shoe, [0.0] * PARTS, [0.0] * PARTS)
        now = self.shoe
        now.up_risk = _add(now.up, above, now.up_risk, terms.risk)
        now.down_risk = _add(now.down, below, now.down_risk, terms.reach)
        return _grown(self.up, now.up), _grown(self.down, now.down)

    def close_shoe(self) -> None:
        """Add what the open shoe has gained to the fortunes; the next round is from another shuffle."""
        if self.shoe is not None:
            self.up, self.down = _grown(self.up, self.shoe.up), _grown(self.down, self.shoe.down)
            self.shoe = None

    @property
    def z(self) -> float | None:
        """How many standard deviations the net is above its expectation: for people to read, not a test over time."""
        return (self.net - self.expected_billionths / BILLION) / sqrt(self.variance) if self.variance else None

    def row(self) -> bytes:
        """The record as a few hundred bytes."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def from_row(cls, row: bytes) -> "Evidence":
        """A stored record, or a refusal when the bytes are not one."""
        try:
            found = msgspec.msgpack.decode(row, type=cls)
        except msgspec.DecodeError:
            raise Refused("bad-record", "these bytes are not a stored record of evidence") from None
        if len(found.up) != PARTS or len(found.down) != PARTS:
            raise Refused("bad-record", f"a stored record of evidence has {PARTS} scales; this one has {len(found.up)}")
        return found


def _add(gains: list[float], gain: float, gone: float, risk: float) -> float:
    """Add a round's gain at every scale that can still bear its risk in this shoe, whole or in part; the risk so far.

    So a shoe never loses more than its scale.
    """
    whole_from = bisect_left(SCALES, gone + risk)
    for at in range(bisect_right(SCALES, gone), whole_from):
        gains[at] += gain * (SCALES[at] - gone) / risk
    for at in range(whole_from, PARTS):
        gains[at] += gain
    return gone + risk


def _grown(parts: Sequence[float], gains: Sequence[float]) -> list[float]:
    return [part * (1 + gain / scale) for part, gain, scale in zip(parts, gains, SCALES, strict=True)]


def merged(one: Evidence, other: Evidence) -> Evidence:
    """Two records of different rounds read as one: sums are added, fortunes of each scale multiplied.

    For reading (a player at several tables, a table in several processes): go on recording in the parts. The peaks
    begin anew with the merged fortunes, since the peaks of the parts need not have been reached at the same time.
    """
    one, other = Evidence.from_row(one.row()), Evidence.from_row(other.row())
    one.close_shoe()
    other.close_shoe()
    reserve = one.reserve * other.reserve

    def product(parts: list[float], others: list[float]) -> list[float]:
        each = zip(parts, others, strict=True)
        whole = [(PARTS * a + one.reserve) * (PARTS * b + other.reserve) for a, b in each]
        return [min((value - reserve) / PARTS, LARGEST) for value in whole]

    up, down = product(one.up, other.up), product(one.down, other.down)
    return Evidence(
        rounds=one.rounds + other.rounds,
        shuffles=one.shuffles + other.shuffles,
        staked=one.staked + other.staked,
        net=one.net + other.net,
        expected_billionths=one.expected_billionths + other.expected_billionths,
        variance=one.variance + other.variance,
        advantage_billionths=one.advantage_billionths + other.advantage_billionths,
        reserve=reserve,
        up=up,
        down=down,
        up_peak=sum(up) + reserve,
        down_peak=sum(down) + reserve,
    )
