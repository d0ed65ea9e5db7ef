"""Events of several chains in one order: every event is one leaf, and every leaf one event."""

from hypothesis import given
from hypothesis import strategies as st

from pairhouse.core.merkle import MerkleTree, Node, leaf_hashes, root_at, stored_nodes
from pairhouse.house.seal.sequencer import NewEvents, Run, grow
from sealed_logs import some_seals


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.integers(0, 400)), max_size=8))
def test_every_event_is_one_leaf(batches: list[tuple[str, int]]) -> None:
    chains = {name: some_seals(sum(count for chain, count in batches if chain == name), name) for name in "abc"}
    done = dict.fromkeys("abc", 0)
    tree, kept, runs, order = MerkleTree(), dict[Node, bytes](), list[Run](), list[bytes]()
    for chain, count in batches:
        seals = chains[chain][done[chain] : done[chain] + count]
        grown = grow(tree, [NewEvents(chain, done[chain] + 1, seals), NewEvents("d", 1, [])])
        done[chain] += count
        order += seals
        runs += grown.runs
        kept |= dict(grown.nodes)
        assert (grown.size, grown.root) == (len(order), tree.root())
        tree = MerkleTree(grown.size, grown.edge)
    events = {(run.chain, number): run.leaf_of(number) for run in runs for number in range(run.first, run.last + 1)}
    assert sorted(events.values()) == list(range(len(order)))
    assert all(order[leaf] == chains[chain][number - 1] for (chain, number), leaf in events.items())
    whole = MerkleTree()
    whole.extend(leaf_hashes(order))
    assert tree.root() == whole.root()
    assert root_at(len(order), stored_nodes(kept.__getitem__, lambda begin, end: order[begin:end])) == whole.root()
