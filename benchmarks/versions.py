"""Whether simulation, exact counting and start-up became slower: this version against another, in turns of one run.

`python benchmarks/versions.py FOLDER` takes the `src` folder of the other version and prints Markdown. Every figure is
processor time of a whole process, the least of its turns; both versions have compiled everything before.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

OWN = Path(__file__).parents[1] / "src"
ROUNDS = {
    "nepal-super-baccarat": 100_000_000,
    "la-paire": 50_000_000,
    "three-card-poker": 50_000_000,
    "blackjack": 20_000_000,
}
COUNTED = ("nepal-super-baccarat", "la-paire", "three-card-poker", "pair-v3", "blackjack-poker-pairs", "blackjack")


class Version:
    """The program from one source folder, with a cache of its own."""

    def __init__(self, source: Path, cache: Path) -> None:
        self.cache = cache
        self.environment = {**os.environ, "PYTHONPATH": str(source), "PAIRHOUSE_CACHE": str(cache)}
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def takes(self, *words: str) -> float:
        """Processor seconds of `python WORDS`, all its threads and children."""
        process = subprocess.Popen([sys.executable, *words], env=self.environment, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
        return usage.ru_utime + usage.ru_stime

    def pairhouse(self, *words: str) -> float:
        return self.takes("-m", "pairhouse", *words)

    def counts(self, game: str) -> float:
        """A par sheet whose tallies must be counted, by compiled code that is there."""
        for file in self.cache.glob("tallies-*/*"):
            file.unlink()
        return self.pairhouse("par", game, "--json")

    def simulates(self, game: str) -> float:
        """Many rounds, without what few rounds take."""
        words = ("simulate", game, "--seed", "1", "--json", "--rounds")
        return self.pairhouse(*words, str(ROUNDS[game])) - self.pairhouse(*words, "10000")


CASES: dict[str, Callable[[Version], float]] = {
    "`import pairhouse`": lambda version: version.takes("-c", "import pairhouse"),
    "`pairhouse games`": lambda version: version.pairhouse("games", "--json"),
    "`simulate blackjack --rounds 1000`": lambda version: version.pairhouse(
        "simulate", "blackjack", "--rounds", "1000"
    ),
    **{f"`par {game}`, counted anew": lambda version, game=game: version.counts(game) for game in COUNTED},
    **{f"{ROUNDS[game]:.0e} rounds of {game}": lambda version, game=game: version.simulates(game) for game in ROUNDS},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the src folder of another version")
    parser.add_argument("--turns", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        versions = [
            Version(source.resolve(), Path(folder) / str(place)) for place, source in enumerate((given.folder, OWN))
        ]
        print("| processor seconds | before | now | ratio |\n|---|---:|---:|---:|")
        for name, case in CASES.items():
            for version in versions:
                case(version)  # compile what is not there yet
            taken = [[case(version) for version in versions] for _ in range(given.turns)]
            before, now = map(min, zip(*taken, strict=True))
            print(f"| {name} | {before:.2f} | {now:.2f} | {now / before:.2f} |", flush=True)


if __name__ == "__main__":
    main()
