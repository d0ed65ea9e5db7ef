"""`pairhouse serve FILE --watch`: a saved file is on the floor soon after, and a broken one changes nothing."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

from gallery_games import GALLERY

SOON_S = 30  # it takes about two seconds on a machine that has nothing else to do


def name_on_the_floor(client: httpx.Client) -> str | None:
    try:
        return str(client.get("/tables/dragon-tiger").json()["game"]["name"])
    except (httpx.TransportError, KeyError):
        return None


def wait_for(client: httpx.Client, name: str) -> None:
    until = time.monotonic() + SOON_S
    while name_on_the_floor(client) != name:
        assert time.monotonic() < until, f"{name} is not on the floor; {name_on_the_floor(client)} is"
        time.sleep(0.1)


def test_a_saved_file_is_served_and_a_broken_one_is_told(tmp_path: Path) -> None:
    file = tmp_path / "dragon_tiger.py"
    source = (GALLERY / "dragon_tiger.py").read_text()
    file.write_text(source)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    words = ["serve", str(file), "--watch", "--port", str(port), "--workers", "0", "--watch-play", "off"]
    command = [sys.executable, "-m", "pairhouse", *words]
    places = {"PAIRHOUSE_DATA": str(tmp_path / "data"), "PAIRHOUSE_CACHE": str(tmp_path / "cache")}
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(command, env={**os.environ, **places}, stdout=log, stderr=log)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=10) as client:
                wait_for(client, "Dragon Tiger")
                said = (tmp_path / "log").read_text()
                assert '"what":"code was run"' in said
                assert f'"source":"{file}"' in said
                file.write_text(source.replace('"Dragon Tiger"', '"Tiger Dragon"'))
                wait_for(client, "Tiger Dragon")
                file.write_text("def play(:\n")
                until = time.monotonic() + SOON_S
                while "line 1" not in (tmp_path / "log").read_text():
                    assert time.monotonic() < until, "nobody was told of the broken file"
                    time.sleep(0.1)
                assert name_on_the_floor(client) == "Tiger Dragon", "the house goes on with what it had"
                assert "Traceback" not in (tmp_path / "log").read_text()
        finally:
            process.terminate()
            process.wait(30)
    with socket.socket() as caller:
        assert caller.connect_ex(("127.0.0.1", port)) != 0, "the house ends with whoever watches its file"
