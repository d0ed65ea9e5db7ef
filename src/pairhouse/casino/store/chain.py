"""Hash-chained events: every act of the house is sealed to the one before it.

Each writer has a chain of its own, so no two of them wait for one another. A chain opens, and goes on from time to
time, with a checkpoint that names the heads of all other chains, which ties them together.
"""

import hashlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import func, insert, select

from pairhouse.casino.store.schema import events

if TYPE_CHECKING:
    from pairhouse.casino.store.writer import WriteTx

GENESIS = "0" * 64
_INSERT = insert(events)
_latest = select(events.c.chain, func.max(events.c.number).label("number")).group_by(events.c.chain).subquery()
HEADS = (
    select(events.c.chain, events.c.number, events.c.hash)
    .join(_latest, (events.c.chain == _latest.c.chain) & (events.c.number == _latest.c.number))
    .order_by(events.c.chain)
)
_encoder = msgspec.json.Encoder(order="deterministic")


def event_hash(before: str, chain: str, number: int, at: int, kind: str, body: str) -> str:
    """The seal of an event: over the seal before it, its place, its time and all it says."""
    text = f"{before}\n{chain}\n{number}\n{at}\n{kind}\n{body}"
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass
class Chain:
    """The end of one chain, to which one writer adds."""

    id: str
    number: int = 0
    head: str = GENESIS

    @classmethod
    def new(cls) -> "Chain":
        return cls(secrets.token_hex(8))

    @property
    def mark(self) -> tuple[int, str]:
        """Where the chain stands, to come back to when a transaction fails."""
        return self.number, self.head

    def back_to(self, mark: tuple[int, str]) -> None:
        self.number, self.head = mark

    def add(self, tx: "WriteTx", at: int, kind: str, what: object) -> None:
        """Seal an event to the chain, in the transaction whose doing it tells."""
        body = _encoder.encode(what).decode()
        number = self.number + 1
        seal = event_hash(self.head, self.id, number, at, kind, body)
        row = {"chain": self.id, "number": number, "at": at, "kind": kind, "body": body, "hash": seal}
        tx.later(_INSERT, row)
        self.number, self.head = number, seal

    def checkpoint(self, tx: "WriteTx", at: int) -> None:
        """Name the head of every other chain in this one."""
        heads = [row for row in tx.all(HEADS, {}) if row[0] != self.id]
        self.add(tx, at, "checkpoint", {"heads": heads})
