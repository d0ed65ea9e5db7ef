"""Best play of a game: its worth, its charts, and the value of every action with a hand."""

from typing import Any

from pairhouse.analysis.methods.records import Advice, SolvedGame
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.reports.charts import Chart
from pairhouse.core.game import Variant
from pairhouse.machines.events import View
from pairhouse.python_api.arguments import Cards, read_cards


class BestPlay:
    """How a game is best played."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self._method = method_of(variant)

    @property
    def solved(self) -> SolvedGame:
        """Everything the solver found."""
        return self._method.best()

    @property
    def ev(self) -> Any:
        """The expectation per unit of the first stake under best play; None where nothing is decided."""
        return self.solved.ev

    @property
    def charts(self) -> list[Chart]:
        """The strategy charts people know."""
        return self._method.charts()

    def advise(self, hand: Cards, up: str | None = None, seen: Cards = ()) -> Advice:
        """What each action is worth with these cards, given the dealer's up card and other cards seen."""
        up_card = read_cards([up])[0] if up is not None else None
        return self._method.advise(read_cards(hand), up_card, read_cards(seen))

    def advise_at(self, view: View) -> Advice:
        """What each awaited action is worth in a round, given every card its player has seen (`round.view(seat)`)."""
        return self._method.advise_at(view)

    def __str__(self) -> str:
        return "\n".join([self.variant.game.name, *self.solved.says])

    def __repr__(self) -> str:
        worth = "nothing is decided" if self.ev is None else f"{float(self.ev):+.6%} per unit of the first stake"
        return f"<best play of {self.variant.game.name}: {worth}>"
