"""Weighs closed rounds: results against prices for players, tables and wagers, and stakes against the cards of a shoe.

Where every round is shuffled, each round is weighed at once. Where a table is dealt from shoes, its players are weighed
round by round, but the table and its wagers shoe by shoe: rounds of one shoe depend on one another, and a record can
follow one shoe at a time.
"""

import time
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from pairhouse.analysis.protect.counting_record import DECOYS, CountingRecord
from pairhouse.analysis.protect.evidence import Evidence, RoundTerms
from pairhouse.analysis.protect.watch import WatchPolicy, read
from pairhouse.house.floor import FloorTable, read_table, table_ids
from pairhouse.house.store.database import Tx
from pairhouse.house.watch_log import STEPS, Key, WatchFinding, WatchPosition, WatchRow, read_records
from pairhouse.server.watch.messages import Look
from pairhouse.server.watch.odds_book import OddsBook, TableOdds
from pairhouse.server.watch.rounds_read import (
    Closed,
    SettledBet,
    Shoes,
    pages_of_closed,
    read_shoe,
    shoe_left_early,
    shoes_of,
)

Seats = Sequence[dict[str, int]]  # the stakes of each seat
Result = Sequence[dict[str, SettledBet]]  # what came of them

RECORDS_CACHED = 20_000
LOOK_S = 2.0  # a look ends at the next page after this time; the rest is read by the next look


class Summed(NamedTuple):
    """A round of a record: the terms of its stakes, its net result, and that of its wagers without a choice."""

    terms: RoundTerms
    net: int
    unchosen_net: int | None


class Record(msgspec.Struct):
    """What is known of a player at a table, of a table, or of a wager there."""

    results: Evidence = msgspec.field(default_factory=Evidence)
    counting: CountingRecord | None = None
    step: str = STEPS[0]


class Judge:
    """Reads on from a cursor. Records in use are cached for as long as the books agree with them."""

    def __init__(self, policy: WatchPolicy | None = None, decoys: int = DECOYS, seed: int | None = None) -> None:
        self.policy, self.decoys, self.seed = policy or WatchPolicy(), decoys, seed
        self._odds = OddsBook()
        self._records: dict[Key, Record] = {}
        self._changed: set[Key] = set()
        self._revision = -1
        self._rounds = self._shoes = 0

    def look(self, tx: Tx, cursor: WatchPosition, seconds: float = LOOK_S) -> Look:
        """Weigh what was played since, for a few seconds at most."""
        if cursor.revision != self._revision or len(self._records) > RECORDS_CACHED:
            self._records.clear()
        self._changed.clear()
        self._rounds = self._shoes = 0
        until, read_to, is_full = time.monotonic() + seconds, dict(cursor.read_to), False
        tables: dict[str, FloorTable] = {table: read_table(tx, table) for table in table_ids(tx)}
        for chain, number, closed in pages_of_closed(tx, cursor.read_to):
            read_to[chain] = self._weigh_page(tx, tables, closed, number, until)
            if read_to[chain] < number or time.monotonic() > until:
                is_full = True
                break
        found = [step for key in sorted(self._changed) if (step := self._step(key)) is not None]
        rows = [self._row(key) for key in sorted(self._changed)]
        self._revision = cursor.revision + 1
        return Look(read_to, rows, found, self._rounds, self._shoes, is_full)

    def _weigh_page(
        self, tx: Tx, tables: dict[str, FloorTable], closed: Sequence[Closed], last: int, until: float
    ) -> int:
        """Weigh a page of events, or as much of it as there is time for; the last event that was weighed."""
        shoes = shoes_of(tx, [each for each in closed if _has_shoe(tables, each.event.table)])
        self._load(tx, tables, closed)
        before = None
        for each in closed:
            if before is not None and self._shoes and time.monotonic() > until:
                return before
            event = each.event
            if event.result is None:
                nonce = shoe_left_early(tx, event.stream)
                if nonce is not None:
                    self._weigh_shoe(tx, tables, event.stream, nonce)
            else:
                self._weigh_round(tables, each, shoes)
                if event.round in shoes.ended_by:
                    self._weigh_shoe(tx, tables, *shoes.ended_by[event.round])
            before = each.number
        return last

    def _load(self, tx: Tx, tables: dict[str, FloorTable], closed: Sequence[Closed]) -> None:
        """Read the records that these rounds change."""
        keys: set[Key] = set()
        for each in closed:
            table = tables.get(each.event.table)
            if table is not None:
                keys.update((table.id, player, "") for player in each.event.players or [each.event.player])
                keys.add((table.id, "", ""))
                keys.update((table.id, "", name) for seat in each.event.seats or () for name in seat)
        self._load_keys(tx, keys)

    def _load_keys(self, tx: Tx, keys: Iterable[Key]) -> None:
        missing = [key for key in keys if key not in self._records]
        for row in read_records(tx, missing) if missing else ():
            self._records[row.key] = msgspec.msgpack.decode(row.record, type=Record)
        for key in missing:
            self._records.setdefault(key, Record())

    def _weigh_round(self, tables: dict[str, FloorTable], closed: Closed, shoes: Shoes) -> None:
        event = closed.event
        table = tables.get(event.table)
        if table is None or event.seats is None or event.result is None:
            return
        variant = table.betting.variant
        if event.rules != variant.rules_hash:
            return
        odds = self._odds.of(variant)
        shoe = f"{event.stream}:{event.nonce}" if (event.stream, event.nonce) in shoes.in_use else None
        whole = summed(odds, event.seats, event.result)
        if event.players is None:
            self._record((table.id, event.player, ""), whole, shoe)
        else:  # a live table: each seat is another player's
            for player, seat, bets in zip(event.players, event.seats, event.result, strict=True):
                self._record((table.id, player, ""), summed(odds, [seat], [bets]), None)
        if shoe is None:
            self._record((table.id, "", ""), whole, None)
            self._record_wagers(odds, table.id, event.seats, event.result, whole, None)
        self._rounds += 1

    def _record(self, key: Key, each: Summed | None, shoe: str | None) -> None:
        """Add a round to a record."""
        if each is not None:
            self._records[key].results.record(*each, shoe=shoe)
            self._changed.add(key)

    def _record_wagers(
        self, odds: TableOdds, table: str, seats: Seats, result: Result, whole: Summed | None, shoe: str | None
    ) -> None:
        """Add a round to the record of each of its wagers."""
        names = {name for seat in seats for name in seat if name in odds.odds.wagers}
        if len(names) == 1 and len(seats) == 1 and len(seats[0]) == len(result[0]) == 1:  # most bets: the wager is all
            (name,) = names
            self._record((table, "", name), whole, shoe)
            return
        for name in sorted(names):
            own = [{name: seat[name]} if name in seat else {} for seat in seats]
            bets = [{each: bet for each, bet in line.items() if odds.line_of[each] == name} for line in result]
            self._record((table, "", name), summed(odds, own, bets), shoe)

    # Shoes.

    def _weigh_shoe(self, tx: Tx, tables: dict[str, FloorTable], stream: str, nonce: int) -> None:
        """A shoe has ended: do its stakes follow its cards? Then the table and its wagers get all its rounds."""
        from pairhouse.server.watch.shoes import judged_shoe  # it loads a compiler, which a house without shoes spares

        shoe = read_shoe(tx, stream, nonce)
        table = tables.get(shoe.table)
        if table is None or not shoe.seats or shoe.rules != table.betting.variant.rules_hash:
            return
        variant = table.betting.variant
        names = {name for seats in shoe.seats for seat in seats for name in seat}
        own, whole = (table.id, shoe.player, ""), (table.id, "", "")
        self._load_keys(tx, [own, whole, *((table.id, "", name) for name in names)])
        odds, shoe_id = self._odds.of(variant), f"{stream}:{nonce}"
        for seats, result in zip(shoe.seats, shoe.results, strict=True):
            each = summed(odds, seats, result)
            self._record(whole, each, shoe_id)
            self._record_wagers(odds, table.id, seats, result, each, shoe_id)
        staked, worth, evidence = judged_shoe(variant, shoe, self.decoys, self._next_seed())
        for key in (own, whole):
            record = self._records[key]
            record.counting = record.counting or CountingRecord()
            record.counting.record(staked, worth, evidence)
            self._changed.add(key)
        self._shoes += 1

    def _next_seed(self) -> int | None:
        """New decoys for every shoe; numbered only where a test wants the same ones again."""
        if self.seed is None:
            return None
        self.seed += 1
        return self.seed

    # What follows.

    def _step(self, key: Key) -> WatchFinding | None:
        """The step that a record calls for, if it is a higher one than before."""
        record = self._records[key]
        why, step = call(self.policy, record)
        if STEPS.index(step) <= STEPS.index(record.step):
            return None
        record.step = step
        return WatchFinding(*key, step, why, figures_of(record))

    def _row(self, key: Key) -> WatchRow:
        record = self._records[key]
        return WatchRow(*key, peak_of(record), record.step, msgspec.msgpack.encode(record))


def summed(odds: TableOdds, seats: Seats, result: Result) -> Summed | None:
    """What the priced stakes of a round come to and what came of them; None if nothing of it has a price."""
    priced = odds.odds.wagers
    stakes = tuple([(name, stake) for seat in seats for name, stake in sorted(seat.items()) if name in priced])
    if not stakes:
        return None
    terms = odds.odds.terms(stakes)
    net = unchosen = 0
    for bets in result:
        for name, bet in bets.items():
            line = odds.line_of[name]
            if line in priced:
                net += bet.returned - bet.stake
                if not priced[line].chosen:
                    unchosen += bet.returned - bet.stake
    return Summed(terms, net, None if terms.unchosen is None else unchosen)


def _has_shoe(tables: dict[str, FloorTable], table: str) -> bool:
    return table in tables and tables[table].betting.variant.game.shoe


def call(policy: WatchPolicy, record: Record) -> tuple[Any, str]:
    """Why, and which step the evidence calls for: the highest of its kinds."""
    peaks = {"counts": record.counting.peak if record.counting is not None else 1.0}
    peaks |= {"wins": record.results.up_peak, "loses": record.results.down_peak}
    why = max(peaks, key=lambda kind: peaks[kind])
    return why, policy.step(peaks[why])


def peak_of(record: Record) -> float:
    """The most evidence of any kind there ever was."""
    counted = record.counting.peak if record.counting is not None else 1.0
    return max(counted, record.results.up_peak, record.results.down_peak)


def figures_of(record: Record) -> dict[str, Any]:
    """A record for people: money in minor units, evidence as the odds against chance."""
    seen = read(record.results)
    figures: dict[str, Any] = {
        "rounds": seen.rounds,
        "staked": seen.staked,
        "net": seen.net,
        "expected": round(seen.expected),
        "variance": record.results.variance,
        "z": None if seen.z is None else round(seen.z, 3),
        "wins_too_much": float(f"{seen.wins_too_much:.4g}"),
        "loses_too_much": float(f"{seen.loses_too_much:.4g}"),
        "follows_cards": None,
        "shoes": 0,
        "advantage": None,
    }
    counting = record.counting
    if counting is not None:
        figures |= {"follows_cards": float(f"{counting.peak:.4g}"), "shoes": counting.shoes}
        figures["advantage"] = round(counting.advantage)
    return figures
