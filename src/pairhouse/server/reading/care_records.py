"""What a player has set for themselves, as the API shows it."""

from pairhouse.house.care.exclusions import BREAK, SELF_EXCLUSION
from pairhouse.house.care.guard import Guard
from pairhouse.house.care.limits import lefts
from pairhouse.house.care.periods import MINUTE_MS
from pairhouse.house.care.records import CareRecord, read_care
from pairhouse.house.history import totals_between
from pairhouse.house.people import IDLE_MS, SESSION_MS, Person
from pairhouse.house.store.database import Tx
from pairhouse.rounds.round_view import at_text
from pairhouse.server.models import Away, Care, LimitInForce, PendingRaise, Reminder, SessionTotals


def care_record(tx: Tx, guard: Guard, person: Person, now: int) -> Care:
    """How a player's own limits, reminders and exclusions stand."""
    care = read_care(tx, person.id)
    settings = care.settings
    return Care(
        limits=[
            LimitInForce(
                kind=left.kind,
                period=left.period,
                limit=left.limit,
                used=left.used,
                left=left.left,
                ends_at=at_text(left.ends_at),
            )
            for left in lefts(settings, care.counters, now)
        ],
        raises=[
            PendingRaise(
                kind=name.partition("-")[0],
                period=name.partition("-")[2],
                limit=asked.limit,
                asked_at=at_text(asked.asked_at),
                from_at=at_text(asked.from_at),
                can_confirm=now >= asked.from_at,
            )
            for name, asked in settings.raises.items()
        ],
        reminder=_reminder(guard, person, care, now),
        away=_away(care, now),
        session=session_totals(tx, person),
        session_minutes=(now - person.since) // MINUTE_MS,
        raise_hours=guard.policy.raise_hours,
    )


def session_totals(tx: Tx, person: Person, until: int | None = None) -> SessionTotals:
    """What a session has come to, up to now or to a time."""
    count, staked, returned = totals_between(tx, person.id, person.since, until)
    ends_at = at_text(person.since + SESSION_MS)
    return SessionTotals(at_text(person.since), count, staked, returned, returned - staked, ends_at, IDLE_MS // 1000)


def _reminder(guard: Guard, person: Person, care: CareRecord, now: int) -> Reminder:
    due_at = guard.reminder_due_at(person.since, care)
    if due_at is None:
        return Reminder(minutes=None, due_at=None, is_due=False)
    minutes = care.settings.reminder_minutes or guard.policy.reminder_minutes
    return Reminder(minutes=minutes, due_at=at_text(due_at), is_due=now >= due_at)


def _away(care: CareRecord, now: int) -> Away | None:
    for kind, until in ((SELF_EXCLUSION, care.settings.excluded_until), (BREAK, care.settings.break_until)):
        if until > now:
            return Away(kind, at_text(until))
    return None
