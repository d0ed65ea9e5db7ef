"""The pit: rounds are opened, played on, closed and voided here, each act in one transaction with its money.

A round is stored as its log: the bets, the nonce its cards come from, and its choices (`acts`). Whatever else is asked
is found by replaying it, so a request that is repeated is answered with what it brought the first time.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from pairhouse.casino.answers import (
    OPEN,
    SETTLED,
    VOID,
    RoundView,
    log_of,
    proof_of,
    results_of,
    shoe_of,
    view_of,
)
from pairhouse.casino.arrivals import Arrival, arrival_in, read_arrivals
from pairhouse.casino.bank import HELD, Transfer, add_to_balance, change_balance, jackpot_move, moves_of, record
from pairhouse.casino.calls import add_win, roll_back_round
from pairhouse.casino.fairness import check_client_seed
from pairhouse.casino.floor import OpenTable, read_table
from pairhouse.casino.meters import read_meter, write_meter
from pairhouse.casino.people import HOUSE_WALLET, Person, person_of
from pairhouse.casino.recall import CHOICES, LAST_ACT, ROUND, Recall, StoredRound, no_such_round
from pairhouse.casino.rounds import Round
from pairhouse.casino.seats import Deal, Dealer, StreamRow
from pairhouse.casino.store.database import InsertNew, Tx
from pairhouse.casino.store.ids import new_id
from pairhouse.casino.store.schema import acts, players, rounds, seated, sittings
from pairhouse.casino.store.writer import LATER, Instead, Swept, WriteTx
from pairhouse.core.errors import Refused, shown
from pairhouse.core.game import AcceptedSeats, Variant
from pairhouse.core.meter import Meter
from pairhouse.machines.events import Replay
from pairhouse.machines.replay import replay

_INSERT_ROUND = insert(rounds)
_INSERT_SEATED = insert(seated)
_OPENING_ACT = insert(acts)
_INSERT_ACT = InsertNew(acts)
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


class Bet(msgspec.Struct, frozen=True, kw_only=True):
    """What a player puts down at a table, with the key that makes it one deed however often it arrives."""

    table: str
    seats: list[dict[str, int]]
    client_seed: str
    key: str
    body_hash: str
    commitment: str | None = None
    game: str | None = None
    round_id: str | None = None
    outside_balance: int | None = None


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to what a round asks. `number` counts the choices before it, so that none is taken for another."""

    round_id: str
    word: str
    number: int
    key: str
    body_hash: str
    outside_balance: int | None = None


class Pit(Recall):
    """Plays rounds. It keeps nothing of its own but what can be found again from the books."""

    def __init__(self, dealer: Dealer) -> None:
        super().__init__(dealer)
        self._tables: dict[tuple[str, int], OpenTable] = {}

    def open_round(self, tx: WriteTx, token_hash: str, bet: Bet) -> RoundView:
        """Take the bets, deal, and settle at once where the game asks nothing."""
        view: RoundView = self.betting(token_hash, bet)(tx)
        return view

    def betting(self, token_hash: str, bet: Bet) -> Swept:
        """The same as a command, which goes in one sweep with the bets of others."""
        return Swept(self.open_rounds, (token_hash, bet))

    def open_rounds(self, tx: WriteTx, asked: Sequence[tuple[str, Bet]]) -> list[Any]:
        """What comes of each of these bets, by the hash of its player's token. A second bet of one player waits."""
        answers = []
        busy: set[str] = set()
        rows = read_arrivals(tx, [(token_hash, bet.table, bet.key) for token_hash, bet in asked])
        for (token_hash, bet), row in zip(asked, rows, strict=True):
            if row[1] in busy:
                answers.append(LATER)
                continue
            busy.add(row[1])
            mark = tx.mark
            try:
                answers.append(self._open_or_answer(tx, arrival_in(tx, row, token_hash, bet.table), bet))
            except (Refused, Instead) as other:
                tx.back_to(mark)
                answers.append(other)
        return answers

    def _open_or_answer(self, tx: WriteTx, arrival: Arrival, bet: Bet) -> RoundView:
        person = arrival.person
        if person.wallet != HOUSE_WALLET:
            raise MoneyElsewhere(person.wallet)
        if arrival.known_key:
            raise Instead(self._as_before(person.id, bet.key, bet.body_hash, key_reused()))
        return self.open_for(tx, arrival, bet)

    def open_for(self, tx: WriteTx, arrival: Arrival, bet: Bet) -> RoundView:
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
        act = _Act(round_id, 0, person, bet.key, bet.body_hash, "open", "", bet.outside_balance, arrival.balance)
        results = results_of(state) if state.is_over else None
        balance = self._book(tx, act, table.id, meter, state, state.staked, results, dealt_as(variant, deal, seats))
        log = log_of(variant, seats, [], cards, state, meter)
        self._insert(tx, person, table, deal, seats, state, log, results, round_id)
        if not state.is_over:
            tx.later(_SIT_DOWN, {"player_id": person.id, "table_id": table.id, "round_id": round_id})
        return view_of(
            tx.now, round_id, table.id, state, log, balance, proof_of(variant, deal, state), shoe=shoe_of(deal, shoe)
        )

    def open_table(self, tx: Tx, arrival: Arrival, bet: Bet) -> OpenTable:
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
        self,
        tx: WriteTx,
        person: Person,
        table: OpenTable,
        deal: Deal,
        seats: list[dict[str, int]],
        state: Replay,
        log: Round | None,
        results: Any,
        round_id: str,
    ) -> None:
        variant = table.house.variant
        row = {
            "id": round_id,
            "table_id": table.id,
            "table_version": table.version,
            "game": variant.game.id,
            "options": _options_text(variant),
            "rules_hash": variant.rules_hash,
            "stream_id": deal.stream.id,
            "nonce": deal.nonce,
            "client_seeds": _text([deal.client_seed]),
            "first_card": deal.first_card,
            "seats": _text(seats),
            "meter": None,
            "state": SETTLED if state.is_over else OPEN,
            "opened_at": tx.now,
            "closed_at": tx.now if state.is_over else None,
            "staked": state.staked,
            "returned": state.returned if state.is_over else None,
            "log": _text(log) if log is not None else None,
            "result": _text(results) if results is not None else None,
        }
        tx.later(_INSERT_ROUND, row)
        numbers = "[" + ",".join(str(number) for number in range(1, len(seats) + 1)) + "]"
        mine = {"player_id": person.id, "round_id": round_id, "seats": numbers, "game": variant.game.id}
        tx.later(_INSERT_SEATED, mine)

    def choose(self, tx: WriteTx, token_hash: str, choice: Choice) -> RoundView:
        """Answer what the round asks; a further stake is taken with it, or nothing happens."""
        person = person_of(tx, token_hash, tx.now)
        if person.wallet != HOUSE_WALLET:
            raise MoneyElsewhere(person.wallet)
        try:
            return self._choose(tx, person, choice)
        except Refused as refused:
            raise Instead(self._as_before(person.id, choice.key, choice.body_hash, refused)) from None

    def _choose(self, tx: WriteTx, person: Person, choice: Choice) -> RoundView:
        stored = self.find(tx, choice.round_id, person.id)
        choices = self._check_turn(tx, stored, choice)
        variant = stored.variant
        meter = read_meter(tx, stored.table_id, variant)
        before = self.play_from(tx, stored, choices, meter).staked
        made = [*choices, choice.word]
        state = self.play_from(tx, stored, made, meter)
        act = _Act(
            stored.id, len(made), person, choice.key, choice.body_hash, "choice", choice.word, choice.outside_balance
        )
        results = results_of(state) if state.is_over else None
        balance = self._book(tx, act, stored.table_id, meter, state, state.staked - before, results)
        log = log_of(variant, state.stakes, made, self.cards_of(tx, stored), state, meter)
        self._close_or_go_on(tx, stored.id, state, log, results)
        return view_of(
            stored.opened_at, stored.id, stored.table_id, state, log, balance, self.proof(tx, stored, state),
            closed_at=tx.now, choices=made,
        )  # fmt: skip

    def _check_turn(self, tx: Tx, stored: StoredRound, choice: Choice) -> list[str]:
        if stored.state != OPEN:
            raise Refused("round-closed", f"the round is {stored.state}; it asks nothing any more")
        choices = [row[0] for row in tx.all(CHOICES, {"round": stored.id})]
        if choice.number != len(choices):
            given = f"choice number {choice.number} was given, but {len(choices)} choices were made so far"
            raise Refused("out-of-turn", f"{given}; look at the round again, then choose")
        return choices

    def _close_or_go_on(self, tx: WriteTx, round_id: str, state: Replay, log: Round | None, results: Any) -> None:
        is_over = state.is_over
        change = {
            "round": round_id,
            "all_staked": state.staked,
            "new_state": SETTLED if is_over else OPEN,
            "all_returned": state.returned if is_over else None,
            "at": tx.now if is_over else None,
            "new_log": _text(log) if log is not None else None,
            "new_result": _text(results) if results is not None else None,
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
        sealed = record(tx, f"{round_id}:void", round_id, moves)
        last = tx.one(LAST_ACT, {"round": round_id})
        number = int(last[0]) + 1 if last else 0
        act = {"round_id": round_id, "number": number, "player_id": owner, "key": f"void:{round_id}", "body_hash": ""}
        act |= {"kind": "void", "word": reason, "at": tx.now, "staked": 0, "balance": balance}
        tx.run(_INSERT_ACT, act)
        done = {"all_staked": stored.staked, "new_state": VOID, "all_returned": stored.staked, "at": tx.now}
        tx.run(_PLAY_ON, {"round": round_id, **done, "new_log": log, "new_result": results})
        tx.run(_STAND_UP, {"round": round_id})
        told = {"by": by, "round": round_id, "act": number, "player": owner, "reason": reason, "balance": balance}
        tx.seal("void", {**told, "transfers": sealed})
        return owner

    def _voided(self, tx: Tx, stored: StoredRound, choices: list[str], reason: str) -> tuple[str | None, str]:
        """Log and result of a voided round; under rules no longer in force it has a result only."""
        seats: list[dict[str, int]] = msgspec.json.decode(stored.seats)
        try:
            state = self.play_from(tx, stored, choices, None, void=reason)
        except Refused as refused:
            if refused.code != "other-rules":
                raise
            plain = [{name: {"stake": s, "returned": s, "row": VOID} for name, s in seat.items()} for seat in seats]
            return None, _text(plain)
        log = log_of(stored.variant, seats, choices, self.cards_of(tx, stored), state, None, void=reason)
        return _text(log), _text(results_of(state))

    def _book(
        self,
        tx: WriteTx,
        act: "_Act",
        table_id: str,
        meter: Meter | None,
        state: Replay,
        staked: int,
        results: Any,
        dealt: Mapping[str, Any] | None = None,
    ) -> int:
        """Move the money of an act, write it down and seal it; the balance after it."""
        person = act.person
        closed = (state.staked, state.returned) if state.is_over else None
        if person.wallet == HOUSE_WALLET:
            back = closed[1] if closed else 0
            needed, change = staked, back - staked
            if act.known_balance is not None:
                balance = add_to_balance(tx, person.account, act.known_balance, needed, change)
            else:
                balance = change_balance(tx, person.account, needed, change)
        else:
            balance = (act.outside_balance or 0) + (closed[1] if closed else 0)
            if closed:
                add_win(tx, person.id, act.round_id, state.variant.game.id, closed[1], balance)
        row = {"round_id": act.round_id, "number": act.number, "player_id": person.id, "key": act.key}
        row |= {"body_hash": act.body_hash, "kind": act.kind, "word": act.word, "at": tx.now, "staked": staked}
        if act.number == 0:
            tx.later(_OPENING_ACT, {**row, "balance": balance})
        elif not tx.run(_INSERT_ACT, {**row, "balance": balance}):
            raise key_reused()
        jackpot: list[Transfer] = []
        if closed and meter is not None and state.meter is not None:
            write_meter(tx, table_id, state.meter)
            before, after = meter.amount + meter.reserve, state.meter.amount + state.meter.reserve
            jackpot = jackpot_move(table_id, before, after)
        moves = moves_of(person.account, staked, closed, *jackpot)
        sealed = record(tx, f"{act.round_id}:{act.number}", act.round_id, moves)
        told = {"round": act.round_id, "act": act.number, "word": act.word, "player": person.id, "table": table_id}
        told |= {"key": act.key, "body": act.body_hash, "balance": balance, **(dealt or {})}
        if closed:
            told["result"] = results
        tx.seal(act.kind, {**told, "transfers": sealed})
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


class _Act(NamedTuple):
    """One deed of a player in a round."""

    round_id: str
    number: int
    person: Person
    key: str
    body_hash: str
    kind: str
    word: str
    outside_balance: int | None
    known_balance: int | None = None


class RoundOpen(Refused):
    """A round is open already; its id brings the player back to it."""

    def __init__(self, round_id: str) -> None:
        super().__init__("round-open", "a round is open at this table; play it to its end first")
        self.round_id = round_id


class MoneyElsewhere(Refused):
    """The player's money is not here: the wallet it is in must be asked first."""

    def __init__(self, wallet: str) -> None:
        super().__init__("money-elsewhere", f"the money of this player is kept by {wallet}, which must be asked first")
        self.wallet = wallet


def key_reused() -> Refused:
    return Refused("key-reused", "this key was used for another request; give each request a key of its own")


def check_commitment(bet: Bet, stream: StreamRow) -> None:
    """A bet may name the commitment it was made on; it stands under no other."""
    if bet.commitment is not None and bet.commitment != stream.commitment:
        sentence = f"the bet was made on commitment {bet.commitment[:12]}; in force is {stream.commitment}"
        raise Refused("other-commitment", sentence)


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def dealt_as(variant: Variant, deal: Deal, seats: list[dict[str, int]]) -> dict[str, Any]:
    """What is sealed of a bet: the rules, the stakes, and which cards it will be dealt, whoever changes a row later."""
    where = {"stream": deal.stream.id, "nonce": deal.nonce, "first_card": deal.first_card}
    return where | {"rules": variant.rules_hash, "client_seeds": [deal.client_seed], "seats": seats}


@lru_cache(maxsize=512)
def _options_text(variant: Variant) -> str:
    return _text(dict(variant.options))
