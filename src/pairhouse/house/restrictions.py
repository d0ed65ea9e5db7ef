"""Restrictions: the most that one player may stake on a wager at one table, below what the table takes."""

from collections.abc import Sequence

from sqlalchemy import bindparam, delete, insert, select

from pairhouse.core.errors import Refused
from pairhouse.core.game import Stakes
from pairhouse.core.money import amount_text
from pairhouse.house.store.database import Tx
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.watch_schema import restrictions

_this = (restrictions.c.player_id == bindparam("player"), restrictions.c.table_id == bindparam("table"))
_MAXIMUM = select(restrictions.c.maximum).where(*_this)
_INSERT = insert(restrictions)
_DELETE = delete(restrictions).where(*_this)


def restriction_of(tx: Tx, player_id: str, table_id: str) -> int | None:
    """The most this player may stake on a wager at this table; None where only the table's limits hold."""
    found: int | None = tx.value(_MAXIMUM, {"player": player_id, "table": table_id})
    return found


def restrict(tx: WriteTx, by: str, player_id: str, table_id: str, maximum: int | None) -> None:
    """Set the most a player may stake on a wager at a table (0: nothing), or with None lift it; sealed."""
    before = restriction_of(tx, player_id, table_id)
    if before == maximum:
        return
    tx.run(_DELETE, {"player": player_id, "table": table_id})
    if maximum is not None:
        tx.run(_INSERT, {"player_id": player_id, "table_id": table_id, "maximum": maximum})
    tx.seal(
        "player-restricted",
        {"by": by, "player": player_id, "table": table_id, "before": before, "after": maximum},
    )


def check_restriction(maximum: int | None, seats: Sequence[Stakes]) -> None:
    """Refuse stakes above what this player may stake here."""
    if maximum is None:
        return
    for stakes in seats:
        for wager, stake in stakes.items():
            if stake > maximum:
                accepted = f"up to {amount_text(maximum)} on a wager" if maximum else "no bets"
                sentence = f"{amount_text(stake)} on {wager} is not possible: this table takes {accepted} from you"
                raise Refused("restricted", f"{sentence}; ask the house why")
