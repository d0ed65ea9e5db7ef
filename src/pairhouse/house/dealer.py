"""The dealer: the committed server seed of a player at a table, the shoe in use, and the order of the cards.

A stream is one server seed of a player at a table, from its commitment to its reveal; its nonces number the shuffles.
"""

import threading
from collections import OrderedDict
from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, insert, select, update

from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.shoe import Shoe
from pairhouse.games.floor_plan import SHOE
from pairhouse.house.store.database import Tx
from pairhouse.house.store.ids import new_id
from pairhouse.house.store.schema import rounds, shoes, sittings, streams
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.vault import Vault
from pairhouse.machines.events import Replay
from pairhouse.rounds.fairness import Order, Proof, WordStream, commitment, new_seed
from pairhouse.rounds.round_view import ShoeState

ORDERS_CACHED = 2_048
ROUNDS_SHOWN = 72  # of a table without a shoe: about as many as a shoe has

STREAM_COLUMNS = (
    streams.c.id,
    streams.c.sealed_seed,
    streams.c.commitment,
    streams.c.nonce,
    streams.c.client_seed,
    streams.c.dealt_at,
)
_in_use = (
    streams.c.player_id == bindparam("player"),
    streams.c.table_id == bindparam("table"),
    streams.c.revealed_at.is_(None),
)
_STREAM = select(*STREAM_COLUMNS).where(*_in_use)
_TAKE_NONCE = (
    update(streams)
    .where(streams.c.id == bindparam("stream"))
    .values(nonce=streams.c.nonce + 1, client_seed=bindparam("seed"), dealt_at=bindparam("at"))
)
_DEALT = update(streams).where(streams.c.id == bindparam("stream")).values(dealt_at=bindparam("at"))
_INSERT_STREAM = insert(streams)
_REVEAL = update(streams).where(streams.c.id == bindparam("stream")).values(revealed_at=bindparam("at"))
_STREAM_BY_ID = select(*STREAM_COLUMNS, streams.c.revealed_at).where(streams.c.id == bindparam("stream"))
SHOE_COLUMNS = (
    shoes.c.nonce,
    shoes.c.client_seed,
    shoes.c.dealt,
    shoes.c.last_round,
    shoes.c.finished,
    shoes.c.rules_hash,
)
_SHOE = select(*SHOE_COLUMNS).where(shoes.c.stream_id == bindparam("stream")).order_by(shoes.c.nonce.desc()).limit(1)
_IS_SHOE = select(shoes.c.nonce).where(shoes.c.stream_id == bindparam("stream"), shoes.c.nonce == bindparam("at_nonce"))
_INSERT_SHOE = insert(shoes)
_DEAL_SHOE = (
    update(shoes)
    .where(shoes.c.stream_id == bindparam("stream"), shoes.c.nonce == bindparam("at_nonce"))
    .values(dealt=bindparam("to"), last_round=bindparam("last"), finished=bindparam("ended"))
)
_OPEN_ROUND = select(sittings.c.round_id).where(
    sittings.c.player_id == bindparam("player"), sittings.c.table_id == bindparam("table")
)
_SHOE_ROUNDS = (
    select(rounds.c.id, rounds.c.log)
    .where(rounds.c.stream_id == bindparam("stream"), rounds.c.nonce == bindparam("at_nonce"))
    .order_by(rounds.c.first_card)
)
_LAST_ROUNDS = (
    select(rounds.c.id, rounds.c.log)
    .where(rounds.c.stream_id == bindparam("stream"), rounds.c.state == "settled")
    .order_by(rounds.c.nonce.desc(), rounds.c.first_card.desc())
    .limit(ROUNDS_SHOWN)
)
_STREAMS = (
    select(
        streams.c.id,
        streams.c.table_id,
        streams.c.sealed_seed,
        streams.c.commitment,
        streams.c.nonce,
        streams.c.opened_at,
        streams.c.revealed_at,
    )
    .where(streams.c.player_id == bindparam("player"))
    .order_by(streams.c.opened_at.desc(), streams.c.id.desc())
    .limit(200)
)


class StreamRow(msgspec.Struct, frozen=True, gc=False):
    """A stream: its sealed seed and commitment, the next nonce, and when its player was last dealt a round."""

    id: str
    sealed_seed: bytes
    commitment: str
    nonce: int
    client_seed: str
    dealt_at: int | None


class ShoeRow(msgspec.Struct, frozen=True, gc=False):
    """How far a shoe is dealt. It is over when it is finished, or when the rules have changed since it was opened."""

    nonce: int
    client_seed: str
    dealt: int
    last_round: bool
    finished: bool
    rules_hash: str


class PastStream(NamedTuple):
    """A past or present stream of a player, with its seed once that is revealed."""

    table_id: str
    commitment: str
    server_seed: str | None
    nonces: int
    opened_at: int
    revealed_at: int | None


class Deal(msgspec.Struct, frozen=True, gc=False):
    """The cards of a round: which shuffle they come from, and where in it the round begins."""

    stream: StreamRow
    nonce: int
    client_seed: str
    first_card: int
    order: Order
    shoe: Shoe | None


class Revealed(msgspec.Struct, frozen=True):
    """A server seed that is no longer in use, shown to its player."""

    commitment: str
    server_seed: str
    nonces: int


class Dealer:
    """Deals from sealed seeds. Each thread caches the orders and seeds used last, which are expensive to compute."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self._cached = threading.local()

    def order(
        self, stream_id: str, sealed: bytes, variant: Variant, rules_hash: str, client_seeds: list[str], nonce: int
    ) -> Order:
        """The order of the cards for one nonce of a stream; each card is computed when it is dealt."""
        orders: OrderedDict[tuple[str, int, tuple[str, ...]], Order] | None = getattr(self._cached, "orders", None)
        if orders is None:
            orders = self._cached.orders = OrderedDict()
        key = (stream_id, nonce, tuple(client_seeds))  # a refused bet frees its nonce for a bet with another seed
        found = orders.get(key)
        if found is None:
            found = orders[key] = self._new_order(stream_id, sealed, variant, rules_hash, client_seeds, nonce)
            if len(orders) > ORDERS_CACHED:
                orders.popitem(last=False)
        return found

    def _new_order(
        self, stream_id: str, sealed: bytes, variant: Variant, rules_hash: str, client_seeds: list[str], nonce: int
    ) -> Order:
        seed = self._seed(stream_id, sealed)
        return Order(WordStream(seed, variant.game.id, rules_hash, client_seeds, nonce), *variant.pack)

    def _seed(self, stream_id: str, sealed: bytes) -> bytes:
        """The server seed of a stream, from the cache or the vault."""
        seeds: OrderedDict[tuple[str, bytes], bytes] | None = getattr(self._cached, "seeds", None)
        if seeds is None:
            seeds = self._cached.seeds = OrderedDict()
        seed = seeds.get((stream_id, sealed))
        if seed is None:
            seed = seeds[stream_id, sealed] = self.vault.open(sealed, stream_id)
            if len(seeds) > ORDERS_CACHED:
                seeds.popitem(last=False)
        return seed

    def forget(self, stream_id: str, nonce: int, client_seed: str) -> None:
        """Drop an order from the cache, because its shoe is finished."""
        orders = getattr(self._cached, "orders", None)
        if orders is not None:
            orders.pop((stream_id, nonce, (client_seed,)), None)

    def deal(
        self, tx: WriteTx, stream: StreamRow, in_use: ShoeRow | None, variant: Variant, client_seed: str, shuffle: str
    ) -> Deal:
        """The cards of the next round: a new shuffle, or the rest of the shoe in use. [NSB-4] [NSB-5]"""
        if shuffle == SHOE:
            return self._deal_from_shoe(tx, stream, in_use, variant, client_seed)
        tx.queue(_TAKE_NONCE, {"stream": stream.id, "seed": client_seed, "at": tx.now})
        # Not cached: most rounds need it once, and a later choice needs few of its cards.
        order = self._new_order(stream.id, stream.sealed_seed, variant, variant.rules_hash, [client_seed], stream.nonce)
        return Deal(stream, stream.nonce, client_seed, 0, order, None)

    def _deal_from_shoe(
        self, tx: WriteTx, stream: StreamRow, row: ShoeRow | None, variant: Variant, client_seed: str
    ) -> Deal:
        if row is None or row.finished or row.rules_hash != variant.rules_hash:
            row = ShoeRow(stream.nonce, client_seed, 0, False, False, variant.rules_hash)
            tx.queue(_TAKE_NONCE, {"stream": stream.id, "seed": client_seed, "at": tx.now})
            new = {"stream_id": stream.id, "nonce": row.nonce, "rules_hash": row.rules_hash, "dealt": 0}
            tx.queue(_INSERT_SHOE, {**new, "client_seed": client_seed, "last_round": 0, "finished": 0})
        else:
            tx.queue(_DEALT, {"stream": stream.id, "at": tx.now})
        order = self.order(stream.id, stream.sealed_seed, variant, row.rules_hash, [row.client_seed], row.nonce)
        shoe = Shoe(order, variant.options["cut_card"], row.dealt, bool(row.last_round), bool(row.finished))
        return Deal(stream, row.nonce, row.client_seed, row.dealt, order, shoe)

    def used(self, tx: WriteTx, deal: Deal, cards_used: int) -> Shoe | None:
        """Note how far the shoe is dealt after a round, if the game has one."""
        if deal.shoe is None:
            return None
        after = deal.shoe.after(cards_used)
        change = {
            "stream": deal.stream.id,
            "at_nonce": deal.nonce,
            "to": after.dealt,
            "last": int(after.last_round),
            "ended": int(after.finished),
        }
        tx.queue(_DEAL_SHOE, change)
        if after.finished:
            self.forget(deal.stream.id, deal.nonce, deal.client_seed)
        return after

    def sit(self, tx: WriteTx, player_id: str, table_id: str, dealt_at: int | None = None) -> StreamRow:
        """The stream in use at a table; a new one for a player who sits down for the first time.

        `dealt_at` is when the player was last dealt a round here, so that a new seed is no way round the pace.
        """
        row = tx.one(_STREAM, {"player": player_id, "table": table_id})
        if row is not None:
            return StreamRow(*row)
        stream_id, seed = new_id(tx.now), new_seed()
        new: dict[str, object] = {"id": stream_id, "player_id": player_id, "table_id": table_id}
        new["commitment"] = commitment(seed)
        new |= {"sealed_seed": self.vault.seal(seed, stream_id), "nonce": 0, "client_seed": "", "opened_at": tx.now}
        tx.run(_INSERT_STREAM, {**new, "revealed_at": None, "dealt_at": dealt_at})
        sealed = {"stream": stream_id, "player": player_id, "table": table_id, "commitment": new["commitment"]}
        tx.seal("seed-committed", sealed)
        return stream_in_use(tx, player_id, table_id)

    def rotate(self, tx: WriteTx, player_id: str, table_id: str) -> tuple[Revealed, StreamRow]:
        """Reveal the seed in use and commit to a new one; the shoe in use ends. Refused while a round is open."""
        stream = stream_in_use(tx, player_id, table_id)
        if open_round_at(tx, player_id, table_id) is not None:
            raise Refused("round-open", "a round is open at this table; play it to its end, then ask for the seed")
        tx.run(_REVEAL, {"stream": stream.id, "at": tx.now})
        seed = self.vault.open(stream.sealed_seed, stream.id)
        tx.seal("seed-revealed", {"stream": stream.id, "nonces": stream.nonce})
        new_stream = self.sit(tx, player_id, table_id, stream.dealt_at)
        return Revealed(stream.commitment, seed.hex(), stream.nonce), new_stream

    def streams(self, tx: Tx, player_id: str, table_id: str | None) -> list[PastStream]:
        """Every stream of a player, newest first, with the seeds of those that are revealed."""
        found = []
        for stream_id, table, sealed, committed, nonces, opened_at, revealed_at in tx.all(
            _STREAMS, {"player": player_id}
        ):
            if table_id is None or table == table_id:
                seed = self.vault.open(sealed, stream_id).hex() if revealed_at is not None else None
                found.append(PastStream(table, committed, seed, nonces, opened_at, revealed_at))
        return found


def not_seated(table_id: str) -> Refused:
    sentence = (
        f"sit down at {table_id} first (POST /tables/{table_id}/sit), so that you see the commitment before you bet"
    )
    return Refused("not-seated", sentence)


def stream_in_use(tx: Tx, player_id: str, table_id: str) -> StreamRow:
    """The stream in use for a player who sits at a table."""
    row = tx.one(_STREAM, {"player": player_id, "table": table_id})
    if row is None:
        raise not_seated(table_id)
    return StreamRow(*row)


def stream_of(tx: Tx, stream_id: str) -> tuple[StreamRow, bool]:
    """Any stream, and whether its seed is revealed."""
    row = tx.one(_STREAM_BY_ID, {"stream": stream_id})
    assert row is not None
    *stream, revealed_at = row
    return StreamRow(*stream), revealed_at is not None


def shoe_in_use(tx: Tx, stream: StreamRow) -> ShoeRow | None:
    """The latest shoe of a stream."""
    row = tx.one(_SHOE, {"stream": stream.id})
    return ShoeRow(*row) if row else None


def has_shoe(tx: Tx, stream_id: str, nonce: int) -> bool:
    """Whether a shuffle was the shoe of many rounds."""
    return tx.one(_IS_SHOE, {"stream": stream_id, "at_nonce": nonce}) is not None


def rounds_of_shoe(tx: Tx, stream_id: str, nonce: int) -> list[tuple[str, str]]:
    """The rounds dealt from a shoe, in order, with their logs."""
    return [(round_id, log) for round_id, log in tx.all(_SHOE_ROUNDS, {"stream": stream_id, "at_nonce": nonce})]


def last_rounds(tx: Tx, stream_id: str) -> list[tuple[str, str]]:
    """The last rounds of a stream, in order, with their logs."""
    return [(round_id, log) for round_id, log in reversed(tx.all(_LAST_ROUNDS, {"stream": stream_id}))]


def open_round_at(tx: Tx, player_id: str, table_id: str) -> str | None:
    """The round this player has open at a table."""
    round_id: str | None = tx.value(_OPEN_ROUND, {"player": player_id, "table": table_id})
    return round_id


def proof_of(variant: Variant, deal: Deal, state: Replay) -> Proof:
    """What a player needs to verify a round later; the server seed is not in it."""
    return Proof(
        game=variant.game.id,
        rules_hash=variant.rules_hash,
        commitment=deal.stream.commitment,
        client_seeds=[deal.client_seed],
        nonce=deal.nonce,
        first_card=deal.first_card,
        cards_used=state.cards_used,
    )


def shoe_of(deal: Deal, shoe: Shoe | None) -> ShoeState | None:
    """How far the shoe of a deal is dealt, for its player."""
    if shoe is None:
        return None
    return ShoeState(deal.nonce, len(shoe.cards), shoe.dealt, shoe.behind_cut, shoe.last_round, shoe.finished)
