"""Every wager has a price or a reason, an unknown one is refused, and a meter is priced at a reading."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest

from counting import counted
from pairhouse.analysis.exact.prices import Price, nets, price
from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.methods.method import COUNTED, FORMULA, SOLVED
from pairhouse.analysis.methods.records import SolvedPrice, Unpriced
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.reports.par import par_sheet
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import GAMES
from pairhouse.games.three_card_poker import METER_CEILING, METER_SEED

PROGRESSIVE = analyst("three-card-poker", {"progressive": True})


@pytest.mark.parametrize("game", list(GAMES))
def test_every_wager_has_a_price_or_a_reason(game: str) -> None:
    method = method_of(GAMES[game].variant())
    prices = method.prices()
    assert list(prices) == list(method.variant.wagers)
    kinds = {COUNTED: Price, FORMULA: Price, SOLVED: SolvedPrice, None: Unpriced}
    for wager, found in prices.items():
        assert isinstance(found, kinds[method.source(wager)])
        assert found.reason if isinstance(found, Unpriced) else found.ev


@pytest.mark.parametrize("game", list(GAMES))
def test_an_unknown_wager_is_refused_by_name(game: str) -> None:
    variant = GAMES[game].variant()
    for ask in (method_of(variant).price, lambda wager: price(counted(variant), wager)):
        with pytest.raises(Refused, match="wager 'nonsense' is unknown"):
            ask("nonsense")


def test_a_tally_refuses_what_it_does_not_decide() -> None:
    """The first cards of blackjack say nothing of the main wager; that is no price of 0."""
    tally = counted(GAMES["blackjack-poker-pairs"].variant())
    for ask in (price, nets):
        with pytest.raises(Refused, match=re.escape("main is not decided by what this tally counts (InitialDeal)")):
            ask(tally, "main")
    tally = counted(GAMES["three-card-poker"].variant())
    with pytest.raises(Refused, match="play follows from ante and is part of its price; ask for ante"):
        price(tally, "play")
    with pytest.raises(Refused, match="play has no price of its own: it follows from ante"):
        method_of(GAMES["three-card-poker"].variant()).price("play")


def test_a_solved_wager_is_not_exact() -> None:
    method = method_of(GAMES["blackjack"].variant())
    found = method.price("main")
    assert isinstance(found, SolvedPrice)
    assert found.ev == pytest.approx(-0.00402864343, abs=1e-11)
    with pytest.raises(Refused, match="solved in decimals"):
        method.exact_price("main")
    assert method.exact_price("insurance").ev == Fraction(-23, 311)


def progressive_ev(reading: int) -> Fraction:
    """Every hand that wins a share is played: four mini royals, 44 other straight flushes, 52 threes of a kind."""
    fed = min(reading + 20, METER_CEILING)
    return Fraction(4 * fed + 44 * (fed // 10) + 52 * (fed // 100), 100 * 22_100) - 1


def test_the_progressive_is_priced_at_the_seed_of_its_meter() -> None:
    """[TCP-31] [TCP-33]"""
    method = method_of(PROGRESSIVE)
    assert method.reading == METER_SEED
    assert method.exact_price("progressive").ev == progressive_ev(METER_SEED) == Fraction(-53229, 276250)
    assert method.at_reading(300_000).exact_price("progressive").ev == progressive_ev(300_000) > 0
    assert method.at_reading(300_000).exact_price("ante").ev == method.exact_price("ante").ev
    with pytest.raises(Refused, match="pays shares of a meter, so it has a price only at a reading"):
        price(replace(method.tally(), variant=PROGRESSIVE), "progressive")


def test_the_sheet_says_at_which_reading_and_where_it_breaks_even() -> None:
    sheet = par_sheet(PROGRESSIVE)
    meter = sheet.wagers["progressive"].meter
    assert meter is not None
    assert meter.reading == METER_SEED
    assert [at.ev for at in meter.readings] == [progressive_ev(at.reading) for at in meter.readings]
    assert [at.reading for at in meter.readings] == [200_000, 400_000, 600_000, 800_000, 1_000_000]
    assert meter.break_even is not None
    assert progressive_ev(meter.break_even - 1) < 0 <= progressive_ev(meter.break_even)
    assert sheet.wagers["ante"].meter is None
    assert sheet.wagers["progressive"].by_stake == []


def test_its_two_derivations_agree() -> None:
    method = method_of(PROGRESSIVE)
    second = method.second().wagers["progressive"]
    assert sum((net * chance for net, chance in second.items()), Fraction(0)) == method.exact_price("progressive").ev
