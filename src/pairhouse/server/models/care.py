"""Looking after players: their limits, reminders, breaks and exclusions; the policy and the operator's notice."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pairhouse.house.care.policy import OperatorNotice, Policy
from pairhouse.server.models.people import SessionTotals
from pairhouse.server.models.words import Cents, Given


class NewLimit(Given):
    """A limit in minor units, or in minutes for time; null takes the limit away, after the wait."""

    limit: Cents | None


class NewReminder(Given):
    """How often to be reminded; null leaves it to the policy of the house."""

    minutes: Annotated[int, Meta(ge=5, le=240)] | None


class NewBreak(Given):
    """How long not to play."""

    hours: Annotated[int, Meta(ge=1, le=1008)]


class NewExclusion(Given):
    """How long not to play. It cannot be taken back, so `sure` must be said."""

    months: Annotated[int, Meta(ge=6, le=60)]
    sure: Literal[True]


class LimitInForce(msgspec.Struct, kw_only=True):
    """A limit, what is used of it and what is left until its period ends: minor units, or minutes for time."""

    kind: str
    period: str
    limit: int
    used: int
    left: int
    ends_at: str


class PendingRaise(msgspec.Struct, kw_only=True):
    """A higher limit, or none (null), that waits: it can be confirmed from `from_at` on, and does nothing before."""

    kind: str
    period: str
    limit: int | None
    asked_at: str
    from_at: str
    can_confirm: bool


class Reminder(msgspec.Struct, kw_only=True):
    """How often the player is reminded of time and net (null: never), when next, and whether that is now."""

    minutes: int | None
    due_at: str | None
    is_due: bool


class Away(msgspec.Struct):
    """A break or a self-exclusion, and when it ends."""

    kind: str
    until_at: str


class Care(msgspec.Struct, kw_only=True):
    """What a player has set for themselves, and how it stands."""

    limits: list[LimitInForce]
    raises: list[PendingRaise]
    reminder: Reminder
    away: Away | None
    session: SessionTotals
    session_minutes: int
    raise_hours: int


class HousePolicy(msgspec.Struct, kw_only=True):
    """The rules a jurisdiction sets for pages and play, and what the operator has to say."""

    policy: Policy
    operator: OperatorNotice
