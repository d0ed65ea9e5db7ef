"""Evidence keeps its error rate: exact expectations, long honest runs of every game, and cheats that are found."""

from fractions import Fraction
from functools import lru_cache
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairhouse.analysis.exact.prices import nets
from pairhouse.analysis.protect.evidence import BILLION, PARTS, Evidence, Odds, RoundTerms, Stakes, WagerOdds, merged
from pairhouse.analysis.protect.rule_book import fresh_tally
from pairhouse.analysis.protect.watch import odds_of
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find

BACCARAT = find("nepal-super-baccarat").variant()
COIN = WagerOdds(Fraction(-1, 10), Fraction(-1), Fraction(1), Fraction(99, 100))


@lru_cache(maxsize=8)
def odds(game: str) -> Odds:
    return odds_of(find(game).variant())


@lru_cache(maxsize=64)
def chances(game: str, stakes: Stakes) -> tuple[np.ndarray, np.ndarray]:
    """Every net result of these stakes in a round, in minor units, with its chance from a fresh shuffle."""
    tally = fresh_tally(find(game).variant())
    each = {name: nets(tally, name) for name, _ in stakes}
    found: dict[int, int] = {}
    for story, ways in tally.stories.items():
        net = int(sum(stake * each[name][story] for name, stake in stakes))
        found[net] = found.get(net, 0) + ways
    return np.array(list(found)), np.array([ways / tally.total for ways in found.values()])


def fortune(record: Evidence) -> tuple[float, float]:
    """Both fortunes as they stand."""
    now = Evidence.from_row(record.row())
    now.close_shoe()
    return sum(now.up) + now.reserve, sum(now.down) + now.reserve


any_stakes = st.dictionaries(
    st.sampled_from(list(BACCARAT.wagers)), st.integers(1, 50_000).map(lambda steps: 2 * steps), min_size=1, max_size=4
).map(lambda bets: tuple(bets.items()))


@given(st.lists(any_stakes, min_size=1, max_size=5), st.randoms(use_true_random=False), st.booleans())
def test_no_round_makes_a_fortune_grow_or_shrink_on_average(rounds: list[Stakes], random, in_shoe: bool) -> None:  # type: ignore[no-untyped-def]
    """Whatever came before and whatever is staked: the mean over every ordered deal is what it was, on both sides."""
    record = Evidence()
    table, shoe = odds("nepal-super-baccarat"), "first" if in_shoe else None
    for stakes in rounds[:-1]:
        record.record(table.terms(stakes), int(random.choice(chances("nepal-super-baccarat", stakes)[0])), shoe=shoe)
    before = fortune(record)
    results, likely = chances("nepal-super-baccarat", rounds[-1])
    after = []
    for net in results:
        next_one = Evidence.from_row(record.row())
        next_one.record(table.terms(rounds[-1]), int(net), shoe=shoe)
        after.append(fortune(next_one))
        assert min(*next_one.up, *next_one.down) >= -1e-9
    assert likely @ np.array(after) == pytest.approx(before, rel=1e-9)


@given(st.lists(st.tuples(st.fractions(-2, 50), st.integers(1, 100)), min_size=1, max_size=6))
def test_any_distribution_with_a_lower_mean_makes_the_first_fortune_shrink(endings: list[tuple[Fraction, int]]) -> None:
    """Worse or wilder play than the best is no reason for an alarm: only the mean and the least net count."""
    total = sum(ways for _, ways in endings)
    mean = sum((net * ways for net, ways in endings), Fraction(0)) / total
    table = Odds({"bet": WagerOdds(mean + Fraction(1, 100), Fraction(-2), Fraction(50), Fraction(1), chosen=True)})
    terms = table.terms((("bet", 10_000),))
    after = 0.0
    for net, ways in endings:
        record = Evidence()
        record.record(terms, int(net * 10_000), 0)
        after += ways / total * fortune(record)[0]
    assert after <= 1 + 1e-6


def fortunes(terms: list[RoundTerms], results: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The peaks of many records at once: `results` holds a row of nets for each round, a column for each record."""
    up, down = np.zeros((PARTS, results.shape[1])), np.zeros((PARTS, results.shape[1]))
    reserve, up_peak, down_peak = 1.0, np.ones(results.shape[1]), np.ones(results.shape[1])
    for number, nets_now in enumerate(results):
        now = terms[number % len(terms)]
        kept = (1 + log2(1 + number)) / (1 + log2(2 + number))
        more, reserve = reserve * (1 - kept) / PARTS, reserve * kept
        up = (up + more) * (1 + np.outer(now.up_steps, nets_now - now.expected))
        fixed = nets_now if now.unchosen is None else 0 * nets_now  # all wagers of a plan have a choice, or none has
        down = (down + more) * (1 + np.outer(now.down_steps, now.unchosen_expected - fixed))
        np.maximum(up_peak, up.sum(axis=0) + reserve, out=up_peak)
        np.maximum(down_peak, down.sum(axis=0) + reserve, out=down_peak)
    return up_peak, down_peak


def sampled(game: str, plan: list[Stakes], rounds: int, records: int, seed: int) -> np.ndarray:
    """Honest rounds from the exact distribution of each set of stakes, in turn."""
    random = np.random.default_rng(seed)
    found = np.zeros((rounds, records))
    for at, stakes in enumerate(plan):
        results, likely = chances(game, stakes)
        shape = found[at :: len(plan)].shape
        found[at :: len(plan)] = results[np.searchsorted(np.cumsum(likely), random.random(shape) * (1 - 1e-12))]
    return found


PLANS: dict[str, list[Stakes]] = {
    "nepal-super-baccarat": [(("player", 1_000),), (("banker", 50_000), ("tie-on-1", 200)), (("lucky-6", 5_000),)],
    "la-paire": [(("card-A", 1_000),), (("card-A", 40_000), ("any-paire", 100))],
    "three-card-poker": [(("ante", 1_000),), (("ante", 50_000), ("pairplus", 20_000))],
    "blackjack-poker-pairs": [(("pairs", 1_000), ("poker", 500)), (("poker", 30_000),)],
    "pair-v3": [(("pair", 1_000),), (("pair", 50_000),)],
}


def alarms(game: str, rounds: int) -> tuple[int, int]:
    """How many of 40 honest records ever reach 1 in 10, on either side."""
    table = odds(game)
    up, down = fortunes([table.terms(stakes) for stakes in PLANS[game]], sampled(game, PLANS[game], rounds, 40, 11))
    return int((up >= 10).sum()), int((down >= 10).sum())


@pytest.mark.parametrize(("game", "rounds"), [(game, 100_000 if "super" in game else 10_000) for game in PLANS])
def test_long_honest_play_seldom_raises_an_alarm(game: str, rounds: int) -> None:
    """Four alarms in 40 are expected at most; 13 would come less than once in 2,000 times."""
    assert max(alarms(game, rounds)) <= 12


@pytest.mark.slow
@pytest.mark.parametrize("game", list(PLANS))
def test_longer_honest_play_seldom_raises_an_alarm(game: str) -> None:
    assert max(alarms(game, 100_000)) <= 12


def test_many_records_at_once_are_what_one_record_is() -> None:
    plan = PLANS["nepal-super-baccarat"]
    terms = [odds("nepal-super-baccarat").terms(stakes) for stakes in plan]
    results = sampled("nepal-super-baccarat", plan, 300, 2, 4)
    peaks = fortunes(terms, results)
    for column in (0, 1):
        record = Evidence()
        for number, net in enumerate(results[:, column]):
            record.record(terms[number % len(terms)], int(net))
        assert record.up_peak == pytest.approx(peaks[0][column])
        assert record.down_peak == pytest.approx(peaks[1][column])


def alarm_after(terms: RoundTerms, results: list[int], honest: int = 0) -> int:
    """How many dishonest rounds it takes to 1 in 1,000,000, after some honest ones."""
    record = Evidence()
    random = np.random.default_rng(1)
    for net in random.choice([1_000, -1_000], honest, p=[0.45, 0.55]):
        record.record(terms, int(net))
    for number, net in enumerate(results, 1):
        record.record(terms, net)
        if record.up_peak >= 1e6 or record.down_peak >= 1e6:
            return number
    raise AssertionError("not found")


def test_cheats_are_found_and_so_is_broken_dealing() -> None:
    """Somebody who knows every card, one who wins 60 % of even bets, and a house whose players never win."""
    terms = Odds({"bet": COIN}).terms((("bet", 1_000),))
    assert alarm_after(terms, [1_000] * 100) <= 45
    sixty = np.random.default_rng(2).choice([1_000, -1_000], 20_000, p=[0.6, 0.4]).tolist()
    assert alarm_after(terms, sixty) <= 2_000
    assert alarm_after(terms, [-1_000] * 100) <= 60
    assert alarm_after(terms, [1_000] * 200, honest=20_000) <= 90
    long_shot = odds("nepal-super-baccarat").terms((("tie-on-1", 50_000),))
    assert alarm_after(long_shot, [10_000_000] * 10) <= 5


def test_sums_are_exact_and_z_uses_the_exact_covariance() -> None:
    """Banker and Player at once: expectations add up; what one wins the other mostly loses, so they vary little."""
    table, stakes = odds("nepal-super-baccarat"), (("player", 1_000), ("banker", 1_000))
    record = Evidence()
    for _ in range(100):
        record.record(table.terms(stakes), -500, advantage=1.25)
    results, likely = chances("nepal-super-baccarat", stakes)
    mean = float(results @ likely)
    assert record.expected_billionths / BILLION == pytest.approx(100 * mean)
    assert record.variance == pytest.approx(100 * float((results - mean) ** 2 @ likely), rel=1e-4)
    assert record.z == pytest.approx((-50_000 - 100 * mean) / record.variance**0.5)
    assert (record.rounds, record.staked, record.net) == (100, 200_000, -50_000)
    assert record.advantage_billionths == 125 * BILLION
    apart = Odds(table.wagers).terms(stakes)
    assert apart.variance > table.terms(stakes).variance
    assert Evidence().z is None


def test_a_stored_record_goes_on_anywhere() -> None:
    terms = odds("nepal-super-baccarat").terms((("player", 1_000),))
    here, there = Evidence(), Evidence()
    for number in range(50):
        net, shoe = (1_000, -1_000)[number % 3 == 0], f"shoe {number // 20}" if number < 45 else None
        here.record(terms, net, shoe=shoe)
        there.record(terms, net, shoe=shoe)
        assert len(there.row()) < 1_000
        there = Evidence.from_row(there.row())
    assert here == there
    with pytest.raises(Refused, match="not a stored record"):
        Evidence.from_row(b"nonsense")


def test_two_records_are_read_as_one() -> None:
    """Sums add up, fortunes of each scale multiply; a record that says nothing changes nothing."""
    terms = Odds({"bet": COIN}).terms((("bet", 1_000),))
    parts = [Evidence(), Evidence()]
    for _ in range(12):
        for part in parts:
            part.record(terms, 1_000)
    both = merged(*parts)
    assert (both.rounds, both.net) == (24, 24_000)
    assert both.up_peak > 10 * max(part.up_peak for part in parts)
    assert merged(parts[0], Evidence()).up == pytest.approx(parts[0].up)
    whole = [(PARTS * a + part.reserve) for part in parts for a in part.up]
    pairs = zip(whole[:PARTS], whole[PARTS:], strict=True)
    assert both.up_peak == pytest.approx(sum(a * b for a, b in pairs) / PARTS)


def test_what_cannot_be_recorded_is_refused() -> None:
    with pytest.raises(Refused, match="wager 'x' is unknown"):
        odds("nepal-super-baccarat").terms((("x", 1),))
    chosen = Odds({"bet": COIN._replace(chosen=True)}).terms((("bet", 100),))
    with pytest.raises(Refused, match="unchosen_net"):
        Evidence().record(chosen, 100)
