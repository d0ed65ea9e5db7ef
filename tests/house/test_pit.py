"""The pit: bets and choices that run as a group have the same results as one by one, and none affects another."""

import random
import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from api_house import Clock
from direct_house import DATABASES, TABLES, Guest, audited, deal_from_shoe, new_books, random_seats
from pairhouse.core.errors import Refused
from pairhouse.house.bank import balance_of, change_balance, player_account
from pairhouse.house.commands import RoundBet, RoundChoice
from pairhouse.house.dealer import stream_in_use
from pairhouse.house.floor import change_table
from pairhouse.house.house import House
from pairhouse.house.operator_bets import prepare_bet
from pairhouse.house.people import new_session, person_of
from pairhouse.house.pit import Pit
from pairhouse.house.store.database import StoreFailed
from pairhouse.house.store.writer import Batched, Writer, now_ms
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.round_view import RoundView

Answer = RoundView | Refused
PLAIN = [{"banker": 200}]
BACCARAT = "nepal-super-baccarat"
WITHOUT_METER = [table for table in TABLES if "progressive" not in table]  # players at one meter affect each other


@pytest.fixture(params=DATABASES)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    opened = House(new_books(request.param, tmp_path))
    yield opened
    opened.close()


def seated(house: House, number: int, seed: int = 5) -> list[Guest]:
    guests = [Guest(house, random.Random(seed + n)) for n in range(number)]
    for guest in guests:
        for table in TABLES:
            guest.sit(table)
    return guests


def at_once(house: House, *commands: Any) -> list[Answer]:
    """The answers to commands that arrive in one batch, by a writer of their own."""
    writer = Writer(house.database, house.log.certifier, house.clock)
    futures = [Future[Any]() for _ in commands]
    writer.work(list(zip(commands, futures, strict=True)))
    writer.close()
    return [error if isinstance(error := future.exception(), Refused) else future.result() for future in futures]


def bet(guest: Guest, table: str = BACCARAT, **other: Any) -> Batched:
    given = {"table": table, "seats": PLAIN, "client_seed": "lucky", "key": guest.new_key(), "body_hash": "same"}
    pit: Pit = guest.house.pit
    return pit.bet_command(guest.token, RoundBet(**(given | other)))


def choice(guest: Guest, view: RoundView, word: str, number: int, key: str | None = None) -> Batched:
    body = f"{view.id}{word}{number}"
    command = RoundChoice(round_id=view.id, word=word, number=number, key=key or guest.new_key(), body_hash=body)
    pit: Pit = guest.house.pit
    return pit.choice_command(guest.token, command)


def code_of(answer: Answer) -> str:
    return answer.code if isinstance(answer, Refused) else answer.state


def balances(house: House, guests: list[Guest]) -> list[int]:
    with house.database.reading() as tx:
        return [balance_of(tx, player_account(guest.id)) for guest in guests]


def test_a_refused_bet_leaves_no_trace_among_others(house: House) -> None:
    good, poor, closed, lost, wrong, late = guests = seated(house, 6)
    house.do(lambda tx: change_table(tx, "desk", "la-paire", {"status": "closed"}))
    house.do(lambda tx: change_table(tx, "desk", BACCARAT, {"limits": {"maximum": 200_000, "round_maximum": 200_000}}))
    before = balances(house, guests)
    answers = at_once(
        house,
        bet(good),
        bet(poor, seats=[{"banker": 150_000}]),
        bet(closed, "la-paire", seats=[{"card-A": 200}]),
        bet(lost, "no-such-table"),
        bet(wrong, client_seed=""),
        bet(late, commitment="0" * 64),
        bet(good, "la-paire"),
    )
    assert [code_of(answer) for answer in answers] == [
        "settled", "no-funds", "table-closed", "unknown-table", "bad-client-seed", "other-commitment", "table-closed",
    ]  # fmt: skip
    assert isinstance(answers[0], RoundView)
    assert balances(house, guests) == [answers[0].balance, *before[1:]]
    assert audited(house).clean
    assert audited(house).rounds == 1


def test_bets_of_one_player_in_one_batch_follow_one_another(house: House) -> None:
    (guest,) = seated(house, 1)
    deal_from_shoe(house)
    other = Guest.__new__(Guest)
    other.__dict__ = {**guest.__dict__, "token": hash_of(house.do(lambda tx: new_session(tx, guest.id)))}
    answers = at_once(
        house,
        bet(guest),
        bet(other, key="of-the-other-tab"),
        bet(guest, "la-paire", seats=[{"card-A": 200}]),
        bet(guest),
    )
    views = [answer for answer in answers if isinstance(answer, RoundView)]
    assert len(views) == len(answers)
    at_baccarat = sorted((view for view in views if view.table == BACCARAT), key=lambda view: view.proof.first_card)
    assert [view.proof.nonce for view in at_baccarat] == [0, 0, 0]
    for one, following in pairwise(at_baccarat):
        assert following.proof.first_card == one.proof.first_card + one.proof.cards_used
    assert balances(house, [guest])[0] == 100_000 + sum(view.net or 0 for view in views)
    assert audited(house).clean


def test_a_key_that_comes_twice_in_one_batch_is_one_bet(house: House) -> None:
    (guest,) = seated(house, 1)
    first, again, changed, elsewhere = at_once(
        house,
        bet(guest, key="once-only"),
        bet(guest, key="once-only"),
        bet(guest, key="once-only", body_hash="another"),
        bet(guest, "la-paire", key="once-only", body_hash="another"),
    )
    assert first == again
    assert [code_of(answer) for answer in (changed, elsewhere)] == ["key-reused", "key-reused"]
    assert audited(house).rounds == 1


def test_a_choice_that_comes_twice_in_one_batch_is_made_once(house: House) -> None:
    ann, bob = seated(house, 2)
    opened = [guest.bet("three-card-poker", [{"ante": 200}]) for guest in (ann, bob)]
    answers = at_once(
        house,
        choice(ann, opened[0], "play", 0, "double-click"),
        choice(bob, opened[1], "fold", 0),
        choice(ann, opened[0], "play", 0, "double-click"),
        choice(ann, opened[0], "fold", 0),
        choice(bob, opened[0], "fold", 0),
        choice(ann, opened[0], "fold", 0, "double-click"),
    )
    assert answers[0] == answers[2]
    made = [(view.choices, view.staked) for view in answers if isinstance(view, RoundView)]
    assert made == [(["play"], 400), (["fold"], 200), (["play"], 400)]
    assert [code_of(answer) for answer in answers[3:]] == ["round-closed", "unknown-round", "key-reused"]
    assert audited(house).clean


def test_a_round_may_be_opened_and_chosen_in_in_one_batch_with_anything_else(house: House) -> None:
    ann, bob = seated(house, 2)
    opened = ann.bet("three-card-poker", [{"ante": 200}])
    answers = at_once(
        house,
        choice(ann, opened, "fold", 0),
        lambda tx: change_table(tx, "desk", BACCARAT, {"status": "closed"}),
        bet(bob),
        bet(ann, "three-card-poker", seats=[{"ante": 200}]),
    )
    assert [code_of(answers[0]), code_of(answers[2])] == [
        "settled",
        "settled",
    ]  # they came together, and bets may go first
    assert code_of(answers[3]) == "open"
    assert audited(house).clean


@pytest.mark.parametrize("kind", DATABASES)
def test_many_at_once_come_to_the_same_as_one_by_one(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two houses with the same seeds: in one every round goes alone, in the other all of them run in groups."""
    ends = []
    for together in (False, True):
        seeds = count()
        monkeypatch.setattr("pairhouse.house.dealer.new_seed", lambda seeds=seeds: next(seeds).to_bytes(32, "big"))
        house = House(new_books(kind, tmp_path))
        guests = seated(house, 5, seed=31)
        rng = random.Random(12)
        views: list[list[RoundView]] = []
        for _ in range(2):
            bets = [
                bet(guest, table, seats=random_seats(rng, TABLES[table])) for table in WITHOUT_METER for guest in guests
            ]
            views.append(play_all(house, bets, together, rng_seed=len(views)))
        assert audited(house).clean
        ends.append(([[comparable(view) for view in turn] for turn in views], balances(house, guests)))
        house.close()
    assert ends[0] == ends[1]


def test_players_at_one_meter_take_from_it_in_turn(house: House) -> None:
    guests = seated(house, 6)
    table = "three-card-poker-progressive"
    staked = [{"ante": 200, "progressive": TABLES[table].wagers["progressive"].fixed}]
    opened = at_once(house, *[bet(guest, table, seats=staked) for guest in guests])
    views = [view for view in opened if isinstance(view, RoundView)]
    closed = at_once(house, *[choice(guest, view, "play", 0) for guest, view in zip(guests, views, strict=True)])
    readings = [view.meter for view in closed if isinstance(view, RoundView)]
    assert len(readings) == 6
    assert len({(reading.amount, reading.reserve) for reading in readings if reading is not None}) == 6
    assert audited(house).clean


def test_a_bet_refused_at_a_meter_takes_no_nonce_and_opens_nothing(house: House) -> None:
    """A meter is read in the middle of a group, when changes of others are queued; its first bet opens it."""
    guests = seated(house, 6)
    table = "three-card-poker-progressive"
    house.do(lambda tx: change_table(tx, "desk", table, {"limits": {"maximum": 200_000, "round_maximum": 400_000}}))
    fixed = TABLES[table].wagers["progressive"].fixed
    fair, much = [{"ante": 200, "progressive": fixed}], [{"ante": 150_000, "progressive": fixed}]
    for _ in range(2):
        stakes = [much, fair, much, fair, much, fair]
        answers = at_once(house, *[bet(g, table, seats=stake) for g, stake in zip(guests, stakes, strict=True)])
        assert [code_of(answer) for answer in answers] == ["no-funds", "open"] * 3
        opened = [(g, v) for g, v in zip(guests, answers, strict=True) if isinstance(v, RoundView)]
        closed = at_once(house, *[choice(guest, view, "fold", 0) for guest, view in opened])
        assert [code_of(answer) for answer in closed] == ["settled"] * 3
        assert audited(house).clean, audited(house).difference
    with house.database.reading() as tx:
        nonces = [stream_in_use(tx, guest.id, table).nonce for guest in guests]
    assert nonces == [0, 2] * 3


def test_a_first_bet_at_a_meter_that_is_refused_leaves_it_closed(house: House) -> None:
    ann, bob = seated(house, 2)
    table = "three-card-poker-progressive"
    house.do(lambda tx: change_table(tx, "desk", table, {"limits": {"maximum": 200_000, "round_maximum": 400_000}}))
    answers = at_once(house, bet(ann, table, seats=[{"ante": 150_000}]), bet(bob, table, seats=[{"ante": 150_000}]))
    assert [code_of(answer) for answer in answers] == ["no-funds", "no-funds"]
    assert audited(house).clean


def test_a_command_that_cannot_be_undone_in_a_group_costs_the_others_nothing(house: House) -> None:
    """There is one commit, whatever one of many asks for; and a refused player's session counts as seen."""
    guests = seated(house, 8)
    table = "three-card-poker-progressive"
    house.do(lambda tx: change_balance(tx, player_account(guests[1].id), 0, -99_000))
    house.clock = Clock(120_000)
    commands = [
        bet(guests[0], table, seats=[{"ante": 200}, {"ante": 200}]),
        bet(guests[1], table, seats=[{"ante": 50_000}]),
        *[bet(guest) for guest in guests[2:]],
        bet(guests[3], "nowhere"),
    ]
    with mock.patch.object(Writer, "_commit", autospec=True, side_effect=Writer._commit) as commit:
        answers = at_once(house, *commands)
    assert [code_of(answer) for answer in answers] == ["bad-seats", "no-funds", *["settled"] * 6, "unknown-table"]
    assert commit.call_count == 1
    with house.database.reading() as tx:
        seen = [person_of(tx, guest.token, house.clock()).seen_at for guest in guests]
    assert min(seen) > now_ms() + 60_000


def test_many_bets_of_one_player_are_read_about_once_each(house: House) -> None:
    (guest,) = seated(house, 1)
    with mock.patch.object(Pit, "open_rounds", autospec=True, side_effect=Pit.open_rounds) as run_group:
        answers = at_once(house, *[bet(guest) for _ in range(40)])
        read = sum(len(call.args[2]) for call in run_group.call_args_list)
    assert [code_of(answer) for answer in answers] == ["settled"] * 40
    assert 40 <= read < 100
    assert audited(house).clean


def play_all(house: House, bets: list[Batched], together: bool, rng_seed: int) -> list[RoundView]:
    """Play these to their ends, choosing the same in both houses."""
    answers = at_once(house, *bets) if together else [at_once(house, one)[0] for one in bets]
    views = [view for view in answers if isinstance(view, RoundView)]
    assert len(views) == len(bets)
    rng = random.Random(rng_seed)
    words = 0
    while any(view.view.awaiting is not None for view in views):
        moves = {}
        for place, view in enumerate(views):
            if view.view.awaiting is not None:
                words += 1
                command = RoundChoice(
                    round_id=view.id, word=rng.choice(view.view.awaiting["options"]), number=len(view.choices),
                    key=f"choice-{rng_seed}-{words}", body_hash="same",
                )  # fmt: skip
                moves[place] = house.pit.choice_command(bets[place].argument[0], command)
        many = at_once(house, *moves.values()) if together else [at_once(house, one)[0] for one in moves.values()]
        for place, after in zip(moves, many, strict=True):
            assert isinstance(after, RoundView)
            views[place] = after
    return views


def comparable(view: RoundView) -> tuple[Any, ...]:
    """A round without what differs between two houses: ids, times, and balances on the way."""
    return view.game, view.choices, view.staked, view.returned, view.view, view.shoe, view.log


def test_limits_that_were_never_committed_are_not_in_force(tmp_path: Path) -> None:
    house = House(new_books("sqlite", tmp_path))
    ann, bob = seated(house, 2)
    generous, strict = {"maximum": 90_000, "round_maximum": 90_000}, {"maximum": 1_000, "round_maximum": 2_000}
    change = partial(change_table, by="desk", table_id=BACCARAT)
    outside = RoundBet(table=BACCARAT, seats=PLAIN, client_seed="x", key="asked-for", body_hash="b")
    full = sqlite3.OperationalError("database or disk is full")
    with mock.patch.object(Writer, "_commit", side_effect=full):
        futures = [Future[Any](), Future[Any]()]
        commands: list[Any] = [partial(change, change={"limits": generous})]
        commands.append(lambda tx: prepare_bet(tx, house.pit, ["operator"], bob.token, outside))
        Writer(house.database, house.log.certifier, house.clock).work(list(zip(commands, futures, strict=True)))
    assert [type(future.exception()) for future in futures] == [StoreFailed, StoreFailed]
    house.do(partial(change, change={"limits": strict}))
    (answer,) = at_once(house, bet(ann, seats=[{"banker": 80_000}]))
    assert code_of(answer) == "over-limit"
    house.close()
