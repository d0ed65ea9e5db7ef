"""The order of the log: events of several chains, put one run after another, a leaf each.

The leaf of an event is its seal, 32 bytes. A *run* is a number of events of one chain that follow one another in the
log too, so a small table of runs says for every event which leaf it is, and for every leaf which event.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pairhouse.house.seal.merkle import Node, Tree, leaf_hashes


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


def grow(tree: Tree, found: Iterable[NewEvents]) -> Growth:
    """Append new events to the log, chain after chain."""
    runs, nodes = [], []
    for chain, first, seals in found:
        if seals:
            runs.append(Run(tree.size, chain, first, first + len(seals) - 1))
            nodes += tree.extend(leaf_hashes(seals))
    return Growth(runs, nodes, tree.size, tree.edge, tree.root())
