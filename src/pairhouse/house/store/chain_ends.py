"""Where each chain ends, as its writer has signed it: rows of `chain_ends`, written with every commit."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import bindparam, func, insert, select, update

from pairhouse.house.seal.chain_keys import ChainCertificate, ChainEnd, ChainKey
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import chain_ends, events, runs

_INSERT = insert(chain_ends)
_SIGN = (
    update(chain_ends)
    .where(chain_ends.c.chain == bindparam("of_chain"))
    .values(number=bindparam("last"), hash=bindparam("seal"), signature=bindparam("signed"))
)
_ENDS = select(chain_ends).order_by(chain_ends.c.chain)
_in_log = func.coalesce(
    select(func.max(runs.c.last_event)).where(runs.c.chain == chain_ends.c.chain).scalar_subquery(), 0
)
_GROWN = select(chain_ends, _in_log.label("in_log")).where(chain_ends.c.number > _in_log).order_by(chain_ends.c.chain)
_CHAINS_OF_BEFORE = select(events.c.chain, func.max(events.c.number)).group_by(events.c.chain).order_by(events.c.chain)


class SignedChain(NamedTuple):
    """A row of `chain_ends`."""

    chain: str
    epoch: int
    public_key: str
    certificate: str
    number: int
    hash: str
    signature: str

    def certificate_of(self, books: str) -> ChainCertificate:
        """What the sealing key has said of this chain, if it has."""
        return ChainCertificate(books, self.epoch, self.chain, _bytes(self.public_key), _bytes(self.certificate))

    @property
    def end(self) -> ChainEnd:
        """What the writer of the chain has signed, if it has."""
        return ChainEnd(self.chain, self.number, self.hash, _bytes(self.signature))


def _bytes(hex_digits: str) -> bytes:
    """The bytes of hex digits; nothing for what is none, so that no signature fits it."""
    try:
        return bytes.fromhex(hex_digits)
    except ValueError:
        return b""


def insert_end(tx: Tx, key: ChainKey, number: int, seal: str) -> None:
    """Store the certificate of a new chain, with its first signed end."""
    certificate, end = key.certificate, key.sign_end(number, seal)
    row = {"chain": end.chain, "epoch": certificate.epoch, "public_key": certificate.public_key.hex()}
    row |= {"certificate": certificate.signature.hex(), "number": number, "hash": seal}
    tx.run(_INSERT, {**row, "signature": end.signature.hex()})


def sign_end(tx: Tx, key: ChainKey, number: int, seal: str) -> None:
    """Sign the end of a chain, in the transaction that adds its last events."""
    end = key.sign_end(number, seal)
    tx.run(_SIGN, {"of_chain": end.chain, "last": number, "seal": seal, "signed": end.signature.hex()})


def all_ends(tx: Tx) -> list[SignedChain]:
    """Every chain that has a certificate."""
    return [SignedChain._make(row) for row in tx.all(_ENDS, {})]


def grown_chains(tx: Tx) -> Iterator[tuple[SignedChain, int]]:
    """The chains with signed events that are not in the log yet, each with its last event that is."""
    for *row, in_log in tx.all(_GROWN, {}):
        yield SignedChain._make(row), int(in_log)


def chains_in_events(tx: Tx) -> list[tuple[str, int]]:
    """Every chain of which there are events, and the number of the last; it reads all of them."""
    return [(chain, int(number)) for chain, number in tx.all(_CHAINS_OF_BEFORE, {})]
