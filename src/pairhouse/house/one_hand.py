"""One hand at a game with decisions: who has one open at a live table plays none elsewhere, and vice versa. [TCP-7]"""

from sqlalchemy import bindparam, select

from pairhouse.core.errors import Refused
from pairhouse.core.game import Game
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_rounds, live_seats, live_slips, live_tables
from pairhouse.house.store.schema import rounds, sittings
from pairhouse.rounds.round_view import OPEN

_LIVE_HAND = (
    select(live_seats.c.table_id)
    .join(live_tables, live_tables.c.table_id == live_seats.c.table_id)
    .join(live_rounds, live_rounds.c.id == live_tables.c.round_id)
    .join(
        live_slips,
        (live_slips.c.round_id == live_rounds.c.id) & (live_slips.c.player_id == live_seats.c.player_id),
    )
    .where(
        live_seats.c.player_id == bindparam("player"),
        live_seats.c.table_id != bindparam("table"),
        live_rounds.c.game == bindparam("game"),
        live_rounds.c.state == OPEN,
        live_slips.c.staked > 0,
    )
    .limit(1)
)
_PRIVATE_HAND = (
    select(sittings.c.table_id)
    .join(rounds, rounds.c.id == sittings.c.round_id)
    .where(sittings.c.player_id == bindparam("player"), rounds.c.game == bindparam("game"))
    .limit(1)
)


def has_one_hand(game: Game) -> bool:
    """Whether the rule is one of this game: its players decide, and sit at tables with others."""
    return bool(game.actions) and not game.paid_at_end


def check_one_hand_live(tx: Tx, player_id: str, table_id: str, game: Game) -> None:
    """At a live table: refuse somebody whose hand at another table of this game is open, alone or with others."""
    if not has_one_hand(game):
        return
    if tx.value(_PRIVATE_HAND, {"player": player_id, "game": game.id}) is not None:
        raise _hand_elsewhere()
    check_no_live_hand(tx, player_id, table_id, game)


def check_no_live_hand(tx: Tx, player_id: str, table_id: str, game: Game) -> None:
    """Refuse a second hand to somebody whose hand at a live table of this game is open."""
    elsewhere = {"player": player_id, "table": table_id, "game": game.id}
    if has_one_hand(game) and tx.value(_LIVE_HAND, elsewhere) is not None:
        raise _hand_elsewhere()


def _hand_elsewhere() -> Refused:
    return Refused("hand-elsewhere", "you have a hand at another table of this game; play it to its end first")
