"""How the house itself stands, read when Prometheus asks: waiting commands, the epoch, the disk and the clock."""

import shutil
import time
from contextlib import suppress

from prometheus_client import Gauge

from pairhouse.house.epoch.seen import folder_of
from pairhouse.house.house import House
from pairhouse.server.metrics import BOOKKEEPER

WAITING = Gauge("pairhouse_commands_waiting", "Commands that wait for the writer", registry=BOOKKEEPER)
TRIED_AGAIN = Gauge(
    "pairhouse_transactions_tried_again", "Transactions run again because of another process", registry=BOOKKEEPER
)
EPOCH = Gauge(
    "pairhouse_books_epoch", "The epoch of the books; it rises when old books were opened", registry=BOOKKEEPER
)
CLOCK = Gauge("pairhouse_clock_seconds", "The clock of the house, when it was asked", registry=BOOKKEEPER)
DISK_FREE = Gauge("pairhouse_disk_free_bytes", "Free space where the house keeps its files", registry=BOOKKEEPER)
DISK_SIZE = Gauge("pairhouse_disk_size_bytes", "All space where the house keeps its files", registry=BOOKKEEPER)


def read_house_metrics(house: House) -> None:
    """Set the gauges to how the house stands now."""
    WAITING.set(house.writers.waiting)
    TRIED_AGAIN.set(house.writers.tried_again)
    EPOCH.set(house.log.epoch)
    CLOCK.set(time.time())
    with suppress(OSError):
        usage = shutil.disk_usage(folder_of(house.database.url).parent)
        DISK_FREE.set(usage.free)
        DISK_SIZE.set(usage.total)
