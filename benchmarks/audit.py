"""How fast the books are audited, and in how much memory: `make bench-audit`.

Books of two sizes are filled by direct play, then audited in turns as `pairhouse audit` does. A shared machine is not
equally fast all the time, so processor time counts: `rounds a second` is what the cores give when they are free. With
`--against SOURCE` the version in that source tree audits the same books in the same turns.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

HERE = Path(__file__).parent
SMALLER = 4  # the smaller books have so many times fewer rounds


class Run(NamedTuple):
    """One audit: its processor time, its time by the clock, and the most memory that one of its processes took."""

    cpu_us: float
    clock_s: float
    peak_mib: float


def audited(url: str, processes: int, source: str | None) -> Run:
    """Audit once, in a process of its own."""
    program = "import resource, sys; from pairhouse.cli.main import main; sys.argv[0] = 'pairhouse'\n"
    program += "try: main()\nfinally:\n"
    program += " own, others = (resource.getrusage(n) for n in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))\n"
    program += " cpu = sum(used.ru_utime + used.ru_stime for used in (own, others))\n"
    program += " print(cpu, max(own.ru_maxrss, others.ru_maxrss), file=sys.stderr)\n"
    environment = os.environ | ({"PYTHONPATH": source} if source else {})
    command = [sys.executable, "-c", program, "audit", "--db", url, "--json", "--processes", str(processes)]
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    took = time.perf_counter() - started
    cpu_s, peak_kib = map(float, done.stderr.split()[-2:])
    return Run(cpu_s / json.loads(done.stdout)["rounds"] * 1e6, took, peak_kib / 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200_000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--against", help="the source tree of another version")
    parser.add_argument("--books", help="a folder to keep the books in, for another run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.books or temporary)
        folder.mkdir(exist_ok=True, parents=True)
        sizes = [options.rounds // SMALLER, options.rounds]
        for size in sizes:
            if not (folder / f"{size}.db").exists():
                fill = [sys.executable, str(HERE / "fill.py"), f"sqlite:///{folder}/{size}.db", str(size)]
                subprocess.run(fill, check=True)
        versions = {"this version": None} | ({"the other version": options.against} if options.against else {})
        cases = [(name, size, count) for size in sizes for count in (1, 2) for name in versions]
        found: dict[tuple[str, int, int], list[Run]] = {case: [] for case in cases}
        for _ in range(options.turns):
            for name, size, count in cases:
                found[name, size, count].append(audited(f"sqlite:///{folder}/{size}.db", count, versions[name]))
    print(
        "| rounds | processes | | CPU µs a round | rounds a second on free cores | by the clock | peak MiB a process |"
    )
    print("|---:|---:|---|---:|---:|---:|---:|")
    for (name, size, count), runs in found.items():
        cpu, clock = median(run.cpu_us for run in runs), median(run.clock_s for run in runs)
        peak = max(run.peak_mib for run in runs)
        rate = f"{count * 1e6 / cpu:,.0f} | {size / clock:,.0f}"
        print(f"| {size:,} | {count} | {name} | {cpu:.0f} | {rate} | {peak:.0f} |")


if __name__ == "__main__":
    main()
