"""How many rounds a second an NVIDIA GPU plays, and whether they are the right ones; prints one JSON record.

Needs numba with numba-cuda, numpy and msgspec. Run it with the project's `src` on the path:

    PYTHONPATH=src python3 benchmarks/gpu.py [--seconds 5]

For each game, ours and those of the gallery: the GPU's tally of some blocks must equal the CPU's, bit for bit; the rate
is that of launches after compilation, tallies copied back included; the sample of the timed rounds is held to the exact
prices, each wager by its distance and all results together by chi-square. Then best play of Caribbean Stud, with the
GPU twice (compiling, compiled) and without: the same fraction, and the seconds of each.
"""

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from pairhouse.analysis.generic import gpu_sweep
from pairhouse.analysis.generic.method import GenericMethod
from pairhouse.analysis.simulation.agreement import judge
from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.games.catalogue import given
from pairhouse.machines.simulate.gpu import Gpu, cuda_or_refusal
from pairhouse.machines.simulate.simulation import BLOCK_ROUNDS

SEED = 20261115
GALLERY = Path(__file__).parents[1] / "gallery"
SOLVED = GALLERY / "caribbean_stud.py"
CASES: list[tuple[str, dict[str, Any], str, list[str] | None]] = [
    ("nepal-super-baccarat", {"decks": 8}, "best", None),
    ("blackjack", {"decks": 8}, "basic", ["main"]),
    ("blackjack", {"decks": 8}, "best", ["main"]),
    ("blackjack-poker-pairs", {}, "best", None),
    ("three-card-poker", {}, "best", None),
    ("la-paire", {}, "best", None),
    (str(GALLERY / "dragon_tiger.py"), {}, "best", None),
    (str(GALLERY / "casino_war.py"), {}, "best", None),
    (str(GALLERY / "red_dog.py"), {}, "best", None),
    (str(GALLERY / "let_it_ride.py"), {}, "always-pull", None),
    (str(GALLERY / "let_it_ride.py"), {}, "best", None),
    (str(GALLERY / "mississippi_stud.py"), {}, "best", None),
    (str(GALLERY / "andar_bahar.py"), {}, "best", None),
    (str(GALLERY / "baccarat_side_bets.py"), {}, "best", None),
]


def measure(case: tuple[str, dict[str, Any], str, list[str] | None], seconds: float) -> dict[str, Any]:
    """One game: equality with the CPU, the rate, the agreement."""
    game, options, strategy, wagers = case
    sampling = Sampling.of(given(game).variant(options), strategy, wagers)
    gpu = Gpu(sampling.simulation)
    start = time.perf_counter()
    gpu.rounds(SEED, 0, 1024)
    compiled = time.perf_counter() - start
    rounds = BLOCK_ROUNDS + 12_345
    want = sampling.simulation.block(SEED, 7) + sampling.simulation.block(SEED, 8, rounds - BLOCK_ROUNDS)
    equal = bool((gpu.rounds(SEED, 7, rounds) == want).all())
    tally, done, launches, block = np.zeros_like(want), 0, 0, 0
    gpu.rounds(SEED, 0, gpu.stride * BLOCK_ROUNDS)
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        tally += gpu.rounds(SEED, block, gpu.stride * BLOCK_ROUNDS)
        block += gpu.stride
        done += gpu.stride * BLOCK_ROUNDS
        launches += 1
    taken = time.perf_counter() - start
    verdict = judge(sampling, tally, None, SEED)
    return {
        "game": Path(game).stem,
        "strategy": strategy,
        "wagers": len(sampling.score.wagers),
        "equals_cpu": equal,
        "compile_s": round(compiled, 2),
        "rounds": done,
        "launches": launches,
        "rounds_per_second": done / taken,
        "agrees": verdict.agrees,
        "least_p": verdict.least_p,
        "tests": len(verdict.tests),
        "z_first": verdict.wagers[sampling.score.wagers[0]].simulated.z,
    }


def solved() -> dict[str, Any]:
    """Best play of a game of two compared hands: with the GPU twice, then without."""
    variant = given(str(SOLVED)).variant()
    times: dict[str, float] = {}
    found = []
    for name, has_gpu in (("gpu_first_s", True), ("gpu_s", True), ("cpu_s", False)):
        with patch.object(gpu_sweep, "gpu_is_here", lambda has=has_gpu: has):
            start = time.perf_counter()
            found.append(GenericMethod(variant).solved().ev)
            times[name] = round(time.perf_counter() - start, 2)
    return {"solved": SOLVED.stem, "ev": str(found[0]), "equals_cpu": len(set(found)) == 1, **times}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--game", help="only cases of this game")
    given_words = parser.parse_args()
    cuda = cuda_or_refusal()
    name = cuda.get_current_device().name
    record: dict[str, Any] = {"device": name.decode() if isinstance(name, bytes) else str(name), "cases": []}
    for case in CASES:
        if given_words.game in (None, case[0], Path(case[0]).stem):
            record["cases"].append(measure(case, given_words.seconds))
            print(json.dumps(record["cases"][-1]), flush=True)
    if given_words.game is None:
        record["solved"] = solved()
        print(json.dumps(record["solved"]), flush=True)
    record["date"] = time.strftime("%Y-%m-%d")
    record["cpus"] = os.cpu_count()
    print(json.dumps(record))


if __name__ == "__main__":
    main()
