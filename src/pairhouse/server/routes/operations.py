"""Routes for whoever runs the house: whether it is open, the head of its log, and its metrics."""

import asyncio

import msgspec
from litestar import Response, Router, get
from prometheus_client import CONTENT_TYPE_LATEST

from pairhouse.core.errors import Refused
from pairhouse.house.log_reader import LogHead, log_head
from pairhouse.server.desk import DeskHere
from pairhouse.server.http.callers import visitor
from pairhouse.server.http.errors import problems
from pairhouse.server.metrics import http_metrics
from pairhouse.server.models import Health
from pairhouse.server.processes.protocol import CheckReady, ReadMetrics
from pairhouse.version import __version__

READY_WITHIN_S = 5.0


@get("/health", tags=["operations"], responses=problems())
async def health(desk: DeskHere) -> Health:
    """Whether this process is alive. It asks nobody else: one that does not answer has to be restarted."""
    return Health("alive", __version__, desk.books.database.kind)


@get("/ready", tags=["operations"], guards=[visitor], responses=problems())
async def ready(desk: DeskHere) -> Health:
    """Whether the house can take bets: something was written to its books just now."""
    try:
        async with asyncio.timeout(READY_WITHIN_S):
            await desk.do(CheckReady())
    except TimeoutError:
        raise Refused("not-ready", "the books could not be written in time; try again") from None
    return Health("ready", __version__, desk.books.database.kind)


@get("/seal", guards=[visitor], tags=["operations"], responses=problems())
async def seal(desk: DeskHere) -> LogHead:
    """The newest signed head of the books, and the public key it is signed with. Keep both."""
    sealed_by = desk.sealed_by
    return await desk.read(lambda tx: log_head(tx, sealed_by.public_key, sealed_by.epoch))


@get("/metrics", include_in_schema=False)
async def metrics(desk: DeskHere) -> Response[bytes]:
    """Counters and times in the text form of Prometheus."""
    of_bookkeeper = msgspec.json.decode(await desk.do(ReadMetrics()), type=str)
    text = http_metrics() + of_bookkeeper
    return Response(text.encode(), headers={"Content-Type": CONTENT_TYPE_LATEST})


router = Router("/", route_handlers=[health, ready, seal, metrics])
