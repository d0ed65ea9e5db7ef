"""What the house measures of itself, for Prometheus.

Requests are counted by the HTTP workers, calls to operators' wallets by the bookkeeper. Workers count into files of one
folder (`PROMETHEUS_MULTIPROC_DIR`, set by the supervisor), so that whichever is asked tells the sum of all.
"""

import os
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"

HTTP = CollectorRegistry()
REQUESTS = Counter("pairhouse_requests_total", "Requests answered", ["method", "status"], registry=HTTP)
SECONDS = Histogram(
    "pairhouse_request_seconds",
    "Time to answer",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=HTTP,
)
BOOKKEEPER = CollectorRegistry()
CALLS = Counter(
    "pairhouse_wallet_calls_total", "Calls to operators' wallets", ["wallet", "kind", "outcome"], registry=BOOKKEEPER
)
CALLS_DUE = Gauge(
    "pairhouse_wallet_calls_due", "Wins and rollbacks not yet acknowledged", ["wallet"], registry=BOOKKEEPER
)


@cache
def _requests(method: str, status: int) -> Counter:
    return REQUESTS.labels(method, str(status))


def count_response(method: str, status: int, seconds: float) -> None:
    """Count a response, and the time it took."""
    _requests(method, status).inc()
    SECONDS.observe(seconds)


def http_metrics() -> str:
    """The requests of all workers in the text form of Prometheus."""
    registry = HTTP
    if FOLDER_VARIABLE in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry).decode()


def bookkeeper_metrics() -> str:
    """The bookkeeper's own metrics in the same form."""
    return generate_latest(BOOKKEEPER).decode()
