"""What the house measures of itself, for Prometheus.

Requests are counted by the HTTP workers, calls to operators' wallets by the bookkeeper. Workers count into files of one
folder (`PROMETHEUS_MULTIPROC_DIR`, set by the supervisor), so that whichever is asked tells the sum of all.
"""

import os
from functools import lru_cache

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
REFUSED = Counter("pairhouse_connections_refused_total", "Connections refused or broken off", ["reason"], registry=HTTP)
BOOKKEEPER = CollectorRegistry()
CALLS = Counter(
    "pairhouse_wallet_calls_total", "Calls to operators' wallets", ["wallet", "kind", "outcome"], registry=BOOKKEEPER
)
CALLS_DUE = Gauge(
    "pairhouse_wallet_calls_due", "Wins and rollbacks not yet acknowledged", ["wallet"], registry=BOOKKEEPER
)
CALLS_ALTERED = Counter(
    "pairhouse_wallet_calls_altered_total",
    "Calls not sent because the database says otherwise than what was sealed",
    ["wallet"],
    registry=BOOKKEEPER,
)
LOG_HEAD_TIME = Gauge(
    "pairhouse_log_head_timestamp_seconds", "When the newest head of the log was signed", registry=BOOKKEEPER
)
LOG_HEAD_EVENTS = Gauge("pairhouse_log_head_events", "How many events the newest head covers", registry=BOOKKEEPER)
LOG_ALARMS = Gauge(
    "pairhouse_log_alarms", "How often the books were found to be changed by others", registry=BOOKKEEPER
)
ANCHOR_TIME = Gauge(
    "pairhouse_anchor_head_timestamp_seconds", "Time of the newest head an anchor has", ["anchor"], registry=BOOKKEEPER
)
ANCHOR_FAILURES = Gauge(
    "pairhouse_anchor_failures", "Attempts since an anchor last took a head", ["anchor"], registry=BOOKKEEPER
)
WATCH_READ = Counter("pairhouse_watch_weighed_total", "What the watch has weighed", ["what"], registry=BOOKKEEPER)
WATCH_STEPS = Counter("pairhouse_watch_steps_total", "Steps of the watch", ["step", "done"], registry=BOOKKEEPER)


@lru_cache(maxsize=256)
def _requests(method: str, status: int) -> Counter:
    return REQUESTS.labels(method, str(status))


def count_response(method: str, status: int, seconds: float) -> None:
    """Count a response, and the time it took."""
    _requests(method, status).inc()
    SECONDS.observe(seconds)


def count_refused(reason: str) -> None:
    """Count a connection that was refused or broken off."""
    REFUSED.labels(reason).inc()


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
