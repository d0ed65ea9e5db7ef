"""nginx in front: TLS, the caller's own address, two houses on one database, and a restart of both without a failed bet."""

import asyncio
import os
import random
import shutil
import socket
import ssl
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from direct_house import new_database
from live_reader import Reader
from pairhouse.house.house import House
from pairhouse.house.people import new_key
from servers import Server, free_port

CONFIG = Path(__file__).parents[2] / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
pytestmark = pytest.mark.skipif(NGINX is None or shutil.which("openssl") is None, reason="nginx or openssl is missing")
WORDS = ("--secure", "--trusted-proxy", "127.0.0.1", "--allowed-host", "localhost", "--workers", "1")
WALLET = ("--wallet", "acme=http://127.0.0.1:9")  # nobody answers there


class Front(NamedTuple):
    """A running nginx: where it listens, and what trusts its certificate."""

    base: str
    plain: str
    trust: ssl.SSLContext


def certificate(folder: Path) -> None:
    """A self-signed certificate, as docs/operations.md makes it."""
    words = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    words += ["-days", "30", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    subprocess.run([*words, *files], check=True, capture_output=True)


def written(folder: Path, houses: list[int], port: int, plain: int) -> Path:
    """The configuration that ships, with our ports, name and certificate, in the frame of a whole nginx.conf."""
    certificate(folder)
    site = CONFIG.read_text()
    for old, new in (
        ("127.0.0.1:8001", f"127.0.0.1:{houses[0]}"),
        ("127.0.0.1:8002", f"127.0.0.1:{houses[1]}"),
        ("listen 443", f"listen {port}"),
        ("listen 80", f"listen {plain}"),
        ("https://house.example", f"https://localhost:{port}"),
        ("house.example", "localhost"),
        ("/etc/ssl/pairhouse/", f"{folder}/"),
    ):
        assert old in site
        site = site.replace(old, new)
    (folder / "site.conf").write_text(site)
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    frame = f"pid {folder}/pid;\nerror_log {folder}/error.log;\nworker_processes 1;\ndaemon off;\nevents {{}}\n"
    http = f"http {{\naccess_log {folder}/access.log;\n{paths}include {folder}/site.conf;\n}}\n"
    (folder / "nginx.conf").write_text(frame + http)
    return folder / "nginx.conf"


def test_the_configuration_is_accepted(tmp_path: Path) -> None:
    config = written(tmp_path, [free_port(), free_port()], free_port(), free_port())
    done = subprocess.run([str(NGINX), "-t", "-c", str(config)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr.replace('the "user" directive', "")


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """Two houses on one PostgreSQL, without limits on how fast a player may bet; a wallet they know is down."""
    folder = tmp_path_factory.mktemp("houses")
    url = new_database("postgresql", folder)
    servers = [Server(url, folder, words=(*WORDS, *WALLET)) for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAIRHOUSE_WALLET_SECRET_ACME", "5e" * 32)
        for server in servers:
            server.start()
            asyncio.run(server.ready())
        yield servers
        for server in servers:
            server.stop()


@pytest.fixture(scope="module")
def front(houses: list[Server], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    folder = tmp_path_factory.mktemp("nginx")
    folder.chmod(0o755)
    port, plain = free_port(), free_port()
    process = subprocess.Popen([str(NGINX), "-c", str(written(folder, [one.port for one in houses], port, plain))])
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    trust = ssl.create_default_context(cafile=folder / "certificate.pem")
    yield Front(f"https://localhost:{port}", f"http://localhost:{plain}", trust)
    process.terminate()
    process.wait(20)


@pytest.mark.slow
def test_tls_cookies_and_metrics(front: Front) -> None:
    with httpx.Client(base_url=front.base, verify=front.trust, timeout=30) as client:
        answer = client.post("/guests")
        assert answer.status_code == 201
        assert "Secure" in answer.headers["set-cookie"]
        assert answer.headers.get("server") == "nginx", "no version, and nothing of what is behind it"
        assert client.get("/metrics").status_code == 404
        assert client.get("/health").status_code == 200
    moved = httpx.get(f"{front.plain}/tables?x=1")
    assert (moved.status_code, moved.headers["location"]) == (308, f"{front.base}/tables?x=1")


@pytest.mark.slow
def test_the_caller_is_who_connects_to_nginx_whatever_it_says(front: Front) -> None:
    """One address asks for guests until it is refused; another is not, and a forged header does not help."""

    def ask(source: str, **headers: str) -> int:
        transport = httpx.HTTPTransport(local_address=source, verify=front.trust)
        base = front.base.replace("localhost", "127.0.0.1")
        with httpx.Client(base_url=base, transport=transport, timeout=60) as client:
            return client.post("/guests", headers={"Host": front.base.removeprefix("https://"), **headers}).status_code

    with ThreadPoolExecutor(16) as several:  # faster than the limit lets more in, also on a busy machine
        answers = Counter[int]()
        while answers[429] == 0 and answers.total() < 1_000:
            answers.update(several.map(ask, ["127.0.0.7"] * 50))
        assert answers[429] > 0 < answers[201]
        forged = [{"X-Forwarded-For": f"203.0.113.{number}"} for number in range(60)]
        answered = Counter(several.map(lambda headers: ask("127.0.0.7", **headers), forged))
    assert answered[429] > 0, "an address that was made up would have been let in every time"
    assert ask("127.0.0.8") == 201


@pytest.mark.slow
def test_answers_that_a_house_is_busy_take_no_house_away(front: Front) -> None:
    """503 for one caller (here: a wallet that is down) is no reason to leave a house out for all others."""
    with httpx.Client(base_url=front.base, verify=front.trust, timeout=30) as client:
        for _ in range(8):
            busy = client.post("/wallets/acme/sessions", json={"token": "somebody"})
            assert (busy.status_code, busy.json()["code"]) == (503, "wallet-unknown")
            assert client.get("/tables").status_code == 200


def is_at(number: int, news: dict[str, Any]) -> bool:
    return bool(news["number"] >= number)


@pytest.mark.slow
def test_a_live_table_is_watched_through_nginx_without_delay(front: Front, houses: list[Server]) -> None:
    """Each bet arrives by itself while the stream is open: nothing waits in a buffer of nginx until more comes."""
    table = "nepal-super-baccarat"
    house = House(houses[0].url)
    headers = {"Authorization": f"Bearer {house.do(lambda tx: new_key(tx, 'the pit', 'admin'))[1]}"}
    house.close()
    with httpx.Client(base_url=front.base, verify=front.trust, timeout=30) as client:
        made = client.put(f"/admin/tables/{table}/live", json={"betting": 60_000}, headers=headers)
        assert made.status_code == 200, made.text
        reader = Reader(front.base, table, verify=front.trust)
        reader.until(lambda news: news["view"] is not None)
        client.headers["Authorization"] = f"Bearer {client.post('/guests').json()['token']}"
        client.post(f"/tables/{table}/live/seat", json={}, headers={"Idempotency-Key": "take-a-seat"})
        took = []
        for number in range(1, 6):
            body = {"stakes": {"player": 100 * number}, "seed": "0" * 64}
            key = {"Idempotency-Key": f"bet-number-{number}"}
            done = client.put(f"/tables/{table}/live/bet", json=body, headers=key)
            began = time.monotonic()
            reader.until(partial(is_at, done.json()["number"]))
            took.append(time.monotonic() - began)
        reader.close()
    assert sorted(took)[2] < 0.5, took


class Regular:
    """A player who asks once for everything: an answer other than a success is a failed bet."""

    def __init__(self, front: Front, number: int) -> None:
        self.client = httpx.AsyncClient(base_url=front.base, verify=front.trust, timeout=60)
        self.number = number
        self.rng = random.Random(number)
        self.bets = self.asked = 0
        self.failed: list[str] = []

    async def play(self, is_over: asyncio.Event) -> None:
        token = (await self.client.post("/guests")).json()["token"]
        self.client.headers["Authorization"] = f"Bearer {token}"
        for table in ("la-paire", "three-card-poker"):
            await self.ask("POST", f"/tables/{table}/sit", {})
        while not is_over.is_set():
            await self.round()
            await asyncio.sleep(0.02)
        await self.client.aclose()

    async def round(self) -> None:
        self.bets += 1
        table, seats = self.rng.choice([("la-paire", [{"card-A": 100}]), ("three-card-poker", [{"ante": 100}])])
        view = await self.ask("POST", "/rounds", {"table": table, "seats": seats, "client_seed": "x"})
        while view.get("state") == "open":
            body = {"choice": "fold", "number": len(view["choices"])}
            view = await self.ask("POST", f"/rounds/{view['id']}/choices", body)

    async def ask(self, method: str, path: str, body: object) -> dict[str, Any]:
        self.asked += 1
        key = f"regular-{self.number}-{self.asked}"
        try:
            answer = await self.client.request(method, path, json=body, headers={"Idempotency-Key": key})
        except httpx.TransportError as error:
            self.failed.append(f"{path}: {error!r}")
            return {}
        if answer.status_code >= 300:
            self.failed.append(f"{path}: {answer.status_code} {answer.text[:200]}")
            return {}
        found: dict[str, Any] = answer.json()
        return found


async def restart_both(houses: list[Server], front: Front) -> list[Regular]:
    is_over = asyncio.Event()
    regulars = [Regular(front, number) for number in range(4)]
    playing = [asyncio.create_task(regular.play(is_over)) for regular in regulars]
    await asyncio.sleep(3)
    for house in houses:
        process = house.process
        assert process is not None
        process.terminate()
        assert await asyncio.to_thread(process.wait, 60) == 0
        house.start()
        await house.ready()
        await asyncio.sleep(3)
    is_over.set()
    await asyncio.gather(*playing)
    return regulars


@pytest.mark.slow
def test_both_houses_are_restarted_one_after_the_other_and_no_bet_fails(houses: list[Server], front: Front) -> None:
    regulars = asyncio.run(restart_both(houses, front))
    failed = [words for regular in regulars for words in regular.failed]
    assert failed == [], f"{len(failed)} failed, such as {failed[:3]}"
    bets = sum(regular.bets for regular in regulars)
    print(f"\n{bets} bets while both houses were restarted, none failed")  # noqa: T201
    assert bets > 40
