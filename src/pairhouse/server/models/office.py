"""The office: tables set and changed, rounds called off, hold, events and calls to wallets."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from pairhouse.games.floor_plan import ROUND_MS_MIN
from pairhouse.server.models.words import Cents, Given, Id, Name, OptionValue

Shuffle = Literal["every-round", "shoe"]
RoundMs = Annotated[int, Meta(ge=0, le=600_000)]


class LimitsChange(Given):
    """Limits to set; those left out stay as they are."""

    minimum: Cents | None = None
    maximum: Cents | None = None
    unit: Cents | None = None
    chips: Annotated[list[Cents], Meta(min_length=1, max_length=10)] | None = None
    round_maximum: Cents | None = None
    payout_maximum: Cents | None = None
    wager_maximum: Annotated[dict[Id, Cents], Meta(max_length=64)] | None = None
    total_maximum: Annotated[dict[Id, Cents], Meta(max_length=64)] | None = None

    def given(self) -> dict[str, Any]:
        """What was set."""
        return {name: value for name, value in msgspec.structs.asdict(self).items() if value is not None}


Options = Annotated[dict[Annotated[str, Meta(max_length=64)], OptionValue], Meta(max_length=64)]


class NewTable(Given):
    """A table to put on the floor."""

    id: Id
    name: Name
    game: Id
    options: Options = msgspec.field(default_factory=dict)
    limits: LimitsChange | None = None
    advice: bool = True
    shuffle: Shuffle = "every-round"
    round_ms_min: RoundMs = ROUND_MS_MIN


class TableChange(Given):
    """A change of a table; what is left out stays. Options are switched between rounds."""

    name: Name | None = None
    options: Options | None = None
    limits: LimitsChange | None = None
    advice: bool | None = None
    status: Literal["open", "closed"] | None = None
    shuffle: Shuffle | None = None
    round_ms_min: RoundMs | None = None


class GameStatus(Given):
    """Whether a game is dealt, at any table."""

    status: Literal["open", "closed"]


class PlayerStatus(Given):
    """Whether a player may play."""

    status: Literal["active", "disabled"]


class VoidOrder(Given):
    """Why a round is called off; every stake goes back."""

    reason: Literal["misdeal", "malfunction", "cancelled"]


class Voided(msgspec.Struct):
    """A round that was called off, and whom its stakes went back to."""

    round: str
    player: str
    reason: str


class HoldLine(msgspec.Struct, kw_only=True):
    """Actual against theoretical hold of a wager. `z` is how many standard deviations the house is ahead of theory."""

    game: str
    table: str
    wager: str
    rounds: int
    staked: int
    kept: int
    hold: str | None
    theory: str | None
    z: str | None


class Hold(msgspec.Struct):
    """The hold of every wager, and what lies in open rounds."""

    lines: list[HoldLine]
    in_open_rounds: int


class EventRecord(msgspec.Struct):
    """A sealed event. `body` is the text its hash is made over."""

    chain: str
    number: int
    at: int
    kind: str
    body: str
    hash: str


class ChainRecord(msgspec.Struct):
    """A chain: how many events it has, and its head."""

    chain: str
    events: int
    head: str


class Events(msgspec.Struct):
    """The chains there are, and a page of one of them."""

    chains: list[ChainRecord]
    events: list[EventRecord]


class WalletCall(msgspec.Struct, kw_only=True):
    """A call to an operator's wallet: `sent` for a bet on its way, `due` for what is sent until acknowledged."""

    id: str
    wallet: str
    kind: str
    round: str
    player: str
    amount: int
    state: str
    attempts: int
    made_at: str
    next_at: str


class WalletCalls(msgspec.Struct):
    """What operators are still to be told."""

    calls: list[WalletCall]


class WatchFigures(msgspec.Struct, kw_only=True):
    """What a step or a record rests on. Money is in minor units, `z` counts standard deviations above expectation.

    `wins_too_much`, `loses_too_much` and `follows_cards` are evidence: without a cause, one of n or more ever comes up
    in 1 of n records at most. `advantage` is what the stakes were worth given the cards left in `shoes` that ended.
    """

    rounds: int
    staked: int
    net: int
    expected: int
    variance: int
    z: float | None
    wins_too_much: float
    loses_too_much: float
    follows_cards: float | None
    shoes: int
    advantage: int | None


class WatchRecord(msgspec.Struct, kw_only=True):
    """What the watch knows of a player at a table, of a table, or of a wager there; null where it is not of one."""

    table: str
    player: str | None
    wager: str | None
    step: Literal["nothing", "warn", "lower limits", "close"]
    figures: WatchFigures


class WatchStep(msgspec.Struct, kw_only=True):
    """A step of the watch: what the evidence called for, why, what was done about it, and who lifted it."""

    id: str
    at: str
    table: str
    player: str | None
    wager: str | None
    step: Literal["warn", "lower limits", "close"]
    why: Literal["wins", "counts", "loses"]
    done: str
    figures: WatchFigures
    lifted_at: str | None
    lifted_by: str | None


class WatchReport(msgspec.Struct):
    """When the watch last moved on, its steps (newest first), and the records with the most evidence."""

    looked_at: str | None
    steps: list[WatchStep]
    records: list[WatchRecord]
