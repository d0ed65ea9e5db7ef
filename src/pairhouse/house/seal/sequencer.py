"""The order of the log: events of several chains, put one run after another, a leaf each.

The leaf of an event is its seal, 32 bytes. A *run* is a number of events of one chain that follow one another in the
log too, so a small table of runs says for every event which leaf it is, and for every leaf which event.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pairhouse.core.errors import Refused
from pairhouse.core.merkle import MerkleTree, Node, leaf_hashes
from pairhouse.house.seal.chain_keys import ChainCertificate, ChainEnd


class Run(NamedTuple):
    """Events `first` to `last` of a chain are the leaves from `first_leaf` on."""

    first_leaf: int
    chain: str
    first: int
    last: int

    def leaf_of(self, number: int) -> int:
        """The leaf of an event of this run."""
        assert self.first <= number <= self.last
        return self.first_leaf + number - self.first


class NewEvents(NamedTuple):
    """The events of a chain that are not in the log yet: the number of the first, and the seals of all."""

    chain: str
    first: int
    seals: Sequence[bytes]


class Growth(NamedTuple):
    """What is to be stored, in one transaction, when the log has grown."""

    runs: list[Run]
    nodes: list[tuple[Node, bytes]]
    size: int
    edge: list[bytes]
    root: bytes


def signed_events(certificate: ChainCertificate, end: ChainEnd, first: int, seals: Sequence[bytes]) -> NewEvents:
    """The new events of a chain, from number `first` up to the end that its writer has signed; others are refused.

    The certificate must have been checked against the sealing keys.
    """
    end.check(certificate)
    if len(seals) != end.number - first + 1:
        sentence = (
            f"chain {end.chain} is signed up to event {end.number}; {len(seals)} events from {first} on are there"
        )
        raise Refused("bad-chain", sentence)
    if seals and seals[-1].hex() != end.seal:
        sentence = f"event {end.number} of chain {end.chain} has another seal than its writer has signed"
        raise Refused("bad-chain", sentence)
    return NewEvents(end.chain, first, seals)


def grow(tree: MerkleTree, found: Iterable[NewEvents]) -> Growth:
    """Append new events to the log, chain after chain."""
    runs, nodes = [], []
    for chain, first, seals in found:
        if seals:
            runs.append(Run(tree.size, chain, first, first + len(seals) - 1))
            nodes += tree.extend(leaf_hashes(seals))
    return Growth(runs, nodes, tree.size, tree.edge, tree.root())


class RunsCheck:
    """Goes through all runs in the order of the log: no leaf and no event may be left out or taken twice."""

    def __init__(self) -> None:
        self.size = 0
        self.last: dict[str, int] = {}  # of each chain, the last event that is in the log

    def add(self, run: Run) -> None:
        """The next run, or a refusal that says what is missing."""
        if run.first_leaf != self.size or run.last < run.first:
            sentence = f"leaf {self.size} of the log is expected, and the next run begins with leaf {run.first_leaf}"
            raise Refused("bad-log", sentence)
        last = self.last.get(run.chain, 0)
        if run.first != last + 1:
            raise Refused("bad-log", f"chain {run.chain} goes on with event {run.first} after event {last} in the log")
        self.size += run.last - run.first + 1
        self.last[run.chain] = run.last
