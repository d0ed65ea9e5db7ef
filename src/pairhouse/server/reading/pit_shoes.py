"""The shoes in use, as somebody who follows every card sees them: what is left, and what was staked round by round.

What the wagers are worth then is worked out by the solver's process (`server/pricing/solver.py`), not here.
"""

from collections import OrderedDict
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, select

from pairhouse.core.cards import Card, pack, parse
from pairhouse.core.game import Variant
from pairhouse.games.floor_plan import SHOE
from pairhouse.house.floor import FloorTable, read_table, table_ids
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.live.table_log import decode_entry, live_numbers
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_entries, live_rounds
from pairhouse.house.store.schema import players, rounds, shoes, streams
from pairhouse.rounds.live_entries import BetPlaced, BetTakenBack
from pairhouse.server.models.pit import PitPrice, PitShoe

SHOES_MAX = 8
COMPARED = 5  # coups of a shared shoe whose stakes are usual
STAKES_KEPT = 512  # coups
LOOKED_BACK = 2_000  # rounds: whoever has not played for so many is not at the tables
_NEWEST = (
    select(rounds.c.id, rounds.c.stream_id, rounds.c.nonce)
    .order_by(rounds.c.id.desc())
    .limit(bindparam("back"))
    .subquery()
)
_IN_USE = (
    select(shoes.c.stream_id, shoes.c.nonce, shoes.c.rules_hash, streams.c.table_id, players.c.name)
    .select_from(_NEWEST)
    .join(shoes, (shoes.c.stream_id == _NEWEST.c.stream_id) & (shoes.c.nonce == _NEWEST.c.nonce))
    .join(streams, streams.c.id == shoes.c.stream_id)
    .join(players, players.c.id == streams.c.player_id)
    .where(shoes.c.finished == 0, streams.c.revealed_at.is_(None))
    .order_by(_NEWEST.c.id.desc())
)
_ROUNDS = (
    select(rounds.c.seats, rounds.c.log)
    .where(rounds.c.stream_id == bindparam("stream"), rounds.c.nonce == bindparam("at_nonce"))
    .order_by(rounds.c.first_card)
)
_COUPS = (
    select(live_rounds.c.id)
    .where(
        live_rounds.c.table_id == bindparam("table"),
        live_rounds.c.shoe == bindparam("at_shoe"),
        live_rounds.c.coup < bindparam("at_coup"),
    )
    .order_by(live_rounds.c.coup.desc())
    .limit(bindparam("most"))
)
_ENTRIES = (
    select(live_entries.c.body).where(live_entries.c.round_id == bindparam("round")).order_by(live_entries.c.number)
)

Stakes = dict[str, int]


class FollowedShoe(NamedTuple):
    """A shoe in use: the cards that have left it, the newest round last, and what lay on each wager in its rounds.

    `player` is None where people share it. The newest round may have its stakes already and no cards yet.
    """

    table: str
    player: str | None
    variant: Variant
    rounds: int
    gone: list[list[Card]]
    stakes: list[Stakes]

    def left(self, rounds: int) -> list[Card]:
        """The cards that are left after so many rounds."""
        counts = [0] * (max(pack(*self.variant.pack)) + 1)
        for card in pack(*self.variant.pack):
            counts[card] += 1
        for cards in self.gone[:rounds]:
            for card in cards:
                counts[card] -= 1
        return [card for card, count in enumerate(counts) for _ in range(count)]

    @property
    def lots(self) -> list[list[Card]]:
        """The cards left now, and those that were left before the newest round."""
        played = len(self.gone)
        return [self.left(played), self.left(max(0, played - 1))]


class _Log(msgspec.Struct):
    """What is read of a round's log."""

    cards: list[str]


_decode_seats = msgspec.json.Decoder(list[Stakes]).decode
_decode_log = msgspec.json.Decoder(_Log).decode


class ShoeReader:
    """Reads the shoes in use. What was staked in coups that are closed is read once and then known."""

    def __init__(self, floor: LiveFloor) -> None:
        self._floor = floor
        self._known: OrderedDict[str, Stakes] = OrderedDict()

    def in_use(self, tx: Tx) -> list[FollowedShoe]:
        """Shoes that people share, then those dealt from last; none where every table is shuffled for every round."""
        floor = (read_table(tx, each) for each in table_ids(tx))
        dealt_so = {table.id: table for table in floor if table.shuffle == SHOE}
        if not dealt_so:
            return []
        live = [table for table, _ in live_numbers(tx) if table in dealt_so]
        shared = [shoe for shoe in (self._shared(tx, table) for table in live) if shoe is not None]
        alone = {table: each for table, each in dealt_so.items() if table not in live}
        return [*shared, *_private_shoes(tx, alone)][:SHOES_MAX]

    def _shared(self, tx: Tx, table_id: str) -> FollowedShoe | None:
        """The shoe of a live table, with what lies there now beside what lay there in the coups before."""
        here = self._floor.at_table(tx, table_id)
        shoe = here.live.opened.shoe if here.live.opened is not None else None
        if shoe is None:
            return None
        state = self._floor.state(tx, here)
        on_table = [event.card for event in state.events if event.kind == "dealt" and event.card] if state else []
        coups = tx.all(_COUPS, {"table": table_id, "at_shoe": shoe.number, "at_coup": shoe.coup, "most": COMPARED})
        stakes = [self._staked_in(tx, round_id) for (round_id,) in reversed(coups)]
        rounds = shoe.coup - 1 + int(state is not None and state.is_over)
        gone = [parse(shoe.gone), parse(on_table)]
        return FollowedShoe(table_id, None, here.live.table.variant, rounds, gone, [*stakes, dict(here.live.totals)])

    def _staked_in(self, tx: Tx, round_id: str) -> Stakes:
        found = self._known.get(round_id)
        if found is None:
            bets: dict[int, Stakes] = {}
            for (body,) in tx.all(_ENTRIES, {"round": round_id}):
                entry = decode_entry(body)
                if isinstance(entry, BetPlaced):
                    bets[entry.seat] = entry.stakes
                elif isinstance(entry, BetTakenBack):
                    bets.pop(entry.seat, None)
            found = self._known[round_id] = together(list(bets.values()))
            while len(self._known) > STAKES_KEPT:
                self._known.popitem(last=False)
        return found


def _private_shoes(tx: Tx, tables: dict[str, FloorTable]) -> list[FollowedShoe]:
    found: dict[tuple[str, int], FollowedShoe] = {}
    for stream, nonce, rules, table_id, name in tx.all(_IN_USE, {"back": LOOKED_BACK}):
        table = tables.get(table_id)
        if table is None or (stream, nonce) in found or table.betting.variant.rules_hash != rules:
            continue
        played = [row for row in tx.all(_ROUNDS, {"stream": stream, "at_nonce": nonce}) if row[1]]
        gone = [parse(_decode_log(log).cards) for _, log in played]
        stakes = [together(_decode_seats(seats)) for seats, _ in played]
        found[stream, nonce] = FollowedShoe(table_id, name, table.betting.variant, len(gone), gone, stakes)
        if len(found) == SHOES_MAX:
            break
    return list(found.values())


def together(seats: Sequence[Stakes]) -> Stakes:
    """What lies on each wager, of all seats."""
    total: Stakes = {}
    for stakes in seats:
        for wager, stake in stakes.items():
            total[wager] = total.get(wager, 0) + stake
    return total


def shoe_without_prices(shoe: FollowedShoe, why: str) -> PitShoe:
    """A shoe whose wagers are not counted, and why."""
    cards = len(pack(*shoe.variant.pack))
    return PitShoe(shoe.table, shoe.player, cards, sum(map(len, shoe.gone)), shoe.rounds, [], why)


def priced_shoe(shoe: FollowedShoe, now: dict[str, str], before: dict[str, str]) -> PitShoe:
    """The shoe with what each wager is worth now; best for the player first, bets that should be looked at above all.

    `before` are the prices when the newest stakes were laid: whoever counts raises them then.
    """
    wagers = []
    for wager, price in now.items():
        staked = shoe.stakes[-1].get(wager, 0) if shoe.stakes else 0
        earlier = [stakes.get(wager, 0) for stakes in shoe.stakes[:-1]]
        usual = sum(earlier) // len(earlier) if earlier else 0
        has_turned = Fraction(before[wager]) > 0
        is_alert = has_turned and bool(earlier) and staked > usual
        wagers.append(PitPrice(wager, shoe.variant.wagers[wager].name, price, staked, usual, is_alert))
    wagers.sort(key=lambda one: (not one.alert, -Fraction(one.price)))
    cards = len(pack(*shoe.variant.pack))
    return PitShoe(shoe.table, shoe.player, cards, sum(map(len, shoe.gone)), shoe.rounds, wagers)
