"""Variants as an analyst may ask for them: any game, at any number of decks.

A table deals what its document allows. An analyst may also ask what a wager would cost at other deck counts, or a PAIR
table with decks it does not belong to; everything else is held to the rules of the table.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from pairhouse.core.errors import Refused
from pairhouse.core.game import Game, Variant, no_check
from pairhouse.core.options import Option, Options
from pairhouse.games import pair_v3
from pairhouse.games.catalogue import find

ALL_DECKS = tuple(range(1, 9))


@lru_cache(maxsize=16)
def widened(game_id: str) -> Game:
    """A game whose decks can be 1 to 8, where its decks can be told apart at all."""
    game = find(game_id)
    if game.pack(game.variant().options)[1] or game.id == "three-card-poker":
        return game  # one deck is part of these games
    return replace(
        game,
        options=tuple(_any_decks(option) for option in game.options),
        pack=lambda options: (options["decks"], 0),
        check=no_check if game.check is pair_v3.check else game.check,
    )


def _any_decks(option: Option) -> Option:
    return replace(option, choices=ALL_DECKS) if option.name == "decks" else option


def analyst(game_id: str, options: Options | None = None) -> Variant:
    """A game under these options, at any number of decks; refused in a sentence where something else is wrong."""
    return widened(game_id).variant(options)


def is_offered(variant: Variant) -> bool:
    """Whether a table would open with these very options."""
    try:
        find(variant.game.id).variant(variant.options)
    except Refused:
        return False
    return True


def at_decks(variant: Variant) -> dict[int, Variant]:
    """The same game at every number of decks an analyst may ask for; the place of the cut card changes no price."""
    decks = next(option for option in widened(variant.game.id).options if option.name == "decks")
    kept: dict[str, Any] = {name: value for name, value in variant.options.items() if name != "cut_card"}
    return {int(number): analyst(variant.game.id, {**kept, "decks": number}) for number in decks.choices}
