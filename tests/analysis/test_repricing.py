"""What-if prices: rows repriced from a tally that is not counted again."""

import json
from fractions import Fraction
from typing import Any

import pytest

from command_line import pairhouse
from counting import counted
from pairhouse.analysis.exact.prices import price
from pairhouse.analysis.exact.repricing import read_changes, read_price, reprice
from pairhouse.analysis.exact.variants import analyst
from pairhouse.games import nepal_super_baccarat


def repriced(game: str, *rows: str, **options: Any) -> dict[str, Any]:
    variant = analyst(game, options)
    return dict(reprice(variant, read_changes(variant, rows)))


def test_a_price_moves_the_expectation_by_its_chance() -> None:
    found = repriced("pair-v3", "pair: player pair=6", paytable="2-deck-b")["pair"]
    assert (found.before.ev, found.after.ev) == (Fraction(-190, 1751), Fraction(-78, 1751))
    assert found.before.hit == found.after.hit
    assert found.after.edge == -found.after.ev


def test_banker_at_even_money_is_the_mirror_of_player() -> None:
    found = repriced("nepal-super-baccarat", "banker: Banker wins on 6=1")["banker"]
    assert found.after.ev == -price(counted(analyst("nepal-super-baccarat")), "player").ev


def test_another_table_of_the_house_is_met_by_repricing() -> None:
    """40-30-6-3-1 with 4 on a flush is the table 40-30-6-4-1. [TCP-28]"""
    other = price(counted(analyst("three-card-poker", {"pairplus": "40-30-6-4-1"})), "pairplus")
    assert repriced("three-card-poker", "pairplus: flush=4")["pairplus"].after.ev == other.ev


def test_a_bonus_is_priced_with_its_ante_and_hands_are_played_best_again() -> None:
    bonus = repriced("three-card-poker", "ante-bonus: straight flush=4, straight=3/2")
    assert list(bonus) == ["ante"]
    assert bonus["ante"].after.ev == Fraction(-1996373, 101792600)
    assert "Q-6-4" in bonus["ante"].note
    sweet = repriced("three-card-poker", "play: dealer does not qualify=1")["ante"]
    assert "Q-6-4" not in sweet.note  # now weaker hands are worth playing too


def test_repricing_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a tally is there, a price needs no further deal: the machine that counts is taken away."""
    variant = analyst("nepal-super-baccarat")
    counted(variant)
    monkeypatch.delattr("pairhouse.analysis.exact.counts._count")
    found = reprice(variant, {"tie": {"tie": Fraction(9)}})["tie"]
    assert found.after.ev == found.before.ev + found.before.hit
    assert nepal_super_baccarat.TIE_PAYS.rows[0].pays == 8


def test_insurance_and_what_is_in_no_row_can_be_repriced() -> None:
    assert repriced("blackjack", "insurance: dealer blackjack=5/2")["insurance"].after.ev == Fraction(25, 311)
    assert repriced("la-paire", "red: no win=-1/2")["red"].after.ev == Fraction(26, 54) - Fraction(28, 54) / 2


@pytest.mark.parametrize(
    ("words", "pays"),
    [
        ("9:2", Fraction(9, 2)),
        ("9/2", Fraction(9, 2)),
        ("9 / 2", Fraction(9, 2)),
        ("4.5", Fraction(9, 2)),
        ("6:5", Fraction(6, 5)),
        ("6 to 5", Fraction(6, 5)),
        ("0.95 to 1", Fraction(19, 20)),
        (" 12 ", Fraction(12)),
        ("-1/2", Fraction(-1, 2)),
    ],
)
def test_a_price_is_read_as_people_write_it(words: str, pays: Fraction) -> None:
    assert read_price(words) == pays
    after = repriced("pair-v3", f"pair: any pair={words}", paytable="2-deck-b")["pair"]
    assert after.changed == {"pair": {"any pair": pays}}


def test_the_command_says_before_and_after() -> None:
    words = ["pair-v3", "--paytable", "2-deck-b", "--row", "pair: Player Pair = 6"]
    shown = pairhouse("price", *words)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "-190/1751" in shown.stdout
    assert "-78/1751" in shown.stdout
    told = json.loads(pairhouse("price", *words, "--json").stdout)
    assert told["wagers"]["pair"]["after"]["ev"] == "-78/1751"
    assert told["wagers"]["pair"]["changed"] == {"pair": {"player pair": "6"}}


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("pair: player pear=6", "row 'player pear' is unknown; choose 3 of a kind, player pair, any pair or no win"),
        ("pear: player pair=6", "wager 'pear' is unknown; choose insurance or pair"),
        (
            "pair: player pair=much",
            "'much' is not a price; write what a unit wins, such as 12, 3/2, 3:2, 3 to 2 or 1.5",
        ),
        ("pair: player pair=1/0", "'1/0' is not a price"),
        ("pair: player pair=1:0", "'1:0' is not a price"),
        ("pair: player pair=3-2", "'3-2' is not a price; with a hyphen it could be odds or a minus; write"),
        ("pair: player pair=6 for 5", "'6 for 5' is not a price"),
        ("pair: player pair=6 to", "'6 to' is not a price"),
        ("pair: player pair=6to5", "'6to5' is not a price"),
        ("pair: player pair=nan", "'nan' is not a price"),
        ("pair: player pair=", "'' is not a price"),
        ("pair: player pair=٣", "'٣' is not a price"),
        ("player pair=9:2", "names no wager"),
        ("pair: player pair=3, Player Pair=4", "player pair of pair is given two prices"),
        ("pair: player pair=1e99", "'1e99' is not a price"),
        ("pair: player pair=-2", "a price of -2 is not possible"),
        ("pair: player pair", "'player pair' has no price; write it as ROW=PRICE, such as 3 of a kind=30"),
        ("player pair=6", "names no wager"),
        ("main: win=2", "main depends on how it is played"),
    ],
)
def test_what_cannot_be_priced_is_said_in_a_sentence(row: str, says: str) -> None:
    done = pairhouse("price", "pair-v3", "--paytable", "2-deck-b", "--row", row)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_nothing_to_price_is_refused() -> None:
    assert "nothing to change" in pairhouse("price", "pair-v3").stderr
