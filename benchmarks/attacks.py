"""How honest players fare while the house is attacked: their times to answer, quiet and under each attack, in turns.

`make bench-attacks` prints Markdown; docs/performance.md holds a run. House, players and attackers share this machine.
"""

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from serve import children, house, is_worker

HERE = Path(__file__).parent
ATTACKERS = HERE.parent / "tests" / "attackers.py"
NAMES = [
    "huge_heads", "idle_sockets", "slow_heads", "slow_bodies", "unread_answers", "odd_addresses", "rule_books",
    "guessed_passwords", "passwords_from_everywhere", "advice", "pictures",
]  # fmt: skip
PLAYERS = 16
SOURCES = itertools.count(1)


def honest(port: int, seconds: float) -> dict:
    """Players of five games with some time between their bets, from an address where nobody has been before."""
    command = [sys.executable, str(HERE / "players.py"), str(port), "--players", str(PLAYERS), "--by", "cookie"]
    command += ["--seconds", str(seconds), "--pause", "0.05", "--source", f"127.0.1.{next(SOURCES)}"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def memory_mb(pid: int) -> float:
    """What the house and its workers hold, the solver included."""
    found, waiting = 0, [pid]
    while waiting:
        one = waiting.pop()
        waiting += children(one)
        found += int(Path(f"/proc/{one}/statm").read_text().split()[1]) * 4096
    return found / 2**20


def attacked(port: int, name: str, seconds: float) -> dict:
    """What honest players meet while an attack goes on that has begun before they came."""
    attack = subprocess.Popen([sys.executable, str(ATTACKERS), name, str(port), str(seconds + 3)])
    time.sleep(2)
    found = honest(port, seconds)
    attack.wait()
    return found


def main(turns: int, seconds: float, names: list[str]) -> None:
    found: dict[str, list[dict]] = {"quiet": [], **{name: [] for name in names}}
    held: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, house(f"sqlite:///{folder}/house.db", "--throttle") as opened:
        honest(opened.port, 2)
        for _ in range(turns):
            for name, loads in found.items():
                one = honest(opened.port, seconds) if name == "quiet" else attacked(opened.port, name, seconds)
                loads.append(one)
                held[name] = max(held.get(name, 0.0), memory_mb(opened.pid))
        assert any(is_worker(pid) for pid in children(opened.pid))
    quiet = median(load["ms_p99"] for load in found["quiet"])
    title = f"| attack | ms, half / 99 % of honest answers within ({PLAYERS} players)"
    print(f"{title} | 99 % over quiet (goal 3) | errors | MiB |")
    print("|---|---:|---:|---|---:|")
    for name, loads in found.items():
        half, most = (median(load[part] for load in loads) for part in ("ms_p50", "ms_p99"))
        errors = {word: count for load in loads for word, count in load["errors"].items()}
        line = f"| {name.replace('_', ' ')} | {half:.1f} / {most:.1f} | {most / quiet:.1f} "
        print(f"{line}| {errors or 'none'} | {held[name]:.0f} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--only", nargs="*", choices=NAMES, default=NAMES, help="these attacks alone")
    given = parser.parse_args()
    main(given.turns, given.seconds, given.only)
