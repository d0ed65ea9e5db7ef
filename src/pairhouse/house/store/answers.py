"""Who receives the answers to commands: a waiting thread, or something on an event loop."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

log = logging.getLogger("pairhouse.store")


class Callback(NamedTuple):
    """A function to call on an event loop with the answer to a command, which costs less than a future."""

    loop: asyncio.AbstractEventLoop
    on_answer: Callable[[Any], None]


LoopReceiver = asyncio.Future[Any] | Callback
Receiver = Future[Any] | LoopReceiver


def deliver(receivers: Sequence[Receiver], answers: Sequence[Any]) -> None:
    """Hand out the answers of a batch: directly to waiting threads, and in one call to each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[LoopReceiver, Any]]] = {}
    for receiver, answer in zip(receivers, answers, strict=True):
        if isinstance(receiver, Callback):
            by_loop.setdefault(receiver.loop, []).append((receiver, answer))
        elif isinstance(receiver, asyncio.Future):
            by_loop.setdefault(receiver.get_loop(), []).append((receiver, answer))
        else:
            _set(receiver, answer)
    for loop, delivered in by_loop.items():
        try:
            loop.call_soon_threadsafe(_deliver_on_loop, delivered)
        except RuntimeError:  # the loop has ended, and nobody waits any more
            log.info("nobody waits for an answer", extra={"answers": len(delivered)})


def _deliver_on_loop(delivered: list[tuple[LoopReceiver, Any]]) -> None:
    for receiver, answer in delivered:
        if isinstance(receiver, Callback):
            receiver.on_answer(answer)
        elif not receiver.done():
            _set(receiver, answer)


def _set(future: Future[Any] | asyncio.Future[Any], answer: Any) -> None:
    if isinstance(answer, BaseException):
        future.set_exception(answer)
    else:
        future.set_result(answer)
