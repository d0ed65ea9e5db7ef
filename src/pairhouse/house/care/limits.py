"""A player's own limits: what they are, what counts towards them, and how they are lowered and raised.

A limit holds for a day, a week or a month of the calendar in UTC. Stakes count when they are made, and as lost until
the round returns something, so no sequence of bets loses more than a loss limit. Time counts from act to act; a pause
of more than five minutes is not play. A lower limit holds at once. A higher one waits, and then must be confirmed.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.core.game import Variant
from pairhouse.core.money import STAKE_MAX, amount_text
from pairhouse.core.settlement import stake_of
from pairhouse.house.care.periods import DAY, MINUTE_MS, MONTH, PERIODS, WEEK, period_end, period_start, when_text

DEPOSIT, LOSS, STAKE, TIME = "deposit", "loss", "stake", "time"
KINDS = (DEPOSIT, LOSS, STAKE, TIME)
MINUTES_MAX = {DAY: 24 * 60, WEEK: 7 * 24 * 60, MONTH: 31 * 24 * 60}
PAUSE_MS = 5 * MINUTE_MS


class Raise(msgspec.Struct, frozen=True):
    """A higher limit (None: no limit) that was asked for, and from when on it may be confirmed."""

    limit: int | None
    asked_at: int
    from_at: int


class CareSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a player has set. `version` counts the changes, so each is an event of its own.

    Limits are named `loss-day` and so on: money in minor units, time in minutes.
    """

    version: int = 0
    limits: dict[str, int] = {}
    raises: dict[str, Raise] = {}
    reminder_minutes: int | None = None
    break_until: int = 0
    excluded_until: int = 0


class Spent(msgspec.Struct, frozen=True):
    """What one period has come to. A loss below zero is a win; time is in milliseconds."""

    start: int = 0
    deposit: int = 0
    loss: int = 0
    stake: int = 0
    time: int = 0


class Counters(msgspec.Struct, frozen=True):
    """What the current day, week and month have come to, and when the player last did something."""

    day: Spent = Spent()
    week: Spent = Spent()
    month: Spent = Spent()
    last_act_at: int = 0

    @property
    def is_counting(self) -> bool:
        """Whether anything is counted: not for a player who never had a limit."""
        return self.month.start > 0

    def of(self, period: str) -> Spent:
        spent: Spent = getattr(self, period)
        return spent


class Left(NamedTuple):
    """A limit, how much of it is used, and when its period ends."""

    kind: str
    period: str
    limit: int
    used: int
    ends_at: int

    @property
    def left(self) -> int:
        return max(0, self.limit - self.used)


def name_of(kind: str, period: str) -> str:
    """`loss-day`, for a limit that exists."""
    if kind not in KINDS or period not in PERIODS:
        accepted = f"{one_of(KINDS)}, each by {one_of(PERIODS)}"
        raise Refused("unknown-limit", f"there is no {shown(kind)} limit by {shown(period)}; limits are {accepted}")
    return f"{kind}-{period}"


def check_value(kind: str, period: str, limit: int) -> int:
    """A limit that can be set: whole minor units, or whole minutes of the period."""
    if kind == TIME:
        most, accepted = MINUTES_MAX[period], f"1 to {MINUTES_MAX[period]} minutes a {period}"
        if not 1 <= limit <= most:
            raise Refused("bad-limit", f"a time limit of {shown(limit)} minutes is not possible; give {accepted}")
    elif not 0 <= limit <= STAKE_MAX:
        raise Refused("bad-limit", f"a limit of {shown(limit)} is not possible; give 0 to {STAKE_MAX} minor units")
    return limit


def at(counters: Counters, now: int) -> Counters:
    """The counters at a time: a period that is over counts from zero. A clock that is set back resets nothing."""
    renewed = {}
    for period in PERIODS:
        start = period_start(period, now)
        if start > counters.of(period).start:
            renewed[period] = Spent(start)
    return msgspec.structs.replace(counters, **renewed) if renewed else counters


def counted(
    counters: Counters, now: int, *, staked: int = 0, returned: int = 0, deposit: int = 0, is_play: bool = True
) -> Counters:
    """The counters after something happened; if the player did it, with the time since they last did something."""
    counters = at(counters, now)
    played = time_since(counters.last_act_at, now) if is_play else 0
    after = {}
    for period in PERIODS:
        spent = counters.of(period)
        after[period] = Spent(
            spent.start,
            spent.deposit + deposit,
            spent.loss + staked - returned,
            spent.stake + staked,
            spent.time + min(played, max(0, now - spent.start)),
        )
    last = max(now, counters.last_act_at) if is_play else counters.last_act_at
    return Counters(after[DAY], after[WEEK], after[MONTH], last)


def time_since(last_act_at: int, now: int) -> int:
    """How much of the time since the last act was play: all of it, or nothing after a long pause."""
    passed = now - last_act_at
    return passed if 0 < passed <= PAUSE_MS else 0


def lefts(settings: CareSettings, counters: Counters, now: int) -> list[Left]:
    """Every limit that is set, with what is used of it now."""
    counters = at(counters, now)
    found = []
    for name, limit in settings.limits.items():
        kind, _, period = name.partition("-")
        spent = counters.of(period)
        used: int = getattr(spent, kind)
        if kind == TIME:
            used = (used + time_since(counters.last_act_at, now)) // MINUTE_MS
        found.append(Left(kind, period, limit, max(0, used), period_end(period, spent.start)))
    return found


def check_stakes(settings: CareSettings, counters: Counters, now: int, stake: int, room: int = 0) -> None:
    """A further stake fits within every limit on losses and stakes.

    `room` is what the round may ask for next: a player whose limit could not carry it would be made to give up a hand.
    """
    counters = at(counters, now)
    for left in lefts(settings, counters, now):
        if left.kind not in (LOSS, STAKE):
            continue
        used: int = getattr(counters.of(left.period), left.kind)  # a loss below zero, a win, may be staked again
        if used + stake + room > left.limit:
            raise over_limit(left, stake, max(0, left.limit - used), room)


def check_time(settings: CareSettings, counters: Counters, now: int) -> None:
    """The player has time left to begin a round."""
    for left in lefts(settings, counters, now):
        if left.kind == TIME and left.used >= left.limit:
            played = f"you have played {left.used} minutes this {left.period}"
            sentence = f"{played}, and your limit is {left.limit}; you can play on from {when_text(left.ends_at)}"
            raise Refused("time-limit", sentence)


def check_deposit(settings: CareSettings, counters: Counters, now: int, amount: int) -> None:
    """A deposit fits within every limit on deposits, whatever was won or lost meanwhile."""
    for left in lefts(settings, counters, now):
        if left.kind == DEPOSIT and left.used + amount > left.limit:
            raise over_limit(left, amount, left.left)


def over_limit(left: Left, amount: int, remains: int, room: int = 0) -> Refused:
    """The refusal of a stake or deposit that a limit does not carry."""
    what = {DEPOSIT: "a deposit", LOSS: "a stake", STAKE: "a stake"}[left.kind]
    may_need = f", and {amount_text(room)} the round may ask for next," if room else ""
    limit = f"your {left.kind} limit of {amount_text(left.limit)} a {left.period}"
    until = f"{amount_text(remains)} is left until {when_text(left.ends_at)}"
    return Refused(f"{left.kind}-limit", f"{what} of {amount_text(amount)}{may_need} is over {limit}; {until}")


def room_for_choices(variant: Variant, seats: Sequence[Mapping[str, int]]) -> int:
    """The most that a wager which follows from a choice may cost at each seat: a play bet, insurance."""
    following = [wager for wager in variant.wagers.values() if wager.base is not None and not wager.bonus]
    room = 0
    for stakes in seats:
        costs = [
            stake_of(w, stakes[w.base], variant.rounding) for w in following if w.base is not None and w.base in stakes
        ]
        room += max(costs, default=0)
    return room


def with_limit(
    settings: CareSettings, kind: str, period: str, limit: int | None, now: int, wait_ms: int
) -> CareSettings:
    """The settings after a limit was set: at once if it is lower, else as a raise that waits to be confirmed."""
    name = name_of(kind, period)
    if limit is not None:
        check_value(kind, period, limit)
    current = settings.limits.get(name)
    raises = {other: asked for other, asked in settings.raises.items() if other != name}
    if limit is None and current is None:
        raise Refused("not-needed", f"there is no {kind} limit a {period} to take away")
    if limit is not None and (current is None or limit <= current):
        limits = {**settings.limits, name: limit}
        return msgspec.structs.replace(settings, version=settings.version + 1, limits=limits, raises=raises)
    raises[name] = Raise(limit, now, now + wait_ms)
    return msgspec.structs.replace(settings, version=settings.version + 1, raises=raises)


def with_confirmed(settings: CareSettings, kind: str, period: str, now: int) -> CareSettings:
    """The settings after a raise was confirmed, if it has waited long enough."""
    name = name_of(kind, period)
    asked = settings.raises.get(name)
    if asked is None:
        raise Refused("no-raise", f"no higher {kind} limit a {period} was asked for; ask for one first")
    if now < asked.from_at:
        sentence = f"a higher limit can be confirmed from {when_text(asked.from_at)}; until then the lower one holds"
        raise Refused("cooling-off", sentence)
    limits = {other: limit for other, limit in settings.limits.items() if other != name}
    if asked.limit is not None:
        limits[name] = asked.limit
    raises = {other: kept for other, kept in settings.raises.items() if other != name}
    return msgspec.structs.replace(settings, version=settings.version + 1, limits=limits, raises=raises)
