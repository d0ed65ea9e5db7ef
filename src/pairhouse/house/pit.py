"""The pit: rounds are opened, played on, closed and voided here, each act in one transaction with its money.

A round is stored as its log: the bets, the nonce of its shuffle, and its choices (`acts`). Everything else is found by
replaying it, so a request that is repeated gets the same answer as the first time.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import bindparam, select

from pairhouse.core.errors import Refused, shown
from pairhouse.core.game import AcceptedSeats
from pairhouse.house.bank import HELD, Transfer, change_balance, record
from pairhouse.house.bet_context import BET_PLAYER_ID, BetContext, bet_context_in, read_bet_contexts
from pairhouse.house.booking import (
    DELETE_SITTING,
    INSERT_ACT,
    UPDATE_ROUND,
    Act,
    book_act,
    deal_event,
    insert_round,
    json_text,
    update_round,
)
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
from pairhouse.house.dealer import Dealer, proof_of, shoe_of, stream_of
from pairhouse.house.floor import FloorTable, read_table
from pairhouse.house.meters import read_meter
from pairhouse.house.people import HOUSE_WALLET, Person
from pairhouse.house.recall import CHOICES, LAST_ACT, ROUND, Recall, StoredRound, no_such_round
from pairhouse.house.store.database import Tx
from pairhouse.house.store.ids import new_id
from pairhouse.house.store.rows import ActRow
from pairhouse.house.store.schema import acts, players
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.writer import DEFER, Batched, RunInstead
from pairhouse.house.wallet_calls import roll_back_round
from pairhouse.machines.replay import replay
from pairhouse.rounds.fairness import check_client_seed
from pairhouse.rounds.round_view import OPEN, VOID, RoundView, log_of, view_of

_ACT_BY_KEY = select(acts.c.round_id, acts.c.number, acts.c.body_hash, acts.c.balance, acts.c.at).where(
    acts.c.player_id == bindparam("player"), acts.c.key == bindparam("act_key")
)
_OWNER = select(acts.c.player_id).where(acts.c.round_id == bindparam("round"), acts.c.number == 0)
_WALLET = select(players.c.wallet).where(players.c.id == bindparam("player"))


class Pit(Recall):
    """Plays rounds. It caches the tables in use and holds no other state of its own."""

    def __init__(self, dealer: Dealer) -> None:
        super().__init__(dealer)
        self._tables: dict[tuple[str, tuple[int, str]], FloorTable] = {}

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
        seats = self.accepted(table, bet.seats)
        client_seed = check_client_seed(bet.client_seed)
        if context.open_round is not None:
            raise RoundOpen(context.open_round)
        stream = context.seat(table.id)
        check_commitment(bet, stream)
        round_id = bet.round_id or new_id(tx.now)
        meter = read_meter(tx, table.id, variant)
        deal = self.dealer.deal(tx, stream, context.shoe, variant, client_seed)
        cards = deal.order.after(deal.first_card) if deal.first_card else deal.order
        state = replay(variant, cards, seats, meter=meter)
        shoe = self.dealer.used(tx, deal, state.cards_used)
        act = Act(round_id, 0, person, bet, "open", "", context.balance)
        balance = book_act(tx, act, table.id, meter, state, state.staked, deal_event(variant, deal, seats))
        log = log_of(variant, [], state, meter)
        insert_round(tx, person, table, deal, state, log, round_id)
        return view_of(
            tx.now, round_id, table.id, state, log, balance, proof_of(variant, deal, state), shoe=shoe_of(deal, shoe)
        )

    def open_table(self, tx: Tx, context: BetContext, bet: RoundBet) -> FloorTable:
        """The table of a bet, if it is open and deals the game that is meant."""
        version = context.table_version
        table = self._tables.get((bet.table, version))
        if table is None:
            table = self._tables[bet.table, version] = read_table(tx, bet.table)
        if not context.is_open:
            raise Refused("table-closed", f"table {bet.table} is closed; choose another")
        game = table.betting.variant.game
        if bet.game is not None and bet.game != game.id:
            raise Refused("other-game", f"table {bet.table} deals {game.id}, not {shown(bet.game)}")
        return table

    def accepted(self, table: FloorTable, seats: Sequence[Mapping[str, int]]) -> AcceptedSeats:
        """The stakes of a bet, if the table accepts them."""
        game = table.betting.variant.game
        if not 1 <= len(seats) <= game.seats_per_player:
            sentence = f"{len(seats)} seats were given; {game.name} gives a player 1 to {game.seats_per_player}"
            raise Refused("bad-seats", sentence)
        return table.betting.accept(seats)

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
        balance = book_act(tx, act, stored.table_id, meter, state, state.staked - stored.staked)
        log = log_of(variant, words, state, meter)
        update_round(tx, stored.id, state, log)
        return view_of(
            stored.opened_at, stored.id, stored.table_id, state, log, balance, self.proof(stored, stream, state),
            closed_at=tx.now, choices=words,
        )  # fmt: skip

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
        return self.view_after(tx, self.find(tx, round_id, player_id), number, balance, at)

    # Voids.

    def void(self, tx: WriteTx, by: str, round_id: str, reason: str) -> str:
        """Call an open round off: every stake made so far goes back, once. The id of the player who was paid back."""
        row = tx.one(ROUND, {"round": round_id})
        if row is None:
            raise no_such_round(round_id)
        stored = StoredRound._make(row)
        if stored.state != OPEN:
            sentence = f"the round is {stored.state}; what is closed stays, and a correction is a new entry"
            raise Refused("round-closed", sentence)
        person = _owner(tx, round_id)
        words = [word for (word,) in tx.all(CHOICES, {"round": round_id})]
        log, result = self._voided(tx, stored, words, reason)
        if person.wallet == HOUSE_WALLET:
            balance = change_balance(tx, person.account, 0, stored.staked)
        else:
            balance = roll_back_round(tx, person.id, round_id, stored.staked)
        moves = [Transfer("refund", HELD, person.account, stored.staked)]
        record(tx, f"{round_id}:void", round_id, moves)
        last_number = tx.value(LAST_ACT, {"round": round_id})
        number = last_number + 1 if last_number is not None else 0
        act = ActRow(round_id, number, person.id, f"void:{round_id}", "", "void", reason, tx.now, 0, balance)
        tx.queue_row(INSERT_ACT, act)
        change = {"all_staked": stored.staked, "new_state": VOID, "all_returned": stored.staked, "at": tx.now}
        tx.run(UPDATE_ROUND, {"round": round_id, **change, "new_log": log, "new_result": result})
        tx.run(DELETE_SITTING, {"round": round_id})
        event = {"by": by, "round": round_id, "act": number, "player": person.id, "reason": reason, "balance": balance}
        tx.seal("void", {**event, "transfers": moves})
        return person.id

    def _voided(self, tx: Tx, stored: StoredRound, words: list[str], reason: str) -> tuple[str | None, str]:
        """Log and result of a voided round; under rules no longer in force it has a result only."""
        try:
            stream, _ = stream_of(tx, stored.stream_id)
            state = self.play_from(stored, stream, words, None, void=reason)
        except Refused as refused:
            if refused.code != "other-rules":
                raise
            seats: list[dict[str, int]] = msgspec.json.decode(stored.seats)
            result = [{name: {"stake": s, "returned": s, "row": VOID} for name, s in seat.items()} for seat in seats]
            return None, json_text(result)
        log = log_of(stored.variant, words, state, None, void=reason)
        return json_text(log), json_text(state.wagers)


def _owner(tx: Tx, round_id: str) -> Person:
    """The player of a round, who need not be signed in."""
    player_id = str(tx.value(_OWNER, {"round": round_id}) or "")
    wallet = tx.value(_WALLET, {"player": player_id}) or HOUSE_WALLET
    return Person(player_id, "", False, wallet, 0, "")


def run_each(tx: WriteTx, players: Sequence[str | None], run: Callable[[int], RoundView]) -> list[Any]:
    """Run one command for each of these players; a second command of the same player is deferred.

    What a refused command has queued is dropped. A command that is alone has a savepoint of its own for that.
    """
    answers: list[Any] = []
    done: set[str] = set()
    for place, player_id in enumerate(players):
        if player_id in done:
            answers.append(DEFER)
            continue
        mark = tx.mark if len(players) > 1 else None
        try:
            answers.append(run(place))
            if player_id is not None:
                done.add(player_id)
        except (Refused, RunInstead) as other:
            if mark is not None:
                tx.back_to(mark)
            answers.append(other)
    return answers
