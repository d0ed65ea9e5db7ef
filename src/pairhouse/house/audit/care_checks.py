"""Checks of what players have set for themselves, and of exclusions, against the events that describe them."""

from typing import Any

from sqlalchemy import bindparam, case, func, select

from pairhouse.house.audit.notebook import Differs, Notebook, check_equal, text
from pairhouse.house.care.limits import CareSettings, Counters, Spent
from pairhouse.house.care.periods import PERIODS, period_start
from pairhouse.house.care.records import care_in, last_act_of, live_across, spent_since
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import care, events, exclusions, runs

PAGE = 5_000
_CARE = select(care).where(care.c.player_id > bindparam("after")).order_by(care.c.player_id).limit(PAGE)
_EXCLUSIONS = select(exclusions).where(exclusions.c.id > bindparam("after")).order_by(exclusions.c.id).limit(PAGE)
_later = events.alias("later")
_BACK_IN_CHAIN = (
    select(events.c.number)
    .join(_later, (_later.c.chain == events.c.chain) & (_later.c.number == events.c.number + 1))
    .where(events.c.at >= bindparam("over"), _later.c.at < bindparam("over"))
    .limit(1)
)
_leaf = runs.c.first_leaf + events.c.number - runs.c.first_event
_LEAVES = (  # the first event at that time or after it, and the last one before it, as the log has them
    select(
        func.min(case((events.c.at >= bindparam("over"), _leaf))),
        func.max(case((events.c.at < bindparam("over"), _leaf))),
    )
    .select_from(events)
    .join(
        runs,
        (runs.c.chain == events.c.chain) & events.c.number.between(runs.c.first_event, runs.c.last_event),
    )
)
_NAMES = [column.name for column in exclusions.columns]


def note_care_changed(notebook: Notebook, place: str, at: int, body: dict[str, Any]) -> None:
    """Note one change of what a player has set; the changes of a player are numbered."""
    name = f"{body['player']}:{body['version']}"
    notebook.note("care", name, body["after"])
    notebook.note("care before", name, body["before"])


def note_exclusion_added(notebook: Notebook, place: str, at: int, body: dict[str, Any]) -> None:
    """Note a break or an exclusion."""
    notebook.note("exclusion", body["id"], text(body))


def note_deposit(notebook: Notebook, at: int, player: str, amount: int) -> None:
    """Note play money that a player had filled up: a deposit of that day, week and month."""
    notebook.note_largest("depositor", player, "")
    for period in PERIODS:
        notebook.add(_deposits(player, period, period_start(period, at)), amount)


def _deposits(player: str, period: str, start: int) -> str:
    return f"deposits:{player}:{period}:{start}"


def check_care(tx: Tx, notebook: Notebook) -> None:
    """What each player has set is what the last of their changes says, and each change follows the one before."""
    changes, depositors, after = 0, 0, ""
    while rows := tx.all(_CARE, {"after": after}):
        for player, *columns in rows:
            record = care_in(tuple(columns))
            version = record.settings.version
            where = f"what player {player} has set"
            if version:
                check_equal(where, "its settings", columns[0], notebook.noted("care", f"{player}:{version}"))
            elif record.settings != CareSettings():
                raise Differs(f"{where}: no event tells of any of it")
            if record.settings.limits and not record.counters.is_counting:
                raise Differs(f"{where}: there are limits, and nothing counts towards them")
            for later in range(2, version + 1):
                before = notebook.noted("care before", f"{player}:{later}")
                check_equal(where, "what it was before", before, notebook.noted("care", f"{player}:{later - 1}"))
            changes += version
            depositors += notebook.noted("depositor", player) is not None
            _check_counters(tx, notebook, player, record.counters)
        after = rows[-1][0]
    if notebook.count("care") != changes:
        raise Differs(f"the events tell of {notebook.count('care')} changes of players' limits; the books of {changes}")
    check_equal("deposits", "how many players' are counted", depositors, notebook.count("depositor"))
    _check_exclusions(tx, notebook)


def _check_counters(tx: Tx, notebook: Notebook, player: str, counters: Counters) -> None:
    """What counts towards limits on stakes, losses and deposits is what the player's rounds and deposits have come to.

    Where the clock was set back over the beginning of a period, rounds of before it count towards it. What is staked
    and paid in a live round counts when it is, so of one that went on over the beginning any part may count.
    """
    if not counters.is_counting:
        return
    last = last_act_of(tx, player)
    for period in PERIODS:
        spent = counters.of(period)
        where = f"what player {player} has spent this {period}"
        check_equal(where, "since when it counts", spent.start, period_start(period, spent.start))
        begun = period_start(period, last)
        if begun > spent.start and not _was_set_back(tx, begun):
            raise Differs(f"{where}: since when it counts is {spent.start}, and something was played since {begun}")
        found, expected = (spent.stake, spent.loss), spent_since(tx, player, spent.start)
        if found != expected and not (
            _is_of_a_round_across(tx, player, spent, expected) or _was_set_back(tx, spent.start)
        ):
            check_equal(where, "stakes and losses", found, expected)
        deposits = notebook.total(_deposits(player, period, spent.start))
        if spent.deposit != deposits and not _was_set_back(tx, spent.start):
            check_equal(where, "deposits", spent.deposit, deposits)


def _is_of_a_round_across(tx: Tx, player: str, spent: Spent, expected: tuple[int, int]) -> bool:
    staked, returned = live_across(tx, player, spent.start)
    more_staked, more_lost = spent.stake - expected[0], spent.loss - expected[1]
    return 0 <= more_staked <= staked and -returned <= more_lost <= staked


def _was_set_back(tx: Tx, over: int) -> bool:
    """Whether the clock of the house was set back over this time: an earlier event comes after a later one."""
    if tx.one(_BACK_IN_CHAIN, {"over": over}) is not None:
        return True
    first, last = tx.one(_LEAVES, {"over": over}) or (None, None)
    return first is not None and last is not None and last > first


def _check_exclusions(tx: Tx, notebook: Notebook) -> None:
    count, after = 0, ""
    while rows := tx.all(_EXCLUSIONS, {"after": after}):
        for row in rows:
            says = text(dict(zip(_NAMES, row, strict=True)))
            check_equal(f"exclusion {row[0]}", "what the books say", says, notebook.noted("exclusion", row[0]))
            count += 1
        after = rows[-1][0]
    if notebook.count("exclusion") != count:
        raise Differs(f"the events tell of {notebook.count('exclusion')} exclusions; the books hold {count}")
