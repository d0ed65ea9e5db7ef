"""Hash-chained events: every act of the house is sealed to the one before it.

Each writer has a chain of its own, so no two of them wait for one another. A chain opens, and goes on from time to
time, with a checkpoint that ties it to the others: it names the head of every other chain that has moved since a
checkpoint last named it. A chain at rest has been named with its very last event, and is not named again, so that
checkpoints do not grow with the number of chains there have been. `ties` says how far each chain is named.
"""

import hashlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import bindparam, func, insert, select, update

from pairhouse.house.store.schema import events, ties

if TYPE_CHECKING:
    from pairhouse.house.store.transaction import WriteTx

GENESIS = "0" * 64
_INSERT = insert(events)
_of_tied = events.c.chain == ties.c.chain
# Two looks at the end of each chain: a join would let a database walk through all events instead.
_number = select(func.max(events.c.number)).where(_of_tied).scalar_subquery()
_hash = select(events.c.hash).where(_of_tied).order_by(events.c.number.desc()).limit(1).scalar_subquery()
HEADS = select(ties.c.chain, _number.label("number"), _hash.label("hash")).order_by(ties.c.chain)
_MOVED = HEADS.where(_number > ties.c.number)
_OPEN = insert(ties)
_TIE = update(ties).where(ties.c.chain == bindparam("of_chain")).values(number=bindparam("at_number"))
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
        tx.add(_INSERT, (self.id, number, at, kind, body, seal))
        self.number, self.head = number, seal

    def checkpoint(self, tx: "WriteTx", at: int) -> None:
        """Name the head of every other chain that has moved; where none has, there is nothing to say."""
        if self.number == 0:
            tx.run(_OPEN, {"chain": self.id, "number": 0})
        heads = [row for row in tx.all(_MOVED, {}) if row[0] != self.id]
        if heads or self.number == 0:
            self.add(tx, at, "checkpoint", {"heads": heads})
        for chain, number, _ in heads:
            tx.run(_TIE, {"of_chain": chain, "at_number": number})
