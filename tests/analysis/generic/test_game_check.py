"""Files that lie are caught, with the line and what to do."""

from pathlib import Path

import pytest

from gallery_games import changed, gallery, written
from pairhouse.analysis.generic.declarations import check_shortcuts, findings
from pairhouse.analysis.generic.game_check import BROKEN, Finding, check_game
from pairhouse.core.errors import Refused
from pairhouse.core.game import Game


def broken(game: Game) -> list[Finding]:
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
        ("jacks_or_better", ("bit_length() - 1 >> card", "bit_length() >> card"), "keeps"),
    ],
)
def test_wrong_declarations_are_refused(name: str, change: tuple[str, str], declared: str, tmp_path: Path) -> None:
    with written(tmp_path, f"lying_{name}", changed(name, change)) as game:
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
        from pairhouse.analysis.generic.game_check import Source, _peeking  # noqa: PLC0415

        (only,) = _peeking(game.variant(), Source(game.variant()))
    assert "cards that the seat has not seen" in only.what
    assert "turned up" in only.do
