"""Chips of one's own: a colour and a value that a player has for as long as they sit. [LP-42]

The colour is a number: the first that nobody who sits there has. The value is one of the table's chips, chosen on
sitting down; every stake is a whole number of them. Games whose chips have their value printed on them have neither.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from sqlalchemy import bindparam, select

from pairhouse.core.errors import Refused, one_of
from pairhouse.core.money import amount_text
from pairhouse.games.floor_plan import has_own_chips
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_seats
from pairhouse.rounds.table_limits import BettingTable

_MINE = select(live_seats.c.colour, live_seats.c.chip).where(
    live_seats.c.table_id == bindparam("table"), live_seats.c.player_id == bindparam("player")
)


class OwnChips(NamedTuple):
    """The colour of a player's chips, and what each is worth; nought where chips have their value printed on them."""

    colour: int = 0
    value: int = 0


def chips_of(tx: Tx, table_id: str, player_id: str) -> OwnChips:
    """The chips of somebody who sits at a table."""
    return OwnChips._make(tx.one(_MINE, {"table": table_id, "player": player_id}) or (0, 0))


def choose_chips(table: BettingTable, wanted: int | None, seat: int, taken: Collection[int]) -> OwnChips:
    """The chips of somebody who sits down; `taken` are the colours of those who sit there."""
    game, values = table.variant.game, table.limits.chips
    if not has_own_chips(game):
        if wanted is not None:
            raise Refused("bad-chips", f"at {game.name} every chip has its value printed on it; sit down without one")
        return OwnChips()
    if wanted is not None and wanted not in values:
        worth = one_of([amount_text(value) for value in values])
        raise Refused("bad-chips", f"a chip of {amount_text(wanted)} is not had at this table; choose {worth}")
    colour = next((colour for colour in range(1, len(taken) + 2) if colour not in taken), seat)
    return OwnChips(colour, wanted or values[0])


def check_kept(chips: OwnChips, wanted: int | None) -> None:
    """Refuse another value to somebody who sits: it is theirs for the sitting."""
    if wanted is not None and wanted != chips.value:
        sentence = f"your chips are worth {amount_text(chips.value)} each for as long as you sit"
        raise Refused("bad-chips", f"{sentence}; leave and sit down again for chips of another value")


def check_whole_chips(chips: OwnChips, stakes: Mapping[str, int]) -> None:
    """Refuse a stake that is not a whole number of a player's chips."""
    for wager, stake in stakes.items():
        if chips.value and stake % chips.value:
            sentence = f"{amount_text(stake)} on {wager} is no whole number of your chips of {amount_text(chips.value)}"
            raise Refused("bad-chips", f"{sentence}; bet whole chips, or leave and sit down again for smaller ones")
