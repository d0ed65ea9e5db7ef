"""What a crowd has done and what came of it, counted while it plays."""

import time
from collections import Counter
from collections.abc import Awaitable
from typing import TypeVar

import msgspec

from pairhouse.core.errors import Refused

T = TypeVar("T")


def counted(count: int, what: str) -> str:
    """`1 round`, `2 rounds`"""
    return f"{count} {what}{'s' * (count != 1)}"


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A crowd's visit. Times are milliseconds from a request to its answer, as the crowd saw them."""

    players: int
    rounds: int
    bets: int
    decisions: int
    late: int
    refused: dict[str, int]
    lies: int
    lies_taken: int
    unanswered: int
    lost_streams: int
    p50_ms: float
    p99_ms: float
    seconds: float

    def text(self) -> str:
        """The summary in lines."""
        refused = ", ".join(f"{code} {count}" for code, count in sorted(self.refused.items())) or "nothing"
        lines = [
            f"{counted(self.players, 'player')}, {counted(self.rounds, 'round')} in {self.seconds:.1f} s",
            f"{counted(self.bets, 'bet')}, {counted(self.decisions, 'decision')}, {self.late} by the clock",
            f"refused: {refused}",
            f"answers: half within {self.p50_ms:.1f} ms, 99 of 100 within {self.p99_ms:.1f} ms",
        ]
        if self.lies:
            lines.append(f"lies: {self.lies} told, {self.lies - self.lies_taken} refused, {self.lies_taken} taken")
        if self.unanswered or self.lost_streams:
            lines.append(f"the line: {self.unanswered} requests sent again, {self.lost_streams} streams taken up again")
        return "\n".join(lines)


class Journal:
    """Counts and times of everybody in the crowd."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.count: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.rounds: set[str] = set()
        self.taken: list[str] = []  # lies that were not refused
        self.times_ms: list[float] = []

    async def asked(self, what: str, act: Awaitable[T]) -> T | None:
        """Do something, count it and its time; None if it was refused."""
        began = time.monotonic()
        try:
            answer = await act
        except Refused as refused:
            if refused.code == "no-house":
                raise
            self.refused[refused.code] += 1
            return None
        finally:
            self.times_ms.append((time.monotonic() - began) * 1000)
        self.count[what] += 1
        return answer

    async def lied(self, what: str, act: Awaitable[object]) -> None:
        """Do something that has to be refused."""
        self.count["lies"] += 1
        try:
            await act
        except Refused as refused:
            if refused.code == "no-house":
                raise
            self.count[f"lie refused: {refused.code}"] += 1
            return
        self.taken.append(what)

    def line(self) -> str:
        """How it goes, in a line."""
        passed = time.monotonic() - self.began
        done = [counted(self.count[f"{what}s"], what) for what in ("bet", "decision")]
        return f"{passed:6.0f} s  {', '.join([counted(len(self.rounds), 'round'), *done])}"

    def summary(self, players: int, unanswered: int, lost_streams: int) -> Summary:
        times = sorted(self.times_ms) or [0.0]
        return Summary(
            players=players,
            rounds=len(self.rounds),
            bets=self.count["bets"],
            decisions=self.count["decisions"],
            late=self.count["late"],
            refused=dict(self.refused),
            lies=self.count["lies"],
            lies_taken=len(self.taken),
            unanswered=unanswered,
            lost_streams=lost_streams,
            p50_ms=times[len(times) // 2],
            p99_ms=times[min(len(times) - 1, len(times) * 99 // 100)],
            seconds=time.monotonic() - self.began,
        )
