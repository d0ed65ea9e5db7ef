"""What an author can declare of a game so that exact answers come faster. It is checked before it is used."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pairhouse.core.cards import Card


@dataclass(frozen=True)
class Shortcuts:
    """Deals that the rules cannot tell apart.

    `same` numbers the cards: two with one number are one to the rules. `same_after` does so once the first card of the
    round is known, for games that draw until something comes. `suits_alike`: the suits can change places. `any_order`:
    the cards of one place may come in any order. `one_hand`: so may the cards of all places, which make one hand.

    `keeps` says which of the seat's own cards, by their place in the deal, an action of the only choice keeps: the
    round is then settled by the cards the seat holds at the end, whatever their order. `compared` numbers hands so that
    what is settled after the only choice depends on the number of the seat's hand, the number of the dealer's hand, and
    the choice alone; both hands have as many cards.
    """

    same: Callable[[Card], int] | None = None
    same_after: Callable[[Card, Card], int] | None = None
    suits_alike: bool = False
    any_order: bool = False
    one_hand: bool = False
    keeps: Callable[[int], tuple[int, ...]] | None = None
    compared: Callable[..., Any] | None = None


NO_SHORTCUTS = Shortcuts()
