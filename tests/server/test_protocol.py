"""The records between workers and the bookkeeper: every command has somebody who does it, and comes over unchanged."""

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairhouse.core.errors import Refused
from pairhouse.house.care.changes import AnyCareChange
from pairhouse.house.care.exclusions import BREAK, barred
from pairhouse.house.commands import RoundBet, RoundChoice, RoundOpen
from pairhouse.house.free_bets import FreeBetTerms
from pairhouse.house.live.acts import AnyLiveAct, SupervisorAct
from pairhouse.house.pace import TooSoon
from pairhouse.house.pit_orders import PitAct
from pairhouse.house.store.database import OutcomeUnknown, StoreFailed
from pairhouse.rounds.live_round import LiveSettings
from pairhouse.server.bookkeeping.bookkeeper import HANDLERS
from pairhouse.server.models import LimitsChange, NewTable, TableChange
from pairhouse.server.processes.protocol import (
    AnyCommand,
    BookkeeperFailed,
    CommandRequest,
    CommandResult,
    MakeChoice,
    PlaceBet,
    error_of,
    failure_of,
)

words = st.text(max_size=20)
bets = st.builds(
    RoundBet, table=words, seats=st.lists(st.dictionaries(words, st.integers(1, 2**60), max_size=3), max_size=3),
    client_seed=words, key=words, body_hash=words, commitment=st.none() | words, game=st.none() | words,
    round_id=st.none() | words, operator_balance=st.none() | st.integers(-(2**60), 2**60),
)  # fmt: skip
choices = st.builds(RoundChoice, round_id=words, word=words, number=st.integers(0, 99), key=words, body_hash=words)
names = st.text("abc_9", min_size=1, max_size=9)
tables = st.builds(
    NewTable, id=names, name=names, game=names, advice=st.booleans(),
    options=st.dictionaries(words, st.booleans() | st.integers(-99, 99) | words, max_size=2),
    limits=st.none() | st.builds(LimitsChange, minimum=st.none() | st.integers(0, 99), chips=st.none() | st.just([5])),
)  # fmt: skip
changes = st.builds(TableChange, name=st.none() | names, status=st.none() | st.just("open"))
by_type = {
    RoundBet: bets,
    RoundChoice: choices,
    NewTable: tables,
    TableChange: changes,
    str: words,
    str | None: st.none() | words,
    bool: st.booleans(),
    int: st.integers(-(2**60), 2**60),
    int | None: st.none() | st.integers(-(2**60), 2**60),
    dict[str, int]: st.dictionaries(words, st.integers(1, 2**60), max_size=3),
    FreeBetTerms: st.builds(FreeBetTerms, player=words, amount=st.integers(1, 2**60), days=st.integers(1, 366)),
    PitAct: st.builds(PitAct, act=words, reason=words, table=st.none() | words, card=st.none() | st.integers(0, 99)),
    LiveSettings: st.builds(LiveSettings, seats=st.none() | st.integers(1, 7)),
}


def some(kind: Any) -> st.SearchStrategy[Any]:
    """Commands of a kind."""
    fields = {field.name: by_type[field.type] for field in msgspec.structs.fields(kind)}
    return st.builds(kind, **fields)


by_type[AnyCareChange] = st.one_of([some(kind) for kind in get_args(AnyCareChange)])
by_type[AnyLiveAct] = st.one_of([some(kind) for kind in get_args(AnyLiveAct)])
by_type[SupervisorAct] = st.one_of([some(kind) for kind in get_args(SupervisorAct)])
commands = st.one_of([some(kind) for kind in get_args(AnyCommand)])
requests = st.builds(CommandRequest, st.integers(0, 2**40), commands)


def test_every_command_has_somebody_who_does_it() -> None:
    assert {*HANDLERS, PlaceBet, MakeChoice} == set(get_args(AnyCommand))
    assert len(HANDLERS) + 2 == len(get_args(AnyCommand))


@given(st.lists(requests, max_size=5))
def test_commands_come_over_unchanged(sent: list[CommandRequest]) -> None:
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(sent), type=list[CommandRequest]) == sent


@pytest.mark.parametrize(
    "error",
    [
        Refused("no-funds", "this takes 10.00 and your balance is 5.00"),
        RoundOpen("0" * 26),
        TooSoon(1_234),
        barred(BREAK, 1_800_000_000_000),
        StoreFailed("disk full"),
        OutcomeUnknown("gone"),
    ],
)
def test_a_failure_is_raised_again_as_what_it_was(error: Exception) -> None:
    sent = msgspec.msgpack.encode(CommandResult(1, b"", failure_of(error)))
    failure = msgspec.msgpack.decode(sent, type=CommandResult).failure
    assert failure is not None
    raised = error_of(failure)
    assert type(raised) is type(error)
    assert vars(raised) == vars(error)
    assert str(raised) == str(error)


def test_what_is_broken_tells_nothing_of_itself() -> None:
    raised = error_of(failure_of(RuntimeError("a secret seed")))
    assert isinstance(raised, BookkeeperFailed)
    assert "secret" not in str(raised)
