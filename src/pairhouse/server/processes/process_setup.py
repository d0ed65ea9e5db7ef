"""What every long-running process of the house sets up: a fast event loop, and a collector with little to do."""

import asyncio
import gc
from collections.abc import Callable

import uvicorn


def freeze_gc() -> None:
    """Spare the collector from rescanning start-up objects: it made some answers late."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes the event loop: uvloop where it is installed, as uvicorn chooses it."""
    return uvicorn.Config("", log_config=None).get_loop_factory()
