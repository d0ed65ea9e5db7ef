"""What players change for themselves, as commands of the bookkeeper."""

from typing import TYPE_CHECKING

from pairhouse.house.care.changes import change_care
from pairhouse.house.people import person_of
from pairhouse.house.store.transaction import WriteTx
from pairhouse.server.models import Care
from pairhouse.server.processes.protocol import ChangeCare
from pairhouse.server.reading.care_records import care_record

if TYPE_CHECKING:
    from pairhouse.server.bookkeeping.bookkeeper import Bookkeeper


async def do_change_care(keeper: "Bookkeeper", command: ChangeCare) -> Care:
    guard = keeper.house.pit.guard

    def change(tx: WriteTx) -> Care:
        person = person_of(tx, command.token, tx.now)
        change_care(tx, guard.policy, person.id, command.change)
        return care_record(tx, guard, person, tx.now)

    care: Care = await keeper.write(change)
    return care
