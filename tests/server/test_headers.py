"""Headers of requests that are refused, and those that every answer carries or does not."""

import socket
import threading
import time
from collections.abc import Callable, Iterator

import httpx
import msgspec
import pytest

from guests import Guest, new_name
from pairhouse.core.errors import Refused
from pairhouse.server.http.headers import Hosts
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.processes.one_process import build
from pairhouse.server.run import read_hosts
from pairhouse.server.serving import PoliteServer

Address = tuple[str, int]


@pytest.fixture(scope="module")
def address(new_database: Callable[[str], str]) -> Iterator[Address]:
    listener = socket.create_server(("127.0.0.1", 0))
    app = build(new_database("sqlite"), throttle=Throttle({}), jobs=False)
    app.hosts = Hosts(["casino.example"])
    server = PoliteServer(app, ["127.0.0.1"])
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield listener.getsockname()[:2]
    server.should_exit = True
    thread.join(20)


def told(address: Address, *lines: str, version: str = "1.1", method: str = "GET /tables") -> tuple[int, str, str]:
    """The status, the code and the head of the answer to a request with these headers."""
    head = "\r\n".join([f"{method} HTTP/{version}", *lines, "Connection: close", "\r\n"])
    with socket.create_connection(address, timeout=30) as line:
        line.sendall(head.encode())
        answer = b""
        while part := line.recv(65_536):
            answer += part
    start, _, body = answer.partition(b"\r\n\r\n")
    code = msgspec.json.decode(body).get("code", "") if body.startswith(b"{") else ""
    return int(start.split()[1]), code, start.decode().lower()


@pytest.mark.parametrize(
    ("lines", "status", "code"),
    [
        (["Host: casino.example"], 200, ""),
        (["Host: CASINO.example.:8443"], 200, ""),
        (["Host: localhost:8000"], 200, ""),
        (["Host: play.localhost"], 200, ""),
        (["Host: 192.0.2.1:80"], 200, ""),
        (["Host: [2001:db8::1]:80"], 200, ""),
        (["Host: evil.example"], 400, "bad-host"),
        (["Host: casino.example.evil.example"], 400, "bad-host"),
        (["Host: casino.example@evil.example"], 400, "bad-host"),
        (["Host: "], 400, "bad-host"),
        ([], 400, "bad-host"),
        (["Host: casino.example", "Host: casino.example"], 400, "two-headers"),
        (["Host: casino.example", "Host: evil.example"], 400, "two-headers"),
        (["Host: localhost", "Authorization: Bearer a", "Authorization: Bearer b"], 400, "two-headers"),
        (["Host: localhost", "Accept: a", "Accept: b"], 200, ""),
    ],
)
def test_the_host_and_what_may_be_said_once(address: Address, lines: list[str], status: int, code: str) -> None:
    assert told(address, *lines)[:2] == (status, code)


@pytest.mark.parametrize(
    ("target", "status", "code"),
    [
        ("http://casino.example/tables", 200, ""),
        ("HTTP://CASINO.example/tables?a=b", 200, ""),
        ("http://evil.example/tables", 400, "bad-host"),
        ("http://casino.example@evil.example/tables", 400, "bad-host"),
        ("http://casino.example:81/tables", 400, "bad-host"),
        ("//evil.example/tables", 404, "not-found"),
    ],
)
def test_a_whole_address_names_the_host_of_the_header(address: Address, target: str, status: int, code: str) -> None:
    assert told(address, "Host: casino.example", method=f"GET {target}")[:2] == (status, code)


def test_a_whole_address_that_is_sent_ahead_is_read_too(address: Address) -> None:
    """Two requests at once: each is judged by its own line."""
    first = "GET /health HTTP/1.1\r\nHost: casino.example\r\n\r\n"
    with socket.create_connection(address, timeout=30) as line:
        second = "GET http://evil.example/tables HTTP/1.1\r\nHost: casino.example\r\nConnection: close\r\n\r\n"
        line.sendall((first + second).encode())
        answer = b""
        while part := line.recv(65_536):
            answer += part
    assert answer.count(b"HTTP/1.1 200") == 1
    assert b"bad-host" in answer


def test_an_old_client_needs_no_host(address: Address) -> None:
    assert told(address, version="1.0")[0] == 200


def test_two_different_idempotency_keys_do_nothing(address: Address) -> None:
    with httpx.Client(base_url="http://{}:{}".format(*address), timeout=30) as client:
        guest = Guest(client, client.post("/guests").json()["token"])
        guest.sit("la-paire")
        before, one, other = guest.balance, new_name(), new_name()
        body = {"table": "la-paire", "wagers": {"card-A": 500}, "client_seed": "luck"}
        for keys, status in (((one, other), 400), ((one, one), 201)):
            headers = [("Authorization", f"Bearer {guest.token}"), *(("Idempotency-Key", key) for key in keys)]
            answer = client.post("/rounds", json=body, headers=headers)
            assert answer.status_code == status, answer.text
            if status == 400:
                assert answer.json()["code"] == "two-headers"
                assert guest.balance == before


def test_tls_is_told_to_stay_where_a_proxy_says_it_is_there(address: Address) -> None:
    assert "strict-transport-security" not in told(address, "Host: localhost")[2]
    head = told(address, "Host: localhost", "X-Forwarded-Proto: https")[2]
    assert "\r\nstrict-transport-security: max-age=31536000" in head


@pytest.mark.parametrize("method", ["GET /tables", "GET /nothing", "GET /tables/%00", "BREW /coffee"])
def test_nobody_is_told_what_serves(address: Address, method: str) -> None:
    assert "\r\nserver:" not in told(address, "Host: localhost", method=method)[2]


@pytest.mark.parametrize(
    "path", ["/%00", "/" + "a" * 300, "/tables/%00", "/tables/" + "a" * 300, "/%ff/%0a", "/a" * 400]
)
def test_an_address_that_is_none_is_a_404_or_400(address: Address, path: str, caplog: pytest.LogCaptureFixture) -> None:
    status, code, _ = told(address, "Host: localhost", method=f"GET {path}")
    assert (status, code) in ((404, "not-found"), (400, "bad-request"))
    assert "Traceback" not in caplog.text


def test_people_see_no_patterns(address: Address) -> None:
    for answer in (
        httpx.get("http://{}:{}/tables/%00".format(*address)),
        httpx.post("http://{}:{}/sessions".format(*address), json={"name": "a b c", "password": "0123456789"}),
    ):
        assert answer.status_code == 400
        assert "regex" not in answer.text
        assert "^" not in answer.text


def test_names_of_hosts_are_read_from_lists() -> None:
    assert read_hosts(["a.example, b.example", "c"], "127.0.0.1")[:3] == ["a.example", "b.example", "c"]  # type: ignore[index]
    assert read_hosts(["*"], "0.0.0.0") is None
    for given in ("", "a b", "http://a.example", "a.example:80"):
        with pytest.raises(Refused, match="is no name of a host"):
            read_hosts([given], "127.0.0.1")
    assert Hosts(None).allow(b"anything")
