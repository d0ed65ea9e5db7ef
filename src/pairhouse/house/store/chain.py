"""Hash-chained events: every change of the books is an event, sealed to the event before it.

Each writer has a chain of its own, so writers never wait for each other. A chain begins with a checkpoint, and adds
one from time to time: an event that names the last event of every other chain that has grown since a checkpoint last
named it. A chain that no longer grows has been named with its very last event and is not named again, so checkpoints
stay short however many chains there have been. The table `ties` says up to which event each chain is checkpointed.
"""

import hashlib
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import bindparam, func, insert, select, update

from pairhouse.house.store.rows import EventRow
from pairhouse.house.store.schema import events, ties

if TYPE_CHECKING:
    from pairhouse.house.store.transaction import WriteTx

GENESIS = "0" * 64  # stands for the seal before the first event
_INSERT_EVENT = insert(events)
_same_chain = events.c.chain == ties.c.chain
# Two lookups at the end of each chain: with a join, a database might walk through all events instead.
_last_number = select(func.max(events.c.number)).where(_same_chain).scalar_subquery()
_last_hash = select(events.c.hash).where(_same_chain).order_by(events.c.number.desc()).limit(1).scalar_subquery()
HEADS = select(ties.c.chain, _last_number.label("number"), _last_hash.label("hash")).order_by(ties.c.chain)
_GROWN = HEADS.where(_last_number > ties.c.number)
_INSERT_CHAIN = insert(ties)
_CHECKPOINTED = update(ties).where(ties.c.chain == bindparam("of_chain")).values(number=bindparam("up_to"))
_encoder = msgspec.json.Encoder(order="deterministic")


def event_hash(before: str, chain: str, number: int, at: int, kind: str, body: str) -> str:
    """The seal of an event: a hash over the seal before it, its position, its time and its content."""
    text = f"{before}\n{chain}\n{number}\n{at}\n{kind}\n{body}"
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass
class Chain:
    """The end of one chain, to which one writer adds: the number and the seal of its last event.

    `uncommitted` are the seals of the transaction that is going on.
    """

    id: str
    number: int = 0
    head: str = GENESIS
    uncommitted: list[str] = field(default_factory=list)

    @classmethod
    def new(cls) -> "Chain":
        return cls(secrets.token_hex(8))

    @property
    def mark(self) -> tuple[int, str]:
        """Where the chain ends, to come back to when a transaction fails."""
        return self.number, self.head

    def back_to(self, mark: tuple[int, str]) -> None:
        number, self.head = mark
        del self.uncommitted[len(self.uncommitted) - (self.number - number) :]
        self.number = number

    def committed(self) -> list[str]:
        """The seals of the transaction that has just been committed."""
        seals, self.uncommitted = self.uncommitted, []
        return seals

    def add(self, tx: "WriteTx", at: int, kind: str, what: object) -> None:
        """Seal an event to the chain, in the transaction that does what it describes."""
        body = _encoder.encode(what).decode()
        number = self.number + 1
        seal = event_hash(self.head, self.id, number, at, kind, body)
        tx.queue_row(_INSERT_EVENT, EventRow(self.id, number, at, kind, body, seal))
        self.number, self.head = number, seal
        self.uncommitted.append(seal)

    def checkpoint(self, tx: "WriteTx", at: int) -> None:
        """Name the last event of every other chain that has grown; if none has, add nothing."""
        if self.number == 0:
            tx.run(_INSERT_CHAIN, {"chain": self.id, "number": 0})
        heads = [(chain, number, seal) for chain, number, seal in tx.all(_GROWN, {}) if chain != self.id]
        if heads or self.number == 0:
            self.add(tx, at, "checkpoint", {"heads": heads})
        for chain, number, _ in heads:
            tx.run(_CHECKPOINTED, {"of_chain": chain, "up_to": number})
