"""A table that deals the cards somebody has seen, to find what is asked after them."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from pairhouse.analysis.generic.trial_rounds import TrialTable, actions_of
from pairhouse.core.cards import Card
from pairhouse.core.errors import Refused
from pairhouse.core.verbs import HANDS_PER_SEAT, Place

Values = Callable[[int, int], Mapping[int, Fraction]]  # (legal actions, situation) -> what each is worth


class ChoiceReached(Exception):
    """Raised where a choice comes up after the cards that were seen: what is legal there, and its situation."""

    def __init__(self, legal: int, situation: int) -> None:
        super().__init__()
        self.legal, self.situation = legal, situation


class SeenTable(TrialTable):
    """A table that deals the cards somebody has seen and stops at the choice that comes after all of them.

    An earlier choice is answered by best play.
    """

    def __init__(self, hand: Sequence[Card], house: Sequence[Card], values: Values) -> None:
        super().__init__([], self._best)
        self.own, self.house, self.values = [*hand], [*house], values

    def draw(self, place: Place) -> Card:
        cards = self.own if place >= HANDS_PER_SEAT else self.house
        if not cards:
            where = "your hand" if place >= HANDS_PER_SEAT else "the table (--up, --seen)"
            raise Refused("bad-hand", f"more cards are needed in {where} before the choice comes")
        return cards.pop(0)

    draw_private = draw

    def peek(self, place: Place, hidden: Card, lowest: int, highest: int) -> bool:
        """A round goes on to a choice where the dealer has found nothing."""
        return False

    def _best(self, _at: int, legal: int, situation: int) -> int:
        if not self.own and not self.house:
            raise ChoiceReached(legal, situation)
        values = self.values(legal, situation)
        return max(values, key=lambda action: values[action]) if values else actions_of(legal)[0]
