"""Commands that wait for their turn, on PostgreSQL: they act on one thing, such as a live table.

Under SERIALIZABLE, PostgreSQL locks whole pages of an index for who reads there, so acts at one table conflict with
acts at others. A command in turn waits before its transaction begins until no other process has the same turn. It then
sees all that was done there before, and REPEATABLE READ is enough: a row that somebody else changed meanwhile, such as
a balance, makes the transaction run again.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from pairhouse.house.store.transaction import WriteTx

J = TypeVar("J", bound=tuple[Any, Any])  # a command, and who receives its answer


class InTurn:
    """A command that waits until no other process runs one with the same turn.

    Whatever it reads in order to decide, and others might change, must belong to the turn or be a row it changes too.
    """

    def __init__(self, command: Callable[[WriteTx], Any], turn: str) -> None:
        self.command = command
        self.turn = turn

    def __call__(self, tx: WriteTx) -> Any:
        return self.command(tx)


def turns_of(batch: Sequence[J]) -> list[str]:
    """The turns that the commands of a batch wait for."""
    return sorted({turn for job in batch if (turn := _turn_of(job)) is not None})


def apart(batch: list[J]) -> list[list[J]]:
    """The commands that wait for no turn, and those that do: they need transactions of another kind."""
    parts = [job for job in batch if _turn_of(job) is None], [job for job in batch if _turn_of(job) is not None]
    return [part for part in parts if part]


def _turn_of(job: tuple[Any, Any]) -> str | None:
    turn: str | None = getattr(job[0], "turn", None)
    return turn
