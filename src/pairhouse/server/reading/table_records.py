"""Games, tables and seats as the API shows them."""

from functools import lru_cache

import msgspec
from msgspec import structs

from pairhouse.core.game import Variant
from pairhouse.games.floor_plan import SHOE, has_own_chips
from pairhouse.house.dealer import StreamRow, last_rounds, open_round_at, rounds_of_shoe, shoe_in_use, stream_in_use
from pairhouse.house.floor import FloorTable, read_table
from pairhouse.house.meters import read_meter
from pairhouse.house.operator_bets import money_of
from pairhouse.house.people import Person
from pairhouse.house.reading import Books
from pairhouse.house.shoe_history import shoe_lines
from pairhouse.house.store.database import Tx
from pairhouse.rounds.records import to_json
from pairhouse.rounds.round_log import MeterReading
from pairhouse.rounds.text_keys import keyed_game, table_keys
from pairhouse.server.models import GameRecord, LimitsRecord, Seat, ShoeRecord, TableRecord
from pairhouse.server.pricing.price_book import PriceBook

GAMES_KEPT = 128  # records of games under their options: every look at the lobby asks for all of them


@lru_cache(maxsize=GAMES_KEPT)
def published_game(variant: Variant) -> GameRecord:
    """A game's record with its fractions as text, and the keys of its words."""
    return msgspec.json.decode(to_json(keyed_game(variant)), type=GameRecord)


def table_record(prices: PriceBook, table: FloorTable) -> TableRecord:
    """A table as it is published."""
    limits, label = table.betting.limits, table_label(table)
    return TableRecord(
        id=table.id,
        name=table.name,
        group=table.betting.variant.game.id,
        label=label,
        live=table.is_live,
        own_chips=table.is_live and has_own_chips(table.betting.variant.game),
        version=table.version,
        game=published_game(table.betting.variant),
        limits=LimitsRecord(
            minimum=limits.minimum,
            maximum=limits.maximum,
            unit=limits.unit,
            chips=list(limits.chips),
            round_maximum=limits.round_maximum,
            payout_maximum=limits.payout_maximum,
            wager_maximum=dict(limits.wager_maximum),
            total_maximum=dict(limits.total_maximum),
        ),
        advice=table.advice,
        open=table.is_open,
        shuffle=table.shuffle,
        round_ms_min=table.round_ms_min,
        prices=prices.prices(table.betting.variant),
        not_priced=prices.not_priced(table.betting.variant),
        **table_keys(table.name, label),
    )


def in_brief(record: TableRecord) -> TableRecord:
    """A table in a list of many: no rows and rules of its bets, no options of its game, no fractions."""
    bare = [structs.replace(one, rules="", rows=[], otherwise="", otherwise_key="") for one in record.game.wagers]
    prices = record.prices and {
        wager: structs.replace(price, ev=None, edge_exact=None, hit=None) for wager, price in record.prices.items()
    }
    return structs.replace(record, game=structs.replace(record.game, options=[], wagers=bare), prices=prices)


def table_label(table: FloorTable) -> str:
    """What sets a table apart from the others of its game: its name without the game's."""
    game, _, label = table.name.partition(", ")
    return label if game == table.betting.variant.game.name and label else table.name


def seat_record(books: Books, tx: Tx, person: Person, table_id: str) -> Seat:
    """A player's place at a table, as it stands."""
    table = read_table(tx, table_id)
    dealt = table.betting.variant
    stream = stream_in_use(tx, person.id, table_id)
    meter = read_meter(tx, table_id, dealt)
    waiting = open_round_at(tx, person.id, table_id)
    shoe, coups = None, []
    if table.shuffle == SHOE:
        shoe = _shoe_record(tx, dealt, stream)
        coups = shoe_lines(rounds_of_shoe(tx, stream.id, shoe.number)) if shoe is not None else []
    elif dealt.game.shoe_line is not None:
        coups = shoe_lines(last_rounds(tx, stream.id))
    return Seat(
        table=table_id,
        balance=money_of(tx, person, "").balance,
        commitment=stream.commitment,
        nonce=stream.nonce,
        last_client_seed=stream.client_seed or None,
        meter=MeterReading(meter.amount, meter.reserve) if meter is not None else None,
        shoe=shoe,
        coups=coups,
        round=books.pit.view(tx, waiting, person.id) if waiting is not None else None,
    )


def _shoe_record(tx: Tx, dealt: Variant, stream: StreamRow) -> ShoeRecord | None:
    row = shoe_in_use(tx, stream)
    if row is None:
        return None
    decks, jokers = dealt.pack
    return ShoeRecord(
        number=row.nonce,
        cards=decks * (52 + jokers),
        dealt=row.dealt,
        cut_card=dealt.options["cut_card"],
        last_round=bool(row.last_round),
        finished=bool(row.finished),
    )
