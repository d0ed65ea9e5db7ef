"""Which framework: the same validated JSON route in Litestar (msgspec) and FastAPI (pydantic), called without a socket.

Needs FastAPI beside the project (`pip install fastapi`); prints CPU microseconds a request, best of turns in one run.
"""

import asyncio
import json
import time
from typing import Annotated, Any

import msgspec
from fastapi import FastAPI
from litestar import Litestar, post
from msgspec import Meta
from pydantic import BaseModel, Field

BODY = {"table": "nepal-super-baccarat", "client_seed": "abc", "seats": [{"player": 100, "tie": 100}]}
REQUESTS, TURNS = 3_000, 5


class RoundBet(msgspec.Struct, forbid_unknown_fields=True):
    table: Annotated[str, Meta(max_length=64)]
    client_seed: Annotated[str, Meta(max_length=64)]
    seats: Annotated[list[dict[str, Annotated[int, Meta(gt=0)]]], Meta(min_length=1)]


class BetModel(BaseModel, extra="forbid"):
    table: Annotated[str, Field(max_length=64)]
    client_seed: Annotated[str, Field(max_length=64)]
    seats: Annotated[list[dict[str, Annotated[int, Field(gt=0)]]], Field(min_length=1)]


@post("/rounds")
async def litestar_round(data: RoundBet) -> RoundBet:
    return data


fast = FastAPI()


@fast.post("/rounds", status_code=201)
async def fastapi_round(data: BetModel) -> BetModel:
    return data


async def ask(app: Any, content: bytes) -> int:
    """One request, straight into the application."""
    status = 0
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "path": "/rounds",
        "raw_path": b"/rounds", "query_string": b"", "root_path": "", "scheme": "http", "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80), "headers": [(b"content-type", b"application/json")], "state": {}, "extensions": {},
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)

    await app(scope, receive, send)
    return status


async def cost(app: Any) -> float:
    content = json.dumps(BODY).encode()
    assert await ask(app, content) == 201
    started = time.process_time()
    for _ in range(REQUESTS):
        await ask(app, content)
    return (time.process_time() - started) / REQUESTS * 1e6


async def main() -> None:
    apps = {"Litestar": Litestar([litestar_round], openapi_config=None), "FastAPI": fast}
    found: dict[str, list[float]] = {name: [] for name in apps}
    for _ in range(TURNS):
        for name, app in apps.items():
            found[name].append(await cost(app))
    for name, runs in found.items():
        print(f"{name:10} {min(runs):6.1f} us a request (best of {TURNS} turns)")
    print(f"Litestar takes {min(found['Litestar']) / min(found['FastAPI']):.2f} of FastAPI's time")


asyncio.run(main())
