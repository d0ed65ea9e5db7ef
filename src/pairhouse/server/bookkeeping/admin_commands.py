"""Commands of operators and administrators. Whether a key allows a command is checked in its own transaction."""

from typing import TYPE_CHECKING

import msgspec

from pairhouse.house.floor import add_table, change_game, change_table
from pairhouse.house.free_bets import grant, withdraw
from pairhouse.house.people import change_player, key_holder
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.watch_log import lift_step
from pairhouse.rounds.table_limits import Limits
from pairhouse.server.models import FreeBetRecord, TableRecord, WatchStep
from pairhouse.server.processes.protocol import (
    AddTable,
    ChangeGame,
    ChangePlayer,
    ChangeTable,
    GrantFreeBet,
    LiftStep,
    VoidRound,
    WithdrawFreeBet,
)
from pairhouse.server.reading.player_records import free_bet_record
from pairhouse.server.reading.table_records import table_record
from pairhouse.server.reading.watch_records import step_record

if TYPE_CHECKING:
    from pairhouse.server.bookkeeping.bookkeeper import Bookkeeper


async def do_add_table(keeper: "Bookkeeper", command: AddTable) -> TableRecord:
    new = command.table

    def add(tx: WriteTx) -> TableRecord:
        by = key_holder(tx, command.key, "admin")
        limits = msgspec.convert(new.limits.given() if new.limits else {}, Limits)
        added = add_table(
            tx, new.id, new.name, new.game, new.options, limits, new.advice, by,
            shuffle=new.shuffle, round_ms_min=new.round_ms_min,
        )  # fmt: skip
        return table_record(keeper.prices, added)

    table: TableRecord = await keeper.write(add)
    return table


async def do_change_table(keeper: "Bookkeeper", command: ChangeTable) -> TableRecord:
    given = command.change
    change = {name: value for name, value in msgspec.structs.asdict(given).items() if value is not None}
    if given.limits is not None:
        change["limits"] = given.limits.given()

    def set_it(tx: WriteTx) -> TableRecord:
        by = key_holder(tx, command.key, "admin")
        if given.options is not None:
            keeper.floor.end_empty_round(tx, by, command.table)
        changed = change_table(tx, by, command.table, change)
        return table_record(keeper.prices, changed)

    table: TableRecord = await keeper.write(set_it)
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


async def do_lift_step(keeper: "Bookkeeper", command: LiftStep) -> WatchStep:
    step: WatchStep = await keeper.write(
        lambda tx: step_record(lift_step(tx, key_holder(tx, command.key, "admin"), command.step))
    )
    return step


async def do_grant_free_bet(keeper: "Bookkeeper", command: GrantFreeBet) -> FreeBetRecord:
    def grant_it(tx: WriteTx) -> FreeBetRecord:
        by = key_holder(tx, command.key, "operator")
        return free_bet_record(grant(tx, by, command.idempotency_key, command.terms))

    granted: FreeBetRecord = await keeper.write(grant_it)
    return granted


async def do_withdraw_free_bet(keeper: "Bookkeeper", command: WithdrawFreeBet) -> FreeBetRecord:
    withdrawn: FreeBetRecord = await keeper.write(
        lambda tx: free_bet_record(withdraw(tx, key_holder(tx, command.key, "operator"), command.free_bet))
    )
    return withdrawn
