"""What each legal action is worth at this moment, as the method of the rule book works it out."""

from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.machines.events import View
from pairhouse.server.models import ActionValue, AdviceRecord, ChartCell

DECIMALS = 12
ROUNDED = 0.5 * 10**-DECIMALS  # what writing a value down adds to its error


def advice_for(variant: Variant, view: View) -> AdviceRecord:
    """The values of the awaited choice, given every card this player has seen."""
    if view.awaiting is None:
        raise Refused("nothing-asked", "the round asks nothing now, so there is nothing to advise")
    found = method_of(variant).advise_at(view)
    error = f"{found.error + ROUNDED:.1e}"
    options = {word: ActionValue(f"{float(value):+.{DECIMALS}f}", error) for word, value in found.actions.items()}
    square = found.square
    cell = None if square is None else ChartCell(square.chart, square.row, square.column)
    return AdviceRecord(options, next(iter(options)), found.strategy_class, cell)
