"""The pit: rounds are opened, played on, closed and voided here, each act in one transaction with its money.

A round is stored as its log: the bets, the nonce its cards come from, and its choices (`acts`). Whatever else is asked
is found by replaying it, so a request that is repeated is answered with what it brought the first time.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from pairhouse.core.errors import Refused, shown
from pairhouse.core.game import AcceptedSeats, Variant
from pairhouse.core.meter import Meter
from pairhouse.house.bank import HELD, Transfer, add_to_balance, change_balance, jackpot_move, moves_of, record
from pairhouse.house.bet_context import BetContext, bet_context_in, read_bet_contexts
from pairhouse.house.choice_context import ChoiceContext, choice_context_in, read_choice_contexts
from pairhouse.house.commands import Act, Bet, Choice, MoneyElsewhere, RoundOpen, check_commitment, key_reused
from pairhouse.house.floor import OpenTable, read_table
from pairhouse.house.meters import read_meter, write_meter
from pairhouse.house.people import HOUSE_WALLET, Person
from pairhouse.house.recall import CHOICES, LAST_ACT, ROUND, Recall, StoredRound, no_such_round
from pairhouse.house.seats import Deal, Dealer, proof_of, shoe_of, stream_of
from pairhouse.house.store.database import Tx
from pairhouse.house.store.ids import new_id
from pairhouse.house.store.schema import acts, players, rounds, seated, sittings
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.writer import DEFER, Batched, RunInstead
from pairhouse.house.wallet_calls import add_win, roll_back_round
from pairhouse.machines.events import Replay
from pairhouse.machines.replay import replay
from pairhouse.rounds.fairness import check_client_seed
from pairhouse.rounds.round_log import Round
from pairhouse.rounds.round_view import (
    OPEN,
    SETTLED,
    VOID,
    RoundView,
    log_of,
    view_of,
)

_encode = msgspec.json.Encoder().encode
_INSERT_ROUND = insert(rounds)
_INSERT_SEATED = insert(seated)
_INSERT_ACT = insert(acts)
_SIT_DOWN = insert(sittings)
_STAND_UP = delete(sittings).where(sittings.c.round_id == bindparam("round"))
_ACT_BY_KEY = select(acts.c.round_id, acts.c.number, acts.c.body_hash, acts.c.balance, acts.c.at).where(
    acts.c.player_id == bindparam("player"), acts.c.key == bindparam("act_key")
)
_OWNER = select(acts.c.player_id).where(acts.c.round_id == bindparam("round"), acts.c.number == 0)
_PLAY_ON = (
    update(rounds)
    .where(rounds.c.id == bindparam("round"))
    .values(
        staked=bindparam("all_staked"),
        state=bindparam("new_state"),
        returned=bindparam("all_returned"),
        closed_at=bindparam("at"),
        log=bindparam("new_log"),
        result=bindparam("new_result"),
    )
)
_WALLET = select(players.c.wallet).where(players.c.id == bindparam("player"))


class Pit(Recall):
    """Plays rounds. It keeps nothing of its own but what can be found again from the books."""

    def __init__(self, dealer: Dealer) -> None:
        super().__init__(dealer)
        self._tables: dict[tuple[str, tuple[int, str]], OpenTable] = {}

    def open_round(self, tx: WriteTx, token_hash: str, bet: Bet) -> RoundView:
        """Take the bets, deal, and settle at once where the game asks nothing."""
        view: RoundView = self.betting(token_hash, bet)(tx)
        return view

    def betting(self, token_hash: str, bet: Bet) -> Batched:
        """The same as a command, which goes in one sweep with the bets of others."""
        return Batched(self.open_rounds, (token_hash, bet))

    def open_rounds(self, tx: WriteTx, asked: Sequence[tuple[str, Bet]]) -> list[Any]:
        """What comes of each of these bets, by the hash of its player's token. A second one of a player waits."""
        rows = read_bet_contexts(tx, [(token_hash, bet.table, bet.key) for token_hash, bet in asked])

        def do(place: int) -> RoundView:
            token_hash, bet = asked[place]
            arrival = bet_context_in(tx, rows[place], token_hash, bet.table)
            self._check_new(arrival, bet)
            return self.open_for(tx, arrival, bet)

        return in_turn(tx, [row[1] for row in rows], do)

    def open_for(self, tx: WriteTx, arrival: BetContext, bet: Bet) -> RoundView:
        """Take a bet whose key is new, and deal. Nothing is read any more but a meter, and all is written later."""
        person, table = arrival.person, self.open_table(tx, arrival, bet)
        variant = table.house.variant
        seats = self.accepted(table, bet.seats)
        client_seed = check_client_seed(bet.client_seed)
        if arrival.open_round is not None:
            raise RoundOpen(arrival.open_round)
        stream = arrival.seat(table.id)
        check_commitment(bet, stream)
        round_id = bet.round_id or new_id(tx.now)
        meter = read_meter(tx, table.id, variant)
        deal = self.dealer.deal(tx, stream, arrival.shoe, variant, client_seed)
        cards = deal.order.after(deal.first_card) if deal.first_card else deal.order
        state = replay(variant, cards, seats, meter=meter)
        shoe = self.dealer.used(tx, deal, state.cards_used)
        act = Act(round_id, 0, person, bet, "open", "", arrival.balance)
        balance = self._book(tx, act, table.id, meter, state, state.staked, dealt_as(variant, deal, seats))
        log = log_of(variant, [], state, meter)
        self._insert(tx, person, table, deal, state, log, round_id)
        if not state.is_over:
            tx.later(_SIT_DOWN, {"player_id": person.id, "table_id": table.id, "round_id": round_id})
        return view_of(
            tx.now, round_id, table.id, state, log, balance, proof_of(variant, deal, state), shoe=shoe_of(deal, shoe)
        )

    def open_table(self, tx: Tx, arrival: BetContext, bet: Bet) -> OpenTable:
        """The table of a bet, if it is open and deals the game that is meant."""
        version = arrival.table_version
        table = self._tables.get((bet.table, version))
        if table is None:
            table = self._tables[bet.table, version] = read_table(tx, bet.table)
        if not arrival.is_open:
            raise Refused("table-closed", f"table {bet.table} is closed; choose another")
        if bet.game is not None and bet.game != table.house.variant.game.id:
            sentence = f"table {bet.table} deals {table.house.variant.game.id}, not {shown(bet.game)}"
            raise Refused("other-game", sentence)
        return table

    def accepted(self, table: OpenTable, seats: Sequence[Mapping[str, int]]) -> AcceptedSeats:
        """The stakes of a bet, if the table takes them."""
        game = table.house.variant.game
        if not 1 <= len(seats) <= game.seats_per_player:
            sentence = f"{len(seats)} seats were given; {game.name} gives a player 1 to {game.seats_per_player}"
            raise Refused("bad-seats", sentence)
        return table.house.accept(seats)

    def _insert(
        self, tx: WriteTx, person: Person, table: OpenTable, deal: Deal, state: Replay, log: Round | None, round_id: str
    ) -> None:
        variant, seats, is_over = state.variant, state.stakes, state.is_over
        row = (  # in the order of its columns
            round_id,
            table.id,
            table.version,
            variant.game.id,
            _options_text(variant),
            variant.rules_hash,
            deal.stream.id,
            deal.nonce,
            _text([deal.client_seed]),
            deal.first_card,
            _text(seats),
            None,  # the meter: what it showed is in the log
            SETTLED if is_over else OPEN,
            tx.now,
            tx.now if is_over else None,
            state.staked,
            state.returned if is_over else None,
            _text(log) if log is not None else None,
            _text(state.wagers) if is_over else None,
        )
        tx.add(_INSERT_ROUND, row)
        tx.add(_INSERT_SEATED, (person.id, round_id, _numbers_text(len(seats)), variant.game.id))

    def choose(self, tx: WriteTx, token_hash: str, choice: Choice) -> RoundView:
        """Answer what the round asks; a further stake is taken with it, or nothing happens."""
        view: RoundView = self.choosing(token_hash, choice)(tx)
        return view

    def choosing(self, token_hash: str, choice: Choice) -> Batched:
        """The same as a command, which goes in one sweep with the choices of others."""
        return Batched(self.choose_all, (token_hash, choice))

    def choose_all(self, tx: WriteTx, asked: Sequence[tuple[str, Choice]]) -> list[Any]:
        """What comes of each of these choices, by the hash of its player's token. A second one of a player waits."""
        found = read_choice_contexts(tx, asked)
        players = [row[1] for row, _ in found]

        def do(place: int) -> RoundView:
            token_hash, choice = asked[place]
            turn = choice_context_in(tx, found[place], token_hash, choice)
            self._check_new(turn, choice)
            return self.choose_for(tx, turn, choice)

        return in_turn(tx, players, do)

    def _check_new(self, asking: BetContext | ChoiceContext, deed: Bet | Choice) -> None:
        """The money is here and the key is new; a key that is known has its answer already."""
        person = asking.person
        if person.wallet != HOUSE_WALLET:
            raise MoneyElsewhere(person.wallet)
        if asking.known_key:
            raise RunInstead(self._as_before(person.id, deed.key, deed.body_hash, key_reused()))

    def choose_for(self, tx: WriteTx, turn: ChoiceContext, choice: Choice) -> RoundView:
        """Make a choice whose key is new. Nothing is read any more but a meter, and all is written later."""
        turn.check(choice)
        stored, variant = turn.stored, turn.stored.variant
        meter = read_meter(tx, stored.table_id, variant)
        made = [*turn.choices, choice.word]
        state = self.play_from(stored, turn.stream, made, meter)
        act = Act(stored.id, len(made), turn.person, choice, "choice", choice.word, turn.balance)
        balance = self._book(tx, act, stored.table_id, meter, state, state.staked - stored.staked)
        log = log_of(variant, made, state, meter)
        self._close_or_go_on(tx, stored.id, state, log)
        return view_of(
            stored.opened_at, stored.id, stored.table_id, state, log, balance, self.proof(stored, turn.stream, state),
            closed_at=tx.now, choices=made,
        )  # fmt: skip

    def _close_or_go_on(self, tx: WriteTx, round_id: str, state: Replay, log: Round | None) -> None:
        is_over = state.is_over
        change = {
            "round": round_id,
            "all_staked": state.staked,
            "new_state": SETTLED if is_over else OPEN,
            "all_returned": state.returned if is_over else None,
            "at": tx.now if is_over else None,
            "new_log": _text(log) if log is not None else None,
            "new_result": _text(state.wagers) if is_over else None,
        }
        tx.later(_PLAY_ON, change)
        if is_over:
            tx.later(_STAND_UP, {"round": round_id})

    def void(self, tx: WriteTx, by: str, round_id: str, reason: str) -> str:
        """Call an open round off: every stake made so far goes back, once. Who was paid back."""
        row = tx.one(ROUND, {"round": round_id})
        if row is None:
            raise no_such_round(round_id)
        stored = StoredRound._make(row)
        if stored.state != OPEN:
            sentence = f"the round is {stored.state}; what is closed stays, and a correction is a new entry"
            raise Refused("round-closed", sentence)
        owner = str((tx.one(_OWNER, {"round": round_id}) or [""])[0])
        wallet = tx.one(_WALLET, {"player": owner})
        person = Person(owner, "", False, wallet[0] if wallet else HOUSE_WALLET, 0, "")
        choices = [word for (word,) in tx.all(CHOICES, {"round": round_id})]
        log, results = self._voided(tx, stored, choices, reason)
        if person.wallet == HOUSE_WALLET:
            balance = change_balance(tx, person.account, 0, stored.staked)
        else:
            balance = roll_back_round(tx, owner, round_id, stored.staked)
        moves = [Transfer("refund", HELD, person.account, stored.staked)]
        record(tx, f"{round_id}:void", round_id, moves)
        last = tx.one(LAST_ACT, {"round": round_id})
        number = int(last[0]) + 1 if last else 0
        act = {"round_id": round_id, "number": number, "player_id": owner, "key": f"void:{round_id}", "body_hash": ""}
        act |= {"kind": "void", "word": reason, "at": tx.now, "staked": 0, "balance": balance}
        tx.run(_INSERT_ACT, act)
        done = {"all_staked": stored.staked, "new_state": VOID, "all_returned": stored.staked, "at": tx.now}
        tx.run(_PLAY_ON, {"round": round_id, **done, "new_log": log, "new_result": results})
        tx.run(_STAND_UP, {"round": round_id})
        told = {"by": by, "round": round_id, "act": number, "player": owner, "reason": reason, "balance": balance}
        tx.seal("void", {**told, "transfers": moves})
        return owner

    def _voided(self, tx: Tx, stored: StoredRound, choices: list[str], reason: str) -> tuple[str | None, str]:
        """Log and result of a voided round; under rules no longer in force it has a result only."""
        seats: list[dict[str, int]] = msgspec.json.decode(stored.seats)
        try:
            stream, _ = stream_of(tx, stored.stream_id)
            state = self.play_from(stored, stream, choices, None, void=reason)
        except Refused as refused:
            if refused.code != "other-rules":
                raise
            plain = [{name: {"stake": s, "returned": s, "row": VOID} for name, s in seat.items()} for seat in seats]
            return None, _text(plain)
        log = log_of(stored.variant, choices, state, None, void=reason)
        return _text(log), _text(state.wagers)

    def _book(
        self,
        tx: WriteTx,
        act: Act,
        table_id: str,
        meter: Meter | None,
        state: Replay,
        staked: int,
        dealt: Mapping[str, Any] | None = None,
    ) -> int:
        """Move the money of an act, write it down and seal it; the balance after it."""
        round_id, number, person, deed, kind, word, had = act
        purse, is_over = person.account, state.is_over
        back = state.returned if is_over else 0
        if person.wallet == HOUSE_WALLET:
            balance = add_to_balance(tx, purse, had, staked, back - staked)
        else:
            balance = (deed.outside_balance or 0) + back
            if is_over:
                add_win(tx, person.id, round_id, state.variant.game.id, back, balance)
        row = (round_id, number, person.id, deed.key, deed.body_hash, kind, word, tx.now, staked, balance)
        tx.add(_INSERT_ACT, row)
        jackpot: list[Transfer] = []
        if is_over and meter is not None and state.meter is not None:
            write_meter(tx, table_id, state.meter)
            before, after = meter.amount + meter.reserve, state.meter.amount + state.meter.reserve
            jackpot = jackpot_move(table_id, before, after)
        moves = moves_of(purse, staked, (state.staked, back) if is_over else None, *jackpot)
        record(tx, f"{round_id}:{number}", round_id, moves)
        told = {
            "round": round_id,
            "act": number,
            "word": word,
            "player": person.id,
            "table": table_id,
            "key": deed.key,
            "body": deed.body_hash,
            "balance": balance,
            "transfers": moves,
            **(dealt or {}),
        }
        if is_over:
            told["result"] = state.wagers
        tx.seal(kind, told)
        return balance

    def _as_before(self, player_id: str, key: str, body_hash: str, refused: Refused) -> Any:
        """The answer this key had the first time; if it is new, the refusal stands."""

        def answer(tx: WriteTx) -> RoundView:
            row = tx.one(_ACT_BY_KEY, {"player": player_id, "act_key": key})
            if row is None:
                raise refused
            round_id, number, stored_hash, balance, at = row
            if stored_hash != body_hash:
                raise key_reused()
            return self.view_after(tx, self.find(tx, round_id, player_id), number, balance, at)

        return answer


def in_turn(tx: WriteTx, players: Sequence[str | None], do: Callable[[int], RoundView]) -> list[Any]:
    """Do a deed for each of these players; whatever one of them decided to write is dropped when it is refused.

    A deed that is alone has a savepoint of its own, which also takes back what it has written.
    """
    answers: list[Any] = []
    busy: set[str] = set()
    for place, player_id in enumerate(players):
        if player_id in busy:
            answers.append(DEFER)
            continue
        mark = tx.mark
        try:
            answers.append(do(place))
            if player_id is not None:
                busy.add(player_id)
        except (Refused, RunInstead) as other:
            if len(players) > 1:
                tx.back_to(mark)
            answers.append(other)
    return answers


def _text(value: Any) -> str:
    return _encode(value).decode()


def dealt_as(variant: Variant, deal: Deal, seats: list[dict[str, int]]) -> dict[str, Any]:
    """What is sealed of a bet: the rules, the stakes, and which cards it will be dealt, whoever changes a row later."""
    return {
        "stream": deal.stream.id,
        "nonce": deal.nonce,
        "first_card": deal.first_card,
        "rules": variant.rules_hash,
        "client_seeds": [deal.client_seed],
        "seats": seats,
    }


@cache
def _numbers_text(seats: int) -> str:
    return _text(list(range(1, seats + 1)))


@lru_cache(maxsize=512)
def _options_text(variant: Variant) -> str:
    return _text(dict(variant.options))
