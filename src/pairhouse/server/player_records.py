"""A player as the API shows them: money, open rounds, and what the session has come to."""

from pairhouse.house.history import open_rounds, totals_between
from pairhouse.house.operator_bets import money_of
from pairhouse.house.people import PLAY_MONEY, Person
from pairhouse.house.store.database import Tx
from pairhouse.rounds.round_view import at_text
from pairhouse.server.models import Me, OpenRound, SessionTotals

CURRENCY = "PLAY"


def player_record(tx: Tx, person: Person) -> Me:
    """A player's money and open rounds."""
    waiting = open_rounds(tx, person.id)
    money = money_of(tx, person, CURRENCY)
    count, staked, returned = totals_between(tx, person.id, person.since)
    return Me(
        id=person.id,
        name=person.name,
        guest=person.guest,
        currency=money.currency,
        balance=money.balance,
        held=sum(line.staked for line in waiting),
        open_rounds=[OpenRound(line.id, line.table, line.game, line.opened_at, line.staked) for line in waiting],
        session=SessionTotals(at_text(person.since), count, staked, returned),
    )


def filled_record(tx: Tx, person: Person, at: int) -> Me:
    """A player as they stood when their money was filled up, however often and however late this is asked."""
    count, staked, returned = totals_between(tx, person.id, person.since, at)
    return Me(
        id=person.id,
        name=person.name,
        guest=person.guest,
        currency=CURRENCY,
        balance=PLAY_MONEY,
        held=0,
        open_rounds=[],
        session=SessionTotals(at_text(person.since), count, staked, returned),
    )
