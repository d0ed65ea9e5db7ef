"""Blackjack, rule by rule; for split hands and tables without a hole card see `test_blackjack_splits.py`."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from blackjack_rounds import best, check_to_the_last_card, hand, lines, story, variant
from pairhouse.core.cards import FACES, pack, parse
from pairhouse.core.errors import Refused
from pairhouse.core.options import Option
from pairhouse.core.verbs import spot
from pairhouse.games import blackjack_hand, blackjack_poker_pairs, standard_blackjack
from pairhouse.games.catalogue import find
from pairhouse.machines.replay import replay
from rule_tables import Case, book_rows, check, price, table

OPTIONS = standard_blackjack.GAME.options


def test_printed_main_prices() -> None:
    """The main bet pays what the book prints, blackjack one of three prices. [BJ-12] [BJ-29]"""
    printed = dict(book_rows("blackjack", "BJ-29"))
    pays = printed.pop("Blackjack").replace(" or ", ", ").split(", ")
    prices = {"Win": Fraction(1), "Push": Fraction(0), "Surrender": Fraction(-1, 2)}
    assert printed == {"Win": "1 to 1", "Push": "returned", "Surrender": "half returned"}
    for option, text in zip(("3:2", "6:5", "1:1"), pays, strict=True):
        main = variant("blackjack", f"surrender=late blackjack_pays={option}").wagers["main"].paytable
        rows = {row.name.capitalize(): row.pays for row in main.rows if row.pays > -1}
        assert rows == {"Blackjack": price(text), **prices}


def test_printed_options() -> None:
    """Options, values and defaults are those of the book, whatever the number of decks. [BJ-30]"""

    def words(option: Option) -> tuple[str, set[str], str]:
        says = [option.text(value) for value in option.choices]
        return option.name, set(says), option.text(option.default)

    printed = []
    for name, values, default in book_rows("blackjack", "BJ-30"):
        listed = "1, 2, 3, 4, 5, 6, 7, 8" if values == "1 to 8" else values.replace("`", "")
        printed.append((name.strip("`"), set(listed.split(", ")), default.strip("`")))
    assert [words(option) for option in OPTIONS] == printed
    defaults = {option.name: option.default for option in standard_blackjack.GAME.all_options}
    for decks in range(1, 9):
        assert variant("blackjack", f"decks={decks}").options == {**defaults, "decks": decks}


def test_decks() -> None:
    """One to eight decks are dealt, and none lasts for two rounds. [BJ-1] [BPP-1]"""
    assert standard_blackjack.GAME.shoe is blackjack_poker_pairs.GAME.shoe is False
    tables = [(d, variant("blackjack", f"decks={d}")) for d in range(1, 9)]
    for decks, dealt in [*tables, (8, variant("blackjack-poker-pairs", ""))]:
        assert dealt.pack == (decks, 0)
        assert sorted(pack(*dealt.pack)) == sorted(list(range(52)) * decks)
        seven = hand("9c 2d 2h 4s") + hand("7c") * decks
        assert replay(dealt, seven, [{"main": 2}]).awaiting is not None
        with pytest.raises(Refused, match=f"7c appears {decks + 1} times"):
            replay(dealt, seven + hand("7c"), [{"main": 2}])
    for decks in (0, 9):
        with pytest.raises(Refused, match="it can be 1 to 8"):
            variant("blackjack", f"decks={decks}")


def test_hands_by_name() -> None:
    """An ace counts 11 unless that would bust the hand. [BPP-3] [BJ-2]"""
    hands = "Ac 6d, Ac 6d Kh, Ac 6d 4h, Ac Ad, Ac Ad Kh, Ac Ad 9h, Jc Qd, 5c 5d Ah As, Kc 2d 10h"
    names = "soft 17, 17, 21, soft 12, 12, 21, 20, 12, bust with 22"
    assert [blackjack_hand.name_hand(hand(cards)) for cards in lines(hands)] == lines(names)


def test_every_total() -> None:
    """Value, softness and bust of every hand of two to six cards, up to the card that busts it.

    [BPP-3] [BPP-4] [BJ-2] [BJ-17]
    """
    cards = [[card for card in range(52) if blackjack_hand.value(card) == value] for value in range(1, 11)]
    assert [{FACES[card][:-1] for card in of_value} for of_value in cards[::9]] == [{"A"}, {"10", "J", "Q", "K"}]
    for size in range(2, 7):
        for values in combinations_with_replacement(range(1, 11), size):
            if sum(values[:-1]) > 20:
                continue
            held = 0
            for value in values:
                held = blackjack_hand.add(held, cards[value - 1][-1])
            assert blackjack_hand.total(held) == best(values)
            assert blackjack_hand.is_soft(held) == (best(values) > sum(values))
            assert blackjack_hand.is_bust(held) == (sum(values) > 21)


@pytest.mark.parametrize("game", ["blackjack", "blackjack-poker-pairs", "pair-v3"])
def test_every_two_cards_against_every_two_cards(game: str) -> None:
    """Standing on any two cards against any dealer who draws none.

    [BPP-5] [BPP-26] [BPP-40] [BPP-41] [BJ-3] [BJ-11] [BJ-28]
    """
    face = ["", "A", *map(str, range(2, 11))]
    values = range(1, 11)
    for first, up, second, hole in product(values, repeat=4):
        mine, dealers = best((first, second)), best((up, hole))
        if dealers < 17:
            continue
        asked = ["no-insurance"] * (up == 1) + ["stand"] * (mine < 21 and dealers < 21)
        cards = parse([f"{face[first]}c", f"{face[up]}d", f"{face[second]}h", f"{face[hole]}s"])
        done = replay(find(game).variant(), cards, [{"main": 100}], asked)
        paid = 250 if mine == 21 else 200
        expected = paid if mine > dealers else 100 if mine == dealers else 0
        assert (done.bets[0]["main"].returned, done.cards_used) == (expected, 4)


@table(
    "blackjack",
    """
    rule        | cards             | wagers   | choices         | options            | result
    BJ-3 BJ-12  | Ac 9d Kh 8s       | main 100 |                 |                    | main 250 blackjack
    BJ-12       | Ac 9d Kh 8s       | main 100 |                 | blackjack_pays=6:5 | main 220 blackjack
    BJ-12       | Ac 9d Kh 8s       | main 100 |                 | blackjack_pays=1:1 | main 200 blackjack
    BJ-3 BJ-29  | Ac 9d 9h 8s       | main 100 | stand           |                    | main 200 win
    BJ-28 BJ-29 | Tc 7d 8h Ts       | main 100 | stand           |                    | main 200 win
    BJ-28 BJ-29 | Tc 7d 7h Ts       | main 100 | stand           |                    | main 100 push
    BJ-28 BJ-29 | Tc 7d 6h Ts       | main 100 | stand           |                    | main 0 lose
    BJ-28       | Tc 6d 2h Ts 6c    | main 100 | stand           |                    | main 200 win
    BJ-28       | Tc 6d 2h Ts 5c    | main 100 | stand           |                    | main 0 lose
    BJ-15 BJ-17 | Tc 7d 6h Ts 6c    | main 100 | hit             |                    | main 0 bust
    BJ-15 BJ-16 | Tc 7d 6h Ts 5c    | main 100 | hit             |                    | main 200 win
    BJ-16       | Ac 7d 5h Ts 5c    | main 100 | hit             |                    | main 200 win
    BJ-15       | Tc 7d 2h Ts 2c 4d | main 100 | hit hit stand   |                    | main 200 win
    BJ-15       | Tc 7d 2h Ts 2c    | main 100 | hit             |                    | awaits 1.1 stand hit
    BJ-18       | 6c 7d 5h Ts 2c    | main 100 | double          |                    | main 0 lose
    BJ-18       | 6c 7d 5h Ts 6d    | main 100 | double          |                    | main 200 push
    BJ-18       | 6c 7d 5h Ts Kc    | main 100 | double          |                    | main 400 win
    BJ-17 BJ-18 | Tc 7d 5h Ts Kc    | main 100 | double          |                    | main 0 bust
    BJ-9        | 9c Ad 8h 9s       | main 100 |                 |                    | awaits 1.1 insurance no-insurance
    BJ-9        | Ac Ad Kh 9s       | main 100 |                 |                    | awaits 1.1 insurance no-insurance
    BJ-9        | 9c Ad 8h 9s       | main 100 |                 | insurance=never    | awaits 1.1 stand hit double
    BJ-9        | 9c Kd 8h 9s       | main 100 |                 |                    | awaits 1.1 stand hit double
    BJ-10 BJ-11 | 9c Ad 9h Ks       | main 100 | insurance       |                    | main 0 dealer blackjack; insurance 150 dealer blackjack
    BJ-10       | 9c Ad 9h 9s       | main 100 | insurance stand |                    | main 0 lose; insurance 0 no win
    BJ-10 BJ-11 | Ac Ad Kh Qs       | main 100 | insurance       |                    | main 100 push; insurance 150 dealer blackjack
    BJ-10 BJ-12 | Ac Ad Kh 9s       | main 100 | insurance       |                    | main 250 blackjack; insurance 0 no win
    BJ-11       | 9c Ad 9h Js       | main 100 |                 | insurance=never    | main 0 dealer blackjack
    BJ-11       | 9c Qd 9h As       | main 100 |                 |                    | main 0 dealer blackjack
    BJ-11       | Ac Td Kh As       | main 100 |                 |                    | main 100 push
    """,
)
def test_one_seat(case: Case) -> None:
    """Blackjack, insurance, the peek, hitting, doubling and the comparison.

    [BJ-3] [BJ-9] [BJ-10] [BJ-11] [BJ-12] [BJ-15] [BJ-16] [BJ-17] [BJ-18] [BJ-28] [BJ-29]
    """
    check_to_the_last_card(case)


@table(
    "blackjack",
    """
    rule        | cards          | wagers   | choices                | options        | result
    BJ-18       | 5c 7d 3h Ts    | main 100 |                        |                | awaits 1.1 stand hit double
    BJ-18       | Ac 7d 9h Ts    | main 100 |                        |                | awaits 1.1 stand hit double
    BJ-18       | 5c 7d 3h Ts    | main 100 |                        | double=9-11    | awaits 1.1 stand hit
    BJ-18       | 5c 7d 4h Ts    | main 100 |                        | double=9-11    | awaits 1.1 stand hit double
    BJ-18       | 6c 7d 4h Ts    | main 100 |                        | double=9-11    | awaits 1.1 stand hit double
    BJ-18       | 6c 7d 5h Ts    | main 100 |                        | double=9-11    | awaits 1.1 stand hit double
    BJ-18       | Tc 7d 2h Ts    | main 100 |                        | double=9-11    | awaits 1.1 stand hit
    BJ-18       | Ac 7d 8h Ts    | main 100 |                        | double=9-11    | awaits 1.1 stand hit
    BJ-18       | Ac 7d Ah Ts    | main 100 |                        | double=9-11    | awaits 1.1 stand hit split
    BJ-18       | 5c 7d 4h Ts    | main 100 |                        | double=10-11   | awaits 1.1 stand hit
    BJ-18       | 6c 7d 4h Ts    | main 100 |                        | double=10-11   | awaits 1.1 stand hit double
    BJ-18       | 6c 7d 5h Ts    | main 100 |                        | double=10-11   | awaits 1.1 stand hit double
    BJ-18       | Tc 7d 2h Ts    | main 100 |                        | double=10-11   | awaits 1.1 stand hit
    BJ-18       | 4c 7d 3h Ts 2c | main 100 | hit                    | double=9-11    | awaits 1.1 stand hit
    BJ-24       | Tc 9d 6h Ts    | main 100 |                        |                | awaits 1.1 stand hit double
    BJ-24       | Tc 9d 6h Ts    | main 100 |                        | surrender=late | awaits 1.1 stand hit double surrender
    BJ-24       | 8c 9d 8h Ts    | main 100 |                        | surrender=late | awaits 1.1 stand hit double split surrender
    BJ-24       | Tc 9d 2h Ts 3c | main 100 | hit                    | surrender=late | awaits 1.1 stand hit
    BJ-24 BJ-27 | Tc 6d 6h Ts    | main 100 | surrender              | surrender=late | main 50 surrender
    BJ-24 BJ-29 | Tc 6d 6h Ts 5c | main 100 | stand                  | surrender=late | main 0 lose
    BJ-24       | Tc Ad 6h 9s    | main 100 | no-insurance surrender | surrender=late | main 50 surrender
    BJ-11 BJ-24 | Tc Kd 6h As    | main 100 |                        | surrender=late | main 0 dealer blackjack
    """,
)
def test_double_and_surrender(case: Case) -> None:
    """Which hands may be doubled, and when half may be given up. [BJ-18] [BJ-24] [BJ-27] [BJ-29]"""
    check_to_the_last_card(case)


@table(
    "blackjack",
    """
    rule        | cards                         | wagers   | choices                       | options   | result
    BJ-25       | 2c Td 2h Ks 2s 2d             | main 100 | hit hit                       | charlie=5 | awaits 1.1 stand hit
    BJ-25 BJ-27 | 2c 6d 2h Ks 2s 2d 2c          | main 100 | hit hit hit                   | charlie=5 | main 200 5 cards
    BJ-25       | 2c Td 2h Ks 2s 6d 9c          | main 100 | hit hit hit                   | charlie=5 | main 200 5 cards
    BJ-25       | 2c Td 2h Ks 2s 6d Tc          | main 100 | hit hit hit                   | charlie=5 | main 0 bust
    BJ-25       | 2c Td 2h Ks 2s 2d 2c          | main 100 | hit hit hit                   | charlie=6 | awaits 1.1 stand hit
    BJ-25       | 2c Td 2h Ks 2s 2d 2c 2h       | main 100 | hit hit hit hit               | charlie=6 | main 200 6 cards
    BJ-25       | 2c Td 2h Ks 2s 2d 3c Kh       | main 100 | hit hit hit hit               | charlie=6 | main 200 6 cards
    BJ-25       | 2c Td 2h Ks 2s 2d 4c Kh       | main 100 | hit hit hit hit               | charlie=6 | main 0 bust
    BJ-25       | 2c Td 2h Ks 2s 2d 2c 2h       | main 100 | hit hit hit hit               | charlie=7 | awaits 1.1 stand hit
    BJ-25       | 2c Td 2h Ks 2s 2d 2c 2h 2s    | main 100 | hit hit hit hit hit           | charlie=7 | main 200 7 cards
    BJ-25       | 2c Td 2h Ks 2s 2d 2c 2h Ks    | main 100 | hit hit hit hit hit           | charlie=7 | main 0 bust
    BJ-25       | 2c Td 2h Ks 2s 2d 2c 2h 2s    | main 100 | hit hit hit hit hit           | charlie=8 | awaits 1.1 stand hit
    BJ-25       | 2c Td 2h Ks 2s 2d 2c 2h 2s 7d | main 100 | hit hit hit hit hit hit       | charlie=8 | main 200 8 cards
    BJ-25       | 2c Td 2h Ks 2s 2d 2c 2h 2s 8d | main 100 | hit hit hit hit hit hit       | charlie=8 | main 0 bust
    BJ-25       | 2c Td 2h Ks 2s 2d 2c 2h 2s 2d | main 100 | hit hit hit hit hit hit       |           | awaits 1.1 stand hit
    BJ-25 BJ-26 | 2c Td 2h Ks 2s 2d 2c 2h 2s 2d | main 100 | hit hit hit hit hit hit stand |           | main 0 lose
    """,
)
def test_charlie(case: Case) -> None:
    """So many cards without a bust win at once, whatever the dealer has. [BJ-25] [BJ-27]"""
    check_to_the_last_card(case)


@table(
    "blackjack",
    """
    rule  | cards                | wagers              | choices | options     | result
    BJ-26 | Tc 6d 8h As          | main 100            | stand   |             | main 200 win
    BJ-26 | Tc 6d 8h As 4c       | main 100            | stand   | soft_17=hit | main 0 lose
    BJ-26 | Tc 6d 8h As Kc       | main 100            | stand   | soft_17=hit | main 200 win
    BJ-26 | Tc 6d 8h As 9c Ts    | main 100            | stand   | soft_17=hit | main 200 win
    BJ-26 | Tc 2d 8h As 4c 2s    | main 100            | stand   | soft_17=hit | main 0 lose
    BJ-26 | Tc 7d 8h As          | main 100            | stand   | soft_17=hit | main 100 push
    BJ-26 | Tc 7d 8h Ks          | main 100            | stand   | soft_17=hit | main 200 win
    BJ-26 | Tc 6d 8h Ks 2c       | main 100            | stand   | soft_17=hit | main 100 push
    BJ-27 | Tc 6d 6h Ks Kc       | main 100            | hit     |             | main 0 bust
    BJ-27 | Ac 6d Kh Ts          | main 100            |         |             | main 250 blackjack
    BJ-27 | Tc Ac 6d 6h Kh Ts Kc | main 100 / main 100 | hit     |             | main 0 bust / main 250 blackjack
    BJ-27 | Tc Ac 6d 8h Kh Ts Kc | main 100 / main 100 | stand   |             | main 200 win / main 250 blackjack
    """,
)
def test_dealer(case: Case) -> None:
    """The dealer draws to 17, on soft 17 as the table says, and only for a live hand. [BJ-26] [BJ-27]"""
    check_to_the_last_card(case)


@table(
    "blackjack",
    """
    rule  | cards             | wagers                | choices   | options                             | result
    BJ-4  | Ac 6d Kh Ts       | main 2                |           |                                     | main 5 blackjack
    BJ-4  | Ac 6d Kh Ts       |                       |           |                                     | refused no-opening-wager
    BJ-4  | Ac 6d Kh Ts       | main 100 /            |           |                                     | refused no-opening-wager
    BJ-4  | Ac 6d Kh Ts       | main 100 pair 10      |           |                                     | refused unknown-wager
    BJ-5  | Ac Ad Kh Ts       | main 100 insurance 50 |           |                                     | refused unknown-wager
    BJ-6  | Ac 6d Kh Ts       | main 0                |           |                                     | refused bad-stake
    BJ-6  | Ac 6d Kh Ts       | main 101              |           |                                     | refused bad-stake
    BJ-6  | Ac 6d Kh Ts       | main 101              |           | rounding=down                       | main 252 blackjack
    BJ-6  | Ac 6d Kh Ts       | main 101              |           | rounding=up                         | main 253 blackjack
    BJ-6  | Ac 6d Kh Ts       | main 101              |           | rounding=nearest                    | main 253 blackjack
    BJ-6  | Ac 6d Kh Ts       | main 110              |           | blackjack_pays=6:5                  | main 242 blackjack
    BJ-6  | Ac 6d Kh Ts       | main 102              |           | blackjack_pays=6:5                  | refused bad-stake
    BJ-6  | Ac 6d Kh Ts       | main 105              |           | blackjack_pays=6:5                  | refused bad-stake
    BJ-6  | Ac 6d Kh Ts       | main 102              |           | blackjack_pays=6:5 rounding=down    | main 224 blackjack
    BJ-6  | Ac 6d Kh Ts       | main 102              |           | blackjack_pays=6:5 rounding=up      | main 225 blackjack
    BJ-6  | Ac 6d Kh Ts       | main 102              |           | blackjack_pays=6:5 rounding=nearest | main 224 blackjack
    BJ-6  | Ac 6d Kh Ts       | main 103              |           | blackjack_pays=6:5 rounding=nearest | main 227 blackjack
    BJ-6  | Tc 6d 6h Ts       | main 101              | surrender | surrender=late rounding=down        | main 50 surrender
    BJ-6  | Tc 6d 6h Ts       | main 101              | surrender | surrender=late rounding=up          | main 51 surrender
    BJ-6  | Tc 6d 6h Ts       | main 101              | surrender | surrender=late rounding=nearest     | main 51 surrender
    BJ-9  | Tc Ad 9h Ts       | main 101              | insurance | rounding=down                       | main 0 dealer blackjack; insurance 150 dealer blackjack
    BJ-9  | Tc Ad 9h Ts       | main 101              | insurance | rounding=up                         | main 0 dealer blackjack; insurance 153 dealer blackjack
    BJ-6  | Tc Ad 9h Ts       | main 1                | insurance | rounding=up                         | main 0 dealer blackjack; insurance 3 dealer blackjack
    BJ-6  | Tc Ad 9h Ts       | main 1                | insurance | rounding=down                       | refused bad-stake
    BJ-6  | Ac 6d Kh Ts       | main 101              |           | rounding=even                       | refused bad-option
    BJ-30 | Ac 6d Kh Ts       | main 100              |           | charlie=4                           | refused bad-option
    BJ-30 | Ac 6d Kh Ts       | main 100              |           | surrender=early                     | refused bad-option
    BJ-30 | Ac 6d Kh Ts       | main 100              |           | jokers=2                            | refused unknown-option
    BJ-24 | Tc 6d 6h Ts       | main 100              | surrender |                                     | refused illegal-choice
    BJ-16 | Tc 7d 6h Ts 5c 2d | main 100              | hit hit   |                                     | refused spare-choices
    BJ-26 | Tc 6d 6h Ts       | main 100              | stand     |                                     | refused too-few-cards
    """,
)
def test_stakes_and_refusals(case: Case) -> None:
    """What is accepted, how fractions are rounded, and what is refused. [BJ-4] [BJ-5] [BJ-6] [BJ-9] [BJ-16] [BJ-24] [BJ-30]"""
    check(case)


@pytest.mark.parametrize(
    ("options", "step"),
    [
        ("", 2),
        ("blackjack_pays=6:5", 10),
        ("blackjack_pays=1:1", 2),
        ("blackjack_pays=1:1 insurance=never", 1),
        ("blackjack_pays=1:1 insurance=never surrender=late", 2),
        ("blackjack_pays=6:5 insurance=never", 5),
    ],
)
def test_steps(options: str, step: int) -> None:
    """The main bet comes in steps that every price needs. [BJ-6]"""
    assert variant("blackjack", options).steps == {"main": step}


@pytest.mark.parametrize("hole_card", ["peek", "none"])
def test_deal(hole_card: str) -> None:
    """One card to each seat, the up card, a second to each seat, the hole card face down. [BJ-4] [BJ-7] [BJ-8]"""
    cards = [*(f"{number}c" for number in range(2, 9)), "9d", *(f"{number}h" for number in range(2, 9)), "9s"]
    done = replay(variant("blackjack", f"hole_card={hole_card}"), parse(cards), [{"main": 100}] * 7)
    lying = {place: [FACES[card] for card in held] for place, held in done.cards_at.items()}
    dealers = ["9d", "9s"] if hole_card == "peek" else ["9d"]
    assert lying == {0: dealers, **{spot(seat, 0): [f"{seat + 1}c", f"{seat + 1}h"] for seat in range(1, 8)}}
    seen = [event.card for event in done.view().events if event.kind == "dealt"]
    assert seen == [*cards[:15], *[None] * (hole_card == "peek")]
    with pytest.raises(Refused, match="takes 1 to 7"):
        replay(done.variant, parse(cards), [{"main": 100}] * 8)


@table(
    "blackjack",
    """
    rule        | cards                | wagers              | choices                      | options        | result
    BJ-12 BJ-14 | 9c Ac Ad 9h Kc 6s    | main 100 / main 100 | insurance no-insurance stand |                | 1 insurance, 2 no-insurance, dealer looks, 1 insurance 0, 1 stand, 2 main 250, dealer turns 6s, 1 main 200
    BJ-11 BJ-14 | 9c Ac Ad 9h Kc Qs    | main 100 / main 100 | no-insurance insurance       |                | 1 no-insurance, 2 insurance, dealer looks, dealer turns Qs, 2 insurance 150, 1 main 0, 2 main 100
    BJ-14 BJ-17 | Tc 9c 9d 6h 9h Ts Kc | main 100 / main 100 | hit stand                    |                | 1 hit, 1 gets Kc, 1 main 0, 2 stand, dealer turns 10s, 2 main 0
    BJ-12       | 9c Ac Kd 9h Kc 9s    | main 100 / main 100 | stand                        | hole_card=none | 1 stand, dealer gets 9s, 2 main 250, 1 main 0
    BJ-10       | 9c Ad 9h 6s          | main 100            | insurance stand              | hole_card=none | 1 insurance, 1 stand, dealer gets 6s, 1 insurance 0, 1 main 200
    """,
)
def test_order_of_events(case: Case) -> None:
    """Insurance seat by seat, the look, the seats in order, then the dealer. [BJ-10] [BJ-11] [BJ-12] [BJ-14] [BJ-17]"""
    told = story(case.play())
    assert told[-len(lines(case.result)) :] == lines(case.result)


@pytest.mark.parametrize("reason", ["misdeal", "malfunction", "cancelled"])
def test_void(reason: str) -> None:
    """A void round returns split and double too; insurance was lost when the dealer looked. [BJ-5] [BJ-31]"""
    chosen = ["insurance", "split", "double"]
    done = replay(variant("blackjack", ""), hand("8h Ad 8h 9s 3c Kd 5s"), [{"main": 100}], chosen, void=reason)
    paid = {name: (bet.stake, bet.returned) for name, bet in done.bets[0].items()}
    assert paid == {"main": (300, 300), "insurance": (50, 0)}
    assert done.is_over
    assert done.net(1) == -50


def test_a_misdeal_that_stopped_the_deal_is_void() -> None:
    """A log with too few cards can still be called off; one with an illegal choice cannot. [BJ-31]"""
    void = replay(variant("blackjack", ""), parse(["8h", "Ad", "8h"]), [{"main": 100}], void="misdeal")
    assert (void.is_over, void.bets[0]["main"].returned) == (True, 100)
    with pytest.raises(Refused, match="choice 1 is 'jump'"):
        replay(variant("blackjack", ""), parse(["8h", "6d", "8h", "9d"]), [{"main": 100}], ["jump"], void="misdeal")
