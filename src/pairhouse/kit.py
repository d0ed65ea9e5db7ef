"""The one import of somebody who writes a game: `from pairhouse.kit import ...`.

The table verbs (`draw`, `choose`, `settle`, ...) are the words a rule book is written in; wagers, paytables and options
are data; `Game` puts them together. docs/rules and the files in `games/` show how our own games do it.
"""

from pairhouse.core.cards import Card, is_joker, is_red, rank, suit
from pairhouse.core.errors import Refused
from pairhouse.core.game import Action, Game
from pairhouse.core.options import Option, Options
from pairhouse.core.paytable import Paytable, Wager, always, row, share
from pairhouse.core.rule import rule
from pairhouse.core.tally import Tally
from pairhouse.core.verbs import (
    EVERY_SEAT,
    Place,
    Table,
    choose,
    draw,
    draw_down,
    draw_private,
    felt,
    peek,
    say,
    seats,
    settle,
    show,
    split,
    spot,
    turn_up,
)
from pairhouse.machines.enumerate import enumerate_rounds

__all__ = [
    "EVERY_SEAT",
    "Action",
    "Card",
    "Game",
    "Option",
    "Options",
    "Paytable",
    "Place",
    "Refused",
    "Table",
    "Tally",
    "Wager",
    "always",
    "choose",
    "draw",
    "draw_down",
    "draw_private",
    "enumerate_rounds",
    "felt",
    "is_joker",
    "is_red",
    "peek",
    "rank",
    "row",
    "rule",
    "say",
    "seats",
    "settle",
    "share",
    "show",
    "split",
    "spot",
    "suit",
    "turn_up",
]
