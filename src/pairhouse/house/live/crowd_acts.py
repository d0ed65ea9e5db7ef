"""Bets and seeds where any number of people bet, many at a time.

One query reads what all of them need, and everything is written together, with one change of the table's row. At
tables with seats people act one by one (`live_floor.py`); the rules are the same.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeGuard

import msgspec
from sqlalchemy import Select, select

from pairhouse.core.errors import Refused
from pairhouse.house.bank import HELD, PLAYER, Transfer, add_to_balance
from pairhouse.house.care.records import CARE_COLUMNS, CareRecord, care_in
from pairhouse.house.commands import MoneyElsewhere
from pairhouse.house.live.acts import AnyLiveAct, LiveBet, LiveDone, LiveReady, LiveSeed
from pairhouse.house.live.chips import OwnChips, check_whole_chips
from pairhouse.house.live.dealer_lease import is_held_for
from pairhouse.house.live.live_floor import AtTable, Dealt, LiveFloor
from pairhouse.house.live.operator_money import balance_now
from pairhouse.house.live.payments import queue_bet
from pairhouse.house.live.table_log import LiveTable, Signed, move_table, queue_entry
from pairhouse.house.people import HOUSE_WALLET, SESSION_COLUMNS, Person, person_in
from pairhouse.house.store.database import Row
from pairhouse.house.store.live_schema import live_entries, live_seats
from pairhouse.house.store.schema import accounts, care, players, sessions
from pairhouse.house.store.statements import ForEach, slices_of
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.writer import DEFER, RunInstead
from pairhouse.rounds.live_entries import AnyEntry

CrowdAct = LiveBet | LiveReady | LiveSeed

_PLAYER_COLUMNS = (accounts.c.balance, live_seats.c.seat, live_seats.c.colour, live_seats.c.chip)
_EARLIER_COLUMNS = (live_entries.c.number, live_entries.c.body_hash, live_entries.c.balance)
_GROUPS = (SESSION_COLUMNS, _PLAYER_COLUMNS, _EARLIER_COLUMNS, CARE_COLUMNS)
_SESSION, _PLAYER, _EARLIER, _CARE = slices_of(*_GROUPS)


def _contexts(asked: Any) -> Select[Any]:
    """A row for each act, with whatever of it exists."""
    joined = (
        asked.outerjoin(sessions, sessions.c.token_hash == asked.c.token)
        .outerjoin(players, players.c.id == sessions.c.player_id)
        .outerjoin(accounts, accounts.c.id == PLAYER + players.c.id)
        .outerjoin(live_seats, (live_seats.c.player_id == players.c.id) & (live_seats.c.table_id == asked.c.at_table))
        .outerjoin(live_entries, (live_entries.c.player_id == players.c.id) & (live_entries.c.key == asked.c.act_key))
        .outerjoin(care, care.c.player_id == players.c.id)
    )
    return select(asked.c.place, *(column for group in _GROUPS for column in group)).select_from(joined)


_CONTEXTS = ForEach(("token", "at_table", "act_key"), _contexts)


class Asked(NamedTuple):
    """An act of a crowd: whose session, and what."""

    token: str
    act: CrowdAct


class _Bettor(NamedTuple):
    """Who acts: the player, their seat, balance and chips, and what they have set for themselves."""

    person: Person
    seat: int
    balance: int
    chips: OwnChips
    care: CareRecord


class _Place:
    """A table while a group acts there: as it was read, and its newest entry since."""

    def __init__(self, here: AtTable) -> None:
        self.here = here
        self.table: LiveTable = here.table


class CrowdActs:
    """Acts of crowds, for a writer. `dealer` names the house that deals what becomes due by them."""

    def __init__(self, floor: LiveFloor, dealer: str) -> None:
        self.floor = floor
        self.dealer = dealer
        self._with_seats: set[str] = set()

    def takes(self, act: AnyLiveAct) -> TypeGuard[CrowdAct]:
        """Whether an act is one for a group, as far as is known: its table may turn out to have seats."""
        return isinstance(act, LiveBet | LiveReady | LiveSeed) and act.table not in self._with_seats

    def run(self, tx: WriteTx, asked: Sequence[Asked]) -> list[Any]:
        """Each one's answer (what was done, and when the table is due), refusal, or that it is done otherwise."""
        places = {table_id: self._place(tx, table_id) for table_id in {each.act.table for each in asked}}
        done: list[Any] = []
        seen: set[str | None] = {None}
        for each, row in zip(asked, _read(tx, asked), strict=True):
            player_id = row[_SESSION.start]
            if player_id is not None and player_id in seen:
                done.append(DEFER)
                continue
            seen.add(player_id)
            done.append(self._try(tx, places[each.act.table], each, row))
        dealt = {table_id: self._deal(tx, place) for table_id, place in places.items() if isinstance(place, _Place)}
        return [
            (answer, dealt[each.act.table]) if isinstance(answer, LiveDone) else answer
            for each, answer in zip(asked, done, strict=True)
        ]

    def _place(self, tx: WriteTx, table_id: str) -> _Place | Refused:
        try:
            return _Place(self.floor.at_table(tx, table_id))
        except Refused as refused:
            return refused

    def _try(self, tx: WriteTx, place: _Place | Refused, asked: Asked, row: Row) -> Any:
        mark = tx.mark
        try:
            person = person_in(tx, row[_SESSION] if row[_SESSION.start] is not None else None, asked.token, tx.now)
            if isinstance(place, Refused):
                return place
            if place.here.table.settings.seats is not None:
                self._with_seats.add(asked.act.table)
                return RunInstead(lambda tx: self._alone(tx, asked))
            return self._act(tx, place, asked.act, person, row)
        except Refused as refused:
            tx.back_to(mark)
            return refused

    def _alone(self, tx: WriteTx, asked: Asked) -> tuple[LiveDone, Dealt]:
        """At a table with seats, as everything else is done there."""
        return self.floor.act_and_deal(tx, asked.token, asked.act, self.dealer)

    def _act(self, tx: WriteTx, place: _Place, act: CrowdAct, person: Person, row: Row) -> LiveDone:
        live = place.here.live
        balance, seat, *chips = row[_PLAYER]
        if person.wallet != HOUSE_WALLET:
            if isinstance(act, LiveBet):  # one by one: the operator is asked between two transactions
                raise MoneyElsewhere(person.wallet)
            balance = balance_now(tx, person)
        number, body_hash, balance_then = row[_EARLIER]
        if number is not None:
            if body_hash != act.body_hash:
                sentence = "this key was used for another request; give each request a key of its own"
                raise Refused("key-reused", sentence)
            return LiveDone(number, balance_then, seat)
        if seat is None:
            raise Refused("not-seated", "take a seat at this table first")
        moves: list[Transfer] = []
        match act:
            case LiveBet():
                bettor = _Bettor(person, seat, balance, OwnChips(*chips), care_in(row[_CARE]))
                entry, moves, balance = self._bet(tx, place, act, bettor)
            case LiveReady():
                entry = live.say_ready(tx.now, seat)
            case LiveSeed():
                entry = live.open_seed(tx.now, seat, act.seed)
        place.table = queue_entry(tx, place.table, entry, moves, Signed(person.id, act.key, act.body_hash, balance))
        place.here.known.add(entry, place.table.number, place.table.digest, person.id)
        return LiveDone(place.table.number, balance, seat)

    def _bet(self, tx: WriteTx, place: _Place, bet: LiveBet, bettor: _Bettor) -> tuple[AnyEntry, list[Transfer], int]:
        """A bet, a changed one, or one taken back: its entry, what it moves, and the balance after it."""
        person, seat = bettor.person, bettor.seat
        live, floor, guard = place.here.live, place.here.floor, self.floor.guard
        before = live.bets.get(seat)
        held = sum(before.stakes.values()) if before is not None else 0
        staked = 0
        if not bet.stakes:
            entry: AnyEntry = live.take_back(tx.now, seat)
        else:
            if not floor.is_live:
                raise Refused("table-closed", "this table is closed; choose another")
            check_whole_chips(bettor.chips, bet.stakes)
            placed = live.bet(tx.now, seat, person.name, bet.stakes, bet.seed, bettor.chips)
            staked = sum(placed.stakes.values())
            guard.check_bet(tx.now, person.since, bettor.care, floor.betting.variant, [placed.stakes], held)
            entry = placed
        change = staked - held
        balance = add_to_balance(tx, person.account, bettor.balance, max(change, 0), -change)
        moves = [Transfer("stake", person.account, HELD, change)] if change > 0 else []
        moves += [Transfer("refund", HELD, person.account, -change)] if change < 0 else []
        queue_bet(tx, place.table.round_id, seat, person.id, held, staked)
        if bettor.care.exists:
            guard.note_transfers(tx, moves)
        return entry, moves, balance

    def _deal(self, tx: WriteTx, place: _Place) -> Dealt:
        """Note the newest entry of a table, and do what is due there now."""
        here, table = place.here, place.table
        if here.table.settings.seats is not None:
            return Dealt(0, None)
        if table.number > here.table.number:
            move_table(tx, here.table, table)
        self.floor.note_who_is_waited_for(tx, here)
        due = here.live.due_at(None) if here.live.dealt is None else None
        if (due is not None and due <= tx.now) or not is_held_for(here.table, due):
            return self.floor.lead_and_deal(tx, table.id, self.dealer, takes_over=True)
        return Dealt(table.number, due)


def _read(tx: WriteTx, asked: Sequence[Asked]) -> list[Row]:
    """A row of the books for each act, in their order."""
    items = [[each.token, each.act.table, each.act.key] for each in asked]
    rows: list[Row] = [()] * len(asked)
    for row in tx.all(_CONTEXTS, {"items": msgspec.json.encode(items).decode()}):
        rows[row[0]] = row
    return rows
