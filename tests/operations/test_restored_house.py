"""The attack as it was made: real servers over HTTP, a backup of an open house, a revealed seed, kill -9, a restore."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import postgres
from direct_house import DATABASES, new_database
from old_books import JOKER, TABLE, lucky_seeds
from servers import Server, environment

pytestmark = pytest.mark.slow


def command(folder: Path, *words: str) -> str:
    """A command of ours in a process of its own; what it says."""
    paths = {"PATH": f"{postgres.programs()}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [sys.executable, "-m", "pairhouse", *words],
        env={**environment(folder), **paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def bet(client: httpx.Client, number: int, seed: str) -> httpx.Response:
    body = {"table": TABLE, "seats": [{JOKER: 500}], "client_seed": seed}
    return client.post("/rounds", json=body, headers={"Idempotency-Key": f"attack-{number}"})


@pytest.mark.parametrize("kind", DATABASES)
def test_a_revealed_seed_wins_nothing_after_a_restore(kind: str, tmp_path: Path) -> None:
    url = new_database(kind, tmp_path)
    server = Server(url, tmp_path, words=("--workers", "1")).start()
    try:
        asyncio.run(server.ready())
        with httpx.Client(base_url=server.base, timeout=60) as client:
            client.headers["Authorization"] = f"Bearer {client.post('/guests').json()['token']}"
            client.post(f"/tables/{TABLE}/sit", json={}).raise_for_status()
            bet(client, 0, "first").raise_for_status()
            manifest = json.loads(command(tmp_path, "backup", str(tmp_path / "backup"), "--db", url, "--json"))
            revealed = client.post(f"/tables/{TABLE}/seed", json={}).raise_for_status().json()["revealed"]
            known = lucky_seeds(revealed["server_seed"], 1, 8)  # nonce 0 was the first bet
            server.kill()
            command(tmp_path, "restore", str(tmp_path / "backup"), "--db", url, "--replace", manifest["books"])
            server.start()
            asyncio.run(server.ready())

            refused = bet(client, 1, known[0])
            assert (refused.status_code, refused.json()["code"]) == (409, "not-seated")
            seat = client.post(f"/tables/{TABLE}/sit", json={}).raise_for_status().json()
            assert seat["commitment"] != revealed["commitment"]
            wins = [bet(client, 2 + n, seed).raise_for_status().json()["returned"] for n, seed in enumerate(known)]
            assert sum(returned > 0 for returned in wins) <= 4
            metrics = client.get("/metrics").text
            assert "pairhouse_books_epoch 2.0" in metrics
    finally:
        server.stop()
    assert "Epoch 2 began on" in command(tmp_path, "audit", "--db", url)
    assert "a new epoch of the books begins" in Path(server.log.name).read_text()
