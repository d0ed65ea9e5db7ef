"""Commands of operators and administrators. Whether a key allows a command is checked in its own transaction."""

from typing import TYPE_CHECKING

import msgspec

from pairhouse.house.floor import add_table, change_game, change_table
from pairhouse.house.people import change_player, key_holder
from pairhouse.house.store.transaction import WriteTx
from pairhouse.rounds.table_limits import Limits
from pairhouse.server.models import Table
from pairhouse.server.protocol import AddTable, ChangeGame, ChangePlayer, ChangeTable, VoidRound
from pairhouse.server.table_records import table_record

if TYPE_CHECKING:
    from pairhouse.server.bookkeeper import Bookkeeper


async def do_add_table(keeper: "Bookkeeper", command: AddTable) -> Table:
    new = command.table

    def add(tx: WriteTx) -> Table:
        by = key_holder(tx, command.key, "admin")
        limits = msgspec.convert(new.limits.given() if new.limits else {}, Limits)
        added = add_table(tx, new.id, new.name, new.game, new.options, limits, new.advice, by)
        return table_record(keeper.prices, added)

    table: Table = await keeper.write(add)
    return table


async def do_change_table(keeper: "Bookkeeper", command: ChangeTable) -> Table:
    given = command.change
    change = {name: value for name, value in msgspec.structs.asdict(given).items() if value is not None}
    if given.limits is not None:
        change["limits"] = given.limits.given()

    def set_it(tx: WriteTx) -> Table:
        changed = change_table(tx, key_holder(tx, command.key, "admin"), command.table, change)
        return table_record(keeper.prices, changed)

    table: Table = await keeper.write(set_it)
    return table


async def do_change_game(keeper: "Bookkeeper", command: ChangeGame) -> None:
    await keeper.write(lambda tx: change_game(tx, key_holder(tx, command.key, "admin"), command.game, command.status))


async def do_change_player(keeper: "Bookkeeper", command: ChangePlayer) -> None:
    await keeper.write(
        lambda tx: change_player(tx, key_holder(tx, command.key, "operator"), command.player, command.status)
    )


async def do_void_round(keeper: "Bookkeeper", command: VoidRound) -> str:
    void = keeper.house.pit.void
    player: str = await keeper.write(
        lambda tx: void(tx, key_holder(tx, command.key, "operator"), command.round_id, command.reason)
    )
    return player
