"""The bookkeeper: does every command that changes the books, in batches, and what the house does by itself.

There is one for a machine. HTTP workers send it commands over connections; where one process does it all, the routes
call it directly. Bets and choices go to the writer without a task of their own; everything else runs in one.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import partial
from socket import socket
from typing import Any, TypeVar

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.house.commands import MoneyElsewhere, RoundBet, RoundChoice
from pairhouse.house.house import House
from pairhouse.house.live.crowd_acts import CrowdActs
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.pulse import give_pulse
from pairhouse.house.store.database import StoreFailed, Tx
from pairhouse.house.store.writer import Command
from pairhouse.house.watch_log import OFF
from pairhouse.server.bookkeeping.admin_commands import (
    do_add_table,
    do_change_game,
    do_change_player,
    do_change_table,
    do_grant_free_bet,
    do_lift_step,
    do_void_round,
    do_withdraw_free_bet,
)
from pairhouse.server.bookkeeping.care_commands import do_change_care
from pairhouse.server.bookkeeping.house_metrics import read_house_metrics
from pairhouse.server.bookkeeping.jobs import run_jobs
from pairhouse.server.bookkeeping.live_commands import do_act_live, do_open_for_friends, do_supervise_live
from pairhouse.server.bookkeeping.pit_commands import do_act_in_pit, do_begin_shift, do_end_shift
from pairhouse.server.bookkeeping.player_commands import (
    do_ask_balance,
    do_change_password,
    do_fill_play_money,
    do_may_sign_in,
    do_new_guest,
    do_operator_sign_in,
    do_register,
    do_rotate_seed,
    do_session_seen,
    do_sign_in,
    do_sign_out,
    do_sit,
    do_take_name,
)
from pairhouse.server.bookkeeping.sign_in_delays import SignInDelays
from pairhouse.server.live.dealing import LiveDealer
from pairhouse.server.metrics import bookkeeper_metrics
from pairhouse.server.pricing.price_book import PriceBook
from pairhouse.server.processes.connection import Connection
from pairhouse.server.processes.protocol import (
    ActInPit,
    ActLive,
    AddTable,
    AnyCommand,
    AskBalance,
    BeginShift,
    ChangeCare,
    ChangeGame,
    ChangePassword,
    ChangePlayer,
    ChangeTable,
    CheckReady,
    CommandRequest,
    CommandResult,
    EndShift,
    FillPlayMoney,
    GrantFreeBet,
    LiftStep,
    MakeChoice,
    MaySignIn,
    NewGuest,
    OpenForFriends,
    OperatorSignIn,
    PlaceBet,
    ReadMetrics,
    ReadSettings,
    Register,
    RotateSeed,
    SessionSeen,
    SignIn,
    SignOut,
    Sit,
    SuperviseLive,
    TableMoved,
    TakeName,
    VoidRound,
    WithdrawFreeBet,
    WorkerSettings,
    failure_of,
)
from pairhouse.server.reading.readers import Readers
from pairhouse.server.wallets.cashier import Cashier
from pairhouse.server.wallets.operator_client import Operators

log = logging.getLogger("pairhouse.bookkeeper")

T = TypeVar("T")
PULSE_COUNTS_S = 0.5  # so long a sign of life is one for whoever asks
Done = Callable[[bytes | Exception], None]
encode = msgspec.json.Encoder().encode


async def do_check_ready(keeper: "Bookkeeper", _: CheckReady) -> None:
    if time.monotonic() - keeper.pulsed_at >= PULSE_COUNTS_S:
        await keeper.pulse()
        keeper.pulsed_at = time.monotonic()


async def do_read_metrics(keeper: "Bookkeeper", _: ReadMetrics) -> str:
    read_house_metrics(keeper.house)
    return bookkeeper_metrics()


async def do_read_settings(keeper: "Bookkeeper", _: ReadSettings) -> WorkerSettings:
    return keeper.worker_settings


HANDLERS: dict[type[AnyCommand], Callable[["Bookkeeper", Any], Awaitable[object]]] = {
    NewGuest: do_new_guest,
    Register: do_register,
    MaySignIn: do_may_sign_in,
    SignIn: do_sign_in,
    OperatorSignIn: do_operator_sign_in,
    TakeName: do_take_name,
    ChangePassword: do_change_password,
    SignOut: do_sign_out,
    SessionSeen: do_session_seen,
    Sit: do_sit,
    RotateSeed: do_rotate_seed,
    FillPlayMoney: do_fill_play_money,
    AskBalance: do_ask_balance,
    ChangeCare: do_change_care,
    ActLive: do_act_live,
    SuperviseLive: do_supervise_live,
    BeginShift: do_begin_shift,
    EndShift: do_end_shift,
    ActInPit: do_act_in_pit,
    OpenForFriends: do_open_for_friends,
    AddTable: do_add_table,
    ChangeTable: do_change_table,
    ChangeGame: do_change_game,
    ChangePlayer: do_change_player,
    VoidRound: do_void_round,
    LiftStep: do_lift_step,
    GrantFreeBet: do_grant_free_bet,
    WithdrawFreeBet: do_withdraw_free_bet,
    CheckReady: do_check_ready,
    ReadMetrics: do_read_metrics,
    ReadSettings: do_read_settings,
}


class Bookkeeper:
    """Owns the writer of a house."""

    def __init__(
        self,
        house: House,
        *,
        operators: Operators | None = None,
        prices: PriceBook | None = None,
        worker_settings: WorkerSettings | None = None,
        watch: str = OFF,
    ) -> None:
        self.house = house
        self.prices = prices or PriceBook()
        self.worker_settings = worker_settings or WorkerSettings("")
        self.readers = Readers(house.database)
        self.watch = watch
        self.cashier = Cashier(house, operators or Operators(), self.write, self.read)
        self.floor = LiveFloor(house.vault, house.pit.guard, house.pit.round_ms_min)
        self.dealing = LiveDealer(self.floor, house.clock, self.write, self.read, self._table_moved, house.database)
        self.crowd_acts = CrowdActs(self.floor, self.dealing.name)
        self.on_moved: list[Callable[[str, int], None]] = []  # who is told of new entries at live tables
        self.sign_in_delays = SignInDelays()
        self.pulse_id = secrets.token_hex(8)
        self.pulsed_at = -PULSE_COUNTS_S
        self.passed_time: Callable[[], int] = house.clock
        self._tasks: set[asyncio.Task[None]] = set()
        self._jobs: asyncio.Task[None] | None = None

    def write(self, command: Command) -> Awaitable[Any]:
        """Run a function of a transaction; answered once it is on disk."""
        return self.house.writers.run(command)

    def write_later(self, command: Command) -> None:
        """Run a function of a transaction for whose end nobody waits."""
        self._start(self._write_quietly(command))

    async def _write_quietly(self, command: Command) -> None:
        try:
            await self.write(command)
        except (Refused, StoreFailed) as failed:
            log.warning("not written", extra={"reason": str(failed)})

    def pulse(self) -> Awaitable[Any]:
        """Give a sign of life; answered once it is on disk."""
        return self.write(lambda tx: give_pulse(tx, self.pulse_id, self.passed_time()))

    async def read(self, question: Callable[[Tx], T]) -> T:
        """Ask the books."""
        return await self.readers.read(question)

    def do(self, command: AnyCommand) -> "asyncio.Future[bytes]":
        """Have a command done; its answer as JSON, once it is on disk."""
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        def done(result: bytes | Exception) -> None:
            if answer.done():  # the caller has gone
                return
            if isinstance(result, bytes):
                answer.set_result(result)
            else:
                answer.set_exception(result)

        self.begin(command, done)
        return answer

    def post(self, command: AnyCommand) -> None:
        """Have a command done whose answer nobody waits for."""
        self.begin(command, lambda _: None)

    def begin(self, command: AnyCommand, done: Done) -> None:
        """Start a command; `done` is called on this event loop with its answer, or with what was raised."""
        if isinstance(command, PlaceBet):
            self._play(command.token, command.bet, done)
        elif isinstance(command, MakeChoice):
            self._play(command.token, command.choice, done)
        else:
            self._start(self._handle(command, done))

    def _play(self, token: str, play: RoundBet | RoundChoice, done: Done) -> None:
        try:
            self.house.writers.call(self.cashier.batched(token, play), partial(self._played, token, play, done))
        except Exception as error:
            done(error)

    def _played(self, token: str, play: RoundBet | RoundChoice, done: Done, answer: Any) -> None:
        """What came of a bet or choice. Others of its batch wait behind it, so nothing is raised from here."""
        if isinstance(answer, MoneyElsewhere):
            self._start(self._play_at_operator(answer.wallet, token, play, done))
        elif isinstance(answer, Exception):
            done(answer)
        else:
            _encoded(answer, done)

    async def _play_at_operator(self, wallet: str, token: str, play: RoundBet | RoundChoice, done: Done) -> None:
        try:
            view = await self.cashier.do_at_operator(wallet, token, play)
        except Exception as error:
            done(error)
        else:
            _encoded(view, done)

    async def _handle(self, command: AnyCommand, done: Done) -> None:
        try:
            answer = await HANDLERS[type(command)](self, command)
        except Exception as error:
            done(error)
        else:
            _encoded(answer, done)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def connect(self, given: socket) -> asyncio.Event:
        """Take commands from a worker at the other end of a socket; the event is set when the worker is gone."""
        gone = asyncio.Event()

        def received(requests: list[CommandRequest]) -> None:
            for request in requests:
                self.begin(request.command, partial(_send_result, connection, request))

        def moved(table_id: str, number: int) -> None:
            connection.send(CommandResult(0, encode(TableMoved(table_id, number))))

        def lost() -> None:
            self.on_moved.remove(moved)
            gone.set()

        connection = Connection[CommandRequest](CommandRequest, received, lost)
        await asyncio.get_running_loop().create_unix_connection(lambda: connection, sock=given)
        self.on_moved.append(moved)
        return gone

    def _table_moved(self, table_id: str, number: int) -> None:
        for tell in self.on_moved:
            tell(table_id, number)

    def start_jobs(self, *, dealing_only: bool = False) -> None:
        """Begin with what the house does by itself, or only with dealing at live tables."""
        self._jobs = asyncio.create_task(self.dealing.run() if dealing_only else run_jobs(self))

    async def close(self) -> None:
        """Finish what was begun, then close the books."""
        if self._jobs is not None:
            self._jobs.cancel()
            with suppress(asyncio.CancelledError):
                await self._jobs
        while self._tasks:
            await asyncio.wait(list(self._tasks))
        await self.cashier.close()
        self.readers.close()
        self.house.close()


def _encoded(answer: object, done: Done) -> None:
    try:
        body = encode(answer)
    except Exception as error:
        done(error)
    else:
        done(body)


def _send_result(connection: Connection[CommandRequest], request: CommandRequest, answer: bytes | Exception) -> None:
    if not isinstance(answer, bytes) and not isinstance(answer, (Refused, StoreFailed)):
        log.error("command failed", exc_info=answer, extra={"command": type(request.command).__name__})
    if request.number == 0:
        return
    if isinstance(answer, bytes):
        connection.send(CommandResult(request.number, answer))
    else:
        connection.send(CommandResult(request.number, b"", failure_of(answer)))
