"""Live tables: what is sent to them and what comes back."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pairhouse.rounds.live_entries import AnyEntry
from pairhouse.rounds.live_view import LiveView
from pairhouse.server.models.words import END

SeedHash = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{64}}{END}", description="SHA-256 of your seed, in hex.")]
Word = Annotated[str, Meta(min_length=1, max_length=40)]
Wager = Annotated[str, Meta(min_length=1, max_length=64)]
Amount = Annotated[int, Meta(ge=1, le=10**12)]


class LiveTableLine(msgspec.Struct, frozen=True):
    """A live table in a list: who plays what there, how many sit and how many may."""

    table: str
    name: str
    game: str
    seats: int | None
    seated: int
    number: int
    name_key: str | msgspec.UnsetType = msgspec.UNSET


class LiveTables(msgspec.Struct, frozen=True):
    """Every table at which several people play."""

    tables: list[LiveTableLine]


class LiveResultLines(msgspec.Struct, frozen=True):
    """What the last rounds of a live table came to, oldest first, as the roads of its game show them."""

    results: list[dict[str, str | int | bool]]


class NewFriendsTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The live table that yours is to be like."""

    like: Annotated[str, Meta(min_length=1, max_length=64)]


class FriendsTable(msgspec.Struct, frozen=True):
    """The table that was opened. It is in no list: give its id to those who are to find it."""

    table: str


class NewSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The seat you want; without one, any that is free.

    Where players have chips of their own (La Pair'e): what each of yours is worth for as long as you sit, one of the
    table's chips; without it the smallest.
    """

    seat: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    chip: Amount | None = None


class NewLiveBet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Your stakes for the coming round, in minor units; none takes your bet back. `seed` commits you to a seed."""

    stakes: dict[Wager, Amount]
    seed: SeedHash


class OpenedSeed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The seed you have committed to."""

    seed: Annotated[str, Meta(min_length=1, max_length=64)]


class NewLiveChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Your decision; `number` counts the decisions of this round before it."""

    choice: Word
    number: Annotated[int, Meta(ge=0, le=1000)]


class LiveVoid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why the round is called off; at a misdeal with the wrong number of cards."""

    reason: Annotated[str, Meta(min_length=1, max_length=40)]
    cards: Annotated[int, Meta(ge=0, le=1000)] | None = None


class LiveExposure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card that was seen by accident, by its number in the order of the deal."""

    card: Annotated[int, Meta(ge=1, le=1000)]
    reason: Annotated[str, Meta(max_length=200)] = ""


class LiveClock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The seats of a live table (none: any number of people may bet) and its clock in milliseconds."""

    seats: Annotated[int, Meta(ge=1, le=7)] | None = None
    betting: Annotated[int, Meta(ge=1_000, le=600_000)] = 20_000
    seeds: Annotated[int, Meta(ge=200, le=60_000)] = 3_000
    decision: Annotated[int, Meta(ge=1_000, le=600_000)] = 25_000
    grace: Annotated[int, Meta(ge=0, le=60_000)] = 2_000
    pause: Annotated[int, Meta(ge=0, le=60_000)] = 4_000
    by_hand: Annotated[bool, Meta(description="A supervisor closes the betting and turns the cards.")] = False


class SeatedPerson(msgspec.Struct, frozen=True):
    """Somebody at the table, with or without a bet; with the colour and value of their chips where these are own."""

    seat: int
    name: str
    colour: int = 0
    chip: int = 0


class LiveNews(msgspec.Struct, frozen=True):
    """What happened at a table since a number, and how it stands now for this reader.

    Where many people bet, `seated` lists the first of them, and their bets and seeds are not among the entries. `seats`
    is how many the table has (null: any number of people may bet), `watching` how many look on without one.
    """

    number: int
    now: int
    seated: list[SeatedPerson]
    entries: list[AnyEntry]
    view: LiveView | None
    seated_count: int = 0
    seats: int | None = None
    watching: int = 0
