"""Free bets: granted, staked, given back and ended; never money, never below zero; on both databases."""

import random
from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from direct_house import DATABASES, TABLES, Guest, audited, new_books, random_seats
from pairhouse.core.errors import Refused
from pairhouse.house.bank import balance_of, player_account
from pairhouse.house.care.changes import SetLimit, change_care
from pairhouse.house.care.policy import NO_POLICY
from pairhouse.house.commands import RoundBet
from pairhouse.house.free_bets import (
    FreeBet,
    FreeBetTerms,
    FreeStake,
    Scope,
    expire,
    free_bets_of,
    free_bets_over,
    grant,
    paid_and_back,
    withdraw,
)
from pairhouse.house.history import past_rounds, totals_between
from pairhouse.house.house import House
from pairhouse.house.store.writer import Writer
from pairhouse.rounds.round_view import FreeBetUse, RoundView

BACCARAT, POKER, BLACKJACK = "nepal-super-baccarat", "three-card-poker", "blackjack-poker-pairs"
DAY_MS = 24 * 3_600_000


@pytest.fixture(scope="module", params=DATABASES)
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("free-bets")
    opened = House(new_books(request.param, folder))
    opened.pit.round_ms_min = 0
    yield opened
    report = audited(opened)
    assert report.clean, report.difference
    opened.close()


@pytest.fixture
def guest(house: House) -> Guest:
    return player(house, 3)


def player(house: House, seed: int) -> Guest:
    made = Guest(house, random.Random(seed))
    for table in (BACCARAT, POKER, BLACKJACK):
        made.sit(table)
    return made


def granted(guest: Guest, amount: int = 5_000, key: str | None = None, days: int = 7, **other: Any) -> FreeBet:
    terms = FreeBetTerms(guest.id, amount, days, **other)
    found: FreeBet = guest.house.do(lambda tx: grant(tx, "office", key or guest.new_key() + guest.id, terms))
    return found


def bet_of(guest: Guest, free_bet: str, table: str = BACCARAT, seats: Any = None, key: str | None = None) -> RoundBet:
    given = seats or [{"banker": 1_000}]
    return RoundBet(
        table=table, seats=given, client_seed=f"lucky {guest.count}", key=key or guest.new_key(),
        body_hash=f"{table}{given}{free_bet}", free_bet=free_bet,
    )  # fmt: skip


def stake(guest: Guest, free_bet: str, table: str = BACCARAT, seats: Any = None, key: str | None = None) -> RoundView:
    bet = bet_of(guest, free_bet, table, seats, key)
    view: RoundView = guest.house.do(lambda tx: guest.house.pit.open_round(tx, guest.token, bet))
    return view


def money(guest: Guest) -> int:
    with guest.house.database.reading() as tx:
        return balance_of(tx, player_account(guest.id))


def remaining(guest: Guest) -> int:
    with guest.house.database.reading() as tx:
        return sum(one.remaining for one in free_bets_of(tx, guest.id, guest.house.clock()))


def refused(code: str, do: Any) -> str:
    with pytest.raises(Refused) as caught:
        do()
    assert caught.value.code == code
    return str(caught.value)


WINS_AND_PUSHES = """
    free | stake | returned | stake returned | paid | back
    1000 |  1000 |        0 | no             |    0 |    0
    1000 |  1000 |     2000 | no             | 1000 |    0
    1000 |  1000 |     2000 | yes            | 2000 |    0
    1000 |  1000 |     1000 | no             |    0 | 1000
    1000 |  1000 |      500 | no             |    0 |  500
    1000 |  2000 |     4000 | no             | 3000 |    0
    1000 |  2000 |     2000 | no             | 1000 | 1000
    1000 |  2000 |     2000 | yes            | 1000 | 1000
       0 |  1000 |     2000 | no             | 2000 |    0
       0 |     0 |     3000 | no             | 3000 |    0
"""


@pytest.mark.parametrize("line", WINS_AND_PUSHES.strip().splitlines()[1:])
def test_a_win_pays_winnings_and_a_push_gives_the_free_bet_back(line: str) -> None:
    free, staked, returned, is_returned, paid, back = (word.strip() for word in line.split("|"))
    seats = [{"main": int(free)}] if int(free) else [{}]
    result = [{"main": {"stake": int(staked), "returned": int(returned), "row": ""}}]
    assert paid_and_back(FreeStake("", int(free), is_returned == "yes"), seats, result) == (int(paid), int(back))


@given(
    free=st.integers(0, 10**9), own=st.integers(0, 10**9), returned=st.integers(0, 10**12), is_returned=st.booleans()
)
def test_no_money_comes_from_nothing(free: int, own: int, returned: int, is_returned: bool) -> None:
    result = [{"main": {"stake": free + own, "returned": returned, "row": ""}}]
    paid, back = paid_and_back(FreeStake("", free, is_returned), [{"main": free}], result)
    assert 0 <= back <= free
    assert 0 <= paid <= returned - back
    assert paid <= own or returned > free + own, "more than the player's own comes back only with a win"
    plain, _ = paid_and_back(FreeStake("", 0, False), [{}], result)
    assert paid + back <= plain == returned, "a free bet never pays more than money would"


def test_a_free_bet_is_staked_in_place_of_money(guest: Guest) -> None:
    free_bet = granted(guest)
    before = money(guest)
    while remaining(guest) >= 1_000:
        left, had = remaining(guest), money(guest)
        view = stake(guest, free_bet.id)
        assert isinstance(view.free, FreeBetUse)
        assert view.free.staked == view.staked == 1_000
        assert view.free.paid is not None
        assert money(guest) == view.balance == had + view.free.paid
        assert view.net == view.free.paid >= 0
        assert remaining(guest) == left - 1_000 + (view.free.given_back or 0)
    assert money(guest) >= before
    refused("no-free-bet", lambda: stake(guest, free_bet.id))
    with guest.house.database.reading() as tx:
        rounds = past_rounds(tx, guest.id, game=None, table=None, before=None, limit=100)
        count, staked, returned = totals_between(tx, guest.id, 0)
    assert (len(rounds), staked) == (count, 0), "none of it was the player's own"
    assert returned == money(guest) - before == sum(one.net or 0 for one in rounds)


def test_what_a_choice_costs_is_the_players_own_money(guest: Guest) -> None:
    free_bet = granted(guest, 100_000)
    before = money(guest)
    view = stake(guest, free_bet.id, POKER, [{"ante": 1_000}])
    assert (view.balance, view.staked) == (before, 1_000)
    key = guest.new_key()
    view = guest.choose(view, "play", key)
    assert isinstance(view.free, FreeBetUse)
    assert view.free.paid is not None
    assert money(guest) == before - 1_000 + view.free.paid
    assert view.net == view.free.paid - 1_000
    with guest.house.database.reading() as tx:
        again = guest.house.pit.view(tx, view.id, guest.id)
        (line,) = past_rounds(tx, guest.id, game=None, table=None, before=None, limit=1)
    assert (again.free, again.net) == (line.free, line.net) == (view.free, view.net)


def test_every_game_plays_with_free_bets(guest: Guest) -> None:
    free_bet = granted(guest, 10_000_000)
    for number in range(24):
        table = (BACCARAT, POKER, BLACKJACK)[number % 3]
        view = stake(guest, free_bet.id, table, random_seats(guest.rng, TABLES[table]))
        while view.state == "open":
            view = guest.choose(view)
    report = audited(guest.house)
    assert report.clean, report.difference


def test_a_void_round_gives_the_free_bet_back(guest: Guest) -> None:
    free_bet = granted(guest)
    before = money(guest)
    view = stake(guest, free_bet.id, POKER, [{"ante": 1_000, "pairplus": 500}])
    assert remaining(guest) == 3_500
    guest.house.do(lambda tx: guest.house.pit.void(tx, "office", view.id, "misdeal"))
    assert (remaining(guest), money(guest)) == (5_000, before)
    with guest.house.database.reading() as tx:
        shown = guest.house.pit.view(tx, view.id, guest.id)
    assert (shown.free, shown.net) == (FreeBetUse(1_500, 1_500, 0), 0)


def test_a_grant_asked_twice_is_made_once(guest: Guest) -> None:
    first = granted(guest, key="spring-offer-1" + guest.id)
    assert granted(guest, key="spring-offer-1" + guest.id) == first
    assert remaining(guest) == 5_000
    refused("key-reused", lambda: granted(guest, 6_000, key="spring-offer-1" + guest.id))


def test_a_bet_asked_twice_is_made_once(guest: Guest) -> None:
    free_bet = granted(guest, 1_000)
    bet = bet_of(guest, free_bet.id)
    answers = [guest.house.do(lambda tx: guest.house.pit.open_round(tx, guest.token, bet)) for _ in range(2)]
    assert answers[0].free == answers[1].free
    assert answers[0].balance == answers[1].balance


def test_two_tabs_cannot_stake_the_same_free_bet_twice(guest: Guest) -> None:
    house, free_bet = guest.house, granted(guest, 1_000)
    bets = [bet_of(guest, free_bet.id, table, [seat]) for table, seat in
            ((POKER, {"ante": 1_000}), (BLACKJACK, {"main": 1_000}))]  # fmt: skip
    writer = Writer(house.database, house.log.certifier, house.clock)
    futures = [Future[Any]() for _ in bets]
    commands = [house.pit.bet_command(guest.token, bet) for bet in bets]
    writer.work(list(zip(commands, futures, strict=True)))
    writer.close()
    errors = [future.exception() for future in futures]
    assert errors[0] is None
    assert isinstance(errors[1], Refused)
    assert errors[1].code == "no-free-bet"


def test_a_free_bet_is_good_where_it_says(guest: Guest) -> None:
    free_bet = granted(guest, scope=Scope(games=(BACCARAT,), wagers=("banker", "player")))
    assert "wager 'tie'" in refused("free-bet-not-here", lambda: stake(guest, free_bet.id, seats=[{"tie": 500}]))
    refused("free-bet-not-here", lambda: stake(guest, free_bet.id, POKER, [{"ante": 500}]))
    other = player(guest.house, 4)
    refused("unknown-free-bet", lambda: stake(other, free_bet.id))
    stake(guest, free_bet.id)


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"amount": 0}, "bad-amount"),
        ({"amount": -5}, "bad-amount"),
        ({"days": 0}, "bad-days"),
        ({"days": 400}, "bad-days"),
        ({"scope": Scope(tables=("nowhere",))}, "unknown-table"),
        ({"scope": Scope(games=("whist",))}, "unknown-game"),
        ({"scope": Scope(wagers=("moon",))}, "unknown-wager"),
    ],
)
def test_a_grant_that_makes_no_sense_is_refused(guest: Guest, terms: dict[str, Any], code: str) -> None:
    refused(code, lambda: granted(guest, **terms))
    assert remaining(guest) == 0


def test_nobody_unknown_is_granted_anything(guest: Guest) -> None:
    refused(
        "unknown-player", lambda: guest.house.do(lambda tx: grant(tx, "office", "k" * 8, FreeBetTerms("nobody", 1, 1)))
    )


def test_what_remains_expires_and_so_does_what_comes_back_later(guest: Guest) -> None:
    house, free_bet = guest.house, granted(guest)
    view = stake(guest, free_bet.id, POKER, [{"ante": 1_000}])
    with house.database.reading() as tx:
        assert free_bet.id not in free_bets_over(tx, free_bet.expires_at - 1)
        assert free_bet.id in free_bets_over(tx, free_bet.expires_at)
    assert not house.do(lambda tx: expire(tx, free_bet.id, free_bet.expires_at - 1))
    assert house.do(lambda tx: expire(tx, free_bet.id, free_bet.expires_at))
    assert remaining(guest) == 0
    house.do(lambda tx: house.pit.void(tx, "office", view.id, "misdeal"))
    assert remaining(guest) == 1_000
    assert house.do(lambda tx: expire(tx, free_bet.id, free_bet.expires_at))
    assert not house.do(lambda tx: expire(tx, free_bet.id, free_bet.expires_at))
    assert audited(house).accounts["free-expired"] >= 5_000


def test_a_withdrawn_free_bet_is_gone(guest: Guest) -> None:
    free_bet = granted(guest)
    for _ in range(2):
        guest.house.do(lambda tx: withdraw(tx, "office", free_bet.id))
    assert remaining(guest) == 0
    refused("free-bet-over", lambda: stake(guest, free_bet.id))


def test_limits_count_the_players_own_money_only(guest: Guest) -> None:
    house, free_bet = guest.house, granted(guest, 100_000)
    house.do(lambda tx: change_care(tx, NO_POLICY, guest.id, SetLimit("stake", "day", 1_500)))
    for _ in range(5):
        stake(guest, free_bet.id)
    guest.bet(BACCARAT, [{"banker": 1_000}])
    refused("stake-limit", lambda: guest.bet(BACCARAT, [{"banker": 1_000}]))
    refused("stake-limit", lambda: stake(guest, free_bet.id, POKER, [{"ante": 1_000}]))
    stake(guest, free_bet.id)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_is_done_free_bets_and_money_add_up(house: House, data: st.DataObject) -> None:
    guest = player(house, data.draw(st.integers(0, 1_000)))
    bets: list[FreeBet] = []
    open_rounds: list[RoundView] = []
    for _ in range(data.draw(st.integers(2, 8))):
        match data.draw(st.sampled_from(("grant", "stake", "stake", "choose", "void", "withdraw", "expire"))):
            case "grant":
                is_returned = data.draw(st.booleans())
                bets.append(granted(guest, data.draw(st.integers(1, 20)) * 500, stake_returned=is_returned))
            case "stake" if bets:
                table = data.draw(st.sampled_from((BACCARAT, POKER, BLACKJACK)))
                seats = random_seats(guest.rng, TABLES[table])
                try:
                    view = stake(guest, data.draw(st.sampled_from(bets)).id, table, seats)
                except Refused:  # too little remains, or a round is open
                    continue
                open_rounds += [view] if view.state == "open" else []
            case "choose" if open_rounds:
                view = guest.choose(open_rounds.pop())
                open_rounds += [view] if view.state == "open" else []
            case "void" if open_rounds:
                view = open_rounds.pop()
                house.do(partial(house.pit.void, by="office", round_id=view.id, reason="misdeal"))
            case "withdraw" if bets:
                gone = bets.pop()
                house.do(partial(withdraw, by="office", free_bet=gone.id))
            case "expire" if bets:
                gone = bets.pop()
                house.do(partial(expire, free_bet=gone.id, now=gone.expires_at))
    report = audited(house)
    assert report.clean, report.difference
    free = {name: total for name, total in report.accounts.items() if name.startswith("free-")}
    assert sum(free.values()) == 0
    assert all(total >= 0 for name, total in free.items() if name != "free-granted")
