"""`kill -9` under load, again and again: nothing acknowledged is lost, nothing is done twice, the books stay clean.

Among what is killed are the processes that hold the sealing key, houses that sign and hand heads to their anchors, and
backups and restores. `make test-faults` asks for hundreds of kills (PAIRHOUSE_KILLS); the suite takes a few on each
database.
"""

import asyncio
import json
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import postgres
from direct_house import DATABASES, new_database
from pairhouse.house.seal.anchors import read_anchor_file
from pairhouse.house.seal.keys import read_or_make_key
from pairhouse.house.sealing_key import ANCHORS_VARIABLE, SIGNER_VARIABLE
from servers import Server, Visitor, audit_of, environment, kill_at_random, played

KILLS = int(os.environ.get("PAIRHOUSE_KILLS", "3"))
KILLS_A_RESTORE = 10  # so many times fewer backups and restores are killed than servers
SEED = int(os.environ.get("PAIRHOUSE_FAULT_SEED", "1"))


@pytest.mark.parametrize("kind", DATABASES)
def test_killed_at_random_moments(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On PostgreSQL two processes share the books, and one of them is killed while the other goes on."""
    url = new_database(kind, tmp_path)
    read_or_make_key(tmp_path / "sealing.key")
    signer = [sys.executable, "-m", "pairhouse.house.seal.keys", str(tmp_path / "sealing.key")]
    anchors = [tmp_path / "first.heads", tmp_path / "second.heads"]
    monkeypatch.setenv(SIGNER_VARIABLE, shlex.join(signer))
    monkeypatch.setenv(ANCHORS_VARIABLE, " ".join(f"file:{anchor}" for anchor in anchors))
    processes = 1 if kind == "sqlite" else 2
    count = asyncio.run(kill_at_random(url, tmp_path, kills=KILLS, visitors=6, seed=SEED, processes=processes))
    print(f"\n{kind}: {KILLS} kills, {dict(sorted(count.items()))}")  # noqa: T201
    assert count["bets"] > 4 * KILLS
    assert count["choices"] > 0 < count["unanswered"]
    assert count["signing processes killed"] > 0
    done = audit_of(url, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    newest = max(signed.head.size for anchor in anchors for signed in read_anchor_file(anchor))
    assert f"heads kept outside, the newest at {newest} events" in done.stdout
    print(done.stdout)  # noqa: T201


def command(folder: Path, *words: str, kill_after_s: float | None = None) -> str | None:
    """What a `pairhouse` command says; None if it was killed before it was done."""
    done = subprocess.Popen(
        [sys.executable, "-m", "pairhouse", *words, "--json"],
        env=environment(folder) | {"PATH": f"{postgres.programs()}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    if kill_after_s is not None:
        time.sleep(kill_after_s)
        os.killpg(done.pid, signal.SIGKILL)  # with pg_dump or pg_restore, as a power cut would
    said, complained = done.communicate(timeout=600)
    assert done.returncode in ((0, -signal.SIGKILL) if kill_after_s is not None else (0,)), said + complained
    return said if done.returncode == 0 else None


@pytest.mark.slow
@pytest.mark.parametrize("kind", DATABASES)
def test_backups_and_restores_killed_at_random_moments(kind: str, tmp_path: Path) -> None:
    """A backup that was not made to its end is none; a restore is made again, and its house opens in a new epoch."""
    url, rng = new_database(kind, tmp_path), random.Random(SEED)
    times = max(1, KILLS // KILLS_A_RESTORE)
    done_before_killed = 0
    for number in range(times):
        server = Server(url, tmp_path).start()
        try:
            asyncio.run(_some_play(server))
            taken = tmp_path / f"backup-{number}"
            command(tmp_path, "backup", str(taken / "killed"), "--db", url, kill_after_s=rng.uniform(0, 2))
            manifest = json.loads(command(tmp_path, "backup", str(taken / "whole"), "--db", url) or "")
            asyncio.run(_some_play(server))
            server.kill()
        finally:
            server.stop()
        put_back = ("restore", str(taken / "whole"), "--db", url, "--replace", manifest["books"])
        if command(tmp_path, *put_back, kill_after_s=rng.uniform(0, 2)) is not None:
            done_before_killed += 1
        command(tmp_path, *put_back)
    server = Server(url, tmp_path).start()
    try:
        asyncio.run(_some_play(server))
    finally:
        server.stop()
    done = audit_of(url, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "began on" in done.stdout, "a new epoch"
    print(f"\n{kind}: {times} backups and {times} restores killed, {done_before_killed} too late")  # noqa: T201


async def _some_play(server: Server) -> None:
    await server.ready()
    players = [Visitor(number, [server], SEED + number) for number in range(2)]
    for player in players:
        await player.come_in()
    playing = [asyncio.create_task(player.play()) for player in players]
    await played(players, playing, 6)
    for player in players:
        player.is_done = True
    await asyncio.gather(*playing)
    for player in players:
        await player.check()
        await player.leave()
