"""Routes for whoever runs the house: whether it is open, and its metrics."""

import msgspec
from litestar import Response, Router, get
from prometheus_client import CONTENT_TYPE_LATEST

from pairhouse.server.desk import DeskHere
from pairhouse.server.http.errors import problems
from pairhouse.server.metrics import http_metrics
from pairhouse.server.models import Health
from pairhouse.server.protocol import ReadMetrics
from pairhouse.version import __version__


@get("/health", tags=["operations"], responses=problems())
async def health(desk: DeskHere) -> Health:
    """Whether the house is open: it can read its books."""
    await desk.read(lambda tx: tx.raw("SELECT 1"))
    return Health("open", __version__, desk.books.database.kind)


@get("/metrics", include_in_schema=False)
async def metrics(desk: DeskHere) -> Response[bytes]:
    """Counters and times in the text form of Prometheus."""
    of_bookkeeper = msgspec.json.decode(await desk.do(ReadMetrics()), type=str)
    text = http_metrics() + of_bookkeeper
    return Response(text.encode(), headers={"Content-Type": CONTENT_TYPE_LATEST})


router = Router("/", route_handlers=[health, metrics])
