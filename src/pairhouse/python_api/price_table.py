"""The prices of a game as a table: exact where they are exact, with the error where they are solved."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pairhouse.analysis.exact.prices import Price
from pairhouse.analysis.methods.records import Priced, Unpriced
from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.game import Variant
from pairhouse.python_api.text_table import FigureTable


class PriceTable(FigureTable["Priced | Unpriced"]):
    """Every wager with its price, or the reason why it has none."""

    columns = ("wager", "house edge", "expectation", "hits")

    def __init__(self, variant: Variant) -> None:
        super().__init__(method_of(variant).prices())
        self.title = f"{variant.game.name}: prices per unit of the first stake"

    def cells(self, name: str, row: Priced | Unpriced) -> Sequence[str]:
        if isinstance(row, Unpriced):
            return name, "", row.reason, ""
        ev = str(row.ev) if isinstance(row, Price) and len(str(row.ev)) <= 24 else f"{float(row.ev):+.9f}"
        return name, f"{-float(row.ev):.4%}", ev, f"{float(row.hit):.4%}"

    def record(self, name: str, row: Priced | Unpriced) -> dict[str, Any]:
        record: dict[str, Any] = dict.fromkeys(("wager", "ev", "ev_exact", "error", "variance", "hit", "reason"))
        record["wager"] = name
        if isinstance(row, Unpriced):
            return record | {"reason": row.reason}
        exact = str(row.ev) if isinstance(row.ev, Fraction) else None
        error = 0.0 if isinstance(row, Price) else row.error
        figures = {"ev": float(row.ev), "variance": float(row.variance), "hit": float(row.hit)}
        return record | figures | {"ev_exact": exact, "error": error}
