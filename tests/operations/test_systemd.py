"""The units of systemd are accepted by systemd itself, and leave a house little of the machine."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"
ANALYZE = shutil.which("systemd-analyze")
UNITS = ("pairhouse@.service", "pairhouse-backup.service", "pairhouse-backup.timer")
EXPOSURE_MAX = 30  # tenths; systemd calls it "OK" up to here, and 96 is a unit without any limits

pytestmark = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is missing")


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The units that ship, with a program that exists here."""
    for name in UNITS:
        text = (DEPLOY / name).read_text()
        (tmp_path / name).write_text(text.replace("/opt/pairhouse/bin/pairhouse", sys.executable))
    return tmp_path


def test_the_units_are_valid(units: Path) -> None:
    named = [str(units / name.replace("@", "@8001")) for name in UNITS]
    (units / "pairhouse@8001.service").symlink_to(units / "pairhouse@.service")
    words = [str(ANALYZE), "verify", "--man=no", "--recursive-errors=no", *named]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if "pairhouse" in line]
    assert said == []
    assert done.returncode == 0, done.stderr


def test_a_house_is_given_little_of_the_machine(units: Path) -> None:
    words = [str(ANALYZE), "security", "--offline=true", f"--threshold={EXPOSURE_MAX}", "--no-pager"]
    done = subprocess.run([*words, str(units / "pairhouse@.service")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-600:] + done.stderr
