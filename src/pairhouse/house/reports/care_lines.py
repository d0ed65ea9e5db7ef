"""Lines about people and changes: breaks and exclusions, and every change of tables, limits, players and staff."""

from collections.abc import Iterator
from typing import Any

import msgspec
from sqlalchemy import bindparam, or_, select, tuple_

from pairhouse.house.reports.columns import Line, ReportPeriod
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import events, exclusions

PAGE = 2_000
CHANGES = (
    "table-added",
    "table-changed",
    "game-changed",
    "player-changed",
    "care-changed",
    "exclusion-added",
    "key-added",
    "key-revoked",
    "free-bet-granted",
    "free-bet-withdrawn",
)
_EXCLUSIONS = (
    select(
        exclusions.c.id,
        exclusions.c.player_id,
        exclusions.c.account,
        exclusions.c.kind,
        exclusions.c.from_at,
        exclusions.c.until_at,
        exclusions.c.by,
    )
    .where(
        exclusions.c.id > bindparam("after"),
        exclusions.c.from_at < bindparam("until"),
        exclusions.c.until_at >= bindparam("since"),
    )
    .order_by(exclusions.c.id)
    .limit(PAGE)
)
_CHANGES = (
    select(events.c.chain, events.c.number, events.c.at, events.c.kind, events.c.body)
    .where(
        tuple_(events.c.chain, events.c.number) > tuple_(bindparam("chain_id"), bindparam("after")),
        or_(*(events.c.kind == kind for kind in CHANGES)),
        events.c.at >= bindparam("since"),
        events.c.at < bindparam("until"),
    )
    .order_by(events.c.chain, events.c.number)
    .limit(PAGE)
)


def exclusion_lines(tx: Tx, period: ReportPeriod) -> Iterator[Line]:
    """Breaks and self-exclusions that were in force at some time of the period."""
    after = ""
    while rows := tx.all(_EXCLUSIONS, {"after": after, "since": period.since, "until": period.until}):
        for row in rows:
            yield row[1:]
        after = rows[-1][0]


def change_lines(tx: Tx, period: ReportPeriod) -> Iterator[Line]:
    """Every sealed change, with what it was before and after."""
    chain, number = "", 0
    while rows := tx.all(_CHANGES, {"chain_id": chain, "after": number, "since": period.since, "until": period.until}):
        for chain, number, at, kind, body in rows:
            yield _change(chain, number, at, kind, msgspec.json.decode(body))


def _change(chain: str, number: int, at: int, kind: str, body: dict[str, Any]) -> Line:
    subject = next((body[name] for name in ("table", "game", "player", "player_id", "key", "id") if name in body), "")
    before, after = (_text(body.get(side)) for side in ("before", "after"))
    if after is None:
        after = _text({name: value for name, value in body.items() if name not in ("by", "at")})
    return at, kind, subject, body.get("by"), before, after, f"{chain} {number}"


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else msgspec.json.encode(value).decode()
