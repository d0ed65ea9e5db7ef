"""The lines of docs/operations.md that install a house, run as they stand, in a private view of /etc and /var."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
NEEDED = ("unshare", "adduser", "install", "systemctl")
PRIVATE = ("/etc", "/var/lib", "/var/backups")

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or any(shutil.which(name) is None for name in NEEDED), reason="only root can install"
)


def lines_of(section: str, *programs: str) -> list[str]:
    """The commands of a section that begin with one of these programs."""
    text = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.split(" ")[0] in programs]


def in_private(folder: Path, script: str) -> str:
    """What a script says that sees copies of these folders in their place; nothing of it stays."""
    mounts = []
    for number, place in enumerate(PRIVATE):
        copy = folder / str(number)
        copy.mkdir()
        if place == "/etc":
            mounts.append(f"cp -a {place}/. {copy}/")
        mounts.append(f"mount --bind {copy} {place}")
    words = ["unshare", "--mount", "sh", "-e", "-c", "\n".join([*mounts, script])]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if "Operation not permitted" in done.stderr or "unshare failed" in done.stderr:
        pytest.skip("this machine lets nobody have a view of their own")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_user_folders_and_units_are_installed_as_the_page_says(tmp_path: Path) -> None:
    install = lines_of("Install", "adduser", "install")
    units = [line.replace(" --now", "") for line in lines_of("systemd", "cp", "systemctl")]
    assert (len(install), len(units)) == (4, 2)
    looks = [
        "stat -c '%n %a %U %G' /etc/pairhouse /etc/pairhouse/pairhouse.env /var/backups/pairhouse",
        "su -s /bin/sh pairhouse -c 'cat /etc/pairhouse/pairhouse.env > /dev/null && touch /var/backups/pairhouse/x'",
        "getent passwd pairhouse | cut -d: -f6,7",
        "ls /etc/systemd/system/multi-user.target.wants /etc/systemd/system/timers.target.wants",
    ]
    before = Path("/etc/pairhouse").exists()
    said = in_private(tmp_path, "\n".join([*install, *units, *looks]))
    assert "/etc/pairhouse 750 root pairhouse" in said
    assert "/etc/pairhouse/pairhouse.env 640 root pairhouse" in said
    assert "/var/backups/pairhouse 700 pairhouse pairhouse" in said
    assert "/var/lib/pairhouse:/usr/sbin/nologin" in said
    for unit in ("pairhouse@8001.service", "pairhouse@8002.service", "pairhouse-backup.timer"):
        assert unit in said
    assert Path("/etc/pairhouse").exists() == before, "the machine itself was left alone"
