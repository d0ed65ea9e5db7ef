"""What `pairhouse protect` and `design` take: effects and tags of baccarat, ten thousand shoes, PAIR's six rows.

    python benchmarks/protect.py [--shoes 10000] [--workers 2]

Each part runs in a process of its own after one that has filled the caches. Processor time, wall-clock time, the most
memory. The goals are those of docs/protect.md and docs/design.md.
"""

import argparse
import resource
import subprocess
import sys
import time

BACCARAT = "nepal-super-baccarat"
PAIR = ["pair-v3", "pair", "--paytable", "shoe-d", "--edge", "3%..4%", "--top", "50..100"]
WISHES = ["--variance", "3..5", "--hit", "20%..30%", "--limit", "3"]


def measured(name: str, words: list[str], first: list[str]) -> None:
    """Run a command so that the caches are filled, then another, and say what that took."""
    start = [sys.executable, "-m", "pairhouse"]
    subprocess.run([*start, *first], check=True, stdout=subprocess.DEVNULL)
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*start, *words], check=True, stdout=subprocess.DEVNULL)
    taken, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(
        f"{name:>40}: {busy:7.1f} s of processor time, {taken:7.1f} s, at most {after.ru_maxrss / 1024:,.0f} MB so far"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shoes", default="10000")
    parser.add_argument("--workers", default="2")
    given = parser.parse_args()
    effects, tables = ["protect", BACCARAT, "--shoes", "0", "--json"], ["design", *PAIR, *WISHES]
    measured("baccarat, effects and tags of 34 wagers", effects, effects)
    measured("PAIR, six rows and four wishes", tables, tables)
    many = ["protect", BACCARAT, "--workers", given.workers, "--json", "--shoes"]
    measured(f"baccarat, {given.shoes} shoes", [*many, given.shoes], [*many, "100"])


if __name__ == "__main__":
    main()
