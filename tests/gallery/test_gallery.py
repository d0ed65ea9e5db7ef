"""Every price of the gallery: exact, derived a second time, and beside the published figure."""

import os
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from coups import fresh_coups
from gallery_games import FILES, GALLERY, gallery
from pairhouse.analysis.exact.prices import Price
from pairhouse.analysis.exact.variants import widened
from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.cards import is_red, pack, rank, suit
from pairhouse.core.options import Option
from plain_poker import caribbean_stud, jacks_or_better, let_it_ride, mississippi_stud

DOCUMENT = Path(__file__).parents[2] / "docs" / "gallery.md"

# file, options, wager, published house edge in per cent, as it is printed
PUBLISHED: tuple[tuple[str, dict[str, int | bool], str, str], ...] = (
    ("casino_war", {}, "ante", "2.88"),
    ("casino_war", {"tie_bonus": True}, "ante", "2.33"),
    ("casino_war", {}, "tie", "18.65"),
    ("red_dog", {"decks": 1}, "ante", "3.155"),
    ("red_dog", {"decks": 2}, "ante", "3.077"),
    ("red_dog", {"decks": 4}, "ante", "2.88"),
    ("red_dog", {"decks": 6}, "ante", "2.80"),
    ("red_dog", {"decks": 8}, "ante", "2.75"),
    ("dragon_tiger", {}, "dragon", "3.73"),
    ("dragon_tiger", {}, "tie", "32.77"),
    ("dragon_tiger", {}, "suited-tie", "13.98"),
    ("andar_bahar", {}, "andar", ""),
    ("andar_bahar", {}, "bahar", ""),
    ("let_it_ride", {}, "bet", "3.51"),
    ("mississippi_stud", {}, "ante", "4.91"),
    ("caribbean_stud", {}, "ante", "5.22"),
    ("jacks_or_better", {}, "bet", "0.46"),
    ("blackjack_side_bets", {"decks": 6}, "21+3", "3.24"),
    ("blackjack_side_bets", {"decks": 6}, "perfect-pairs", ""),
    ("blackjack_side_bets", {"decks": 6}, "royal-match", "6.67"),
    ("blackjack_side_bets", {"decks": 6}, "match-the-dealer", ""),
    ("blackjack_side_bets", {"decks": 6}, "over-13", "6.55"),
    ("blackjack_side_bets", {"decks": 6}, "under-13", ""),
    ("blackjack_side_bets", {"decks": 8}, "21+3", ""),
    ("blackjack_side_bets", {"decks": 8}, "perfect-pairs", "4.10"),
    ("blackjack_side_bets", {"decks": 8}, "royal-match", ""),
    ("blackjack_side_bets", {"decks": 8}, "match-the-dealer", ""),
    ("blackjack_side_bets", {"decks": 8}, "over-13", ""),
    ("blackjack_side_bets", {"decks": 8}, "under-13", ""),
    ("baccarat_side_bets", {}, "dragon-7", "7.61"),
    ("baccarat_side_bets", {}, "panda-8", "10.19"),
    ("baccarat_side_bets", {}, "ez-banker", "1.02"),
    ("baccarat_side_bets", {}, "dragon-bonus-player", "2.65"),
    ("baccarat_side_bets", {}, "dragon-bonus-banker", "9.37"),
    ("baccarat_side_bets", {}, "small", ""),
    ("baccarat_side_bets", {}, "big", ""),
)

# Where a published figure was read; the others were given with the rules that the files are written from.
GROCHOWSKI = "https://www.casinocitytimes.com/john-grochowski/article"
ODDSSHARK = "http://www.oddsshark.com/betting-101/casino/red-dog-odds"
SOURCES = {
    ("casino_war", "2.33"): "https://wizardofmacau.com/en/games/war",
    ("casino_war", "18.65"): "https://wizardofmacau.com/en/games/war",
    ("red_dog", "3.155"): "http://casino.online-betting-guide.co.uk/Red+Dog.htm",
    ("red_dog", "3.077"): ODDSSHARK,
    ("red_dog", "2.88"): ODDSSHARK,
    ("red_dog", "2.75"): ODDSSHARK,
    ("mississippi_stud", "4.91"): f"{GROCHOWSKI}/house-edge-and-element-of-risk-66201",
    ("caribbean_stud", "5.22"): "https://www.casinfo.co.uk/whats-the-house-edge-in-caribbean-stud-poker/",
    ("jacks_or_better", "0.46"): "https://chipsandtruths.com/video-poker/house-edge/",
    ("blackjack_side_bets", "6.67"): "https://www.betfirm.com/royal-match-blackjack/",
    ("blackjack_side_bets", "4.10"): "https://wizardofodds.com/games/blackjack/side-bets/perfect-pairs/",
    ("baccarat_side_bets", "1.02"): f"{GROCHOWSKI}/ez-baccarat-makes-baccarat-even-easier-60926",
    ("baccarat_side_bets", "7.61"): "https://tunicatravel.com/blog/2012/07/easy-betting-with-ez-baccarat/",
    ("baccarat_side_bets", "2.65"): "https://wizardofodds.com/games/baccarat/appendix/5/",
    ("baccarat_side_bets", "9.37"): "https://wizardofodds.com/games/baccarat/appendix/5/",
}
GIVEN = "given with the rules"


def source_of(name: str, published: str) -> str:
    """A link to where the figure is printed, or that it came with the rules."""
    address = SOURCES.get((name, published))
    if not published:
        return ""
    return GIVEN if address is None else f"[{address.split('/')[2].removeprefix('www.')}]({address})"


def price_of(name: str, options: Mapping[str, int | bool], wager: str) -> Price:
    return method_of(widened(gallery(name)).variant(options)).exact_price(wager)


def test_files_are_short() -> None:
    assert {name: len((GALLERY / f"{name}.py").read_text().splitlines()) for name in FILES if
            len((GALLERY / f"{name}.py").read_text().splitlines()) >= 100} == {}  # fmt: skip


@pytest.mark.parametrize("wager", ["dragon", "tie", "suited-tie"])
def test_dragon_tiger_by_hand(wager: str) -> None:
    """Of the 415 other cards 31 tie and 7 are the same card."""
    by_hand = {
        "dragon": -Fraction(31, 415) / 2,
        "tie": 9 * Fraction(31, 415) - 1,
        "suited-tie": 51 * Fraction(7, 415) - 1,
    }
    assert price_of("dragon_tiger", {}, wager).ev == by_hand[wager]


def test_andar_bahar_by_hand() -> None:
    """The first match lies at place n when n - 1 of the 48 others come first: odd places are Andar's."""
    none, andar = Fraction(1), Fraction(0)
    for place in range(1, 50):
        left = 52 - place
        hit = none * Fraction(3, left)
        andar += hit if place % 2 else 0
        none -= hit
    assert none == 0
    assert price_of("andar_bahar", {}, "andar").ev == andar * Fraction(9, 10) - (1 - andar)
    assert price_of("andar_bahar", {}, "bahar").ev == 1 - 2 * andar


@pytest.mark.slow
@pytest.mark.parametrize("bonus", [False, True])
def test_casino_war_by_hand(bonus: bool) -> None:
    tie = Fraction(23, 311)
    after = {"tie": 22 * 21 + 12 * 24 * 23, "all": 310 * 309}  # the two ranks of a war, given two of one rank gone
    equal = Fraction(after["tie"], after["all"])
    higher = (1 - equal) / 2
    war = higher + equal * (2 if bonus else 1) - 2 * higher
    assert price_of("casino_war", {"tie_bonus": bonus}, "ante").ev == tie * max(war, Fraction(-1, 2))
    assert price_of("casino_war", {"tie_bonus": bonus}, "tie").ev == 11 * tie - 1


@pytest.mark.slow
@pytest.mark.parametrize("decks", [1, 2, 4, 6, 8])
def test_red_dog_by_hand(decks: int) -> None:
    of_rank, cards = 4 * decks, 52 * decks
    total = Fraction(of_rank - 1, cards - 1) * 11 * Fraction(of_rank - 2, cards - 2)
    pays = {1: 5, 2: 4, 3: 2}
    for spread in range(1, 12):
        hit = Fraction(of_rank * spread, cards - 2)
        value = pays.get(spread, 1) * hit - (1 - hit)
        total += Fraction(2 * (12 - spread) * of_rank**2, cards * (cards - 1)) * max(value, 2 * value)
    assert price_of("red_dog", {"decks": decks}, "ante").ev == total


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "wager", "again"),
    [
        ("let_it_ride", "bet", let_it_ride),
        ("mississippi_stud", "ante", mississippi_stud),
        ("jacks_or_better", "bet", jacks_or_better),
        ("caribbean_stud", "ante", caribbean_stud),
    ],
)
def test_poker_games_again(name: str, wager: str, again: Callable[[], Fraction]) -> None:
    """The whole pack under best play, by sums that know nothing of ours."""
    assert price_of(name, {}, wager).ev == again()


def side_bets_plainly(decks: int) -> dict[str, Fraction]:
    """The six bets again: every two cards and an up card, looked at without any rule of ours."""
    sums, faces = Counter[str](), range(52)
    for first, second, up in product(faces, faces, faces):
        left = Counter(dict.fromkeys((first, second, up), decks))
        ways = 1
        for card in (first, second, up):
            ways *= left[card]
            left[card] -= 1
        heights = sorted((first % 13, second % 13, up % 13))
        row = heights[2] - heights[0] == 2 and heights[1] - heights[0] == 1
        row = row or heights == [0, 11, 12]
        poker = row or len(set(heights)) == 1 or len({first // 13, second // 13, up // 13}) == 1
        pair = first % 13 == second % 13
        colour = is_red(first) == is_red(second)
        suited = suit(first) == suit(second)
        match = sum((11 if card == up else 4) for card in (first, second) if rank(card) == rank(up))
        points = min(first % 13 + 1, 10) + min(second % 13 + 1, 10)
        sums["21+3"] += ways * (9 if poker else -1)
        sums["perfect-pairs"] += ways * ((25 if first == second else 12 if colour else 6) if pair else -1)
        sums["royal-match"] += ways * (50 if suited and {first % 13, second % 13} == {11, 12} else 5 if suited else -2)
        sums["match-the-dealer"] += ways * (match or -1)
        sums["over-13"] += ways * (1 if points > 13 else -1)
        sums["under-13"] += ways * (1 if points < 13 else -1)
    total = 52 * decks * (52 * decks - 1) * (52 * decks - 2)
    return {name: Fraction(value, total * (2 if name == "royal-match" else 1)) for name, value in sums.items()}


@pytest.mark.slow
@pytest.mark.parametrize("decks", [6, 8])
def test_blackjack_side_bets_again(decks: int) -> None:
    assert len(pack(decks)) == 52 * decks
    for wager, ev in side_bets_plainly(decks).items():
        assert price_of("blackjack_side_bets", {"decks": decks}, wager).ev == ev, wager


@pytest.mark.slow
def test_baccarat_side_bets_again() -> None:
    """By the plain coups of the tests: totals and numbers of cards."""
    coups = fresh_coups(8)
    total = sum(coups.values())
    sides = ("dragon-bonus-player", "dragon-bonus-banker")
    bets = {name: Fraction(0) for name in ("dragon-7", "panda-8", "ez-banker", *sides, "small", "big")}
    for coup, ways in coups.items():
        dragon = coup.banker == 7 > coup.player and coup.banker_cards == 3
        panda = coup.player == 8 > coup.banker and coup.player_cards == 3
        cards = coup.player_cards + coup.banker_cards
        won = coup.banker > coup.player
        bets["dragon-7"] += ways * (40 if dragon else -1)
        bets["panda-8"] += ways * (25 if panda else -1)
        bets["ez-banker"] += ways * (0 if dragon or coup.banker == coup.player else 1 if won else -1)
        natural = cards == 4 and max(coup.player, coup.banker) >= 8
        for name, margin in zip(sides, (coup.player - coup.banker, coup.banker - coup.player), strict=True):
            by_margin = {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1}.get(margin, -1)
            bets[name] += ways * ((margin > 0) - (margin < 0) if natural else by_margin)
        bets["small"] += ways * (Fraction(3, 2) if cards == 4 else -1)
        bets["big"] += ways * (Fraction(54, 100) if cards > 4 else -1)
    for wager, value in bets.items():
        assert price_of("baccarat_side_bets", {}, wager).ev == value / total, wager


def document() -> str:
    """The table of docs/gallery.md, with every price worked out now."""
    lines = [
        "# The gallery", "",
        "Games and bets others have published, each one short file in `gallery/`, priced from its own rules.",
        "`make test-gallery` works every figure out again and holds it to this table.", "",
        "| file | options | wager | exact expectation | house edge | published | source |",
        "|---|---|---|---|--:|--:|---|",
    ]  # fmt: skip
    for name, options, wager, published in PUBLISHED:
        ev = price_of(name, options, wager).ev
        told = ", ".join(f"{key} {Option.text(value)}" for key, value in options.items())
        figure = published and published + " %"
        source = source_of(name, published)
        lines.append(f"| `{name}.py` | {told} | `{wager}` | {ev} | {-float(ev):.4%} | {figure} | {source} |")
    return "\n".join(lines) + "\n"


@pytest.mark.slow
def test_the_table_in_the_docs_is_what_the_rules_give() -> None:
    text = document()
    if os.environ.get("PAIRHOUSE_WRITE_GOLDEN"):
        DOCUMENT.write_text(text)
    assert DOCUMENT.read_text() == text


def test_published_figures_are_met_to_every_printed_digit() -> None:
    rows = [line.split("|") for line in DOCUMENT.read_text().splitlines() if line.startswith("| `")]
    assert len(rows) == len(PUBLISHED)
    for row, (name, _, wager, published) in zip(rows, PUBLISHED, strict=True):
        assert (row[1].strip(), row[3].strip()) == (f"`{name}.py`", f"`{wager}`")
        assert row[7].strip() == source_of(name, published)
        if published:
            edge = -100 * Fraction(row[4].strip())
            last_digit = Fraction(1, 10 ** len(published.partition(".")[2]))
            assert abs(edge - Fraction(published)) <= last_digit / 2, (name, wager)
