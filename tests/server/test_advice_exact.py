"""Advice is what the solvers say, to the last decimal: hand by hand, dealt by the house from seeds that lead to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any

import pytest

from api_house import Open
from guests import Guest
from pairhouse.analysis.blackjack.solve import UpCard, fresh_shoe
from pairhouse.analysis.three_card.counts import value_of_hand
from pairhouse.core.cards import RANK_NAMES, Card, parse, rank
from pairhouse.core.game import Variant
from pairhouse.games.blackjack_hand import WORDS, value
from pairhouse.games.catalogue import find
from pairhouse.games.three_card_poker import FOLD, PLAY
from pairhouse.house.dealer import stream_in_use
from pairhouse.rounds.fairness import Order, WordStream

CLOSE = Fraction(1, 10**12)
TRIES_MAX = 3_000_000  # the rarest of these hands is dealt once in 50,000 rounds
RANKS = {"A": {1}, "10": {10}, "x": set(range(1, 11)), "low": set(range(2, 10))}  # by what a card counts
BLACKJACK = {"blackjack-poker-pairs": {}, "pair-v3-2": {"decks": 2}, "pair-v3-6": {"decks": 6}}


@dataclass(frozen=True)
class Hand:
    """A hand to ask about: each seat's two cards, the up card, what was chosen before, and the cards that it drew."""

    table: str
    seats: tuple[str, ...]
    up: str
    choices: tuple[str, ...] = ()
    drawn: str = ""

    @property
    def wanted(self) -> list[set[int]]:
        """What the cards must count, in the order they are dealt; nobody is dealt a dealer's blackjack."""
        firsts, seconds = zip(*(seat.split() for seat in self.seats), strict=True)
        words = [*firsts, self.up, *seconds, "low", *self.drawn.split()]
        return [RANKS.get(word) or {int(word)} for word in words]


HANDS = [
    Hand("blackjack-poker-pairs", ("10 6",), "10"),
    Hand("blackjack-poker-pairs", ("8 8",), "10"),
    Hand("blackjack-poker-pairs", ("A 7",), "9"),
    Hand("blackjack-poker-pairs", ("A A",), "6"),
    Hand("blackjack-poker-pairs", ("10 6",), "9", ("hit",), "2"),
    Hand("blackjack-poker-pairs", ("8 8",), "6", ("split",), "3"),
    Hand("blackjack-poker-pairs", ("8 8",), "6", ("split", "stand"), "3 x"),
    Hand("blackjack-poker-pairs", ("9 9", "x x", "x x"), "7"),
    Hand("blackjack-poker-pairs", ("low low", "low low", "A 2"), "5", ("stand", "stand")),
    Hand("blackjack-poker-pairs", ("10 5", "10 x"), "A"),
    Hand("blackjack-poker-pairs", ("10 5",), "A", ("no-insurance",)),
    Hand("pair-v3-2", ("8 8",), "9"),
    Hand("pair-v3-2", ("5 6",), "10"),
    Hand("pair-v3-2", ("10 2",), "4", ("hit",), "A"),
    Hand("pair-v3-6", ("A 7",), "3"),
    Hand("pair-v3-6", ("9 9",), "7", ("split",), "2"),
]


def seed_for(house: Open, guest: Guest, table: str, variant: Variant, wanted: list[set[int]], cards: Any) -> str:
    """A client seed with which the next cards at this table are those; the tests have the key to the server's seed."""
    guest.sit(table)
    with house.house.database.reading() as tx:
        stream = stream_in_use(tx, guest.me()["id"], table)
    secret = house.house.vault.open(stream.sealed_seed, stream.id)
    for number in count():
        assert number < TRIES_MAX, "no seed leads there"
        seed = f"hand {number}"
        order = Order(WordStream(secret, variant.game.id, variant.rules_hash, [seed], stream.nonce), *variant.pack)
        if all(cards(order[place]) in wanted[place] for place in range(len(wanted))):
            return seed
    raise AssertionError


def dealt(house: Open, guest: Guest, hand: Hand, variant: Variant) -> Any:
    """The round with this hand in it, as its player sees it."""
    seed = seed_for(house, guest, hand.table, variant, hand.wanted, value)
    view = guest.bet(hand.table, [{"main": 100}] * len(hand.seats), client_seed=seed).json()
    for word in hand.choices:
        view = guest.choose(view["id"], word, len(view["choices"])).json()
    assert view["state"] == "open", view
    return view


def read_table(view: Any) -> tuple[list[Card], Card, list[Card]]:
    """The hand that is asked about, the up card, and every other card that lies face up."""
    asked = (view["awaiting"]["seat"], view["awaiting"]["hand"])
    held: list[Card] = []
    others: list[Card] = []
    for hand in view["hands"]:
        cards = parse([card for card in hand["cards"] if card is not None])
        if hand.get("at") == "dealer":
            up = cards[0]
        elif (hand["seat"], hand["hand"]) == asked:
            held = cards
        else:
            others += cards
    return held, up, others


def solver_says(variant: Variant, held: Sequence[Card], up: Card, others: Sequence[Card]) -> dict[str, Fraction]:
    """Every action's value from the shoe as this player knows it."""
    shoe = fresh_shoe(variant.pack[0])
    for card in others:
        shoe[value(card)] -= 1
    found = UpCard(variant.rules, shoe, value(up)).actions_of(sum(WORDS[value(card)] for card in held))
    names = {1 << bit: action.name for bit, action in enumerate(variant.game.actions)}
    return {names[action]: Fraction(number) for action, number in found.items()}


def insured(variant: Variant, seen: Sequence[Card]) -> dict[str, Fraction]:
    """Half a stake at 2 to 1 on a ten in the hole: a fraction, from the cards not seen."""
    left = 52 * variant.pack[0] - len(seen)
    tens = Fraction(16 * variant.pack[0] - sum(value(card) == 10 for card in seen), left)
    return {"insurance": (2 * tens - (1 - tens)) / 2, "no-insurance": Fraction(0)}


def is_told(told: Any, exact: dict[str, Fraction]) -> None:
    """The same actions in the same order, each value to 1e-12."""
    ordered = sorted(exact, key=lambda word: -exact[word])
    assert list(told["options"]) == ordered
    assert told["best"] == ordered[0]
    for word, line in told["options"].items():
        assert abs(Fraction(line["value"]) - exact[word]) <= CLOSE, word
        assert 0 < Fraction(line["error"]) <= 2 * CLOSE


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: f"{hand.table}-{hand.seats}-{hand.up}-{hand.choices}")
def test_blackjack(sqlite_house: Open, hand: Hand) -> None:
    guest = sqlite_house.guest()
    variant = find(sqlite_house.client.get(f"/tables/{hand.table}").json()["game"]["id"]).variant(BLACKJACK[hand.table])
    view = dealt(sqlite_house, guest, hand, variant)
    held, up, others = read_table(view["view"])
    assert len(others) >= 2 * (len(hand.seats) - 1)
    told = guest.get(f"/rounds/{view['id']}/advice")
    options = view["view"]["awaiting"]["options"]
    if "insurance" in options:
        is_told(told, insured(variant, [*held, up, *others]))
        return
    exact = solver_says(variant, held, up, others)
    is_told(told, {word: exact[word] for word in options})
    if others:
        fresh = solver_says(variant, held, up, [])
        assert all(fresh[word] != exact[word] for word in options), (
            "cards that were seen change what an action is worth"
        )


@pytest.mark.parametrize("cards", ["Q 6 4", "Q 6 3", "Q 5 2", "A K J", "K K 4", "5 3 2", "4 3 2", "A 3 2"])
def test_three_card_poker(sqlite_house: Open, cards: str) -> None:
    """As fractions: the cards of this hand, in whatever suits they came."""
    guest, variant = sqlite_house.guest(), find("three-card-poker").variant()
    wanted = [{RANK_NAMES.index(word)} for word in cards.split()]
    seed = seed_for(sqlite_house, guest, "three-card-poker", variant, wanted, rank)
    view = guest.bet("three-card-poker", [{"ante": 100}], client_seed=seed).json()
    held = parse(next(hand["cards"] for hand in view["view"]["hands"] if hand.get("seat") == 1))
    assert sorted(map(rank, held)) == sorted(RANK_NAMES.index(word) for word in cards.split())
    exact = {"play": value_of_hand(variant, PLAY, held), "fold": value_of_hand(variant, FOLD, held)}
    assert all(isinstance(number, Fraction) for number in exact.values())
    is_told(guest.get(f"/rounds/{view['id']}/advice"), exact)
