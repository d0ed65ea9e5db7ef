"""Closed rounds as the watch reads them: from the sealed events of every chain, after the cursor, in their order."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import BigInteger, Select, bindparam, cast, or_, select

from pairhouse.house.live.closed_rounds import closed_live_round
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import events, rounds, shoes, streams, ties
from pairhouse.house.store.statements import ForEach

PAGE = 2_000
LIVE = "live-entry"
ROUND_KINDS = ("open", "choice", "seed-revealed", LIVE)
LIVE_CLOSE = '\\"entry\\":\\"close\\"'  # how the entry that ends a live round stands in its event
_CHAINS = select(ties.c.chain).order_by(ties.c.chain)
_after = (events.c.chain == bindparam("of_chain"), events.c.number > bindparam("after"))
_EVENTS = select(events.c.number, events.c.kind, events.c.body).where(*_after).order_by(events.c.number).limit(PAGE)
_ANY = select(events.c.number).where(*_after, or_(*(events.c.kind == kind for kind in ROUND_KINDS))).limit(1)
_SHOE_ROUNDS = (
    select(rounds.c.id, rounds.c.seats, rounds.c.log, rounds.c.result)
    .where(rounds.c.stream_id == bindparam("stream"), rounds.c.nonce == bindparam("at_nonce"))
    .order_by(rounds.c.first_card)
)
_SHOE = (
    select(shoes.c.finished, shoes.c.rules_hash, streams.c.player_id, streams.c.table_id)
    .join(streams, streams.c.id == shoes.c.stream_id)
    .where(shoes.c.stream_id == bindparam("stream"), shoes.c.nonce == bindparam("at_nonce"))
)
_LAST_SHOE = (
    select(shoes.c.nonce, shoes.c.finished)
    .where(shoes.c.stream_id == bindparam("stream"))
    .order_by(shoes.c.nonce.desc())
    .limit(1)
)


def _opened(ids: Any) -> Select[Any]:
    found = ids.join(rounds, rounds.c.id == ids.c.round)
    return select(rounds.c.id, rounds.c.seats, rounds.c.rules_hash).select_from(found)


def _shoes(keys: Any) -> Select[Any]:
    found = keys.join(shoes, (shoes.c.stream_id == keys.c.stream) & (shoes.c.nonce == cast(keys.c.nonce, BigInteger)))
    return select(shoes.c.stream_id, shoes.c.nonce, shoes.c.finished).select_from(found)


_OPENED = ForEach(("round",), _opened)
_SHOES = ForEach(("stream", "nonce"), _shoes)


class SettledBet(msgspec.Struct):
    """What came of one wager of a seat."""

    stake: int
    returned: int


class RoundEvent(msgspec.Struct):
    """What the watch needs of an event: of a round that is over, or of a seed that was revealed.

    At a live table each seat has a player of its own (`players`).
    """

    round: str = ""
    player: str = ""
    table: str = ""
    stream: str = ""
    nonce: int = -1
    rules: str = ""
    seats: list[dict[str, int]] | None = None
    result: list[dict[str, SettledBet]] | None = None
    players: list[str] | None = None


class Closed(NamedTuple):
    """A round that is over, or (without a result) a seed that was revealed, with the chain and number of its event."""

    chain: str
    number: int
    event: RoundEvent


class ShoeRounds(NamedTuple):
    """A shoe that has ended: whose it was, and its rounds with stakes, cards and results."""

    player: str
    table: str
    rules: str
    is_finished: bool
    seats: list[list[dict[str, int]]]
    cards: list[list[str]]
    results: list[list[dict[str, SettledBet]]]


_decode = msgspec.json.Decoder(RoundEvent).decode
_decode_seats = msgspec.json.Decoder(list[dict[str, int]]).decode
_decode_result = msgspec.json.Decoder(list[dict[str, SettledBet]]).decode


class LogCards(msgspec.Struct):
    """The cards of a round's log."""

    cards: list[str]


_decode_cards = msgspec.json.Decoder(LogCards).decode


def has_new_rounds(tx: Tx, read_to: dict[str, int]) -> bool:
    """Whether anything was played that the watch has not read."""
    chains = [chain for (chain,) in tx.all(_CHAINS, {})]
    return any(tx.one(_ANY, {"of_chain": chain, "after": read_to.get(chain, 0)}) is not None for chain in chains)


def pages_of_closed(tx: Tx, read_to: dict[str, int]) -> Iterator[tuple[str, int, list[Closed]]]:
    """Page after page: a chain, the last event of the page, and what was closed in it. Stakes are filled in."""
    for (chain,) in tx.all(_CHAINS, {}):
        after = read_to.get(chain, 0)
        while found := tx.all(_EVENTS, {"of_chain": chain, "after": after}):
            after = found[-1][0]
            read = [Closed(chain, number, _decode(body)) for number, kind, body in found if _may_close(kind, body)]
            live = {number for number, kind, _ in found if kind == LIVE}
            read = [_live_round(tx, each) if each.number in live else each for each in read]
            closed = [each for each in read if each.event.result is not None or not each.event.round]
            _fill_stakes(tx, closed)
            yield chain, after, closed
            if len(found) < PAGE:
                break


def _may_close(kind: str, body: str) -> bool:
    """Whether the watch has to read an event: of the entries at live tables only those that end a round."""
    return kind in ROUND_KINDS and (kind != LIVE or LIVE_CLOSE in body)


def _live_round(tx: Tx, each: Closed) -> Closed:
    """The round that a live table has ended, replayed; without a result where it was void."""
    found = closed_live_round(tx, each.event.round)
    if found is None:
        return each
    result = [{name: SettledBet(b["stake"], b["returned"] or 0) for name, b in bets.items()} for bets in found.wagers]
    event = RoundEvent(round=found.id, table=found.table, rules=found.rules_hash, seats=found.stakes, result=result)
    event.players = found.players
    return each._replace(event=event)


def _fill_stakes(tx: Tx, closed: Sequence[Closed]) -> None:
    """A round that ends with a choice: its first stakes and its rules are in the round."""
    waiting = {each.event.round: each.event for each in closed if each.event.seats is None and each.event.round}
    if waiting:
        items = msgspec.json.encode([(round_id,) for round_id in waiting]).decode()
        for round_id, seats, rules in tx.all(_OPENED, {"items": items}):
            event = waiting[round_id]
            event.seats, event.rules = _decode_seats(seats), rules


class Shoes(NamedTuple):
    """The shoes that some rounds were dealt from (stream and nonce), and which of these rounds ended one."""

    in_use: set[tuple[str, int]]
    ended_by: dict[str, tuple[str, int]]


def shoes_of(tx: Tx, closed: Sequence[Closed]) -> Shoes:
    """The shoes of these rounds."""
    last: dict[tuple[str, int], str] = {}
    for each in closed:
        if each.event.round and each.event.stream:
            last[each.event.stream, each.event.nonce] = each.event.round
    if not last:
        return Shoes(set(), {})
    rows = tx.all(_SHOES, {"items": msgspec.json.encode(list(last)).decode()})
    ended_by = {}
    for stream, nonce, finished in rows:
        if finished:
            dealt = tx.all(_SHOE_ROUNDS, {"stream": stream, "at_nonce": nonce})
            if dealt and dealt[-1][0] == last[stream, nonce]:
                ended_by[last[stream, nonce]] = (stream, nonce)
    return Shoes({(stream, nonce) for stream, nonce, _ in rows}, ended_by)


def shoe_left_early(tx: Tx, stream: str) -> int | None:
    """The nonce of the shoe that was in use when a seed was revealed, if it was not finished."""
    row = tx.one(_LAST_SHOE, {"stream": stream})
    return row[0] if row is not None and not row[1] else None


def read_shoe(tx: Tx, stream: str, nonce: int) -> ShoeRounds:
    """The rounds of a shoe, in order."""
    row = tx.one(_SHOE, {"stream": stream, "at_nonce": nonce})
    assert row is not None
    finished, rules, player, table = row
    rows = tx.all(_SHOE_ROUNDS, {"stream": stream, "at_nonce": nonce})
    return ShoeRounds(
        player=player,
        table=table,
        rules=rules,
        is_finished=bool(finished),
        seats=[_decode_seats(seats) for _, seats, _, _ in rows],
        cards=[_decode_cards(log).cards for _, _, log, _ in rows],
        results=[_decode_result(result) for *_, result in rows],
    )
