"""Designed paytables: every one fits as fractions, none is missing, and what to loosen is the least that helps."""

import runpy
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import hypot
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairhouse.analysis.design import countable
from pairhouse.analysis.design.designing import Designer
from pairhouse.analysis.design.loosening import loosenings
from pairhouse.analysis.design.saved import module_text
from pairhouse.analysis.design.tables import row_ways, whole
from pairhouse.analysis.design.wishes import Range, Wishes, check_possible, read_range, read_steps
from pairhouse.analysis.exact.repricing import reprice, repriced_variant
from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.effects import effects
from pairhouse.analysis.protect.followed_shoes import Following, RoundPrices, follow
from pairhouse.analysis.protect.measures import cut_wins
from pairhouse.core.errors import Refused
from pairhouse.games import catalogue

PAIR = analyst("pair-v3", {"paytable": "shoe-b"})
ROWS = ["3 of a kind (suited)", "3 of a kind (mixed)", "player pair", "any pair"]


def percent(text: str) -> Range:
    return read_range(text, "--edge", share=True)


def brute(wishes: Wishes, decks: list[int], most: int) -> set[tuple[int, ...]]:
    """Every table of whole pays up to a number, by the repricing of the whole wager."""
    counts = [row_ways(analyst("pair-v3", {"paytable": "shoe-b", "decks": str(number)}), "pair") for number in decks]
    choices = [range(1, most + 1)] * 4
    if wishes.top is not None:
        choices[0] = range(int(wishes.top.least or 1), int(wishes.top.most or most) + 1)
    found = set()
    for pays in product(*choices):
        if list(pays) == sorted(pays, reverse=True) and all(
            wishes.edge.holds(-each.ev(pays))
            and (wishes.variance is None or wishes.variance.holds(each.variance(pays)))
            for each in counts
        ):
            found.add(pays)
    return found


@pytest.mark.parametrize(
    ("wishes", "decks"),
    [
        (Wishes(percent("4%..6%"), top=read_range("20..24", "--top")), [6]),
        (Wishes(percent("3..9"), top=read_range("22..24", "--top"), variance=read_range("3..5", "v")), [6, 8]),
        (Wishes(percent("0.5..0.505"), top=read_range("5..9", "--top")), [6]),
    ],
)
def test_complete_and_right(wishes: Wishes, decks: list[int]) -> None:
    found = Designer(PAIR, "pair", decks).design(wishes)
    expected = brute(wishes, decks, 24)
    assert {tuple(table.rows[name] for name in ROWS) for table in found.paytables} == expected
    assert found.complete
    assert found.number == len(expected) > 0
    away = [max(abs(edge - wishes.edge.middle) for edge in table.edge.values()) for table in found.paytables]
    assert away == sorted(away)
    best = found.paytables[0]
    (repriced,) = reprice(analyst("pair-v3", {"paytable": "shoe-b", "decks": str(decks[0])}),
                          {"pair": {name: Fraction(pays) for name, pays in best.rows.items()}}).values()  # fmt: skip
    assert repriced.after.edge == best.edge[str(decks[0])]
    assert repriced.after.variance == best.variance[str(decks[0])]
    assert repriced.after.hit == best.hit[str(decks[0])]


def test_none_fits_and_the_least_loosening() -> None:
    wishes = Wishes(percent("5.00%..5.01%"), top=read_range("20..22", "--top"), variance=read_range("2..2.5", "v"))
    designer = Designer(PAIR, "pair", [6, 8])
    found = designer.design(wishes, loosen=loosenings)
    assert found.number == 0
    assert found.complete
    assert "Nothing fits" in found.proof
    by_wish = {each.wish: each for each in found.loosenings}
    # Another way to the same answer: of all tables that meet the other wishes, the one whose edges are nearest.
    others = brute(Wishes(percent("-50..50"), top=wishes.top, variance=wishes.variance), [6, 8], 22)
    counts = [row_ways(variant, "pair") for variant in designer.variants]
    least = min(max(wishes.edge.away(-each.ev(pays)) for each in counts) for pays in others)
    example = by_wish["edge"].example
    assert example is not None
    assert max(wishes.edge.away(edge) for edge in example.edge.values()) == least > 0
    assert by_wish["variance"].needed is None or by_wish["variance"].example is not None


def reachable(wishes: Wishes, decks: list[int], most: int) -> bool:
    """Whether any table fits, by another method: every row's returns added to every set of returns reached before.

    Nothing is cut short and no table is listed: from the bottom row up only what the rows return in all is kept, with
    the last pay, for every number of decks at once.
    """
    counts = [row_ways(analyst("pair-v3", {"paytable": "shoe-b", "decks": str(number)}), "pair") for number in decks]
    reached = {(1, (0,) * len(counts))}  # the least that the next row may pay, and what is paid so far
    for row in range(3, -1, -1):
        top = wishes.top if row == 0 else None
        reached = {
            (pay, tuple(paid + each.ways[row] * pay for paid, each in zip(sums, counts, strict=True)))
            for least, sums in reached
            for pay in range(least, most + 1)
            if top is None or top.holds(Fraction(pay))
        }
    return any(
        all(wishes.edge.holds(-(paid + each.other) / each.total) for paid, each in zip(sums, counts, strict=True))
        for _, sums in reached
    )


@settings(max_examples=12, deadline=None)
@given(st.integers(300, 900), st.integers(0, 4), st.integers(14, 24), st.sampled_from([[6], [6, 8], [4, 6, 8]]))
def test_none_fits_by_another_method(start: int, width: int, top: int, decks: list[int]) -> None:
    """Narrow bands, of which some hold nothing: the search says so where adding up reaches nothing, and only there."""
    band = Range(Fraction(start, 10_000), Fraction(10 * start + width, 100_000))
    wishes = Wishes(band, top=Range(Fraction(1), Fraction(top)))
    found = Designer(PAIR, "pair", decks).design(wishes)
    assert (found.number > 0) == reachable(wishes, decks, top)
    assert {tuple(table.rows[name] for name in ROWS) for table in found.paytables} == brute(wishes, decks, top)


def test_kept_dropped_and_stepped_rows() -> None:
    designer = Designer(PAIR, "pair", [6])
    step, single = read_steps(["1", "3 of a kind (suited)=50"], designer.rows)
    wishes = Wishes(
        percent("2..8"), step=step, row_steps=single, keep={"any pair": Fraction(3)}, drop=("player pair",),
        top=read_range("..300", "--top"),
    )  # fmt: skip
    found = designer.design(wishes)
    assert found.number
    assert {"player pair" in table.rows for table in found.paytables} == {True, False}
    assert all(table.rows["any pair"] == 3 and table.top % 50 == 0 for table in found.paytables)
    without = next(table for table in found.paytables if "player pair" not in table.rows)
    assert without.hit == {"6": found.paytables[0].hit["6"]}  # a player's pair is any pair, too
    halves = Designer(PAIR, "pair", [6]).design(
        Wishes(percent("4.9..5.1"), step=Fraction(1, 2), top=read_range("20..21", "--top"))
    )
    assert any(isinstance(pays, Fraction) for table in halves.paytables for pays in table.rows.values())


def test_a_row_that_never_comes_must_be_let_go() -> None:
    variant = analyst("pair-v3", {"paytable": "shoe-b", "decks": "2"})
    with pytest.raises(Refused, match=r"3 of a kind \(suited\) never comes with 2 decks"):
        Designer(variant, "pair").design(Wishes(percent("2..4")))
    found = Designer(variant, "pair").design(Wishes(percent("2..4"), drop=("3 of a kind (suited)",)))
    assert found.number
    assert all("3 of a kind (suited)" not in table.rows for table in found.paytables)


def test_countable_is_the_ceiling_of_the_shoes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(countable, "SHOES", 60)
    variant = analyst("pair-v3", {"paytable": "shoe-b"})
    designer = Designer(variant, "pair", [6], behind_cut=52)
    wishes = Wishes(percent("1..3"), top=read_range("60..62", "--top"), countable=Fraction(1, 4))
    free = Designer(variant, "pair", [6], behind_cut=52).design(
        Wishes(percent("1..3"), top=read_range("60..62", "--top"))
    )
    found = designer.design(wishes)
    assert 0 < found.number < free.number
    best = found.paytables[0]
    assert best.countable is not None
    assert best.countable["6"] <= 0.25
    # The same paytable followed by `protect`, on other shoes.
    game = repriced_variant(variant, {"pair": {name: Fraction(pays) for name, pays in best.rows.items()}})
    prices = RoundPrices(game, effects(game, ["pair"]))
    totals = follow(Following(game, prices, {}, [52]), 60, 5)
    theirs = cut_wins(totals, [52], 52, 0).ceiling
    assert best.countable_error is not None
    assert abs(theirs.win - best.countable["6"]) < 4 * hypot(theirs.error, best.countable_error["6"])


def test_saved_as_a_game_that_is_priced_alike(tmp_path: Path) -> None:
    designer = Designer(PAIR, "pair", [6])
    best = designer.design(
        Wishes(percent("4%..5%"), top=read_range("30..40", "--top"), drop=("player pair",))
    ).paytables[0]
    file = tmp_path / "my_pair.py"
    file.write_text(module_text(PAIR, "pair", best.rows, file))
    sys.path.insert(0, str(tmp_path))
    try:
        game = runpy.run_path(str(file), run_name="my_pair")["GAME"]
    finally:
        sys.path.remove(str(tmp_path))
    variant = game.variant({"decks": "6"})
    assert variant.game.id == "my-pair"
    assert -method_of(variant).exact_price("pair").ev == best.edge["6"]
    assert {line.name: whole(line.pays) for line in variant.wagers["pair"].paytable.rows} == best.rows


@pytest.mark.slow
def test_a_game_from_a_file_is_saved_with_its_file(tmp_path: Path) -> None:
    """The saved file needs nothing beside it: the game's own file is in it."""
    source = Path(__file__).parents[3] / "gallery" / "blackjack_side_bets.py"
    variant = analyst(catalogue.given(str(source)).id)
    wishes = Wishes(percent("3%..5%"), top=read_range("20..30", "--top"))
    best = Designer(variant, "perfect-pairs").design(wishes, 1).paytables[0]
    file = tmp_path / "my_perfect.py"
    file.write_text(module_text(variant, "perfect-pairs", best.rows, file))
    saved = analyst(catalogue.given(str(file)).id)
    assert saved.game.name == "Blackjack with side bets, my perfect"
    assert -method_of(saved).exact_price("perfect-pairs").ev == best.edge["6"]
    assert method_of(saved).exact_price("21+3") == method_of(variant).exact_price("21+3")
    assert saved.rules_hash != variant.rules_hash
    assert method_of(saved).small().agree  # what a certificate asks of it


def test_what_cannot_be_designed_is_refused() -> None:
    with pytest.raises(Refused, match="wager 'pairs' is unknown"):
        Designer(PAIR, "pairs")
    with pytest.raises(Refused, match="no paytable that stands alone"):
        Designer(PAIR, "main")
    with pytest.raises(Refused, match="ante is played"):
        Designer(analyst("three-card-poker"), "ante")
    draw_poker = analyst(catalogue.given(str(Path(__file__).parents[3] / "gallery" / "jacks_or_better.py")).id)
    with pytest.raises(Refused, match="with other pays it would be played otherwise"):
        Designer(draw_poker, "bet")
    with pytest.raises(Refused, match="rise down the table"):
        Designer(PAIR, "pair").design(
            Wishes(percent("4..5"), keep={"player pair": Fraction(2), "any pair": Fraction(3)})
        )
    with pytest.raises(Refused, match="cannot hold a game"):
        module_text(PAIR, "pair", {}, Path("my-pair.txt"))


def test_words_of_wishes() -> None:
    assert percent("3..4") == percent("3%..4%") == percent("0.03..0.04") == Range(Fraction(3, 100), Fraction(1, 25))
    assert percent("3..4%") == percent("3%..4") == percent("3%..1/25") == percent("3..4")
    assert percent("0.5..4%") == Range(Fraction(5, 1000), Fraction(1, 25))
    assert percent("..4") == Range(None, Fraction(1, 25))
    assert percent("1/20") == Range(Fraction(1, 20), Fraction(1, 20))
    for bad, says in (("x", "is not a figure"), ("..", "has no end"), ("5..4", "is empty"), ("1/0", "is not a figure")):
        with pytest.raises(Refused, match=says):
            percent(bad)
    for name, text in (("edge", "101%..102%"), ("hit", "2..3"), ("variance", "-3..-1"), ("top", "-5..-1")):
        wished = read_range(text, f"--{name}")
        with pytest.raises(Refused, match=f"--{name} {text} is not possible"):
            check_possible(name, wished, text)


def test_an_open_end_is_open() -> None:
    """However much more than 100 % a table gives back, it fits where only the upper end of the edge is wished."""
    la_paire = analyst("la-paire")
    with pytest.raises(Refused, match=r"--edge \.\.4% has no lower end, so pays of any size fit"):
        Designer(la_paire, "red").design(Wishes(percent("..4%")))
    found = Designer(la_paire, "red").design(Wishes(percent("..4%"), top=read_range("1..30", "--top")))
    assert [table.rows["red"] for table in found.paytables] == list(range(1, 31))
    kept = Designer(la_paire, "red").design(Wishes(percent("..4%"), keep={"red": Fraction(20)}))
    assert [table.rows["red"] for table in kept.paytables] == [20]
    lower = Designer(la_paire, "red").design(Wishes(percent("3%..")))
    assert [table.rows["red"] for table in lower.paytables] == [1]


def test_wishes_far_from_everything_are_loosened_too() -> None:
    """A kept row that no edge allows, a step that is too large, a number of decks too many: the least that helps."""
    poker = Designer(analyst("la-paire"), "poker")
    wishes = Wishes(percent("3..4"), keep={"two Jokers": Fraction(100_000)})
    by_wish = {each.wish: each for each in poker.design(wishes, loosen=loosenings).loosenings}
    edge, keep = by_wish["edge"].example, by_wish["keep"].example
    assert edge is not None
    assert edge.rows == {name: 100_000 if name == "two Jokers" else 1 for name in poker.rows}  # all that can be taken
    assert keep is not None
    ways = row_ways(poker.variant, "poker")
    most = max(  # the others at their least leave the most for it
        pays for pays in range(1, 500) if wishes.edge.holds(-ways.ev([pays, 1, 1, 1, 1, 1]))
    )
    assert keep.rows["two Jokers"] == most

    pair = Designer(PAIR, "pair", [6, 8])
    coarse = Wishes(percent("4..6"), step=Fraction(9), top=read_range("9..99", "--top"))
    by_wish = {each.wish: each for each in pair.design(coarse, loosen=loosenings).loosenings}
    assert by_wish["step"].needed == "3"
    assert not any(
        pair.design(Wishes(coarse.edge, step=Fraction(step), top=coarse.top)).number for step in range(4, 10)
    )
    narrow = Wishes(percent("5.05..5.06"), top=read_range("20..24", "--top"))
    assert not pair.design(narrow).number
    by_wish = {each.wish: each for each in pair.design(narrow, loosen=loosenings).loosenings}
    alone = [number for number in (8, 6) if Designer(PAIR, "pair", [number]).design(narrow).number]
    assert by_wish["decks"].needed == (str(alone[0]) if alone else None)


@pytest.mark.parametrize(
    "wishes",
    [
        Wishes(percent("3%..3.00001%")),
        Wishes(percent("4..6"), top=read_range("20..24", "--top"), variance=read_range("9..9.001", "v")),
        Wishes(percent("7/300..71/3000"), hit=percent("10..11"), drop=("player pair",), step=Fraction(3)),
        Wishes(percent("4..4.1"), row_steps={"3 of a kind (mixed)": Fraction(25), "any pair": Fraction(4)}),
    ],
)
def test_what_is_said_to_help_does_help_when_it_is_given(wishes: Wishes) -> None:
    """Each wish given again as it was told, in its six digits: the table that was shown fits."""
    designer = Designer(PAIR, "pair")
    found = designer.design(wishes, loosen=loosenings)
    assert not found.number
    helped = [each for each in found.loosenings if each.needed is not None]
    assert helped
    for each in helped:
        assert each.needed is not None
        if each.wish == "step":
            row, _, step = each.needed.rpartition("=")
            own = {**wishes.row_steps, row: Fraction(step)} if row else wishes.row_steps
            again = replace(wishes, step=wishes.step if row else Fraction(step), row_steps=own)
        else:
            band: Any = {each.wish: read_range(each.needed, each.wish, each.wish in ("edge", "hit"))}
            again = replace(wishes, **band)
        assert each.example in designer.design(again).paytables, (each.wish, each.needed)


@given(st.fractions(-(10**6), 10**6, max_denominator=10**9))
def test_a_range_as_it_is_told_holds_what_it_held(value: Fraction) -> None:
    told = read_range(Range(value, value).text(), "a range")
    assert told.holds(value)
    share = read_range(Range(value, value).text(percent=True), "a range", share=True)
    assert share.holds(value)
    assert told.most is not None
    assert told.least is not None
    assert told.most - told.least <= max(abs(value) / 10**5, Fraction(1, 10**11))
