"""Bets over real connections that behave oddly: everything that was sent whole is answered, in order, once."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvloop

from api_house import Open, served
from guests import Guest, new_name
from pairhouse.server.processes.one_process import build
from pairhouse.server.processes.process_setup import loop_factory
from pairhouse.server.serving import settings, usual_protocol

BET = b'{"table":"la-paire","wagers":{"card-A":500},"client_seed":"luck"}'
PATIENCE_S = 30


@pytest.fixture(scope="module")
def open_house(new_database: Callable[[str], str]) -> Iterator[Open]:
    with served(new_database("sqlite")) as opened:
        yield opened


@pytest.fixture
def guest(open_house: Open) -> Guest:
    new = open_house.guest()
    new.sit("la-paire")
    return new


def connect(open_house: Open) -> socket.socket:
    address = open_house.client.base_url
    return socket.create_connection((address.host, address.port), timeout=PATIENCE_S)


def request(guest: Guest, body: bytes = BET, *, key: str = "", more: str = "") -> bytes:
    head = f"POST /rounds HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{more}"
    head += f"Authorization: Bearer {guest.token}\r\nIdempotency-Key: {key or new_name()}\r\n"
    return head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body


def answer(stream: Any) -> tuple[int, dict[str, str], bytes]:
    """The next answer on a connection."""
    status = int(stream.readline().split()[1])
    headers: dict[str, str] = {}
    while line := stream.readline().decode().strip():
        name, _, value = line.partition(": ")
        headers[name.lower()] = value
    return status, headers, stream.read(int(headers.get("content-length", 0)))


def test_requests_sent_at_once_are_answered_in_order(open_house: Open, guest: Guest) -> None:
    keys = [new_name() for _ in range(20)]
    with connect(open_house) as line, line.makefile("rb") as stream:
        line.sendall(b"".join(request(guest, key=key) for key in [*keys, "short", *keys]))
        told = [answer(stream) for _ in range(41)]
    assert [status for status, *_ in told] == [201] * 20 + [400] + [201] * 20
    assert [body for *_, body in told[:20]] == [body for *_, body in told[21:]]
    assert len({body for *_, body in told[:20]}) == 20


def test_a_request_may_arrive_in_pieces(open_house: Open, guest: Guest) -> None:
    whole = request(guest)
    with connect(open_house) as line, line.makefile("rb") as stream:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(0, len(whole), 7):
            line.sendall(whole[at : at + 7])
        assert answer(stream)[0] == 201
        line.sendall(request(guest, more="Expect: 100-continue\r\n"))
        assert answer(stream)[0] == 100
        assert answer(stream)[0] == 201


def test_who_closes_its_side_early_has_bet_once(open_house: Open, guest: Guest) -> None:
    """The answer may be lost with the connection; the key brings it again."""
    asked = request(guest)
    with connect(open_house) as line:
        line.sendall(asked)
        line.shutdown(socket.SHUT_WR)
        line.makefile("rb").read()
    with connect(open_house) as line, line.makefile("rb") as stream:
        line.sendall(asked)
        assert answer(stream)[0] == 201
    assert len(guest.get("/players/me/rounds")["rounds"]) == 1


def test_who_goes_away_in_the_middle_has_not_bet(open_house: Open, guest: Guest) -> None:
    before = guest.balance
    with connect(open_house) as line:
        line.sendall(request(guest)[:-1])
    with connect(open_house) as line, line.makefile("rb") as stream:
        line.sendall(request(guest)[:-1])
        line.shutdown(socket.SHUT_WR)
        assert stream.read() == b""
    assert guest.balance == before
    assert guest.get("/players/me/rounds")["rounds"] == []


def test_who_wants_the_connection_closed_has_it_closed(open_house: Open, guest: Guest) -> None:
    with connect(open_house) as line, line.makefile("rb") as stream:
        line.sendall(request(guest, more="Connection: close\r\n"))
        status, headers, _ = answer(stream)
        assert (status, headers["connection"], stream.read()) == (201, "close", b"")


@pytest.mark.parametrize("more", ["Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n"])
def test_a_body_with_two_lengths_is_refused(open_house: Open, guest: Guest, more: str) -> None:
    before = guest.balance
    with connect(open_house) as line, line.makefile("rb") as stream:
        line.sendall(request(guest, more=more))
        assert answer(stream)[0] == 400
    assert guest.balance == before


def test_the_fast_parser_and_loop_are_in_use() -> None:
    app = build("sqlite:////nowhere/house.db")
    config = settings(app)
    assert "httptools" in usual_protocol(app).__module__
    assert config.get_loop_factory() is loop_factory() is uvloop.new_event_loop
