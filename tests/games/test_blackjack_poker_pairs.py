"""Blackjack Poker & Pairs, rule by rule; for split hands see `test_blackjack_splits.py`."""

import random
from itertools import product

import pytest

from blackjack_rounds import best, check_to_the_last_card, hand, lines, story
from pairhouse.core.cards import FACES, parse
from pairhouse.core.errors import Refused
from pairhouse.core.money import price_text
from pairhouse.core.paytable import Paytable
from pairhouse.core.verbs import spot
from pairhouse.games.blackjack import initial_deal
from pairhouse.games.blackjack_poker_pairs import GAME, PAIRS_PAYS, POKER_PAYS
from pairhouse.machines.replay import replay
from rule_tables import Case, book_rows, check, price, stakes, table

BOOK = "blackjack-poker-pairs"
PLAIN = GAME.variant()
RANKS = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
STRAIGHTS = [set(run) for run in zip(RANKS, RANKS[1:], RANKS[2:], strict=False)] + [{"Q", "K", "A"}]


def test_printed_pairs_and_poker() -> None:
    """Rows, order and prices are those of the book. [BPP-42] [BPP-43] [BPP-44]"""
    pairs = [(name.split(":")[0].lower(), price(pays)) for name, _example, pays in book_rows(BOOK, "BPP-43")]
    poker = [(name.lower(), price(pays)) for name, _example, pays in book_rows(BOOK, "BPP-44")]
    assert [(row.name, row.pays) for row in PAIRS_PAYS.rows] == pairs
    assert [(row.name, row.pays) for row in POKER_PAYS.rows] == poker


def test_printed_blackjack_and_insurance() -> None:
    """A blackjack and insurance pay what the book prints. [BPP-24] [BPP-26] [BPP-42]"""
    main, insurance = PLAIN.wagers["main"].paytable, PLAIN.wagers["insurance"].paytable
    blackjack = {row.name: f"pays {price_text(row.pays)}" for row in main.rows}["blackjack"]
    assert blackjack == book_rows(BOOK, "BPP-26")[0][1]
    assert [price_text(pays) for pays in insurance.prices] == [book_rows(BOOK, "BPP-24")[0][1]]


@pytest.mark.parametrize(("rule", "paytable"), [("BPP-43", PAIRS_PAYS), ("BPP-44", POKER_PAYS)])
def test_printed_examples(rule: str, paytable: Paytable) -> None:
    """The example beside each row is paid by that row. [BPP-43] [BPP-44]"""
    for row, (_name, example, _pays) in zip(paytable.rows, book_rows(BOOK, rule), strict=True):
        cards = [*hand(example), *hand("2c")][:3]
        assert paytable.paid(initial_deal(*cards)) is row


def side_bets_by_hand(faces: list[str]) -> tuple[int, int]:
    """What Pairs and Poker pay, from the words of the book."""
    ranks, suits = [face[:-1] for face in faces], [face[-1] for face in faces]
    pairs, poker = -1, -1
    if ranks[0] == ranks[1]:
        one_colour = set(suits[:2]) in ({"c", "s"}, {"d", "h"})
        pairs = 30 if suits[0] == suits[1] else 10 if one_colour else 5
    flush = len(set(suits)) == 1
    if len(set(ranks)) == 1:
        poker = 100 if flush else 33
    elif set(ranks) in STRAIGHTS:
        poker = 35 if flush else 10
    elif flush:
        poker = 5
    return pairs, poker


def test_side_bets_on_many_deals() -> None:
    """Pairs and Poker on every deal of aces, twos, threes, queens and kings, and on others. [BPP-43] [BPP-44]"""
    corner = parse([rank + suit for rank in ("A", "2", "3", "Q", "K") for suit in "cdhs"])
    drawn = random.Random(44)
    for cards in [*product(corner, repeat=3), *(tuple(drawn.choices(range(52), k=3)) for _ in range(4000))]:
        deal = initial_deal(*cards)
        paid = int(PAIRS_PAYS.paid(deal).pays), int(POKER_PAYS.paid(deal).pays)
        assert paid == side_bets_by_hand([FACES[card] for card in cards])


@table(
    BOOK,
    """
    rule          | cards             | wagers                     | choices            | result
    BPP-43        | 5h 7d 5h Ts       | main 100 pairs 10          | stand              | main 0 lose; pairs 310 suited pair
    BPP-43        | 5h 7d 5d Ts       | main 100 pairs 10          | stand              | main 0 lose; pairs 110 coloured pair
    BPP-43        | 5h 7d 5c Ts       | main 100 pairs 10          | stand              | main 0 lose; pairs 60 mixed pair
    BPP-43        | 5h 7d 6h Ts       | main 100 pairs 10          | stand              | main 0 lose; pairs 0 no win
    BPP-43        | 5h 5h 6h Ts 2c    | main 100 pairs 10          | stand              | main 0 lose; pairs 0 no win
    BPP-43        | Tc 7d Jc Ts       | main 100 pairs 10          | stand              | main 200 win; pairs 0 no win
    BPP-44        | 8c 8c 8d Ts       | main 100 poker 10          | stand              | main 0 lose; poker 340 three of a kind
    BPP-44        | 8c 8c 9d Ts       | main 100 poker 10          | stand              | main 0 lose; poker 0 no win
    BPP-44        | 5h 7h 6h Ts       | main 100 poker 10          | stand              | main 0 lose; poker 360 straight flush
    BPP-44        | 5h 7h 6c Ts       | main 100 poker 10          | stand              | main 0 lose; poker 110 straight
    BPP-44        | 5h 7h 8h Ts       | main 100 poker 10          | stand              | main 0 lose; poker 60 flush
    BPP-44        | 5h 7h 8c Ts       | main 100 poker 10          | stand              | main 0 lose; poker 0 no win
    BPP-44        | Ac Qd Kh 9s       | main 100 poker 10          |                    | main 250 blackjack; poker 110 straight
    BPP-44        | Ac Qc Kc 9s       | main 100 poker 10          |                    | main 250 blackjack; poker 360 straight flush
    BPP-44        | 3c Ad 2h 6s       | main 100 poker 10          | no-insurance stand | main 0 lose; poker 110 straight
    BPP-44        | Kc Ad 2h 6s       | main 100 poker 10          | no-insurance stand | main 0 lose; poker 0 no win
    BPP-44        | Kc Ac 2c 6s       | main 100 poker 10          | no-insurance stand | main 0 lose; poker 60 flush
    BPP-22 BPP-35 | 5h 7h 5h Ts 9c 3d | main 100 pairs 10 poker 10 | hit hit            | main 0 bust; pairs 310 suited pair; poker 60 flush
    BPP-22 BPP-26 | 5h Ad 5h Ks       | main 100 pairs 10          | no-insurance       | main 0 dealer blackjack; pairs 310 suited pair
    BPP-22 BPP-30 | 5h 7d 5h Ts 5c 5d | main 100 pairs 10          | split stand stand  | main 0 lose, lose; pairs 310 suited pair
    """,
)
def test_side_bets(case: Case) -> None:
    """Every row of Pairs and Poker, and one card away from it; nothing later touches them. [BPP-22] [BPP-43] [BPP-44]"""
    check_to_the_last_card(case)


@table(
    BOOK,
    """
    rule         | cards       | wagers   | choices         | options         | result
    BPP-5 BPP-26 | Ac 9d Kh 8s | main 100 |                 |                 | main 250 blackjack
    BPP-5 BPP-41 | Ac 9d 9h 8s | main 100 | stand           |                 | main 200 win
    BPP-26       | Ac Kd Th As | main 100 |                 |                 | main 100 push
    BPP-26       | Ac Kd Th 9s | main 100 |                 |                 | main 250 blackjack
    BPP-26       | Ac Kd 9h As | main 100 |                 |                 | main 0 dealer blackjack
    BPP-23       | 9c Ad 8h 9s | main 100 |                 |                 | awaits 1.1 insurance no-insurance
    BPP-23       | Ac Ad Kh 9s | main 100 |                 |                 | awaits 1.1 insurance no-insurance
    BPP-24       | 9c Ad 9h Ks | main 100 | insurance       |                 | main 0 dealer blackjack; insurance 150 dealer blackjack
    BPP-24       | 9c Ad 9h 9s | main 100 | insurance stand |                 | main 0 lose; insurance 0 no win
    BPP-24       | 9c Ad 9h 6s | main 100 | insurance stand |                 | main 200 win; insurance 0 no win
    BPP-24       | 9c Ad 9h Ts | main 100 | no-insurance    |                 | main 0 dealer blackjack
    BPP-26       | Ac Ad Kh Qs | main 100 | insurance       |                 | main 100 push; insurance 150 dealer blackjack
    BPP-26       | Ac Ad Kh Qs | main 100 | no-insurance    |                 | main 100 push
    BPP-26       | Ac Ad Kh 9s | main 100 | insurance       |                 | main 250 blackjack; insurance 0 no win
    BPP-25       | 9c Kd 8h 9s | main 100 |                 |                 | awaits 1.1 stand hit double
    BPP-25       | 9c Kd 8h As | main 100 |                 |                 | main 0 dealer blackjack
    BPP-25       | 9c 9d 8h As | main 100 |                 |                 | awaits 1.1 stand hit double
    BPP-46       | 9c Ad 8h 9s | main 100 |                 | insurance=never | awaits 1.1 stand hit double
    BPP-46       | 9c Ad 8h Js | main 100 |                 | insurance=never | main 0 dealer blackjack
    BPP-46       | Ac Ad Kh Qs | main 100 |                 | insurance=never | main 100 push
    BPP-46       | 9c Ad 8h 9s | main 100 |                 | insurance=offer | awaits 1.1 insurance no-insurance
    """,
)
def test_blackjack_and_insurance(case: Case) -> None:
    """Blackjack pays 3 to 2; insurance is offered on every ace and pays 2 to 1; with a ten up there is none.

    [BPP-5] [BPP-23] [BPP-24] [BPP-25] [BPP-26] [BPP-46]
    """
    check_to_the_last_card(case)


@pytest.mark.parametrize("insurance", ["offer", "never"])
def test_peek(insurance: str) -> None:
    """The dealer looks under an ace and under each 10-value card, offer or not, and under no other. [BPP-25] [BPP-46]"""
    game = GAME.variant({"insurance": insurance})
    for rank in RANKS:
        asked = ["no-insurance"] if rank == "A" and insurance == "offer" else []
        done = replay(game, hand(f"9c {rank}d 8h 9s"), [{"main": 100}], asked)
        assert ("dealer looks" in story(done)) == (rank in ("A", "10", "J", "Q", "K"))


@table(
    BOOK,
    """
    rule          | cards                         | wagers   | choices                   | result
    BPP-28 BPP-34 | 9c 7d 5h Ts                   | main 100 |                           | awaits 1.1 stand hit double
    BPP-34        | Kc 7d 9h Ts                   | main 100 |                           | awaits 1.1 stand hit double
    BPP-34        | Ac 7d 9h Ts                   | main 100 |                           | awaits 1.1 stand hit double
    BPP-28 BPP-34 | 9c 7d 5h Ts 2c                | main 100 | hit                       | awaits 1.1 stand hit
    BPP-28        | 9c 7d 3h Ts 2c 3d             | main 100 | hit hit stand             | main 100 push
    BPP-29        | 9c 7d 5h Ts 7c                | main 100 | hit                       | main 200 win
    BPP-29        | Ac 7d 5h Ts 5c                | main 100 | hit                       | main 200 win
    BPP-29        | 9c 7d 5h Ts 7c 2d             | main 100 | hit hit                   | refused spare-choices
    BPP-4 BPP-35  | Tc 6d 6h Ts 6c                | main 100 | hit                       | main 0 bust
    BPP-4         | Tc 7d 6h Ts 5c                | main 100 | hit                       | main 200 win
    BPP-34 BPP-41 | 6c 7d 5h Ts Kc                | main 100 | double                    | main 400 win
    BPP-34 BPP-41 | 6c 7d 5h Ts 6d                | main 100 | double                    | main 200 push
    BPP-34        | 6c 7d 5h Ts 2c                | main 100 | double                    | main 0 lose
    BPP-34 BPP-35 | 9c 6d 5h Ts Kc                | main 100 | double                    | main 0 bust
    BPP-34        | 9c 7d 2h Ts 2c                | main 100 | hit double                | refused illegal-choice
    BPP-28        | 9c 7d 7h Ts                   | main 100 | surrender                 | refused illegal-choice
    BPP-36 BPP-38 | 2c 6d 2h Ks 2s 3c 2d 3h 2s 3d | main 100 | hit hit hit hit hit hit   | main 200 8 cards
    BPP-36        | 2c Td 2h Ks 2s 3c 2d 3h 2s 3d | main 100 | hit hit hit hit hit hit   | main 200 8 cards
    BPP-36        | 2c Td 2h Ks 2s 3c 2d 3h 2s 5d | main 100 | hit hit hit hit hit hit   | main 200 8 cards
    BPP-36        | 2c Td 2h Ks 2s 3c 2d 3h 2s 6d | main 100 | hit hit hit hit hit hit   | main 0 bust
    BPP-36        | 2c Td 2h Ks 2s 3c 2d 3h 2s    | main 100 | hit hit hit hit hit stand | main 0 lose
    BPP-29 BPP-36 | 2c 6d 2h Ks 2s 3c 2d 3h 7s 5h | main 100 | hit hit hit hit hit       | main 100 push
    """,
)
def test_playing_a_hand(case: Case) -> None:
    """Hit, stand, double, 21 and eight cards.

    [BPP-4] [BPP-28] [BPP-29] [BPP-34] [BPP-35] [BPP-36] [BPP-41]
    """
    check(case)
    if not case.result.startswith("refused"):
        check_to_the_last_card(case)


@table(
    BOOK,
    """
    rule          | cards                            | wagers              | choices   | result
    BPP-37        | Tc 6d 8h As                      | main 100            | stand     | main 200 win
    BPP-37        | Tc 2d 8h As 4c                   | main 100            | stand     | main 200 win
    BPP-37        | Tc 5d 8h As 2c                   | main 100            | stand     | main 100 push
    BPP-37        | Tc 5d 8h As Kc 5s                | main 100            | stand     | main 0 lose
    BPP-37        | Tc 6d 8h Ks 5c                   | main 100            | stand     | main 0 lose
    BPP-37        | Tc 7d 8h Ks                      | main 100            | stand     | main 200 win
    BPP-37        | Tc 2d 8h 2s 2c 2h 2d 2s 2c 2h 5c | main 100            | stand     | main 0 lose
    BPP-39        | Tc 6d 2h Ks 6c                   | main 100            | stand     | main 200 win
    BPP-40        | Tc 6d 2h Ks Ac                   | main 100            | stand     | main 0 lose
    BPP-40 BPP-41 | Tc 7d 8h Ts                      | main 100            | stand     | main 200 win
    BPP-41        | Tc 7d 7h Ts                      | main 100            | stand     | main 100 push
    BPP-40        | Tc 7d 6h Ts                      | main 100            | stand     | main 0 lose
    BPP-40        | Tc 6d 6h Ks 5c 5h                | main 100            | hit       | main 100 push
    BPP-40        | Tc 6d 6h Ks 5c 4h                | main 100            | hit       | main 200 win
    BPP-40        | Tc 6d 6h Ks 4c 5h                | main 100            | hit stand | main 0 lose
    BPP-38        | Ac 6d Kh Ts                      | main 100            |           | main 250 blackjack
    BPP-38        | Tc 6d 6h Ts Kc                   | main 100            | hit       | main 0 bust
    BPP-38        | Tc Ac 6d 6h Kh Ts Kc             | main 100 / main 100 | hit       | main 0 bust / main 250 blackjack
    BPP-38        | Tc 9c 6d 6h 9h Ts Kc 2d          | main 100 / main 100 | hit stand | main 0 bust / main 100 push
    BPP-39        | Tc 9c 6d 6h 9h Ts Kc 6s          | main 100 / main 100 | hit stand | main 0 bust / main 200 win
    """,
)
def test_dealer_and_comparison(case: Case) -> None:
    """The dealer stands on all 17s and draws only for a live hand; the higher total wins.

    [BPP-37] [BPP-38] [BPP-39] [BPP-40] [BPP-41]
    """
    check_to_the_last_card(case)


@table(
    BOOK,
    """
    rule        | cards                   | wagers                                    | choices | options          | result
    BPP-6       | Ac Ac Ac 6d Kh Kh Kh Ts | main 2 / main 4 / main 6                  |         |                  | main 5 blackjack / main 10 blackjack / main 15 blackjack
    BPP-6       | Ac 6d Kh Ts             | main 100 / main 100 / main 100 / main 100 |         |                  | refused bad-seats
    BPP-7       | Ac 6d Kh Ts             |                                           |         |                  | refused no-opening-wager
    BPP-7 BPP-8 | Ac 6d Kh Ts             | pairs 10                                  |         |                  | refused no-opening-wager
    BPP-8       | Ac 6d Kh Ts             | poker 10                                  |         |                  | refused no-opening-wager
    BPP-8       | Ac 9c 6d Kh 8h Ts       | main 100 / pairs 10 poker 10              |         |                  | refused no-opening-wager
    BPP-8       | Ac Ac 6d Kh Kh Ts       | main 100 pairs 10 / main 100 poker 10     |         |                  | main 250 blackjack; pairs 0 no win / main 250 blackjack; poker 0 no win
    BPP-9       | Ac Ad Kh Ts             | main 100 insurance 50                     |         |                  | refused unknown-wager
    BPP-8       | Ac 6d Kh Ts             | main 100 pair 10                          |         |                  | refused unknown-wager
    BPP-10      | Ac 6d Kh Ts             | main 101                                  |         |                  | refused bad-stake
    BPP-10      | Ac 6d Kh Ts             | main 0                                    |         |                  | refused bad-stake
    BPP-10      | Ac 6d Kh Ts             | main 101                                  |         | insurance=never  | refused bad-stake
    BPP-10      | Ac 6d Kh Ts             | main 101                                  |         | rounding=down    | main 252 blackjack
    BPP-10      | Ac 6d Kh Ts             | main 101                                  |         | rounding=up      | main 253 blackjack
    BPP-10      | Ac 6d Kh Ts             | main 101                                  |         | rounding=nearest | main 253 blackjack
    BPP-10      | Ah Qh Kh 9s             | main 2 pairs 7 poker 3                    |         |                  | main 5 blackjack; pairs 0 no win; poker 108 straight flush
    BPP-1       | Ac 6d Kh Ts             | main 100                                  |         | decks=6          | refused bad-option
    BPP-21      | Ac 6d Kh                | main 100                                  |         |                  | refused too-few-cards
    BPP-37      | Tc 6d 6h Ts             | main 100                                  | stand   |                  | refused too-few-cards
    """,
)
def test_seats_and_stakes(case: Case) -> None:
    """One to three seats, each with a main bet; even stakes, or a named rounding.

    [BPP-1] [BPP-6] [BPP-7] [BPP-8] [BPP-9] [BPP-10]
    """
    check(case)


def test_deal() -> None:
    """One card to each seat, the up card, a second to each seat, the hole card face down; bets stand by then.

    [BPP-6] [BPP-9] [BPP-10] [BPP-21]
    """
    assert GAME.seats_per_player == 3
    assert PLAIN.steps == {"main": 2, "pairs": 1, "poker": 1}
    cards = ["2c", "3c", "4c", "9d", "2h", "3h", "4h", "9s"]
    done = replay(PLAIN, parse(cards), [{"main": 100}] * 3)
    lying = {place: [FACES[card] for card in held] for place, held in done.cards_at.items()}
    assert lying == {0: ["9d", "9s"], **{spot(seat, 0): [f"{seat + 1}c", f"{seat + 1}h"] for seat in (1, 2, 3)}}
    for viewer in (None, 1, 3):
        assert [event.card for event in done.view(viewer).events if event.kind == "dealt"] == [*cards[:-1], None]


def test_order_of_events() -> None:
    """Side bets, insurance seat by seat, the look, then the seats in order; a bust is taken at once.

    [BPP-6] [BPP-22] [BPP-24] [BPP-26] [BPP-27] [BPP-35] [BPP-37]
    """
    wagers = "main 100 pairs 10 / main 200 poker 10 / main 100"
    choices = "no-insurance insurance no-insurance double hit"
    case = Case(BOOK, "", "5h Ac Tc Ad 5h Kc 6h 6s 9c Kd", wagers, choices, "")
    expected = """
        1 gets 5h, 2 gets Ac, 3 gets 10c, dealer gets Ad, 1 gets 5h, 2 gets Kc, 3 gets 6h, dealer gets 6s,
        1 pairs 310, 2 poker 0, 1 no-insurance, 2 insurance, 3 no-insurance, dealer looks, 2 insurance 0,
        1 double, 1 gets 9c, 2 main 500, 3 hit, 3 gets Kd, 3 main 0, dealer turns 6s, 1 main 400
    """
    assert story(case.play()) == lines(expected)


@table(
    BOOK,
    """
    rule          | cards          | wagers            | choices | result
    BPP-24        | 8h Ad 8h Ts    | main 100          |         | insurance 50
    BPP-30 BPP-34 | 8h 7d 8h Ts    | main 100          |         | double 100 split 100
    BPP-34        | 8h 7d 9h Ts    | main 100          |         | double 100
    BPP-28        | 8h 7d 3h Ts 2c | main 100          | hit     |
    BPP-34        | 8h 7d 8h Ts 3c | main 100 pairs 10 | split   | double 100
    """,
)
def test_costs(case: Case) -> None:
    """Only insurance, double and split add to the stakes: half the main bet, or as much again.

    [BPP-9] [BPP-24] [BPP-30] [BPP-34]
    """
    awaiting = case.play().awaiting
    assert awaiting is not None
    assert awaiting.costs == stakes(case.result)


def test_safety_net() -> None:
    """The table warns before a hit on soft 20 and on hard 17 or more, and nowhere else; the hit is open. [BPP-47]"""
    for values in [*product(range(1, 11), repeat=2), *product(range(1, 11), repeat=3)]:
        if best(values[:2]) >= 21 or best(values) >= 21:
            continue
        first, second, *third = (f"{RANKS[value - 1]}c" for value in values)
        done = replay(PLAIN, parse([first, "7d", second, "10s", *third]), [{"main": 100}], ["hit"] * len(third))
        assert done.awaiting is not None
        soft = best(values) > sum(values)
        warned = best(values) == 20 if soft else best(values) >= 17
        assert set(done.awaiting.warnings) == ({"hit"} if warned else set())
        assert "hit" in done.awaiting.options


@pytest.mark.parametrize("reason", ["misdeal", "malfunction", "cancelled"])
@pytest.mark.parametrize(
    ("choices", "main", "insurance"),
    [
        ("", 100, None),
        ("no-insurance", 100, None),
        ("insurance", 100, 50),
        ("insurance split double", 300, 50),
        ("insurance split double hit", 300, 50),
    ],
)
def test_void(choices: str, main: int, insurance: int | None, reason: str) -> None:
    """A void game returns every stake and pays nothing, even where a side bet had won.

    [BPP-48] [BPP-49] [BPP-50]
    """
    cards = hand("8h Ad 8h 9s 3c Kd 5s 9h")
    done = replay(PLAIN, cards, [{"main": 100, "pairs": 10, "poker": 20}], choices.split(), void=reason)
    staked = {"main": main, "pairs": 10, "poker": 20} | ({"insurance": insurance} if insurance else {})
    assert {name: bet.returned for name, bet in done.bets[0].items()} == staked
    assert {name: bet.stake for name, bet in done.bets[0].items()} == staked
    assert (done.awaiting, done.net(1)) == (None, 0)


def test_only_three_reasons_void_a_game() -> None:
    """An unlucky hand is no reason. [BPP-50]"""
    with pytest.raises(Refused, match="misdeal, malfunction or cancelled"):
        replay(PLAIN, hand("8h Ad 8h 9s"), [{"main": 100}], void="bad luck")
