"""Other readings that need the blackjack solver: each priced, and in the direction a player would expect."""

from fractions import Fraction
from itertools import product

import pytest

from counting import counted
from pairhouse.analysis.blackjack.readings import solved_readings
from pairhouse.analysis.exact.prices import price
from pairhouse.analysis.reports.readings import Reading
from pairhouse.games.catalogue import find


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str], Reading]:
    readings = [r for game in ("blackjack-poker-pairs", "blackjack") for r in solved_readings(find(game).variant())]
    return {(reading.rule, reading.wager): reading for reading in readings}


def test_none_is_forgotten(found: dict[tuple[str, str], Reading]) -> None:
    """Every rule of the books that only the solver can price, and the side bets that a bust would take."""
    assert {rule for rule, _ in found} == {
        "BPP-22", "BPP-25", "BPP-26", "BPP-29", "BPP-30", "BPP-31", "BPP-32", "BPP-33", "BPP-34", "BPP-35", "BPP-36",
        "BJ-11", "BJ-16", "BJ-19", "BJ-20", "BJ-23",
    }  # fmt: skip


def test_better_rules_are_worth_more(found: dict[tuple[str, str], Reading]) -> None:
    """[BPP-25] [BPP-26] [BPP-29] [BPP-30] [BPP-31] [BPP-32] [BPP-33] [BPP-34] [BPP-36] [BJ-11] [BJ-16] [BJ-19]"""
    gain = {rule: reading.other - reading.ours for (rule, wager), reading in found.items() if wager == "main"}
    for better in ("BPP-31", "BPP-32", "BPP-33", "BJ-20", "BJ-23"):
        assert gain[better] > Fraction(1, 10**5), better
    for worse in ("BPP-25", "BPP-26", "BPP-34", "BJ-11"):
        assert gain[worse] < -Fraction(1, 10**4), worse
    assert 0 <= gain["BPP-29"] < Fraction(1, 10**6)
    assert -Fraction(1, 10**4) < gain["BPP-36"] < 0
    assert gain["BPP-30"] == gain["BJ-19"] == gain["BJ-16"] == 0


def test_blackjacks_lost_to_blackjacks_by_hand(found: dict[tuple[str, str], Reading]) -> None:
    """Both hold one, in eight decks: the chance is what the player would lose. [BPP-26]"""
    both = Fraction(2 * 32 * 128, 416 * 415) * Fraction(2 * 31 * 127, 414 * 413)
    reading = found["BPP-26", "main"]
    assert abs(reading.ours - reading.other - both) < Fraction(1, 10**8)


def test_a_bust_that_takes_the_side_bets(found: dict[tuple[str, str], Reading]) -> None:
    """Ours is the counted price; the other is lower, by less than what such hands win. [BPP-22] [BPP-35]"""
    tally = counted(find("blackjack-poker-pairs").variant())
    for rule, wager in product(("BPP-22", "BPP-35"), ("pairs", "poker")):
        reading = found[rule, wager]
        counted_price = price(tally, wager)
        assert abs(reading.ours - counted_price.ev) < Fraction(1, 10**8)
        won = sum(row.probability * (row.pays + 1) for row in counted_price.rows if row.pays > 0)
        assert -won / 2 < reading.other - reading.ours < -won / 20
