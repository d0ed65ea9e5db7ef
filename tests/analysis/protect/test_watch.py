"""What a record says to people, which step a policy takes, and the odds that records are held to."""

from fractions import Fraction

import pytest

from pairhouse.analysis.protect.evidence import Evidence
from pairhouse.analysis.protect.rule_book import fresh_prices
from pairhouse.analysis.protect.watch import CLOSE, LOWER, NOTHING, WARN, WatchPolicy, odds_of, read
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find


@pytest.mark.parametrize(("peak", "step"), [(1, NOTHING), (9_999, NOTHING), (1e4, WARN), (1e6, LOWER), (1e9, CLOSE)])
def test_steps_of_a_policy(peak: float, step: str) -> None:
    assert WatchPolicy().step(peak) == step
    assert read(Evidence(down_peak=peak)).step == step


def test_a_reading_tells_actual_and_expected() -> None:
    table = odds_of(find("nepal-super-baccarat").variant())
    record = Evidence()
    record.record(table.terms((("tie", 1_000),)), 8_000)
    reading = read(record)
    assert (reading.rounds, reading.staked, reading.net) == (1, 1_000, 8_000)
    assert reading.expected == pytest.approx(-143.596, abs=0.001)
    assert reading.z is not None
    assert reading.z > 3
    assert reading.wins_too_much * reading.wins_too_much_chance == pytest.approx(1)


def test_policies_that_make_no_sense_are_refused() -> None:
    for policy in (WatchPolicy(warn=0), WatchPolicy(warn=1e-9), WatchPolicy(close=-1), WatchPolicy(warn=1)):
        with pytest.raises(Refused, match="are not possible"):
            read(Evidence(), policy)


def test_odds_are_those_of_the_par_sheet() -> None:
    """Where a player chooses, the least net is all that can ever be staked, and losing too much proves nothing."""
    for game in ("nepal-super-baccarat", "three-card-poker", "pair-v3"):
        variant = find(game).variant()
        table, sheet = odds_of(variant), fresh_prices(variant)
        assert {name: odds.mean for name, odds in table.wagers.items()} == {name: p.ev for name, p in sheet.items()}
    assert odds_of(find("three-card-poker").variant()).wagers["ante"].least == Fraction(-2)
    assert odds_of(find("three-card-poker").variant()).wagers["ante"].chosen
    assert not odds_of(find("pair-v3").variant()).wagers["pair"].chosen


def test_a_game_without_counted_wagers_has_no_odds_of_its_own() -> None:
    """One round of plain blackjack must not end the watch of all other tables."""
    assert odds_of(find("blackjack").variant()).wagers == {}
