"""Every game of the house, by id: those of the package, and those registered from outside."""

import os
from contextlib import ExitStack
from importlib import import_module

from pairhouse.core.errors import Refused, shown, unknown
from pairhouse.core.game import Game
from pairhouse.games import (
    blackjack_poker_pairs,
    la_paire,
    nepal_super_baccarat,
    pair_v3,
    standard_blackjack,
    three_card_poker,
)

MODULES_VARIABLE = "PAIRHOUSE_GAMES"  # modules of further games, separated by commas
PACKAGE = f"{__name__.partition('.')[0]}."

GAMES: dict[str, Game] = {
    module.GAME.id: module.GAME
    for module in (
        three_card_poker,
        nepal_super_baccarat,
        la_paire,
        blackjack_poker_pairs,
        pair_v3,
        standard_blackjack,
    )
}


def find(game_id: str) -> Game:
    """A game by its id."""
    if game_id not in GAMES:
        raise unknown("game", game_id, GAMES)
    return GAMES[game_id]


def register(game: Game) -> ExitStack:
    """Add a game from outside the package. What comes back undoes it: close it, or use it as a context."""
    if game.id in GAMES:
        raise Refused("game-exists", f"there is a game {shown(game.id)} already; give it another id")
    GAMES[game.id] = game
    undo = ExitStack()
    undo.callback(GAMES.pop, game.id)
    return undo


def load(module: str) -> ExitStack:
    """Register the `GAME` of a module, by the module's name."""
    try:
        found = getattr(import_module(module), "GAME", None)
    except ImportError as error:
        raise Refused("bad-module", f"{shown(module)} cannot be imported: {error}") from None
    if not isinstance(found, Game):
        raise Refused("bad-module", f"{shown(module)} holds no game; a module of a game defines GAME")
    return register(found)


def load_named_modules() -> None:
    """Register the games of every module that the environment names."""
    for module in filter(None, os.environ.get(MODULES_VARIABLE, "").split(",")):
        load(module.strip())


def outside_modules() -> list[str]:
    """The modules of the games from outside, for a process that has to know them too."""
    return list(dict.fromkeys(game.module for game in GAMES.values() if not game.module.startswith(PACKAGE)))
