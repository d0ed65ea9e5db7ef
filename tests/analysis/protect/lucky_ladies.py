"""Lucky Ladies as a game of its own: the first four cards of blackjack decide it. Pay table A of the published analysis.

https://wizardofodds.com/games/blackjack/side-bets/lucky-ladies
"""

from typing import Any, NamedTuple

from pairhouse.core.paytable import Row
from pairhouse.kit import EVERY_SEAT, Game, Option, Paytable, Shortcuts, Wager, draw, rank, row, rule, settle, suit

NONE, UNSUITED, SUITED, MATCHED, LADIES, LADIES_AND_BLACKJACK = 0, 1, 2, 3, 4, 5
QUEEN_OF_HEARTS = 2 * 13 + 11


class Rules(NamedTuple):
    decks: int


class Twenty(NamedTuple):
    kind: int


@rule
def points(card: int) -> int:
    """Ace 11, faces 10."""
    return 11 if rank(card) == 0 else min(rank(card) + 1, 10)


@rule
def kind_of(first: int, second: int, up: int, hole: int) -> int:
    """A total of twenty, by how its two cards go together."""
    if points(first) + points(second) != 20:
        return NONE
    if first != second:
        return SUITED if suit(first) == suit(second) else UNSUITED
    if first != QUEEN_OF_HEARTS:
        return MATCHED
    return LADIES_AND_BLACKJACK if points(up) + points(hole) == 21 else LADIES


@rule
def play(table: Any, rules: Rules) -> None:
    """Two cards to the player and two to the dealer, in turn."""
    first, up = draw(table, 0), draw(table, 1)
    second, hole = draw(table, 0), draw(table, 1)
    settle(table, EVERY_SEAT, Twenty(kind_of(first, second, up, hole)))


def alike(card: int) -> int:
    """Cards from two to eight are alike: they make no twenty and no blackjack."""
    return 1 if 1 <= card % 13 <= 7 else card


ROWS = (("two ladies and a blackjack", 1000, 5), ("two ladies", 125, 4), ("matched 20", 19, 3), ("suited 20", 9, 2),
        ("unsuited 20", 4, 1))  # fmt: skip


def paid(name: str, pays: int, kind: int) -> Row:
    return row(name, pays, lambda told: told.kind == kind)


PAYS = Paytable("Lucky Ladies", "", tuple(paid(*each) for each in ROWS))
GAME = Game(
    id="lucky-ladies", name="Lucky Ladies", cites="LL", summary="Two cards that make twenty.", play=play,
    module=__name__, options=(Option("decks", 6, (6,), "decks"),), seats_max=1, seats_per_player=1,
    places=("player", "dealer"), rules=lambda options: Rules(options["decks"]),
    wagers=lambda _options: (Wager("ladies", "Lucky Ladies", PAYS, Twenty, opens=True),),
    pack=lambda options: (options["decks"], 0), shortcuts=Shortcuts(same=alike),
)  # fmt: skip
