"""A player as the API shows them: money, open rounds, and what the session has come to."""

from pairhouse.core.money import amount_text
from pairhouse.house.corrections import corrections_of
from pairhouse.house.free_bets import FreeBet, free_bets_of
from pairhouse.house.history import called_off, open_rounds
from pairhouse.house.operator_bets import money_of
from pairhouse.house.people import PLAY_MONEY, Person
from pairhouse.house.store.database import Tx
from pairhouse.rounds.round_view import at_text
from pairhouse.server.models import FreeBetRecord, Me, NoticeRecord, OpenRound
from pairhouse.server.reading.care_records import session_totals

CURRENCY = "PLAY"


def free_bet_record(found: FreeBet) -> FreeBetRecord:
    """A free bet as the API shows it."""
    scope = found.scope
    return FreeBetRecord(
        id=found.id,
        player=found.player_id,
        granted=found.granted,
        remaining=found.remaining,
        tables=list(scope.tables),
        games=list(scope.games),
        wagers=list(scope.wagers),
        stake_returned=bool(found.stake_returned),
        granted_at=at_text(found.granted_at),
        expires_at=at_text(found.expires_at),
        withdrawn_at=at_text(found.withdrawn_at) if found.withdrawn_at is not None else None,
    )


def player_record(tx: Tx, person: Person, now: int) -> Me:
    """A player's money, open rounds and free bets."""
    waiting = open_rounds(tx, person.id)
    money = money_of(tx, person, CURRENCY)
    return Me(
        id=person.id,
        name=person.name,
        guest=person.guest,
        currency=money.currency,
        balance=money.balance,
        held=sum(line.held for line in waiting),
        open_rounds=[OpenRound(line.id, line.table, line.game, line.opened_at, line.staked) for line in waiting],
        free_bets=[free_bet_record(one) for one in free_bets_of(tx, person.id, now)],
        session=session_totals(tx, person),
    )


def notices_of(tx: Tx, player_id: str, most: int) -> list[NoticeRecord]:
    """What the house did to rounds of this player, newest first, each in a sentence."""
    found = []
    for i, table, game, why, at, paid in called_off(tx, player_id, most):
        says = f"This round was called off ({why}); {amount_text(paid)} came back to you in all."
        found.append((at, NoticeRecord(i, table, game, why, at_text(at), paid, "called-off", says)))
    for each in corrections_of(tx, player_id, most):
        told = (each.round_id, each.table_id, each.game, each.reason, at_text(each.at), each.staked)
        found.append((each.at, NoticeRecord(*told, "corrected", each.in_words())))
    return [notice for _, notice in sorted(found, key=lambda pair: pair[0], reverse=True)[:most]]


def filled_record(tx: Tx, person: Person, at: int) -> Me:
    """A player as they stood when their money was filled up, however often and however late this is asked."""
    return Me(
        id=person.id,
        name=person.name,
        guest=person.guest,
        currency=CURRENCY,
        balance=PLAY_MONEY,
        held=0,
        open_rounds=[],
        free_bets=[],
        session=session_totals(tx, person, at),
    )
