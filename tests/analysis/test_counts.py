"""The compiled count against the oracle, brute force and closed forms, and the laws every tally obeys."""

import hashlib
import json
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import comb, perm
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coups
from counting import counted
from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.exact.prices import combined, covariance, price, prices
from pairhouse.analysis.methods.baccarat import BaccaratMethod
from pairhouse.analysis.three_card.counts import three_card
from pairhouse.core.cards import Card, pack, parse
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.hands import FLUSH, STRAIGHT, STRAIGHT_FLUSH, THREE_OF_A_KIND, category, is_mini_royal, strength
from pairhouse.core.rule import rule
from pairhouse.games import blackjack, la_paire
from pairhouse.games import nepal_super_baccarat as baccarat
from pairhouse.games import three_card_poker as tcp
from pairhouse.games.catalogue import GAMES
from pairhouse.games.pair_v3 import PAYTABLES, decks_for
from pairhouse.machines import cache
from pairhouse.machines import count as counting
from pairhouse.machines.count_hands import count_hands
from pairhouse.machines.enumerate import enumerate_rounds
from pairhouse.machines.stories import unpack

NSB = GAMES["nepal-super-baccarat"].variant()
LP = GAMES["la-paire"].variant()
BPP = GAMES["blackjack-poker-pairs"].variant()
TCP = GAMES["three-card-poker"].variant()

Shares = dict[tuple[Any, ...], Fraction]


def shares(stories: Mapping[Any, int | Fraction]) -> Shares:
    """What happened, whoever it was told of, with its probability."""
    found: Shares = {}
    total = sum(stories.values())
    for story, weight in stories.items():
        key = tuple(happened for _, happened in story)
        found[key] = found.get(key, Fraction(0)) + Fraction(weight) / total
    return found


def small_shoes(faces: str, size: int) -> list[list[Card]]:
    """Shoes of a few faces, drawn at random with repeats."""
    chance = random.Random(faces)
    return [chance.choices(parse(faces.split()), k=size) for _ in range(4)]


# Against the oracle and brute force


@pytest.mark.parametrize("shoe", small_shoes("Ac Ad 3d 4h 5s 6s 6c 8d 9c 10h Kd Kc", 8))
def test_baccarat_count_is_the_oracle(shoe: list[Card]) -> None:
    """[NSB-14] to [NSB-25], on small shoes with repeats, as fractions."""
    assert shares(counted(NSB, shoe).stories) == shares(enumerate_rounds(baccarat.play, NSB.rules, shoe).weights)


@pytest.mark.parametrize("shoe", small_shoes("Ac Ad 2c 3c Qc Kc Kd Ks X1 X2", 9))
def test_la_paire_count_is_the_oracle(shoe: list[Card]) -> None:
    """[LP-19] to [LP-29]"""
    assert shares(counted(LP, shoe).stories) == shares(enumerate_rounds(la_paire.play, LP.rules, shoe).weights)


@pytest.mark.parametrize("variant", [BPP, GAMES["pair-v3"].variant()], ids=lambda variant: variant.game.id)
@pytest.mark.parametrize("shoe", small_shoes("Ac Ad 2c 3c 10c Jc Qc Kc Kd Ks", 12))
def test_opening_count_is_the_oracle(variant: Variant, shoe: list[Card]) -> None:
    """[BPP-43] [BPP-44] [PV3-7] [PV3-8]"""

    def opening(table: Any, rules: Any) -> None:
        blackjack.opening(table, rules)

    oracle = enumerate_rounds(opening, variant.rules, shoe)
    assert shares(counted(variant, shoe).stories) == shares(oracle.weights)


def hands_counted(deck: list[Card], action: int) -> dict[tuple[int, Any], int]:
    """The compiled count of Three Card Poker, by the strength of the seat's hand."""
    kinds = (tcp.Showdown,)
    found = count_hands(tcp.play, TCP.rules, kinds, deck, action)
    return {(held, unpack(story, kinds)[0][1]): number for (held, story), number in found.items()}


def hands_by_brute_force(deck: list[Card], action: int) -> dict[tuple[int, Any], int]:
    """Every hand against every hand, one by one."""
    found: Counter[tuple[int, Any]] = Counter()
    for hand in combinations(deck, 3):
        ours = strength(*hand)
        kind = tcp.MINI_ROYAL if is_mini_royal(*hand) else category(*hand)
        for other in combinations([card for card in deck if card not in hand], 3):
            dealer = strength(*other)
            seat = tcp.Showdown(kind, True, tcp.qualifies(TCP.rules, dealer), tcp.compare(ours, dealer))
            found[ours, seat if action == tcp.PLAY else tcp.Showdown(kind, False, False, tcp.LOST)] += 1
    return dict(found)


DECKS = {
    "12 cards, suits alike": "Ac Kc Qc Ad Kd Qd Ah Kh Qh As Ks Qs",
    "12 cards, suits not alike": "Ac 2c 3c Qd Kd Jd 4h 4s 6h 6s Qs 2d",
    "16 cards, suits alike": "2c 3c Ac 9c 2d 3d Ad 9d 2h 3h Ah 9h 2s 3s As 9s",
    "13 cards, two suits": "Ac 2c 3c 4c 5c Jc Qc Ad 2d 3d Jd Qd Kd",
}


@pytest.mark.parametrize("action", [tcp.PLAY, tcp.FOLD], ids=["play", "fold"])
@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
def test_three_card_count_is_brute_force(deck: str, action: int) -> None:
    """[TCP-2] [TCP-18] [TCP-20] [TCP-22] [TCP-23] [TCP-24]"""
    cards = parse(deck.split())
    assert hands_counted(cards, action) == hands_by_brute_force(cards, action)


@pytest.mark.parametrize("action", [tcp.PLAY, tcp.FOLD], ids=["play", "fold"])
@pytest.mark.parametrize("deck", ["Ac Kc Qc 2d 3h 4s 4h", "2c 3c 4c 2d 3d 4d Ac"])
def test_three_card_count_is_the_oracle(deck: str, action: int) -> None:
    """[TCP-14] [TCP-16]"""
    cards = parse(deck.split())
    oracle = enumerate_rounds(tcp.play, TCP.rules, cards, strategy=lambda _legal, _situation: action)
    ways: Counter[Any] = Counter()
    for (_, seat), number in hands_counted(cards, action).items():
        ways[((1, seat),)] += number
    assert shares(ways) == shares(oracle.weights)


def test_la_paire_closed_forms() -> None:
    """[LP-32] to [LP-40]: the whole deck, by hand."""
    tally = counted(LP)
    poker = {
        la_paire.TWO_JOKERS: 52,
        la_paire.MINI_ROYAL: 4 + 2 * 4 * 3,
        STRAIGHT_FLUSH: 4 * 11 + 2 * 4 * 22,
        THREE_OF_A_KIND: 52 + 2 * 13 * 6,
        STRAIGHT: 12 * 60 + 2 * 25 * 12,
        FLUSH: 1096 + 2 * 4 * (78 - 25),
    }
    made: Counter[int] = Counter()
    for (*_, (_, hand)), ways in tally.stories.items():
        made[hand.hand] += ways
    assert {kind: Fraction(made[kind], 6) for kind in poker} == poker
    values = {"card-7": 4, "card-joker": 2, "split-Q-K": 8, "split-K-joker": 6, "three-2-8-A": 12, "red": 26}
    assert {wager: price(tally, wager).hit * 54 for wager in values} == values
    pairs = {"paire-A": 12, "paire-joker": 2, "any-paire": 13 * 12 + 2}
    assert {wager: price(tally, wager).hit * 54 * 53 for wager in pairs} == pairs


# Golden digests

BOOK = Path(__file__).parents[1] / "golden" / "tallies.json"


def digest(of: object) -> str:
    return hashlib.sha256(repr(of).encode()).hexdigest()


def golden_cases() -> Iterator[tuple[str, Callable[[], object]]]:
    """What is digested, by name: a tally for each game and number of decks, and the prices of each paytable."""

    def tally(variant: Variant, decks: int, jokers: int = 0) -> Callable[[], object]:
        return lambda: sorted((repr(s), n) for s, n in counted(variant, pack(decks, jokers)).stories.items())

    def priced(variant: Variant, decks: int) -> Callable[[], object]:
        return lambda: sorted((w, p.ev, p.variance) for w, p in prices(counted(variant, pack(decks))).items())

    for decks in (5, 6, 7, 8):
        yield f"nepal-super-baccarat decks={decks}", tally(NSB, decks)
        yield f"nepal-super-baccarat decks={decks} prices", priced(NSB, decks)
    for decks in (1, 2, 6, 8):
        yield f"blackjack opening decks={decks}", tally(BPP, decks)
        yield f"blackjack-poker-pairs decks={decks} prices", priced(BPP, decks)
    for paytable in PAYTABLES:
        for decks in decks_for(paytable):
            variant = GAMES["pair-v3"].variant({"paytable": paytable, "decks": decks})
            yield f"pair-v3 paytable={paytable} decks={decks} prices", priced(variant, decks)
    yield "la-paire", tally(LP, 1, 2)
    yield "la-paire prices", lambda: sorted((w, p.ev, p.variance) for w, p in prices(counted(LP)).items())
    for action, name in ((tcp.PLAY, "play"), (tcp.FOLD, "fold")):
        yield f"three-card-poker {name}", partial(three_card_ways, action)
    for table in tcp.PAIRPLUS_PRICES:
        variant = GAMES["three-card-poker"].variant({"pairplus": table})
        yield f"three-card-poker pairplus={table} prices", partial(three_card_prices, variant)


def three_card_ways(action: int) -> object:
    ways = three_card(TCP).ways[action]
    return sorted((held, sorted((repr(s), n) for s, n in found.items())) for held, found in ways.items())


def three_card_prices(variant: Variant) -> object:
    """The deals are the same under every paytable, so they are counted once."""
    played = replace(three_card(TCP), variant=variant)
    return sorted((w, p.ev, p.variance) for w, p in prices(played.under(played.best)).items())


def test_tallies_are_the_golden_ones() -> None:
    """After a change that is meant, PAIRHOUSE_WRITE_GOLDEN=1 writes the digests anew."""
    found = {name: digest(make()) for name, make in golden_cases()}
    if os.environ.get("PAIRHOUSE_WRITE_GOLDEN"):
        BOOK.write_text(json.dumps(found, indent=1) + "\n")
    assert found == json.loads(BOOK.read_text())


# Laws


@pytest.mark.parametrize(
    ("tally", "deals"),
    [
        (lambda: counted(NSB), perm(416, 6)),
        (lambda: counted(NSB, pack(3)), perm(156, 6)),
        (lambda: counted(LP), perm(54, 3)),
        (lambda: counted(BPP), perm(416, 3)),
        (lambda: counted(TCP), comb(52, 3) * comb(49, 3)),
    ],
    ids=["baccarat", "baccarat, 3 decks", "la-paire", "opening", "three-card-poker"],
)
def test_ways_are_all_the_deals(tally: Callable[[], Counted], deals: int) -> None:
    found = tally()
    assert sum(found.stories.values()) == found.total == deals
    for bet in prices(found).values():
        assert sum(line.probability for line in bet.rows) == 1
        assert sum(line.ways for line in bet.rows) == deals
        assert sum(line.returns for line in bet.rows) == bet.ev


@pytest.mark.parametrize(
    ("variant", "stakes"),
    [
        (NSB, {"player": 3, "banker": 2, "tie": 1, "lucky-6": 5, "player-on-9": 2}),
        (LP, {"card-A": 1, "red": 4, "paire-A": 2, "any-paire": 1, "poker": 3}),
        (BPP, {"pairs": 2, "poker": 1}),
        (TCP, {"ante": 2, "pairplus": 5}),
    ],
    ids=lambda given: given.game.id if isinstance(given, Variant) else "",
)
def test_wagers_add_up(variant: Variant, stakes: dict[str, int]) -> None:
    """Expectations add; variances add with every covariance; a wager's covariance with itself is its variance."""
    tally = counted(variant)
    both = {(one, other): covariance(tally, one, other) for one in stakes for other in stakes}
    assert all(share == both[other, one] for (one, other), share in both.items())
    assert all(both[one, one] == price(tally, one).variance for one in stakes)
    mean, variance = combined(tally, stakes)
    assert mean == sum(stake * price(tally, wager).ev for wager, stake in stakes.items())
    assert variance == sum(stakes[one] * stakes[other] * share for (one, other), share in both.items())


@given(st.permutations(pack(1)), st.integers(6, 52))
@settings(max_examples=15)
def test_the_order_of_the_shoe_is_irrelevant(cards: list[Card], size: int) -> None:
    """[NSB-7] [BPP-2]"""
    shoe = cards[:size]
    assert counted(NSB, shoe).stories == counted(NSB, sorted(shoe, reverse=True)).stories
    assert counted(BPP, shoe).stories == counted(BPP, shoe[::-1]).stories


@given(st.lists(st.integers(12, 48), min_size=13, max_size=13))
@settings(max_examples=6)
def test_effects_of_removal_average_to_nothing(numbers: list[int]) -> None:
    """[NSB-7] A card burnt unseen changes no price: the mean over every card that can be missing is the price."""
    left = Counter(dict(enumerate(numbers)))
    wagers = ("player", "banker", "tie", "player-pair", "lucky-6")
    size = left.total()
    mean = dict.fromkeys(wagers, Fraction(0))
    for face, number in left.items():
        without = counted(NSB, [*(left - Counter([face])).elements()])
        for wager in wagers:
            mean[wager] += Fraction(number, size) * price(without, wager).ev
    whole = counted(NSB, [*left.elements()])
    assert mean == {wager: price(whole, wager).ev for wager in wagers}


def test_a_shoe_too_small_is_refused() -> None:
    with pytest.raises(Refused, match="5 cards are not enough; a round can take 6"):
        counted(NSB, pack(1)[:5])


# A changed rule changes the price


baccarat_banker_draws = baccarat.banker_draws


@rule
def banker_draws_but_5_stands_on_4(banker: int, third: int) -> bool:
    """The altered rule; everything else by the book. [NSB-21]"""
    return not (banker == 5 and third == 4) and baccarat_banker_draws(banker, third)


@contextmanager
def own_cache(monkeypatch: pytest.MonkeyPatch, place: Path) -> Iterator[None]:
    """What is compiled under an altered rule must never be found by anyone else."""
    with monkeypatch.context() as patch:
        patch.setenv("PAIRHOUSE_CACHE", str(place))
        patch.setattr(counting, "walker", counting.walker.__wrapped__)
        cache.folder.cache_clear()
        yield
    cache.folder.cache_clear()


def banker_ev_counted() -> Fraction:
    """The price of Banker, counted anew under the rules as they stand now."""
    counts = BaccaratMethod.counting
    ways = counting.count(counts.play, NSB.rules, counts.kinds, pack(8), counts.classes)
    stories = {unpack(story, counts.kinds): number for story, number in ways.items()}
    return price(Counted(NSB, stories, sum(stories.values()), ""), "banker").ev


def banker_ev_plain() -> Fraction:
    """The same from the plain coups."""
    found = coups.coups(pack(8))
    won = Fraction(0)
    for coup, number in found.items():
        winner, total = baccarat.winner_of(coup.player, coup.banker), max(coup.player, coup.banker)
        happened = baccarat.Coup(winner, total, coup.banker_cards, False, False)
        won += number * baccarat.BANKER_PAYS.paid(happened).pays
    return won / sum(found.values())


def test_one_rule_altered_changes_the_price(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """[NSB-21] Banker on 5 stands on a 4: the count follows, and so does the plain derivation."""
    by_the_book = banker_ev_counted()
    assert by_the_book == banker_ev_plain()
    with own_cache(monkeypatch, tmp_path):
        monkeypatch.setattr(baccarat, "banker_draws", banker_draws_but_5_stands_on_4)
        monkeypatch.setattr(coups, "banker_draws", banker_draws_but_5_stands_on_4)
        altered = banker_ev_counted()
        assert altered != by_the_book
        assert altered == banker_ev_plain()
        monkeypatch.undo()
    assert banker_ev_counted() == by_the_book
