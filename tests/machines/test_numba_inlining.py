"""The one place that changes numba's inside: for tested versions only, undone after use, and never needed to be right."""

import re
import tomllib
from pathlib import Path

import numba
import pytest
from numba.core.codegen import CPUCodeLibrary

from pairhouse.games.catalogue import find
from pairhouse.games.la_paire import FirstCard, Paire, Poker
from pairhouse.machines import cache
from pairhouse.machines.simulate import kernel, numba_inlining
from pairhouse.machines.simulate.interpreted import plain_block
from pairhouse.machines.simulate.numba_inlining import TESTED, clean_copies
from pairhouse.machines.simulate.score import side_by_side
from pairhouse.machines.simulate.simulation import Simulation

ROOT = Path(__file__).parents[2]


def test_the_tested_versions_are_those_that_are_installed() -> None:
    """The bounds in pyproject.toml and in the code are one."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    (wanted,) = [line for line in extras["fast"] if line.startswith("numba")]
    assert re.findall(r"\d+\.\d+", wanted) == [".".join(map(str, version)) for version in TESTED]
    assert TESTED[0] <= numba.version_info.short < TESTED[1]


def test_the_change_is_undone() -> None:
    before = CPUCodeLibrary._optimize_final_module
    with clean_copies():
        assert CPUCodeLibrary._optimize_final_module is not before
    with pytest.raises(ZeroDivisionError), clean_copies():
        _ = 1 // 0
    assert CPUCodeLibrary._optimize_final_module is before


def test_with_another_version_loops_are_right(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(numba_inlining, "TESTED", ((0, 1), (0, 2)))
    monkeypatch.setenv("PAIRHOUSE_CACHE", str(tmp_path))
    monkeypatch.setattr(kernel, "_loops", {})
    cache.folder.cache_clear()
    before = CPUCodeLibrary._optimize_final_module
    with clean_copies():
        assert CPUCodeLibrary._optimize_final_module is before
    simulation = Simulation(find("la-paire").variant(), side_by_side((FirstCard, Paire, Poker)), draws=3)
    assert (simulation.block(4, 0, 2000) == plain_block(simulation, 4, 0, 2000)).all()
    cache.folder.cache_clear()
