"""Compiled code is kept by the project's own cache: in its folder alone, and never met by a changed rule."""

import os
import re
import subprocess
import sys
from pathlib import Path

from pairhouse.machines.cache import ROOMS

SOURCE = Path(__file__).parents[2] / "src" / "pairhouse"

EVERYTHING = """
from pairhouse.analysis.blackjack.kernels import draw_chances
import numpy as np
chances = np.zeros((1, 11))
draw_chances(np.array([[0.0, *[4.0] * 9, 16.0]]), 0, chances)
print(chances.sum(), sum(draw_chances.stats.cache_hits.values()))
"""


def test_numbas_own_cache_is_used_in_one_place() -> None:
    """It does not notice a change in another file, and writes into the source tree."""
    asked = re.compile(r"\bcache\s*=\s*True")
    found = [file for file in SOURCE.rglob("*.py") if asked.search(file.read_text())]
    assert [file.relative_to(SOURCE).as_posix() for file in found] == ["machines/cache.py"]


def files_in_the_source_tree() -> set[Path]:
    return {file for file in SOURCE.rglob("*") if file.is_file() and file.suffix != ".pyc"}


def test_what_is_compiled_lies_in_the_cache_and_not_beside_the_source(tmp_path: Path) -> None:
    before = files_in_the_source_tree()
    told = []
    for _ in range(2):
        environment = {**os.environ, "PAIRHOUSE_CACHE": str(tmp_path)}
        command = [sys.executable, "-c", EVERYTHING]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        told.append(done.stdout.split())
    assert told == [["1.0", "0"], ["1.0", "1"]]  # compiled, then read back
    assert files_in_the_source_tree() == before
    assert list(tmp_path.rglob("kernels.draw_chances*.nbi"))


def test_a_stored_result_is_named_after_every_source_it_may_come_from() -> None:
    """Whatever the analysis loads stands in a room that is hashed: a change of it finds no older result."""
    names = [
        ".".join(file.relative_to(SOURCE.parent).with_suffix("").parts)
        for file in sorted((SOURCE / "analysis").rglob("*.py"))
    ]
    code = f"import importlib, sys\nfor name in {names!r}: importlib.import_module(name)\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    rooms = {name.split(".")[1] for name in loaded if name.startswith("pairhouse.")}
    assert rooms - {"version"} <= set(ROOMS)
    assert {"analysis", "core", "games", "machines"} <= rooms
