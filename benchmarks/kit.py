"""How long games from files take: a price, best play and simulated rounds, each as a process of its own.

Run with `make bench-kit`; it prints a Markdown table. Processor time is told beside the clock, because the compiler and
other programs share the cores; a cold run has an empty cache.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GALLERY = Path(__file__).parents[1] / "gallery"
PRICES = (("dragon_tiger", []), ("blackjack_side_bets", ["--decks", "6"]), ("baccarat_side_bets", []))
SOLVED = ("red_dog", "casino_war", "let_it_ride", "mississippi_stud", "jacks_or_better", "caribbean_stud")
SIMULATED = ("dragon_tiger", "casino_war", "red_dog")
ROUNDS = 100_000_000


def run(cache: str, *words: str) -> tuple[float, float, str]:
    """A command: seconds by the clock, seconds of processor time, and what it said."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "pairhouse", *words]
    done = subprocess.run(command, env={**os.environ, "PAIRHOUSE_CACHE": cache}, capture_output=True, check=True)
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout.decode()


def line(what: str, cache: str, *words: str) -> None:
    """A row: cold, then warm."""
    figures = [f"{clock:.2f} s ({cpu:.2f})" for clock, cpu, _ in (run(cache, *words), run(cache, *words))]
    print(f"| {what} | {' | '.join(figures)} |", flush=True)


def main() -> None:
    """Every figure once, in one run."""
    print("| | cold: clock (processor) | warm |", "|---|--:|--:|", sep="\n")
    for name, options in PRICES:
        with tempfile.TemporaryDirectory() as cache:
            line(f"prices of {name}", cache, "par", str(GALLERY / f"{name}.py"), *options, "--json")
    for name in SOLVED:
        with tempfile.TemporaryDirectory() as cache:
            line(f"best play of {name}", cache, "solve", str(GALLERY / f"{name}.py"), "--json")
    with tempfile.TemporaryDirectory() as cache:
        for name in SIMULATED:
            words = ("simulate", str(GALLERY / f"{name}.py"), "--workers", "1", "--json", "--rounds", str(ROUNDS))
            rates = [json.loads(run(cache, *words)[2])["rounds_per_second"] / 1e6 for _ in range(2)]
            print(f"| rounds of {name} on one core | {rates[0]:.1f} M/s | {rates[1]:.1f} M/s |", flush=True)


if __name__ == "__main__":
    main()
