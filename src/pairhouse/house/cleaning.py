"""Sessions that have ended are deleted, and guests who can never come back are marked as ended.

A guest's rows stay: the audit adds up their money, and their rounds can be replayed. One with an open round stays
active, so that the round is finished or called off as any other.
"""

from sqlalchemy import bindparam, delete, exists, select

from pairhouse.house.people import ACTIVE, ENDED, IDLE_MS, SEEN_EVERY_MS, set_status
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import players, sessions, sittings
from pairhouse.house.store.transaction import WriteTx

KEPT_MS = 24 * 3_600_000  # a day longer than they count
AT_ONCE = 500
_over = (sessions.c.expires_at < bindparam("before")) | (sessions.c.seen_at < bindparam("idle_before"))
_SESSIONS_OVER = select(sessions.c.token_hash).where(_over).limit(AT_ONCE)
_DELETE_SESSION = delete(sessions).where(sessions.c.token_hash == bindparam("hash"), _over)
_left = (
    (players.c.guest == 1)
    & (players.c.status == ACTIVE)
    & (players.c.created_at < bindparam("before"))
    & ~exists().where(sessions.c.player_id == players.c.id)
    & ~exists().where(sittings.c.player_id == players.c.id)
)
_GUESTS_LEFT = select(players.c.id).where(_left).limit(AT_ONCE)
_IS_LEFT = select(players.c.id).where(_left, players.c.id == bindparam("player"))


def sessions_over(tx: Tx, now: int) -> list[str]:
    """Some sessions that ended more than a day ago."""
    return [found for (found,) in tx.all(_SESSIONS_OVER, _times(now))]


def delete_sessions(tx: WriteTx, ids: list[str], now: int) -> int:
    """Delete these, where they are over still; how many."""
    return sum(tx.run(_DELETE_SESSION, {"hash": found, **_times(now)}) for found in ids)


def guests_left(tx: Tx, now: int) -> list[str]:
    """Some guests without a session and without an open round, who came more than a day ago."""
    return [found for (found,) in tx.all(_GUESTS_LEFT, {"before": now - KEPT_MS})]


def end_guests(tx: WriteTx, ids: list[str], now: int) -> int:
    """Mark these as ended, where they have left still; each change is sealed. How many."""
    left = [player for player in ids if tx.value(_IS_LEFT, {"player": player, "before": now - KEPT_MS}) is not None]
    for player in left:
        set_status(tx, "clock", player, ACTIVE, ENDED)
    return len(left)


def _times(now: int) -> dict[str, int]:
    before = now - KEPT_MS
    return {"before": before, "idle_before": before - IDLE_MS - SEEN_EVERY_MS}
