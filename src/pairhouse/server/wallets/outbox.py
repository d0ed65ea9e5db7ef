"""What operators are still to be told: wins and rollbacks, sent until they are acknowledged."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from pairhouse.core.errors import Refused
from pairhouse.house.store.database import StoreFailed, Tx
from pairhouse.house.store.writer import Command
from pairhouse.house.wallet_calls import (
    DUE_MAX,
    UNKNOWN,
    acknowledge,
    claim,
    count_due,
    due_calls,
    give_up,
    lost_bets,
    open_calls,
    rollback_id,
)
from pairhouse.server.metrics import CALLS, CALLS_ALTERED, CALLS_DUE
from pairhouse.server.wallets.operator_client import Operators, WalletRefused, WalletUnclear

log = logging.getLogger("pairhouse.wallet")

TURN_EVERY_S = 1.0
AT_ONCE = 8
CLOSE_S = 5.0

Found = tuple[list[str], list[str], int]
Write = Callable[[Command], Awaitable[Any]]
Read = Callable[[Callable[[Tx], Any]], Awaitable[Any]]


class Outbox:
    """Sends calls at once where it can, and looks again and again for those that are left."""

    def __init__(self, clock: Callable[[], int], operators: Operators, write: Write, read: Read) -> None:
        self.clock = clock
        self.operators = operators
        self.write = write
        self.read = read
        self._altered: set[str] = set()
        self._going: dict[str, asyncio.Task[None]] = {}
        self._woken = {name: asyncio.Event() for name in operators.settings}
        self._slots = {name: asyncio.Semaphore(AT_ONCE) for name in operators.settings}

    def send_soon(self, wallet: str, call_id: str) -> asyncio.Task[None] | None:
        """Try a call now, beside everything else; if it fails it is tried again later."""
        if wallet not in self.operators.settings:
            return None
        task = self._going.get(call_id)
        if task is None:
            task = self._going[call_id] = asyncio.create_task(self._send(wallet, call_id))
            task.add_done_callback(lambda _: self._going.pop(call_id, None))
        return task

    async def run(self) -> None:
        """Until the server stops, each wallet by itself, so that one that is down holds up no other."""
        left = {call.wallet for call in await self.read(open_calls)} - self.operators.settings.keys()
        for wallet in sorted(left):
            log.warning("calls wait for a wallet that is not connected", extra={"wallet": wallet})
        await asyncio.gather(*(self._serve(name) for name in self.operators.settings))

    async def _serve(self, wallet: str) -> None:
        while True:
            try:
                await self.turn(wallet)
            except Exception:  # whatever it is, what is due must be tried again
                log.exception("outbox failed", extra={"wallet": wallet})
            woken = self._woken[wallet]
            with suppress(TimeoutError):
                await asyncio.wait_for(woken.wait(), TURN_EVERY_S)
            woken.clear()

    def look_soon(self) -> None:
        """Something may be due: look now, not only with the next turn."""
        for woken in self._woken.values():
            woken.set()

    async def turn(self, wallet: str) -> None:
        """Give up bets whose process is gone, then send what is due: page by page where much is."""
        while await self._page(wallet):
            pass

    async def _page(self, wallet: str) -> bool:
        """What is due now, up to a page of it; whether there may be more."""
        now = self.clock()

        def look(tx: Tx) -> Found:
            return lost_bets(tx, wallet, now), due_calls(tx, wallet, now), count_due(tx, wallet)

        lost, due, waiting = await self.read(look)
        CALLS_DUE.labels(wallet).set(waiting)
        for bet_id in lost:
            try:
                is_given_up = await self.write(partial(give_up, bet_id=bet_id, state=UNKNOWN))
            except Refused as altered:
                self.alarm(wallet, bet_id, altered)
                continue
            if is_given_up:
                log.warning("bet given up", extra={"wallet": wallet, "call": bet_id})
                due.append(rollback_id(bet_id))
        tasks = [task for call_id in due if (task := self.send_soon(wallet, call_id)) is not None]
        if tasks:
            await asyncio.wait(tasks)
        return len(due) >= DUE_MAX

    async def _send(self, wallet: str, call_id: str) -> None:
        try:
            async with self._slots[wallet]:
                await self._try(wallet, call_id)
        except StoreFailed as failed:
            log.warning("outbox failed", extra={"wallet": wallet, "call": call_id, "reason": str(failed)})

    async def _try(self, wallet: str, call_id: str) -> None:
        try:
            claimed = await self.write(partial(claim, call_id=call_id))
        except Refused as altered:
            self.alarm(wallet, call_id, altered)
            return
        if claimed is None:
            return
        told = {"wallet": wallet, "call": call_id, "kind": claimed.kind, "attempt": claimed.attempts}
        try:
            balance = await self.operators.send(wallet, claimed.kind, claimed.body, call_id)
        except (WalletRefused, WalletUnclear) as failed:
            CALLS.labels(wallet, claimed.kind, "failed").inc()
            log.warning("call not acknowledged", extra={**told, "reason": str(failed)})
            return
        await self.write(partial(acknowledge, call_id=call_id, balance=balance))
        CALLS.labels(wallet, claimed.kind, "done").inc()
        if claimed.attempts > 1:
            log.info("call acknowledged", extra=told)

    def alarm(self, wallet: str, call_id: str, altered: Refused) -> None:
        """The database says otherwise than what was sealed: nothing is sent, and somebody must look at it."""
        CALLS_ALTERED.labels(wallet).inc()
        if call_id not in self._altered:
            self._altered.add(call_id)
            log.error(
                "a call was altered and is not sent", extra={"wallet": wallet, "call": call_id, "reason": str(altered)}
            )

    async def close(self) -> None:
        """Let what is on its way arrive; whatever does not is still written down as due."""
        if self._going:
            await asyncio.wait(list(self._going.values()), timeout=CLOSE_S)
        for task in list(self._going.values()):
            task.cancel()
