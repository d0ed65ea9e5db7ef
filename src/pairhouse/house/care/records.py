"""The care of one player as the books hold it: settings, counters, the last reminder and the last round."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import bindparam, case, func, insert, select, update

from pairhouse.house.bank import decided_by_act
from pairhouse.house.care.limits import CareSettings, Counters, Spent, time_since
from pairhouse.house.care.periods import DAY, MONTH, PERIODS, WEEK, period_start
from pairhouse.house.store.database import Row, Tx
from pairhouse.house.store.free_bet_schema import free_stakes
from pairhouse.house.store.live_schema import live_rounds, live_slips
from pairhouse.house.store.pit_schema import corrections
from pairhouse.house.store.schema import acts, care, rounds, seated
from pairhouse.house.store.statements import ForEach
from pairhouse.house.store.transaction import WriteTx


def _sum(column: Any) -> Any:
    return func.coalesce(func.sum(column), 0)


CARE_COLUMNS = (care.c.settings, care.c.counters, care.c.reminded_at, care.c.last_round_at)
_CARE = select(*CARE_COLUMNS).where(care.c.player_id == bindparam("player"))
_CARES = ForEach(
    ("player",),
    lambda items: select(items.c.place, *CARE_COLUMNS).select_from(
        items.join(care, care.c.player_id == items.c.player)
    ),
)
_INSERT = insert(care)
_UPDATE = (
    update(care)
    .where(care.c.player_id == bindparam("player"))
    .values(
        settings=bindparam("new_settings"),
        counters=bindparam("new_counters"),
        reminded_at=bindparam("new_reminded_at"),
        last_round_at=bindparam("new_last_round_at"),
    )
)
_ACTS = (
    select(acts.c.at, acts.c.staked)
    .where(acts.c.player_id == bindparam("player"), acts.c.at >= bindparam("since"), acts.c.kind != "void")
    .order_by(acts.c.at)
)
_CLOSED = (
    select(rounds.c.closed_at, func.coalesce(rounds.c.returned, 0))
    .join(seated, seated.c.round_id == rounds.c.id)
    .where(seated.c.player_id == bindparam("player"), rounds.c.closed_at >= bindparam("since"))
)
_OVER_SINCE = live_rounds.c.closed_at.is_(None) | (live_rounds.c.closed_at >= bindparam("since"))
_LIVE = (  # one that is open counts as played now
    select(live_rounds.c.closed_at, live_slips.c.staked, live_slips.c.returned)
    .join(live_rounds, live_rounds.c.id == live_slips.c.round_id)
    .where(live_slips.c.player_id == bindparam("player"), _OVER_SINCE)
)
_CORRECTED = (corrections.c.player_id == bindparam("player"), corrections.c.at >= bindparam("since"))
_change = corrections.c.staked - corrections.c.returned + corrections.c.written_off
_CORRECTIONS = select(corrections.c.at, _change).where(*_CORRECTED)
_GIVEN_BACK = select(_sum(_change)).where(*_CORRECTED)
_FREE = (
    select(rounds.c.opened_at, rounds.c.closed_at, free_stakes.c.staked, free_stakes.c.not_paid)
    .join(rounds, rounds.c.id == free_stakes.c.round_id)
    .where(
        free_stakes.c.player_id == bindparam("player"),
        (rounds.c.opened_at >= bindparam("since")) | (rounds.c.closed_at >= bindparam("since")),
    )
)
_STAKED = select(_sum(acts.c.staked)).where(
    acts.c.player_id == bindparam("player"), acts.c.at >= bindparam("since"), acts.c.kind != "void"
)
_RETURNED = (
    select(_sum(rounds.c.returned))
    .join(seated, seated.c.round_id == rounds.c.id)
    .where(seated.c.player_id == bindparam("player"), rounds.c.closed_at >= bindparam("since"))
)
_NOT_WITHIN = (  # rounds that are open, or that went on over the beginning of a period
    select(rounds.c.id, rounds.c.closed_at)
    .join(seated, seated.c.round_id == rounds.c.id)
    .where(
        seated.c.player_id == bindparam("player"),
        rounds.c.closed_at.is_(None)
        | ((rounds.c.opened_at < bindparam("latest")) & (rounds.c.closed_at >= bindparam("since"))),
    )
)
_ACT_TIMES = select(acts.c.number, acts.c.at).where(acts.c.round_id == bindparam("round"))
_LIVE_SUMS = (
    select(_sum(live_slips.c.staked), _sum(live_slips.c.returned))
    .join(live_rounds, live_rounds.c.id == live_slips.c.round_id)
    .where(live_slips.c.player_id == bindparam("player"), live_rounds.c.opened_at >= bindparam("since"))
)
_LIVE_ACROSS = (
    select(_sum(live_slips.c.staked), _sum(live_slips.c.returned))
    .join(live_rounds, live_rounds.c.id == live_slips.c.round_id)
    .where(live_slips.c.player_id == bindparam("player"), live_rounds.c.opened_at < bindparam("since"), _OVER_SINCE)
)
_FREE_SUMS = (
    select(
        _sum(case((rounds.c.opened_at >= bindparam("since"), free_stakes.c.staked), else_=0)),
        _sum(case((rounds.c.closed_at >= bindparam("since"), free_stakes.c.not_paid), else_=0)),
    )
    .join(rounds, rounds.c.id == free_stakes.c.round_id)
    .where(free_stakes.c.player_id == bindparam("player"))
)
_LAST_ACT = select(func.max(acts.c.at)).where(acts.c.player_id == bindparam("player"), acts.c.kind != "void")
_settings = msgspec.json.Decoder(CareSettings).decode
_counters = msgspec.json.Decoder(Counters).decode
_encode = msgspec.json.Encoder(order="deterministic").encode


class CareRecord(NamedTuple):
    """What the books hold for the care of a player; all empty for a player who has set nothing."""

    settings: CareSettings = CareSettings()
    counters: Counters = Counters()
    reminded_at: int = 0
    last_round_at: int = 0
    exists: bool = False


NOTHING_SET = CareRecord()


def care_in(row: Row) -> CareRecord:
    """The care in a row of `CARE_COLUMNS`, which is empty for a player without one."""
    settings, counters, reminded_at, last_round_at = row
    if settings is None:
        return NOTHING_SET
    return CareRecord(_settings(settings), _counters(counters), reminded_at, last_round_at, True)


def read_care(tx: Tx, player_id: str) -> CareRecord:
    """The care of a player."""
    row = tx.one(_CARE, {"player": player_id})
    return NOTHING_SET if row is None else care_in(row)


def cares_of(tx: Tx, player_ids: Sequence[str]) -> list[tuple[str, CareRecord]]:
    """The care of those of these players who have one, in their order."""
    if not player_ids:
        return []
    rows = sorted(tx.all(_CARES, {"items": msgspec.json.encode([[each] for each in player_ids]).decode()}))
    return [(player_ids[row[0]], care_in(row[1:])) for row in rows]


def started_care(tx: Tx, player_id: str, now: int) -> CareRecord:
    """The care of a player, with counters that know what the current periods have come to so far."""
    record = read_care(tx, player_id)
    if record.counters.is_counting:
        return record
    return record._replace(counters=counters_from_books(tx, player_id, now))


def queue_care(tx: WriteTx, player_id: str, record: CareRecord) -> None:
    """Write the care of a player with the other changes of this transaction."""
    settings, counters = settings_text(record.settings), _encode(record.counters).decode()
    if record.exists:
        change: dict[str, str | int] = {"player": player_id, "new_settings": settings, "new_counters": counters}
        change |= {"new_reminded_at": record.reminded_at, "new_last_round_at": record.last_round_at}
        tx.queue(_UPDATE, change)
    else:
        tx.queue_row(_INSERT, (player_id, settings, counters, record.reminded_at, record.last_round_at))


def settings_text(settings: CareSettings) -> str:
    """Settings as the text that is stored and sealed."""
    return _encode(settings).decode()


def spent_since(tx: Tx, player_id: str, since: int) -> tuple[int, int]:
    """What a player has staked since a time, and lost of it, added up by the database from rounds and slips."""
    asked = {"player": player_id, "since": since}
    staked, returned = int(tx.value(_STAKED, asked)), int(tx.value(_RETURNED, asked))
    returned += int(tx.value(_GIVEN_BACK, asked))
    for statement, times in ((_LIVE_SUMS, 1), (_FREE_SUMS, -1)):
        stake, amount = tx.one(statement, asked) or (0, 0)
        staked, returned = staked + times * int(stake), returned + times * int(amount)
    returned += sum(amount for at, amount in _paid_early(tx, player_id, since, since) if at >= since)
    return staked, staked - returned


def last_act_of(tx: Tx, player_id: str) -> int:
    """When a player last did something at a table of their own; 0 if never."""
    return int(tx.value(_LAST_ACT, {"player": player_id}) or 0)


def live_across(tx: Tx, player_id: str, over: int) -> tuple[int, int]:
    """What a player has staked and got back in live rounds that went on over this time, whenever that was."""
    stake, amount = tx.one(_LIVE_ACROSS, {"player": player_id, "since": over}) or (0, 0)
    return int(stake), int(amount)


def _paid_early(tx: Tx, player_id: str, since: int, latest: int) -> Iterator[tuple[int, int]]:
    """When what was paid because it was decided before its round was over, and taken off again when that was. [PV3-17]

    Rounds count what they returned when they are over. Those that lie within each period that begins from `since` to
    `latest` need no such correction.
    """
    for round_id, closed_at in tx.all(_NOT_WITHIN, {"player": player_id, "since": since, "latest": latest}):
        for number, at in tx.all(_ACT_TIMES, {"round": round_id}):
            _, paid = decided_by_act(tx, round_id, number)
            if paid:
                yield at, paid
                if closed_at is not None:
                    yield closed_at, -paid


def _other_money(tx: Tx, player_id: str, since: int, now: int) -> Iterator[tuple[int, int, int, int]]:
    """When what was staked and what came back: at live tables, early, by corrections, and (taken off) by free bets."""
    asked = {"player": player_id, "since": since}
    for at, amount in _paid_early(tx, player_id, since, max(period_start(period, now) for period in PERIODS)):
        yield at, at, 0, amount
    for closed_at, stake, amount in tx.all(_LIVE, asked):
        at = now if closed_at is None else closed_at
        yield at, at, stake, amount
    for at, change in tx.all(_CORRECTIONS, asked):
        yield at, at, 0, change
    for opened_at, closed_at, stake, not_paid in tx.all(_FREE, asked):
        yield opened_at, closed_at or 0, -stake, -not_paid


def counters_from_books(tx: Tx, player_id: str, now: int) -> Counters:
    """What the current day, week and month have come to, counted from the rounds a player has played.

    Deposits are counted from the first one on, so a player who made any has a record with them in it already.
    """
    starts = {period: period_start(period, now) for period in PERIODS}
    since = min(starts.values())
    staked, returned, played = (dict.fromkeys(PERIODS, 0) for _ in range(3))
    last = 0
    for at, stake in tx.all(_ACTS, {"player": player_id, "since": since}):
        for period, start in starts.items():
            if at >= start:
                staked[period] += stake
                played[period] += min(time_since(last, at), at - start)
        last = max(last, at)
    for at, amount in tx.all(_CLOSED, {"player": player_id, "since": since}):
        for period, start in starts.items():
            if at >= start:
                returned[period] += amount
    for opened_at, closed_at, stake, amount in _other_money(tx, player_id, since, now):
        for period, start in starts.items():
            staked[period] += stake if opened_at >= start else 0
            returned[period] += amount if closed_at >= start else 0
    spent = {p: Spent(starts[p], 0, staked[p] - returned[p], staked[p], played[p]) for p in PERIODS}
    return Counters(spent[DAY], spent[WEEK], spent[MONTH], last)
