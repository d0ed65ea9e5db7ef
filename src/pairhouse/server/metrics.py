"""What the house measures of itself, for Prometheus."""

import time
from functools import cache
from typing import Any

from litestar import Response, get
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

STARTED = "pairhouse.started"  # where a request's scope holds the time since when it is answered
REGISTRY = CollectorRegistry()
REQUESTS = Counter("pairhouse_requests_total", "Requests answered", ["method", "status"], registry=REGISTRY)
SECONDS = Histogram(
    "pairhouse_request_seconds",
    "Time to answer",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=REGISTRY,
)
CALLS = Counter(
    "pairhouse_wallet_calls_total", "Calls to operators' wallets", ["wallet", "kind", "outcome"], registry=REGISTRY
)
CALLS_DUE = Gauge(
    "pairhouse_wallet_calls_due", "Wins and rollbacks not yet acknowledged", ["wallet"], registry=REGISTRY
)


@get("/metrics", include_in_schema=False, sync_to_thread=False)
def metrics() -> Response[bytes]:
    """Counters and times in the text form of Prometheus."""
    return Response(generate_latest(REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST})


@cache
def _counter(method: str, status: int) -> Counter:
    return REQUESTS.labels(method, str(status))


def note(method: str, status: int, seconds: float) -> None:
    """Count an answer, and the time it took."""
    _counter(method, status).inc()
    SECONDS.observe(seconds)


def measured(app: ASGIApp) -> ASGIApp:
    """Count and time every request."""

    async def run(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        started: Any = scope.get(STARTED) or time.perf_counter()
        status = 500

        async def look(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await app(scope, receive, look)
        finally:
            note(scope["method"], status, time.perf_counter() - started)

    return run
