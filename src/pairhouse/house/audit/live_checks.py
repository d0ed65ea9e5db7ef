"""Checks of live tables: each entry has its event, each round follows from its seeds, each transfer from an entry."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import bindparam, func, select

from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find
from pairhouse.house.audit.live_shoe_checks import ShoeCheck
from pairhouse.house.audit.notebook import Differs, Notebook, check_equal, text
from pairhouse.house.audit.round_money_checks import meter_moves, note_older_meter
from pairhouse.house.audit.wallet_call_checks import PlayedFor, expect_calls
from pairhouse.house.bank import player_account
from pairhouse.house.live.closed_rounds import ANY_STAKE
from pairhouse.house.live.table_log import next_digest
from pairhouse.house.people import HOUSE_WALLET, operator_account
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_entries, live_rounds, live_seats, live_slips, live_tables
from pairhouse.house.vault import Vault
from pairhouse.rounds.fairness import commitment
from pairhouse.rounds.live_entries import (
    AnyEntry,
    BetPlaced,
    BetTakenBack,
    BettingClosed,
    CardExposed,
    CardsDealt,
    CardTurned,
    ChoiceMade,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    SeatLeft,
    SeatReady,
    SeatTaken,
    SeedOpened,
)
from pairhouse.rounds.live_results import LiveResults
from pairhouse.rounds.live_round import BETTING, PLAYING, SEEDS, LiveRound, LiveSettings
from pairhouse.rounds.table_limits import BettingTable

PAGE = 2_000
BeforeTheDeal = BetPlaced | BetTakenBack | SeatReady | SeedOpened | BettingClosed | RoundOpened
PHASES: dict[type, tuple[str, ...]] = {  # when an entry may come
    **dict.fromkeys((BetPlaced, BetTakenBack, SeatReady, BettingClosed), (BETTING,)),
    **dict.fromkeys((SeedOpened, CardsDealt), (SEEDS,)),
    **dict.fromkeys((ChoiceMade, CardTurned, CardExposed, RoundClosed), (PLAYING,)),
    RoundVoided: (BETTING, SEEDS, PLAYING),
}
Move = tuple[str, str, str, int]
ROUND_TOLD = "live round"

_TABLE_COLUMNS = ("table_id", "settings", "number", "digest", "round_id", "round_from")
_TABLES = select(*(live_tables.c[name] for name in _TABLE_COLUMNS))
_ENTRIES = (
    select(live_entries)
    .where(live_entries.c.table_id == bindparam("table"), live_entries.c.number > bindparam("after"))
    .order_by(live_entries.c.number)
    .limit(PAGE)
)
_ROUND = select(live_rounds).where(live_rounds.c.id == bindparam("round"))
_SLIPS = select(live_slips).where(live_slips.c.round_id == bindparam("round")).order_by(live_slips.c.seat)
_SEATED = ("table_id", "seat", "player_id", "colour", "chip")
_SEATS = select(*(live_seats.c[name] for name in _SEATED))
_COUNTS = {table.name: select(func.count()).select_from(table) for table in (live_entries, live_rounds, live_slips)}
_decode = msgspec.json.Decoder(AnyEntry).decode


def note_live_entry(notebook: Notebook, place: str, at: int, body: dict[str, Any]) -> None:
    """Note an entry and the transfers it makes."""
    says = [body[name] for name in ("round", "player_id", "key", "body_hash", "balance", "entry")]
    notebook.note("live entry", f"{body['table']}:{body['number']:012}", text([*says, body["transfers"]]))
    for number, move in enumerate(body["transfers"]):
        notebook.note("transfer", f"{body['round']}:live:{body['number']}:{number}", text([at, *move]))
    if "rules" in body:  # told since rounds are sealed with what they are played by
        notebook.note(ROUND_TOLD, body["round"], text([body[name] for name in ("table", "game", "options", "rules")]))


def note_live_table(notebook: Notebook, place: str, at: int, body: dict[str, Any]) -> None:
    """Note that a table became one for several people, and its clock."""
    notebook.note("live table", body["table_id"], "")
    notebook.add(f"live clock:{body['table_id']}:{body['settings']}", 1)


def note_live_clock(notebook: Notebook, place: str, at: int, body: dict[str, Any]) -> None:
    """Note that the clock of a live table was changed."""
    notebook.add(f"live clock:{body['table']}:{body['before']}", -1)
    notebook.add(f"live clock:{body['table']}:{body['after']}", 1)


def note_live_seat(notebook: Notebook, place: str, at: int, body: dict[str, Any]) -> None:
    """Note who sat down and who stood up."""
    chips = f"{body.get('colour', 0)}:{body.get('value', 0)}"
    notebook.add(f"live seat:{body['table']}:{body['seat']}:{body['player']}:{chips}", 1 if body["sits"] else -1)


class LiveCheck:
    """Goes through every live table, entry by entry. `held` is what is held for open rounds."""

    def __init__(self, tx: Tx, notebook: Notebook, vault: Vault) -> None:
        self.tx = tx
        self.notebook = notebook
        self.vault = vault
        self._wallets: dict[str, str] = {}
        self.held = 0
        self.rounds = 0
        self.other_rules = 0
        self.slips = 0

    def run(self) -> None:
        """Check all tables, seats and counts; `Differs` says where the books contradict themselves."""
        entries = tables = 0
        for table_id, settings, number, digest, round_id, round_from in self.tx.all(_TABLES, {}):
            where = f"live table {table_id}"
            clocks = {clock for clock, times in self.notebook.sums(f"live clock:{table_id}:") if times}
            check_equal(where, "its clock", {settings}, clocks)
            newest = self._check_table(table_id, settings, digest)
            row = (number, round_id, round_from)
            check_equal(where, "its newest entry, its round and where that begins", newest, row)
            entries, tables = entries + number, tables + 1
        check_equal("live tables", "how many events tell of them", self.notebook.count("live table"), tables)
        check_equal("live entries", "how many events tell of them", self.notebook.count("live entry"), entries)
        for name, found in (("live_entries", entries), ("live_rounds", self.rounds), ("live_slips", self.slips)):
            check_equal(name.replace("_", " "), "how many there are", int(self.tx.value(_COUNTS[name], {})), found)
        self._check_seats()

    def wallet_of(self, player_id: str) -> str:
        """Who keeps the money of a player, as the event says that tells of them."""
        if player_id not in self._wallets:
            noted = self.notebook.noted("player", player_id)
            self._wallets[player_id] = msgspec.json.decode(noted)[2] if noted is not None else HOUSE_WALLET
        return self._wallets[player_id]

    def _check_table(self, table_id: str, settings: str, digest: str) -> tuple[int, str, int]:
        """Check every round of a table; how many entries there are, the newest round, and its first entry."""
        clock = msgspec.json.decode(settings, type=LiveSettings)
        last, found, round_id, round_from = 0, "", "", 1
        shoes = ShoeCheck()
        for round_id, rows in groupby(self._entries(table_id), key=lambda row: row[2]):
            check = _RoundCheck(self, table_id, round_id, clock, shoes)
            round_from = last + 1
            for row in rows:
                last += 1
                check_equal(f"live table {table_id}", "the number of an entry", row[1], last)
                check.add(row)
            check.finish()
            found = check.digest
            self.rounds += 1
            self.other_rules += not check.replays
        if digest or self.notebook.noted(ROUND_TOLD, round_id):  # empty where the round began before there was one
            check_equal(f"live table {table_id}", "the hash over its round", digest, found)
        return last, round_id, round_from

    def _entries(self, table_id: str) -> Iterator[Any]:
        after = 0
        while rows := self.tx.all(_ENTRIES, {"table": table_id, "after": after}):
            yield from rows
            after = rows[-1][1]

    def _check_seats(self) -> None:
        sitting = {":".join(map(str, row)) for row in self.tx.all(_SEATS, {})}
        told = {name for name, count in self.notebook.sums("live seat:") if count}
        if sitting != told:
            raise Differs(f"live seats: {min(sitting ^ told)} is in the books or the events, and not in both")


class _RoundCheck:
    """One live round: dealt and paid again from its entries."""

    def __init__(self, check: LiveCheck, table_id: str, round_id: str, clock: LiveSettings, shoes: ShoeCheck) -> None:
        self.check = check
        self.shoes = shoes
        self.where = f"live round {round_id}"
        self.table_id = table_id
        row = check.tx.one(_ROUND, {"round": round_id})
        if row is None:
            raise Differs(f"{self.where}: it has entries and no row; there should be one")
        self.row = dict(zip([column.name for column in live_rounds.columns], row, strict=True))
        check_equal(self.where, "its table", self.row["table_id"], table_id)
        told = check.notebook.noted(ROUND_TOLD, round_id)
        if told is not None:
            played_by = text([table_id, self.row["game"], self.row["options"], self.row["rules_hash"]])
            check_equal(self.where, "what it is played by", played_by, told)
        variant = find(self.row["game"]).variant(msgspec.json.decode(self.row["options"]))
        self.replays = variant.rules_hash == self.row["rules_hash"]
        self.live = LiveRound(BettingTable(variant, ANY_STAKE), clock)
        try:
            self.seed = check.vault.open(self.row["sealed_seed"], round_id)
        except Refused as refused:
            raise Differs(f"{self.where}: {refused}") from None
        check_equal(self.where, "the hash of its seed", commitment(self.seed), self.row["commitment"])
        self.players: dict[int, str] = {}
        self.sums: dict[int, tuple[int, int, int]] = {}  # seat -> staked, decided, returned
        self.closed_at: int | None = None
        self.paid: dict[int, int] = {}  # seat -> what of it an operator was told of before the round was over
        self.decided_before: dict[int, int] = {}  # seat -> what was decided when the round was called off
        self.digest = ""

    def add(self, row: Any) -> None:
        """One more entry: its event says the same, and its transfers follow from it."""
        table_id, number, round_id, player_id, key, body_hash, balance, body = row
        noted = self.check.notebook.noted("live entry", f"{table_id}:{number:012}")
        *says, told = msgspec.json.decode(noted) if noted is not None else [[]]
        if says != [round_id, player_id, key, body_hash, balance, body]:
            raise Differs(f"{self.where}: entry {number} and the event that tells of it differ")
        entry = _decode(body)
        self.digest = next_digest(self.digest, body)
        if isinstance(entry, RoundOpened):
            check_equal(self.where, "its commitment", entry.commitment, self.row["commitment"])
            check_equal(self.where, "when it was opened", self.row["opened_at"], entry.at)
            self.shoes.open(self.where, self.row, entry)
        if isinstance(entry, RoundClosed | RoundVoided):
            self.closed_at = entry.at
        untimely = self._untimely(entry, player_id)
        if untimely:
            raise Differs(f"{self.where}: entry {number} {untimely}")
        if isinstance(entry, BetPlaced):
            self.players[entry.seat] = player_id
        moves = [list(move) for move in self._moves(entry)] if self.replays else None
        if isinstance(entry, RoundClosed) and entry.meter is not None and not self.replays:
            note_older_meter(self.check.notebook, table_id, entry.meter, told)
        if moves is not None:
            check_equal(self.where, f"what entry {number} moved", told, moves)
        self.live.add(entry)

    def _untimely(self, entry: AnyEntry, player_id: str | None) -> str:
        """How an entry breaks the order of a round, or acts for another's seat; empty where it does not."""
        live, closes_at = self.live, self.live.closes_at
        if live.phase not in PHASES.get(type(entry), (live.phase,)):
            return f"came when the round was at {live.phase}"
        if isinstance(entry, BetPlaced | BetTakenBack | SeatReady) and closes_at is not None and entry.at >= closes_at:
            return "came after the betting had closed"
        if isinstance(entry, CardsDealt) and live.betting_closed is not None and live.seeds_opened < len(live.seeds):
            return "dealt before the seeds had their time" if entry.at < live.betting_closed.seeds_until else ""
        if isinstance(entry, ChoiceMade) and entry.automatic and entry.at < (live.decide_by or 0):
            return "decided for somebody before the time was over"
        seat = None if isinstance(entry, SeatTaken | SeatLeft) else getattr(entry, "seat", None)
        if player_id is not None and seat in live.bets and self.players[seat] != player_id:
            return "was made by somebody else than the player in that seat"
        return ""

    def _moves(self, entry: AnyEntry) -> Iterator[Move]:
        """The transfers that follow from an entry."""
        if isinstance(entry, BetPlaced | BetTakenBack):
            yield from self._bet_moves(entry)
        if isinstance(entry, BeforeTheDeal):
            return
        after = self.live.copy()
        after.add(entry)
        if after.voided is not None:  # whoever comes or goes after that moves nothing
            yield from self._refunds() if self.live.voided is None else ()
            return
        if after.dealt is None:
            return
        results = LiveResults(after, after.state(after.order(self.seed, self.row["rules_hash"])))
        yield from self._decided_moves(after, results)
        if isinstance(entry, RoundClosed) and entry.meter is not None:
            yield from meter_moves(self.check.notebook, self.table_id, entry.meter, results.state.meter)

    def _decided_moves(self, after: LiveRound, results: LiveResults) -> Iterator[Move]:
        """What is staked further, decided and paid by an entry, seat by seat."""
        stakes: list[Move] = []
        payments: list[Move] = []
        for seat in after.seats:
            now = results.money(seat)
            staked, decided, returned = self.sums[seat]
            account = self._account(seat)
            if not results.state.is_over:
                self.paid[seat] = now[2]
            if now[0] > staked:
                stakes.append(("stake", account, "held", now[0] - staked))
            if now[1] > decided:
                payments.append(("take", "held", "house", now[1] - decided))
            if now[2] > returned:
                payments.append(("pay", "house", account, now[2] - returned))
            self.sums[seat] = now
        yield from (*stakes, *payments)

    def _bet_moves(self, entry: BetPlaced | BetTakenBack) -> Iterator[Move]:
        before = self.sums.get(entry.seat, (0, 0, 0))[0]
        now = sum(entry.stakes.values()) if isinstance(entry, BetPlaced) else 0
        account = self._account(entry.seat)
        if now > before:
            yield ("stake", account, "held", now - before)
        elif now < before:
            yield ("refund", "held", account, before - now)
        self.sums[entry.seat] = (now, 0, 0)

    def _refunds(self) -> Iterator[Move]:
        for seat, (staked, decided, returned) in sorted(self.sums.items()):
            self.decided_before[seat] = decided
            if staked > decided:
                yield ("refund", "held", self._account(seat), staked - decided)
                self.sums[seat] = (staked, staked, returned + staked - decided)

    def _account(self, seat: int) -> str:
        """The account of whoever has bet at a seat: their own, or their operator's."""
        player_id = self.players[seat]
        wallet = self.check.wallet_of(player_id)
        return player_account(player_id) if wallet == HOUSE_WALLET else operator_account(wallet)

    def _expect_calls(self, slips: Sequence[Any]) -> None:
        """What operators must have been asked for and paid for their players in this round."""
        is_open, is_void = self.live.closed is None and self.live.voided is None, self.live.voided is not None
        for player_id, round_id, seat, staked, _, returned in slips:
            if self.check.wallet_of(player_id) == HOUSE_WALLET:
                continue
            paid = self.paid.get(seat, 0) if is_open else returned
            rolled_back = is_void and not self.decided_before.get(seat, 0)
            expect_calls(self.check.notebook, PlayedFor(round_id, player_id, staked, paid, is_open, rolled_back))

    def finish(self) -> None:
        """The row and the slips of the round say what its entries have come to."""
        slips = self.check.tx.all(_SLIPS, {"round": self.row["id"]})
        self.check.slips += len(slips)
        self._expect_calls(slips)
        self.check.held += sum(staked - decided for _, _, _, staked, decided, _ in slips)
        ended = "void" if self.live.voided else "settled" if self.live.closed else "open"
        check_equal(self.where, "its state", self.row["state"], ended)
        check_equal(self.where, "when it was over", self.row["closed_at"], self.closed_at)
        if self.live.closed is not None:
            check_equal(self.where, "the seed that was opened", self.live.closed.server_seed, self.seed.hex())
        opened = self.live.opened
        is_coup = self.replays and self.live.closed is not None and opened is not None and opened.shoe is not None
        state = self.live.state(self.live.order(self.seed, self.row["rules_hash"])) if is_coup else None
        self.shoes.end(self.where, self.row, self.live, state)
        if self.replays:
            expected = [(self.players[seat], seat, *sums) for seat, sums in sorted(self.sums.items()) if sums[0]]
            found = [(player, seat, *sums) for player, _, seat, *sums in slips]
            check_equal(self.where, "its slips", found, expected)
