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

from pairhouse.core import verbs
from pairhouse.core.errors import Refused
from pairhouse.machines.happenings import fields_of
from pairhouse.machines.link import Function, link
from pairhouse.machines.simulate.gpu_deal import CARD_BITS, CARD_MASK, END, Round, dealing
from pairhouse.machines.simulate.gpu_memory import READY, SIMULATED, constant, cuda, pointed, row_of
from pairhouse.machines.simulate.philox import key_of
from pairhouse.machines.simulate.score import field_bits
from pairhouse.machines.simulate.simulation import BLOCK_ROUNDS, Numbers, Simulation

THREADS = 128
REGISTERS = 72  # a thread; with more of them fewer threads are at work at a time
ROUNDS_A_THREAD = 512
STRIDE = 4096  # blocks that one launch plays
SHARED_CELLS = 2048
BLOCK_BITS = BLOCK_ROUNDS.bit_length() - 1
SAMPLE_ROUNDS = 1 << 20  # on the CPU, to learn which cells come up
CARDS, GROUP, CELL = 0, 1, 2  # the words of a round: its cards on a pile, the bits that come next, what came of it
STATE_WORDS = 3
FELT_ROWS, PLACES = verbs.FELT_ROWS, verbs.PLACES


class CudaTable(NamedTuple):
    """A table of one thread: the words of its round, the felt, what is looked up, and which round it is."""

    state: Any
    felt: Any
    offsets: Any
    strategy: Any
    which: Round


def draw_known(table: Any, place: int) -> int:
    """The next card; all that the round can need are on the pile."""
    pile = table.state[CARDS]
    table.state[CARDS] = pile >> CARD_BITS
    return pile & CARD_MASK


def draw_any(table: Any, place: int) -> int:
    """The next card, from a further pile where one is used up."""
    state = table.state
    while state[CARDS] == END:
        state[CARDS] = deal_further(table.which, state[GROUP])
        state[GROUP] += 1
    return draw_known(table, place)


def begin(table: Any) -> None:
    """Lay out the first cards of a round that may need more."""
    table.state[CARDS], table.state[GROUP] = deal_first(table.which), 1


def begin_short(table: Any) -> None:
    """Lay out all the cards of a round."""
    table.state[CARDS] = deal_ahead(table.which)


def deal_ahead(which: Round) -> int:
    """All cards of a short round. Like the next two, replaced by a way to deal from the shoe when linked."""
    raise NotImplementedError


def deal_first(which: Round) -> int:
    raise NotImplementedError


def deal_further(which: Round, group: int) -> int:
    raise NotImplementedError


def turn_up(table: Any, place: int, hidden: int) -> int:
    return hidden


def peek(table: Any, place: int, hidden: int, lowest: int, highest: int) -> bool:
    return lowest <= hidden % 13 <= highest


def felt(table: Any, row: int) -> Any:
    return row_of(table.felt, row)


def one_seat(table: Any) -> int:
    return 1


def nothing(table: Any, place: int) -> None:
    pass


def silence(table: Any, place: int, phrase: int, first: int, second: int) -> None:
    pass


def one_round(table: Any) -> None:
    """Replaced, when the kernel is linked, by the `play` that is simulated, under its rules."""


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
    if cuda is None or (cuda.is_available() and not READY):
        raise Refused("no-gpu", "running on a GPU needs `pip install pairhouse[gpu]`")
    if not cuda.is_available():
        raise Refused("no-gpu", "there is no usable NVIDIA GPU here; run with --device cpu")
    return cuda


def scorer(simulation: Simulation, device: Any) -> Function:
    """The verb `settle` for CUDA: the kind of a happening is known when the verb is compiled, as on a CPU."""
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
    code = f"({terms}) << {shift}" if shift >= 0 else f"offsets[{start} + ({terms})]"
    scope: dict[str, Any] = {}
    exec(f"def coded(offsets, happened):\n    return {code}\n", scope)  # the fields are known only now
    return scope["coded"]


def kernel_of(simulation: Simulation) -> Any:
    """The compiled kernel of a simulation."""
    options = {} if SIMULATED else {"max_registers": REGISTERS}
    return cuda.jit(**options)(linked_kernel(simulation))


def linked_kernel(simulation: Simulation) -> Function:
    """The loop of one thread with the game in it; the rules are constants to the compiler."""

    def device(function: Function) -> Function:
        return cuda.jit(device=True, inline="never")(function)

    verbs_linked = {verb: device(own) for verb, own in VERBS.items()}
    verbs_linked[verbs.felt] = device(felt)
    deals = dealing(simulation.shoe, device)
    dealt: dict[Function, Function] = {deal_ahead: deals.ahead, deal_first: deals.first, deal_further: deals.further}
    dealt[draw_known] = device(draw_known)
    drawn = link(draw_known if simulation.draws else draw_any, dealt, device)
    begun = link(begin_short if simulation.draws else begin, dealt, device)
    linked: dict[Function, Function] = {
        **verbs_linked,
        verbs.draw: drawn,
        verbs.draw_private: drawn,
        verbs.draw_down: drawn,
    }
    linked[verbs.settle] = scorer(simulation, device)
    if simulation.strategy is not None:
        if simulation.strategy.by_cards:
            given = f"best play of {simulation.variant.game.name} goes by the cards of a hand"
            raise Refused("by-cards", f"{given}, which is simulated on processors; run with --device cpu")
        linked[verbs.choose] = _chooser(simulation.strategy.answer, device)
    play, rules = link(simulation.variant.game.play, linked, device, constant=constant), simulation.variant.rules

    @device
    def play_round(table: Any) -> None:
        begun(table)
        play(table, rules)

    return link(kernel, {one_round: play_round}, device, lambda linked_loop: linked_loop)


def _chooser(answer: Function, device: Any) -> Function:
    compiled = link(answer, {}, device, constant=constant)

    @device
    def choose(table: Any, place: int, legal: int, situation: int) -> int:
        return compiled(table.strategy, legal, situation)

    return choose


def kernel(
    first_block: int,
    rounds: int,
    key_a: int,
    key_b: int,
    offsets: Any,
    strategy: Any,
    zero: int,
    dense: Any,
    counts: Any,
    counts_dense: Any,
) -> None:
    """The loop of one thread: rounds of the launch in strides, counted in shared memory where the cell is known."""
    state = cuda.local.array(STATE_WORDS, np.int64)
    rows = cuda.local.array((FELT_ROWS, PLACES), np.int64)
    common = cuda.shared.array(SHARED_CELLS, np.uint32)
    for cell in range(cuda.threadIdx.x, SHARED_CELLS, cuda.blockDim.x):
        common[cell] = 0
    cuda.syncthreads()
    tables = pointed(strategy[0]), pointed(strategy[1]), pointed(strategy[2])
    at = np.int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
    while at < rounds:
        number, block = np.uint32(at & (BLOCK_ROUNDS - 1)), np.uint32(first_block + (at >> BLOCK_BITS))
        which = Round(number, block, np.uint32(key_a), np.uint32(key_b))
        state[CELL] = zero
        one_round(CudaTable(state, pointed(rows), pointed(offsets), tables, which))
        place = pointed(dense)[state[CELL]]
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
    """One GPU as a worker of a run."""

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
        key_a, key_b = (int(key) for key in key_of(seed))
        grid = max(1, min(rounds // (THREADS * ROUNDS_A_THREAD), 1 << 16))
        self.kernel[grid, THREADS](
            first_block, rounds, key_a, key_b, offsets, tables, scoring.zero, dense, counts, counts_dense
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
