"""Commands at live tables. The dealer and everybody who watches are told once an act is on disk."""

from functools import partial
from typing import TYPE_CHECKING

from pairhouse.house.commands import MoneyElsewhere
from pairhouse.house.live.acts import ExposeCard, LiveDone, MakeLive, TakeSeat, VoidLive
from pairhouse.house.live.crowd_acts import CrowdAct, SessionAct
from pairhouse.house.live.dealer_lease import DealerTurn
from pairhouse.house.live.friends import open_for_friends
from pairhouse.house.live.operator_money import Taken, complete_act, prepare_act
from pairhouse.house.live.table_log import read_live_table
from pairhouse.house.people import key_holder
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.turns import InTurn
from pairhouse.house.store.writer import Batched
from pairhouse.server.processes.protocol import ActLive, OpenForFriends, SuperviseLive

if TYPE_CHECKING:
    from pairhouse.server.bookkeeping.bookkeeper import Bookkeeper


async def do_act_live(keeper: "Bookkeeper", command: ActLive) -> LiveDone:
    done: LiveDone
    dealt: DealerTurn
    table = command.act.table
    try:
        done, dealt = await _act_here(keeper, command)
    except MoneyElsewhere as elsewhere:
        done, dealt = await _act_at_operator(keeper, command, elsewhere.wallet)
    keeper.dealing.dealt(table, done.number, dealt)
    return done


async def _act_here(keeper: "Bookkeeper", command: ActLive) -> tuple[LiveDone, DealerTurn]:
    """Where the money is here, or none is needed."""
    table = command.act.table
    if isinstance(command.act, CrowdAct):
        answer = await keeper.write(Batched(keeper.crowd_acts.run, SessionAct(command.token, command.act), table))
    else:
        # Sitting down is rare and SERIALIZABLE: a rule over several tables is more than the turn of one can keep.
        act = partial(_act, keeper, command, taken=None)
        answer = await keeper.write(act if isinstance(command.act, TakeSeat) else InTurn(act, table))
    found: tuple[LiveDone, DealerTurn] = answer
    return found


async def _act_at_operator(keeper: "Bookkeeper", command: ActLive, wallet: str) -> tuple[LiveDone, DealerTurn]:
    """The operator's wallet is asked between two transactions; neither is done without the other."""
    act, table = command.act, command.act.table
    do = partial(_act, keeper, command)
    wallets = keeper.cashier.operators.settings
    found: tuple[LiveDone, DealerTurn] = await keeper.cashier.three_steps(
        wallet,
        InTurn(lambda tx: prepare_act(tx, do, wallets, command.token, act), table),
        lambda pending, balance: InTurn(lambda tx: complete_act(tx, do, act, pending, balance), table),
    )
    return found


def _act(keeper: "Bookkeeper", command: ActLive, tx: WriteTx, taken: Taken | None) -> tuple[LiveDone, DealerTurn]:
    """The act, and whatever the dealer has to do after it."""
    return keeper.floor.act_and_deal(tx, command.token, command.act, keeper.dealing.name, taken)


async def do_supervise_live(keeper: "Bookkeeper", command: SuperviseLive) -> int:
    """Do what a supervisor asks for; the number of the table's newest entry."""

    def supervise(tx: WriteTx) -> tuple[int, DealerTurn]:
        by, act = key_holder(tx, command.key, "admin"), command.act
        match act:
            case MakeLive():
                keeper.floor.make_live(tx, by, command.table, act.settings)
            case VoidLive():
                keeper.floor.void(tx, by, command.table, act.reason, act.cards)
            case ExposeCard():
                keeper.floor.expose(tx, by, command.table, act.card, act.reason)
        dealt = keeper.dealing.deal(tx, command.table)
        return read_live_table(tx, command.table).number, dealt

    answer: tuple[int, DealerTurn] = await keeper.write(supervise)
    number, dealt = answer
    keeper.dealing.dealt(command.table, number, dealt)
    return number


async def do_open_for_friends(keeper: "Bookkeeper", command: OpenForFriends) -> str:
    """Open a table for friends, and its first round with it."""

    def open_table(tx: WriteTx) -> tuple[str, DealerTurn]:
        table_id = open_for_friends(tx, keeper.floor, command.token, command.like)
        return table_id, keeper.dealing.deal(tx, table_id)

    answer: tuple[str, DealerTurn] = await keeper.write(open_table)
    table_id, dealt = answer
    keeper.dealing.dealt(table_id, dealt.number, dealt)
    return table_id
