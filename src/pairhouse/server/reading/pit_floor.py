"""The floor at a glance, as supervisors see it. Nobody's cards are in it."""

from sqlalchemy import bindparam, func, select

from pairhouse.house.corrections import newest_corrections
from pairhouse.house.floor import ids_in_use, read_table
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.live.seating import count_seated
from pairhouse.house.live.table_log import live_numbers
from pairhouse.house.people import DISABLED
from pairhouse.house.pit_orders import MAY
from pairhouse.house.staff import Member
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_rounds, live_seats, live_slips
from pairhouse.house.store.pit_schema import corrections
from pairhouse.house.store.schema import players, rounds, seated, sittings
from pairhouse.house.watch_log import taken_steps
from pairhouse.rounds.live_pace import PartOfRound
from pairhouse.rounds.live_round import PLAYING
from pairhouse.rounds.live_view import seen_events
from pairhouse.rounds.round_view import at_text
from pairhouse.server.models.pit import (
    PitCard,
    PitCorrection,
    PitFloor,
    PitPerson,
    PitRound,
    PitSeat,
    PitTable,
    PitWarning,
)

MOST = 30
SEATS_MOST = 100
_SEATS = (
    select(live_seats.c.seat, live_seats.c.name, live_seats.c.player_id, func.coalesce(live_slips.c.staked, 0))
    .outerjoin(
        live_slips,
        (live_slips.c.round_id == bindparam("round"))
        & (live_slips.c.seat == live_seats.c.seat)
        & (live_slips.c.player_id == live_seats.c.player_id),
    )
    .where(live_seats.c.table_id == bindparam("table"))
    .where(func.lower(live_seats.c.name).like(bindparam("pattern"), escape="/"))
    .order_by(live_seats.c.seat)
    .limit(SEATS_MOST)
)
_STAKES = select(func.count(), func.sum(live_slips.c.staked - live_slips.c.decided)).where(
    live_slips.c.round_id == bindparam("round")
)
_OPEN = (
    select(sittings.c.table_id, func.count(), func.sum(rounds.c.staked))
    .join(rounds, rounds.c.id == sittings.c.round_id)
    .group_by(sittings.c.table_id)
)
_is_corrected = corrections.c.round_id.is_not(None)
_PRIVATE = (
    select(
        rounds.c.id, rounds.c.table_id, rounds.c.game, players.c.id, players.c.name, rounds.c.state,
        rounds.c.opened_at, rounds.c.staked, rounds.c.returned, _is_corrected,
    )
    .join(seated, seated.c.round_id == rounds.c.id)
    .join(players, players.c.id == seated.c.player_id)
    .outerjoin(corrections, (corrections.c.round_id == rounds.c.id) & (corrections.c.player_id == players.c.id))
    .order_by(rounds.c.id.desc())
    .limit(bindparam("most"))
)  # fmt: skip
_LIVE = (
    select(
        live_rounds.c.id, live_rounds.c.table_id, live_rounds.c.game, players.c.id, players.c.name,
        live_rounds.c.state, live_rounds.c.opened_at, live_slips.c.staked, live_slips.c.returned, _is_corrected,
    )
    .join(live_slips, live_slips.c.round_id == live_rounds.c.id)
    .join(players, players.c.id == live_slips.c.player_id)
    .outerjoin(corrections, (corrections.c.round_id == live_rounds.c.id) & (corrections.c.player_id == players.c.id))
    .order_by(live_rounds.c.id.desc())
    .limit(bindparam("most"))
)  # fmt: skip

_BARRED = (
    select(players.c.id, players.c.name)
    .where(players.c.status == DISABLED)
    .order_by(players.c.id.desc())
    .limit(bindparam("most"))
)


def pit_floor(tx: Tx, floor: LiveFloor, member: Member, now: int, find: str = "") -> PitFloor:
    """Everything somebody of the staff looks at, in one reading; with `find`, of seats only these names."""
    waiting = {table: (count, int(staked)) for table, count, staked in tx.all(_OPEN, {})}
    live = {table for table, _ in live_numbers(tx)}
    tables = [
        _table(tx, floor, table, waiting.get(table, (0, 0)), find, is_live=table in live) for table in ids_in_use(tx)
    ]
    return PitFloor(
        at_text(now),
        member.name,
        list(MAY[member.role]),
        tables,
        _rounds(tx),
        [
            PitWarning(at_text(step.at), step.table, step.player or None, step.step, step.figures["why"])
            for step in taken_steps(tx, MOST)
            if step.lifted_at is None
        ],
        [
            PitCorrection(
                each.round_id, each.player_id, each.table_id, each.made_by, each.reason, at_text(each.at), each.staked,
                each.returned, each.written_off,
            )
            for each in newest_corrections(tx, MOST)
        ],
        [PitPerson(player, name) for player, name in tx.all(_BARRED, {"most": MOST})],
    )  # fmt: skip


def _table(tx: Tx, floor: LiveFloor, table_id: str, waiting: tuple[int, int], find: str, *, is_live: bool) -> PitTable:
    table, (count, staked) = read_table(tx, table_id), waiting
    found = PitTable(table_id, table.name, table.betting.variant.game.id, table.status, is_live, count, staked)
    if not is_live:
        return found
    here = floor.at_table(tx, table_id)
    floor.note_who_is_waited_for(tx, here)
    state = floor.state(tx, here)
    bets, held = tx.one(_STAKES, {"round": here.table.round_id}) or (0, None)
    due = here.live.due_at(state)
    found.phase, found.round = here.live.phase, here.table.round_id or None
    found.cards = state.cards_used if state is not None else 0
    if state is not None and here.live.phase == PLAYING:
        dealt = [event for event in seen_events(here.live, state, None) if event.kind == "dealt"]
        found.deal = [PitCard(number, event.seat, event.at) for number, event in enumerate(dealt, 1)]
    found.by_hand = here.table.settings.by_hand
    found.to_turn = state.to_turn if isinstance(state, PartOfRound) else 0
    found.due_at = at_text(due) if due else None
    found.staked += int(held or 0)
    found.open_rounds += int(bets > 0 and here.live.phase != "closed")
    found.seated = count_seated(tx, table_id)
    asked = {"table": table_id, "round": here.table.round_id, "pattern": _pattern(find)}
    found.seats = [PitSeat(*row) for row in tx.all(_SEATS, asked)]
    return found


def _pattern(find: str) -> str:
    """What a name with these letters in it is like, in the words of the database."""
    letters = find.strip().lower()
    for special in "/%_":
        letters = letters.replace(special, f"/{special}")
    return f"%{letters}%"


def _rounds(tx: Tx) -> list[PitRound]:
    rows = [*tx.all(_PRIVATE, {"most": MOST}), *tx.all(_LIVE, {"most": MOST})]
    newest = sorted(rows, key=lambda row: row[0], reverse=True)[:MOST]
    return [
        PitRound(
            i,
            table,
            game,
            player,
            name,
            state,
            at_text(at),
            staked,
            None if state == "open" else returned,
            bool(is_corrected),
        )
        for i, table, game, player, name, state, at, staked, returned, is_corrected in newest
    ]
