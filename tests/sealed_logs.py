"""Signed logs to test with: leaves that are always the same, a log that signs its heads, and ways to its nodes."""

import hashlib
from collections.abc import Sequence

from pairhouse.core.merkle import MerkleTree, Node, NodeHash, consistency_parts, leaf_hashes, prove, stored_nodes
from pairhouse.house.seal.heads import Head, KeyRing, SignedHead, sign_head
from pairhouse.house.seal.keys import PrivateKey, Signer
from pairhouse.house.seal.log_proofs import LogProof, prove_event

BOOKS = "00c0ffee00c0ffee"
FIRST_MS = 1_800_000_000_000


def some_seals(count: int, salt: str = "") -> list[bytes]:
    """Seals of events."""
    return [hashlib.sha256(f"{salt}{number}".encode()).digest() for number in range(count)]


def some_key(number: int) -> PrivateKey:
    """A key that is always the same."""
    return PrivateKey(hashlib.sha256(f"key {number}".encode()).digest())


class SignedLog:
    """A log of some seals, as a house would keep it."""

    def __init__(self, seals: Sequence[bytes], key: Signer | None = None, epoch: int = 1) -> None:
        self.seals = list(seals)
        self.key = key or some_key(1)
        self.epoch = epoch
        self.keys = KeyRing(BOOKS, self.key.public_key)
        self._kept: dict[Node, bytes] = dict(MerkleTree().extend(leaf_hashes(self.seals)))

    @property
    def node(self) -> NodeHash:
        return stored_nodes(self._kept.__getitem__, lambda begin, end: self.seals[begin:end])

    def head(self, size: int | None = None, *, next_key: Signer | None = None, at: int = FIRST_MS) -> SignedHead:
        """The signed head of the first so many seals."""
        size = len(self.seals) if size is None else size
        tree = MerkleTree()
        tree.extend(leaf_hashes(self.seals[:size]))
        new = (next_key,) if next_key else ()
        head = Head(BOOKS, self.epoch, size, tree.root(), at + size, next_key.public_key if next_key else None)
        return sign_head(head, self.key, *new)

    def prove_growth(self, old: int, new: int) -> list[bytes]:
        return prove(consistency_parts(old, new), self.node)

    def proof(self, index: int, size: int | None = None) -> LogProof:
        return prove_event(index, self.head(size), self.node)
