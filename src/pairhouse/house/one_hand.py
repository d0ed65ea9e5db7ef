"""One hand at a game with decisions: who has one open at a live table plays none elsewhere, and vice versa. [TCP-7]"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Select, bindparam, exists, or_, select

from pairhouse.core.errors import Refused
from pairhouse.core.game import Game
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_rounds, live_seats, live_slips, live_tables
from pairhouse.house.store.schema import rounds, sittings
from pairhouse.house.store.statements import ForEach
from pairhouse.rounds.round_view import OPEN


def _live_hand(player: Any, table: Any, game: Any) -> Select[Any]:
    """The table of a player's open hand with others, but for one table."""
    return (
        select(live_seats.c.table_id)
        .join(live_tables, live_tables.c.table_id == live_seats.c.table_id)
        .join(live_rounds, live_rounds.c.id == live_tables.c.round_id)
        .join(
            live_slips,
            (live_slips.c.round_id == live_rounds.c.id) & (live_slips.c.player_id == live_seats.c.player_id),
        )
        .where(
            live_seats.c.player_id == player,
            live_seats.c.table_id != table,
            live_rounds.c.game == game,
            live_rounds.c.state == OPEN,
            live_slips.c.staked > 0,
        )
    )


def _private_hand(player: Any, game: Any) -> Select[Any]:
    """The table of a player's open hand alone."""
    return (
        select(sittings.c.table_id)
        .join(rounds, rounds.c.id == sittings.c.round_id)
        .where(sittings.c.player_id == player, rounds.c.game == game)
    )


_LIVE_HAND = _live_hand(bindparam("player"), bindparam("table"), bindparam("game")).limit(1)
_PRIVATE_HAND = _private_hand(bindparam("player"), bindparam("game")).limit(1)


def _hands(asked: Any) -> Select[Any]:
    live = exists(_live_hand(asked.c.player, asked.c.at_table, asked.c.game).correlate(asked))
    private = exists(_private_hand(asked.c.player, asked.c.game).correlate(asked))
    return select(asked.c.place).where(or_(live, private))


_HANDS = ForEach(("player", "at_table", "game"), _hands)


class Asked(NamedTuple):
    """Whether this player has a hand open at another table of this game than the one named."""

    player_id: str
    table_id: str
    game: str


def hands_elsewhere(tx: Tx, asked: Sequence[Asked]) -> set[int]:
    """The places in a list of those who have one."""
    if not asked:
        return set()
    return {place for (place,) in tx.all(_HANDS, {"items": msgspec.json.encode(asked).decode()})}


def has_one_hand(game: Game) -> bool:
    """Whether the rule is one of this game: its players decide, and sit at tables with others."""
    return bool(game.actions) and not game.paid_at_end


def check_one_hand_live(tx: Tx, player_id: str, table_id: str, game: Game) -> None:
    """At a live table: refuse somebody whose hand at another table of this game is open, alone or with others."""
    if not has_one_hand(game):
        return
    if tx.value(_PRIVATE_HAND, {"player": player_id, "game": game.id}) is not None:
        raise hand_elsewhere()
    check_no_live_hand(tx, player_id, table_id, game)


def check_no_live_hand(tx: Tx, player_id: str, table_id: str, game: Game) -> None:
    """Refuse a second hand to somebody whose hand at a live table of this game is open."""
    elsewhere = {"player": player_id, "table": table_id, "game": game.id}
    if has_one_hand(game) and tx.value(_LIVE_HAND, elsewhere) is not None:
        raise hand_elsewhere()


def hand_elsewhere() -> Refused:
    """The refusal of a second hand."""
    return Refused("hand-elsewhere", "you have a hand at another table of this game; play it to its end first")
