"""How long games from files take: a price, best play and simulated rounds, each as a process of its own.

Run with `make bench-kit`; it prints a Markdown table. Processor time is told beside the clock, because the compiler and
other programs share the cores; a cold run has an empty cache. With `--icepool FOLDER`, where `pip install --target
FOLDER icepool` has put that package (2.1.3 is the last for Python 3.11), it counts baccarat too, in the same run. With
`--reload` it serves a file that is saved again and again, and tells when the felt and the price are new.
"""

import argparse
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

GALLERY = Path(__file__).parents[1] / "gallery"
PRICES = (("dragon_tiger", []), ("blackjack_side_bets", ["--decks", "6"]), ("baccarat_side_bets", []))
SOLVED = ("red_dog", "casino_war", "let_it_ride", "mississippi_stud", "jacks_or_better", "caribbean_stud")
SIMULATED = ("dragon_tiger", "casino_war", "red_dog", "andar_bahar", "let_it_ride", "mississippi_stud",
             "jacks_or_better", "caribbean_stud")  # fmt: skip
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


def against_icepool(folder: str) -> None:
    """Three wagers of baccarat by icepool, and all 34 by us with an empty cache: seconds of each as a process."""
    peer = Path(__file__).parent / "peers" / "icepool.py"
    start = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": folder}
    told = subprocess.run([sys.executable, str(peer)], env=environment, capture_output=True, check=True).stdout
    theirs, found = time.perf_counter() - start, json.loads(told)
    with tempfile.TemporaryDirectory() as cache:
        ours, cpu, sheet = run(cache, "par", "nepal-super-baccarat", "--json")
    rows = {row["name"]: row["probability"] for row in json.loads(sheet)["wagers"]["tie"]["rows"]}
    assert found["tie"] in rows.values(), "the two do not agree"
    name = f"icepool {found['version']}: player, banker and tie"
    print(f"| {name} | {theirs:.1f} s ({found['processor_s']:.1f}) | |")
    print(f"| ours, all 34 wagers | {ours:.2f} s ({cpu:.2f}) | {theirs / ours:.1f} times faster |", flush=True)


def reload(saves: int = 5) -> None:
    """Seconds from a save of Dragon Tiger's file to its new paytable and its new price in the API."""
    text = (GALLERY / "dragon_tiger.py").read_text()
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listener:
        port, file = listener.getsockname()[1], Path(folder) / "dragon_tiger.py"
        listener.close()
        file.write_text(text)
        command = [sys.executable, "-m", "pairhouse", "serve", str(file), "--watch", "--port", str(port)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        house = subprocess.Popen(command, env={**os.environ, "PAIRHOUSE_DATA": f"{folder}/data"}, **quiet)
        try:
            until_served(port, 8)
            for pays in range(9, 9 + saves):
                file.write_text(text.replace('row("tie", 8,', f'row("tie", {pays},'))
                felt, price = until_served(port, pays)
                print(f"| a save of dragon_tiger | new felt {felt:.2f} s | new price {price:.2f} s |", flush=True)
        finally:
            house.terminate()
            house.wait()


def until_served(port: int, pays: int) -> tuple[float, float]:
    """Seconds until the tie pays so much at the table, and until its price is there too."""
    start, felt = time.perf_counter(), None
    while time.perf_counter() - start < 60:
        time.sleep(0.02)
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/tables/dragon-tiger", timeout=5) as answer:
                table = json.load(answer)
        except OSError:
            continue
        tie = next(wager for wager in table["game"]["wagers"] if wager["id"] == "tie")
        if tie["rows"][0]["pays"] == str(pays):
            felt = felt or time.perf_counter() - start
            if table["prices"] is not None:
                return felt, time.perf_counter() - start
    raise SystemExit(f"after a minute the tie does not pay {pays}, or has no price")


def main() -> None:
    """Every figure once, in one run; or the saves."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--reload", action="store_true", help="time saves of a served file instead")
    parser.add_argument("--icepool", metavar="FOLDER", help="compare with icepool, installed there")
    chosen = parser.parse_args()
    if chosen.reload:
        reload()
    else:
        figures(chosen.icepool)


def figures(folder: str | None) -> None:
    """Prices, best play and simulated rounds."""
    print("| | cold: clock (processor) | warm |", "|---|--:|--:|", sep="\n")
    if folder is not None:
        against_icepool(folder)
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
