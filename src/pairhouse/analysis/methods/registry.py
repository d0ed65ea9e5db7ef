"""Which method belongs to which rule book, by the `play` function it deals with."""

import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import lru_cache
from importlib import import_module
from typing import Any

from pairhouse.analysis.methods.method import Method
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.games import blackjack, la_paire, nepal_super_baccarat, three_card_poker

Play = Callable[..., Any]
GENERIC = "pairhouse.analysis.generic.method:GenericMethod"  # for a game that brings none
HOSTED = "pairhouse.analysis.generic.hosted:HostedMethod"  # for side bets on another game
OUTSIDE = "METHOD"  # the name under which the module of a game brings a method of its own

# Each rule book's method as "module:class", loaded when it is first asked for.
METHODS: dict[Play, str | type[Method]] = {
    nepal_super_baccarat.play: "pairhouse.analysis.methods.baccarat:BaccaratMethod",
    la_paire.play: "pairhouse.analysis.methods.la_paire:LaPaireMethod",
    three_card_poker.play: "pairhouse.analysis.methods.three_card_poker:ThreeCardPokerMethod",
    blackjack.play: "pairhouse.analysis.methods.blackjack:BlackjackMethod",
}


def register(play: Play, method: type[Method]) -> ExitStack:
    """Work a rule book out by this method. What comes back undoes it: close it, or use it as a context."""
    if play in METHODS:
        raise Refused("method-exists", f"{play.__module__}.{play.__qualname__} has a method already")
    METHODS[play] = method
    undo = ExitStack()
    undo.callback(method_of.cache_clear)
    undo.callback(METHODS.pop, play)
    return undo


@lru_cache(maxsize=128)
def method_of(variant: Variant) -> Method:
    """The method of a variant's rule book: its own, or the one for any game."""
    return _class_for(variant)(variant)


def _class_for(variant: Variant) -> type[Method]:
    """The registered class, the one that the game's own module brings, or the one for any game."""
    play, module = variant.game.play, variant.game.module
    found = METHODS.get(play) or getattr(sys.modules.get(module), OUTSIDE, None)
    if found is None:
        found = HOSTED if variant.game.host is not None else GENERIC
    if isinstance(found, str):
        place, _, name = found.partition(":")
        found = getattr(import_module(place), name)
    return found
