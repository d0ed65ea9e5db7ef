"""Everything that is done at live tables, each act in one transaction with its entry and its money.

Players sit, bet, say they are ready, open their seeds, choose and leave. The dealer closes the betting, deals, decides
for those whose time is over, pays, and opens the next round. A supervisor voids a round or marks an exposed card.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, select, update

from pairhouse.core.errors import Refused
from pairhouse.core.game import VOID_REASONS
from pairhouse.house.bank import HELD, Transfer, balance_of, cannot_afford, change_balance, player_account
from pairhouse.house.care.guard import Guard
from pairhouse.house.care.records import read_care
from pairhouse.house.floor import FloorTable, read_table
from pairhouse.house.live.acts import (
    AnyLiveAct,
    LeaveSeat,
    LiveAct,
    LiveBet,
    LiveChoice,
    LiveDone,
    LiveReady,
    LiveSeed,
    TakeSeat,
)
from pairhouse.house.live.chips import check_whole_chips, chips_of
from pairhouse.house.live.dealer_lease import DealerTurn, check_lease, keep_lease, take_lease
from pairhouse.house.live.operator_money import (
    Taken,
    balance_now,
    booked,
    check_taken,
    give_back,
    missing_stake,
    operators_in,
)
from pairhouse.house.live.payments import pay_decided, refund_undecided, tell_round_closed, write_bet
from pairhouse.house.live.round_cache import KnownRound, RoundCache
from pairhouse.house.live.round_opening import Opened, RoundBefore, open_round, opens_after
from pairhouse.house.live.seating import (
    clear_leavers,
    leave_seat,
    need_seat,
    seat_of,
    take_seat,
    waited_for,
)
from pairhouse.house.live.table_clocks import TableClocks
from pairhouse.house.live.table_log import LiveTable, Signed, add_entry, earlier_answer, read_live_table
from pairhouse.house.meters import move_meter, read_meter
from pairhouse.house.one_hand import check_one_hand_live
from pairhouse.house.people import HOUSE_WALLET, Person, person_of
from pairhouse.house.restrictions import check_restriction, restriction_of
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_rounds, live_tables
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.vault import Vault
from pairhouse.machines.events import Replay
from pairhouse.rounds.fairness import Order, OrderLeft
from pairhouse.rounds.live_entries import (
    AnyEntry,
    BettingClosed,
    CardsDealt,
    CardTurned,
    ChoiceMade,
    RoundClosed,
    SeatLeft,
    SeatTaken,
)
from pairhouse.rounds.live_results import LiveResults
from pairhouse.rounds.live_round import BETTING, CLOSED, PLAYING, LiveRound
from pairhouse.rounds.live_view import LiveView, live_view
from pairhouse.rounds.round_log import MeterReading
from pairhouse.rounds.round_view import SETTLED, VOID
from pairhouse.rounds.table_limits import BettingTable

_LIVE = select(live_tables.c.number).where(live_tables.c.table_id == bindparam("table"))
_CLOSE_ROUND = (
    update(live_rounds)
    .where(live_rounds.c.id == bindparam("round"))
    .values(
        state=bindparam("new_state"),
        closed_at=bindparam("at"),
        server_seed=bindparam("seed"),
        client_seeds=bindparam("mixed"),
    )
)
_OPENED = select(live_rounds.c.rules_hash, live_rounds.c.options, live_rounds.c.sealed_seed).where(
    live_rounds.c.id == bindparam("round")
)


OPENED_KEPT = 4_096  # rounds


class AtTable(NamedTuple):
    """A live table as it is now: its row, the table of the floor, and its round."""

    table: LiveTable
    floor: FloorTable
    live: LiveRound
    known: KnownRound

    @property
    def now(self) -> LiveTable:
        """The row of the table with what an act has added since it was read."""
        return self.table._replace(number=self.known.number, digest=self.known.digest)


class LiveFloor(TableClocks):
    """Live tables. The state of a table is read from its entries; those that were read before are not read again."""

    def __init__(self, vault: Vault, guard: Guard, round_ms_min: int | None = None) -> None:
        self.vault = vault
        self.guard = guard
        self.round_ms_min = round_ms_min  # between two deals of any table, in place of the tables' own
        self._rounds = RoundCache()
        self._openings: dict[str, Opened] = {}  # by round

    # Reading.

    def at_table(self, tx: Tx, table_id: str, row: LiveTable | None = None, floor: FloorTable | None = None) -> AtTable:
        """The table and its round, from its entries. `row` and `floor` are given where they were just read."""
        table, floor = row or read_live_table(tx, table_id), floor or read_table(tx, table_id)
        known = self._rounds.read(tx, table, self._betting(tx, table, floor.betting))
        return AtTable(table, floor, known.live, known)

    def note_who_is_waited_for(self, tx: Tx, here: AtTable) -> None:
        """For the dealer, while bets are open: whose bets are waited for, once everybody who has bet is ready."""
        live = here.live
        if live.phase == BETTING and live.bets and len(live.ready) == len(live.bets) and not live.by_hand:
            here.live.seated = waited_for(tx, here.table.id, len(here.live.ready))

    def _betting(self, tx: Tx, table: LiveTable, now: BettingTable) -> BettingTable:
        """The table as its round was opened: options that were switched since are those of the next round."""
        opened = self._opened(tx, table.round_id)
        if opened is None or opened.rules_hash == now.variant.rules_hash:
            return now
        return BettingTable(now.variant.game.variant(msgspec.json.decode(opened.options)), now.limits)

    def _opened(self, tx: Tx, round_id: str) -> Opened | None:
        """How a round was opened; None before the first round of a table."""
        opened = self._openings.get(round_id)
        if opened is None:
            row = tx.one(_OPENED, {"round": round_id})
            if row is None:
                return None
            if len(self._openings) >= OPENED_KEPT:
                self._openings.clear()
            opened = self._openings[round_id] = Opened._make(row)
        return opened

    def state(self, tx: Tx, here: AtTable) -> Replay | None:
        """The replay of the round, once cards are dealt. It is played anew only after another entry."""
        if here.live.dealt is None:
            return None
        if here.known.state is None:
            here.known.state = here.live.state(self._order(tx, here))
        return here.known.state

    def view(self, tx: Tx, table_id: str, seat: int | None = None) -> LiveView:
        """The round as a seat sees it, or a spectator."""
        here = self.at_table(tx, table_id)
        return live_view(here.live, self.state(tx, here), seat)

    def _order(self, tx: Tx, here: AtTable) -> Order | OrderLeft:
        round_id = here.table.round_id
        opened = self._opened(tx, round_id)
        assert opened is not None
        return here.live.order(self.vault.open(opened.sealed_seed, round_id), opened.rules_hash)

    # Players.

    def act(self, tx: WriteTx, token_hash: str, act: AnyLiveAct, taken: Taken | None = None) -> LiveDone:
        """Do what a player asks for, once for each key; `taken` is what an operator has given for it."""
        person = person_of(tx, token_hash, tx.now)
        return self._act_at(tx, self.at_table(tx, act.table), person, act, taken)

    def act_and_deal(
        self, tx: WriteTx, token_hash: str, act: AnyLiveAct, dealer: str, taken: Taken | None = None
    ) -> tuple[LiveDone, DealerTurn]:
        """Do what a player asks for, and then everything that is due at the table."""
        person = person_of(tx, token_hash, tx.now)  # before the table: a stranger is told nothing of it
        here = self.at_table(tx, act.table)
        done = self._act_at(tx, here, person, act, taken)
        return done, self.lead(tx, here.now, here.floor, dealer, takes_over=True)

    def _act_at(self, tx: WriteTx, here: AtTable, person: Person, act: AnyLiveAct, taken: Taken | None) -> LiveDone:
        earlier = earlier_answer(tx, person.id, act.key, act.body_hash)
        if earlier is not None:
            return LiveDone(*earlier, seat_of(tx, act.table, person.id))
        match act:
            case TakeSeat():
                return self._sit(tx, here, person, act)
            case LeaveSeat():
                return self._leave(tx, here, person, act)
        seat = need_seat(tx, act.table, person.id)
        match act:
            case LiveBet():
                return self._bet(tx, here, person, seat, act, taken)
            case LiveReady():
                entry: AnyEntry = here.live.say_ready(tx.now, seat)
            case LiveSeed():
                entry = here.live.open_seed(tx.now, seat, act.seed)
            case LiveChoice():
                return self._choose(tx, here, person, seat, act, taken)
        return self._sign(tx, here, entry, [], person, act, balance_now(tx, person), seat)

    def _sit(self, tx: WriteTx, here: AtTable, person: Person, act: TakeSeat) -> LiveDone:
        if not here.floor.is_live:
            raise Refused("table-closed", "this table is closed; choose another")
        before = seat_of(tx, here.table.id, person.id)
        check_one_hand_live(tx, person.id, here.table.id, here.floor.betting.variant.game)
        seat = take_seat(tx, person, here.table, here.floor.betting, act.seat, act.chip)
        entry = SeatTaken(at=tx.now, seat=seat, name=person.shown_name) if before is None else None
        return self._seated(tx, here, entry, person, act)

    def _leave(self, tx: WriteTx, here: AtTable, person: Person, act: LeaveSeat) -> LiveDone:
        """Leave a seat; a bet stays where it is. Who has left already is told so once more: nothing more happens."""
        seat = seat_of(tx, here.table.id, person.id)
        if seat is None:
            return self._seated(tx, here, None, person, act)
        has_bet = seat in here.live.bets and (here.live.phase != CLOSED or here.floor.is_live)
        leave_seat(tx, person, here.table, has_bet=has_bet)
        return self._seated(tx, here, SeatLeft(at=tx.now, seat=seat), person, act)

    def _seated(self, tx: WriteTx, here: AtTable, entry: AnyEntry | None, person: Person, act: LiveAct) -> LiveDone:
        """Everybody who watches a table with seats is told who came or went, once it has opened its first round."""
        balance = balance_now(tx, person)
        if entry is None or not here.table.round_id or here.table.settings.seats is None:
            return LiveDone(here.table.number, balance, seat_of(tx, here.table.id, person.id))
        return self._sign(tx, here, entry, [], person, act, balance, seat_of(tx, here.table.id, person.id))

    def _bet(
        self, tx: WriteTx, here: AtTable, person: Person, seat: int, bet: LiveBet, taken: Taken | None
    ) -> LiveDone:
        """Bet, change a bet, or take it back. The money is held, or comes back, at once."""
        before = here.live.bets.get(seat)
        held = sum(before.stakes.values()) if before is not None else 0
        if not bet.stakes:
            entry: AnyEntry = here.live.take_back(tx.now, seat)
            staked = 0
        else:
            if not here.floor.is_live:
                raise Refused("table-closed", "this table is closed; choose another")
            check_one_hand_live(tx, person.id, here.table.id, here.floor.betting.variant.game)
            chips = chips_of(tx, here.table.id, person.id)
            check_whole_chips(chips, bet.stakes)
            entry = here.live.bet(tx.now, seat, person.shown_name, bet.stakes, bet.seed, chips)
            check_restriction(restriction_of(tx, person.id, here.table.id), [entry.stakes])
            staked = sum(entry.stakes.values())
            variant = here.floor.betting.variant
            self.guard.check_bet(tx.now, person.since, read_care(tx, person.id), variant, [entry.stakes], held)
        change = staked - held
        if person.wallet == HOUSE_WALLET:
            balance = change_balance(tx, person.account, max(change, 0), -change)
        else:
            back, needed = missing_stake(tx, person.id, here.table.round_id, staked, taken)
            check_taken(person, here.table.round_id, here.live.table.variant.game.id, needed, taken)
            balance = give_back(tx, person.id, back)
        mine = player_account(person.id)
        moves = [Transfer("stake", mine, HELD, change)] if change > 0 else []
        moves += [Transfer("refund", HELD, mine, -change)] if change < 0 else []
        write_bet(tx, here.table.round_id, seat, person.id, staked)
        return self._sign(tx, here, entry, moves, person, bet, balance, seat)

    def choice(self, tx: WriteTx, here: AtTable, seat: int, choice: LiveChoice) -> tuple[ChoiceMade, int]:
        """The entry of a decision, if it is one that may be made now, and the further stake it takes."""
        state = self.state(tx, here)
        entry = here.live.choose(tx.now, seat, choice.number, choice.word, state)
        assert state is not None
        assert state.awaiting is not None
        return entry, state.awaiting.costs.get(choice.word, 0)

    def _choose(
        self, tx: WriteTx, here: AtTable, person: Person, seat: int, choice: LiveChoice, taken: Taken | None
    ) -> LiveDone:
        """Decide; a further stake is taken with it, or nothing happens. What is decided by it is paid."""
        entry, cost = self.choice(tx, here, seat, choice)
        self.guard.check_choice(tx.now, read_care(tx, person.id), cost)
        if person.wallet != HOUSE_WALLET:
            check_taken(person, here.table.round_id, here.live.table.variant.game.id, cost, taken)
        elif cost:
            balance = balance_of(tx, person.account)
            if cost > balance:
                raise cannot_afford(choice.word, cost, balance)
            change_balance(tx, person.account, cost, -cost)
        moves = [Transfer("stake", player_account(person.id), HELD, cost)] if cost else []
        moves += self.paid_after(tx, here, entry)
        return self._sign(tx, here, entry, moves, person, choice, balance_now(tx, person), seat)

    def _sign(
        self,
        tx: WriteTx,
        here: AtTable,
        entry: AnyEntry,
        moves: Sequence[Transfer],
        person: Person,
        act: LiveAct,
        balance: int,
        seat: int | None,
    ) -> LiveDone:
        self.guard.note_transfers(tx, moves)
        if moves:
            own = {} if person.wallet == HOUSE_WALLET else {person.id: person.wallet}
            moves = booked(moves, {**operators_in(tx, here.table.round_id), **own})
        table = add_entry(tx, here.table, entry, moves, Signed(person.id, act.key, act.body_hash, balance))
        here.known.add(entry, table.number, table.digest, person.id)
        return LiveDone(table.number, balance, seat)

    # The dealer.

    def lead_and_deal(self, tx: WriteTx, table_id: str, dealer: str, *, takes_over: bool = False) -> DealerTurn:
        """Take or keep the lease of a table and do everything that is due there; after an act it is taken over."""
        table, floor = read_live_table(tx, table_id), read_table(tx, table_id)
        return self.lead(tx, table, floor, dealer, takes_over=takes_over)

    def lead(self, tx: WriteTx, table: LiveTable, floor: FloorTable, dealer: str, *, takes_over: bool) -> DealerTurn:
        led = take_lease(tx, table, dealer, takes_over=takes_over)
        if led is None:
            return DealerTurn(0, None)
        dealt = self._deal_all(tx, led, floor)
        keep_lease(tx, led, dealt.due)
        return dealt

    def deal_on(self, tx: WriteTx, table_id: str, dealer: str, fence: int) -> int | None:
        """Do everything that is due at a table; when to look again, or None if not before somebody acts."""
        table = read_live_table(tx, table_id)
        check_lease(table, dealer, fence)
        return self._deal_all(tx, table, read_table(tx, table_id)).due

    def _deal_all(self, tx: WriteTx, table: LiveTable, floor: FloorTable) -> DealerTurn:
        while True:
            here = self.at_table(tx, table.id, table, floor)
            self.note_who_is_waited_for(tx, here)
            if here.live.opened is None or here.live.phase == CLOSED:
                opens_at = opens_after(here.live, tx.now)
                if tx.now < opens_at or not here.floor.is_live:
                    return DealerTurn(table.number, opens_at if here.floor.is_live else None)
                table = self._open_round(tx, here)
                continue
            state = self.state(tx, here)
            entry = here.live.next_entry(tx.now, state)
            if entry is None:
                return DealerTurn(table.number, here.live.due_at(state))
            table = self._deal_entry(tx, here, entry)

    def _deal_entry(self, tx: WriteTx, here: AtTable, entry: AnyEntry) -> LiveTable:
        moves: list[Transfer] = []
        if isinstance(entry, CardsDealt | CardTurned | ChoiceMade):
            moves = self.paid_after(tx, here, entry)
        elif isinstance(entry, RoundClosed):
            entry, moves = self._close_round(tx, here, entry)
        else:
            assert isinstance(entry, BettingClosed)
        self.guard.note_transfers(tx, moves)
        if moves:
            moves = list(booked(moves, operators_in(tx, here.table.round_id)))
        table = add_entry(tx, here.table, entry, moves)
        here.known.add(entry, table.number, table.digest, None)
        return table

    def _close_round(self, tx: WriteTx, here: AtTable, entry: RoundClosed) -> tuple[RoundClosed, list[Transfer]]:
        """Open the seed. On a progressive everything is paid now, from what the meter shows. [TCP-35]"""
        opened = self._opened(tx, here.table.round_id)
        assert opened is not None
        meter = read_meter(tx, here.table.id, here.live.table.variant)
        reading = MeterReading(meter.amount, meter.reserve) if meter is not None else None
        seed = self.vault.open(opened.sealed_seed, here.table.round_id).hex()
        entry = msgspec.structs.replace(entry, server_seed=seed, meter=reading)
        self._end_round(tx, here, SETTLED, entry)
        moves: list[Transfer] = []
        if meter is not None:
            results = self._results_after(tx, here, entry)
            moves += pay_decided(tx, here.table.round_id, results)
            moves += move_meter(tx, here.table.id, meter, results.state.meter)
        tell_round_closed(tx, here.table.round_id, here.live.table.variant.game.id)
        return entry, moves

    def paid_after(self, tx: WriteTx, here: AtTable, entry: AnyEntry) -> list[Transfer]:
        """Pay what is decided once this entry stands."""
        return pay_decided(tx, here.table.round_id, self._results_after(tx, here, entry))

    def _results_after(self, tx: WriteTx, here: AtTable, entry: AnyEntry) -> LiveResults:
        after = here.live.copy()
        after.add(entry)
        state = after.state(self._order(tx, here._replace(live=after)))
        here.known.expect(entry, state)
        return LiveResults(after, state)

    def _open_round(self, tx: WriteTx, here: AtTable) -> LiveTable:
        clear_leavers(tx, here.table.id)
        before = None
        if here.live.opened is not None:
            opened = self._opened(tx, here.table.round_id)
            has_left_cards = here.live.closed is not None and here.live.opened.shoe is not None
            state = self.state(tx, here) if has_left_cards else None
            before = RoundBefore(here.live, state, opened.rules_hash if opened is not None else "")
        pace = here.floor.round_ms_min if self.round_ms_min is None else self.round_ms_min
        return open_round(tx, self.vault, here.table, here.floor, before, pace)

    def _end_round(self, tx: WriteTx, here: AtTable, state: str, entry: RoundClosed | None = None) -> None:
        """Note how a round ended; of a coup of a shoe also the seeds, with which the coups after it are verified."""
        is_kept = entry is not None and here.live.opened is not None and here.live.opened.shoe is not None
        ended = {"round": here.table.round_id, "new_state": state, "at": tx.now}
        seeds = msgspec.json.encode(here.live.client_seeds).decode() if is_kept else None
        tx.run(_CLOSE_ROUND, {**ended, "seed": entry.server_seed if entry and is_kept else None, "mixed": seeds})

    # The supervisor.

    def void(self, tx: WriteTx, by: str, table_id: str, reason: str, cards: int | None = None) -> None:
        """Call the round off: every stake that is not decided yet goes back."""
        if reason not in VOID_REASONS:
            raise Refused("bad-void", f"a round is void by {' or '.join(VOID_REASONS)}")
        here = self.at_table(tx, table_id)
        entry = here.live.void(tx.now, by, reason, cards)
        moves = refund_undecided(tx, here.table.round_id, here.live.table.variant.game.id)
        self.guard.note_transfers(tx, moves, is_void=True)
        add_entry(tx, here.table, entry, booked(moves, operators_in(tx, here.table.round_id)))
        self._end_round(tx, here, VOID)

    def end_empty_round(self, tx: WriteTx, by: str, table_id: str) -> bool:
        """A round that nobody has bet on makes way for other options; whether several people play at this table.

        A quiet live table is open for bets all the time, and a round is dealt by the options it was opened with.
        """
        if tx.one(_LIVE, {"table": table_id}) is None:
            return False
        here = self.at_table(tx, table_id)
        if here.live.opened is not None and here.live.phase == BETTING and not here.live.bets:
            self.void(tx, by, table_id, "cancelled")
        return True

    def turn(self, tx: WriteTx, by: str, table_id: str) -> None:
        """Turn the next card up, at a table paced by hand; what it decides is paid."""
        here = self.at_table(tx, table_id)
        self._deal_entry(tx, here, here.live.turn(tx.now, by, self.state(tx, here)))

    def expose(self, tx: WriteTx, by: str, table_id: str, card: int, reason: str = "") -> None:
        """Mark a card that everybody has seen."""
        here = self.at_table(tx, table_id)
        state = self.state(tx, here)
        if state is None or here.live.phase != PLAYING:
            raise Refused("bad-card", "no cards lie on this table")
        add_entry(tx, here.table, here.live.expose(tx.now, by, card, state, reason))
