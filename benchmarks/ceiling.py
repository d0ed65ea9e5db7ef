"""Shoes of baccarat a second with the exact price of all 34 wagers before every coup, on processor and GPU.

    python benchmarks/ceiling.py [--shoes 2000] [--gpu-shoes 100000] [--workers N]

The sums of both are compared: they belong to the same shoes. Without a GPU only the processor is measured.
"""

import argparse
import os
import time

import numpy as np

from pairhouse.analysis.protect.followed_shoes import BLOCK, Totals, follow
from pairhouse.analysis.protect.protection import Asked, Preparation
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find


def timed(shoes: int, workers: int, on_gpu: bool) -> Totals:
    """Deal so many shoes and say how long it took, preparation and a first block for each worker left out."""
    following = Preparation(find("nepal-super-baccarat").variant(), Asked(shoes=shoes, on_gpu=on_gpu)).following()
    follow(following, BLOCK * workers, 2, workers=workers)
    start, busy = time.perf_counter(), time.process_time()
    totals = follow(following, shoes, 1, workers=workers)
    taken, busy = time.perf_counter() - start, time.process_time() - busy
    rounds = int(totals.rounds.sum())
    where = "GPU" if on_gpu else "processor"
    print(f"{where:>9}: {shoes:,} shoes, {rounds:,} coups in {taken:.1f} s ({busy:.1f} s of processor time), "
          f"{rounds / taken:,.0f} coups/s", flush=True)  # fmt: skip
    return totals


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shoes", type=int, default=2_000)
    parser.add_argument("--gpu-shoes", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    ours = timed(given.shoes, given.workers, on_gpu=False)
    try:
        theirs = timed(given.shoes, given.workers, on_gpu=True)
    except Refused as error:
        print(error)
        return
    same = all(np.array_equal(one, theirs.arrays()[name]) for name, one in ours.arrays().items())
    print("the same sums on both" if same else "THE SUMS DIFFER")
    timed(given.gpu_shoes, given.workers, on_gpu=True)


if __name__ == "__main__":
    main()
