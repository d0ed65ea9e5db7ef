"""Strategy charts as people know them: a grid of actions, told by letter as well as by colour."""

import msgspec


class Cell(msgspec.Struct, frozen=True):
    """An action's letter, and what may stand beside it."""

    action: str
    note: str = ""


class Chart(msgspec.Struct, frozen=True):
    """A grid of actions by letter: what is held by row, what is shown by column. Impossible places are empty."""

    id: str
    title: str
    corner: str
    columns: list[str]
    rows: list[str]
    cells: list[list[Cell | None]]
    legend: dict[str, str]

    def __repr__(self) -> str:
        return f"<chart {self.title}: {len(self.rows)} rows, {len(self.columns)} columns>"
