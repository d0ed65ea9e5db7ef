"""Bets, seeds and choices of many people at once, at any number of tables.

One query reads what all of them need, and everything is written together, with one change of each table's row. Taking
a seat, leaving, and what an operator's wallet pays for is done one by one (`live_floor.py`); the rules are the same.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Select, select

from pairhouse.core.errors import Refused
from pairhouse.house.bank import HELD, PLAYER, Transfer, add_to_balance, cannot_afford, credit
from pairhouse.house.care.records import CARE_COLUMNS, CareRecord, care_in
from pairhouse.house.commands import MoneyElsewhere, key_reused
from pairhouse.house.live.acts import LiveBet, LiveChoice, LiveDone, LiveReady, LiveSeed
from pairhouse.house.live.chips import OwnChips, check_whole_chips
from pairhouse.house.live.dealer_lease import DealerTurn, is_held_for
from pairhouse.house.live.live_floor import AtTable, LiveFloor
from pairhouse.house.live.operator_money import balance_now, booked, operators_in
from pairhouse.house.live.payments import queue_bet
from pairhouse.house.live.table_log import LiveTable, Signed, move_table, queue_entry
from pairhouse.house.one_hand import Asked, hand_elsewhere, hands_elsewhere, has_one_hand
from pairhouse.house.people import HOUSE_WALLET, SESSION_COLUMNS, Person, person_in
from pairhouse.house.restrictions import check_restriction
from pairhouse.house.store.database import Row
from pairhouse.house.store.live_schema import live_entries, live_seats
from pairhouse.house.store.schema import accounts, care, players, sessions
from pairhouse.house.store.statements import ForEach, slices_of
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.watch_schema import restrictions
from pairhouse.house.store.writer import DEFER
from pairhouse.rounds.live_entries import AnyEntry

CrowdAct = LiveBet | LiveReady | LiveSeed | LiveChoice

_PLAYER_COLUMNS = (
    accounts.c.balance,
    restrictions.c.maximum,
    live_seats.c.seat,
    live_seats.c.colour,
    live_seats.c.chip,
)
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
        .outerjoin(
            restrictions, (restrictions.c.player_id == players.c.id) & (restrictions.c.table_id == asked.c.at_table)
        )
    )
    return select(asked.c.place, *(column for group in _GROUPS for column in group)).select_from(joined)


_CONTEXTS = ForEach(("token", "at_table", "act_key"), _contexts)


class SessionAct(NamedTuple):
    """An act of a crowd: whose session, and what."""

    token: str
    act: CrowdAct


class _Actor(NamedTuple):
    """Who acts: the player, their seat, balance and chips, what they have set for themselves, the most the house lets
    them stake on a wager here, and whether a hand of theirs is open at another table of the game."""

    person: Person
    seat: int
    balance: int
    chips: OwnChips
    care: CareRecord
    restriction: int | None
    has_hand_elsewhere: bool


class _Done(NamedTuple):
    """What an act comes to: its entry, the money it moves, and the balance after it."""

    entry: AnyEntry
    moves: list[Transfer]
    balance: int


class _Place:
    """A table while a group acts there: as it was read, and its newest entry since."""

    def __init__(self, here: AtTable) -> None:
        self.here = here
        self.table: LiveTable = here.table


class CrowdActs:
    """Acts of many, for a writer. `dealer` names the house that deals what becomes due by them."""

    def __init__(self, floor: LiveFloor, dealer: str) -> None:
        self.floor = floor
        self.dealer = dealer

    def run(self, tx: WriteTx, asked: Sequence[SessionAct]) -> list[Any]:
        """Each one's answer (what was done, and when the table is due), refusal, or that it is done otherwise."""
        places = {table_id: self._place(tx, table_id) for table_id in {each.act.table for each in asked}}
        rows = _read(tx, asked)
        busy = _busy(tx, places, asked, rows)
        done: list[Any] = []
        seen: set[str | None] = {None}
        for number, (each, row) in enumerate(zip(asked, rows, strict=True)):
            player_id = row[_SESSION.start]
            if player_id is not None and player_id in seen:
                done.append(DEFER)
                continue
            seen.add(player_id)
            done.append(self._try(tx, places[each.act.table], each, row, has_hand_elsewhere=number in busy))
        acted = {each.act.table for each, answer in zip(asked, done, strict=True) if isinstance(answer, LiveDone)}
        dealt = {
            table_id: self._deal(tx, place)
            for table_id, place in places.items()
            if isinstance(place, _Place) and table_id in acted
        }
        return [
            (answer, dealt[each.act.table]) if isinstance(answer, LiveDone) else answer
            for each, answer in zip(asked, done, strict=True)
        ]

    def _place(self, tx: WriteTx, table_id: str) -> _Place | Refused:
        try:
            return _Place(self.floor.at_table(tx, table_id))
        except Refused as refused:
            return refused

    def _try(
        self, tx: WriteTx, place: _Place | Refused, asked: SessionAct, row: Row, *, has_hand_elsewhere: bool
    ) -> Any:
        mark = tx.mark
        try:
            person = person_in(tx, row[_SESSION] if row[_SESSION.start] is not None else None, asked.token, tx.now)
            if isinstance(place, Refused):
                return place
            return self._act(tx, place, asked.act, person, row, has_hand_elsewhere)
        except Refused as refused:
            tx.back_to(mark)
            return refused

    def _act(
        self, tx: WriteTx, place: _Place, act: CrowdAct, person: Person, row: Row, has_hand_elsewhere: bool
    ) -> LiveDone:
        live = place.here.live
        balance, restriction, seat, *chips = row[_PLAYER]
        if person.wallet != HOUSE_WALLET:
            if isinstance(act, LiveBet | LiveChoice):  # one by one: the operator is asked between two transactions
                raise MoneyElsewhere(person.wallet)
            balance = balance_now(tx, person)
        number, body_hash, balance_then = row[_EARLIER]
        if number is not None:
            if body_hash != act.body_hash:
                raise key_reused()
            return LiveDone(number, balance_then, seat)
        if seat is None:
            raise Refused("not-seated", "take a seat at this table first")
        actor = _Actor(person, seat, balance, OwnChips(*chips), care_in(row[_CARE]), restriction, has_hand_elsewhere)
        match act:
            case LiveBet():
                done = self._bet(tx, place, act, actor)
            case LiveReady():
                done = _Done(live.say_ready(tx.now, seat), [], balance)
            case LiveSeed():
                done = _Done(live.open_seed(tx.now, seat, act.seed), [], balance)
            case LiveChoice():
                done = self._choose(tx, place, act, actor)
        signed = Signed(person.id, act.key, act.body_hash, done.balance)
        place.table = queue_entry(tx, place.table, done.entry, done.moves, signed)
        place.here.known.add(done.entry, place.table.number, place.table.digest, person.id)
        return LiveDone(place.table.number, done.balance, seat)

    def _bet(self, tx: WriteTx, place: _Place, bet: LiveBet, actor: _Actor) -> _Done:
        """A bet, a changed one, or one taken back."""
        person, seat = actor.person, actor.seat
        live, floor, guard = place.here.live, place.here.floor, self.floor.guard
        before = live.bets.get(seat)
        held = sum(before.stakes.values()) if before is not None else 0
        staked = 0
        if not bet.stakes:
            entry: AnyEntry = live.take_back(tx.now, seat)
        else:
            if not floor.is_live:
                raise Refused("table-closed", "this table is closed; choose another")
            if actor.has_hand_elsewhere:
                raise hand_elsewhere()
            check_whole_chips(actor.chips, bet.stakes)
            placed = live.bet(tx.now, seat, person.name, bet.stakes, bet.seed, actor.chips)
            check_restriction(actor.restriction, [placed.stakes])
            staked = sum(placed.stakes.values())
            guard.check_bet(tx.now, person.since, actor.care, floor.betting.variant, [placed.stakes], held)
            entry = placed
        change = staked - held
        balance = add_to_balance(tx, person.account, actor.balance, max(change, 0), -change)
        moves = [Transfer("stake", person.account, HELD, change)] if change > 0 else []
        moves += [Transfer("refund", HELD, person.account, -change)] if change < 0 else []
        queue_bet(tx, place.table.round_id, seat, person.id, held, staked)
        if actor.care.exists:
            guard.note_transfers(tx, moves)
        return _Done(entry, moves, balance)

    def _choose(self, tx: WriteTx, place: _Place, choice: LiveChoice, actor: _Actor) -> _Done:
        """A decision, the further stake it takes, and what is decided by it."""
        here, account = place.here, actor.person.account
        entry, cost = self.floor.choice(tx, here, actor.seat, choice)
        self.floor.guard.check_choice(tx.now, actor.care, cost)
        if cost > actor.balance:
            raise cannot_afford(choice.word, cost, actor.balance)
        moves = [Transfer("stake", account, HELD, cost)] if cost else []
        if cost:
            credit(tx, account, -cost)
        moves += self.floor.paid_after(tx, here, entry)
        self.floor.guard.note_transfers(tx, moves)
        paid = sum(move.amount for move in moves if move.credit == account)
        moves = list(booked(moves, operators_in(tx, here.table.round_id))) if moves else []
        return _Done(entry, moves, actor.balance - cost + paid)

    def _deal(self, tx: WriteTx, place: _Place) -> DealerTurn:
        """Note the newest entry of a table where somebody has acted, and do what is due there now."""
        here, table = place.here, place.table
        if table.number > here.table.number:
            move_table(tx, here.table, table)
        self.floor.note_who_is_waited_for(tx, here)
        due = here.live.due_at(self.floor.state(tx, here))
        if (due is not None and due <= tx.now) or not is_held_for(here.table, due):
            return self.floor.lead(tx, table, here.floor, self.dealer, takes_over=True)
        return DealerTurn(table.number, due)


def _read(tx: WriteTx, asked: Sequence[SessionAct]) -> list[Row]:
    """A row of the books for each act, in their order."""
    items = [[each.token, each.act.table, each.act.key] for each in asked]
    rows: list[Row] = [()] * len(asked)
    for row in tx.all(_CONTEXTS, {"items": msgspec.json.encode(items).decode()}):
        rows[row[0]] = row
    return rows


def _busy(
    tx: WriteTx, places: Mapping[str, _Place | Refused], asked: Sequence[SessionAct], rows: Sequence[Row]
) -> set[int]:
    """The bets whose players have a hand open at another table of the game."""
    found: list[tuple[int, Asked]] = []
    for number, (each, row) in enumerate(zip(asked, rows, strict=True)):
        place, player_id = places[each.act.table], row[_SESSION.start]
        if not isinstance(each.act, LiveBet) or player_id is None or isinstance(place, Refused):
            continue
        game = place.here.floor.betting.variant.game
        if has_one_hand(game):
            found.append((number, Asked(player_id, each.act.table, game.id)))
    has_one = hands_elsewhere(tx, [each for _, each in found])
    return {number for place, (number, _) in enumerate(found) if place in has_one}
