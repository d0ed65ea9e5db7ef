"""PAIR Version 3, rule by rule. Its first three cards are the seat's first, the dealer's up card, the seat's second."""

import random
from collections.abc import Callable
from itertools import product

import pytest
from msgspec import structs

from blackjack_rounds import check_to_the_last_card, hand, lines, story, variant
from pairhouse.core.cards import FACES, parse
from pairhouse.core.errors import Refused
from pairhouse.games import standard_blackjack
from pairhouse.games.blackjack import initial_deal
from pairhouse.games.pair_v3 import GAME, PAYTABLES
from pairhouse.machines.replay import replay
from rule_tables import Case, book_rows, check, price, table

BOOK = "pair-v3"
every_paytable = pytest.mark.parametrize(
    ("rule", "name"), [(f"PV3-{number}", name) for number, name in enumerate(PAYTABLES, 11)]
)


@every_paytable
def test_printed_paytables(rule: str, name: str) -> None:
    """Names, rows, order and prices are those of the book; rows fall in price.

    [PV3-2] [PV3-9] [PV3-10] [PV3-11] [PV3-12] [PV3-13] [PV3-14] [PV3-15] [PV3-16]
    """
    printed = [(row.lower(), price(pays)) for row, pays in book_rows(BOOK, rule)]
    assert [(row.name, row.pays) for row in PAYTABLES[name].rows] == printed
    assert PAYTABLES[name].prices == sorted(PAYTABLES[name].prices, reverse=True)
    assert name.startswith("shoe") or "3 of a kind (suited)" not in dict(printed)


Faces = list[str]


def same(count: int, of: Faces) -> bool:
    """Whether the most frequent word comes so many times."""
    return max(map(of.count, of)) >= count


def ranks(faces: Faces) -> Faces:
    return [face[:-1] for face in faces]


def suits(faces: Faces) -> Faces:
    return [face[-1] for face in faces]


# What the three cards show, from the words of the book. The dealer's up card stands last.
SHOWS: dict[str, Callable[[Faces], bool]] = {
    "royal flush": lambda faces: same(3, suits(faces)) and sorted(ranks(faces)) == ["A", "K", "Q"],
    "3 of a kind (suited)": lambda faces: same(3, faces),
    "3 of a kind (mixed)": lambda faces: same(3, ranks(faces)),
    "player pair (suited)": lambda faces: same(2, faces[:2]),
    "player pair (mixed)": lambda faces: same(2, ranks(faces[:2])),
    "any pair (suited)": lambda faces: same(2, faces),
    "any pair (mixed)": lambda faces: same(2, ranks(faces)),
    "flush": lambda faces: same(3, suits(faces)),
}


def shows(row: str) -> Callable[[Faces], bool]:
    """Without a further word a row takes suited and mixed alike."""
    return SHOWS[row] if row in SHOWS else SHOWS[f"{row} (mixed)"]


def test_every_row_has_a_meaning() -> None:
    """The meanings below are those that the book lists. [PV3-8]"""
    assert [row.lower() for row, _shows in book_rows(BOOK, "PV3-8")] == list(SHOWS)


@every_paytable
def test_many_deals(rule: str, name: str) -> None:
    """The best row that the three cards satisfy is paid, on every deal of A, K, Q, 10 and 2 and on others.

    [PV3-7] [PV3-8] [PV3-9]
    """
    prices = {row.lower(): int(price(pays)) for row, pays in book_rows(BOOK, rule)}
    corner = parse([rank + suit for rank in ("A", "K", "Q", "10", "2") for suit in "cdhs"])
    drawn = random.Random(rule)
    for cards in [*product(corner, repeat=3), *(tuple(drawn.choices(range(52), k=3)) for _ in range(3000))]:
        faces = [FACES[card] for card in cards]
        if name.startswith("2-deck") and same(3, faces):
            continue
        satisfied = [pays for row, pays in prices.items() if shows(row)(faces)]
        assert int(PAYTABLES[name].paid(initial_deal(*cards)).pays) == max(satisfied, default=-1)


@table(
    BOOK,
    """
    rule         | cards       | wagers           | choices | options           | result
    PV3-11       | 7c 7d 7h 9s | main 100 pair 10 |         | paytable=2-deck-a | 210 3 of a kind
    PV3-11       | 7c 7c 7h 9s | main 100 pair 10 |         | paytable=2-deck-a | 210 3 of a kind
    PV3-11       | 7c 7d 8h 9s | main 100 pair 10 |         | paytable=2-deck-a | 30 any pair (mixed)
    PV3-11       | 7c 8d 7c 9s | main 100 pair 10 |         | paytable=2-deck-a | 110 any pair (suited)
    PV3-11       | 7c 7c 8d 9s | main 100 pair 10 |         | paytable=2-deck-a | 110 any pair (suited)
    PV3-11       | 8d 7c 7c 9s | main 100 pair 10 |         | paytable=2-deck-a | 110 any pair (suited)
    PV3-11       | 7c 8d 7s 9s | main 100 pair 10 |         | paytable=2-deck-a | 30 any pair (mixed)
    PV3-11       | 7c 8d 6s 9s | main 100 pair 10 |         | paytable=2-deck-a | 0 no win
    PV3-8        | Tc Jc Qc 9s | main 100 pair 10 |         | paytable=2-deck-a | 0 no win
    PV3-12       | 7c 7d 7h 9s | main 100 pair 10 |         | paytable=2-deck-b | 310 3 of a kind
    PV3-12       | 7c 8d 7h 9s | main 100 pair 10 |         | paytable=2-deck-b | 60 player pair
    PV3-12       | 7c 8d 7c 9s | main 100 pair 10 |         | paytable=2-deck-b | 60 player pair
    PV3-12       | 7c 7d 8h 9s | main 100 pair 10 |         | paytable=2-deck-b | 30 any pair
    PV3-12       | 8h 7d 7d 9s | main 100 pair 10 |         | paytable=2-deck-b | 30 any pair
    PV3-12       | 7c 8d 6h 9s | main 100 pair 10 |         | paytable=2-deck-b | 0 no win
    PV3-12       | 7c 9d 8h 9s | main 100 pair 10 |         | paytable=2-deck-b | 0 no win
    PV3-13       | 7c 7c 7c 9s | main 100 pair 10 |         | paytable=shoe-a   | 210 3 of a kind (suited)
    PV3-13       | 7c 7c 7d 9s | main 100 pair 10 |         | paytable=shoe-a   | 110 3 of a kind (mixed)
    PV3-13       | 7c 7c 8d 9s | main 100 pair 10 |         | paytable=shoe-a   | 40 any pair
    PV3-13       | 7c 8d 7h 9s | main 100 pair 10 |         | paytable=shoe-a   | 40 any pair
    PV3-13       | 7c 8d 6c 9s | main 100 pair 10 |         | paytable=shoe-a   | 0 no win
    PV3-14       | 7c 7c 7c 9s | main 100 pair 10 |         | paytable=shoe-b   | 1010 3 of a kind (suited)
    PV3-14       | 7c 7d 7c 9s | main 100 pair 10 |         | paytable=shoe-b   | 210 3 of a kind (mixed)
    PV3-14       | 7c 8d 7c 9s | main 100 pair 10 |         | paytable=shoe-b   | 50 player pair
    PV3-14       | 7c 8d 7h 9s | main 100 pair 10 |         | paytable=shoe-b   | 50 player pair
    PV3-14       | 7c 8d 8h 9s | main 100 pair 10 |         | paytable=shoe-b   | 30 any pair
    PV3-14       | 7c 7c 8d 9s | main 100 pair 10 |         | paytable=shoe-b   | 30 any pair
    PV3-14       | 7c 6c 8d 9s | main 100 pair 10 |         | paytable=shoe-b   | 0 no win
    PV3-15       | Ac Kc Qc 9s | main 100 pair 10 |         | paytable=shoe-c   | 1010 royal flush
    PV3-15       | Qh Kh Ah 9s | main 100 pair 10 |         | paytable=shoe-c   | 1010 royal flush
    PV3-15       | Ac Kc Jc 9s | main 100 pair 10 |         | paytable=shoe-c   | 40 flush
    PV3-15       | Ac Kc Qs 9s | main 100 pair 10 |         | paytable=shoe-c   | 0 no win
    PV3-15       | 7c 7c 7c 9s | main 100 pair 10 |         | paytable=shoe-c   | 510 3 of a kind (suited)
    PV3-15       | 7c 7c 7d 9s | main 100 pair 10 |         | paytable=shoe-c   | 110 3 of a kind (mixed)
    PV3-15       | 7c 7c 8d 9s | main 100 pair 10 |         | paytable=shoe-c   | 30 any pair
    PV3-15       | 7c 6c 8d 9s | main 100 pair 10 |         | paytable=shoe-c   | 0 no win
    PV3-9 PV3-15 | 7h 9h 7h 9s | main 100 pair 10 |         | paytable=shoe-c   | 40 flush
    PV3-15       | 7h 9h 7d 9s | main 100 pair 10 |         | paytable=shoe-c   | 30 any pair
    PV3-15       | 2h 7h 9h 9s | main 100 pair 10 |         | paytable=shoe-c   | 40 flush
    PV3-15       | 2h 7h 9d 9s | main 100 pair 10 |         | paytable=shoe-c   | 0 no win
    PV3-16       | 7c 7c 7c 9s | main 100 pair 10 |         | paytable=shoe-d   | 510 3 of a kind (suited)
    PV3-16       | 7c 7c 7d 9s | main 100 pair 10 |         | paytable=shoe-d   | 260 3 of a kind (mixed)
    PV3-16       | 7c 7c 8d 9s | main 100 pair 10 |         | paytable=shoe-d   | 50 any pair (suited)
    PV3-9 PV3-16 | 7h 9h 7h 9s | main 100 pair 10 |         | paytable=shoe-d   | 60 player pair (suited)
    PV3-16       | 7h 9d 7h 9s | main 100 pair 10 |         | paytable=shoe-d   | 60 player pair (suited)
    PV3-16       | 7h 9d 7d 9s | main 100 pair 10 |         | paytable=shoe-d   | 20 any pair (mixed)
    PV3-16       | 7h 9d 8d 9s | main 100 pair 10 |         | paytable=shoe-d   | 0 no win
    PV3-9 PV3-16 | 7h 7h 9h 9s | main 100 pair 10 |         | paytable=shoe-d   | 50 any pair (suited)
    PV3-16       | 9d 7h 7h 9s | main 100 pair 10 |         | paytable=shoe-d   | 50 any pair (suited)
    PV3-16       | 9d 7h 7c 9s | main 100 pair 10 |         | paytable=shoe-d   | 20 any pair (mixed)
    PV3-16       | 2h 7h 9h 9s | main 100 pair 10 |         | paytable=shoe-d   | 40 flush
    PV3-16       | 2h 7h 9d 9s | main 100 pair 10 |         | paytable=shoe-d   | 0 no win
    PV3-16       | Ac Kc Qc 9s | main 100 pair 10 |         | paytable=shoe-d   | 40 flush
    """,
)
def test_paytables(case: Case) -> None:
    """Every row of every paytable, and one card away from it, paid before anyone plays.

    [PV3-8] [PV3-9] [PV3-11] [PV3-12] [PV3-13] [PV3-14] [PV3-15] [PV3-16] [PV3-17]
    """
    pair = case.play().bets[0]["pair"]
    assert f"{pair.returned} {pair.row}" == case.result


@table(
    BOOK,
    """
    rule        | cards             | wagers                      | choices      | options                   | result
    PV3-2       | 7c 9d 7c Ts       | main 100                    |              | decks=2 paytable=shoe-a   | refused bad-option
    PV3-2       | 7c 9d 7c Ts       | main 100                    |              | decks=2 paytable=shoe-b   | refused bad-option
    PV3-2       | 7c 9d 7c Ts       | main 100                    |              | decks=2 paytable=shoe-c   | refused bad-option
    PV3-2       | 7c 9d 7c Ts       | main 100                    |              | decks=2 paytable=shoe-d   | refused bad-option
    PV3-2       | 7c 9d 7c Ts       | main 100                    |              | decks=6 paytable=2-deck-a | refused bad-option
    PV3-2       | 7c 9d 7c Ts       | main 100                    |              | decks=8 paytable=2-deck-b | refused bad-option
    PV3-2       | 7c 9d 7c Ts       | main 100                    |              | decks=4                   | refused bad-option
    PV3-2       | 7c 9d 7c Ts       | main 100                    |              | paytable=shoe-e           | refused bad-option
    PV3-10      | 7c 7c 7c Ts       | main 100 pair 10            |              | paytable=2-deck-a         | refused bad-card
    PV3-3       | 7c 9d 7c Ts       | pair 10                     |              |                           | refused no-opening-wager
    PV3-3       | 7c 7h 9d 7c 7h Ts | main 100 / pair 10          |              |                           | refused no-opening-wager
    PV3-3       | 7c 9d 7c Ts       | main 100                    | stand        |                           | main 0 lose
    PV3-3 PV3-5 | 7c 7c 9d 7d 7d Ts | main 100 / main 100 pair 20 | stand stand  |                           | main 0 lose / main 0 lose; pair 80 any pair
    PV3-6       | Ac 9d Kc Ts       | main 101 pair 10            |              |                           | refused bad-stake
    PV3-6       | Ac 9d Kc Ts       | main 2 pair 0               |              |                           | refused bad-stake
    PV3-6       | Ac 9d Kc Ts       | main 101 pair 7             |              | rounding=down             | main 252 blackjack; pair 0 no win
    PV3-6       | Ac 9d Kc Ts       | main 101 pair 7             |              | rounding=nearest          | main 253 blackjack; pair 0 no win
    PV3-6       | Ac Ad 8c Ts       | main 2 pair 7               | no-insurance |                           | main 0 dealer blackjack; pair 28 any pair
    """,
)
def test_tables_seats_and_stakes(case: Case) -> None:
    """Which paytable goes with which decks, and what may be staked. [PV3-2] [PV3-3] [PV3-5] [PV3-6] [PV3-10]"""
    check(case)


@pytest.mark.parametrize(
    ("options", "decks", "paytable"),
    [
        ("", 6, "shoe-a"),
        ("decks=2", 2, "2-deck-a"),
        ("decks=8", 8, "shoe-a"),
        ("paytable=2-deck-b", 2, "2-deck-b"),
        ("paytable=shoe-d", 6, "shoe-d"),
        ("decks=2 paytable=2-deck-b", 2, "2-deck-b"),
        *((f"decks={decks} paytable=shoe-{x}", decks, f"shoe-{x}") for decks in (6, 8) for x in "abcd"),
    ],
)
def test_pairings(options: str, decks: int, paytable: str) -> None:
    """Paytables and decks that belong together, and what the one brings when the other is not named. [PV3-2] [PV3-6]"""
    chosen = variant(BOOK, options)
    assert (chosen.options["decks"], chosen.options["paytable"], chosen.pack) == (decks, paytable, (decks, 0))
    assert chosen.steps == {"main": 2, "pair": 1}


def test_seats() -> None:
    """Seven seats are the most, each with a PAIR wager of its own or none. [PV3-5]"""
    seats = [{"main": 2, "pair": seat} if seat % 2 else {"main": 2} for seat in range(1, 8)]
    done = replay(variant(BOOK, ""), hand("2c 3c 4c 5c 6c 7c 8c 8d 2h 3h 4h 5h 6h 7h 8h 9s"), seats)
    assert [bets["pair"].returned for bets in done.bets if "pair" in bets] == [4, 12, 20, 77]
    with pytest.raises(Refused, match="takes 1 to 7"):
        replay(variant(BOOK, ""), hand("2c 3c 4c"), [{"main": 2}] * 8)


def test_a_refused_pairing_says_why() -> None:
    """The refusal names the decks that fit, and the paytables. [PV3-2]"""
    with pytest.raises(
        Refused, match="shoe-b belongs to 6 or 8 decks, not 2; with 2 decks choose 2-deck-a or 2-deck-b"
    ):
        variant(BOOK, "decks=2 paytable=shoe-b")


@table(
    BOOK,
    """
    rule        | cards             | wagers           | choices           | options        | result
    PV3-7       | 7c 9d 7c Ts       | main 100 pair 10 | stand             |                | main 0 lose; pair 40 any pair
    PV3-7       | 7c 9d 7c Ts Kc    | main 100 pair 10 | hit               |                | main 0 bust; pair 40 any pair
    PV3-4 PV3-7 | 7c 9d 7c Ts 6c    | main 100 pair 10 | double            |                | main 400 win; pair 40 any pair
    PV3-4 PV3-7 | 7c 9d 7c Ts Kc Kd | main 100 pair 10 | split stand stand |                | main 0 lose, lose; pair 40 any pair
    PV3-7       | 7c Ad 7c Ks       | main 100 pair 10 | insurance         |                | main 0 dealer blackjack; pair 40 any pair; insurance 150 dealer blackjack
    PV3-7       | Ac Ad Kc 9s       | main 100 pair 10 | no-insurance      |                | main 250 blackjack; pair 40 any pair
    PV3-7       | Ac 9d Kc 9s       | main 100 pair 10 |                   |                | main 250 blackjack; pair 0 no win
    PV3-1       | 7c 9d 9c Ts       | main 100 pair 10 | surrender         | surrender=late | main 50 surrender; pair 40 any pair
    PV3-1 PV3-4 | 7c Kd 7c As       | main 100 pair 10 | stand             | hole_card=none | main 0 dealer blackjack; pair 40 any pair
    PV3-1       | Tc 6d 8c As 4d    | main 100 pair 10 | stand             | soft_17=hit    | main 0 lose; pair 0 no win
    """,
)
def test_blackjack_goes_its_own_way(case: Case) -> None:
    """PAIR is paid on its three cards, whatever comes of the blackjack hand. [PV3-1] [PV3-4] [PV3-7]"""
    check_to_the_last_card(case)
    assert case.play().bets[0]["pair"].stake == 10


def test_standard_blackjack_with_all_its_options() -> None:
    """Beside `decks` and `paytable` the options are those of the standard game, and so is every round. [PV3-1]"""
    decks, *others = standard_blackjack.OPTIONS
    own = [option for option in GAME.options if option not in others]
    assert [option.name for option in own] == [decks.name, "paytable"]
    assert len(GAME.options) == len(own) + len(others)
    for seed in range(300):
        dealt = random.Random(seed)
        chosen = {option.name: dealt.choice(option.choices) for option in others}
        cards = dealt.sample(list(range(52)) * 6, 60)
        choices: list[str] = []
        standard = replay(standard_blackjack.GAME.variant(chosen), cards, [{"main": 10}] * 2)
        while standard.awaiting is not None:
            choices.append(dealt.choice(standard.awaiting.options))
            standard = replay(standard.variant, cards, [{"main": 10}] * 2, choices)
        paired = replay(GAME.variant(chosen), cards, [{"main": 10, "pair": 1}] * 2, choices)
        paired_events = [event for event in paired.events if event.wager != "pair"]
        for event, other in zip(paired_events, standard.events, strict=True):  # said by another game: by other keys
            assert event == structs.replace(other, key=event.key)


def test_order_of_events() -> None:
    """PAIR is settled from the last seat to the first, before insurance and play. [PV3-4] [PV3-17]"""
    wagers = "main 100 pair 10 / main 100 / main 100 pair 10 / main 100 pair 10"
    choices = "insurance no-insurance no-insurance no-insurance stand hit stand stand"
    case = Case(BOOK, "", "7c Tc 9c Ac Ad 7c 6h 8h 9h 9s Kd", wagers, choices, "")
    expected = """
        1 gets 7c, 2 gets 10c, 3 gets 9c, 4 gets Ac, dealer gets Ad,
        1 gets 7c, 2 gets 6h, 3 gets 8h, 4 gets 9h, dealer gets 9s,
        4 pair 40, 3 pair 0, 1 pair 40,
        1 insurance, 2 no-insurance, 3 no-insurance, 4 no-insurance, dealer looks, 1 insurance 0,
        1 stand, 2 hit, 2 gets Kd, 2 main 0, 3 stand, 4 stand, dealer turns 9s,
        1 main 0, 3 main 0, 4 main 100
    """
    assert story(case.play()) == lines(expected)
    without_hole_card = Case(
        BOOK, "", "7c 8c 9d 7c 8d", "main 100 pair 10 / main 100 pair 10", "", "", "hole_card=none"
    )
    assert story(without_hole_card.play())[5:] == ["2 pair 40", "1 pair 40"]


@pytest.mark.parametrize("reason", ["misdeal", "malfunction", "cancelled"])
def test_void(reason: str) -> None:
    """A void round returns what is not decided; PAIR wagers that had won or lost stay so. [PV3-18]"""
    seats = [{"main": 100, "pair": 10}, {"main": 100, "pair": 30}]
    done = replay(variant(BOOK, ""), hand("7c 9c 6d 7c 8h 9s 4h Kd 2c"), seats, ["double"], void=reason)
    returned = [{name: bet.returned for name, bet in seat.items()} for seat in done.bets]
    assert returned == [{"main": 200, "pair": 40}, {"main": 100, "pair": 0}]
    assert (done.awaiting, done.net(1), done.net(2)) == (None, 30, -30)
