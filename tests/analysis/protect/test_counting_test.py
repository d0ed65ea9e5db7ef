"""Betting that follows the cards is found within a few shoes; betting that does not, hardly ever, however it is done."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting_bot import Chooser, CountingBot, LocalTable, greedy, slow
from pairhouse.analysis.protect.ceiling import table_limits
from pairhouse.analysis.protect.counting_record import CountingRecord
from pairhouse.analysis.protect.counting_test import Decoys, decoys_for, soft_rank
from pairhouse.analysis.protect.shoe_prices import Decimals, shoe_prices
from pairhouse.analysis.protect.watch import WARN, WatchPolicy
from pairhouse.core.cards import Card, pack
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find

pytestmark = pytest.mark.slow  # `make test-protect`

BACCARAT = find("nepal-super-baccarat").variant()
LIMITS = table_limits(BACCARAT, 50_000)
CUT = 104
Round = dict[str, int]


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40))
def test_a_value_chosen_at_random_has_evidence_1_on_average(values: list[float]) -> None:
    """Exact for any values at all: only which of them is the real one is random."""
    each = [soft_rank(value, np.array(values[:at] + values[at + 1 :])) for at, value in enumerate(values)]
    assert np.mean(each) == pytest.approx(1)
    assert max(each) <= len(values) + 1e-9


def decoys(stakes: list[Round], number: int, seed: int) -> Decoys:
    """New decoys for every shoe."""
    return decoys_for(BACCARAT, CUT, [bool(bets) for bets in stakes], number, seed)


def evs_before(unseen: list[Card]) -> Decimals:
    prices = shoe_prices(BACCARAT)
    found: Decimals = prices.evs(prices.left_of(unseen)[None, :])[0]
    return found


@pytest.mark.parametrize("how", [greedy, slow])
def test_a_counter_is_found_within_a_few_shoes(how: Chooser) -> None:
    """Large stakes or small ones: what counts is that they fit the cards."""
    table = LocalTable(BACCARAT, CUT, 3)
    bot, record = CountingBot(BACCARAT, LIMITS, table.bet, how), CountingRecord()
    while WatchPolicy().step(record.peak) != WARN and record.shoes < 25:
        stakes: list[Round] = []
        evs: list[Decimals] = []
        worth, ended = 0.0, False
        while not ended:
            evs.append(evs_before(bot.unseen or list(pack(*BACCARAT.pack))))
            staked, shown, now = bot.play_round()
            stakes.append(staked)
            worth, ended = worth + now, shown.shoe_ended
        judged = decoys(stakes, 60, record.shoes)
        assert judged.evs.shape[:2] == (60, len(stakes))
        real, _ = judged.worth(stakes, np.array(evs))
        assert real == pytest.approx(worth)
        staked_in_all = sum(sum(bets.values()) for bets in stakes)
        record.record(staked_in_all, real, judged.evidence(stakes, np.array(evs)))
    assert WatchPolicy().step(record.peak) == WARN
    assert record.advantage > 0


def flat(number: int, _won: bool, _last: int, _random: np.random.Generator) -> Round:
    """The same bet in every fifth round."""
    return {} if number % 5 else {"banker": 1_000, "tie-on-7": 100}


def doubling(_number: int, won: bool, last: int, _random: np.random.Generator) -> Round:
    """Doubles after every loss, up to the limit."""
    return {"banker": 200 if won or last >= 25_600 else 2 * last}


def guessing(_number: int, _won: bool, _last: int, random: np.random.Generator) -> Round:
    """Any wagers, any stakes, often none."""
    chosen = random.choice(list(BACCARAT.wagers), max(0, int(random.integers(-6, 4))), replace=False)
    return {str(name): int(random.integers(1, 250)) * 200 for name in chosen}


def late(number: int, _won: bool, _last: int, _random: np.random.Generator) -> Round:
    """Long shots, only at the end of the shoe, when expectations move most."""
    return {"tie-on-1": 50_000, "tie-on-2": 50_000} if number > 50 else {}


@pytest.mark.parametrize("how", [flat, doubling, guessing, late])
def test_players_who_do_not_look_at_the_cards_are_left_alone(how: Callable[..., Round]) -> None:
    """12 shoes of one player each: the mean evidence of a shoe stays near 1, and the fortune below 100."""
    random, table = np.random.default_rng(6), LocalTable(BACCARAT, CUT, 21)
    record, found = CountingRecord(), []
    for _ in range(12):
        stakes: list[Round] = []
        evs: list[Decimals] = []
        unseen = list(pack(*BACCARAT.pack))
        won, last = True, 200
        while unseen:
            evs.append(evs_before(unseen))
            stakes.append(how(len(stakes), won, last, random))
            shown = table.bet(stakes[-1])
            won, last = shown.net > 0, sum(stakes[-1].values())
            for card in shown.cards:
                unseen.remove(card)
            unseen = [] if shown.shoe_ended else unseen
        found.append(decoys(stakes, 25, record.shoes).evidence(stakes, np.array(evs)))
        record.record(0, 0.0, found[-1])
    assert record.peak < 100
    assert np.mean(found) < 1 + 4 * np.std(found) / np.sqrt(len(found))


def test_shoes_that_cannot_be_judged() -> None:
    """No bets, or a length that no other shoe has, say nothing; stakes that do not fit the shoe are refused."""
    evs = np.tile(evs_before(list(pack(*BACCARAT.pack))), (65, 1))
    bet, none = [{"player": 100}] * 65, [dict[str, int]()] * 65
    judged = decoys(bet, 3, 1)
    assert judged.evidence(none, evs) == 1.0
    assert decoys(bet[:3], 3, 1).evidence(bet[:3], evs[:3]) == 1.0
    with pytest.raises(Refused, match="do not fit a shoe of 65 rounds"):
        judged.evidence(bet[:1], evs)
    with pytest.raises(Refused, match="wager 'x' is unknown"):
        judged.evidence([{"x": 1}, *bet[1:]], evs)
    with pytest.raises(Refused, match="give 11 to 415"):
        decoys_for(BACCARAT, 3, [True])
