"""Shoes dealt down with every wager priced before each round, and what two players make of them: one who knows every
price (the ceiling), and one who follows a count and bets from some true count on.

The true count of a round is the running count (tags of all cards dealt in the shoe before the round; a count that is
not balanced is taken from its average) divided by the decks not yet dealt, exactly, those behind the cut card
included. Rounds are sorted by it, rounded down. What is added up are expectations and not results, so there is no luck
in the figures but which shoes were dealt; the error of the ceiling says how much that is.

Prices are exact from the cards that are left for wagers that are counted, have a formula, or whose method prices them
from any cards. Other wagers that are played are priced by the first-order rule: the price of the whole pack, and the
effects of the cards that are gone; `solved_rounds` solves a sample of their rounds.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, pairwise

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.generic.method import GenericMethod
from pairhouse.analysis.methods.method import COUNTED
from pairhouse.analysis.methods.records import BetOnNextCard
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.ceiling import check_cut, rounds_until
from pairhouse.analysis.protect.effects import Effects, faces_by_rank
from pairhouse.analysis.protect.parts import dealt_by, host_of, part_of, parts_of
from pairhouse.analysis.protect.round_sums import (
    PricedRounds,
    Returns,
    Totals,
    add_gone,
    add_rounds,
    price_rounds,
)
from pairhouse.analysis.protect.shoe_prices import Decimals, ShoePrices
from pairhouse.core.cards import FACES, pack, rank
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.machines.dealt_shoe import deal_shoes

Numbers = npt.NDArray[np.int64]
BLOCK = 50  # shoes dealt together
GPU_BLOCKS = 8  # blocks priced by one launch: with fewer most of a GPU waits
EXACT, LINEAR = "exact", "first order"


def cards_a_round(variant: Variant, seats: int) -> int | None:
    """How many cards a round takes where the players' choices decide it; None where the rule book alone does."""
    if not 1 <= seats <= variant.game.seats_max:
        given = f"{seats} seats were given; {variant.game.name} takes 1 to {variant.game.seats_max}"
        raise Refused("bad-seats", given)
    if dealt_by(variant) is not None:
        return None
    host = host_of(variant)
    if isinstance(host, GenericMethod):
        return host.found.draws * (seats + 1) // 2  # as many for the house as for one seat
    known = host.cards_a_round(seats)
    if known is None:
        given = f"nothing says how many cards a round of {variant.game.name} takes"
        raise Refused("no-round", f"{given}; its method should")
    return known


def most_cards(variant: Variant, seats: int) -> int:
    """The most cards that a round is taken to need."""
    fixed, dealt = cards_a_round(variant, seats), dealt_by(variant)
    return dealt[1].classes.draws if dealt is not None else fixed or 1


def has_shoe(variant: Variant, seats: int) -> bool:
    """Whether two rounds can be dealt from the pack, so that there is something to follow."""
    decks, jokers = variant.pack
    return 2 * most_cards(variant, seats) <= decks * (52 + jokers)


def usual_cuts(variant: Variant, seats: int) -> list[int]:
    """The cut card of the game and every whole deck; without one a quarter of the pack, and the least there can be."""
    decks, jokers = variant.pack
    size, deck = decks * (52 + jokers), 52 + jokers
    least, own = min(2 * most_cards(variant, seats) - 1, size - 1), variant.options.get("cut_card")
    first = max(size // 4 if own is None else int(own), least)
    others = {deck * number for number in range(1, decks)} | ({size // 4, size // 2} if decks < 3 else set())
    others |= {least} if own is None else set()
    return [first, *sorted(cut for cut in others if least <= cut < size and cut != first)]


def how_priced(variant: Variant, wager: str) -> str:
    """How a wager is priced from the cards that are left: exactly, or by first order."""
    source, part = method_of(variant).source(wager), part_of(variant, wager)
    counted = source == COUNTED and part.counting is not None
    direct = part.method.bet_on_next_card(wager) or part.method.left_price(wager)
    return EXACT if counted or direct is not None else LINEAR


class RoundPrices:
    """Prices every wager before every round of shoes: expectation, mean square, and how often it can be bet at all."""

    def __init__(self, variant: Variant, effects: Mapping[str, Effects], on_gpu: bool = False) -> None:
        self.variant, self.effects, self.wagers, self.on_gpu = variant, effects, list(effects), on_gpu
        method = method_of(variant)
        self.sources = {wager: method.source(wager) for wager in self.wagers}
        self.how = {wager: how_priced(variant, wager) for wager in self.wagers}
        methods = {wager: part_of(variant, wager).method for wager in self.wagers}
        direct = {wager: own.left_price(wager) for wager, own in methods.items()}
        self.direct = {wager: price for wager, price in direct.items() if price is not None}
        next_card = {wager: own.bet_on_next_card(wager) for wager, own in methods.items()}
        self.next_card = {wager: bet for wager, bet in next_card.items() if bet is not None}
        counted = [
            wager
            for wager in self.wagers
            if self.sources[wager] == COUNTED and self.how[wager] == EXACT and wager not in self.direct
        ]
        self.exact = [each for part in parts_of(variant, counted) for each in part.shoe_prices] if counted else []
        self.squares = {w: _mean_square(variant, w) for w in self.wagers if self.how[w] == LINEAR}

    def of(self, orders: Sequence[Numbers], starts: Sequence[Numbers]) -> tuple[Decimals, Decimals, Decimals]:
        """By round and wager, the shoes one after another: expectation, mean square, chance that it is offered."""
        shape = sum(len(each) for each in starts), len(self.wagers)
        evs, squares, offered = np.zeros(shape), np.zeros(shape), np.ones(shape)
        for prices, wagers in self.exact:
            columns = {wager: self.wagers.index(wager) for wager in wagers}
            write_counted_prices(prices, columns, orders, starts, evs, squares, on_gpu=self.on_gpu)
        for at, wager in enumerate(self.wagers):
            if wager in self.direct:
                evs[:, at], squares[:, at] = self._each_round(orders, starts, wager)
            elif wager in self.next_card:
                found = on_next_card(self.next_card[wager], orders, starts)
                evs[:, at], squares[:, at], offered[:, at] = found
            elif self.how[wager] == LINEAR:
                evs[:, at], squares[:, at] = self.first_order(orders, starts, wager), self.squares[wager]
        return evs, squares, offered

    def _each_round(self, orders: Sequence[Numbers], starts: Sequence[Numbers], wager: str) -> Decimals:
        """By round: expectation and mean square from the cards that are left, as the method prices them."""
        price = self.direct[wager]
        shoes = zip(orders, starts, strict=True)
        return np.array([price(order[start:].tolist()) for order, all_starts in shoes for start in all_starts]).T

    def first_order(self, orders: Sequence[Numbers], starts: Sequence[Numbers], wager: str) -> Decimals:
        """The price of the whole pack and the effects of the cards that are gone, from their mean, round by round.

        The mean is what playing by one card that is gone gains. It is left out: added up over many cards it would be
        far more than they gain together.
        """
        each = self.effects[wager]
        by_face = np.array([float(effect - each.mean) for effect in each.by_face])
        parts = []
        for order, start in zip(orders, starts, strict=True):
            gone = np.concatenate(([0.0], np.cumsum(by_face[order])))[start]
            parts.append(float(each.price) + (order.size - 1) / (order.size - start) * gone)
        return np.concatenate(parts)


def counted_prices(
    prices: ShoePrices, orders: Sequence[Numbers], starts: Sequence[Numbers]
) -> tuple[Decimals, Decimals]:
    """Expectation and mean square of every counted wager before every round, from the cards that are left."""
    shape = sum(len(each) for each in starts), len(prices.wagers)
    evs, squares = np.zeros(shape), np.zeros(shape)
    columns = {wager: at for at, wager in enumerate(prices.wagers)}
    write_counted_prices(prices, columns, orders, starts, evs, squares)
    return evs, squares


def write_counted_prices(
    prices: ShoePrices,
    columns: Mapping[str, int],
    orders: Sequence[Numbers],
    starts: Sequence[Numbers],
    evs: Decimals,
    squares: Decimals,
    *,
    on_gpu: bool = False,
) -> None:
    """Write expectation and mean square of wagers into their columns of arrays by round."""
    kinds = int(prices.class_of.max()) + 1
    gone = gone_by(prices.class_of[np.asarray(orders)], kinds, starts)
    left = prices.left_of(orders[0].tolist())[None, :] - gone
    cards_left = orders[0].size - np.concatenate(starts)
    for group in prices.groups:
        asked = [at for at, place in enumerate(group.places) if prices.wagers[place] in columns]
        if asked:
            cell, wager = np.nonzero(group.returns[:, asked])
            column = np.array([columns[prices.wagers[group.places[at]]] for at in asked])
            returns = Returns(cell, wager, group.returns[:, asked][cell, wager], prices.steps, column)
            ways = np.ascontiguousarray(group.evaluator.ways(left, on_gpu))
            price_rounds(ways, returns, cards_left, prices.draws, evs, squares)


def on_next_card(
    bet: BetOnNextCard, orders: Sequence[Numbers], starts: Sequence[Numbers]
) -> tuple[Decimals, Decimals, Decimals]:
    """By round: expectation and mean square once a card that offers the bet is up, and the chance that one is.

    Nothing else of the round is seen.
    """
    faces = [rank(face) for face in range(len(FACES))]
    offers_it, wins_it = (np.isin(faces, [*ranks]) for ranks in (bet.offered_on, bet.won_by))
    wins, loses, found = float(bet.wins), float(bet.loses), []
    for order, start in zip(orders, starts, strict=True):
        left = order.size - start
        ups = offers_it[order].sum() - gone_by([offers_it[order].astype(np.int64)], 2, [start])[:, 1]
        good = wins_it[order].sum() - gone_by([wins_it[order].astype(np.int64)], 2, [start])[:, 1]
        chance = good / np.maximum(left - 1, 1)
        found.append((chance * (wins - loses) + loses, chance * (wins**2 - loses**2) + loses**2, ups / left))
    evs, squares, offered = (np.concatenate(column) for column in zip(*found, strict=True))
    return evs, squares, offered


def _mean_square(variant: Variant, wager: str) -> float:
    price = method_of(variant).price(wager)
    return float(price.variance) + float(price.ev) ** 2


def gone_by(kinds: Sequence[Numbers] | Numbers, number: int, starts: Sequence[Numbers]) -> Numbers:
    """How many cards of each kind are gone at each start of a round, the shoes one after another."""
    flat, rounds = in_a_row(starts)
    gone = np.zeros((flat.size, number), np.int64)
    add_gone(np.asarray(kinds), flat, rounds, np.eye(number, dtype=np.int64), gone)
    return gone


def in_a_row(starts: Sequence[Numbers]) -> tuple[Numbers, Numbers]:
    """The rounds of all shoes one after another, and how many each shoe has."""
    return np.concatenate(starts), np.array([each.size for each in starts])


@dataclass(frozen=True, eq=False)
class Following:
    """What is dealt and followed: a variant, its wagers' prices, a count for each, cut cards and seats."""

    variant: Variant
    prices: RoundPrices
    tags: Mapping[str, Mapping[str, int]]  # wager -> rank or card -> tag; none where nothing can be counted
    cuts: Sequence[int]  # most cards behind the cut card first
    seats: int = 1

    @cached_property
    def fresh(self) -> Numbers:
        return np.array(pack(*self.variant.pack), np.int64)

    @cached_property
    def by_face(self) -> Decimals:
        """The tag of every face for every wager, from the average of the pack."""
        faces_of = faces_by_rank(52 + self.variant.pack[1])
        found = np.zeros((52 + self.variant.pack[1], len(self.prices.wagers)))
        for at, wager in enumerate(self.prices.wagers):
            for name, faces in faces_of.items():
                found[faces, at] = self.tags.get(wager, {}).get(name, 0)
        centred: Decimals = found - found.mean(axis=0)
        return centred

    def dealt(self, seed: int, number: int, shoes: int = BLOCK) -> tuple[list[Numbers], list[Numbers]]:
        """The cards of the shoes of one block, and how many are gone after each round."""
        random = np.random.default_rng([seed, number])
        deepest, fixed = self.cuts[-1], cards_a_round(self.variant, self.seats)
        orders = random.permuted(np.tile(self.fresh, (shoes, 1)), axis=1)
        return [*orders], all_ends(self.variant, orders, deepest, fixed)

    def block(self, seed: int, number: int, shoes: int = BLOCK) -> Totals:
        """The shoes of one block: always the same for a seed and a number."""
        return self.blocks(seed, [(number, shoes)])[0]

    def blocks(self, seed: int, numbered: Sequence[tuple[int, int]]) -> list[Totals]:
        """The shoes of some blocks, priced together: the number of each, and how many shoes it has."""
        dealt = [self.dealt(seed, number, shoes) for number, shoes in numbered]
        orders, ends = (list(chain.from_iterable(column)) for column in zip(*dealt, strict=True))
        starts = [np.concatenate(([0], each[:-1])) for each in ends]
        counts, cuts = self.true_counts(orders, starts), np.array(self.cuts)
        reached = np.array([rounds_until(each, self.fresh.size, cuts) for each in ends])
        rounds = np.array([len(each) for each in ends])
        priced = PricedRounds(*self.prices.of(orders, starts), counts, rounds, reached)
        shoes_until = np.cumsum([0, *(shoes for _, shoes in numbered)])
        return [self._summed(priced.of_shoes(*these)) for these in pairwise(shoes_until.tolist())]

    def _summed(self, priced: PricedRounds) -> Totals:
        totals = Totals.empty(len(self.cuts), len(self.prices.wagers))
        add_rounds(priced, totals, np.zeros_like(totals.shoe_squares))
        return totals

    def true_counts(self, orders: Sequence[Numbers], starts: Sequence[Numbers]) -> Decimals:
        """By round and wager: the running count divided by the decks left."""
        flat, rounds = in_a_row(starts)
        running = np.zeros((flat.size, self.by_face.shape[1]))
        add_gone(np.asarray(orders), flat, rounds, self.by_face, running)
        running *= (len(self.by_face) / (self.fresh.size - flat))[:, None]
        return running


def all_ends(variant: Variant, orders: Numbers, behind_cut: int, fixed: int | None) -> list[Numbers]:
    """Cards gone after each round of each shoe, dealt by the rule book or in rounds of so many cards."""
    dealt = dealt_by(variant)
    if dealt is not None:
        deals, counting = dealt
        return [ends for ends, _ in deal_shoes(counting.play, deals.rules, counting.kinds, orders, behind_cut)]
    assert fixed is not None
    last = (orders.shape[1] - behind_cut + fixed - 1) // fixed
    return [np.arange(1, last + 2) * fixed] * len(orders)


def check_following(variant: Variant, cuts: Sequence[int], shoes: int, seats: int) -> None:
    """Refuse cut cards, seats and numbers of shoes that cannot be dealt."""
    decks, jokers = variant.pack
    for cut in cuts:
        check_cut(cut, decks * (52 + jokers), most_cards(variant, seats))
    if shoes == 1:
        raise Refused("bad-shoes", "1 shoe is too few to state an error; give 2 or more, or 0 to deal none")


Progress = Callable[[int, Totals], None]  # shoes dealt so far, and the sums


def follow(
    following: Following,
    shoes: int,
    seed: int,
    *,
    workers: int = 2,
    begun: Totals | None = None,
    progress: Progress | None = None,
) -> Totals:
    """Deal so many shoes; goes on from sums that were begun with the same seed. Ctrl-C ends it with what is dealt."""
    total = Totals.empty(len(following.cuts), len(following.prices.wagers)) if begun is None else begun
    blocks = _blocks(int(total.shoes[0]), shoes)
    together = GPU_BLOCKS if following.prices.on_gpu else 1
    with ThreadPoolExecutor(workers) as pool:
        waiting = iter(lambda: list(islice(blocks, together)), [])
        running = [pool.submit(following.blocks, seed, some) for some in islice(waiting, 2 * workers)]
        while running:
            try:
                done = running.pop(0).result()
            except KeyboardInterrupt:
                for task in running:
                    task.cancel()
                break
            for sums in done:  # in their order, so that they do not depend on the workers
                total.add(sums)
            running += [pool.submit(following.blocks, seed, some) for some in islice(waiting, 1)]
            if progress is not None:
                progress(int(total.shoes[0]), total)
    return total


def _blocks(begun: int, shoes: int) -> Iterator[tuple[int, int]]:
    """The blocks still to be dealt: their number, and how many shoes."""
    if begun % BLOCK:
        given = f"{begun} shoes were dealt before"
        raise Refused("bad-shoes", f"{given}, and a last block that was not whole; go on from a multiple of {BLOCK}")
    for first in range(begun, shoes, BLOCK):
        yield first // BLOCK, min(BLOCK, shoes - first)
