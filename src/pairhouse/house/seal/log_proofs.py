"""The proof that one event is in the log: its leaf, the path to the root, and the signed head that has this root.

The form is c2sp.org/tlog-proof: a text that can be checked without the house and without its code.
"""

import re
from dataclasses import dataclass

from pairhouse.core.errors import Refused, shown
from pairhouse.core.merkle import HASH_BYTES, NodeHash, check_inclusion, inclusion_parts, leaf_hash, prove
from pairhouse.house.seal.heads import NUMBER, KeyRing, SignedHead, from_base64, read_head, to_base64

_FIRST_LINE = "c2sp.org/tlog-proof@v1"
_PATH_MAX = 64
_INDEX = re.compile(f"index {NUMBER}", re.ASCII)


@dataclass(frozen=True)
class LogProof:
    """Where an event stands in the log, and how its leaf leads to the root of a head."""

    index: int
    path: tuple[bytes, ...]
    signed: SignedHead

    @property
    def text(self) -> str:
        lines = [_FIRST_LINE, f"index {self.index}", *map(to_base64, self.path)]
        return "\n".join(lines) + "\n\n" + self.signed.text

    def check(self, seal: bytes, keys: KeyRing) -> None:
        """Refuse it unless the event with this seal is in the log, under a head that a trusted key has signed."""
        keys.check(self.signed)
        head = self.signed.head
        check_inclusion(leaf_hash(seal), self.index, head.size, self.path, head.root)


def prove_event(index: int, signed: SignedHead, node: NodeHash) -> LogProof:
    """The proof for one leaf under a head that has it."""
    return LogProof(index, tuple(prove(inclusion_parts(index, signed.head.size), node)), signed)


def read_proof(text: str) -> LogProof:
    """A proof from its text. Nothing in it is trusted before it is checked."""
    top, _, head = text.partition("\n\n")
    first, *lines = top.split("\n")
    index = _INDEX.fullmatch(lines[0]) if lines else None
    if first != _FIRST_LINE or index is None or len(lines) > 1 + _PATH_MAX:
        raise Refused("bad-proof", f"{shown(text)} is not a proof of the log; it begins with {_FIRST_LINE}")
    return LogProof(int(index[1]), tuple(from_base64(line, HASH_BYTES) for line in lines[1:]), read_head(head))
