"""Tables of figures that print well, show as HTML in a notebook, and become a data frame where there is a library."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, Generic, TypeVar

from pairhouse.core.errors import Refused

T = TypeVar("T")


class FigureTable(Mapping[str, T], Generic[T]):
    """Figures by wager, as a mapping. `columns` are what is printed, `records` what a data frame holds."""

    title = ""
    columns: Sequence[str] = ()

    def __init__(self, rows: Mapping[str, T]) -> None:
        self._rows = dict(rows)

    @abstractmethod
    def cells(self, name: str, row: T) -> Sequence[str]:
        """What is printed of one row, a text for each column."""

    @abstractmethod
    def record(self, name: str, row: T) -> dict[str, Any]:
        """One row for a data frame."""

    def __getitem__(self, name: str) -> T:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def _texts(self) -> list[Sequence[str]]:
        return [self.columns, *(self.cells(name, row) for name, row in self.items())]

    def __str__(self) -> str:
        texts = self._texts()
        widths = [max(len(line[at]) for line in texts) for at in range(len(self.columns))]
        lines = [[text.rjust(width) for text, width in zip(line, widths, strict=True)] for line in texts]
        for line, text in zip(lines, texts, strict=True):
            line[0] = text[0].ljust(widths[0])
        return "\n".join([self.title, *("  ".join(line).rstrip() for line in lines)])

    def __repr__(self) -> str:
        return f"<{self.title}: {len(self)} wager{'s' * (len(self) != 1)}>"

    def _repr_html_(self) -> str:
        head, *body = self._texts()
        tops = "".join(f"<th>{escape(text)}</th>" for text in head)
        rows = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in line) + "</tr>" for line in body)
        return f"<table><caption>{escape(self.title)}</caption><tr>{tops}</tr>{rows}</table>"

    def to_records(self) -> list[dict[str, Any]]:
        """A list of plain records, one a wager."""
        return [self.record(name, row) for name, row in self.items()]

    def to_dataframe(self) -> Any:
        """A data frame of polars or pandas, whichever is installed."""
        for library in ("polars", "pandas"):
            try:
                module = __import__(library)
            except ImportError:
                continue
            return module.DataFrame(self.to_records())
        raise Refused("no-dataframe", "a data frame needs polars or pandas; install one of them with pip")
