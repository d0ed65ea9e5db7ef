"""The shoes in use, as somebody who follows every card sees them: what is left, and what was staked round by round.

What the wagers are worth then is worked out by the solver's process (`server/pricing/solver.py`), not here.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, select

from pairhouse.core.cards import Card, pack, parse
from pairhouse.core.game import Variant
from pairhouse.games.floor_plan import SHOE
from pairhouse.house.floor import FloorTable, read_table, table_ids
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import players, rounds, shoes, streams
from pairhouse.server.models.pit import PitPrice, PitShoe

SHOES_MAX = 8
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

Stakes = dict[str, int]


class FollowedShoe(NamedTuple):
    """A shoe in use: the cards that have left it round by round, and what lay on each wager in those rounds."""

    table: str
    player: str | None
    variant: Variant
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


def shoes_in_use(tx: Tx) -> list[FollowedShoe]:
    """The shoes that were dealt from last, newest first; none where every table is shuffled for every round."""
    dealt_so = {table.id: table for table in (read_table(tx, each) for each in table_ids(tx)) if table.shuffle == SHOE}
    return _private_shoes(tx, dealt_so)[:SHOES_MAX] if dealt_so else []


def _private_shoes(tx: Tx, tables: dict[str, FloorTable]) -> list[FollowedShoe]:
    found: dict[tuple[str, int], FollowedShoe] = {}
    for stream, nonce, rules, table_id, name in tx.all(_IN_USE, {"back": LOOKED_BACK}):
        table = tables.get(table_id)
        if table is None or (stream, nonce) in found or table.betting.variant.rules_hash != rules:
            continue
        played = [row for row in tx.all(_ROUNDS, {"stream": stream, "at_nonce": nonce}) if row[1]]
        gone = [parse(_decode_log(log).cards) for _, log in played]
        stakes = [together(_decode_seats(seats)) for seats, _ in played]
        found[stream, nonce] = FollowedShoe(table_id, name, table.betting.variant, gone, stakes)
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
    return PitShoe(shoe.table, shoe.player, cards, sum(map(len, shoe.gone)), len(shoe.gone), [], why)


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
    return PitShoe(shoe.table, shoe.player, cards, sum(map(len, shoe.gone)), len(shoe.gone), wagers)
