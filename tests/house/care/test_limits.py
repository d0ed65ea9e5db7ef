"""Limits: what counts, what fits, how they are lowered at once and raised late. Laws for any sequence of both."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairhouse.core.errors import Refused
from pairhouse.core.money import STAKE_MAX
from pairhouse.games.catalogue import find
from pairhouse.house.care.limits import (
    KINDS,
    PAUSE_MS,
    CareSettings,
    Counters,
    at,
    check_deposit,
    check_stakes,
    check_time,
    counted,
    lefts,
    room_for_choices,
    with_confirmed,
    with_limit,
)
from pairhouse.house.care.periods import DAY_MS, HOUR_MS, MINUTE_MS, PERIODS, period_start

NOW = 1_800_000_000_000 - 1_800_000_000_000 % DAY_MS + 9 * HOUR_MS  # nine in the morning
WAIT_MS = 24 * HOUR_MS


def limited(**limits: int) -> CareSettings:
    return CareSettings(limits={name.replace("_", "-"): value for name, value in limits.items()})


def code_of(call: Any, *arguments: Any) -> str:
    with pytest.raises(Refused) as refused:
        call(*arguments)
    return refused.value.code


def test_losses_stakes_and_deposits_are_counted_in_every_period() -> None:
    counters = counted(Counters(), NOW, staked=500, returned=200)
    counters = counted(counters, NOW + 1, deposit=9_000, is_play=False)
    for period in PERIODS:
        spent = counters.of(period)
        assert (spent.loss, spent.stake, spent.deposit) == (300, 500, 9_000)
    tomorrow = at(counters, NOW + DAY_MS)
    assert (tomorrow.day.loss, tomorrow.week.loss) == (0, 300)


def test_a_clock_that_is_set_back_gives_nothing_back() -> None:
    counters = counted(Counters(), NOW, staked=500)
    assert at(counters, NOW - 40 * DAY_MS) == counters


def test_a_stake_must_fit_and_the_sentence_says_what_is_left() -> None:
    settings, counters = limited(loss_day=1_000), counted(Counters(), NOW, staked=700)
    check_stakes(settings, counters, NOW, 300)
    with pytest.raises(Refused) as refused:
        check_stakes(settings, counters, NOW, 301)
    assert refused.value.code == "loss-limit"
    assert str(refused.value).startswith("a stake of 3.01 is over your loss limit of 10.00 a day; 3.00 is left until")
    with pytest.raises(Refused, match=r"^a stake of 0\.01 is over your loss limit of 5\.00 a day; 0\.00 is left until"):
        check_stakes(limited(loss_day=500), counters, NOW, 1)


def test_limits_of_another_kind_do_not_hide_one_that_binds() -> None:
    counters = counted(Counters(), NOW, staked=700)
    settings = limited(deposit_day=60, time_day=60, stake_month=900, loss_month=5_000)
    check_stakes(settings, counters, NOW, 200)
    assert code_of(check_stakes, settings, counters, NOW, 201) == "stake-limit"


def test_a_deposit_is_no_time_at_play() -> None:
    played = counted(counted(Counters(), NOW), NOW + 2 * MINUTE_MS)
    paid_in = counted(played, NOW + 4 * MINUTE_MS, deposit=100, is_play=False)
    assert [paid_in.of(period).time for period in PERIODS] == [played.of(period).time for period in PERIODS]
    assert played.day.time == 2 * MINUTE_MS


def test_what_was_won_may_be_lost_again_but_not_staked_again() -> None:
    counters = counted(Counters(), NOW, staked=1_000, returned=5_000)
    check_stakes(limited(loss_day=1_000), counters, NOW, 5_000)
    assert code_of(check_stakes, limited(loss_day=1_000), counters, NOW, 5_001) == "loss-limit"
    assert code_of(check_stakes, limited(stake_day=1_000), counters, NOW, 1) == "stake-limit"


def test_deposits_count_whatever_was_won() -> None:
    settings, counters = limited(deposit_week=10_000), counted(Counters(), NOW, deposit=9_000)
    counters = counted(counters, NOW, staked=100, returned=90_000)
    check_deposit(settings, counters, NOW, 1_000)
    with pytest.raises(
        Refused, match=r"^a deposit of 10\.01 is over your deposit limit of 100\.00 a week; 10\.00"
    ) as over:
        check_deposit(settings, counters, NOW, 1_001)
    assert over.value.code == "deposit-limit"


def test_time_counts_from_act_to_act_and_pauses_do_not() -> None:
    settings, counters, now = limited(time_day=10), Counters(), NOW
    for _ in range(10):
        check_time(settings, counters, now)
        counters = counted(counters, now, staked=1)
        now += MINUTE_MS
    assert code_of(check_time, settings, counters, now) == "time-limit"
    with pytest.raises(
        Refused, match=r"^you have played 10 minutes this day, and your limit is 10; you can play on from "
    ):
        check_time(settings, counters, now)
    assert lefts(settings, counters, now)[0].used == 10
    rested = counted(counters, now + PAUSE_MS, staked=1)
    assert rested.day.time == 9 * MINUTE_MS
    check_time(settings, rested, now + DAY_MS)


def test_a_bet_leaves_room_for_the_play_bet_it_may_need() -> None:
    poker = find("three-card-poker").variant()
    assert room_for_choices(poker, [{"ante": 1_000, "pairplus": 500}]) == 1_000
    assert room_for_choices(poker, [{"pairplus": 500}]) == 0
    for rounding, insurance in (("down", 512), ("up", 513)):
        assert room_for_choices(find("blackjack").variant({"rounding": rounding}), [{"main": 1_025}]) == insurance
    assert room_for_choices(find("la-paire").variant(), [{"card-A": 500}]) == 0
    assert room_for_choices(find("blackjack-poker-pairs").variant(), [{"main": 1_000}, {"main": 400}]) == 700
    with pytest.raises(Refused, match=r"and 10\.00 the round may ask for next"):
        check_stakes(limited(stake_day=1_500), Counters(), NOW, 1_000, 1_000)


@pytest.mark.parametrize(
    ("kind", "period", "limit", "code", "says"),
    [
        (
            "luck",
            "day",
            1,
            "unknown-limit",
            "no 'luck' limit by 'day'; limits are deposit, loss, stake or time, each by",
        ),
        ("loss", "year", 1, "unknown-limit", "no 'loss' limit by 'year'; limits are"),
        ("loss", "day", -1, "bad-limit", f"a limit of -1 is not possible; give 0 to {STAKE_MAX} minor units"),
        ("loss", "day", STAKE_MAX + 1, "bad-limit", f"a limit of {STAKE_MAX + 1} is not possible"),
        ("time", "day", 0, "bad-limit", "a time limit of 0 minutes is not possible; give 1 to 1440 minutes a day"),
        ("time", "day", 1_441, "bad-limit", "a time limit of 1441 minutes is not possible"),
        ("loss", "day", None, "not-needed", "there is no loss limit a day to take away"),
    ],
)
def test_limits_that_cannot_be(kind: str, period: str, limit: int | None, code: str, says: str) -> None:
    with pytest.raises(Refused) as refused:
        with_limit(CareSettings(), kind, period, limit, NOW, WAIT_MS)
    assert refused.value.code == code
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("kind", "limit"), [("loss", 0), ("deposit", 1), ("stake", STAKE_MAX), ("time", 1), ("time", 1_440)]
)
def test_the_least_and_the_highest_limit_there_is(kind: str, limit: int) -> None:
    assert with_limit(CareSettings(), kind, "day", limit, NOW, WAIT_MS).limits == {f"{kind}-day": limit}


def test_lower_holds_at_once_and_higher_waits_and_is_confirmed() -> None:
    settings = with_limit(CareSettings(), "loss", "day", 1_000, NOW, WAIT_MS)
    settings = with_limit(settings, "loss", "day", 500, NOW, WAIT_MS)
    assert settings.limits == {"loss-day": 500}
    settings = with_limit(settings, "loss", "day", 2_000, NOW, WAIT_MS)
    assert settings.limits == {"loss-day": 500}
    assert code_of(with_confirmed, settings, "loss", "day", NOW + WAIT_MS - 1) == "cooling-off"
    raised = with_confirmed(settings, "loss", "day", NOW + WAIT_MS)
    assert (raised.limits, raised.raises) == ({"loss-day": 2_000}, {})
    assert code_of(with_confirmed, raised, "loss", "day", NOW + 9 * WAIT_MS) == "no-raise"


def test_asking_again_waits_again_and_lowering_withdraws() -> None:
    settings = limited(loss_day=500)
    asked = with_limit(settings, "loss", "day", 900, NOW, WAIT_MS)
    again = with_limit(asked, "loss", "day", 800, NOW + HOUR_MS, WAIT_MS)
    assert code_of(with_confirmed, again, "loss", "day", NOW + WAIT_MS) == "cooling-off"
    assert with_limit(asked, "loss", "day", 500, NOW, WAIT_MS).raises == {}
    without = with_limit(settings, "loss", "day", None, NOW, WAIT_MS)
    assert with_confirmed(without, "loss", "day", NOW + WAIT_MS).limits == {}


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["set", "confirm"]),
        st.sampled_from(KINDS),
        st.sampled_from(PERIODS),
        st.none() | st.integers(1, 1_000),
        st.integers(-2 * DAY_MS, 2 * DAY_MS),
    ),
    max_size=25,
)


@given(STEPS)
def test_no_limit_is_ever_raised_before_its_wait_is_over(steps: list[tuple[str, str, str, int | None, int]]) -> None:
    settings, now = CareSettings(), NOW
    for what, kind, period, limit, passed in steps:
        now += passed
        before, name = settings, f"{kind}-{period}"
        try:
            if what == "set":
                settings = with_limit(settings, kind, period, limit, now, WAIT_MS)
            else:
                settings = with_confirmed(settings, kind, period, now)
        except Refused:
            assert settings == before
            continue
        assert settings.version == before.version + 1
        for other in before.limits:
            is_higher = settings.limits.get(other, 10**18) > before.limits[other]
            if is_higher:
                asked = before.raises[other]
                assert (what, other) == ("confirm", name)
                assert settings.limits.get(other) == asked.limit
                assert now >= asked.asked_at + WAIT_MS


BETS = st.lists(st.tuples(st.integers(1, 400), st.integers(0, 900), st.integers(-DAY_MS, DAY_MS)), max_size=40)


@given(BETS, st.sampled_from(PERIODS), st.integers(0, 2_000))
def test_no_sequence_of_bets_and_clock_steps_loses_more_than_the_limit(
    bets: list[tuple[int, int, int]], period: str, limit: int
) -> None:
    settings, counters, now, latest = limited(**{f"loss_{period}": limit}), Counters(), NOW, NOW
    lost: dict[int, int] = {}
    for stake, returned, passed in bets:
        now += passed
        latest = max(latest, now)
        window = period_start(period, latest)
        try:
            check_stakes(settings, counters, now, stake)
        except Refused:
            continue
        counters = counted(counters, now, staked=stake, returned=returned)
        lost[window] = lost.get(window, 0) + stake
        assert lost[window] <= limit
        lost[window] -= returned
