"""Variants as an analyst may ask for them: any game, at any number of decks.

A table deals what its document allows. An analyst may also ask what a wager would cost at other deck counts, or a PAIR
table with decks it does not belong to; everything else is held to the rules of the table.
"""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from pairhouse.core.errors import Refused
from pairhouse.core.game import Game, Variant, no_check
from pairhouse.core.meter import Meter
from pairhouse.core.options import Option, Options
from pairhouse.core.paytable import Row, Wager
from pairhouse.core.settlement import settle_row
from pairhouse.games.catalogue import find, is_listed

ALL_DECKS = tuple(range(1, 9))


@lru_cache(maxsize=16)
def widened(game: Game) -> Game:
    """A game whose decks can be 1 to 8, unless it is a game of one deck or has Jokers in each."""
    decks = _decks_option(game)
    if decks is None or decks.choices == (1,) or game.pack(game.variant().options)[1]:
        return game
    return replace(
        game,
        options=tuple(replace(option, choices=ALL_DECKS) if option is decks else option for option in game.options),
        pack=lambda options: (options["decks"], 0),
        offered=no_check,
    )


def _decks_option(game: Game) -> Option | None:
    return next((option for option in game.options if option.name == "decks"), None)


def analyst(game_id: str, options: Options | None = None) -> Variant:
    """A game under these options, at any number of decks; refused in a sentence where something else is wrong."""
    return widened(find(game_id)).variant(options)


def is_offered(variant: Variant, game: Game | None = None) -> bool:
    """Whether a table would open with these very options: of a game of the catalogue, else of the game as given."""
    game = find(variant.game.id) if is_listed(variant.game) else game or variant.game
    try:
        game.variant(variant.options)
    except Refused:
        return False
    return True


def at_decks(variant: Variant) -> dict[int, Variant]:
    """The same game at every number of decks an analyst may ask for; the place of the cut card changes no price."""
    game = widened(variant.game)
    decks = _decks_option(game)
    kept: dict[str, Any] = {name: value for name, value in variant.options.items() if name != "cut_card"}
    return {int(number): game.variant({**kept, "decks": number}) for number in (decks.choices if decks else ())}


def at_meter(variant: Variant, reading: int | None = None) -> Variant:
    """The same game with its meter at a reading (the seed unless told): each share is then a price like any other.

    The reading is what the meter shows before the round, in minor units; the round's own ticket goes on it first.
    """
    meter = variant.game.meter(variant.options)
    if meter is None:
        if reading is None:
            return variant
        given = f"{variant.game.name} has no meter{_without_switch(variant)}"
        raise Refused("no-meter", f"{given}, so a reading of {reading} means nothing")
    shown = meter.amount if reading is None else reading
    if not 0 <= shown <= meter.ceiling:
        raise Refused("bad-meter", f"a meter cannot show {shown}; give 0 to {meter.ceiling} minor units")
    priced = tuple(_at_reading(wager, replace(meter, amount=shown)) for wager in variant.wagers.values())
    return Variant(replace(variant.game, wagers=lambda _options: priced), variant.options)


def _without_switch(variant: Variant) -> str:
    """Which option would bring a meter, for a sentence; empty where none does."""
    for option in variant.game.options:
        for choice in option.choices if len(option.choices) < 8 else ():
            if variant.game.meter({**variant.options, option.name: choice}) is not None:
                return f" without option {option.name}={option.text(choice)}"
    return ""


def _at_reading(wager: Wager, meter: Meter) -> Wager:
    """A wager whose shares are prices per unit of its ticket, which stays with the house. [TCP-31] [TCP-33] [TCP-34]"""
    ticket = wager.fixed
    if ticket is None or not any(line.share for line in wager.paytable.rows):
        return wager

    def fixed(line: Row) -> Row:
        if line.share is None:
            return line
        found = settle_row(wager, line, 1, ticket, meter=meter.fed(ticket))
        won = found.net if found is not None else 0
        return replace(line, pays=Fraction(won, ticket), share=None)

    return replace(wager, paytable=replace(wager.paytable, rows=tuple(map(fixed, wager.paytable.rows))))
