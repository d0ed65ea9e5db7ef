"""Advice and prices worked out in a process of their own, within limits on memory, time and how many may wait."""

import asyncio
import logging
import os
import sys
from contextlib import suppress
from typing import Any

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import MODULES_VARIABLE, outside_modules
from pairhouse.machines.events import View

log = logging.getLogger("pairhouse.solver")

LINE_MAX_BYTES = 2**20


class Question(msgspec.Struct, frozen=True, tag="advice"):
    """A round that asks something: its game, and what its player sees."""

    game: str
    options: dict[str, Any]
    view: View


class PriceQuestion(msgspec.Struct, frozen=True, tag="prices"):
    """What is every counted wager worth when the next round is dealt from these cards? Several lots at once."""

    game: str
    options: dict[str, Any]
    lots: list[list[int]]


AnyQuestion = Question | PriceQuestion


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was found, as JSON, or why there is nothing."""

    found: msgspec.Raw = msgspec.Raw(b"null")
    code: str = ""
    error: str = ""


class SolverLimits(msgspec.Struct, frozen=True):
    """What the solver may use, and how many may wait for it."""

    memory_bytes: int = 1 << 30
    seconds: float = 30.0  # the first question of a new installation compiles the solver
    waiting: int = 16


def environment() -> dict[str, str]:
    """For a process of ours: it knows the games that this process knows, and finds modules where this one does."""
    known = {MODULES_VARIABLE: ",".join(outside_modules()), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return {**os.environ, **known}


class Solver:
    """One process, started by the first question and again after it fell; questions are answered one at a time."""

    def __init__(self, limits: SolverLimits | None = None) -> None:
        self.limits = limits or SolverLimits()
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0

    @property
    def pid(self) -> int | None:
        """The solver's process, while it runs."""
        is_running = self._process is not None and self._process.returncode is None
        return self._process.pid if is_running and self._process is not None else None

    async def advise(self, variant: Variant, view: View) -> bytes:
        """The advice as JSON; refused where too many wait, or where it takes more than it may."""
        return await self._answer(Question(variant.game.id, dict(variant.options), view))

    async def prices(self, variant: Variant, lots: list[list[int]]) -> list[dict[str, str]]:
        """For each lot of cards: what a unit on each counted wager is expected to win, as an exact fraction."""
        found = await self._answer(PriceQuestion(variant.game.id, dict(variant.options), lots))
        return msgspec.json.decode(found, type=list[dict[str, str]])

    async def _answer(self, question: AnyQuestion) -> bytes:
        if self._waiting >= self.limits.waiting:
            raise Refused("solver-busy", "too many ask for advice just now; try again in a moment")
        self._waiting += 1
        try:
            async with self._turn:
                answer = await self._ask(question)
        finally:
            self._waiting -= 1
        if answer.code:
            raise Refused(answer.code, answer.error)
        return bytes(answer.found)

    async def _ask(self, question: AnyQuestion) -> Answer:
        is_answered = False
        try:
            async with asyncio.timeout(self.limits.seconds):
                line = await self._exchange(msgspec.json.encode(question) + b"\n")
            is_answered = line.endswith(b"\n")
        except (TimeoutError, OSError, ValueError):  # ValueError: a line that does not end
            line = b""
        finally:
            if not is_answered:
                await self._end()  # whatever it says after that would be taken for the answer to another question
        if not line:
            log.warning("advice needed more than it may", extra={"game": question.game})
            raise Refused("solver-limit", "this advice takes more time or memory than it may; try again later")
        return msgspec.json.decode(line, type=Answer)

    async def _exchange(self, question: bytes) -> bytes:
        if self.pid is None:
            await self._end()
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "pairhouse.server.processes.solver_process", str(self.limits.memory_bytes)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LINE_MAX_BYTES,
                env=environment(),
                start_new_session=True,  # a Ctrl-C reaches it by way of its parent only
            )
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(question)
        await process.stdin.drain()
        return await process.stdout.readline()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()  # reads to the end and waits, so that nothing of it is left

    async def close(self) -> None:
        """End the process, if there is one."""
        await self._end()
