"""Files for people who analyse themselves: what every block of a simulation came to, as CSV or Parquet."""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.analysis.simulation.scoring import Numbers
from pairhouse.core.errors import Refused, one_of

COLUMNS = ("block", "rounds", "wager", "net", "net_exact", "count")

Row = tuple[int, int, str, float, str, int]
AddBlock = Callable[[int, int, Numbers], None]  # its number, its rounds and its tally
WriteRows = Callable[[Sequence[Row]], None]


def check_block_file(file: Path) -> None:
    """Refuse a file name that does not say CSV or Parquet, or Parquet without its library."""
    if file.suffix.lower() not in WRITERS:
        raise Refused("bad-file", f"{file} is neither CSV nor Parquet; let its name end in {one_of(WRITERS)}")
    if file.suffix.lower() == ".parquet":
        parquet()


@contextmanager
def block_file(file: Path, sampling: Sampling) -> Iterator[AddBlock]:
    """A file of one row a block, wager and net result: how often a unit on the wager came to that net in the block."""
    check_block_file(file)
    with WRITERS[file.suffix.lower()](file, sampling) as write_rows:
        yield lambda block, rounds, counts: write_rows(rows_of(sampling, block, rounds, counts))


def rows_of(sampling: Sampling, block: int, rounds: int, counts: Numbers) -> list[Row]:
    """The rows of one block, wager by wager, from the largest loss to the largest win."""
    return [
        (block, rounds, wager, float(net), str(net), number)
        for wager, spread in sampling.score.spreads(counts).items()
        for net, number in sorted(spread.items())
    ]


@contextmanager
def _csv_file(file: Path, _sampling: Sampling) -> Iterator[WriteRows]:
    try:
        out = file.open("w", newline="", encoding="utf-8")
    except OSError as error:
        raise _unwritable(file, error) from None
    with out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        yield writer.writerows


@contextmanager
def _parquet_file(file: Path, sampling: Sampling) -> Iterator[WriteRows]:
    arrow = parquet()
    text, whole = arrow.string(), arrow.int64()
    types = (whole, whole, arrow.dictionary(arrow.int32(), text), arrow.float64(), text, whole)
    about = {"game": sampling.variant.game.id, "rules_hash": sampling.variant.rules_hash}
    schema = arrow.schema(list(zip(COLUMNS, types, strict=True)), metadata=about)
    try:
        writer = arrow.parquet.ParquetWriter(str(file), schema)
    except OSError as error:
        raise _unwritable(file, error) from None
    with writer:

        def write_rows(rows: Sequence[Row]) -> None:
            columns = {name: [row[place] for row in rows] for place, name in enumerate(COLUMNS)}
            writer.write_table(arrow.table(columns, schema=schema))

        yield write_rows


WRITERS = {".csv": _csv_file, ".parquet": _parquet_file}


def _unwritable(file: Path, error: OSError) -> Refused:
    return Refused("bad-file", f"{file} cannot be written: {error.strerror or error}")


def parquet() -> Any:
    """The library that writes Parquet, or a refusal that says how to get it."""
    try:
        import pyarrow  # noqa: PLC0415 (an extra)
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError:
        sentence = "writing Parquet needs `pip install pairhouse[export]`; a name that ends in .csv needs nothing"
        raise Refused("no-parquet", sentence) from None
    return pyarrow
