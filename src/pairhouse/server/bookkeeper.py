"""The bookkeeper: does every command that changes the books, in batches, and what the house does by itself.

There is one for a machine. HTTP workers send it commands over connections; where one process does it all, the routes
call it directly. Bets and choices go to the writer without a task of their own; everything else runs in one.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import partial
from socket import socket
from typing import Any, TypeVar

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.house.commands import MoneyElsewhere, RoundBet, RoundChoice
from pairhouse.house.house import House
from pairhouse.house.store.database import StoreFailed, Tx
from pairhouse.house.store.writer import Command
from pairhouse.server.admin_commands import (
    do_add_table,
    do_change_game,
    do_change_player,
    do_change_table,
    do_void_round,
)
from pairhouse.server.connection import Connection
from pairhouse.server.jobs import run_jobs
from pairhouse.server.metrics import bookkeeper_metrics
from pairhouse.server.player_commands import (
    do_ask_balance,
    do_fill_play_money,
    do_new_guest,
    do_operator_sign_in,
    do_register,
    do_rotate_seed,
    do_session_seen,
    do_sign_in,
    do_sign_out,
    do_sit,
)
from pairhouse.server.pricing.price_book import PriceBook
from pairhouse.server.protocol import (
    AddTable,
    AnyCommand,
    AskBalance,
    ChangeGame,
    ChangePlayer,
    ChangeTable,
    CommandRequest,
    CommandResult,
    FillPlayMoney,
    MakeChoice,
    NewGuest,
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
    VoidRound,
    WorkerSettings,
    failure_of,
)
from pairhouse.server.readers import Readers
from pairhouse.server.wallets.cashier import Cashier
from pairhouse.server.wallets.operator_client import Operators

log = logging.getLogger("pairhouse.bookkeeper")

T = TypeVar("T")
Done = Callable[[bytes | Exception], None]
encode = msgspec.json.Encoder().encode


async def do_read_metrics(_: "Bookkeeper", __: ReadMetrics) -> str:
    return bookkeeper_metrics()


async def do_read_settings(keeper: "Bookkeeper", _: ReadSettings) -> WorkerSettings:
    return keeper.worker_settings


HANDLERS: dict[type[AnyCommand], Callable[["Bookkeeper", Any], Awaitable[object]]] = {
    NewGuest: do_new_guest,
    Register: do_register,
    SignIn: do_sign_in,
    OperatorSignIn: do_operator_sign_in,
    SignOut: do_sign_out,
    SessionSeen: do_session_seen,
    Sit: do_sit,
    RotateSeed: do_rotate_seed,
    FillPlayMoney: do_fill_play_money,
    AskBalance: do_ask_balance,
    AddTable: do_add_table,
    ChangeTable: do_change_table,
    ChangeGame: do_change_game,
    ChangePlayer: do_change_player,
    VoidRound: do_void_round,
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
    ) -> None:
        self.house = house
        self.prices = prices or PriceBook()
        self.worker_settings = worker_settings or WorkerSettings("")
        self.readers = Readers(house.database)
        self.cashier = Cashier(house, operators or Operators(), self.write, self.read)
        self._tasks: set[asyncio.Task[None]] = set()
        self._jobs: asyncio.Task[None] | None = None

    def write(self, command: Command) -> Awaitable[Any]:
        """Run a function of a transaction; answered once it is on disk."""
        return self.house.writers.run(command)

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

        connection = Connection[CommandRequest](CommandRequest, received, gone.set)
        await asyncio.get_running_loop().create_unix_connection(lambda: connection, sock=given)
        return gone

    def start_jobs(self) -> None:
        """Begin with what the house does by itself."""
        self._jobs = asyncio.create_task(run_jobs(self))

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
