"""Best play: what each action is worth, and the charts of it."""

import msgspec


class ActionValue(msgspec.Struct):
    """What an action is worth per unit of the first stake."""

    value: str
    error: str


class ChartSquare(msgspec.Struct):
    """What to do, and what may stand beside it."""

    action: str
    note: str = ""


class StrategyChart(msgspec.Struct):
    """A grid of actions: what is held by row, what is shown by column. Impossible places are null."""

    id: str
    title: str
    corner: str
    columns: list[str]
    rows: list[str]
    squares: list[list[ChartSquare | None]]


class Charts(msgspec.Struct):
    """The charts of best play, or null where there are none yet."""

    charts: list[StrategyChart] | None


class ChartCell(msgspec.Struct):
    """A square of a chart, by its row and column."""

    chart: str
    row: str
    column: str


class AdviceRecord(msgspec.Struct):
    """The value of each legal action, best first, and the square of the strategy chart."""

    options: dict[str, ActionValue]
    best: str
    strategy: str
    cell: ChartCell | None = None


class DrillRecord(msgspec.Struct):
    """A decision to practise: how often a round asks it, and what each action is worth per unit of the first stake.

    Cards are faces, or values alone where suits do not matter. The values are right to the digits given, best first.
    """

    hand: list[str]
    up: str | None
    frequency: str
    values: dict[str, str]


class Drills(msgspec.Struct):
    """Every first decision of a game, the one whose mistakes cost most first; null while they are worked out."""

    drills: list[DrillRecord] | None
