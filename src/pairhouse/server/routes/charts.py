"""The strategy charts of a table, from its par sheet, and the square of them a hand is."""

from collections.abc import Sequence
from typing import Any

from litestar import Router, get

from pairhouse.core.cards import RANK_NAMES, Card, rank
from pairhouse.games.blackjack_hand import add, is_soft, is_value_pair, total
from pairhouse.house.floor import read_table
from pairhouse.server.desk import DeskHere
from pairhouse.server.http.callers import visitor
from pairhouse.server.http.errors import problems
from pairhouse.server.models import ChartCell, Charts, ChartSquare, StrategyChart
from pairhouse.server.routes.tables import PathId

UP_CARDS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"]
TITLES = {"hard": "Hard totals", "soft": "Soft totals", "pairs": "Pairs"}
QUEEN_HIGH = "queen-high"


def charts_of(sheet: dict[str, Any]) -> list[StrategyChart]:
    """The charts a par sheet holds: three for blackjack, one for Three Card Poker, none where nothing is decided."""
    main = sheet["wagers"].get("main", {}).get("chart")
    if main is not None:
        return [_blackjack(kind, rows) for kind, rows in main.items()]
    chart = (sheet.get("strategy") or {}).get("chart")
    if chart is None:
        return []
    squares = [
        [ChartSquare(chart["legend"][cell["action"]], cell.get("note", "")) if cell else None for cell in row]
        for row in chart["cells"]
    ]
    return [StrategyChart(QUEEN_HIGH, chart["title"], chart["corner"], chart["columns"], chart["rows"], squares)]


def _blackjack(kind: str, rows: dict[str, list[str]]) -> StrategyChart:
    squares: list[list[ChartSquare | None]] = [[ChartSquare(action) for action in actions] for actions in rows.values()]
    return StrategyChart(kind, TITLES[kind], "hand, by up card", UP_CARDS, list(rows), squares)


def blackjack_cell(held: Sequence[Card], up: Card, can_split: bool) -> ChartCell:
    """The square of a blackjack hand. A pair that may not be split is played by its total."""
    hand = 0
    for card in held:
        hand = add(hand, card)
    kind = "soft" if is_soft(hand) else "hard"
    if can_split and is_value_pair(hand):
        return ChartCell("pairs", _value(held[0]), _value(up))
    return ChartCell(kind, str(total(hand)), _value(up))


def three_card_cell(held: Sequence[Card]) -> ChartCell | None:
    """The square of a queen-high hand; every other hand is played or folded without a look at the chart."""
    ranks = sorted((rank(card) or 13 for card in held), reverse=True)
    if ranks[0] != RANK_NAMES.index("Q") or len(set(ranks)) < 3:
        return None
    return ChartCell(QUEEN_HIGH, RANK_NAMES[ranks[1]], RANK_NAMES[ranks[2]])


def _value(card: Card) -> str:
    return RANK_NAMES[min(rank(card), RANK_NAMES.index("10"))]


@get("/tables/{table_id:str}/charts", guards=[visitor], responses=problems(404))
async def charts(table_id: PathId, desk: DeskHere) -> Charts:
    """The strategy charts of a table; null while they are being counted."""
    table = await desk.read(lambda tx: read_table(tx, table_id))
    sheet = desk.prices.sheet(table.betting.variant)
    return Charts(charts_of(sheet) if sheet is not None else None)


router = Router("/", route_handlers=[charts], tags=["games and tables"])
