"""What the bookkeeper and the process that weighs results say to each other: MessagePack after its length."""

import msgspec

from pairhouse.house.watch_log import WatchFinding, WatchPosition, WatchRow

LENGTH_BYTES = 4


class LookAsked(msgspec.Struct, frozen=True, tag=True):
    """Weigh what was played after the cursor; answered with a `Look`."""

    database: str
    cursor: WatchPosition


class CeilingsAsked(msgspec.Struct, frozen=True, tag=True):
    """Which tables let a perfect counter win more than the ceiling? Answered with a list of `CeilingWarning`."""

    database: str
    round_ms_min: int | None


Asked = LookAsked | CeilingsAsked


class Look(msgspec.Struct, frozen=True):
    """What one look has found: how far it read, the records that changed, the evidence that calls for steps.

    `is_full`: there is more to read.
    """

    read_to: dict[str, int]
    rows: list[WatchRow]
    found: list[WatchFinding]
    rounds: int
    shoes: int
    is_full: bool


class CeilingWarning(msgspec.Struct, frozen=True):
    """A table where a perfect counter could win more than the ceiling."""

    table: str
    cut_card: int
    rounds_an_hour: int
    ceiling_an_hour: int


def frame(message: object) -> bytes:
    """A message with its length before it."""
    body = msgspec.msgpack.encode(message)
    return len(body).to_bytes(LENGTH_BYTES) + body
