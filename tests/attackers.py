"""People who want the house broken: each attack runs for a while against a port, and says what it has done.

`python tests/attackers.py NAME PORT SECONDS` runs one as a process of its own (benchmarks/attacks.py).
"""

import asyncio
import itertools
import json
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

HOST = "127.0.0.1"
HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /rounds HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n"
ADDRESSES = [b"/%00", b"/" + b"a" * 300, b"/tables/%00", b"/nothing"]

LONG = [b"/games/la-paire/rules", b"/tables", b"/texts", b"/games"]

Attack = Callable[[int, float], Awaitable[int]]


async def _again(
    port: int,
    until: float,
    how: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[int]],
    sources: Iterator[str] | None = None,
) -> int:
    """Do something on a connection, and on a new one when it is closed; how much was done."""
    done = 0
    while time.monotonic() < until:
        try:
            source = (next(sources), 0) if sources else None
            reader, writer = await asyncio.open_connection(HOST, port, local_addr=source)
        except OSError:
            await asyncio.sleep(0.2)
            continue
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            async with asyncio.timeout(max(0.01, until - time.monotonic())):
                done += await how(reader, writer)
        writer.transport.abort()
        await asyncio.sleep(0.02)
    return done


async def _many(count: int, port: int, until: float, how: Callable[..., Awaitable[int]]) -> int:
    return sum(await asyncio.gather(*(_again(port, until, how) for _ in range(count))))


async def huge_heads(port: int, until: float) -> int:
    """Four requests whose head does not end."""

    async def how(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        writer.write(HEAD)
        for sent in range(100):
            writer.write(b"X: " + b"x" * 100_000)
            await writer.drain()
            await asyncio.sleep(0.01)
            if writer.transport.is_closing():
                return sent
        return 100

    return await _many(4, port, until, how)


async def idle_sockets(port: int, until: float) -> int:
    """A thousand and nine connections that ask nothing."""

    async def how(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> int:
        while await reader.read(65_536):
            pass
        await asyncio.sleep(0.5)
        return 1

    return await _many(1_009, port, until, how)


async def slow_heads(port: int, until: float) -> int:
    """Two hundred requests that come a letter at a time."""

    async def how(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        for letter in HEAD * 10:
            writer.write(bytes([letter]))
            await writer.drain()
            await asyncio.sleep(0.5)
        return 1

    return await _many(200, port, until, how)


async def slow_bodies(port: int, until: float) -> int:
    """Two hundred bodies that come a letter at a time."""

    async def how(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        writer.write(POST)
        while True:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.5)

    return await _many(200, port, until, how)


async def unread_answers(port: int, until: float) -> int:
    """Fifty connections that send requests ahead and read no answer."""

    async def how(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        for _number in range(50):
            writer.write(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await writer.drain()
        await asyncio.sleep(5)
        return 50

    return await _many(50, port, until, how)


async def odd_addresses(port: int, until: float) -> int:
    """Eight connections that ask for what is not there, as fast as they are answered."""
    return await _ask_all(port, until, ADDRESSES)


async def rule_books(port: int, until: float) -> int:
    """Eight connections that ask for the longest pages that anybody may read, as fast as they are answered."""
    return await _ask_all(port, until, LONG)


async def _ask_all(port: int, until: float, addresses: Sequence[bytes]) -> int:
    async def how(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        done = 0
        while time.monotonic() < until:
            address = addresses[done % len(addresses)]
            writer.write(b"GET " + address + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(head.partition(b"content-length: ")[2].split(b"\r\n")[0]))
            done += 1
        return done

    return await _many(8, port, until, how)


async def guessed_passwords(port: int, until: float) -> int:
    """Eight connections from one address that try passwords for one name."""

    async def how(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        while time.monotonic() < until:
            await _guess(reader, writer, "somebody")
        return 1

    return await _many(8, port, until, how)


async def passwords_from_everywhere(port: int, until: float) -> int:
    """Eight connections that try passwords, each time for another name, and from addresses that may still try."""

    async def how(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        for _ in range(20):
            await _guess(reader, writer, f"n-{time.monotonic_ns()}")
        return 20

    sources = (f"127.0.{16 + number // 250}.{1 + number % 250}" for number in itertools.count())
    return sum(await asyncio.gather(*(_again(port, until, how, sources) for _ in range(8))))


async def _guess(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, name: str) -> None:
    body = json.dumps({"name": name, "password": "0123456789"}).encode()
    head = "POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    told = await reader.readuntil(b"\r\n\r\n")
    await reader.readexactly(int(told.partition(b"content-length: ")[2].split(b"\r\n")[0]))


async def _ask(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, how: str, token: str = "", body: object = None
) -> bytes:
    """Ask as a guest would; the body of the answer. `how` is a method and a path."""
    content = json.dumps(body or {}).encode() if how.startswith("POST") else b""
    head = f"{how} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += f"Authorization: Bearer {token}\r\nIdempotency-Key: {time.monotonic_ns():020}\r\n"
    writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
    told = await reader.readuntil(b"\r\n\r\n")
    return await reader.readexactly(int(told.partition(b"content-length: ")[2].split(b"\r\n")[0]))


async def advice(port: int, until: float) -> int:
    """Eight guests who ask for advice all the time."""

    async def how(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        async def ask(how: str, token: str = "", body: object = None) -> Any:
            return json.loads(await _ask(reader, writer, how, token, body))

        token = str((await ask("POST /guests")).get("token"))
        await ask("POST /tables/pair-v3-6/sit", token)
        bet = {"table": "pair-v3-6", "wagers": {"main": 100}, "client_seed": "attack"}
        while (view := await ask("POST /rounds", token, bet)).get("state") == "settled":
            pass
        done = 0
        while time.monotonic() < until:
            await ask(f"GET /rounds/{view.get('id')}/advice", token)
            done += 1
        return done

    return await _many(8, port, until, how)


async def pictures(port: int, until: float) -> int:
    """Forty who ask for the picture of a round all the time: each takes a quarter of a second to draw."""

    async def how(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        token = json.loads(await _ask(reader, writer, "POST /guests")).get("token")
        await _ask(reader, writer, "POST /tables/la-paire/sit", token)
        bet = {"table": "la-paire", "wagers": {"card-A": 100}, "client_seed": "attack"}
        played = json.loads(await _ask(reader, writer, "POST /rounds", token, bet))
        done = 0
        while time.monotonic() < until:
            await _ask(reader, writer, f"GET /share/{played.get('id')}.png")
            done += 1
        return done

    return await _many(40, port, until, how)


ATTACKS: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        huge_heads, idle_sockets, slow_heads, slow_bodies, unread_answers, odd_addresses, rule_books, guessed_passwords,
        passwords_from_everywhere, advice, pictures,
    )
}  # fmt: skip


async def attack_for(name: str, port: int, seconds: float) -> int:
    """Run an attack; how much of it was done."""
    return await ATTACKS[name](port, time.monotonic() + seconds)


if __name__ == "__main__":
    asyncio.run(attack_for(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
