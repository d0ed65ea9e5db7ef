"""Every round: whose it is, where its cards come from, what it was played to, what it moved, and who sealed it."""

from collections import Counter
from typing import Any

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.shoe import Shoe
from pairhouse.games.catalogue import find
from pairhouse.house.audit.chain_checks import digest, read_event
from pairhouse.house.audit.notebook import Differs, Notebook, same, text
from pairhouse.house.audit.round_rows import ActRow, Move, RoundRow, WholeRound
from pairhouse.house.audit.wallet_call_checks import expect_calls
from pairhouse.house.people import HOUSE_WALLET
from pairhouse.house.store.database import Tx
from pairhouse.house.vault import Vault
from pairhouse.machines.events import Replay
from pairhouse.machines.replay import replay
from pairhouse.rounds.fairness import Order, Stream
from pairhouse.rounds.round_log import Reading, Round, faces
from pairhouse.rounds.round_view import OPEN, SETTLED, VOID


class RoundsCheck:
    """Takes the rounds in the order of their cards, and remembers the stream and the shoe it is in."""

    def __init__(self, tx: Tx, notebook: Notebook, vault: Vault) -> None:
        self.tx = tx
        self.notebook = notebook
        self.vault = vault
        self.count: Counter[str] = Counter()
        self.held = 0
        self.accounts: Counter[str] = Counter()
        self._before: RoundRow | None = None
        self._shoe: Shoe | None = None
        self._order: Order | None = None
        self._seed = b""

    def check(self, whole: WholeRound) -> None:
        """One round; whatever in it cannot even be read is a difference too."""
        row = whole.row
        where = f"round {row.id}"
        try:
            self._check(where, whole)
        except Refused as refused:
            raise Differs(f"{where} does not play as it is written: {refused}") from refused
        except (msgspec.MsgspecError, ValueError, TypeError, KeyError, IndexError, AssertionError) as error:
            raise Differs(f"{where} cannot be read: {error!r}") from error
        self.count["rounds"] += 1
        self.count["acts"] += len(whole.acts)
        self.count["transfers"] += len(whole.moves)
        if row.state == OPEN:
            self.count["open"] += 1
            self.held += row.staked

    def _check(self, where: str, whole: WholeRound) -> None:
        row = whole.row
        self._check_links(where, row)
        self._check_acts(where, whole)
        variant = self._variant(where, row)
        state = None
        if variant is None:
            self.count["other rules"] += 1
            self._check_place(where, row, None)
        else:
            state = self._replayed(where, whole, variant)
            self.count["replayed"] += 1
        self._check_sums(where, row)
        self._check_moves(where, whole, variant, state)
        self._check_events(where, whole)

    def finish(self) -> None:
        """After the last round."""
        self._leave_stream()

    # Whose it is, and under which table it was dealt.

    def _check_links(self, where: str, row: RoundRow) -> None:
        if row.owner is None:
            raise Differs(f"{where} has no act that opens it")
        if row.stream_player is None:
            raise Differs(f"{where} names stream {row.stream_id}; there is no such stream")
        if row.seated_seats is None:
            raise Differs(f"{where} has nobody seated; it should have {row.owner}")
        same(where, "the player of its stream", row.stream_player, row.owner)
        same(where, "the table of its stream", row.stream_table, row.table_id)
        same(where, "the game of its seat", row.seated_game, row.game)
        seats = msgspec.json.decode(row.seats)
        same(where, "the seats of its player", msgspec.json.decode(row.seated_seats), list(range(1, len(seats) + 1)))
        sitting = (row.owner, row.table_id) if row.state == OPEN else (None, None)
        same(f"{where}, which is {row.state}", "its sitting", (row.sitting_player, row.sitting_table), sitting)
        if self.notebook.said("table version", f"{row.table_id}:{row.table_version}") is None:
            raise Differs(
                f"{where} was dealt at version {row.table_version} of table {row.table_id}, which no event tells"
            )
        game, options, _ = msgspec.json.decode(self.notebook.said("table", row.table_id) or "[null,null,null]")
        same(where, "its game", row.game, game)
        same(where, "its options", msgspec.json.decode(row.options), msgspec.json.decode(options))

    def _variant(self, where: str, row: RoundRow) -> Variant | None:
        """The rules it was dealt by, if they are still in force."""
        try:
            variant = find(row.game).variant(msgspec.json.decode(row.options))
        except Refused:
            return None
        return variant if variant.rules_hash == row.rules_hash else None

    # Where its cards come from.

    def _check_place(self, where: str, row: RoundRow, variant: Variant | None) -> None:
        """Nonces follow one another without a gap; so do the cards of a shoe."""
        before = self._before
        if before is None or before.stream_id != row.stream_id:
            self._leave_stream()
            before = None
            if row.sealed_seed is not None:
                self._seed = self.vault.open(bytes(row.sealed_seed), row.stream_id)
        if before is None or before.nonce != row.nonce or row.shoe_rules is None:
            self.count["shoes"] += row.shoe_rules is not None
            same(where, "its nonce", row.nonce, before.nonce + 1 if before is not None else 0)
            self._leave_shoe()
            self._order = None
        if variant is not None and self._order is None:
            seeds = msgspec.json.decode(row.client_seeds)
            self._order = Order(Stream(self._seed, row.game, row.rules_hash, seeds, row.nonce), *variant.pack)
        if variant is not None and variant.game.shoe and self._order is not None:
            self._check_shoe(where, row, variant, self._order)
        elif variant is not None:
            same(where, "its first card", row.first_card, 0)
        self._before = row

    def _check_shoe(self, where: str, row: RoundRow, variant: Variant, order: Order) -> None:
        if row.shoe_rules is None:
            raise Differs(f"{where} was dealt from shoe {row.nonce} of stream {row.stream_id}; there is no such shoe")
        self._shoe = self._shoe or Shoe(order, variant.options["cut_card"])
        same(where, "the rules of its shoe", row.shoe_rules, row.rules_hash)
        same(where, "its client seed", msgspec.json.decode(row.client_seeds), [row.shoe_client_seed])
        same(where, "its first card", row.first_card, self._shoe.dealt)
        if self._shoe.finished:
            raise Differs(f"{where} was dealt from a shoe after its last round")

    def _leave_shoe(self) -> None:
        """A shoe is dealt as far as its rounds say."""
        if self._shoe is not None and self._before is not None:
            row, shoe = self._before, self._shoe
            where = f"shoe {row.nonce} of stream {row.stream_id}"
            same(where, "the number of cards dealt", row.shoe_dealt, shoe.dealt)
            same(where, "its last round", bool(row.shoe_last_round), shoe.last_round)
            same(where, "its end", bool(row.shoe_finished), shoe.finished)
        self._shoe = None

    def _leave_stream(self) -> None:
        """A stream has given as many nonces as it has rounds or shoes."""
        self._leave_shoe()
        if self._before is not None:
            where = f"stream {self._before.stream_id}"
            same(where, "its next nonce", self._before.stream_nonce, self._before.nonce + 1)
            same(
                where,
                "its client seed",
                [self._before.stream_client_seed],
                msgspec.json.decode(self._before.client_seeds),
            )
            self.count["streams"] += 1

    # What it was played to.

    def _replayed(self, where: str, whole: WholeRound, variant: Variant) -> Replay:
        """Replay the round from the seed and its acts, and hold everything stored against it."""
        row, acts = whole.row, whole.acts
        self._check_place(where, row, variant)
        assert self._order is not None
        cards = self._order.after(row.first_card) if row.first_card else self._order
        seats = msgspec.json.decode(row.seats)
        choices = [act.word for act in acts if act.kind == "choice"]
        void = acts[-1].word if acts[-1].kind == "void" else None
        log = msgspec.json.decode(row.log, type=Round) if row.log is not None else None
        meter = log.meter_before(variant) if log is not None and log.meter is not None else None
        state = replay(variant, cards, seats, choices, meter=meter, void=void)
        if self._shoe is not None:
            self._shoe = self._shoe.after(state.cards_used)
        expected = OPEN if not state.is_over else VOID if void is not None else SETTLED
        same(where, "its state", row.state, expected)
        same(where, "what was staked", row.staked, state.staked)
        same(where, "what was returned", row.returned, state.returned if state.is_over else None)
        results = [
            {name: {"stake": bet.stake, "returned": bet.returned, "row": bet.row} for name, bet in bets.items()}
            for bets in state.bets
        ]
        stored = msgspec.json.decode(row.result) if row.result is not None else None
        same(where, "its result", stored, results if state.is_over else None)
        self._check_stakes(where, acts, seats, state)
        dealt = faces(cards[: state.cards_used])
        options = dict(variant.options)
        has_meter = variant.game.meter(variant.options) is not None and void is None
        reading = log.meter or Reading(-1) if has_meter and log is not None else None
        proper = (
            Round(row.game, dealt, seats, options, choices, row.rules_hash, reading, void) if state.is_over else None
        )
        self._check_log(where, log, proper)
        return state

    def _check_log(self, where: str, log: Round | None, proper: Round | None) -> None:
        if log is None or proper is None:
            same(where, "its log", log, proper)
            return
        for field in Round.__struct_fields__:
            same(where, f"`{field}` in its log", getattr(log, field), getattr(proper, field))

    def _check_stakes(self, where: str, acts: list[ActRow], seats: list[dict[str, int]], state: Replay) -> None:
        """Each act has staked what the rule book asks for it."""
        asked = [sum(sum(seat.values()) for seat in seats)]
        asked += [event.stake or 0 for event in state.events if event.kind == "chosen"]
        for act, stake in zip(acts, asked, strict=False):
            same(f"{where}, act {act.number}", "its stake", act.staked, stake)

    # Its acts, its money and its events.

    def _check_acts(self, where: str, whole: WholeRound) -> None:
        row, acts = whole.row, whole.acts
        for number, act in enumerate(acts):
            place = f"{where}, act {act.number}"
            same(place, "its number", act.number, number)
            same(place, "its player", act.player_id, row.owner)
            kinds = ("open",) if number == 0 else ("choice", "void") if act is acts[-1] else ("choice",)
            if act.kind not in kinds:
                raise Differs(f"{place} is {act.kind!r}; it should be {' or '.join(kinds)}")
        same(where, "when it was opened", row.opened_at, acts[0].at)
        same(where, "when it was closed", row.closed_at, acts[-1].at if row.state != OPEN else None)
        if (acts[-1].kind == "void") != (row.state == VOID):
            raise Differs(f"{where} is {row.state}, and its last act is {acts[-1].kind!r}")

    def _check_sums(self, where: str, row: RoundRow) -> None:
        """Results add up, also where the rules are no longer in force."""
        if row.result is None:
            same(where, "its result while it is open", row.state, OPEN)
            return
        bets = [bet for seat in msgspec.json.decode(row.result) for bet in seat.values()]
        if row.state == SETTLED:
            same(where, "what was staked", row.staked, sum(bet["stake"] for bet in bets))
            same(where, "what was returned", row.returned, sum(bet["returned"] for bet in bets))
        else:
            same(where, "what was returned of a void round", row.returned, row.staked)

    def _check_moves(self, where: str, whole: WholeRound, variant: Variant | None, state: Replay | None) -> None:
        row = whole.row
        same(where, "the sum of its stakes", row.staked, sum(act.staked for act in whole.acts))
        purse = f"player:{row.owner}" if row.wallet == HOUSE_WALLET else f"operator:{row.wallet}"
        jackpot = self._jackpot(row, whole, variant, state)
        expected: dict[str, tuple[Move, int]] = {}
        for act in whole.acts:
            moves: list[Move] = [("stake", purse, "held", act.staked)] if act.staked else []
            if act is whole.acts[-1] and row.state == SETTLED:
                moves += [("take", "held", "house", row.staked), *jackpot]
                moves += [("pay", "house", purse, row.returned)] if row.returned else []
            if act.kind == "void":
                moves = [("refund", "held", purse, row.staked)]
            expected |= {f"{act.name}:{n}": (move, act.at) for n, move in enumerate(moves)}
        for key, move in expected.items():
            if key not in whole.moves:
                raise Differs(f"{where}: transfer {key} is missing; it should be {text(move[0])}")
            same(where, f"transfer {key}", whole.moves[key], move)
        for key in whole.moves:
            if key not in expected:
                raise Differs(f"{where}: transfer {key} follows from nothing in it; there should be none")
        if row.wallet != HOUSE_WALLET:
            expect_calls(self.notebook, row)
        for (_, debit, credit, amount), _ in whole.moves.values():
            self.accounts[debit] -= amount
            self.accounts[credit] += amount

    def _jackpot(self, row: RoundRow, whole: WholeRound, variant: Variant | None, state: Replay | None) -> list[Move]:
        """What the round put on the meter of its table, or won from it."""
        account = f"jackpot:{row.table_id}"
        read = msgspec.json.decode(row.log, type=Round).meter if row.state == SETTLED and row.log is not None else None
        if state is None or variant is None:
            moves = [move for move, _ in whole.moves.values() if account in move[1:3]]
            if read is not None:
                fed = sum(amount if credit == account else -amount for _, _, credit, amount in moves)
                note_sums(self.notebook, row.table_id, read.amount + read.reserve, fed)
                self.notebook.add(f"meter by older rules:{row.table_id}", 1)
            return moves
        if state.meter is None or row.state != SETTLED or row.log is None:
            return []
        assert read is not None, "a progressive round without a reading of its meter"
        before, after = read.amount + read.reserve, state.meter.amount + state.meter.reserve
        self.notebook.add(f"meter:{row.table_id}:{state.meter.amount} {state.meter.reserve}", 1)
        self.notebook.add(f"meter:{row.table_id}:{read.amount} {read.reserve}", -1)
        note_sums(self.notebook, row.table_id, before, after - before)
        if after == before:
            return []
        return [
            ("feed", "house", account, after - before)
            if after > before
            else ("award", account, "house", before - after)
        ]

    def _check_events(self, where: str, whole: WholeRound) -> None:
        """Each act is sealed, and the event says what the rows say."""
        row = whole.row
        for act in whole.acts:
            told = self.notebook.said("act", f"{row.id}:{act.number}")
            if told is None:
                raise Differs(f"{where}, act {act.number}: no event tells of it; every act should be sealed")
            place, _, seal = told.rpartition(" ")
            count = sum(1 for key in whole.moves if key.startswith(f"{act.name}:"))
            moves = [list(whole.moves[f"{act.name}:{n}"][0]) for n in range(count)]
            body = self._body(whole, act, moves)
            if act.kind == "void":
                body["by"] = read_event(self.tx, place)[2].get("by")
            if digest(act.at, act.kind, text(body)) != seal:
                self._tell_difference(f"{where}, act {act.number}", place, act, body)

    def _body(self, whole: WholeRound, act: ActRow, moves: list[Any]) -> dict[str, Any]:
        """What the event of an act should say, from the rows."""
        row = whole.row
        body: dict[str, Any] = {"round": row.id, "act": act.number, "player": act.player_id, "balance": act.balance}
        body["transfers"] = moves
        if act.kind == "void":
            return body | {"reason": act.word}
        body |= {"word": act.word, "table": row.table_id, "key": act.key, "body": act.body_hash}
        if act.number == 0:
            body |= {"stream": row.stream_id, "nonce": row.nonce, "first_card": row.first_card, "rules": row.rules_hash}
            body |= {"client_seeds": msgspec.json.decode(row.client_seeds), "seats": msgspec.json.decode(row.seats)}
        if act is whole.acts[-1] and row.state == SETTLED and row.result is not None:
            body["result"] = msgspec.json.decode(row.result)
        return body

    def _tell_difference(self, where: str, place: str, act: ActRow, body: dict[str, Any]) -> None:
        at, kind, told = read_event(self.tx, place)
        same(where, "its kind", act.kind, kind)
        same(where, "its time", act.at, at)
        for field in sorted(told.keys() | body.keys()):
            same(f"{where} (event {place})", f"`{field}` in the books", body.get(field), told.get(field))
        raise Differs(f"{where}: event {place} is not written as the house writes it")


def note_sums(notebook: Notebook, table: str, before: int, fed: int) -> None:
    """A round found so much on meter and reserve together, and added so much."""
    notebook.add(f"meter sum:{table}:{before + fed}", 1)
    notebook.add(f"meter sum:{table}:{before}", -1)
