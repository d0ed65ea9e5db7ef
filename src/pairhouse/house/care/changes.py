"""What players change for themselves: limits, reminders, breaks and self-exclusion. Each change is a sealed event."""

import msgspec

from pairhouse.core.errors import Refused, shown
from pairhouse.house.care.exclusions import BREAK, SELF_EXCLUSION, add_exclusion
from pairhouse.house.care.limits import CareSettings, with_confirmed, with_limit
from pairhouse.house.care.periods import HOUR_MS, months_after, when_text
from pairhouse.house.care.policy import Policy
from pairhouse.house.care.records import CareRecord, queue_care, settings_text, started_care
from pairhouse.house.store.transaction import WriteTx

REMINDER_MINUTES = (5, 240)
BREAK_HOURS = (1, 42 * 24)  # an hour to six weeks
EXCLUSION_MONTHS_MAX = 60


class CareChange(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Something a player changes for themselves."""


class SetLimit(CareChange, frozen=True):
    """A limit, in minor units or minutes; None takes it away. Lower holds at once, higher waits."""

    limit_kind: str
    period: str
    limit: int | None


class ConfirmRaise(CareChange, frozen=True):
    """Confirm a higher limit that has waited long enough."""

    limit_kind: str
    period: str


class SetReminder(CareChange, frozen=True):
    """Be reminded of time and net every so many minutes; None leaves it to the policy of the house."""

    minutes: int | None


class SeeReminder(CareChange, frozen=True):
    """The reminder was seen, and play goes on."""


class TakeBreak(CareChange, frozen=True):
    """Play nothing for some hours."""

    hours: int


class ExcludeSelf(CareChange, frozen=True):
    """Play nothing for some months."""

    months: int


AnyCareChange = SetLimit | ConfirmRaise | SetReminder | SeeReminder | TakeBreak | ExcludeSelf


def change_care(tx: WriteTx, policy: Policy, player_id: str, change: AnyCareChange) -> CareRecord:
    """Do what a player asks for; how their care stands then."""
    before = started_care(tx, player_id, tx.now)
    if isinstance(change, SeeReminder):
        after = before._replace(reminded_at=max(before.reminded_at, tx.now))
        tx.seal("reminder-seen", {"player": player_id})
    else:
        after = before._replace(settings=_changed(tx, policy, player_id, before.settings, change))
        texts = {"before": settings_text(before.settings), "after": settings_text(after.settings)}
        event = {"by": player_id, "player": player_id, "version": after.settings.version, **texts}
        tx.seal("care-changed", {**event, "what": type(change).__name__})
    queue_care(tx, player_id, after)
    return after._replace(exists=True)


def _changed(
    tx: WriteTx, policy: Policy, player_id: str, settings: CareSettings, change: AnyCareChange
) -> CareSettings:
    if isinstance(change, SetLimit):
        wait_ms = policy.raise_hours * HOUR_MS
        return with_limit(settings, change.limit_kind, change.period, change.limit, tx.now, wait_ms)
    if isinstance(change, ConfirmRaise):
        return with_confirmed(settings, change.limit_kind, change.period, tx.now)
    version = settings.version + 1
    if isinstance(change, SetReminder):
        if change.minutes is not None:
            _check_between("a reminder every", change.minutes, "minutes", *REMINDER_MINUTES)
        return msgspec.structs.replace(settings, version=version, reminder_minutes=change.minutes)
    if isinstance(change, TakeBreak):
        _check_between("a break of", change.hours, "hours", *BREAK_HOURS)
        until = tx.now + change.hours * HOUR_MS
        _check_longer(settings.break_until, until)
        add_exclusion(tx, player_id, BREAK, until, player_id)
        return msgspec.structs.replace(settings, version=version, break_until=until)
    assert isinstance(change, ExcludeSelf)
    _check_between("an exclusion of", change.months, "months", policy.exclusion_months_min, EXCLUSION_MONTHS_MAX)
    until = months_after(tx.now, change.months)
    _check_longer(settings.excluded_until, until)
    add_exclusion(tx, player_id, SELF_EXCLUSION, until, player_id)
    return msgspec.structs.replace(settings, version=version, excluded_until=until)


def _check_between(what: str, given: int, unit: str, least: int, most: int) -> None:
    if not least <= given <= most:
        raise Refused("bad-limit", f"{what} {shown(given)} {unit} is not possible; give {least} to {most}")


def _check_longer(current: int, until: int) -> None:
    if until < current:
        raise Refused("not-shorter", f"it lasts until {when_text(current)} already, and cannot be made shorter")
