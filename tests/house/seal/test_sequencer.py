"""Events of several chains in one order: every event is one leaf, and every leaf one event."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairhouse.core.errors import Refused
from pairhouse.core.merkle import MerkleTree, Node, leaf_hashes, root_at, stored_nodes
from pairhouse.house.seal.chain_keys import ChainKey
from pairhouse.house.seal.sequencer import NewEvents, Run, RunsCheck, grow, signed_events
from sealed_logs import BOOKS, some_key, some_seals


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


def test_what_several_chains_add_at_once_is_all_stored() -> None:
    tree, chains = MerkleTree(), {name: some_seals(300, name) for name in "abc"}
    grown = grow(tree, [NewEvents(name, 1, seals) for name, seals in chains.items()])
    order = [seal for seals in chains.values() for seal in seals]
    whole = MerkleTree()
    assert dict(grown.nodes) == dict(whole.extend(leaf_hashes(order)))
    assert grown.root == whole.root()
    assert grown.runs == [Run(0, "a", 1, 300), Run(300, "b", 1, 300), Run(600, "c", 1, 300)]


RUNS = [Run(0, "a", 1, 3), Run(3, "b", 1, 1)]
WRONG_RUNS = {
    "a leaf left out": (Run(5, "a", 4, 4), "leaf 4 of the log is expected, and the next run begins with leaf 5"),
    "a leaf taken twice": (Run(3, "a", 4, 4), "leaf 4 of the log is expected, and the next run begins with leaf 3"),
    "a run of nothing": (Run(4, "a", 4, 3), "leaf 4 of the log is expected, and the next run begins with leaf 4"),
    "an event left out": (Run(4, "a", 5, 5), "chain a goes on with event 5 after event 3 in the log"),
    "an event taken twice": (Run(4, "a", 3, 5), "chain a goes on with event 3 after event 3 in the log"),
    "a new chain without its start": (Run(4, "c", 2, 2), "chain c goes on with event 2 after event 0 in the log"),
}


@pytest.mark.parametrize("what", list(WRONG_RUNS))
def test_runs_leave_nothing_out_and_take_nothing_twice(what: str) -> None:
    check, (wrong, says) = RunsCheck(), WRONG_RUNS[what]
    for run in RUNS:
        check.add(run)
    with pytest.raises(Refused, match=f"^{re.escape(says)}$") as refused:
        check.add(wrong)
    assert refused.value.code == "bad-log"
    check.add(Run(4, "a", 4, 5))
    assert (check.size, check.last) == (6, {"a": 5, "b": 1})


def test_only_what_a_writer_has_signed_gets_into_the_log() -> None:
    key, seals = ChainKey(some_key(1), BOOKS, 1, "a"), some_seals(4, "a")
    end = key.sign_end(4, seals[3].hex())
    assert signed_events(key.certificate, end, 2, seals[1:]) == NewEvents("a", 2, seals[1:])
    wrong = [
        (2, seals, "chain a is signed up to event 4; 4 events from 2 on are there"),
        (1, [*seals[:3], bytes(32)], "event 4 of chain a has another seal than its writer has signed"),
    ]
    for first, given_seals, says in wrong:
        with pytest.raises(Refused, match=f"^{says}$") as refused:
            signed_events(key.certificate, end, first, given_seals)
        assert refused.value.code == "bad-chain"
