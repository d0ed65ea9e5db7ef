"""Export of the books for other programs, as CSV or Parquet, page by page and without secrets."""

import csv
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Integer, Select, Table, Text, bindparam, select, tuple_
from sqlalchemy.types import BigInteger

from pairhouse.core.errors import Refused, one_of
from pairhouse.house.store.database import Row, Tx
from pairhouse.house.store.free_bet_schema import free_bets, free_stakes
from pairhouse.house.store.live_schema import live_entries, live_rounds, live_slips
from pairhouse.house.store.schema import acts, events, players, rounds, transfers

PAGE = 5_000
SUFFIXES = (".csv", ".parquet")
_owner = acts.c.player_id.label("player_id")
_first_act = (acts.c.round_id == rounds.c.id) & (acts.c.number == 0)


def _public(table: Table, *secret: str) -> list[Column[Any]]:
    return [column for column in table.columns if column.name not in secret]


def _pages(query: Select[Any], key: tuple[Column[Any], ...]) -> Select[Any]:
    after = tuple_(*(bindparam(f"after_{n}") for n in range(len(key))))
    return query.where(tuple_(*key) > after).order_by(*key).limit(PAGE)


_SIGN_IN_COLUMNS = ("password", "failures", "failed_at", "locked_until")  # not exported
_QUERIES: dict[str, tuple[list[Any], tuple[Column[Any], ...]]] = {
    "rounds": ([_owner, *_public(rounds, "meter")], (rounds.c.id,)),
    "live-rounds": (_public(live_rounds, "sealed_seed"), (live_rounds.c.id,)),
    "live-slips": (_public(live_slips), (live_slips.c.player_id, live_slips.c.round_id)),
    "live-entries": (_public(live_entries, "key", "body_hash"), (live_entries.c.table_id, live_entries.c.number)),
    "transfers": (_public(transfers), (transfers.c.key,)),
    "free-bets": (_public(free_bets, "key"), (free_bets.c.id,)),
    "free-stakes": (_public(free_stakes), (free_stakes.c.round_id,)),
    "events": (_public(events), (events.c.chain, events.c.number)),
    "players": (_public(players, *_SIGN_IN_COLUMNS), (players.c.id,)),
}
WHAT = tuple(_QUERIES)


def _query(what: str) -> Select[Any]:
    columns, key = _QUERIES[what]
    query = select(*columns)
    if what == "rounds":
        query = query.select_from(rounds.outerjoin(acts, _first_act))
    return _pages(query, key)


_STATEMENTS = {what: _query(what) for what in WHAT}


def rows_of(tx: Tx, what: str) -> Iterator[list[Row]]:
    """All rows of one kind, page by page in the order of their key."""
    columns, key = _QUERIES[what]
    places = [next(n for n, column in enumerate(columns) if column is part) for part in key]
    after: list[Any] = [-1 if isinstance(part.type, Integer) else "" for part in key]
    while found := tx.all(_STATEMENTS[what], {f"after_{n}": value for n, value in enumerate(after)}):
        yield found
        after = [found[-1][place] for place in places]


def export(tx: Tx, what: str, file: Path) -> int:
    """Write all rows of one kind to a file, as CSV or Parquet by its name; the number of rows."""
    if what not in WHAT:
        raise Refused("bad-export", f"{what!r} cannot be exported; choose {one_of(WHAT)}")
    if file.suffix not in SUFFIXES:
        raise Refused(
            "bad-export", f"{file.name} ends in {file.suffix or 'nothing'}; give a name that ends in .csv or .parquet"
        )
    part = file.with_name(file.name + ".part")
    try:
        count = (_to_csv if file.suffix == ".csv" else _to_parquet)(tx, what, part)
        part.replace(file)
    except OSError as error:
        raise Refused("bad-file", f"{file} cannot be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
    return count


def _to_csv(tx: Tx, what: str, file: Path) -> int:
    count = 0
    with file.open("w", newline="", encoding="utf-8") as target:
        writer = csv.writer(target)
        columns, _ = _QUERIES[what]
        writer.writerow([column.name for column in columns])
        for page in rows_of(tx, what):
            writer.writerows(page)
            count += len(page)
    return count


def _to_parquet(tx: Tx, what: str, file: Path) -> int:
    try:
        arrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        sentence = "Parquet needs pyarrow: pip install 'pairhouse[export]', or give a name that ends in .csv"
        raise Refused("missing-extra", sentence) from None
    kinds = {Text: arrow.string(), BigInteger: arrow.int64(), Integer: arrow.int64()}
    columns, _ = _QUERIES[what]
    schema = arrow.schema([(column.name, kinds[type(column.type)]) for column in columns])
    count = 0
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for page in rows_of(tx, what):
            values = [
                arrow.array(list(column), field.type)
                for column, field in zip(zip(*page, strict=True), schema, strict=True)
            ]
            writer.write_table(arrow.Table.from_arrays(values, schema=schema))
            count += len(page)
    return count
