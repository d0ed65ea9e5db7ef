"""The one import of somebody who writes a game: `from pairhouse.kit import ...`.

The table verbs (`draw`, `choose`, `settle`, ...) are the words a rule book is written in; wagers, paytables and options
are data; `Game` puts them together. docs/rules and the files in `games/` show how our own games do it.
"""

from pairhouse.core.cards import Card, is_joker, is_red, rank, suit
from pairhouse.core.errors import Refused
from pairhouse.core.game import Action, Game
from pairhouse.core.hands import height
from pairhouse.core.options import Option, Options
from pairhouse.core.paytable import LOSES, PUSH, Paytable, Wager, always, row, share
from pairhouse.core.poker import (
    FLUSH,
    FOUR,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
)
from pairhouse.core.poker import kind as poker_kind
from pairhouse.core.poker import leading as poker_leading
from pairhouse.core.poker import strength as poker_strength
from pairhouse.core.rule import rule
from pairhouse.core.shortcuts import Shortcuts
from pairhouse.core.side_bets import with_side_bets
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
    "FLUSH",
    "FOUR",
    "FULL_HOUSE",
    "HIGH_CARD",
    "LOSES",
    "PAIR",
    "PUSH",
    "ROYAL_FLUSH",
    "STRAIGHT",
    "STRAIGHT_FLUSH",
    "THREE",
    "TWO_PAIR",
    "Action",
    "Card",
    "Game",
    "Option",
    "Options",
    "Paytable",
    "Place",
    "Refused",
    "Shortcuts",
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
    "height",
    "is_joker",
    "is_red",
    "peek",
    "poker_kind",
    "poker_leading",
    "poker_strength",
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
    "with_side_bets",
]
