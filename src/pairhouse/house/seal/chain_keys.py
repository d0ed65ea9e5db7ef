"""A key for each chain: made when a writer opens it, certified by the sealing key, and gone when the writer ends.

With every commit the writer signs the end of its chain. So nobody else can add to a chain, seal it anew, or open
another one: the key is in the memory of its writer and nowhere else, and another key has no certificate. Whoever puts
events into the log takes only those that are signed here.
"""

from collections.abc import Iterable
from typing import NamedTuple

from pairhouse.core.errors import Refused
from pairhouse.house.seal.heads import to_base64
from pairhouse.house.seal.keys import PrivateKey, Signer, is_signed_by
from pairhouse.house.seal.recent import RecentSeals


class ChainCertificate(NamedTuple):
    """What the sealing key signs when a chain is opened: whose end may be signed by which key."""

    books: str
    epoch: int
    chain: str
    public_key: bytes
    signature: bytes = b""

    @property
    def body(self) -> bytes:
        lines = ("pairhouse/chain-key/v1", self.books, str(self.epoch), self.chain, to_base64(self.public_key))
        return ("\n".join(lines) + "\n").encode()

    def check(self, sealing_keys: Iterable[bytes]) -> None:
        """Refuse a chain that none of these sealing keys has let in."""
        if not any(is_signed_by(key, self.signature, self.body) for key in sealing_keys):
            raise Refused(
                "bad-chain", f"chain {self.chain} was not opened by this house: its certificate does not hold"
            )


class ChainEnd(NamedTuple):
    """How far a chain goes: the number and the seal of its last event, signed by the key of the chain."""

    chain: str
    number: int
    seal: str
    signature: bytes = b""

    @property
    def body(self) -> bytes:
        return f"pairhouse/chain-end/v1\n{self.chain}\n{self.number}\n{self.seal}\n".encode()

    def check(self, certificate: ChainCertificate) -> None:
        """Refuse an end that the writer of the chain has not signed."""
        known = certificate.public_key
        if self.chain != certificate.chain or not is_signed_by(known, self.signature, self.body):
            sentence = f"event {self.number} of chain {self.chain} is not signed by the writer of that chain"
            raise Refused("bad-chain", sentence)


class ChainKey:
    """The key of one chain, in the memory of its writer and nowhere else."""

    def __init__(self, sealing_key: Signer, books: str, epoch: int, chain: str) -> None:
        self._key = PrivateKey.new()
        certificate = ChainCertificate(books, epoch, chain, self._key.public_key)
        self.certificate = certificate._replace(signature=sealing_key.sign(certificate.body))

    def sign_end(self, number: int, seal: str) -> ChainEnd:
        """Sign the last event of the chain, for the transaction that adds it."""
        end = ChainEnd(self.certificate.chain, number, seal)
        return end._replace(signature=self._key.sign(end.body))


class ChainCertifier:
    """Lets chains in: makes and certifies a key for each, for these books in this epoch.

    `recent` has the seals that writers with such keys have committed, for whoever keeps the log.
    """

    def __init__(self, sealing_key: Signer, books: str, epoch: int) -> None:
        self._sealing_key = sealing_key
        self.books = books
        self.epoch = epoch
        self.recent = RecentSeals()

    @property
    def public_key(self) -> bytes:
        """The public half of the sealing key."""
        return self._sealing_key.public_key

    def new_key(self, chain: str) -> ChainKey:
        """The key for a chain that is about to be opened."""
        return ChainKey(self._sealing_key, self.books, self.epoch, chain)
