"""Simulated rounds per CPU-second on one core, against a C kernel of the same game and against public packages.

`make bench` runs it: it compiles the kernels beside it with the system's C compiler, makes `build/peers` for the
packages (a virtual environment and an npm folder; what cannot be installed is named), measures all in one run, and
writes the table into docs/performance.md between its marks. Everything is measured in CPU time of the one process that
plays, the median of several turns that alternate between the contenders, so that a busy machine disturbs all alike.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from pairhouse.analysis.blackjack.basic import BasicStrategy
from pairhouse.analysis.blackjack.solution_records import solution
from pairhouse.analysis.blackjack.tables import chart_strategy
from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.games.blackjack_choices import DOUBLE, HIT, SPLIT, STAND
from pairhouse.games.catalogue import find
from pairhouse.machines.simulate.run import Progress, go_on, threads

ROOT = Path(__file__).parents[1]
KERNELS, PEERS = ROOT / "benchmarks" / "kernels", ROOT / "benchmarks" / "peers"
BUILD = ROOT / "build" / "peers"
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- simulate: begin -->", "<!-- simulate: end -->"
ROUNDS, TURNS = 1 << 23, 5
PYPI = ("gymnasium", "rlcard", "open_spiel")
NPM = ("@blackjacktrainer/blackjack-simulator", "baccarat-engine")

CASES: list[tuple[str, str, dict[str, Any], str, list[str] | None, float]] = [
    ("blackjack, basic strategy, main", "blackjack", {"decks": 8}, "basic", ["main"], 20e6),
    ("blackjack, best play, main", "blackjack", {"decks": 8}, "best", ["main"], 20e6),
    ("Blackjack Poker & Pairs, best play, all four wagers", "blackjack-poker-pairs", {}, "best", None, 10e6),
    ("baccarat, all 34 wagers", "nepal-super-baccarat", {"decks": 8}, "best", None, 50e6),
    ("Three Card Poker, best play, all wagers", "three-card-poker", {}, "best", None, 40e6),
    ("La Pair'e, all 59 wagers", "la-paire", {}, "best", None, 40e6),
]


def chart_bytes() -> bytes:
    """Basic strategy for the C kernel: [two cards, may split][ace, hard total][up card]."""
    variant = find("blackjack").variant({"decks": 8})
    table = chart_strategy("basic", BasicStrategy(solution(variant)), insures=False).tables[0].reshape(128, 64, 16)
    sets = [STAND | HIT | DOUBLE * two | SPLIT * pair for two in (0, 1) for pair in (0, 1)]
    return np.concatenate([table[legal] for legal in sets]).astype(np.uint8).tobytes()


def kernel(name: str, folder: str, given: bytes) -> Callable[[], float]:
    """A C kernel, compiled here; calling it gives rounds per CPU-second."""
    program = f"{folder}/{name}"
    command = [os.environ.get("CC", "cc"), "-O3", "-march=native", "-o", program, str(KERNELS / f"{name}.c")]
    subprocess.run(command, check=True)

    def run() -> float:
        done = subprocess.run([program, str(ROUNDS)], input=given, capture_output=True, check=True)
        return ROUNDS / float(done.stdout.split()[0])

    return run


def ours(case: tuple[str, str, dict[str, Any], str, list[str] | None, float]) -> Callable[[], float]:
    """Our loop for a case, compiled; calling it gives rounds per CPU-second."""
    _, game, options, strategy, wagers, _ = case
    simulation = Sampling.of(find(game).variant(options), strategy, wagers).simulation
    simulation.get_ready()
    simulation.block(1, 0, 512)

    def run() -> float:
        start = time.thread_time()
        simulation.block(1, 0, ROUNDS)
        return ROUNDS / (time.thread_time() - start)

    return run


def install_peers() -> dict[str, str]:
    """The public packages; for those that cannot be had, why."""
    BUILD.mkdir(parents=True, exist_ok=True)
    missing: dict[str, str] = {}
    python = BUILD / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(BUILD / "venv")], check=True)
    for name in PYPI:
        done = subprocess.run([str(python), "-m", "pip", "install", "-q", name], capture_output=True, check=False)
        if done.returncode:
            missing[name] = "pip could not install it"
    for name in NPM:
        if shutil.which("npm") is None:
            missing[name] = "there is no npm"
        elif subprocess.run(["npm", "install", "--silent", "--prefix", str(BUILD), name], check=False).returncode:
            missing[name] = "npm could not install it"
    return missing


def peer_rates(missing: dict[str, str]) -> list[tuple[str, str]]:
    """Rounds per CPU-second of every package, each by its own small script."""
    runs = [(name, [str(BUILD / "venv" / "bin" / "python"), str(PEERS / f"{name}.py")]) for name in PYPI]
    runs += [(name, ["node", str(PEERS / f"{name.rpartition('/')[2]}.js"), str(BUILD)]) for name in NPM]
    rows = []
    for name, command in runs:
        if name in missing:
            rows.append((name, missing[name]))
            continue
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            rows.append((name, f"failed: {done.stderr.strip().splitlines()[-1][:80] if done.stderr else 'no reason'}"))
        else:
            record = json.loads(done.stdout.splitlines()[-1])
            rows.append((f"{name} {record['version']}: {record['what']}", f"{record['rate'] / 1e6:.4f}"))
    return rows


def two_threads(case: tuple[str, str, dict[str, Any], str, list[str] | None, float]) -> tuple[float, float]:
    """Two threads against one: by the clock, and by what a CPU-second of both is worth."""
    _, game, options, strategy, wagers, _ = case
    sampling = Sampling.of(find(game).variant(options), strategy, wagers)
    rates = []
    for count in (1, 2):
        with threads(sampling.simulation, count) as crew:
            wall, cpu = time.perf_counter(), time.process_time()
            go_on(crew, Progress(sampling.simulation.scoring.cells, 1), 24 << 20)
            rates.append((1 / (time.perf_counter() - wall), 1 / (time.process_time() - cpu)))
    return rates[1][0] / rates[0][0], 2 * rates[1][1] / rates[0][1]


def start_up(game: str) -> tuple[float, float]:
    """Seconds to a first result as a process, with an empty cache and with a warm one."""
    words = [sys.executable, "-m", "pairhouse", "simulate", game, "--rounds", "1000", "--json"]
    with tempfile.TemporaryDirectory() as cache:
        found = []
        for _ in range(3):
            start = time.perf_counter()
            environment = {**os.environ, "PAIRHOUSE_CACHE": cache, "NUMBA_CACHE_DIR": cache}
            subprocess.run(words, check=True, capture_output=True, env=environment)
            found.append(time.perf_counter() - start)
    return found[0], min(found[1:])


def measure() -> list[str]:
    """Everything, as lines of Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        limits = {
            "blackjack": kernel("blackjack", folder, chart_bytes()),
            "nepal-super-baccarat": kernel("baccarat", folder, b""),
        }
        loops = [ours(case) for case in CASES]
        rates: list[list[float]] = [[] for _ in CASES]
        in_c: dict[str, list[float]] = {name: [] for name in limits}
        for _ in range(TURNS):
            for loop, found in zip(loops, rates, strict=True):
                found.append(loop())
            for name, run in limits.items():
                in_c[name].append(run())
    lines = ["| rounds per CPU-second, one core | M/s | C kernel M/s | ratio | goal M/s |", "|---|---:|---:|---:|---:|"]
    for case, found in zip(CASES, rates, strict=True):
        rate = median(found)
        limit = median(in_c[case[1]]) if case[1] in in_c else None
        c, ratio = (f"{limit / 1e6:.1f}", f"{rate / limit:.2f}") if limit else ("", "")
        lines.append(f"| {case[0]} | {rate / 1e6:.1f} | {c} | {ratio} | {case[5] / 1e6:.0f} |")
    return lines


def main() -> None:
    lines = [f"`make bench`, {time.strftime('%-d %B %Y')}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}.", ""]
    lines += measure()
    if "--quick" not in sys.argv:
        lines += ["", "| public packages, one process | M rounds per CPU-second |", "|---|---:|"]
        lines += [f"| {name} | {rate} |" for name, rate in peer_rates(install_peers())]
    by_clock, by_cpu = two_threads(CASES[3])
    lines += ["", f"Two threads against one (baccarat): {by_clock:.2f} times by the clock, {by_cpu:.2f} by CPU time."]
    lines += ["", "| first result, `simulate GAME --rounds 1000` | empty cache, s | warm cache, s |", "|---|---:|---:|"]
    for game in ("nepal-super-baccarat", "la-paire", "three-card-poker", "blackjack"):
        cold, warm = start_up(game)
        lines.append(f"| {game} | {cold:.1f} | {warm:.2f} |")
    text = "\n".join(lines)
    print(text)
    page = PAGE.read_text()
    if BEGIN in page:
        before, _, rest = page.partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    main()
