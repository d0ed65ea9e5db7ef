"""Simulated rounds are dealt rounds: generator, drawing, blocks and the compiled play against plain Python."""

from collections import Counter
from dataclasses import replace
from itertools import islice, permutations
from math import sqrt
from pathlib import Path

import numba
import numpy as np
import pytest

from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.games.catalogue import find
from pairhouse.machines import stored
from pairhouse.machines.simulate import interpreted as plain
from pairhouse.machines.simulate.deal import LANES, deal_ahead, deal_more, new_lanes
from pairhouse.machines.simulate.philox import key_of, philox
from pairhouse.machines.simulate.run import Progress, go_on, threads
from pairhouse.machines.simulate.simulation import Simulation
from pairhouse.machines.simulate.stream import ShoeShape, Stream
from simulated import numbers, plain_block, positions

# Known answers of Philox 4x32-10, as its authors publish them: counter, key, result.
KNOWN = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]
UNLIKELY = 6.0  # deviations of a chi-square; one in many millions


def words(text: str) -> list[np.uint64]:
    return [np.uint64(int(word, 16)) for word in text.split()]


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_the_generator_gives_its_known_answers(counter: str, key: str, answer: str) -> None:
    for function in (philox, numba.njit(philox)):
        assert list(function(*words(counter), *words(key))) == words(answer)


def deviations(counts: np.ndarray, expected: np.ndarray) -> float:
    """How far a chi-square lies above its mean, in its own deviations."""
    chi = float(((counts - expected) ** 2 / expected).sum())
    degrees = counts.size - 1
    return (chi - degrees) / sqrt(2 * degrees)


@pytest.mark.parametrize(
    ("size", "faces", "ahead"), [(416, 52, 6), (416, 52, 8), (312, 52, 8), (52, 52, 6), (54, 54, 3)]
)
def test_cards_dealt_together_are_those_of_the_stream(size: int, faces: int, ahead: int) -> None:
    """Rounds dealt side by side, spoilt ones among them, against one number after another."""
    lanes, seed, block, first = new_lanes(), 2**40 + 7, 3, 1024
    key_a, key_b = key_of(seed)
    deal_ahead(lanes, Stream(int(key_a), int(key_b), block), ShoeShape(size, faces, ahead), first)
    assert lanes.unusable.sum() > 5
    room = np.zeros(64, np.uint16)
    for lane in range(LANES):
        wanted = list(islice(positions(seed, block, first + lane, size), 40))
        cards = [int(lanes.packed[lane]) >> 8 * k & 63 for k in range(ahead)]
        assert cards == [position % faces for position in wanted[:ahead]]
        deal_more(Stream(int(key_a), int(key_b), block), size, first + lane, 0, 0, 0, 40, room)
        assert room[:40].tolist() == wanted
        assert len(set(wanted)) == 40


def test_every_order_of_a_small_shoe_is_equally_likely() -> None:
    """Four cards have 24 orders; a scaling that favours some of them would show."""
    orders = {order: at for at, order in enumerate(permutations(range(4)))}
    room = np.zeros(16, np.uint16)
    counts = np.zeros(24)
    for number in range(48_000):
        deal_more(Stream(5, 0, 0), 4, number, 0, 0, 0, 4, room)
        counts[orders[tuple(room[:4].tolist())]] += 1
    assert abs(deviations(counts, np.full(24, 2000.0))) < UNLIKELY


@pytest.mark.parametrize("size", [52, 54, 104, 416])
def test_numbers_that_would_favour_a_card_are_passed_over(size: int) -> None:
    """Of all 65,536 numbers exactly as many may be used for each position."""
    used: Counter[int] = Counter()
    for number in range(1 << 16):
        position, rest = divmod(number * size, 1 << 16)
        used[position] += rest >= (1 << 16) % size
    assert set(used.values()) == {(1 << 16) // size}


def dealt(seed: int, block: int, shoe: ShoeShape, rounds: int) -> np.ndarray:
    """The first cards of many rounds, a row a round."""
    lanes = new_lanes()
    key_a, key_b = key_of(seed)
    found = np.zeros((rounds, shoe.ahead), np.int64)
    for first in range(0, rounds, LANES):
        deal_ahead(lanes, Stream(int(key_a), int(key_b), block), shoe, first)
        for k in range(shoe.ahead):
            found[first : first + LANES, k] = lanes.packed >> 8 * k & 63
    return found


def test_every_card_is_equally_likely_in_every_place_and_after_every_card() -> None:
    cards = dealt(11, 0, ShoeShape(52, 52, 6), 512 * 800)
    n = len(cards)
    for k in range(6):
        assert abs(deviations(np.bincount(cards[:, k], minlength=52), np.full(52, n / 52))) < UNLIKELY
    for a, b in ((0, 1), (2, 5), (4, 5)):
        pairs = np.bincount(cards[:, a] * 52 + cards[:, b], minlength=2704).reshape(52, 52)
        assert np.trace(pairs) == 0
        apart = pairs[~np.eye(52, dtype=bool)]
        assert abs(deviations(apart, np.full(apart.size, n / 2652))) < UNLIKELY


@pytest.mark.parametrize(("one", "other"), [((1, 0), (1, 1)), ((1, 0), (2, 0)), ((1, 2**20), (1, 2**20 + 1))])
def test_blocks_and_seeds_tell_nothing_about_each_other(one: tuple[int, int], other: tuple[int, int]) -> None:
    """The same round of another block or seed: first cards together, and rounds next to each other."""
    shoe, rounds = ShoeShape(416, 52, 6), 512 * 600
    first, second = dealt(*one, shoe, rounds), dealt(*other, shoe, rounds)
    for left, right in ((first[:, 0], second[:, 0]), (first[:, 5], second[:, 1]), (first[:-1, 0], first[1:, 0])):
        together = np.bincount(left * 52 + right, minlength=2704)
        assert abs(deviations(together, np.full(2704, len(left) / 2704))) < UNLIKELY


def test_the_stream_of_the_tests_reads_the_same_bits() -> None:
    first = list(islice(numbers(1, 0, 0), 16))
    assert len(set(first)) > 10
    assert first != list(islice(numbers(1, 0, 1), 16))


ODD_TABLE = {
    "decks": 1, "soft_17": "hit", "double": "9-11", "max_hands": 3, "resplit_aces": True, "hit_split_aces": True,
    "surrender": "late", "blackjack_pays": "6:5", "hole_card": "none", "charlie": 6,
}  # fmt: skip


@pytest.mark.parametrize(
    ("game", "options", "strategy", "rounds"),
    [
        ("nepal-super-baccarat", {}, "best", 3000),
        ("nepal-super-baccarat", {"decks": 5}, "best", 1000),
        ("la-paire", {}, "best", 3000),
        ("three-card-poker", {}, "best", 3000),
        ("blackjack-poker-pairs", {}, "best", 1000),
        pytest.param("pair-v3", {}, "best", 2000, marks=pytest.mark.slow),
        ("blackjack", ODD_TABLE, "basic", 1000),
    ],
)
def test_a_simulated_round_is_a_dealt_round(game: str, options: dict[str, object], strategy: str, rounds: int) -> None:
    """The compiled block, cell by cell, against the rule book in plain Python on the same cards."""
    simulation = Sampling.of(find(game).variant(options), strategy).simulation
    counts = simulation.block(99, 5, rounds)
    found = {int(cell): int(counts[cell]) for cell in np.flatnonzero(counts)}
    assert found == plain_block(simulation, 99, 5, rounds)
    assert (plain.plain_block(simulation, 99, 5, rounds // 4) == simulation.block(99, 5, rounds // 4)).all()


@pytest.fixture(scope="module")
def coups() -> Simulation:
    return Sampling.of(find("nepal-super-baccarat").variant()).simulation


def ran(simulation: Simulation, workers: int, rounds: int, progress: Progress | None = None) -> Progress:
    with threads(simulation, workers) as crew:
        return go_on(crew, progress or Progress(simulation.scoring.cells, 42), rounds)


def test_the_tally_does_not_depend_on_who_runs_the_blocks(coups: Simulation) -> None:
    """One thread, several, in parts, and past a block that was not whole: the same tally, bit for bit."""
    rounds = 3 * 2**20 + 12_345
    whole = ran(coups, 1, rounds).tally
    assert whole.sum() == rounds
    assert (ran(coups, 3, rounds).tally == whole).all()
    part = ran(coups, 2, 2**20 + 77)
    assert part.rounds == 2**20 + 77
    assert (ran(coups, 2, rounds, part).tally == whole).all()


def test_a_run_that_is_stopped_has_run_whole_blocks_from_the_first_on(coups: Simulation) -> None:
    with threads(coups, 2) as crew:
        stopped = go_on(crew, Progress(coups.scoring.cells, 42), None, stop=lambda progress: progress.blocks == 2)
    assert stopped.blocks >= 2
    assert (ran(coups, 1, stopped.rounds).tally == stopped.tally).all()


def test_other_seeds_are_other_rounds(coups: Simulation) -> None:
    assert (coups.block(1, 0, 10_000) != coups.block(2, 0, 10_000)).any()
    assert (coups.block(1, 0, 10_000) != coups.block(1, 1, 10_000)).any()


def test_playing_rounds_that_begin_alike_together_changes_no_tally(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither with the classes that playing finds, nor with any others, nor in the last rounds of a run."""
    monkeypatch.setattr(stored, "cache_root", lambda: tmp_path)
    simulation = Sampling.of(find("blackjack").variant(ODD_TABLE), "basic").simulation
    assert simulation.branch_classes.max() == 0
    as_dealt = simulation.block(3, 1, 100_001)
    simulation.get_ready()
    assert 10 < len(np.unique(simulation.branch_classes)) < 256
    assert (simulation.block(3, 1, 100_001) == as_dealt).all()
    again = replace(simulation)
    assert (again.branch_classes == simulation.branch_classes).all()  # from disk
    again.branch_classes[:] = np.random.default_rng(1).integers(0, 256, again.branch_classes.size)
    assert (again.block(3, 1, 100_001) == as_dealt).all()
