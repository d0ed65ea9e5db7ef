"""Checks of every round: its player and table, its cards, and its result; its money is in `round_money_checks`."""

from collections import Counter
from typing import NamedTuple

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.core.game import AcceptedSeats, Variant
from pairhouse.core.shoe import Shoe
from pairhouse.games.catalogue import find
from pairhouse.games.floor_plan import SHOE
from pairhouse.house.audit.chain_checks import noted_version
from pairhouse.house.audit.notebook import AuditFailed, Differs, Notebook, check_equal
from pairhouse.house.audit.readable import FAILURES, check_readable
from pairhouse.house.audit.round_money_checks import check_events, check_moves, decoded
from pairhouse.house.audit.round_rows import AuditedRound, JoinedRound
from pairhouse.house.booking import json_text
from pairhouse.house.store.rows import ActRow
from pairhouse.house.vault import Vault
from pairhouse.machines.events import Replay
from pairhouse.machines.replay import replay
from pairhouse.rounds.fairness import Order, WordStream
from pairhouse.rounds.round_log import MeterReading, RoundLog
from pairhouse.rounds.round_view import OPEN, SETTLED, VOID, log_of

ONE_SEAT = "[1]"
SEATS_KEPT = 4_096


class TableDealt(NamedTuple):
    """At which version of a table rounds were dealt, and what was dealt there."""

    table: str
    version: int
    game: str
    options: str


class RoundsCheck:
    """Checks rounds in the order of their cards, and remembers the current stream and shoe."""

    def __init__(self, notebook: Notebook, vault: Vault) -> None:
        self.notebook = notebook
        self.vault = vault
        self.count: Counter[str] = Counter()
        self.held = 0
        self.accounts: Counter[str] = Counter()
        self._before: JoinedRound | None = None
        self._shoe: Shoe | None = None
        self._order: Order | None = None
        self._seed = b""
        self._from_shoe: dict[tuple[str, int], bool] = {}  # by table and version
        self.tables: dict[TableDealt, str] = {}  # where rounds were dealt and by which rules, each with one of them
        self._known: dict[tuple[str, str, str], Variant | None] = {}
        self._seats: dict[tuple[str, Variant], AcceptedSeats] = {}

    def check(self, audited: AuditedRound) -> None:
        """Check one round; a round that cannot be read is a difference too."""
        row = audited.row
        where = f"round {row.id}"
        try:
            self._check(where, audited)
        except Refused as refused:
            raise Differs(f"{where} does not play as it is written: {refused}") from refused
        except msgspec.MsgspecError as error:
            raise Differs(f"{where} cannot be read: {error!r}") from error
        except FAILURES as error:
            check_readable(where, audited)
            raise AuditFailed.at(where, error) from error
        self.count["rounds"] += 1
        self.count["acts"] += len(audited.acts)
        self.count["transfers"] += len(audited.moves)
        self.count["free stakes"] += row.free_bet is not None
        if row.state == OPEN:
            self.count["open"] += 1
            self.count["free held"] += row.free_staked or 0

    def _check(self, where: str, audited: AuditedRound) -> None:
        row = audited.row
        self._check_links(where, audited)
        self._check_acts(where, audited)
        variant = self._variant(row)
        state = None
        if variant is None:
            self.count["other rules"] += 1
            self._check_place(where, row, None)
        else:
            state = self._replayed(where, audited, variant)
            self.count["replayed"] += 1
        if state is None:
            self._check_sums(where, row)
        held, moves = check_moves(self.notebook, self.accounts, where, audited, state)
        self.held += held
        check_events(where, audited, moves)

    def finish(self) -> None:
        """After the last round of some streams."""
        self._leave_stream()
        self._before = None

    # Its player and its table.

    def _check_links(self, where: str, audited: AuditedRound) -> None:
        row = audited.row
        if not audited.acts:
            raise Differs(f"{where} has no act that opens it")
        if row.owner is None:
            raise Differs(f"{where} names stream {row.stream_id}; there is no such stream")
        check_equal(where, "the player of its stream", row.owner, audited.acts[0].player_id)
        if row.seated_seats is None:
            raise Differs(f"{where} has nobody seated; it should have {row.owner}")
        if (row.stream_table, row.seated_game, row.meter) != (row.table_id, row.game, None):
            check_equal(where, "the table of its stream", row.stream_table, row.table_id)
            check_equal(where, "the game of its seat", row.seated_game, row.game)
            check_equal(where, "its meter", row.meter, None)
        if row.seated_seats != ONE_SEAT or row.seats.count("{") != 1:
            seats = msgspec.json.decode(row.seats)
            numbers = list(range(1, len(seats) + 1))
            check_equal(where, "the seats of its player", msgspec.json.decode(row.seated_seats), numbers)
        sitting = (row.owner, row.table_id) if row.state == OPEN else (None, None)
        found = (row.sitting_player, row.sitting_table)
        if found != sitting:
            check_equal(f"{where}, which is {row.state}", "its sitting", found, sitting)
        self.tables.setdefault(TableDealt(row.table_id, row.table_version, row.game, row.options), row.id)

    def _variant(self, row: JoinedRound) -> Variant | None:
        """The game under the rules of the round, or None if they are no longer in force."""
        key = (row.game, row.options, row.rules_hash)
        if key not in self._known:
            try:
                variant = find(row.game).variant(msgspec.json.decode(row.options))
            except Refused:
                return None
            self._known[key] = variant if variant.rules_hash == row.rules_hash else None
        return self._known[key]

    def _accepted(self, variant: Variant, seats: str) -> AcceptedSeats:
        """The wagers of a round, checked; players mostly make the same ones again."""
        key = (seats, variant)
        if key not in self._seats:
            if len(self._seats) >= SEATS_KEPT:
                self._seats.clear()
            self._seats[key] = variant.accept(msgspec.json.decode(seats))
        return self._seats[key]

    # Its cards.

    def _check_place(self, where: str, row: JoinedRound, variant: Variant | None) -> None:
        """Nonces follow one another without a gap; so do the cards of a shoe."""
        before = self._before
        if before is None or before.stream_id != row.stream_id:
            self._leave_stream()
            before = None
            if row.sealed_seed is not None:
                self._seed = self.vault.open(bytes(row.sealed_seed), row.stream_id)
        if before is None or before.nonce != row.nonce or row.shoe_rules is None:
            self.count["shoes"] += row.shoe_rules is not None
            check_equal(where, "its nonce", row.nonce, before.nonce + 1 if before is not None else 0)
            self._leave_shoe()
            self._order = None
        if variant is not None and self._order is None:
            seeds = decoded(row.client_seeds)
            self._order = Order(WordStream(self._seed, row.game, row.rules_hash, seeds, row.nonce), *variant.pack)
        if variant is not None and self._order is not None and self._is_from_shoe(where, row):
            self._check_shoe(where, row, variant, self._order)
        elif variant is not None:
            check_equal(where, "its first card", row.first_card, 0)
        self._before = row

    def _is_from_shoe(self, where: str, row: JoinedRound) -> bool:
        """Whether its table was dealt from a shoe then; where it was not, there is none."""
        version = (row.table_id, row.table_version)
        if version not in self._from_shoe:
            noted = noted_version(self.notebook, *version)
            self._from_shoe[version] = noted is not None and noted["shuffle"] == SHOE
        is_from_shoe = self._from_shoe[version]
        if not is_from_shoe and row.shoe_rules is not None:
            raise Differs(f"{where} has a shoe; its table was shuffled for every round")
        return is_from_shoe

    def _check_shoe(self, where: str, row: JoinedRound, variant: Variant, order: Order) -> None:
        if row.shoe_rules is None:
            raise Differs(f"{where} was dealt from shoe {row.nonce} of stream {row.stream_id}; there is no such shoe")
        self._shoe = self._shoe or Shoe(order, variant.options["cut_card"])
        check_equal(where, "the rules of its shoe", row.shoe_rules, row.rules_hash)
        check_equal(where, "its client seed", msgspec.json.decode(row.client_seeds), [row.shoe_client_seed])
        check_equal(where, "its first card", row.first_card, self._shoe.dealt)
        if self._shoe.finished:
            raise Differs(f"{where} was dealt from a shoe after its last round")

    def _leave_shoe(self) -> None:
        """At the end of a shoe: it is dealt as far as its rounds say."""
        if self._shoe is not None and self._before is not None:
            row, shoe = self._before, self._shoe
            where = f"shoe {row.nonce} of stream {row.stream_id}"
            check_equal(where, "the number of cards dealt", row.shoe_dealt, shoe.dealt)
            check_equal(where, "its last round", row.shoe_last_round, int(shoe.last_round))
            check_equal(where, "its end", row.shoe_finished, int(shoe.finished))
        self._shoe = None

    def _leave_stream(self) -> None:
        """At the end of a stream: it has as many nonces as rounds or shoes."""
        self._leave_shoe()
        if self._before is not None:
            where = f"stream {self._before.stream_id}"
            check_equal(where, "its next nonce", self._before.stream_nonce, self._before.nonce + 1)
            check_equal(
                where,
                "its client seed",
                [self._before.stream_client_seed],
                msgspec.json.decode(self._before.client_seeds),
            )
            self.count["streams"] += 1

    # Its result.

    def _replayed(self, where: str, audited: AuditedRound, variant: Variant) -> Replay:
        """Replay the round from its seed and its acts, and compare everything that is stored."""
        row, acts = audited.row, audited.acts
        self._check_place(where, row, variant)
        assert self._order is not None
        cards = self._order.after(row.first_card) if row.first_card else self._order
        choices = [act.word for act in acts if act.kind == "choice"]
        void = acts[-1].word if acts[-1].kind == "void" else None
        has_meter = variant.game.meter(variant.options) is not None and void is None
        log = msgspec.json.decode(row.log, type=RoundLog) if row.log is not None and has_meter else None
        meter = log.meter_before(variant) if log is not None and log.meter is not None else None
        state = replay(variant, cards, self._accepted(variant, row.seats), choices, meter=meter, void=void)
        if self._shoe is not None:
            self._shoe = self._shoe.after(state.cards_used)
        expected = OPEN if not state.is_over else VOID if void is not None else SETTLED
        returned = state.returned if state.is_over else None
        if (row.state, row.staked, row.returned) != (expected, state.staked, returned):
            check_equal(where, "its state", row.state, expected)
            check_equal(where, "what was staked", row.staked, state.staked)
            check_equal(where, "what was returned", row.returned, returned)
        self._check_result(where, row, state)
        self._check_stakes(where, acts, state)
        reading = (log.meter if log is not None else None) or MeterReading(-1) if has_meter and row.log else None
        self._check_log(where, row, log_of(variant, choices, state, None, void), reading)
        return state

    def _check_result(self, where: str, row: JoinedRound, state: Replay) -> None:
        proper = json_text(state.wagers) if state.is_over else None
        if row.result != proper:
            stored = msgspec.json.decode(row.result) if row.result is not None else None
            expected = msgspec.json.decode(proper) if proper is not None else None
            check_equal(where, "its result", stored, expected)

    def _check_log(self, where: str, row: JoinedRound, proper: RoundLog | None, reading: MeterReading | None) -> None:
        if proper is not None:
            proper.meter = reading
        if row.log is not None and proper is not None and row.log == json_text(proper):
            return
        log = msgspec.json.decode(row.log, type=RoundLog) if row.log is not None else None
        if log is None or proper is None:
            check_equal(where, "its log", log, proper)
            return
        for field in RoundLog.__struct_fields__:
            check_equal(where, f"`{field}` in its log", getattr(log, field), getattr(proper, field))

    def _check_stakes(self, where: str, acts: list[ActRow], state: Replay) -> None:
        """Each act has staked what the rules ask for it."""
        stakes = [sum(sum(seat.values()) for seat in state.stakes)]
        stakes += [event.stake or 0 for event in state.events if event.kind == "chosen"]
        for act, stake in zip(acts, stakes, strict=False):
            if act.staked != stake:
                check_equal(f"{where}, act {act.number}", "its stake", act.staked, stake)

    # Its acts and its totals.

    def _check_acts(self, where: str, audited: AuditedRound) -> None:
        row, acts = audited.row, audited.acts
        for number, act in enumerate(acts):
            kinds = ("open",) if number == 0 else ("choice", "void") if act is acts[-1] else ("choice",)
            if act.number != number or act.player_id != row.owner or act.kind not in kinds:
                place = f"{where}, act {act.number}"
                check_equal(place, "its number", act.number, number)
                check_equal(place, "its player", act.player_id, row.owner)
                raise Differs(f"{place} is {act.kind!r}; it should be {' or '.join(kinds)}")
        check_equal(where, "when it was opened", row.opened_at, acts[0].at)
        check_equal(where, "when it was closed", row.closed_at, acts[-1].at if row.state != OPEN else None)
        if (acts[-1].kind == "void") != (row.state == VOID):
            raise Differs(f"{where} is {row.state}, and its last act is {acts[-1].kind!r}")

    def _check_sums(self, where: str, row: JoinedRound) -> None:
        """The result adds up, even if the rules are no longer in force."""
        if row.result is None:
            check_equal(where, "its result while it is open", row.state, OPEN)
            return
        bets = [bet for seat in msgspec.json.decode(row.result) for bet in seat.values()]
        if row.state == SETTLED:
            check_equal(where, "what was staked", row.staked, sum(bet["stake"] for bet in bets))
            check_equal(where, "what was returned", row.returned, sum(bet["returned"] for bet in bets))
