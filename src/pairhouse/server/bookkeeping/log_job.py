"""The job that keeps the signed log while the house is open: every few seconds what is new goes in and is signed."""

import asyncio
from typing import TYPE_CHECKING

from pairhouse.house.log_keeper import LogKeeper
from pairhouse.server.metrics import ANCHOR_FAILURES, ANCHOR_TIME, LOG_ALARMS, LOG_HEAD_EVENTS, LOG_HEAD_TIME

if TYPE_CHECKING:
    from pairhouse.server.bookkeeping.bookkeeper import Bookkeeper

SEAL_EVERY_S = 10.0


async def seal_log(keeper: "Bookkeeper") -> None:
    """One turn of the log. Reading and signing are done in a thread; only short commands go to the writer."""
    log = keeper.house.log
    await asyncio.to_thread(log.sign_new_epoch)
    grown = await asyncio.to_thread(log.look)
    if grown is not None:
        await keeper.write(lambda tx: log.store(tx, *grown))
    signed = await asyncio.to_thread(log.sign)
    if signed is not None:
        await keeper.write(lambda tx: log.keep(tx, signed))
        log.publish(signed)
        LOG_HEAD_TIME.set(signed.head.at / 1000)
        LOG_HEAD_EVENTS.set(signed.head.size)
    measure(log)


def measure(log: LogKeeper) -> None:
    """Tell the metrics how log and anchors stand."""
    LOG_ALARMS.set(log.alarms)
    for anchor in log.anchor_states():
        ANCHOR_TIME.labels(anchor.name).set(anchor.at / 1000)
        ANCHOR_FAILURES.labels(anchor.name).set(anchor.failures)
