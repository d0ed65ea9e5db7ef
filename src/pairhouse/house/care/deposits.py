"""Deposits: money that a player puts into play, here by filling up play money, within their own limits."""

from pairhouse.house.care.exclusions import BREAK, SELF_EXCLUSION, barred
from pairhouse.house.care.limits import check_deposit, counted
from pairhouse.house.care.records import queue_care, started_care
from pairhouse.house.store.transaction import WriteTx


def take_deposit(tx: WriteTx, player_id: str, amount: int) -> None:
    """Count a deposit, if the player's limits, breaks and exclusions allow it."""
    care = started_care(tx, player_id, tx.now)
    for kind, until in ((SELF_EXCLUSION, care.settings.excluded_until), (BREAK, care.settings.break_until)):
        if until > tx.now:
            raise barred(kind, until)
    check_deposit(care.settings, care.counters, tx.now, amount)
    queue_care(tx, player_id, care._replace(counters=counted(care.counters, tx.now, deposit=amount, is_play=False)))
