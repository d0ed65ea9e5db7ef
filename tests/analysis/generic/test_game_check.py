"""Files that lie are caught, with the line and what to do."""

import re
from pathlib import Path

import pytest

from gallery_games import changed, gallery, written
from pairhouse.analysis.generic.declarations import check_shortcuts, findings
from pairhouse.analysis.generic.game_check import BROKEN, Remark, Source, _peeking, _settling, check_game
from pairhouse.core.errors import Refused
from pairhouse.core.game import Game


def broken(game: Game) -> list[Remark]:
    return [finding for finding in check_game(game.variant())[1] if finding.grade == BROKEN]


def test_an_honest_game_has_nothing_broken() -> None:
    assert broken(gallery("dragon_tiger")) == []


def test_rows_in_the_wrong_order_are_found(tmp_path: Path) -> None:
    wins = 'return Paytable(name, "", (wins, row("tie", Fraction(-1, 2), lambda duel: duel.winner >= TIE)))'
    rows = '(row("any", 0, lambda duel: True), wins)'
    text = changed("dragon_tiger", (wins, f'return Paytable(name, "", {rows})'))
    with written(tmp_path, "wrong_order", text) as game:
        (first, *_) = broken(game)
    assert "is never paid" in first.what
    assert 'above "any"' in first.do


def test_a_wager_that_returns_more_than_it_costs_is_found(tmp_path: Path) -> None:
    text = changed("dragon_tiger", ('row("tie", 8,', 'row("tie", 14,'))
    with written(tmp_path, "too_generous", text) as game:
        (only,) = broken(game)
        assert "tie returns more than it costs" in only.what
        assert 'Wager("tie"' in (tmp_path / "too_generous.py").read_text().splitlines()[only.line - 1]


def test_a_stake_that_is_never_decided_is_found(tmp_path: Path) -> None:
    text = changed(
        "dragon_tiger", ("    settle(table, EVERY_SEAT,", "    if rank(dragon) > 0:\n        settle(table, EVERY_SEAT,")
    )
    with written(tmp_path, "undecided", text) as game:
        assert any("not decided once" in finding.what for finding in broken(game))


@pytest.mark.parametrize(
    ("name", "change", "declared"),
    [
        ("dragon_tiger", ("Shortcuts(suits_alike=True)", "Shortcuts(same=rank)"), "same"),
        ("red_dog", ("Shortcuts(same=rank)", "Shortcuts(any_order=True)"), "any_order"),
        ("andar_bahar", ("int(rank(card) == rank(middle))", "0"), "same_after"),
        ("let_it_ride", ("seen = 1 << a | 1 << b | 1 << c", "seen = (a * 64 + b) * 64 + c"), "any_order"),
        ("caribbean_stud", ("compared=poker_strength", "compared=lambda a, b, c, d, e: 0"), "compared"),
        ("caribbean_stud", ("compared=poker_strength", "compared=lambda *hand: 0"), "compared"),
        ("caribbean_stud", ("compared=poker_strength", "compared=coarse"), "compared"),
        ("jacks_or_better", ("bit_length() - 1 >> card", "bit_length() >> card"), "keeps"),
    ],
)
def test_wrong_declarations_are_refused(name: str, change: tuple[str, str], declared: str, tmp_path: Path) -> None:
    coarse = "\n@rule\ndef coarse(a, b, c, d, e):\n    return poker_strength(a, b, c, d, e) >> 4\n"  # no last card
    text = changed(name, change, ("\n\nclass Rules", f"\n{coarse}\n\nclass Rules"))
    with written(tmp_path, f"lying_{name}_{len(change[1])}", text) as game:
        assert declared in [found for found, _ in findings(game.variant())]
        with pytest.raises(Refused, match="declares"):
            check_shortcuts(game.variant())


PEEKING = ("choose(table, place, SURRENDER | WAR, rank(own))", "choose(table, place, SURRENDER | WAR, burnt)")


def test_a_situation_that_peeks_is_found(tmp_path: Path) -> None:
    text = changed(
        "casino_war",
        ("    found = compare(own, draw(table, DEALER))\n    settle", "    found = compare(own, draw(table, DEALER))\n    burnt = draw_down(table, DEALER)\n    settle"),
        PEEKING,
    )  # fmt: skip
    with written(tmp_path, "peeking", text) as game:
        (only,) = _peeking(game.variant(), Source(game.variant()))
    assert "cards that the seat has not seen" in only.what
    assert "turned up" in only.do


PEEKED = """    found = compare(own, draw(table, DEALER))
    hole = draw_down(table, DEALER)
    low = peek(table, DEALER, hole, 0, 5)
    settle"""


@pytest.mark.parametrize(
    ("situation", "says"),
    [("rank(own) + 20 * int(low)", []), ("hole", ["depends on cards that the seat has not seen"])],
)
def test_a_look_under_a_card_tells_what_it_told_and_no_more(situation: str, says: list[str], tmp_path: Path) -> None:
    changes = [
        ("Action, Game", "Action, peek, Game"),
        ("    found = compare(own, draw(table, DEALER))\n    settle", PEEKED),
        ("SURRENDER | WAR, rank(own)", f"SURRENDER | WAR, {situation}"),
    ]
    with written(tmp_path, f"looks_{len(situation)}", changed("casino_war", *changes)) as game:
        found = [each.what for each in _peeking(game.variant(), Source(game.variant()))]
    assert [word for word, what in zip(says, found, strict=True) if word not in what] == []


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("casino_war", ("seats_max=1", "seats_max=2"), "a stake is not decided once: seat 2"),
        ("let_it_ride", ("units_max=lambda _rules: 3", "units_max=lambda _rules: 1"), "stakes 3 times the first stake"),
    ],
)
def test_a_seat_left_out_and_stakes_beyond_what_is_reserved(
    name: str, change: tuple[str, str], says: str, tmp_path: Path
) -> None:
    with written(tmp_path, f"beyond_{name}", changed(name, change)) as game:
        (only,) = _settling(game.variant(), Source(game.variant()))
    assert (only.grade, says in only.what) == (BROKEN, True)


PAGE = (Path(__file__).parents[3] / "docs" / "kit.md").read_text(encoding="utf-8")
RAISE_OR_FOLD = dict(re.findall(r"```python (\w+)\n(.*?)```", PAGE, re.DOTALL))["raise_or_fold"]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (("rank(turn_up(table, DEALER, hidden))", "rank(hidden)"), "face-down card before it is turned up"),
        (("RAISE | FOLD, own)", "RAISE | FOLD, own + 20 * int(hidden < 0))"), "face-down card before it is turned up"),
        (("RAISE | FOLD, own)", "RAISE | FOLD, rank(hidden))"), "face-down card before it is turned up"),
        (("RAISE | FOLD, own)", "RAISE if rank(hidden) > 6 else RAISE | FOLD, own)"), "face-down card before"),
    ],
)
def test_a_hidden_card_that_is_used_is_found_with_its_line(change: tuple[str, str], word: str, tmp_path: Path) -> None:
    assert change[0] in RAISE_OR_FOLD
    name = f"hidden_{len(change[1])}"
    with written(tmp_path, name, RAISE_OR_FOLD.replace(*change)) as game:
        found = check_game(game.variant())[1]
    assert found[0].grade == BROKEN
    assert any(word in each.what and each.line > 1 for each in found)


def test_a_situation_that_forgets_is_told(tmp_path: Path) -> None:
    """All hands as one number: hands that are best played differently cannot be told apart."""
    with written(tmp_path, "forgetful", RAISE_OR_FOLD.replace("RAISE | FOLD, own)", "RAISE | FOLD, 0)")) as game:
        found = check_game(game.variant())[1]
    assert any("have one situation" in each.what and "tells them apart" in each.do for each in found)
