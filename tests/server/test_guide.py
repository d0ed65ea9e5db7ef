"""docs/api.md: its examples are run, as they stand, against a real server; its tables are the server's."""

import os
import re
import subprocess
from pathlib import Path

from api_house import Open
from pairhouse.server.http.throttle import RATES

GUIDE = (Path(__file__).parents[2] / "docs/api.md").read_text()
BLOCKS = re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL)


def test_the_examples_of_the_guide_run(served_house: Open, tmp_path: Path) -> None:
    script = "set -euo pipefail\n" + "echo\n".join(BLOCKS)
    address = str(served_house.client.base_url).rstrip("/")
    env = {**os.environ, "HOUSE": address, "ADMIN_KEY": served_house.office().key, "NO_PROXY": "*"}
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    games = {"la-paire", "nepal-super-baccarat", "three-card-poker", "blackjack-poker-pairs", "pair-v3"}
    settled = set(
        re.findall(r'\{"id":"[0-9A-Z]{26}","game":"([a-z0-9-]+)","table":"[a-z0-9-]+","state":"settled"', done.stdout)
    )
    assert settled >= games
    shown = (tmp_path / "round.json").read_text()
    assert re.search(r'"server_seed":"[0-9a-f]{64}"', shown)


def test_the_limits_are_those_of_the_server() -> None:
    table = GUIDE.split("## Limits on requests")[1]
    told = {(int(burst), float(rate)) for burst, rate in re.findall(r"\| (\d+) \| ([\d.]+) \|$", table, re.MULTILINE)}
    assert told == {(rate.burst, rate.per_s) for rate in RATES.values()}
