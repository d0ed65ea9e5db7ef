"""How long the exact answers take: in a running process, and as a process with a warm and with an empty cache.

Run with `make bench-exact`; it prints a Markdown table and leaves docs/performance.md to be updated by hand.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median

import numpy as np

from pairhouse.analysis.blackjack.solve import fresh_shoe
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.analysis.exact import counts
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.three_card.counts import three_card
from pairhouse.core.cards import pack
from pairhouse.games.catalogue import find
from pairhouse.machines.enumerate import enumerate_rounds

REPEATS = 7


def milliseconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """The median of several runs after one to warm up, by the clock or in processor time of all threads."""
    work()
    runs = []
    for _ in range(REPEATS):
        start = clock()
        work()
        runs.append(1000 * (clock() - start))
    return median(runs)


def recount(game: str, options: dict[str, object]) -> Callable[[], object]:
    variant = find(game).variant(options)

    def work() -> object:
        counts._counted.cache_clear()
        three_card.cache_clear()
        method_of.cache_clear()
        return method_of(variant).tally()

    return work


def solve_blackjack() -> object:
    """All two-card action values, splits included, and the expectation."""
    variant = find("blackjack").variant({"decks": 8})
    return Solution(variant.rules, fresh_shoe(8), 1.5).expectation


def oracle_ratio() -> float:
    """Compiled count against the plain-Python oracle, on one small La Pair'e deck."""
    variant = find("la-paire").variant()
    deck = [card for card in pack(1, 2) if card >= 52 or card % 13 in (0, 1, 11, 12)]
    counted = milliseconds(lambda: (counts._counted.cache_clear(), method_of(variant).tally(deck)))
    return milliseconds(lambda: enumerate_rounds(variant.game.play, variant.rules, deck)) / counted


def processor_seconds() -> float:
    """What child processes have taken so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def process_seconds(words: list[str], cache: str) -> tuple[float, float]:
    """By the clock, and in processor time, which other work on the machine moves less."""
    start, used = time.perf_counter(), processor_seconds()
    command = [sys.executable, "-m", "pairhouse", *words]
    subprocess.run(
        command, check=True, capture_output=True, env={**os.environ, "PAIRHOUSE_CACHE": cache, "NUMBA_CACHE_DIR": cache}
    )
    return time.perf_counter() - start, processor_seconds() - used


def main() -> None:
    rows = [
        ("baccarat, 8 decks, all 34 wagers counted", recount("nepal-super-baccarat", {}), 20),
        ("La Pair'e, all 59 wagers counted", recount("la-paire", {}), 100),
        ("PAIR, 6 decks counted", recount("pair-v3", {}), 100),
        ("Pairs and Poker, 8 decks counted", recount("blackjack-poker-pairs", {}), 100),
        ("Three Card Poker counted and solved", recount("three-card-poker", {}), 300),
        ("blackjack, 8 decks, best play with splits", solve_blackjack, 300),
    ]
    print(f"Load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.\n")
    print("| in a running process | ms | processor ms | goal |\n|---|---:|---:|---:|")
    for name, work, goal in rows:
        print(f"| {name} | {milliseconds(work):.1f} | {milliseconds(work, time.process_time):.1f} | {goal} |")
    print(f"\nCompiled count against the oracle on 18 cards: {oracle_ratio():.0f} times as fast.\n")
    print("| as a process, `par GAME --json` | empty cache, s | processor s | warm cache, s | processor s |")
    print("|---|---:|---:|---:|---:|")
    for game in (
        "nepal-super-baccarat",
        "la-paire",
        "pair-v3",
        "blackjack-poker-pairs",
        "three-card-poker",
        "blackjack",
    ):
        with tempfile.TemporaryDirectory() as cache:
            cold, cold_used = process_seconds(["par", game, "--json"], cache)
            warm, warm_used = min(process_seconds(["par", game, "--json"], cache) for _ in range(5))
        print(f"| {game} | {cold:.1f} | {cold_used:.1f} | {warm:.2f} | {warm_used:.2f} |")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"\nPeak memory of these processes: {peak:.0f} MiB. numpy {np.__version__}, {os.cpu_count()} cores.")


if __name__ == "__main__":
    main()
