"""Columns for people who analyse themselves: a Parquet file with what every block came to."""

from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any

from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.analysis.simulation.scoring import Numbers
from pairhouse.core.errors import Refused


def parquet() -> Any:
    """The library, or a refusal that says how to get it."""
    try:
        import pyarrow  # noqa: PLC0415 (an extra)
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError:
        raise Refused("no-parquet", "writing Parquet needs `pip install 'pairhouse[export]'`") from None
    return pyarrow


class BlockFile:
    """One row a block, wager and net result: how often a unit on the wager came to that net in the block."""

    def __init__(self, file: Path, sampling: Sampling) -> None:
        self.arrow, self.sampling, self.file = parquet(), sampling, file
        text = self.arrow.string()
        self.schema = self.arrow.schema(
            [
                ("block", self.arrow.int64()),
                ("rounds", self.arrow.int64()),
                ("wager", self.arrow.dictionary(self.arrow.int32(), text)),
                ("net", self.arrow.float64()),
                ("net_exact", text),
                ("count", self.arrow.int64()),
            ],
            metadata={"game": sampling.variant.game.id, "rules_hash": sampling.variant.rules_hash},
        )

    def __enter__(self) -> "BlockFile":
        try:
            self.writer = self.arrow.parquet.ParquetWriter(str(self.file), self.schema)
        except OSError as error:
            raise Refused("bad-file", f"{self.file} cannot be written: {error.strerror or error}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.writer.close()

    def add(self, block: int, rounds: int, counts: Numbers) -> None:
        """Write a block."""
        rows: list[tuple[str, Fraction, int]] = [
            (wager, net, number)
            for wager, spread in self.sampling.score.spreads(counts).items()
            for net, number in sorted(spread.items())
        ]
        columns = {
            "block": [block] * len(rows),
            "rounds": [rounds] * len(rows),
            "wager": [wager for wager, _, _ in rows],
            "net": [float(net) for _, net, _ in rows],
            "net_exact": [str(net) for _, net, _ in rows],
            "count": [number for _, _, number in rows],
        }
        self.writer.write_table(self.arrow.table(columns, schema=self.schema))
