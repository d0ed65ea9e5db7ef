"""The pit: the staff's session, the floor at a glance, and what supervisors do."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pairhouse.server.models.office import Options
from pairhouse.server.models.words import Given, Id, Name

Act = Literal[
    "open-table",
    "close-table",
    "close-betting",
    "next-card",
    "set-pace",
    "switch-options",
    "expose-card",
    "void-table",
    "void-round",
    "correct-round",
    "disable-player",
    "enable-player",
]
Cause = Literal["misdeal", "malfunction", "cancelled"]


class StaffCredentials(Given):
    """Name and password of somebody on the staff."""

    name: Name
    password: Annotated[str, Meta(min_length=1, max_length=1024)]


class Shift(msgspec.Struct):
    """A new session of the staff; its token is given as `Authorization: Bearer TOKEN`."""

    token: str
    name: str
    role: str
    expires_at: str


class NewPitAct(Given):
    """One act, what it is about, and why. At a misdeal of a live table `cards` is the number that was wrong.

    At a live table `round`, and `to_turn` at the next card, are those you looked at: with them an act that comes late,
    or twice, concerns no other round and no other card.
    """

    act: Act
    reason: Annotated[str, Meta(min_length=1, max_length=400)]
    table: Id | None = None
    round: Id | None = None
    player: Id | None = None
    cause: Cause | None = None
    card: Annotated[int, Meta(ge=1, le=1000)] | None = None
    cards: Annotated[int, Meta(ge=0, le=1000)] | None = None
    options: Options | None = None
    pace: Literal["hand", "clock"] | None = None
    to_turn: Annotated[int, Meta(ge=0, le=1000)] | None = None


class PitDone(msgspec.Struct):
    """What came of it, in a sentence."""

    says: str
    table: str | None


class PitSeat(msgspec.Struct):
    """Somebody at a live table, with what they have staked in this round."""

    seat: int
    name: str
    player: str
    staked: int


class PitCard(msgspec.Struct):
    """A card that lies on a table: its number in the order of the deal, and whose it is. Its face is nobody's here."""

    number: int
    seat: int | None
    at: str | None


class PitTable(msgspec.Struct):
    """A table at a glance. `phase` and all after it are those of a live table.

    `seated` counts everybody who sits there; `seats` lists the first hundred of them, or of those whose name was asked
    for. `deal` are the cards that lie there; `by_hand` says that it is paced by hand from the next round on; `to_turn`
    how many cards wait to be turned now.
    """

    id: str
    name: str
    game: str
    status: str
    is_live: bool
    open_rounds: int
    staked: int
    phase: str | None = None
    round: str | None = None
    cards: int = 0
    due_at: str | None = None
    seats: list[PitSeat] = []
    seated: int = 0
    deal: list[PitCard] = []
    by_hand: bool = False
    to_turn: int = 0


class PitRound(msgspec.Struct):
    """One of the last rounds."""

    id: str
    table: str
    game: str
    player: str
    name: str
    state: str
    opened_at: str
    staked: int
    returned: int | None
    corrected: bool


class PitWarning(msgspec.Struct):
    """What the watch has found and nobody has lifted."""

    at: str
    table: str
    player: str | None
    step: str
    why: str


class PitCorrection(msgspec.Struct):
    """A correction of a round for a player."""

    round: str
    player: str
    table: str
    by: str
    reason: str
    at: str
    staked: int
    returned: int
    written_off: int


class PitPerson(msgspec.Struct):
    """A player who may not play at present."""

    player: str
    name: str


class PitPrice(msgspec.Struct):
    """What a unit on a wager wins on average if the next round is dealt from the cards that are left.

    `price` is an exact fraction; above zero the bet is the player's. `staked` lay on it in the newest round, `usual` is
    the average of the rounds before, `alert` says that more was staked than usual while the bet was the player's.
    """

    wager: str
    name: str
    price: str
    staked: int
    usual: int
    alert: bool


class PitShoe(msgspec.Struct):
    """A shoe in use, as somebody who has followed every card of it sees it.

    `player` is null where people share it; `why` says why there are no prices.
    """

    table: str
    player: str | None
    cards: int
    dealt: int
    rounds: int
    wagers: list[PitPrice]
    why: str | None = None


class PitShoes(msgspec.Struct):
    """The shoes that were dealt from last, newest first."""

    shoes: list[PitShoe]


class PitFloor(msgspec.Struct):
    """The floor at a glance. `may` are the acts of your role; `disabled` are players who may not play at present."""

    now: str
    name: str
    may: list[str]
    tables: list[PitTable]
    rounds: list[PitRound]
    warnings: list[PitWarning]
    corrections: list[PitCorrection]
    disabled: list[PitPerson]
