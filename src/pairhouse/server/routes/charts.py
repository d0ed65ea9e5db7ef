"""The strategy charts of a table, from its par sheet, and its decisions to practise."""

from typing import Any

from litestar import Router, get

from pairhouse.house.floor import read_table
from pairhouse.server.desk import DeskHere
from pairhouse.server.http.callers import visitor
from pairhouse.server.http.errors import problems
from pairhouse.server.models import Charts, ChartSquare, Drills, StrategyChart
from pairhouse.server.routes.tables import PathId


def charts_of(sheet: dict[str, Any]) -> list[StrategyChart]:
    """The charts a par sheet holds; none where nothing is decided."""
    return [_chart(chart) for chart in sheet.get("charts", [])]


def _chart(chart: dict[str, Any]) -> StrategyChart:
    squares = [
        [ChartSquare(chart["legend"][cell["action"]], cell.get("note", "")) if cell else None for cell in row]
        for row in chart["cells"]
    ]
    return StrategyChart(chart["id"], chart["title"], chart["corner"], chart["columns"], chart["rows"], squares)


@get("/tables/{table_id:str}/charts", guards=[visitor], responses=problems(404))
async def charts(table_id: PathId, desk: DeskHere) -> Charts:
    """The strategy charts of a table; null while they are being counted."""
    table = await desk.read(lambda tx: read_table(tx, table_id))
    sheet = desk.prices.sheet(table.betting.variant)
    return Charts(charts_of(sheet) if sheet is not None else None)


@get("/tables/{table_id:str}/drills", guards=[visitor], responses=problems(404))
async def drills(table_id: PathId, desk: DeskHere) -> Drills:
    """The first decisions of a table's game, to practise; null while they are worked out."""
    table = await desk.read(lambda tx: read_table(tx, table_id))
    return Drills(await desk.drills.drills(table.betting.variant))


router = Router("/", route_handlers=[charts, drills], tags=["games and tables"])
