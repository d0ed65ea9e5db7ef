"""The tables of a new house: which games it deals, under which options."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from pairhouse.core.game import Game

EVERY_ROUND, SHOE = "every-round", "shoe"  # when the cards of a table are shuffled

OWN_CHIPS = ("la-paire",)

PAIR_BETS = {"both": "all pair bets", "la-paire": "La Pair'e bets only", "any-paire": "Any Pair'e only"}
# How the names of tables say an option, where it sets tables apart.
SAID_IN_NAMES: Mapping[str, Callable[[Any], str]] = {
    "decks": lambda decks: f"{decks} decks",
    "paytable": lambda paytable: f"paytable {str(paytable)[-1:].upper()}",
    "pairplus": lambda prices: f"Pairplus {prices}",
    "pair_bets": lambda bets: PAIR_BETS.get(bets, str(bets)),
}

# What a perfect card counter may expect to win at most, at one table in an hour, in minor units: 20.00. It is less than
# the house earns there from one player who bets 10.00 on Player in every coup (docs/watch.md).
CEILING_AN_HOUR = 2_000

# A round shown in turbo takes about half a second, and REBET has to be found and pressed: nobody at the page waits long
# for this, and a program gets no more than 3,600 rounds an hour.
ROUND_MS_MIN = 1_000


class PlannedClock(NamedTuple):
    """The clock of a table for several people, in milliseconds; without `seats` any number of people may bet there."""

    seats: int | None
    betting: int = 20_000
    decision: int = 25_000


class PlannedTable(NamedTuple):
    """A table to put up: its id, its name, its game and that game's options; how it is dealt, and its pace.

    `round_ms_min` is the least time between two rounds of a player; `wager_maximum` names wagers with a lower maximum,
    `total_maximum` what all bettors of a shared shoe may have on a wager together. A table with a `clock` is live:
    several people play there.
    """

    id: str
    name: str
    game: str
    options: Mapping[str, Any]
    shuffle: str = EVERY_ROUND
    round_ms_min: int = ROUND_MS_MIN
    wager_maximum: Mapping[str, int] = MappingProxyType({})
    total_maximum: Mapping[str, int] = MappingProxyType({})
    clock: PlannedClock | None = None


FIRST_TABLES = (
    PlannedTable("blackjack-poker-pairs", "Blackjack Poker & Pairs", "blackjack-poker-pairs", {}),
    PlannedTable("pair-v3-2", "PAIR Version 3, 2 decks, paytable A", "pair-v3", {"decks": 2}),
    PlannedTable("pair-v3-6", "PAIR Version 3, 6 decks, paytable A", "pair-v3", {"decks": 6}),
    PlannedTable("pair-v3-8", "PAIR Version 3, 8 decks, paytable A", "pair-v3", {"decks": 8}),
    PlannedTable("three-card-poker", "Three Card Poker, Pairplus 40-30-6-3-1", "three-card-poker", {}),
    PlannedTable(
        "three-card-poker-progressive",
        "Three Card Poker, Pairplus 40-30-6-3-1, progressive",
        "three-card-poker",
        {"progressive": True},
    ),
    PlannedTable("nepal-super-baccarat", "Nepal Super Baccarat, 8 decks", "nepal-super-baccarat", {}),
    PlannedTable("la-paire", "La Pair'e, all pair bets", "la-paire", {}),
)

# Every other paytable and deck that the documents allow. A name is the game's, a comma, and what sets the table apart.
OTHER_VARIANTS = (
    PlannedTable("pair-v3-2-b", "PAIR Version 3, 2 decks, paytable B", "pair-v3", {"paytable": "2-deck-b"}),
    *(
        PlannedTable(
            f"pair-v3-{decks}-{letter}",
            f"PAIR Version 3, {decks} decks, paytable {letter.upper()}",
            "pair-v3",
            {"decks": decks, "paytable": f"shoe-{letter}"},
        )
        for decks in (6, 8)
        for letter in "bcd"
    ),
    *(
        PlannedTable(
            f"three-card-poker-{pairplus}{'-progressive' if progressive else ''}",
            f"Three Card Poker, Pairplus {pairplus}{', progressive' if progressive else ''}",
            "three-card-poker",
            {"pairplus": pairplus, "progressive": progressive},
        )
        for pairplus in ("40-30-6-4-1", "40-30-5-4-1")
        for progressive in (False, True)
    ),
    *(
        PlannedTable(
            f"nepal-super-baccarat-{decks}",
            f"Nepal Super Baccarat, {decks} decks",
            "nepal-super-baccarat",
            {"decks": decks},
        )
        for decks in (5, 6, 7)
    ),
    PlannedTable("la-paire-pairs", "La Pair'e, La Pair'e bets only", "la-paire", {"pair_bets": "la-paire"}),
    PlannedTable("la-paire-any", "La Pair'e, Any Pair'e only", "la-paire", {"pair_bets": "any-paire"}),
)

# How baccarat is dealt where people share a table: from a shoe. Cut card, pace and limits keep a perfect counter, or
# all counters at the table together, under the ceiling; tests hold them to it. What all bettors may have on a wager
# together is little where counting pays, and much where no coup of a sample was ever worth more than its price.
SHARED_SHOE = PlannedTable(
    "live-nepal-super-baccarat",
    "Nepal Super Baccarat, live, 8 decks",
    "nepal-super-baccarat",
    {"cut_card": 260},
    SHOE,
    10_000,
    wager_maximum={
        "tie-on-0": 2_000,
        "banker-on-3": 4_000,
        **dict.fromkeys(("tie-on-1", "tie-on-2", "tie-on-7"), 5_000),
        **dict.fromkeys(("tie-on-3", "tie-on-4", "tie-on-5", "player-on-1", "player-on-2"), 10_000),
    },
    total_maximum={
        "tie-on-0": 4_000,
        "banker-on-3": 8_000,
        **dict.fromkeys(("tie-on-1", "tie-on-2"), 10_000),
        "tie-on-7": 15_000,
        "tie-on-4": 20_000,
        **dict.fromkeys(("tie-on-3", "tie-on-5", "player-on-1", "player-on-2"), 25_000),
        **dict.fromkeys(("player", "banker"), 20_000_000),
        **dict.fromkeys(("tie", "player-pair", "banker-pair", "lucky-6"), 5_000_000),
        **dict.fromkeys((f"{side}-on-{total}" for side in ("player", "banker") for total in range(6, 10)), 1_000_000),
    },
    clock=PlannedClock(None, betting=15_000),
)

# Where people play together. Blackjack Poker & Pairs is a game of one player, as its document says.
LIVE_TABLES = (
    PlannedTable(
        "live-three-card-poker",
        "Three Card Poker, live, Pairplus 40-30-6-3-1",
        "three-card-poker",
        {},
        clock=PlannedClock(7),
    ),
    PlannedTable(
        "live-three-card-poker-progressive",
        "Three Card Poker, live, Pairplus 40-30-6-3-1, progressive",
        "three-card-poker",
        {"progressive": True},
        clock=PlannedClock(7),
    ),
    PlannedTable(
        "live-pair-v3", "PAIR Version 3, live, 6 decks, paytable A", "pair-v3", {"decks": 6}, clock=PlannedClock(7)
    ),
    PlannedTable("live-blackjack", "Blackjack, live, 6 decks", "blackjack", {}, clock=PlannedClock(7)),
    SHARED_SHOE,
    PlannedTable(
        "live-la-paire", "La Pair'e, live, all pair bets", "la-paire", {}, clock=PlannedClock(None, betting=30_000)
    ),
)

FLOOR_PLAN = (*FIRST_TABLES, *OTHER_VARIANTS, *LIVE_TABLES)


def has_own_chips(game: Game) -> bool:
    """Whether everybody bets with chips of their own colour and value where several play. [LP-16] [LP-42]"""
    return game.id in OWN_CHIPS


def renamed(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """The name of a table whose options are switched: what it says of them stays true, all else stays as it is."""
    for option, words in SAID_IN_NAMES.items():
        if option in before and before[option] != after[option]:
            name = name.replace(words(before[option]), words(after[option]))
    return name
