"""Wagers on a meter, measured at a reading of it."""

from dataclasses import replace
from fractions import Fraction

import pytest

from pairhouse.analysis.exact.variants import analyst, at_meter
from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.analysis.simulation.scoring import chosen_wagers
from pairhouse.core.cards import parse
from pairhouse.core.errors import Refused
from pairhouse.games.three_card_poker import METER_CEILING, METER_SEED, Showdown
from pairhouse.machines.replay import replay

POKER = analyst("three-card-poker", {"progressive": True})
HANDS = 22_100


@pytest.mark.parametrize("reading", [METER_SEED, 234_567, METER_CEILING, 0])
def test_simulated_and_exact_agree_at_a_reading(reading: int) -> None:
    """Every hand that wins a share is played, so the price is a sum over three rows; a share is rounded down."""
    fed = min(reading + 20, METER_CEILING)
    awards = 4 * fed + 44 * (fed // 10) + 52 * (fed // 100)
    sampling = Sampling.of(POKER, meter=reading)
    assert sampling.exact["progressive"].ev == float(Fraction(awards, 100 * HANDS) - 1)
    found = sampling.estimates(sampling.simulation.block(5, 0))
    assert abs(found["progressive"].z or 0) < 5
    assert set(found) == {"ante", "pairplus", "progressive"}


@pytest.mark.parametrize("cards", ["Ac Kc Qc Kh Js 2d", "Jc Kc Qc Kh Js 2d", "9c 9d 9h Kh Js 2d", "9c 9d 8h Kh Js 2d"])
def test_a_share_is_priced_as_it_is_paid_at_the_table(cards: str) -> None:
    reading = 234_567
    meter = POKER.game.meter(POKER.options)
    assert meter is not None
    wagers = [{"ante": 1000, "progressive": 100}]
    state = replay(POKER, parse(cards.split()), wagers, ["play"], meter=replace(meter, amount=reading))
    returned = state.bets[0]["progressive"].returned
    shown = next(happened for _, happened in state.happened if isinstance(happened, Showdown))
    assert at_meter(POKER, reading).wagers["progressive"].paytable.paid(shown).pays == Fraction(returned or 0, 100) - 1


def test_a_reading_that_cannot_be_is_refused() -> None:
    for reading in (-1, METER_CEILING + 1):
        with pytest.raises(Refused, match="minor units"):
            at_meter(POKER, reading)
    with pytest.raises(Refused, match="progressive=yes"):
        at_meter(analyst("three-card-poker"), 5)
    with pytest.raises(Refused, match="has no meter"):
        at_meter(analyst("la-paire"), 5)
    assert at_meter(analyst("la-paire")) is analyst("la-paire")
    with pytest.raises(Refused, match="--meter"):
        chosen_wagers(POKER, ["progressive"])


def test_the_example_of_a_meter_favours_the_house_until_it_has_grown() -> None:
    """[TCP-31] At the seed 80.7 % comes back; a player's advantage begins between 2,477 and 2,478."""
    prices = [Sampling.of(POKER, meter=reading).exact["progressive"].ev for reading in (METER_SEED, 247_700, 247_800)]
    assert round(1 + prices[0], 3) == 0.807
    assert prices[1] < 0 < prices[2]
