"""Blackjack, rule by rule; and the printed tables of the three blackjack books, held against the code."""

from fractions import Fraction
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest
from tables import Case, check, stakes, table

from pairhouse.core.cards import FACES, pack, parse
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.options import Option
from pairhouse.core.paytable import Paytable
from pairhouse.core.verbs import spot
from pairhouse.games import blackjack, blackjack_poker_pairs, pair_v3, standard_blackjack
from pairhouse.games.catalogue import find
from pairhouse.machines.events import Replay
from pairhouse.machines.replay import replay

BOOKS = Path(__file__).parents[2] / "docs" / "rules"
OPTIONS = standard_blackjack.GAME.options
TELLS = {
    "dealt": "{who} gets {card}",
    "chosen": "{who} {choice}",
    "peeked": "{who} looks",
    "turned-up": "{who} turns {card}",
    "settled": "{who} {wager} {returned}",
}


def book_rows(book: str, rule: str) -> list[list[str]]:
    """The table that is printed under a rule, without its header."""
    text = (BOOKS / f"{book}.md").read_text().split(f"**[{rule}]**")[1].split("\n- **[")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    return rows[2:]


def price(text: str) -> Fraction:
    """`30 to 1` as a number."""
    won, staked = text.split(" to ")
    return Fraction(int(won), int(staked))


def variant(game: str, options: str) -> Variant:
    return find(game).variant(dict(option.split("=") for option in options.split()))


def check_to_the_last_card(case: Case) -> None:
    """The round ends as it should, and needs exactly the cards given."""
    check(case)
    assert case.play().cards_used == len(case.cards.split())


def story(done: Replay) -> list[str]:
    """What happened at the table, in order: cards, choices, looks and settlements."""
    told = [event for event in done.events if event.kind in TELLS]
    return [
        TELLS[e.kind].format(who=e.seat or e.at, card=e.card, choice=e.choice, wager=e.wager, returned=e.returned)
        for e in told
    ]


def lines(text: str) -> list[str]:
    return [part.strip() for part in text.replace("\n", " ").split(",")]


def totals(values: tuple[int, ...]) -> list[int]:
    """Every total that aces of 1 and 11 can give."""
    return [sum(total) for total in product(*((1, 11) if value == 1 else (value,) for value in values))]


def best(values: tuple[int, ...]) -> int:
    """The highest total of 21 or less, or the lowest there is."""
    return max((total for total in totals(values) if total <= 21), default=min(totals(values)))


@pytest.mark.parametrize(
    ("book", "rule", "paytable"),
    [
        ("blackjack-poker-pairs", "BPP-43", blackjack_poker_pairs.PAIRS_PAYS),
        ("pair-v3", "PV3-11", pair_v3.PAYTABLES["2-deck-a"]),
        ("pair-v3", "PV3-12", pair_v3.PAYTABLES["2-deck-b"]),
        ("pair-v3", "PV3-13", pair_v3.PAYTABLES["shoe-a"]),
        ("pair-v3", "PV3-14", pair_v3.PAYTABLES["shoe-b"]),
        ("pair-v3", "PV3-15", pair_v3.PAYTABLES["shoe-c"]),
        ("pair-v3", "PV3-16", pair_v3.PAYTABLES["shoe-d"]),
    ],
)
def test_printed_paytables(book: str, rule: str, paytable: Paytable) -> None:
    """Rows, order and prices are those of the book.

    [BPP-42] [BPP-43] [PV3-11] [PV3-12] [PV3-13] [PV3-14] [PV3-15] [PV3-16]
    """
    printed = [(cells[0].split(":")[0].lower(), price(cells[-1])) for cells in book_rows(book, rule)]
    assert [(row.name, row.pays) for row in paytable.rows] == printed


def test_printed_poker_and_insurance_prices() -> None:
    """Poker and insurance pay what the book prints. [BPP-24] [BPP-42] [BPP-44] [BJ-10]"""
    poker = [price(cells[-1]) for cells in book_rows("blackjack-poker-pairs", "BPP-44")]
    assert blackjack_poker_pairs.POKER_PAYS.prices == poker
    assert standard_blackjack.INSURANCE_PAYS.prices == [price(book_rows("blackjack-poker-pairs", "BPP-24")[0][1])]


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
        spoken = {True: "yes", False: "no"}
        says = [str(spoken[value]) if isinstance(value, bool) else str(value) for value in option.choices]
        return option.name, set(says), says[option.index(option.default)]

    printed = []
    for name, values, default in book_rows("blackjack", "BJ-30"):
        listed = "1, 2, 3, 4, 5, 6, 7, 8" if values == "1 to 8" else values.replace("`", "")
        printed.append((name.strip("`"), set(listed.split(", ")), default.strip("`")))
    assert [words(option) for option in OPTIONS] == printed
    defaults = {option.name: option.default for option in OPTIONS}
    for decks in range(1, 9):
        assert variant("blackjack", f"decks={decks}").options == {**defaults, "decks": decks}


def test_decks() -> None:
    """One to eight decks are dealt, and none lasts for two rounds. [BJ-1] [BPP-1]"""
    assert standard_blackjack.GAME.shoe is blackjack_poker_pairs.GAME.shoe is False
    tables = [(d, variant("blackjack", f"decks={d}")) for d in range(1, 9)]
    for decks, dealt in [*tables, (8, variant("blackjack-poker-pairs", ""))]:
        assert dealt.pack == (decks, 0)
        assert sorted(pack(*dealt.pack)) == sorted(list(range(52)) * decks)
        seven = parse(["9c", "2d", "2h", "4s", "4d"]) + parse(["7c"]) * decks
        assert replay(dealt, seven, [{"main": 2}]).awaiting is not None
        with pytest.raises(Refused, match=f"7c appears {decks + 1} times"):
            replay(dealt, [*seven, *parse(["7c"])], [{"main": 2}])
    for decks in (0, 9):
        with pytest.raises(Refused, match="it can be 1 to 8"):
            variant("blackjack", f"decks={decks}")


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("Ac 6d", "soft 17"),
        ("Ac 6d Kh", "17"),
        ("Ac 6d 4h", "21"),
        ("Ac Ad", "soft 12"),
        ("Ac Ad 9h", "21"),
        ("Ac Ad Kh", "12"),
        ("Jc Qd", "20"),
        ("Kc 2d 10h", "bust with 22"),
        ("5c 5d Ah As", "12"),
        ("5c 4d Ah As", "21"),
    ],
)
def test_hands_by_name(cards: str, name: str) -> None:
    """An ace counts 11 unless that would bust the hand. [BPP-3] [BJ-2]"""
    assert blackjack.name_hand(spot(1, 0), parse(cards.split())) == name


def test_every_total() -> None:
    """Value, softness and bust of every hand of two to six cards. [BPP-3] [BPP-4] [BJ-2] [BJ-17]"""
    cards = [[card for card in range(52) if blackjack.value(card) == value] for value in range(1, 11)]
    assert [{FACES[card][:-1] for card in of_value} for of_value in cards[::9]] == [{"A"}, {"10", "J", "Q", "K"}]
    for size in range(2, 7):
        for values in combinations_with_replacement(range(1, 11), size):
            hand = 0
            for value in values:
                hand = blackjack.add(hand, cards[value - 1][-1])
            assert blackjack.total(hand) == best(values)
            assert blackjack.is_soft(hand) == (best(values) <= 21 and best(values) > sum(values))
            assert blackjack.is_bust(hand) == (min(totals(values)) > 21)


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
        if mine == 21 and dealers < 21:
            expected = 250
        else:
            expected = 200 if mine > dealers else 100 if mine == dealers else 0
        assert (done.bets[0]["main"].returned, done.cards_used) == (expected, 4)


@table(
    "blackjack",
    """
    rule | cards | wagers | choices | options | result
    BJ-3 BJ-12 | Ac 9d Kh 8s | main 100 | | | main 250 blackjack
    BJ-12 | Ac 9d Kh 8s | main 100 | | blackjack_pays=6:5 | main 220 blackjack
    BJ-12 | Ac 9d Kh 8s | main 100 | | blackjack_pays=1:1 | main 200 blackjack
    BJ-3 BJ-29 | Ac 9d 9h 8s | main 100 | stand | | main 200 win
    BJ-28 BJ-29 | Tc 7d 8h Ts | main 100 | stand | | main 200 win
    BJ-28 BJ-29 | Tc 7d 7h Ts | main 100 | stand | | main 100 push
    BJ-28 BJ-29 | Tc 7d 6h Ts | main 100 | stand | | main 0 lose
    BJ-28 | Tc 6d 2h Ts 6c | main 100 | stand | | main 200 win
    BJ-28 | Tc 6d 2h Ts 5c | main 100 | stand | | main 0 lose
    BJ-15 BJ-17 | Tc 7d 6h Ts 6c | main 100 | hit | | main 0 bust
    BJ-15 BJ-16 | Tc 7d 6h Ts 5c | main 100 | hit | | main 200 win
    BJ-16 | Ac 7d 5h Ts 5c | main 100 | hit | | main 200 win
    BJ-15 | Tc 7d 2h Ts 2c 4d | main 100 | hit hit stand | | main 200 win
    BJ-15 | Tc 7d 2h Ts 2c | main 100 | hit | | awaits 1.1 stand hit
    BJ-18 | 6c 7d 5h Ts 2c | main 100 | double | | main 0 lose
    BJ-18 | 6c 7d 5h Ts 6d | main 100 | double | | main 200 push
    BJ-18 | 6c 7d 5h Ts Kc | main 100 | double | | main 400 win
    BJ-17 BJ-18 | Tc 7d 5h Ts Kc | main 100 | double | | main 0 bust
    BJ-9 | 9c Ad 8h 9s | main 100 | | | awaits 1.1 insurance no-insurance
    BJ-9 | Ac Ad Kh 9s | main 100 | | | awaits 1.1 insurance no-insurance
    BJ-9 | 9c Ad 8h 9s | main 100 | | insurance=never | awaits 1.1 stand hit double
    BJ-9 | 9c Kd 8h 9s | main 100 | | | awaits 1.1 stand hit double
    BJ-10 BJ-11 | 9c Ad 9h Ks | main 100 | insurance | | main 0 dealer blackjack; insurance 150 dealer blackjack
    BJ-10 | 9c Ad 9h 9s | main 100 | insurance stand | | main 0 lose; insurance 0 no win
    BJ-10 BJ-11 | Ac Ad Kh Qs | main 100 | insurance | | main 100 push; insurance 150 dealer blackjack
    BJ-10 BJ-12 | Ac Ad Kh 9s | main 100 | insurance | | main 250 blackjack; insurance 0 no win
    BJ-11 | 9c Ad 9h Js | main 100 | | insurance=never | main 0 dealer blackjack
    BJ-11 | 9c Qd 9h As | main 100 | | | main 0 dealer blackjack
    BJ-11 | Ac Td Kh As | main 100 | | | main 100 push
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
    rule | cards | wagers | choices | options | result
    BJ-18 | 5c 7d 3h Ts | main 100 | | | awaits 1.1 stand hit double
    BJ-18 | Ac 7d 9h Ts | main 100 | | | awaits 1.1 stand hit double
    BJ-18 | 5c 7d 3h Ts | main 100 | | double=9-11 | awaits 1.1 stand hit
    BJ-18 | 5c 7d 4h Ts | main 100 | | double=9-11 | awaits 1.1 stand hit double
    BJ-18 | 6c 7d 4h Ts | main 100 | | double=9-11 | awaits 1.1 stand hit double
    BJ-18 | 6c 7d 5h Ts | main 100 | | double=9-11 | awaits 1.1 stand hit double
    BJ-18 | Tc 7d 2h Ts | main 100 | | double=9-11 | awaits 1.1 stand hit
    BJ-18 | Ac 7d 8h Ts | main 100 | | double=9-11 | awaits 1.1 stand hit
    BJ-18 | Ac 7d Ah Ts | main 100 | | double=9-11 | awaits 1.1 stand hit split
    BJ-18 | 5c 7d 4h Ts | main 100 | | double=10-11 | awaits 1.1 stand hit
    BJ-18 | 6c 7d 4h Ts | main 100 | | double=10-11 | awaits 1.1 stand hit double
    BJ-18 | 6c 7d 5h Ts | main 100 | | double=10-11 | awaits 1.1 stand hit double
    BJ-18 | Tc 7d 2h Ts | main 100 | | double=10-11 | awaits 1.1 stand hit
    BJ-18 | 4c 7d 3h Ts 2c | main 100 | hit | double=9-11 | awaits 1.1 stand hit
    BJ-24 | Tc 9d 6h Ts | main 100 | | | awaits 1.1 stand hit double
    BJ-24 | Tc 9d 6h Ts | main 100 | | surrender=late | awaits 1.1 stand hit double surrender
    BJ-24 | 8c 9d 8h Ts | main 100 | | surrender=late | awaits 1.1 stand hit double split surrender
    BJ-24 | Tc 9d 2h Ts 3c | main 100 | hit | surrender=late | awaits 1.1 stand hit
    BJ-24 BJ-27 | Tc 6d 6h Ts | main 100 | surrender | surrender=late | main 50 surrender
    BJ-24 BJ-29 | Tc 6d 6h Ts 5c | main 100 | stand | surrender=late | main 0 lose
    BJ-24 | Tc Ad 6h 9s | main 100 | no-insurance surrender | surrender=late | main 50 surrender
    BJ-11 BJ-24 | Tc Kd 6h As | main 100 | | surrender=late | main 0 dealer blackjack
    """,
)
def test_double_and_surrender(case: Case) -> None:
    """Which hands may be doubled, and when half may be given up. [BJ-18] [BJ-24] [BJ-27] [BJ-29]"""
    check_to_the_last_card(case)


@table(
    "blackjack",
    """
    rule | cards | wagers | choices | options | result
    BJ-25 | 2c Td 2h Ks 2s 2d | main 100 | hit hit | charlie=5 | awaits 1.1 stand hit
    BJ-25 BJ-27 | 2c 6d 2h Ks 2s 2d 2c | main 100 | hit hit hit | charlie=5 | main 200 5 cards
    BJ-25 | 2c Td 2h Ks 2s 6d 9c | main 100 | hit hit hit | charlie=5 | main 200 5 cards
    BJ-25 | 2c Td 2h Ks 2s 6d Tc | main 100 | hit hit hit | charlie=5 | main 0 bust
    BJ-25 | 2c Td 2h Ks 2s 2d 2c | main 100 | hit hit hit | charlie=6 | awaits 1.1 stand hit
    BJ-25 | 2c Td 2h Ks 2s 2d 2c 2h | main 100 | hit hit hit hit | charlie=6 | main 200 6 cards
    BJ-25 | 2c Td 2h Ks 2s 2d 3c Kh | main 100 | hit hit hit hit | charlie=6 | main 200 6 cards
    BJ-25 | 2c Td 2h Ks 2s 2d 4c Kh | main 100 | hit hit hit hit | charlie=6 | main 0 bust
    BJ-25 | 2c Td 2h Ks 2s 2d 2c 2h | main 100 | hit hit hit hit | charlie=7 | awaits 1.1 stand hit
    BJ-25 | 2c Td 2h Ks 2s 2d 2c 2h 2s | main 100 | hit hit hit hit hit | charlie=7 | main 200 7 cards
    BJ-25 | 2c Td 2h Ks 2s 2d 2c 2h Ks | main 100 | hit hit hit hit hit | charlie=7 | main 0 bust
    BJ-25 | 2c Td 2h Ks 2s 2d 2c 2h 2s | main 100 | hit hit hit hit hit | charlie=8 | awaits 1.1 stand hit
    BJ-25 | 2c Td 2h Ks 2s 2d 2c 2h 2s 7d | main 100 | hit hit hit hit hit hit | charlie=8 | main 200 8 cards
    BJ-25 | 2c Td 2h Ks 2s 2d 2c 2h 2s 8d | main 100 | hit hit hit hit hit hit | charlie=8 | main 0 bust
    BJ-25 | 2c Td 2h Ks 2s 2d 2c 2h 2s 2d | main 100 | hit hit hit hit hit hit | | awaits 1.1 stand hit
    BJ-25 BJ-26 | 2c Td 2h Ks 2s 2d 2c 2h 2s 2d | main 100 | hit hit hit hit hit hit stand | | main 0 lose
    """,
)
def test_charlie(case: Case) -> None:
    """So many cards without a bust win at once, whatever the dealer has. [BJ-25] [BJ-27]"""
    check_to_the_last_card(case)


@table(
    "blackjack",
    """
    rule | cards | wagers | choices | options | result
    BJ-26 | Tc 6d 8h As | main 100 | stand | | main 200 win
    BJ-26 | Tc 6d 8h As 4c | main 100 | stand | soft_17=hit | main 0 lose
    BJ-26 | Tc 6d 8h As Kc | main 100 | stand | soft_17=hit | main 200 win
    BJ-26 | Tc 6d 8h As 9c Ts | main 100 | stand | soft_17=hit | main 200 win
    BJ-26 | Tc 2d 8h As 4c 2s | main 100 | stand | soft_17=hit | main 0 lose
    BJ-26 | Tc 7d 8h As | main 100 | stand | soft_17=hit | main 100 push
    BJ-26 | Tc 7d 8h Ks | main 100 | stand | soft_17=hit | main 200 win
    BJ-26 | Tc 6d 8h Ks 2c | main 100 | stand | soft_17=hit | main 100 push
    BJ-27 | Tc 6d 6h Ks Kc | main 100 | hit | | main 0 bust
    BJ-27 | Ac 6d Kh Ts | main 100 | | | main 250 blackjack
    BJ-27 | Tc Ac 6d 6h Kh Ts Kc | main 100 / main 100 | hit | | main 0 bust / main 250 blackjack
    BJ-27 | Tc Ac 6d 8h Kh Ts Kc | main 100 / main 100 | stand | | main 200 win / main 250 blackjack
    """,
)
def test_dealer(case: Case) -> None:
    """The dealer draws to 17, on soft 17 as the table says, and only for a live hand. [BJ-26] [BJ-27]"""
    check_to_the_last_card(case)
