"""The Merkle tree of RFC 6962 and RFC 9162: hashes, roots, and proofs of inclusion and of consistency.

A tree that only grows needs no more memory than its right edge: the roots of the complete subtrees that its leaves fall
into, at most one of each size. Proofs are made of complete subtrees too, so each function here first says which *nodes*
it needs, a `(level, place)` each; they are then read where they were stored, or caught while leaves stream by.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from pairhouse.core.errors import Refused

HASH_BYTES = 32
EMPTY_ROOT = hashlib.sha256(b"").digest()
KEPT_LEVEL = 8  # complete subtrees of 256 leaves and more are stored; smaller ones are hashed again when needed
STREAM_LEAVES = 4096
_sha256 = hashlib.sha256


class Node(NamedTuple):
    """A complete subtree: of those that have 2**level leaves, the one at this place from the left."""

    level: int
    place: int


NodeHash = Callable[[Node], bytes]
Part = list[Node]  # the complete subtrees, from the left, whose roots make up one hash of a proof


def leaf_hash(leaf: bytes) -> bytes:
    """The hash of a leaf; it can never be taken for that of an inner node."""
    return _sha256(b"\x00" + leaf).digest()


def leaf_hashes(leaves: Iterable[bytes]) -> list[bytes]:
    """The hashes of many leaves."""
    return [_sha256(b"\x00" + leaf).digest() for leaf in leaves]


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return _sha256(b"\x01" + left + right).digest()


class MerkleTree:
    """An append-only tree, kept as its right edge.

    `edge` has the roots of the complete subtrees, the largest first: one for each bit that is set in `size`.
    """

    def __init__(self, size: int = 0, edge: Sequence[bytes] = ()) -> None:
        levels = [level for level in reversed(range(size.bit_length())) if size >> level & 1]
        if size < 0 or len(levels) != len(edge) or any(len(peak) != HASH_BYTES for peak in edge):
            raise Refused("bad-tree", f"a tree of {size} leaves has an edge of {len(levels)} hashes, not {len(edge)}")
        self.size = size
        self._peaks = dict(zip(levels, edge, strict=True))

    @property
    def edge(self) -> list[bytes]:
        """What has to be stored to go on with this tree later."""
        return [self._peaks[level] for level in sorted(self._peaks, reverse=True)]

    def root(self) -> bytes:
        """The root hash of all leaves so far."""
        return _folded(self.edge) if self.size else EMPTY_ROOT

    def append(self, leaf: bytes) -> None:
        """Add one leaf."""
        self.extend([leaf_hash(leaf)])

    def extend(self, hashes: Sequence[bytes], kept_level: int = KEPT_LEVEL) -> list[tuple[Node, bytes]]:
        """Add leaves by their hashes. Returns the complete nodes from `kept_level` up that this has made."""
        made: list[tuple[Node, bytes]] = []
        row, first, level = list(hashes), self.size, 0  # the new nodes of this level, and the place of the first
        self.size += len(row)
        while row:
            if level >= kept_level:
                made += [(Node(level, place), name) for place, name in enumerate(row, first)]
            if first & 1:
                row.insert(0, self._peaks.pop(level))
            if len(row) & 1:
                self._peaks[level] = row[-1]
            pairs = zip(row[::2], row[1::2], strict=False)
            row = [_sha256(b"\x01" + left + right).digest() for left, right in pairs]
            first, level = first >> 1, level + 1
        return made


def _folded(hashes: Sequence[bytes]) -> bytes:
    """One hash from the roots of neighbouring subtrees, the smallest joined first."""
    folded = hashes[-1]
    for left in reversed(hashes[:-1]):
        folded = node_hash(left, folded)
    return folded


def _cover(begin: int, end: int) -> Part:
    """The complete subtrees that the leaves from `begin` to `end` fall into. `begin` is where a subtree begins."""
    nodes = []
    while begin < end:
        level = (end - begin).bit_length() - 1
        nodes.append(Node(level, begin >> level))
        begin += 1 << level
    return nodes


def _split(begin: int, end: int) -> int:
    """Where the left half of these leaves ends: at the largest power of two below their number."""
    return begin + (1 << ((end - begin - 1).bit_length() - 1))


def inclusion_parts(index: int, size: int) -> list[Part]:
    """The nodes that prove leaf `index` in the tree of the first `size` leaves, from the leaf up."""
    if not 0 <= index < size:
        raise Refused("bad-proof", f"leaf {index} is not in a tree of {size} leaves; give one from 0 to {size - 1}")
    begin, end, parts = 0, size, []
    while end - begin > 1:
        split = _split(begin, end)
        if index < split:
            parts.append(_cover(split, end))
            end = split
        else:
            parts.append(_cover(begin, split))
            begin = split
    return parts[::-1]


def consistency_parts(old: int, new: int) -> list[Part]:
    """The nodes that prove that the tree of `new` leaves begins with the tree of `old` leaves."""
    if not 0 <= old <= new:
        raise Refused("bad-proof", f"a tree of {new} leaves cannot extend one of {old}; give the smaller one first")
    if old in (0, new):
        return []
    begin, end, parts = 0, new, []
    while end != old:
        split = _split(begin, end)
        if old <= split:
            parts.append(_cover(split, end))
            end = split
        else:
            parts.append(_cover(begin, split))
            begin = split
    if begin:
        parts.append(_cover(begin, end))
    return parts[::-1]


def prove(parts: Iterable[Part], node: NodeHash) -> list[bytes]:
    """The hashes of a proof, given a way to the nodes."""
    return [_folded([node(one) for one in part]) for part in parts]


def root_at(size: int, node: NodeHash) -> bytes:
    """The root of the tree of the first `size` leaves, given a way to the nodes."""
    return _folded([node(one) for one in _cover(0, size)]) if size else EMPTY_ROOT


def stored_nodes(kept: NodeHash, leaves: Callable[[int, int], Sequence[bytes]]) -> NodeHash:
    """A way to every complete node: the larger ones as they were stored, the smaller ones hashed from their leaves.

    `leaves(begin, end)` gives the leaves themselves. A proof of one leaf reads at most 255 others.
    """

    def node(wanted: Node) -> bytes:
        if wanted.level >= KEPT_LEVEL:
            return kept(wanted)
        begin, end = wanted.place << wanted.level, wanted.place + 1 << wanted.level
        tree = MerkleTree()
        tree.extend(leaf_hashes(leaves(begin, end)))
        if tree.size != end - begin:
            raise Refused("bad-tree", f"leaves {begin} to {end - 1} are asked for, and {tree.size} of them are there")
        return tree.root()

    return node


def streamed_nodes(hashes: Iterable[bytes], wanted: Collection[Node]) -> Mapping[Node, bytes]:
    """The hashes of a few nodes, caught while the hashes of all leaves stream by; memory does not grow with them."""
    tree, stream, missing = MerkleTree(), iter(hashes), set(wanted)
    found: dict[Node, bytes] = {}
    while chunk := list(islice(stream, STREAM_LEAVES)):
        found |= {node: name for node, name in tree.extend(chunk, kept_level=0) if node in missing}
    if len(found) < len(missing):
        raise Refused("bad-tree", f"the proof needs leaves beyond the {tree.size} that are there")
    return found


def root_from_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes:
    """The root that a proof leads to from the hash of a leaf (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        raise Refused("bad-proof", f"leaf {index} is not in a tree of {size} leaves; give one from 0 to {size - 1}")
    place, last, root = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            raise _wrong_length(len(proof))
        if place & 1 or place == last:
            root = node_hash(sibling, root)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        place, last = place >> 1, last >> 1
    if last:
        raise _wrong_length(len(proof))
    return root


def check_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Refuse a proof that does not lead from the hash of a leaf, at this index, to the root of the tree.

    Size and root must come from one signed head: some sizes next to each other have paths of the same shape.
    """
    if root_from_inclusion(leaf, index, size, proof) != root:
        raise Refused("bad-proof", f"the proof does not lead from leaf {index} to the root of the {size} leaves")


def check_consistency(old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]) -> None:
    """Refuse a proof that does not show that the new tree begins with the old one (RFC 9162, 2.1.4.2)."""
    if not 0 <= old <= new:
        raise Refused("bad-proof", f"a tree of {new} leaves cannot extend one of {old}; give the smaller one first")
    if old in (0, new):
        if proof:
            raise _wrong_length(len(proof))
        known = EMPTY_ROOT if old == 0 else new_root
        if old_root != known or (new == 0 and new_root != EMPTY_ROOT):
            raise Refused("bad-proof", f"two trees of {old} leaves have different roots")
        return
    path = list(proof)
    if old & (old - 1) == 0:
        path.insert(0, old_root)
    if not path or _roots_from_consistency(old, new, path) != (old_root, new_root):
        raise Refused("bad-proof", f"the tree of {new} leaves does not begin with that of {old} leaves")


def _roots_from_consistency(old: int, new: int, path: Sequence[bytes]) -> tuple[bytes, bytes]:
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    old_root = new_root = path[0]
    for sibling in path[1:]:
        if last == 0:
            raise _wrong_length(len(path))
        if place & 1 or place == last:
            old_root, new_root = node_hash(sibling, old_root), node_hash(sibling, new_root)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            new_root = node_hash(new_root, sibling)
        place, last = place >> 1, last >> 1
    if last:
        raise _wrong_length(len(path))
    return old_root, new_root


def _wrong_length(count: int) -> Refused:
    return Refused("bad-proof", f"a proof of {count} hashes does not fit trees of these sizes")
