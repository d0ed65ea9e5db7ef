"""Players for load: many connections to a running house, each playing rounds one after another.

A plain HTTP/1.1 client on asyncio streams, because the players must cost less than the house. Run by serve.py as a
process of its own; it prints one JSON object: rounds, requests, seconds, errors, and times to answer in milliseconds.
"""

import argparse
import asyncio
import json
import random
import secrets
import time

MIXED = {
    "nepal-super-baccarat": [{"player": 100, "tie": 100}],
    "la-paire": [{"card-A": 100, "red": 100, "any-paire": 100}],
    "three-card-poker": [{"ante": 100, "pairplus": 100}],
    "blackjack-poker-pairs": [{"main": 100, "pairs": 100, "poker": 100}, {"main": 100}],
    "pair-v3-6": [{"main": 100, "pair": 100}],
}
NO_DECISION = {"nepal-super-baccarat": [{"player": 100}], "la-paire": [{"card-A": 100}]}


class Player:
    """One guest on one connection."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.token = ""
        self.times: list[float] = []
        self.errors: dict[str, int] = {}
        self.rounds = 0

    async def ask(self, method: str, path: str, body: object = None, key: str = "") -> dict:
        content = json.dumps(body).encode() if body is not None else b"{}"
        head = f"{method} {path} HTTP/1.1\r\nhost: house\r\ncontent-type: application/json\r\n"
        head += f"authorization: Bearer {self.token}\r\n" if self.token else ""
        head += f"idempotency-key: {key}\r\n" if key else ""
        started = time.perf_counter()
        self.writer.write(f"{head}content-length: {len(content)}\r\n\r\n".encode() + content)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        size = int(answer.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        text = await self.reader.readexactly(size)
        self.times.append(time.perf_counter() - started)
        record = json.loads(text) if key or not self.token or method == "GET" else {}
        status = int(answer[9:12])
        if status >= 400:
            name = f"{status} {json.loads(text).get('code')}"
            self.errors[name] = self.errors.get(name, 0) + 1
        return record

    async def sit(self, tables: dict[str, list[dict[str, int]]]) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.token = (await self.ask("POST", "/guests"))["token"]
        for table in tables:
            await self.ask("POST", f"/tables/{table}/sit")
        self.times.clear()

    async def play(self, tables: dict[str, list[dict[str, int]]], until: float) -> None:
        names = list(tables)
        while time.perf_counter() < until:
            table = random.choice(names)
            body = {"table": table, "seats": tables[table], "client_seed": "bench"}
            view = await self.ask("POST", "/rounds", body, key=secrets.token_hex(8))
            if view.get("code") == "no-funds":
                self.errors.pop("402 no-funds", None)
                await self.ask("POST", "/players/me/play-money", {}, key=secrets.token_hex(8))
                continue
            self.rounds += "id" in view
            while view.get("state") == "open":
                awaited = view["view"]["awaiting"]
                free = [word for word in awaited["options"] if word not in awaited.get("costs", {})]
                choice = {"choice": random.choice(free), "number": len(view["choices"])}
                view = await self.ask("POST", f"/rounds/{view['id']}/choices", choice, key=secrets.token_hex(8))


async def main(port: int, count: int, seconds: float, tables: dict[str, list[dict[str, int]]]) -> None:
    players = [Player(port) for _ in range(count)]
    for first in range(0, count, 32):  # some at a time: a connection that waits for long is closed
        await asyncio.gather(*(player.sit(tables) for player in players[first : first + 32]))
    started = time.perf_counter()
    await asyncio.gather(*(player.play(tables, started + seconds) for player in players))
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
    given = parser.parse_args()
    chosen = {
        "mixed": MIXED,
        "no-decision": NO_DECISION,
        "baccarat": {"nepal-super-baccarat": NO_DECISION["nepal-super-baccarat"]},
    }
    asyncio.run(main(given.port, given.players, given.seconds, chosen[given.tables]))
