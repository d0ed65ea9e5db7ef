"""Commands of the pit: the staff signs in, and supervisors act."""

from typing import TYPE_CHECKING

from pairhouse.house.live.dealer_lease import DealerTurn
from pairhouse.house.live.table_log import read_live_table
from pairhouse.house.people import bad_login
from pairhouse.house.pit_acts import do_pit_act
from pairhouse.house.pit_orders import PitActDone
from pairhouse.house.staff import begin_shift, counted_as, end_shift, member_of, note_failed_shift
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.tokens import hash_of
from pairhouse.server.processes.protocol import ActInPit, BeginShift, EndShift

if TYPE_CHECKING:
    from pairhouse.server.bookkeeping.bookkeeper import Bookkeeper


async def do_begin_shift(keeper: "Bookkeeper", command: BeginShift) -> str:
    """The same delays as for players: names of the staff are counted apart from theirs."""
    pair = counted_as(command.name), command.network
    keeper.sign_in_delays.check(pair)
    matched = command.matched
    if matched is None:
        keeper.sign_in_delays.failed(pair)
        keeper.write_later(lambda tx: note_failed_shift(tx, command.name))
        raise bad_login()
    token: str = await keeper.write(lambda tx: begin_shift(tx, command.name, matched))
    keeper.sign_in_delays.succeeded(pair)
    return token


async def do_end_shift(keeper: "Bookkeeper", command: EndShift) -> None:
    def end(tx: WriteTx) -> None:
        member_of(tx, hash_of(command.key), tx.now)
        end_shift(tx, hash_of(command.key))

    await keeper.write(end)


async def do_act_in_pit(keeper: "Bookkeeper", command: ActInPit) -> PitActDone:
    """Act; whoever watches a live table that was changed is told once it is on disk."""

    def act(tx: WriteTx) -> tuple[PitActDone, int, DealerTurn | None]:
        member = member_of(tx, hash_of(command.key), tx.now)
        done = do_pit_act(tx, keeper.house.pit, keeper.floor, member, command.act)
        if done.table is None:
            return done, 0, None
        dealt = keeper.dealing.deal(tx, done.table)
        return done, read_live_table(tx, done.table).number, dealt

    answer: tuple[PitActDone, int, DealerTurn | None] = await keeper.write(act)
    done, number, dealt = answer
    if done.table is not None and dealt is not None:
        keeper.dealing.dealt(done.table, number, dealt)
    return done
