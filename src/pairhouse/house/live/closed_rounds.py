"""Rounds of live tables that are over, replayed from their entries: what each seat staked and what came of it.

The seed was opened when the round closed, so nothing secret is needed.
"""

from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, select

from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find
from pairhouse.house.live.table_log import decode_entry
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_entries, live_rounds, live_tables
from pairhouse.machines.events import BetRecord, Replay
from pairhouse.rounds.live_entries import BetPlaced, BetTakenBack
from pairhouse.rounds.live_record import LiveRecord, live_record
from pairhouse.rounds.live_results import LiveResults
from pairhouse.rounds.live_round import LiveRound, LiveSettings
from pairhouse.rounds.live_shoe import ShoeCoup
from pairhouse.rounds.table_limits import BettingTable, Limits

_ROUND = (
    select(
        live_rounds.c.table_id,
        live_rounds.c.game,
        live_rounds.c.options,
        live_rounds.c.rules_hash,
        live_tables.c.settings,
    )
    .join(live_tables, live_tables.c.table_id == live_rounds.c.table_id)
    .where(live_rounds.c.id == bindparam("round"))
)
_ENTRIES = (
    select(live_entries.c.player_id, live_entries.c.body)
    .where(live_entries.c.round_id == bindparam("round"))
    .order_by(live_entries.c.number)
)
_COUPS = (
    select(live_rounds.c.id, live_rounds.c.commitment, live_rounds.c.server_seed, live_rounds.c.client_seeds)
    .where(
        live_rounds.c.table_id == bindparam("table"),
        live_rounds.c.shoe == bindparam("at_shoe"),
        live_rounds.c.coup < bindparam("at_coup"),
        live_rounds.c.client_seeds.is_not(None),
    )
    .order_by(live_rounds.c.coup)
)
ANY_STAKE = Limits(maximum=2**53, round_maximum=2**60)  # what was accepted then is not judged again


class ClosedLiveRound(NamedTuple):
    """A settled round of a live table: for each seat its player, its first stakes and what came of its wagers."""

    id: str
    table: str
    rules_hash: str
    players: list[str]
    stakes: list[dict[str, int]]
    wagers: list[dict[str, BetRecord]]


class _ReadRound(NamedTuple):
    """A round as its entries tell of it, and who has which seat."""

    table: str
    rules_hash: str
    live: LiveRound
    players: dict[int, str]

    @property
    def is_replayable(self) -> bool:
        """Whether it was dealt by the rules in force."""
        return self.live.table.variant.rules_hash == self.rules_hash


def closed_live_round(tx: Tx, round_id: str) -> ClosedLiveRound | None:
    """A round of a live table; None if it is void or open, or was dealt by rules no longer in force."""
    found = _read(tx, round_id)
    state = _dealt_again(found)
    if found is None or state is None:
        return None
    live, rules_hash = found.live, found.rules_hash
    results = LiveResults(live, state)
    players = [found.players[seat] for seat in live.seats]
    stakes = [dict(live.bets[seat].stakes) for seat in live.seats]
    return ClosedLiveRound(
        round_id, found.table, rules_hash, players, stakes, [results.wagers(seat) for seat in live.seats]
    )


def own_live_round(tx: Tx, round_id: str, player_id: str) -> tuple[dict[str, int], dict[str, BetRecord] | None]:
    """What a player staked at first in a round, and what came of it; None if it is void or open, or of other rules."""
    found = _read(tx, round_id)
    seat = _seat_of(found, player_id) if found is not None else None
    if found is None or seat is None or seat not in found.live.bets:
        return {}, None
    state = _dealt_again(found)
    stakes = dict(found.live.bets[seat].stakes)
    return stakes, LiveResults(found.live, state).wagers(seat) if state is not None else None


def read_settled(tx: Tx, round_id: str) -> Replay | None:
    """The cards and payments of a closed round; None if it is void or open, or its rules are no longer in force."""
    return _dealt_again(_read(tx, round_id))


def _dealt_again(found: _ReadRound | None) -> Replay | None:
    if found is None or not found.is_replayable or found.live.closed is None or found.live.dealt is None:
        return None
    return found.live.state(found.live.order(bytes.fromhex(found.live.closed.server_seed), found.rules_hash))


def live_round_record(tx: Tx, round_id: str, player_id: str | None = None) -> LiveRecord:
    """A closed round as its record, for a player who may have bet in it; refused while it is open."""
    found = _read(tx, round_id)
    if found is None:
        raise Refused("unknown-round", "there is no round of this id at a live table")
    if not found.is_replayable:
        dealt, now = found.rules_hash[:12], found.live.table.variant.rules_hash[:12]
        raise Refused("other-rules", f"the round was dealt under rules {dealt}; the rules in force are {now}")
    return live_record(found.live, found.rules_hash, _seat_of(found, player_id), _coups_before(tx, found))


def _seat_of(found: _ReadRound, player_id: str | None) -> int | None:
    return next((seat for seat, player in found.players.items() if player == player_id), None)


def _coups_before(tx: Tx, found: _ReadRound) -> list[ShoeCoup]:
    """The earlier coups of a round's shoe; all of them are closed."""
    shoe = found.live.opened.shoe if found.live.opened is not None else None
    if shoe is None:
        return []
    rows = tx.all(_COUPS, {"table": found.table, "at_shoe": shoe.number, "at_coup": shoe.coup})
    return [
        ShoeCoup(coup, commitment, seed, msgspec.json.decode(mixed, type=list[str]))
        for coup, commitment, seed, mixed in rows
    ]


def _read(tx: Tx, round_id: str) -> _ReadRound | None:
    row = tx.one(_ROUND, {"round": round_id})
    if row is None:
        return None
    table, game, options, rules_hash, settings = row
    variant = find(game).variant(msgspec.json.decode(options))
    live = LiveRound(BettingTable(variant, ANY_STAKE), msgspec.json.decode(settings, type=LiveSettings))
    players: dict[int, str] = {}
    for player_id, body in tx.all(_ENTRIES, {"round": round_id}):
        entry = decode_entry(body)
        if isinstance(entry, BetPlaced):
            players[entry.seat] = player_id
        elif isinstance(entry, BetTakenBack):  # who has moved since has their bet elsewhere
            del players[entry.seat]
        live.add(entry)
    return _ReadRound(table, rules_hash, live, players)
