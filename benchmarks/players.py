"""Players for load: many connections to a running house, each playing rounds one after another.

A bare HTTP/1.1 client, because the players must cost less than the house. Run by serve.py as a
process of its own; it prints one JSON object: rounds, requests, seconds, errors, and times to answer in milliseconds.
"""

import argparse
import asyncio
import json
import random
import time

import uvloop

MIXED = {
    "nepal-super-baccarat": [{"player": 100, "tie": 100}],
    "la-paire": [{"card-A": 100, "red": 100, "any-paire": 100}],
    "three-card-poker": [{"ante": 100, "pairplus": 100}],
    "blackjack-poker-pairs": [{"main": 100, "pairs": 100, "poker": 100}, {"main": 100}],
    "pair-v3-6": [{"main": 100, "pair": 100}],
}
DEALT, NO_FUNDS = 201, 402
NO_DECISION = {"nepal-super-baccarat": [{"player": 100}], "la-paire": [{"card-A": 100}]}


class Player(asyncio.Protocol):
    """One guest on one connection."""

    def __init__(self, by_cookie: bool) -> None:
        self.by_cookie = by_cookie
        self.credentials = ""
        self.times: list[float] = []
        self.errors: dict[str, int] = {}
        self.rounds = 0
        self.heard = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Once an answer is whole, whoever waits for it has it."""
        self.heard += data
        head, found, body = self.heard.partition(b"\r\n\r\n")
        if found and len(body) >= int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0]):
            self.heard = b""
            self.answer.set_result((int(head[9:12]), body))

    async def ask(self, method: str, path: str, body: object = None, key: str = "") -> tuple[int, bytes]:
        content = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        head += self.credentials
        head += f"idempotency-key: {key}\r\n" if key else ""
        self.answer = asyncio.get_running_loop().create_future()
        started = time.perf_counter()
        self.transport.write(f"{head}content-length: {len(content)}\r\n\r\n".encode() + content)
        status, text = await self.answer
        self.times.append(time.perf_counter() - started)
        if status >= 400:
            name = f"{status} {json.loads(text).get('code')}"
            self.errors[name] = self.errors.get(name, 0) + 1
        return status, text

    async def sit(self, tables: dict[str, list[dict[str, int]]]) -> None:
        token = json.loads((await self.ask("POST", "/guests"))[1])["token"]
        cookie = f"cookie: pairhouse_session={token}\r\nx-pairhouse: 1\r\n"
        self.credentials = cookie if self.by_cookie else f"authorization: Bearer {token}\r\n"
        for table in tables:
            await self.ask("POST", f"/tables/{table}/sit")
        self.times.clear()

    async def play(self, tables: dict[str, list[dict[str, int]]], until: float, pause: float = 0.0) -> None:
        bets = [
            json.dumps({"table": table, "seats": seats, "client_seed": "bench"}).encode()
            for table, seats in tables.items()
        ]
        while time.perf_counter() < until:
            if pause:
                await asyncio.sleep(random.uniform(0, 2 * pause))
            status, text = await self.ask("POST", "/rounds", random.choice(bets), key=new_key())
            if status == NO_FUNDS:
                self.errors.pop("402 no-funds", None)
                await self.ask("POST", "/players/me/play-money", {}, key=new_key())
                continue
            self.rounds += status == DEALT
            while b'"state":"open"' in text:
                view = json.loads(text)
                awaited = view["view"]["awaiting"]
                free = [word for word in awaited["options"] if word not in awaited.get("costs", {})]
                choice = {"choice": random.choice(free), "number": len(view["choices"])}
                _, text = await self.ask("POST", f"/rounds/{view['id']}/choices", choice, key=new_key())


def new_key() -> str:
    return f"{random.getrandbits(64):016x}"


async def arrived(port: int, tables: dict[str, list[dict[str, int]]], by_cookie: bool, source: str | None) -> Player:
    """A player who has connected and sat down."""
    connect = asyncio.get_running_loop().create_connection
    _, player = await connect(lambda: Player(by_cookie), "127.0.0.1", port, local_addr=(source, 0) if source else None)
    await player.sit(tables)
    return player


async def main(given: argparse.Namespace, tables: dict[str, list[dict[str, int]]]) -> None:
    port, count, seconds = given.port, given.players, given.seconds
    players: list[Player] = []
    for first in range(0, count, 8):  # some at a time, as people come, so that they spread over the workers
        coming = [
            arrived(port, tables, given.by == "cookie", given.source) for _ in range(first, min(first + 8, count))
        ]
        players += await asyncio.gather(*coming)
    started = time.perf_counter()
    await asyncio.gather(*(player.play(tables, started + seconds, given.pause) for player in players))
    took = time.perf_counter() - started
    times = sorted(t for player in players for t in player.times)
    errors: dict[str, int] = {}
    for player in players:
        for name, number in player.errors.items():
            errors[name] = errors.get(name, 0) + number
    answer = {
        "players": count,
        "rounds": sum(player.rounds for player in players),
        "requests": len(times),
        "seconds": took,
        "errors": errors,
        "ms_p50": 1000 * times[len(times) // 2],
        "ms_p99": 1000 * times[int(len(times) * 0.99)],
        "ms_max": 1000 * times[-1],
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--players", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--tables", choices=("mixed", "no-decision", "baccarat"), default="mixed")
    parser.add_argument("--by", choices=("bearer", "cookie"), default="bearer")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between bets, on average")
    parser.add_argument("--source", help="the address the players come from")
    given = parser.parse_args()
    chosen = {
        "mixed": MIXED,
        "no-decision": NO_DECISION,
        "baccarat": {"nepal-super-baccarat": NO_DECISION["nepal-super-baccarat"]},
    }
    uvloop.run(main(given, chosen[given.tables]))
