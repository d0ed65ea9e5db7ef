"""What a perfect card counter could win: no player who sees every card can expect more from these shoes and limits.

Shoes are dealt down by the rule book. Before every round each wager is priced exactly from the cards not yet seen, and
the counter puts the largest stake the table takes on every wager whose expectation is above 0, best first, until the
round's own limit is reached. What is added up is the expectation, not the luck, so a few hundred shoes are enough. The
only error is that of the sample of shoes, and it is stated.

The expectation of a stake depends on nothing but the cards left, and no stake changes the cards. So betting the most on
each wager that is worth more than 0, round by round, is the best there is: the figure is a ceiling for teams, too, as
long as the limits are those of all of them together.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import msgspec
import numpy as np

from pairhouse.analysis.protect.rule_book import counted_wagers, counting_of
from pairhouse.analysis.protect.shoe_prices import Decimals, ShoePrices, shoe_prices
from pairhouse.core.cards import pack
from pairhouse.core.errors import Refused, unknown
from pairhouse.core.game import Variant
from pairhouse.machines.composition import Numbers
from pairhouse.machines.dealt_shoe import deal_shoe

SURE = 3.0  # standard errors added where a ceiling decides about limits: wrong about once in 700


@dataclass(frozen=True, slots=True)
class BetLimits:
    """What a table takes, in minor units: the most on each wager, and on all of them in a round (None: no such limit).

    `waiting` is what has to be staked for a round to be dealt at all; 0 where one may watch without a bet.
    """

    most: Mapping[str, int]
    round_most: int | None = None
    waiting: int = 0


class CounterWager(msgspec.Struct, frozen=True):
    """One wager of the counter's: in what share of rounds it is bet, its mean edge then, what it brings a round."""

    bet_share: float
    edge_when_bet: float
    units_a_round: float
    money_a_round: float


class Ceiling(msgspec.Struct, frozen=True):
    """What a perfect counter expects at most, in minor units; `error` is one standard error of `money_a_round`."""

    game: str
    decks: int
    behind_cut: int
    shoes: int
    rounds_a_shoe: float
    bet_share: float
    money_a_round: float
    error: float
    wagers: dict[str, CounterWager]

    def an_hour(self, pace: float) -> float:
        """Minor units an hour, at so many rounds an hour."""
        return pace * self.money_a_round

    def at_most_an_hour(self, pace: float) -> float:
        """The same with the error of the sample on the safe side."""
        return pace * (self.money_a_round + SURE * self.error)


def table_limits(variant: Variant, maximum: int, round_most: int | None = None, waiting: int = 0) -> BetLimits:
    """The same largest stake on every counted wager."""
    return BetLimits(dict.fromkeys(counted_wagers(variant), maximum), round_most, waiting)


class DealtShoes:
    """Shoes that were dealt down with every wager priced before each round: any limits and cut cards can be read off.

    `behind_cut` is the deepest cut card that can be asked for later; a shallower one ends the same shoes earlier.
    """

    def __init__(
        self, variant: Variant, behind_cut: int, shoes: int, seed: int, round_cards: int | None = None
    ) -> None:
        if not variant.game.shoe and round_cards is None:
            given = f"{variant.game.name} is shuffled for every round, so there is nothing to count"
            raise Refused(
                "bad-shoe", f"{given}; to ask what a shoe would allow, give the cards of a round: round_cards"
            )
        self.variant, self.prices, self.behind_cut = variant, shoe_prices(variant), behind_cut
        decks, jokers = variant.pack
        self.size = len(pack(decks, jokers))
        if shoes < 2:
            raise Refused("bad-shoes", f"{shoes} shoes are too few to state an error; give 2 or more")
        check_cut(behind_cut, self.size, self.prices.draws if round_cards is None else round_cards)
        random = np.random.default_rng(seed)
        self.ends: list[Numbers] = []
        self.evs: list[Decimals] = []
        for _ in range(shoes):
            order = random.permutation(np.array(pack(decks, jokers), np.int64))
            ends = round_ends(variant, order, behind_cut, round_cards)
            self.ends.append(ends)
            self.evs.append(self.prices.evs(left_before(self.prices, order, ends)))

    def ceiling(self, limits: BetLimits, behind_cut: int | None = None) -> Ceiling:
        """The counter's expectation under these limits, with the cut card here or at the deepest place."""
        cut = self.behind_cut if behind_cut is None else behind_cut
        if cut < self.behind_cut:
            given = f"these shoes were dealt down to {self.behind_cut} cards"
            raise Refused("bad-option", f"{given}; a cut card before the last {cut} cannot be read off them")
        most = self._most(limits)
        rounds, money, bet_rounds = [], [], 0
        staked_on, won_on, bets_on = np.zeros(len(most)), np.zeros(len(most)), np.zeros(len(most))
        for ends, all_evs in zip(self.ends, self.evs, strict=True):
            evs = all_evs[: int(rounds_until(ends, self.size, np.array(cut)))]
            stakes = counter_stakes(evs, most, limits)
            favoured = np.where(evs > 0, stakes, 0.0)
            rounds.append(len(evs))
            money.append(float((stakes * evs).sum()))
            bet_rounds += int(favoured.any(axis=1).sum())
            staked_on += favoured.sum(axis=0)
            won_on += (favoured * evs).sum(axis=0)
            bets_on += (favoured > 0).sum(axis=0)
        total, mean = sum(rounds), sum(money) / sum(rounds)
        residual = np.array(money) - mean * np.array(rounds)
        error = sqrt(float(residual @ residual) / (len(rounds) - 1) * len(rounds)) / total
        wagers = {
            name: CounterWager(
                bet_share=float(bets_on[at] / total),
                edge_when_bet=float(won_on[at] / staked_on[at]) if staked_on[at] else 0.0,
                units_a_round=float(won_on[at] / most[at] / total) if most[at] else 0.0,
                money_a_round=float(won_on[at] / total),
            )
            for at, name in enumerate(self.prices.wagers)
        }
        game, decks = self.variant.game.id, self.variant.pack[0]
        per_shoe, share = total / len(rounds), bet_rounds / total
        return Ceiling(game, decks, cut, len(rounds), per_shoe, share, mean, error, wagers)

    def _most(self, limits: BetLimits) -> Decimals:
        for name in limits.most:
            if name not in self.prices.wagers:
                raise unknown("wager", name, self.prices.wagers)
        return np.array([limits.most.get(name, 0) for name in self.prices.wagers], np.float64)


def ceiling(
    variant: Variant, limits: BetLimits, cut_card: int, shoes: int, seed: int, round_cards: int | None = None
) -> Ceiling:
    """What a perfect counter expects to win at most, from so many shoes dealt with this seed.

    A game with choices is dealt in rounds of `round_cards` cards each, since its own play needs a strategy; only its
    side bets, which are settled before the first choice, are counted.
    """
    return DealtShoes(variant, cut_card, shoes, seed, round_cards).ceiling(limits)


def counter_stakes(evs: Decimals, most: Decimals, limits: BetLimits) -> Decimals:
    """The counter's stakes round by round: the most on what is worth more than 0, best first; else only to wait."""
    stakes: Decimals = np.where(evs > 0, most, 0.0)
    if limits.round_most is not None:
        best_first = np.argsort(-evs, axis=1)
        sorted_stakes = np.take_along_axis(stakes, best_first, axis=1)
        before = np.cumsum(sorted_stakes, axis=1) - sorted_stakes
        allowed = np.clip(limits.round_most - before, 0, sorted_stakes)
        np.put_along_axis(stakes, best_first, allowed, axis=1)
    waiting = ~stakes.any(axis=1)
    offered = np.where(most > 0, evs, -np.inf)
    stakes[np.flatnonzero(waiting), offered[waiting].argmax(axis=1)] = limits.waiting
    return stakes


def rounds_until(ends: Numbers, size: int, behind_cut: Numbers) -> Numbers:
    """How many rounds are dealt, for each cut card: up to the one in which it comes out, and one more. [NSB-5]"""
    found: Numbers = np.minimum(np.searchsorted(ends, size - behind_cut) + 2, len(ends))
    return found


def check_cut(behind_cut: int, size: int, round_cards: int) -> None:
    least = 2 * round_cards - 1  # the round that reaches the cut card, and one more
    if not least <= behind_cut < size:
        given = f"{behind_cut} cards behind the cut card are not possible"
        raise Refused("bad-option", f"{given} when two rounds can still be dealt; give {least} to {size - 1}")


def round_ends(variant: Variant, order: Numbers, behind_cut: int, round_cards: int | None) -> Numbers:
    """Cards gone after each round of a shoe."""
    counting = counting_of(variant)
    if round_cards is not None:
        last = (len(order) - behind_cut + round_cards - 1) // round_cards
        return np.arange(1, last + 2) * round_cards
    return deal_shoe(counting.play, variant.rules, counting.kinds, order, behind_cut)[0]


def left_before(prices: ShoePrices, order: Numbers, ends: Numbers) -> Numbers:
    """The cards not yet seen before each round, by class."""
    kinds = prices.class_of[order]
    seen = np.zeros((order.size + 1, int(prices.class_of.max()) + 1), np.int64)
    seen[np.arange(1, order.size + 1), kinds] = 1
    gone = seen.cumsum(axis=0)[np.concatenate(([0], ends[:-1]))]
    found: Numbers = prices.left_of(order.tolist())[None, :] - gone
    return found
