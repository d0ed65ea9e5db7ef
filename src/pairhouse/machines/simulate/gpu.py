"""The same rounds on an NVIDIA GPU: the same rule source, generator and drawing, so the same tally as on a CPU.

Every thread plays rounds of a block one after another. What they come to is counted in the fast memory that threads
share, for the cells that are known to come up, and in the common tally for all others.
"""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda asks for what numpy 2.5 has dropped
try:
    from numba import cuda
except ImportError:  # an extra
    cuda = None

from pairhouse.core import verbs
from pairhouse.core.errors import Refused
from pairhouse.machines.happenings import fields_of
from pairhouse.machines.link import Function, link
from pairhouse.machines.simulate.deal import NUMBER_BITS, ROUND_CARDS_MAX
from pairhouse.machines.simulate.kernel import BLOCK_ROUNDS, Numbers, Simulation
from pairhouse.machines.simulate.philox import FRESH_ROUNDS, key_of, philox_narrow
from pairhouse.machines.simulate.score import field_bits

THREADS = 256
ROUNDS_A_THREAD = 256
STRIDE = 4096  # blocks that one launch plays
SHARED_CELLS = 2048
SAMPLE_ROUNDS = 1 << 20  # on the CPU, to learn which cells come up
NUMBERS_A_GROUP = 8
LOW, HIGH, LEFT, GROUP, FOUND, NUMBER, BLOCK, CELL = 0, 1, 2, 3, 4, 5, 6, 7
STATE_WORDS = 8
FELT_ROWS, PLACES = verbs.FELT_ROWS, verbs.PLACES


class CudaTable(NamedTuple):
    """A table of one thread: words of its round, the positions that are gone, the felt, and what is looked up."""

    state: Any
    gone: Any
    felt: Any
    offsets: Any
    strategy: Any
    shoe: Any  # its size, faces, and the two halves of the key


def next_position(table: Any) -> int:
    """The next position of the shoe that may be used: the same stream of numbers as on a CPU."""
    state, size = table.state, table.shoe[0]
    while True:
        if state[LEFT] == 0:
            a, b, c, d = philox_narrow(
                np.uint32(state[NUMBER]),
                np.uint32(state[BLOCK]),
                np.uint32(FRESH_ROUNDS),
                np.uint32(state[GROUP]),
                np.uint32(table.shoe[2]),
                np.uint32(table.shoe[3]),
            )
            state[LOW] = np.int64(a) | np.int64(b) << 32
            state[HIGH] = np.int64(c) | np.int64(d) << 32
            state[LEFT] = NUMBERS_A_GROUP
            state[GROUP] += 1
        number = state[LOW] & 0xFFFF
        state[LOW] = (state[LOW] >> 16) & 0xFFFFFFFFFFFF | (state[HIGH] & 0xFFFF) << 48
        state[HIGH] = (state[HIGH] >> 16) & 0xFFFFFFFFFFFF
        state[LEFT] -= 1
        scaled = number * size
        fresh = scaled & 0xFFFF >= (1 << NUMBER_BITS) % size
        position = scaled >> NUMBER_BITS
        for earlier in range(state[FOUND]):
            fresh = fresh and table.gone[earlier] != position
        if fresh:
            return position


def draw(table: Any, place: int) -> int:
    """The next card."""
    position = next_position(table)
    found = table.state[FOUND]
    table.gone[found] = position
    table.state[FOUND] = found + 1
    return position % table.shoe[1]


def turn_up(table: Any, place: int, hidden: int) -> int:
    return hidden


def peek(table: Any, place: int, hidden: int, lowest: int, highest: int) -> bool:
    return lowest <= hidden % 13 <= highest


def felt(table: Any, row: int) -> Any:
    return table.felt[row]


def one_seat(table: Any) -> int:
    return 1


def nothing(table: Any, place: int) -> None:
    pass


def silence(table: Any, place: int, phrase: int, first: int, second: int) -> None:
    pass


def one_round(table: Any) -> None:
    """Stands for the `play` that is simulated, under its rules."""


VERBS: dict[Function, Function] = {
    verbs.turn_up: turn_up,
    verbs.peek: peek,
    verbs.seats: one_seat,
    verbs.show: nothing,
    verbs.split: nothing,
    verbs.say: silence,
}


def cuda_or_refusal() -> Any:
    """numba's CUDA, or a sentence that says why there is none."""
    if cuda is None:
        raise Refused("no-gpu", "running on a GPU needs `pip install pairhouse[gpu]`")
    if not cuda.is_available():
        raise Refused("no-gpu", "there is no usable NVIDIA GPU here; run with --device cpu")
    return cuda


def scorer(simulation: Simulation, device: Any) -> Function:
    """The verb `settle` for CUDA: happenings are told apart when the verb is compiled, as on a CPU."""
    from numba.extending import overload  # noqa: PLC0415

    scoring = simulation.scoring

    def score_of(offsets: Any, happened: Any) -> int:
        """For the simulator of numba, which runs plain Python."""
        if type(happened) not in scoring.kinds:
            return 0
        number = scoring.kinds.index(type(happened))
        code = 0
        for value, bits in zip(fields_of(happened), field_bits(type(happened)), strict=True):
            code = code << bits | value
        shift, start = scoring.shifts[number], scoring.starts[number]
        return code << shift if shift >= 0 else int(offsets[start + code])

    @overload(score_of, strict=False, target="cuda")
    def _score_of(offsets, happened):  # type: ignore[no-untyped-def]
        kind = happened.instance_class
        if kind not in scoring.kinds:
            return lambda offsets, happened: 0
        number = scoring.kinds.index(kind)
        shift, start, bits = scoring.shifts[number], scoring.starts[number], field_bits(kind)
        return _coded(bits, shift, start)

    def settle(table: Any, place: int, happened: Any) -> None:
        table.state[CELL] += score_of(table.offsets, happened)

    return device(settle)


def _coded(bits: tuple[int, ...], shift: int, start: int) -> Function:
    """What a happening with fields of these widths adds to a cell."""
    places = [sum(bits[at + 1 :]) for at in range(len(bits))]
    terms = " | ".join(f"int(happened[{at}]) << {place}" for at, place in enumerate(places))
    told = f"({terms}) << {shift}" if shift >= 0 else f"offsets[{start} + ({terms})]"
    scope: dict[str, Any] = {}
    exec(f"def coded(offsets, happened):\n    return {told}\n", scope)  # the fields are known only now
    return scope["coded"]


def kernel_of(simulation: Simulation) -> Any:
    """The compiled kernel of a simulation."""
    return cuda.jit(fastmath=False)(linked_kernel(simulation))


def linked_kernel(simulation: Simulation) -> Function:
    """The loop of one thread with the game in it; the rules are constants to the compiler."""

    def device(function: Function) -> Function:
        return cuda.jit(device=True, inline=False)(function)

    verbs_linked = {verb: device(own) for verb, own in VERBS.items()}
    verbs_linked[verbs.felt] = cuda.jit(device=True, inline="always")(felt)  # a row cannot be handed back
    drawn = link(draw, {next_position: link(next_position, {philox_narrow: device(philox_narrow)}, device)}, device)
    linked: dict[Function, Function] = {
        **verbs_linked,
        verbs.draw: drawn,
        verbs.draw_private: drawn,
        verbs.draw_down: drawn,
    }
    linked[verbs.settle] = scorer(simulation, device)
    if simulation.strategy is not None:
        linked[verbs.choose] = _chooser(simulation.strategy.answer, device)
    play, rules = link(simulation.variant.game.play, linked, device), simulation.variant.rules

    @device
    def play_round(table: Any) -> None:
        play(table, rules)

    return link(kernel, {one_round: play_round}, device, lambda linked_loop: linked_loop)


def _chooser(answer: Function, device: Any) -> Function:
    compiled = link(answer, {}, device)

    @device
    def choose(table: Any, place: int, legal: int, situation: int) -> int:
        return compiled(table.strategy, legal, situation)

    return choose


def kernel(
    first_block: int,
    rounds: int,
    shoe: Any,
    offsets: Any,
    strategy: Any,
    zero: int,
    dense: Any,
    counts: Any,
    counts_dense: Any,
) -> None:
    """The loop of one thread: rounds of the launch in strides, counted in shared memory where the cell is known."""
    state = cuda.local.array(STATE_WORDS, np.int64)
    gone = cuda.local.array(ROUND_CARDS_MAX, np.int64)
    rows = cuda.local.array((FELT_ROWS, PLACES), np.int64)
    common = cuda.shared.array(SHARED_CELLS, np.uint32)
    for cell in range(cuda.threadIdx.x, SHARED_CELLS, cuda.blockDim.x):
        common[cell] = 0
    cuda.syncthreads()
    table = CudaTable(state, gone, rows, offsets, strategy, shoe)
    at = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    while at < rounds:
        state[NUMBER], state[BLOCK] = at % BLOCK_ROUNDS, first_block + at // BLOCK_ROUNDS
        state[LEFT], state[GROUP], state[FOUND], state[CELL] = 0, 0, 0, zero
        one_round(table)
        place = dense[state[CELL]]
        if place >= 0:
            cuda.atomic.add(common, place, 1)
        else:
            cuda.atomic.add(counts, state[CELL], 1)
        at += cuda.blockDim.x * cuda.gridDim.x
    cuda.syncthreads()
    for cell in range(cuda.threadIdx.x, SHARED_CELLS, cuda.blockDim.x):
        if common[cell] > 0:
            cuda.atomic.add(counts_dense, cell, common[cell])


@dataclass
class Gpu:
    """One GPU, as a run sees a worker."""

    simulation: Simulation
    count: int = 1
    stride: int = STRIDE

    @cached_property
    def cuda(self) -> Any:
        return cuda_or_refusal()

    @cached_property
    def known(self) -> Numbers:
        """The cells that come up, most frequent first, as far as there is shared memory for them."""
        counts = self.simulation.block(0, 0, SAMPLE_ROUNDS)
        order = np.argsort(-counts, kind="stable")[:SHARED_CELLS]
        return order[counts[order] > 0]

    @cached_property
    def kernel(self) -> Any:
        return kernel_of(self.simulation)

    @cached_property
    def constants(self) -> tuple[Any, ...]:
        """What every launch reads, on the device."""
        dense = np.full(self.simulation.scoring.cells, -1, np.int32)
        dense[self.known] = np.arange(len(self.known))
        to = self.cuda.to_device
        return to(self.simulation.scoring.offsets), tuple(to(t) for t in self.simulation.tables), to(dense)

    def rounds(self, seed: int, first_block: int, rounds: int) -> Numbers:
        """The tally of so many rounds from a block on."""
        cells, scoring = self.simulation.scoring.cells, self.simulation.scoring
        offsets, tables, dense = self.constants
        counts = self.cuda.to_device(np.zeros(cells, np.int64))
        counts_dense = self.cuda.to_device(np.zeros(SHARED_CELLS, np.int64))
        shoe = self.simulation.shoe
        key_a, key_b = key_of(seed)
        given = (shoe.size, shoe.faces, int(key_a), int(key_b))
        grid = max(1, min(rounds // (THREADS * ROUNDS_A_THREAD), 1 << 16))
        self.kernel[grid, THREADS](
            first_block, rounds, given, offsets, tables, scoring.zero, dense, counts, counts_dense
        )
        tally = counts.copy_to_host()
        tally[self.known] += counts_dense.copy_to_host()[: len(self.known)]
        return np.asarray(tally, np.int64)

    def submit(self, seed: int, block: int, rounds: int) -> "Future[Numbers]":
        """So many rounds; the GPU is done when this returns."""
        done: Future[Numbers] = Future()
        done.set_result(self.rounds(seed, block, rounds))
        return done


@contextmanager
def gpu_workers(simulation: Simulation) -> Iterator[Gpu]:
    """The GPU of this machine, ready to run."""
    gpu = Gpu(simulation)
    gpu.rounds(0, 0, THREADS)
    yield gpu
