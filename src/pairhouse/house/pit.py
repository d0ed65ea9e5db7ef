"""The pit: rounds are opened, played on, closed and voided here, each act in one transaction with its money.

A round is stored as its log: the bets, the nonce of its shuffle, and its choices (`acts`). Everything else is found by
replaying it, so a request that is repeated gets the same answer as the first time.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import bindparam, select

from pairhouse.core.errors import Refused, shown
from pairhouse.core.game import AcceptedSeats
from pairhouse.house.bank import HELD, Transfer, change_balance, deciding_moves, paid_so_far, record
from pairhouse.house.bet_context import BET_PLAYER_ID, BetContext, bet_context_in, read_bet_contexts
from pairhouse.house.booking import (
    DELETE_SITTING,
    INSERT_ACT,
    UPDATE_ROUND,
    Act,
    book_act,
    deal_event,
    decided_now,
    insert_round,
    is_paid_when_decided,
    json_text,
    update_round,
)
from pairhouse.house.care.guard import Guard
from pairhouse.house.care.policy import NO_POLICY, Policy
from pairhouse.house.choice_context import CHOICE_PLAYER_ID, ChoiceContext, choice_context_in, read_choice_contexts
from pairhouse.house.commands import (
    BetOrChoice,
    MoneyElsewhere,
    RoundBet,
    RoundChoice,
    RoundOpen,
    check_commitment,
    key_reused,
)
from pairhouse.house.dealer import Dealer, StreamRow, proof_of, shoe_of, stream_of
from pairhouse.house.declines import answers_to, book_declines, decline_offers, last_automatic
from pairhouse.house.floor import FloorTable, no_private_rounds, read_table
from pairhouse.house.free_bets import (
    FreeStake,
    book_free_stake,
    free_stake_for,
    free_stake_of,
    own_money,
    own_money_of,
    with_free_stake,
)
from pairhouse.house.meters import read_meter
from pairhouse.house.one_hand import check_no_live_hand
from pairhouse.house.pace import check_pace
from pairhouse.house.people import HOUSE_WALLET, Person
from pairhouse.house.recall import CHOICES, LAST_ACT, ROUND, Recall, StoredRound, no_such_round
from pairhouse.house.restrictions import check_restriction
from pairhouse.house.store.database import Tx
from pairhouse.house.store.ids import new_id
from pairhouse.house.store.rows import ActRow
from pairhouse.house.store.schema import acts, players
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.writer import DEFER, Batched, RunInstead
from pairhouse.house.wallet_calls import add_win, purse_of, roll_back_round
from pairhouse.machines.replay import replay
from pairhouse.rounds.fairness import check_client_seed
from pairhouse.rounds.round_view import OPEN, VOID, RoundView, log_of, view_of

_ACT_BY_KEY = select(acts.c.round_id, acts.c.number, acts.c.body_hash, acts.c.balance, acts.c.at).where(
    acts.c.player_id == bindparam("player"), acts.c.key == bindparam("act_key")
)
_OWNER = select(acts.c.player_id).where(acts.c.round_id == bindparam("round"), acts.c.number == 0)
_WALLET = select(players.c.wallet).where(players.c.id == bindparam("player"))

TABLES_KEPT = 256  # tables as they were before each change of theirs


class Pit(Recall):
    """Plays rounds. It caches the tables in use and holds no other state of its own."""

    def __init__(self, dealer: Dealer, policy: Policy = NO_POLICY) -> None:
        super().__init__(dealer)
        self.guard = Guard(policy)
        self.round_ms_min: int | None = None  # where the house sets one for all tables, in place of their own
        self._tables: dict[tuple[str, tuple[int, str, str, str, int]], FloorTable] = {}

    # Bets.

    def bet_command(self, token_hash: str, bet: RoundBet) -> Batched:
        """A bet as a command for the writer, which runs in a group with other bets."""
        return Batched(self.open_rounds, (token_hash, bet))

    def open_round(self, tx: WriteTx, token_hash: str, bet: RoundBet) -> RoundView:
        """Take the bet, deal, and settle at once where the game asks for no choice."""
        view: RoundView = self.bet_command(token_hash, bet)(tx)
        return view

    def open_rounds(self, tx: WriteTx, commands: Sequence[tuple[str, RoundBet]]) -> list[Any]:
        """Open a round for each of these bets (with the hash of its player's token); an answer for each."""
        rows = read_bet_contexts(tx, [(token_hash, bet.table, bet.key) for token_hash, bet in commands])

        def open_one(place: int) -> RoundView:
            token_hash, bet = commands[place]
            context = bet_context_in(tx, rows[place], token_hash, bet.table)
            self._check_new(context, bet)
            return self.open_for(tx, context, bet)

        return run_each(tx, [row[BET_PLAYER_ID] for row in rows], open_one)

    def open_for(self, tx: WriteTx, context: BetContext, bet: RoundBet) -> RoundView:
        """Take a bet whose key is new, and deal. It reads nothing more but a meter, and all its changes are queued."""
        person, table = context.person, self.open_table(tx, context, bet)
        variant = table.betting.variant
        seats, declines = self.accepted(context, table, bet.seats), answers_to(bet.decline, variant.game)
        client_seed = check_client_seed(bet.client_seed)
        stream = self.free_seat(tx, context, table)
        check_commitment(bet, stream)
        free = free_stake_for(tx, person, bet.free_bet, table, seats, tx.now) if bet.free_bet is not None else None
        paid_free = free.staked if free is not None else 0
        self.guard.check_bet(tx.now, person.since, context.care, variant, seats, free=paid_free)
        round_id = bet.round_id or new_id(tx.now)
        meter = read_meter(tx, table.id, variant)
        deal = self.dealer.deal(tx, stream, context.shoe, variant, client_seed, table.shuffle)
        cards = deal.order.after(deal.first_card) if deal.first_card else deal.order
        state = replay(variant, cards, seats, meter=meter)
        act = Act(round_id, 0, person, bet, "open", "", context.balance)
        event = deal_event(variant, deal, seats, free)
        balance = book_act(tx, act, table.id, meter, state, state.staked, event, free)
        words: list[str] = []
        if declines and state.awaiting is not None:
            play = partial(replay, variant, cards, seats, meter=meter)
            declined = decline_offers(declines, state, play)
            balance = book_declines(tx, act, bet, declined, meter, balance, free)
            words, state = [word for word, _ in declined], declined[-1].state if declined else state
        shoe = self.dealer.used(tx, deal, state.cards_used)
        log = log_of(variant, words, state, meter)
        insert_round(tx, person, table, deal, state, log, round_id)
        if self.guard.notes_bets(context.care):
            own = own_money(free, state)
            is_paid = free is None and is_paid_when_decided(person, variant)
            self.guard.note_bet(tx, person.id, context.care, own.staked, state.returned if is_paid else own.returned)
        proof, shoe_now = proof_of(variant, deal, state), shoe_of(deal, shoe)
        view = view_of(tx.now, round_id, table.id, state, log, balance, proof, choices=words, shoe=shoe_now)
        return with_free_stake(view, free, state) if free is not None else view

    def open_table(self, tx: Tx, context: BetContext, bet: RoundBet) -> FloorTable:
        """The table of a bet, if it is open and deals the game that is meant."""
        version = context.table_version
        table = self._tables.get((bet.table, version))
        if table is None:
            if len(self._tables) >= TABLES_KEPT:
                self._tables.clear()
            table = self._tables[bet.table, version] = read_table(tx, bet.table)
        if not context.is_open:
            raise no_private_rounds(read_table(tx, bet.table))
        game = table.betting.variant.game
        if bet.game is not None and bet.game != game.id:
            raise Refused("other-game", f"table {bet.table} deals {game.id}, not {shown(bet.game)}")
        return table

    def free_seat(self, tx: WriteTx, context: BetContext, table: FloorTable) -> StreamRow:
        """The stream of a player who sits at the table, has no round open there, and does not bet too soon."""
        if context.open_round is not None:
            raise RoundOpen(context.open_round)
        if context.sits_live:
            check_no_live_hand(tx, context.person.id, table.id, table.betting.variant.game)
        stream = context.seat(table.id)
        of_table = table.round_ms_min if self.round_ms_min is None else self.round_ms_min
        check_pace(tx.now, stream.dealt_at, max(of_table, self.guard.policy.minimum_round_ms))
        return stream

    def accepted(self, context: BetContext, table: FloorTable, seats: Sequence[Mapping[str, int]]) -> AcceptedSeats:
        """The stakes of a bet, if the table accepts them from this player."""
        game = table.betting.variant.game
        if not 1 <= len(seats) <= game.seats_per_player:
            sentence = f"{len(seats)} seats were given; {game.name} gives a player 1 to {game.seats_per_player}"
            raise Refused("bad-seats", sentence)
        accepted = table.betting.accept(seats)
        check_restriction(context.restriction, accepted)
        return accepted

    # Choices.

    def choice_command(self, token_hash: str, choice: RoundChoice) -> Batched:
        """A choice as a command for the writer, which runs in a group with other choices."""
        return Batched(self.choose_all, (token_hash, choice))

    def choose(self, tx: WriteTx, token_hash: str, choice: RoundChoice) -> RoundView:
        """Make a choice; a further stake it needs is taken with it, or nothing happens."""
        view: RoundView = self.choice_command(token_hash, choice)(tx)
        return view

    def choose_all(self, tx: WriteTx, commands: Sequence[tuple[str, RoundChoice]]) -> list[Any]:
        """Make each of these choices (with the hash of its player's token); an answer for each."""
        found = read_choice_contexts(tx, commands)

        def choose_one(place: int) -> RoundView:
            token_hash, choice = commands[place]
            context = choice_context_in(tx, *found[place], token_hash, choice)
            self._check_new(context, choice)
            return self.choose_for(tx, context, choice)

        return run_each(tx, [row[CHOICE_PLAYER_ID] for row, _ in found], choose_one)

    def choose_for(self, tx: WriteTx, context: ChoiceContext, choice: RoundChoice) -> RoundView:
        """Make a choice whose key is new. It reads nothing more but a meter, and all its changes are queued."""
        context.check(choice)
        stored, stream, variant = context.stored, context.stream, context.stored.variant
        meter = read_meter(tx, stored.table_id, variant)
        words = [*context.choices, choice.word]
        state = self.play_from(stored, stream, words, meter)
        act = Act(stored.id, len(words), context.person, choice, "choice", choice.word, context.balance)
        cost, (_, returned) = state.staked - stored.staked, decided_now(act.person, act.number, state, context.free)
        self.guard.check_choice(tx.now, context.care, cost)
        self.guard.note_choice(tx, context.person.id, context.care, cost, returned)
        balance = book_act(tx, act, stored.table_id, meter, state, cost, free=context.free)
        log = log_of(variant, words, state, meter)
        update_round(tx, stored.id, state, log)
        view = view_of(
            stored.opened_at, stored.id, stored.table_id, state, log, balance, self.proof(stored, stream, state),
            closed_at=tx.now, choices=words,
        )  # fmt: skip
        return with_free_stake(view, context.free, state) if context.free is not None else view

    # Repeated requests.

    def _check_new(self, context: BetContext | ChoiceContext, command: BetOrChoice) -> None:
        """The money is here and the key is new; a command whose key is known gets the answer it had before."""
        person = context.person
        if person.wallet != HOUSE_WALLET:
            raise MoneyElsewhere(person.wallet)
        if context.known_key:
            raise RunInstead(lambda tx: self._answer_again(tx, person.id, command))

    def _answer_again(self, tx: Tx, player_id: str, command: BetOrChoice) -> RoundView:
        view = self.earlier_answer(tx, player_id, command)
        assert view is not None, "a known key has an act"
        return view

    def earlier_answer(self, tx: Tx, player_id: str, command: BetOrChoice) -> RoundView | None:
        """The answer this command had the first time, or None if its key is new; refused if the key was another's."""
        row = tx.one(_ACT_BY_KEY, {"player": player_id, "act_key": command.key})
        if row is None:
            return None
        round_id, number, body_hash, balance, at = row
        if body_hash != command.body_hash:
            raise key_reused()
        if number == 0:  # what the house answered with the deal belongs to the answer
            number, balance, at = last_automatic(tx, round_id) or (number, balance, at)
        return self.view_after(tx, self.find(tx, round_id, player_id), number, balance, at)

    # Voids.

    def void(self, tx: WriteTx, by: str, round_id: str, reason: str) -> str:
        """Call an open round off: every stake that is not decided goes back, once. The id of the player."""
        row = tx.one(ROUND, {"round": round_id})
        if row is None:
            raise no_such_round(round_id)
        stored = StoredRound._make(row)
        if stored.state != OPEN:
            sentence = f"the round is {stored.state}; what is closed stays, and a correction is a new entry"
            raise Refused("round-closed", sentence)
        person = owner_of(tx, round_id)
        words = [word for (word,) in tx.all(CHOICES, {"round": round_id})]
        free = free_stake_of(tx, round_id)
        last_number = tx.value(LAST_ACT, {"round": round_id})
        number = last_number + 1 if last_number is not None else 0
        voided = self._voided(tx, stored, words, reason, number)
        balance, moves = _give_back(tx, person, stored, voided, free)
        record(tx, f"{round_id}:void", round_id, moves)
        change = {"all_staked": stored.staked, "new_state": VOID, "all_returned": voided.returned, "at": tx.now}
        tx.run(UPDATE_ROUND, {"round": round_id, **change, "new_log": voided.log, "new_result": voided.result})
        tx.run(DELETE_SITTING, {"round": round_id})
        event = {"by": by, "round": round_id, "act": number, "player": person.id, "reason": reason, "balance": balance}
        place = tx.seal("void", {**event, "transfers": moves})
        key = f"void:{round_id}"
        act = ActRow(round_id, number, person.id, key, "", "void", reason, tx.now, 0, balance, *place)
        tx.queue_row(INSERT_ACT, act)
        self.guard.note_void(tx, person.id, sum(move.amount for move in moves if move.credit == person.account))
        return person.id

    def _voided(self, tx: Tx, stored: StoredRound, words: list[str], reason: str, acts_made: int) -> "_Voided":
        """What a voided round comes to; under rules no longer in force it has no log."""
        try:
            stream, _ = stream_of(tx, stored.stream_id)
            state = self.play_from(stored, stream, words, None, void=reason)
        except Refused as refused:
            if refused.code != "other-rules":
                raise
            seats: list[dict[str, int]] = msgspec.json.decode(stored.seats)
            result = [{name: {"stake": s, "returned": s, "row": VOID} for name, s in seat.items()} for seat in seats]
            decided, paid = paid_so_far(tx, stored.id, acts_made)
            return _Voided(None, json_text(result), decided, stored.staked - decided + paid)
        log = log_of(stored.variant, words, state, None, void=reason)
        undecided, _ = state.last_decided()
        return _Voided(json_text(log), json_text(state.wagers), stored.staked - undecided, state.returned)


class _Voided(NamedTuple):
    """A voided round: its log and result, what of its stakes was decided before, and all that it returns."""

    log: str | None
    result: str
    decided: int
    returned: int


def _give_back(
    tx: WriteTx, person: Person, stored: StoredRound, voided: _Voided, free: FreeStake | None
) -> tuple[int, list[Transfer]]:
    """What a voided round gives back, as transfers, and the balance after them.

    An operator's wallet gets its bets rolled back. Where wagers were decided, which it is not paid for before the end,
    it gets all that the round returns as the round's one win instead.
    """
    if free is not None:
        return _give_free_back(tx, person, stored, voided, free)
    undecided = stored.staked - voided.decided
    moves = [Transfer("refund", HELD, person.account, undecided)] if undecided else []
    if person.wallet == HOUSE_WALLET:
        return change_balance(tx, person.account, 0, undecided), moves
    if not voided.decided:
        return roll_back_round(tx, person.id, stored.id, stored.staked), moves
    balance = purse_of(tx, person.id).balance + voided.returned
    add_win(tx, person.id, stored.id, stored.game, voided.returned, balance)
    return balance, [*moves, *deciding_moves(person.account, voided.decided, voided.returned - undecided)]


def _give_free_back(
    tx: WriteTx, person: Person, stored: StoredRound, voided: _Voided, free: FreeStake
) -> tuple[int, list[Transfer]]:
    """The same for a round on a free bet, of which nothing is paid before it is over."""
    own = own_money_of(free, stored.staked, stored.seats, voided.result)
    if own.returned == own.staked:
        moves = [Transfer("refund", HELD, person.account, own.staked)] if own.staked else []
    else:
        moves = deciding_moves(person.account, own.staked, own.returned)
    balance = change_balance(tx, person.account, 0, own.returned)
    return balance, [*moves, *book_free_stake(tx, stored.id, person.id, free, own, voided.returned, False)]


def owner_of(tx: Tx, round_id: str) -> Person:
    """The player of a round, who need not be signed in."""
    player_id = str(tx.value(_OWNER, {"round": round_id}) or "")
    wallet = tx.value(_WALLET, {"player": player_id}) or HOUSE_WALLET
    return Person(player_id, "", False, wallet, 0, "")


def run_each(tx: WriteTx, players: Sequence[str | None], run: Callable[[int], RoundView]) -> list[Any]:
    """Run one command for each of these players; a second command of the same player is deferred.

    What a refused command has queued is dropped.
    """
    answers: list[Any] = []
    done: set[str] = set()
    for place, player_id in enumerate(players):
        if player_id in done:
            answers.append(DEFER)
            continue
        mark = tx.mark
        try:
            answers.append(run(place))
            if player_id is not None:
                done.add(player_id)
        except (Refused, RunInstead) as other:
            tx.back_to(mark)
            answers.append(other)
    return answers
