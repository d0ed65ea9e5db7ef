"""A shoe that is dealt down over many rounds until the cut card has come out."""

from collections.abc import Sequence
from typing import NamedTuple

from pairhouse.core.cards import Card
from pairhouse.core.rule import rule


@rule
def cut_card_is_out(dealt: int, size: int, behind_cut: int) -> bool:
    """Whether the cut card has appeared: no more cards than lie behind it are left in the shoe. [NSB-5]"""
    return dealt >= size - behind_cut


class Shoe(NamedTuple):
    """The order of the cards, how many are dealt, and how many lie behind the cut card."""

    cards: Sequence[Card]
    behind_cut: int
    dealt: int = 0
    last_round: bool = False
    finished: bool = False

    @property
    def rest(self) -> tuple[Card, ...]:
        """What is still in the shoe, in dealing order."""
        return tuple(self.cards[self.dealt :])

    def after(self, cards_used: int) -> "Shoe":
        """The shoe after a round: when the cut card came out in it, one more round is dealt, then the shoe ends.

        [NSB-5]
        """
        dealt = self.dealt + cards_used
        if self.last_round:
            return Shoe(self.cards, self.behind_cut, dealt, last_round=True, finished=True)
        is_out = cut_card_is_out(dealt, len(self.cards), self.behind_cut)
        return Shoe(self.cards, self.behind_cut, dealt, is_out, self.finished)
