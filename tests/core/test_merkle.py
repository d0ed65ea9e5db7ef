"""The tree against the vectors of certificate transparency, against the recursive text of RFC 6962, and its laws."""

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairhouse.core.errors import Refused
from pairhouse.core.merkle import (
    EMPTY_ROOT,
    KEPT_LEVEL,
    MerkleTree,
    Node,
    check_consistency,
    check_inclusion,
    consistency_parts,
    inclusion_parts,
    leaf_hash,
    leaf_hashes,
    prove,
    root_at,
    stored_nodes,
    streamed_nodes,
)

# The eight leaves that the implementations of certificate transparency are tested with, and what they come to.
LEAVES = [bytes.fromhex(text) for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")]  # fmt: skip
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
INCLUSION = [  # leaf (from 0), size, path
    (0, 8, ["96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7", "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e", "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"]),
    (5, 8, ["bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b", "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"]),
    (2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    (1, 5, ["6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d", "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e", "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"]),
]  # fmt: skip
CONSISTENCY = [
    (1, 1, []),
    (1, 8, ["96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7", "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e", "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"]),
    (6, 8, ["0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a", "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"]),
    (2, 5, ["5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e", "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"]),
]  # fmt: skip


def some_leaves(count: int) -> list[bytes]:
    return [hashlib.sha256(b"%d" % number).digest() for number in range(count)]


def tree_of(leaves: Sequence[bytes]) -> MerkleTree:
    tree = MerkleTree()
    tree.extend(leaf_hashes(leaves))
    return tree


def power_below(count: int) -> int:
    power = 1
    while power * 2 < count:
        power *= 2
    return power


def rfc_root(leaves: Sequence[bytes]) -> bytes:
    """RFC 6962, 2.1, word for word."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    k = power_below(len(leaves))
    return hashlib.sha256(b"\x01" + rfc_root(leaves[:k]) + rfc_root(leaves[k:])).digest()


def rfc_path(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    """RFC 6962, 2.1.1."""
    if len(leaves) == 1:
        return []
    k = power_below(len(leaves))
    if m < k:
        return [*rfc_path(m, leaves[:k]), rfc_root(leaves[k:])]
    return [*rfc_path(m - k, leaves[k:]), rfc_root(leaves[:k])]


def rfc_proof(m: int, leaves: Sequence[bytes], whole: bool = True) -> list[bytes]:
    """RFC 6962, 2.1.2."""
    if m == len(leaves):
        return [] if whole else [rfc_root(leaves)]
    k = power_below(len(leaves))
    if m <= k:
        return [*rfc_proof(m, leaves[:k], whole), rfc_root(leaves[k:])]
    return [*rfc_proof(m - k, leaves[k:], False), rfc_root(leaves[:k])]


def inclusion(index: int, size: int, leaves: Sequence[bytes]) -> list[bytes]:
    parts = inclusion_parts(index, size)
    found = streamed_nodes(leaf_hashes(leaves), [node for part in parts for node in part])
    return prove(parts, found.__getitem__)


def consistency(old: int, new: int, leaves: Sequence[bytes]) -> list[bytes]:
    parts = consistency_parts(old, new)
    found = streamed_nodes(leaf_hashes(leaves), [node for part in parts for node in part])
    return prove(parts, found.__getitem__)


def test_the_empty_tree() -> None:
    assert MerkleTree().root() == EMPTY_ROOT == bytes.fromhex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")  # fmt: skip


def test_known_roots() -> None:
    tree = MerkleTree()
    for leaf, root in zip(LEAVES, ROOTS, strict=True):
        tree.append(leaf)
        assert tree.root().hex() == root


@pytest.mark.parametrize(("index", "size", "path"), INCLUSION)
def test_known_inclusion_proofs(index: int, size: int, path: list[str]) -> None:
    assert [name.hex() for name in inclusion(index, size, LEAVES)] == path
    check_inclusion(leaf_hash(LEAVES[index]), index, size, [*map(bytes.fromhex, path)], bytes.fromhex(ROOTS[size - 1]))


@pytest.mark.parametrize(("old", "new", "path"), CONSISTENCY)
def test_known_consistency_proofs(old: int, new: int, path: list[str]) -> None:
    assert [name.hex() for name in consistency(old, new, LEAVES)] == path
    roots = [bytes.fromhex(ROOTS[size - 1]) for size in (old, new)]
    check_consistency(old, roots[0], new, roots[1], [*map(bytes.fromhex, path)])


def test_every_proof_of_small_trees_is_the_one_of_the_rfc_and_holds() -> None:
    leaves = some_leaves(33)
    for size in range(1, 34):
        root = rfc_root(leaves[:size])
        for index in range(size):
            proof = inclusion(index, size, leaves)
            assert proof == rfc_path(index, leaves[:size])
            check_inclusion(leaf_hash(leaves[index]), index, size, proof, root)
        for old in range(size + 1):
            proof = consistency(old, size, leaves)
            assert proof == (rfc_proof(old, leaves[:size]) if old else [])
            check_consistency(old, rfc_root(leaves[:old]), size, root, proof)


@given(st.lists(st.integers(0, 700), max_size=5))
def test_however_leaves_come_the_tree_and_its_stored_nodes_are_the_same(counts: list[int]) -> None:
    leaves = some_leaves(sum(counts))
    tree, kept, begin = MerkleTree(), dict[Node, bytes](), 0
    for count in counts:
        tree = MerkleTree(tree.size, tree.edge)  # as after a restart
        for node, name in tree.extend(leaf_hashes(leaves[begin : begin + count])):
            assert node not in kept
            kept[node] = name
        begin += count
    assert tree.root() == tree_of(leaves).root()
    assert len(kept) == sum(len(leaves) >> level for level in range(KEPT_LEVEL, 20))
    node_of = stored_nodes(kept.__getitem__, lambda begin, end: leaves[begin:end])
    for size in {0, len(leaves) // 3, len(leaves)}:
        assert root_at(size, node_of) == tree_of(leaves[:size]).root()


@st.composite
def proven(draw: st.DrawFn) -> tuple[list[bytes], int, int]:
    leaves = some_leaves(draw(st.integers(1, 300)))
    size = draw(st.integers(1, len(leaves)))
    return leaves, draw(st.integers(0, size - 1)), size


@given(proven())
def test_proofs_from_stored_nodes_are_those_from_a_stream(case: tuple[list[bytes], int, int]) -> None:
    leaves, index, size = case
    kept = dict(MerkleTree().extend(leaf_hashes(leaves)))
    node_of = stored_nodes(kept.__getitem__, lambda begin, end: leaves[begin:end])
    assert prove(inclusion_parts(index, size), node_of) == inclusion(index, size, leaves)
    assert prove(consistency_parts(index, size), node_of) == consistency(index, size, leaves)


def flipped(name: bytes, bit: int) -> bytes:
    return (int.from_bytes(name, "big") ^ 1 << bit).to_bytes(len(name), "big")


@given(proven(), st.data())
def test_an_inclusion_proof_with_anything_changed_is_refused(case: tuple[list[bytes], int, int], data: st.DataObject) -> None:  # fmt: skip
    leaves, index, size = case
    proof, root, leaf = inclusion(index, size, leaves), tree_of(leaves[:size]).root(), leaf_hash(leaves[index])
    check_inclusion(leaf, index, size, proof, root)
    bit = data.draw(st.integers(0, 255))
    wrong = [(flipped(leaf, bit), index, size, proof, root), (leaf, index, size, proof, flipped(root, bit))]
    wrong += [(leaf, index, size, [*proof, proof[-1] if proof else root], root)]
    other = data.draw(st.integers(-1, size).filter(lambda place: place != index))
    wrong += [(leaf, other, size, proof, root)]
    if proof:
        at = data.draw(st.integers(0, len(proof) - 1))
        wrong += [(leaf, index, size, [*proof[:at], flipped(proof[at], bit), *proof[at + 1 :]], root)]
        wrong += [(leaf, index, size, proof[:-1], root)]
    for given_leaf, place, count, path, top in wrong:
        with pytest.raises(Refused):
            check_inclusion(given_leaf, place, count, path, top)


@given(proven(), st.data())
def test_a_consistency_proof_with_anything_changed_is_refused(case: tuple[list[bytes], int, int], data: st.DataObject) -> None:  # fmt: skip
    leaves, old, new = case
    roots = {size: tree_of(leaves[:size]).root() for size in range(new + 1)}
    proof = consistency(old, new, leaves)
    check_consistency(old, roots[old], new, roots[new], proof)
    bit = data.draw(st.integers(0, 255))
    wrong = [(old, flipped(roots[old], bit), new, roots[new], proof), (old, roots[old], new, roots[new], [*proof, roots[old]])]  # fmt: skip
    if old:
        wrong += [(old, roots[old], new, flipped(roots[new], bit), proof)]
        other = data.draw(st.integers(1, new).filter(lambda size: size != old))
        wrong += [(other, roots[old], new, roots[new], proof), (new, roots[new], old, roots[old], proof)]
    if proof:
        at = data.draw(st.integers(0, len(proof) - 1))
        wrong += [(old, roots[old], new, roots[new], [*proof[:at], flipped(proof[at], bit), *proof[at + 1 :]])]
        wrong += [(old, roots[old], new, roots[new], proof[:-1])]
    for smaller, first, larger, second, path in wrong:
        with pytest.raises(Refused):
            check_consistency(smaller, first, larger, second, path)


def test_bad_sizes_and_edges_are_refused_with_a_sentence() -> None:
    with pytest.raises(Refused, match=r"a tree of 5 leaves has an edge of 2 hashes, not 1"):
        MerkleTree(5, [EMPTY_ROOT])
    with pytest.raises(Refused, match="leaf 4 is not in a tree of 4 leaves; give one from 0 to 3"):
        inclusion_parts(4, 4)
    with pytest.raises(Refused, match="give the smaller one first"):
        consistency_parts(5, 4)
    with pytest.raises(Refused, match="the proof needs leaves beyond the 3 that are there"):
        inclusion(0, 8, LEAVES[:3])
    five = stored_nodes(dict[Node, bytes]().__getitem__, lambda begin, end: LEAVES[:5][begin:end])
    with pytest.raises(Refused, match="leaves 4 to 7 are asked for, and 1 of them are there"):
        five(Node(2, 1))
