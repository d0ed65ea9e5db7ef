"""The terms of a rule book added up on an NVIDIA GPU, a thread for each row: whole numbers as in `composition.py`.

A thread has no room for the product of every set of cards. So the sets are gone through depth first, and only the
products of the sets on the way to the present one are kept.
"""

from functools import lru_cache
from threading import Lock, local
from typing import Any, NamedTuple

import numpy as np

from pairhouse.machines.composition import Numbers, Tree
from pairhouse.machines.link import Function
from pairhouse.machines.simulate.gpu import cuda_or_refusal
from pairhouse.machines.simulate.gpu_memory import cuda

THREADS = 64
_setting_up = Lock()  # the driver begins with the first call, and fails where two threads make it at once


class TreeSteps(NamedTuple):
    """The sets of cards of a tree depth first, the empty one left out.

    The terms of a set stand from its `begins` to the next: the cell of each, and its orders in `ways`.
    """

    size: Numbers
    add: Numbers
    held: Numbers
    begins: Numbers
    cell: Numbers
    ways: Numbers


def depth_first(tree: Tree) -> TreeSteps:
    """The steps of a tree. Sets that no term needs, not even on the way, are left out."""
    sets = tree.parent.size
    needed = np.zeros(sets, bool)
    needed[tree.node] = True
    for node in range(sets - 1, 0, -1):  # a set stands after its parent
        needed[tree.parent[node]] |= needed[node]
    below: list[list[int]] = [[] for _ in range(sets)]
    for node in range(sets - 1, 0, -1):
        if needed[node]:
            below[tree.parent[node]].append(node)
    order, waiting = [], list(below[0])
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting += below[node]
    nodes = np.array(order, np.int64)
    step_of = np.full(sets, -1, np.int64)
    step_of[nodes] = np.arange(nodes.size)
    cells = np.repeat(np.arange(tree.begins.size - 1), np.diff(tree.begins))
    sorted_terms = np.argsort(step_of[tree.node], kind="stable")
    begins = np.searchsorted(step_of[tree.node][sorted_terms], np.arange(nodes.size + 1))
    return TreeSteps(
        size=tree.size[nodes],
        add=tree.add[nodes],
        held=tree.held[nodes],
        begins=begins.astype(np.int64),
        cell=cells[sorted_terms],
        ways=tree.ways[sorted_terms],
    )


@lru_cache(maxsize=32)
def row_adder(draws: int, cells: int) -> Function:
    """The function of one thread: the ordered deals of each cell for one row of cards left."""
    room, sizes = max(cells, 1), draws + 1

    def add_row(left: Any, steps: Any, found: Any) -> None:
        row = cuda.grid(1)
        if row < left.shape[1]:
            sums = cuda.local.array(room, np.int64)
            products = cuda.local.array(sizes, np.int64)
            following = cuda.local.array(sizes, np.int64)
            for cell in range(cells):
                sums[cell] = 0
            total = 0
            for kind in range(left.shape[0]):
                total += left[kind, row]
            following[draws] = 1
            for size in range(draws - 1, -1, -1):  # a shorter deal is counted with every card that could follow
                following[size] = following[size + 1] * (total - size)
            products[0] = 1
            for step in range(steps.size.size):
                size = steps.size[step]
                product = products[size - 1] * (left[steps.add[step], row] - steps.held[step])
                products[size] = product
                deals = product * following[size]
                for term in range(steps.begins[step], steps.begins[step + 1]):
                    sums[steps.cell[term]] += steps.ways[term] * deals
            for cell in range(cells):
                found[row, cell] = sums[cell]

    return add_row


class GpuAdder:
    """Adds up the terms of one tree on the GPU of this machine. Threads may use it at the same time."""

    def __init__(self, tree: Tree, draws: int) -> None:
        self.cells, self.own = tree.begins.size - 1, local()
        with _setting_up:
            gpu = cuda_or_refusal()
            self.kernel = gpu.jit(row_adder(draws, self.cells))
            self.steps = TreeSteps(*(gpu.to_device(column) for column in depth_first(tree)))

    def ways(self, left: Numbers) -> Numbers:
        """The ordered deals of every cell, for each row of cards left by class of the tree."""
        rows, kinds = left.shape
        own = self._own_memory(rows, kinds)
        there = own.left[: kinds * rows].reshape(kinds, rows)
        found = own.found[: rows * self.cells].reshape(rows, self.cells)
        there.copy_to_device(np.ascontiguousarray(left.T), stream=own.stream)
        self.kernel[-(-rows // THREADS), THREADS, own.stream](there, self.steps, found)
        counted: Numbers = found.copy_to_host(stream=own.stream)
        own.stream.synchronize()
        return counted

    def _own_memory(self, rows: int, kinds: int) -> Any:
        """The stream and the arrays of this thread: to make new ones stops the work of all threads."""
        own = self.own
        if getattr(own, "rows", 0) < rows:
            own.stream, own.rows = cuda.stream(), rows + rows // 8
            own.left = cuda.device_array(own.rows * kinds, np.int64)
            own.found = cuda.device_array(own.rows * self.cells, np.int64)
        return own
