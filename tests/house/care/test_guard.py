"""Care in the transaction of the bet itself, on both databases: refusals change nothing, counters follow the books."""

import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from api_house import Clock
from direct_house import DATABASES, Guest, audited, new_books
from guests import calmest
from pairhouse.core.errors import Refused
from pairhouse.house.bank import balance_of, change_balance, player_account
from pairhouse.house.care.changes import (
    AnyCareChange,
    ConfirmRaise,
    ExcludeSelf,
    SeeReminder,
    SetLimit,
    SetReminder,
    TakeBreak,
    change_care,
)
from pairhouse.house.care.policy import find_policy
from pairhouse.house.care.records import counters_from_books, read_care
from pairhouse.house.house import House
from pairhouse.house.pace import TooSoon
from pairhouse.house.people import (
    new_session,
    outside_player,
    person_of,
    refill,
    register,
    sign_in,
)
from pairhouse.house.tokens import digest_of, hash_of
from pairhouse.rounds.round_view import RoundView

PAIRE, POKER = "la-paire", "three-card-poker"


@pytest.fixture(params=DATABASES, scope="module")
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(new_books(request.param, tmp_path_factory.mktemp("books")), clock=Clock())
    yield house
    report = audited(house)
    assert report.clean, report.difference
    house.close()


@pytest.fixture
def house(opened: House) -> House:
    return opened


def clock_of(house: House) -> Clock:
    assert isinstance(house.clock, Clock)
    return house.clock


def guest_at(house: House, *tables: str) -> Guest:
    guest = Guest(house, random.Random(4))
    for table in tables or (PAIRE,):
        guest.sit(table)
    return guest


def change(house: House, guest: Guest, *changes: AnyCareChange) -> None:
    for one in changes:
        house.do(partial(change_care, policy=house.pit.guard.policy, player_id=guest.id, change=one))


def later(house: House, guest: Guest, minutes: float) -> None:
    """Time passes, and the player signs in anew."""
    clock_of(house).pass_minutes(minutes)
    guest.token = hash_of(house.do(lambda tx: new_session(tx, guest.id)))


def refused(call: Any, *arguments: Any) -> str:
    with pytest.raises(Refused) as found:
        call(*arguments)
    return found.value.code


def balance(house: House, guest: Guest) -> int:
    with house.database.reading() as tx:
        return balance_of(tx, player_account(guest.id))


def test_losses_stop_at_the_limit_and_nothing_is_taken_beyond(house: House) -> None:
    guest = guest_at(house)
    change(house, guest, SetLimit("loss", "day", 3_000))
    before = balance(house, guest)
    while (
        _try(guest) != "loss-limit"
    ):  # a lucky guest takes some hundred bets to lose so much, for every bet favours the house
        continue
    assert before - 3_000 <= balance(house, guest) < before - 2_500


def test_stakes_of_earlier_today_count_towards_a_limit_that_is_set_now(house: House) -> None:
    guest = guest_at(house)
    for _ in range(4):
        guest.bet(PAIRE, [{"card-2": 500}])
    change(house, guest, SetLimit("stake", "week", 2_500))
    guest.bet(PAIRE, [{"card-2": 500}])
    assert refused(guest.bet, PAIRE, [{"card-2": 500}]) == "stake-limit"


def test_counters_are_what_the_books_say(house: House) -> None:
    guest = guest_at(house, PAIRE, POKER)
    guest.play(POKER, [{"ante": 500}])
    change(house, guest, SetLimit("loss", "month", 900_000))
    for _ in range(3):
        guest.play(PAIRE, [{"card-2": 500, "red": 500}])
        guest.play(POKER, [{"ante": 500, "pairplus": 500}])
    waiting = guest.bet(POKER, [{"ante": 500}])
    if waiting.state == "open":
        house.do(lambda tx: house.pit.void(tx, "tests", waiting.id, "misdeal"))
    with house.database.reading() as tx:
        kept, counted = read_care(tx, guest.id).counters, counters_from_books(tx, guest.id, house.clock())
    assert (kept.day.stake, kept.day.loss) == (counted.day.stake, counted.day.loss)
    assert kept.month == counted.month


def play_out(guest: Guest, view: RoundView) -> None:
    while view.state == "open":
        assert view.view.awaiting is not None
        view = guest.choose(view, calmest(view.view.awaiting["options"]))


@pytest.mark.parametrize("is_set_first", [True, False])
@pytest.mark.parametrize("ends", ["open", "tomorrow", "void"])
def test_a_pair_that_is_paid_before_its_hand_is_played_counts_when_it_is_paid(
    house: House, is_set_first: bool, ends: str
) -> None:
    """[PV3-17] Limits and the audit count it while the round is open, on the day it was paid, and after a void."""
    guest = guest_at(house, "pair-v3-6")
    limit = SetLimit("loss", "day", 9_000_000)
    day_ms = 24 * 60 * 60_000
    later(house, guest, (day_ms - clock_of(house)() % day_ms) / 60_000 - 1)
    if is_set_first:
        change(house, guest, limit)
    waiting = None
    while waiting is None:
        before = balance(house, guest)
        dealt = guest.bet("pair-v3-6", [{"main": 200, "pair": 200}])
        if dealt.state == "open" and dealt.balance > before - 400:
            waiting = dealt
        else:
            play_out(guest, dealt)
    if not is_set_first:
        change(house, guest, limit)
    if ends == "tomorrow":
        later(house, guest, 2)
        play_out(guest, waiting)
    elif ends == "void":
        house.do(lambda tx: house.pit.void(tx, "tests", waiting.id, "misdeal"))
    report = audited(house)
    assert report.clean, report.difference
    with house.database.reading() as tx:
        kept, counted = read_care(tx, guest.id).counters, counters_from_books(tx, guest.id, house.clock())
    assert (kept.day.stake, kept.day.loss) == (counted.day.stake, counted.day.loss)


def test_a_choice_beyond_the_limit_is_refused_and_the_round_goes_on(house: House) -> None:
    guest = guest_at(house, "pair-v3-6")
    change(house, guest, SetLimit("stake", "day", 20_000))
    while True:
        view = guest.bet("pair-v3-6", [{"main": 1_000}])
        if view.view.awaiting is not None and "double" in view.view.awaiting["options"]:
            break
        while view.view.awaiting is not None:
            view = guest.choose(view, calmest(view.view.awaiting["options"]))
    change(house, guest, SetLimit("stake", "day", 1_000))
    assert refused(guest.choose, view, "double") == "stake-limit"
    assert guest.choose(view, "stand").state == "settled"


def test_a_bet_is_refused_when_the_play_bet_would_not_fit(house: House) -> None:
    guest = guest_at(house, POKER)
    change(house, guest, SetLimit("loss", "day", 1_500))
    assert refused(guest.bet, POKER, [{"ante": 1_000}]) == "loss-limit"
    view = guest.bet(POKER, [{"ante": 500}])
    assert guest.choose(view, "play").state == "settled"


def test_a_raise_does_nothing_before_the_wait_nor_without_confirmation(house: House) -> None:
    guest = guest_at(house)
    change(house, guest, SetLimit("loss", "month", 0), SetLimit("loss", "month", 90_000))
    for minutes in (0, 23 * 60):
        later(house, guest, minutes)
        assert refused(change, house, guest, ConfirmRaise("loss", "month")) == "cooling-off"
        assert _try(guest) == "loss-limit"
    later(house, guest, 61)
    assert _try(guest) == "loss-limit"
    change(house, guest, ConfirmRaise("loss", "month"))
    guest.bet(PAIRE, [{"card-2": 500}])


def _try(guest: Guest) -> str | None:
    try:
        guest.bet(PAIRE, [{"card-2": 500}])
    except Refused as refusal:
        return refusal.code
    return None


def fill(house: House, guest: Guest, number: int) -> None:
    """Take all play money away, beside the books, and have it filled up again."""
    house.do(lambda tx: change_balance(tx, player_account(guest.id), 0, -balance_of(tx, player_account(guest.id))))
    house.do(lambda tx: refill(tx, person_of(tx, guest.token, tx.now), 0, f"refill:{guest.id}:{number}"))


def put_back(house: House, guest: Guest, times: int) -> None:
    """What was taken away so often comes back, so that the balance is what the transfers say."""
    house.do(lambda tx: change_balance(tx, player_account(guest.id), 0, times * 100_000))


def test_deposits_are_limited(house: House) -> None:
    guest = guest_at(house)
    change(house, guest, SetLimit("deposit", "day", 150_000))
    fill(house, guest, 1)
    assert refused(fill, house, guest, 2) == "deposit-limit"
    put_back(house, guest, 2)


def test_a_reminder_holds_the_next_bet_until_it_was_seen(house: House) -> None:
    guest = guest_at(house)
    change(house, guest, SetReminder(10))
    guest.bet(PAIRE, [{"card-2": 500}])
    clock_of(house).pass_minutes(10)
    assert refused(guest.bet, PAIRE, [{"card-2": 500}]) == "reality-check"
    change(house, guest, SeeReminder())
    guest.bet(PAIRE, [{"card-2": 500}])


def test_a_break_ends_by_itself_and_cannot_be_shortened(house: House) -> None:
    guest = guest_at(house)
    change(house, guest, TakeBreak(48))
    assert refused(guest.bet, PAIRE, [{"card-2": 500}]) == "on-break"
    assert refused(change, house, guest, TakeBreak(1)) == "not-shorter"
    later(house, guest, 48 * 60)
    guest.bet(PAIRE, [{"card-2": 500}])


def test_an_open_round_is_finished_after_a_self_exclusion(house: House) -> None:
    guest = guest_at(house, PAIRE, POKER)
    view = guest.bet(POKER, [{"ante": 500}])
    change(house, guest, ExcludeSelf(6))
    assert refused(guest.bet, PAIRE, [{"card-2": 500}]) == "self-excluded"
    assert guest.choose(view, "play").state == "settled"
    assert refused(guest.bet, POKER, [{"ante": 500}]) == "self-excluded"
    for other in (SetLimit("loss", "day", 500), SetReminder(None), TakeBreak(1)):
        change(house, guest, other)
        assert refused(guest.bet, PAIRE, [{"card-2": 500}]) == "self-excluded"


def named(house: House, name: str) -> Guest:
    guest = Guest.__new__(Guest)
    guest.house, guest.rng, guest.count = house, random.Random(1), 0
    guest.token = hash_of(house.do(lambda tx: register(tx, name, "x")))
    guest.id = house.do(lambda tx: person_of(tx, guest.token, tx.now).id)
    return guest


def test_signing_in_says_why_and_until_when(house: House) -> None:
    guest = named(house, "Grace")
    change(house, guest, ExcludeSelf(6))
    with pytest.raises(Refused, match="you have excluded yourself from play until 20") as found:
        house.do(lambda tx: sign_in(tx, "Grace", digest_of("x")))
    assert found.value.code == "self-excluded"
    assert refused(house.do, lambda tx: register(tx, "grace", "x")) == "self-excluded"


def test_a_player_with_an_open_round_may_come_in_to_finish_it(house: House) -> None:
    guest = named(house, "Edith")
    guest.sit(POKER)
    view = guest.bet(POKER, [{"ante": 500}])
    change(house, guest, ExcludeSelf(6))
    token = house.do(lambda tx: sign_in(tx, "Edith", digest_of("x")))
    assert isinstance(token, str)
    guest.token = hash_of(token)
    guest.choose(view, "fold")
    assert refused(house.do, lambda tx: sign_in(tx, "Edith", digest_of("x"))) == "self-excluded"


def test_an_operators_player_stays_excluded_whatever_token_comes(house: House) -> None:
    guest = Guest.__new__(Guest)
    _, guest.id = house.do(lambda tx: outside_player(tx, "acme", "alice", b"first"))
    change(house, guest, ExcludeSelf(6))
    assert refused(house.do, lambda tx: outside_player(tx, "acme", "alice", b"second")) == "self-excluded"
    house.do(lambda tx: outside_player(tx, "acme", "bob", b"third"))


@pytest.mark.parametrize("kind", DATABASES)
def test_the_longer_of_two_paces_is_told_at_once(kind: str, tmp_path: Path) -> None:
    """Not first the second that the table asks for, and then the four that the policy asks for beyond it."""
    now = [1_800_000_000_000]
    house = House(new_books(kind, tmp_path), clock=lambda: now[0], policy=find_policy("uk"), round_ms_min=1_000)
    guest = guest_at(house, PAIRE)
    guest.bet(PAIRE, [{"card-2": 500}])
    now[0] += 500
    with pytest.raises(TooSoon) as told:
        guest.bet(PAIRE, [{"card-2": 500}])
    assert told.value.wait_ms == 4_500


@pytest.mark.parametrize("kind", DATABASES)
def test_under_the_uk_policy_rounds_wait_five_seconds_and_reminders_come(kind: str, tmp_path: Path) -> None:
    house = House(new_books(kind, tmp_path), clock=Clock(), policy=find_policy("uk"))
    guest = guest_at(house, PAIRE, "nepal-super-baccarat")
    guest.bet(PAIRE, [{"card-2": 500}])
    assert refused(guest.bet, PAIRE, [{"card-2": 500}]) == "too-soon"
    assert refused(guest.bet, "nepal-super-baccarat", [{"banker": 200}]) == "too-soon"
    clock_of(house).pass_minutes(5 / 60)
    guest.bet("nepal-super-baccarat", [{"banker": 200}])
    clock_of(house).pass_minutes(29)
    guest.bet(PAIRE, [{"card-2": 500}])
    clock_of(house).pass_minutes(30)
    guest.bet(PAIRE, [{"card-2": 500}])
    clock_of(house).pass_minutes(1)
    assert refused(guest.bet, PAIRE, [{"card-2": 500}]) == "reality-check"
    assert audited(house).clean
    house.close()


def test_a_session_is_over_when_the_policy_says_so(tmp_path: Path) -> None:
    house = House(new_books("sqlite", tmp_path), clock=Clock(), policy=find_policy("social"))
    guest = guest_at(house)
    for _ in range(13):
        clock_of(house).pass_minutes(29)
        if _try(guest) == "reality-check":
            change(house, guest, SeeReminder())
    assert refused(guest.bet, PAIRE, [{"card-2": 500}]) == "session-over"
    later(house, guest, 1)
    guest.bet(PAIRE, [{"card-2": 500}])
    house.close()


TODAY = "json_extract(counters, '$.day.start')"


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE care SET settings = replace(settings, '\"loss-day\":500', '\"loss-day\":900')", "what player"),
        ("UPDATE care SET counters = replace(counters, '\"stake\":', '\"stake\":1')", "stakes and losses"),
        ("UPDATE care SET counters = replace(counters, '\"loss\":', '\"loss\":-')", "stakes and losses"),
        ("UPDATE care SET counters = '{}'", "nothing counts towards them"),
        (f"UPDATE care SET counters = json_set(counters, '$.day.start', {TODAY} - 86400000)", "since when it counts"),
        (
            f"UPDATE care SET counters = json_set(counters, '$.day', json_object('start', {TODAY} + 86399999))",
            "since when",
        ),
        ('UPDATE care SET settings = \'{"limits":{"loss-day":900}}\'', "no event tells of any of it"),
        ("DELETE FROM care", "changes of players' limits"),
        ("UPDATE exclusions SET until_at = until_at - 1", "exclusion"),
        ("DELETE FROM exclusions", "the events tell of 1 exclusions"),
    ],
)
def test_the_audit_finds_a_limit_or_an_exclusion_that_was_altered(tmp_path: Path, statement: str, says: str) -> None:
    house = House(new_books("sqlite", tmp_path), clock=Clock())
    guest = guest_at(house)
    change(house, guest, SetLimit("loss", "day", 500))
    lost = next(view for _ in range(100) if (view := guest.bet(PAIRE, [{"card-2": 200}])).returned == 0)
    assert lost.staked == 200
    change(house, guest, SetReminder(30), ExcludeSelf(6))
    assert audited(house).clean
    house.do(lambda tx: tx.raw(statement))
    report = audited(house)
    assert not report.clean
    assert says in str(report.difference)
    house.close()


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE care SET counters = json_set(counters, '$.day.deposit', 0)", "deposits is 0"),
        ("UPDATE care SET counters = json_set(counters, '$.month.deposit', 200000)", "deposits is 200000"),
        ("DELETE FROM care", "how many players' are counted"),
    ],
)
def test_the_audit_finds_deposits_that_count_no_more(tmp_path: Path, statement: str, says: str) -> None:
    house = House(new_books("sqlite", tmp_path), clock=Clock())
    guest = guest_at(house)
    for number in range(2):
        fill(house, guest, number)
        later(house, guest, 24 * 60)
    fill(house, guest, 2)
    put_back(house, guest, 3)
    report = audited(house)
    assert report.clean, report.difference
    house.do(lambda tx: tx.raw(statement))
    assert says in str(audited(house).difference)
    house.close()


def test_a_limit_set_after_the_clock_was_set_back_makes_no_difference_in_the_books(house: House) -> None:
    """What was played tomorrow counts tomorrow."""
    guest = guest_at(house)
    later(house, guest, 24 * 60)
    guest.bet(PAIRE, [{"card-2": 500}])
    clock_of(house).pass_minutes(-24 * 60)
    change(house, guest, SetLimit("loss", "day", 100_000))
    report = audited(house)
    assert report.clean, report.difference


def test_a_clock_that_is_set_back_over_midnight_makes_no_difference_in_the_books(house: House) -> None:
    """Rounds of the evening before then count towards the new day, which is on the safe side."""
    guest = guest_at(house)
    change(house, guest, SetLimit("loss", "day", 100_000))
    day_ms = 24 * 60 * 60_000
    later(house, guest, (day_ms - clock_of(house)() % day_ms) / 60_000 - 5)
    for minutes in (10, -10, 10):
        guest.bet(PAIRE, [{"card-2": 500}])
        clock_of(house).pass_minutes(minutes)
    report = audited(house)
    assert report.clean, report.difference
