"""The floor of a house as it opens: every game, and every table of the floor plan that is not there yet."""

from pairhouse.games.catalogue import GAMES
from pairhouse.games.floor_plan import FLOOR_PLAN
from pairhouse.house.floor import open_game, put_up_planned, table_ids
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.store.transaction import WriteTx
from pairhouse.rounds.live_round import LiveSettings


def furnish(tx: WriteTx, live: LiveFloor) -> None:
    """Open every game and put up the planned tables that the floor does not have; those with a clock are live.

    Tables are closed and never taken away, so a planned table that is missing is a new one.
    """
    for game in GAMES:
        open_game(tx, game)
    known = set(table_ids(tx))
    for table in FLOOR_PLAN:
        if table.id not in known:
            put_up_planned(tx, table)
            if table.clock is not None:
                live.set_clock(tx, "house", table.id, LiveSettings(**table.clock._asdict()))
