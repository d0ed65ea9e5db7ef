"""What the last rounds of a live table came to, as the roads of its game show it: the same for everybody there.

This is for tables that are shuffled for every round. A shoe shows the coups that were dealt from it (`LiveView.shoe`).
"""

from collections import OrderedDict
from typing import Any

from sqlalchemy import bindparam, select

from pairhouse.house.live.closed_rounds import read_settled
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_rounds
from pairhouse.rounds.live_shoe import line_of
from pairhouse.rounds.round_view import SETTLED

SHOWN = 72  # the plates of a road have so many places
LINES_KEPT = 8_192
_LAST = (
    select(live_rounds.c.id)
    .where(
        live_rounds.c.table_id == bindparam("table"),
        live_rounds.c.shoe.is_(None),
        live_rounds.c.coup.is_(None),
        live_rounds.c.state == SETTLED,
        live_rounds.c.rules_hash == bindparam("rules"),
    )
    .order_by(live_rounds.c.id.desc())
    .limit(SHOWN)
)


class RecentResults:
    """Lines of closed rounds. What is closed stays as it is, so each is replayed once and then known."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, dict[str, Any]] = OrderedDict()

    def of(self, tx: Tx, table_id: str, rules_hash: str) -> list[dict[str, Any]]:
        """The last rounds of a table that were dealt by these rules, oldest first; none where its game shows none."""
        found = []
        for (round_id,) in reversed(tx.all(_LAST, {"table": table_id, "rules": rules_hash})):
            line = self._line(tx, round_id)
            if line is not None:
                found.append({"round": round_id, **line})
        return found

    def _line(self, tx: Tx, round_id: str) -> dict[str, Any] | None:
        known = self._known.get(round_id)
        if known is None:
            state = read_settled(tx, round_id)
            known = (line_of(state) if state is not None else None) or {}
            self._known[round_id] = known
            while len(self._known) > LINES_KEPT:
                self._known.popitem(last=False)
        return known or None
