"""What requests and answers look like. Money is integer minor units, times are ISO 8601 in UTC."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from pairhouse.casino.answers import RoundSummary, RoundView
from pairhouse.casino.rounds import Reading
from pairhouse.core.money import STAKE_MAX

Id = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Key = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Word = Annotated[str, Meta(min_length=1, max_length=32)]
Stake = Annotated[int, Meta(gt=0, le=STAKE_MAX)]
Stakes = Annotated[dict[Annotated[str, Meta(max_length=64)], Stake], Meta(min_length=1, max_length=64)]
Cents = Annotated[int, Meta(ge=0, le=STAKE_MAX)]
OptionValue = Annotated[str, Meta(max_length=64)] | Annotated[int, Meta(ge=-STAKE_MAX, le=STAKE_MAX)] | bool
Name = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f]+$")]


class Given(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a caller sends: nothing beside what is named is accepted."""


class Nothing(Given):
    """An empty body."""


class NewRound(Given):
    """Bets on the table, with the player's seed. Give `seats`, or `wagers` for one seat."""

    table: Id
    client_seed: Annotated[str, Meta(min_length=1, max_length=64)]
    seats: Annotated[list[Stakes], Meta(min_length=1, max_length=8)] | None = None
    wagers: Stakes | None = None
    game: Id | None = None
    commitment: Annotated[str, Meta(min_length=64, max_length=64)] | None = None
    idempotency_key: Key | None = None


class NewChoice(Given):
    """An answer to what the round asks; `number` is how many choices were made before it."""

    choice: Word
    number: Annotated[int, Meta(ge=0, le=1000)]
    idempotency_key: Key | None = None


class Credentials(Given):
    """A name and a password."""

    name: Annotated[str, Meta(min_length=3, max_length=32, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
    password: Annotated[str, Meta(min_length=10, max_length=128)]


class Keyed(Given):
    """A body that holds a key only."""

    idempotency_key: Key | None = None


class OpenRound(msgspec.Struct):
    """A round that waits for its player."""

    id: str
    table: str
    game: str
    opened_at: str
    staked: int


class SessionTotals(msgspec.Struct):
    """What this session has come to."""

    started_at: str
    rounds: int
    staked: int
    returned: int


class Me(msgspec.Struct, kw_only=True):
    """The player who asks."""

    id: str
    name: str
    guest: bool
    currency: str
    balance: int
    held: int
    open_rounds: list[OpenRound]
    session: SessionTotals


class SignedIn(msgspec.Struct):
    """A new session. The token is also set as a cookie."""

    token: str
    expires_at: str
    player: Me


class LimitsRecord(msgspec.Struct, kw_only=True):
    """Limits of a table."""

    minimum: int
    maximum: int
    unit: int
    chips: list[int]
    round_maximum: int
    payout_maximum: int


class WagerPrice(msgspec.Struct, kw_only=True):
    """The price of a wager: exact as a fraction, or a decimal with its error and class of strategy."""

    ev: str | None
    edge: str
    edge_exact: str | None
    hit: str | None
    hit_decimal: str | None
    method: str
    error: str | None = None
    strategy: str | None = None


class OptionRecord(msgspec.Struct, kw_only=True):
    """An option of a game: what it is set to here, and what it could be."""

    name: str
    value: str | int | bool
    default: str | int | bool
    accepted: str | list[str | int | bool]
    says: str


class RowRecord(msgspec.Struct, kw_only=True):
    """A row of a paytable: its price to 1 as a fraction, or its share of the progressive meter."""

    name: str
    pays: str | UnsetType = UNSET
    share: str | UnsetType = UNSET


class WagerRecord(msgspec.Struct, kw_only=True):
    """A wager with its paytable. One that a choice brings about names the wager it `follows`."""

    id: str
    name: str
    group: str
    rules: str
    rows: list[RowRecord]
    otherwise: str
    opens: bool | UnsetType = UNSET
    stake_step: int | UnsetType = UNSET
    follows: str | UnsetType = UNSET
    stake: str | UnsetType = UNSET
    stake_fixed: int | UnsetType = UNSET


class GameRecord(msgspec.Struct, kw_only=True):
    """A game under chosen options: all that a program needs to offer it."""

    id: str
    name: str
    summary: str
    rules_hash: str
    seats_max: int
    seats_per_player: int
    decks: int
    jokers_per_deck: int
    choices: list[str]
    options: list[OptionRecord]
    wagers: list[WagerRecord]


class GameOffer(GameRecord, kw_only=True):
    """A game under its own options, the tables that deal it, and its prices once they are counted."""

    tables: list[str]
    prices: dict[str, WagerPrice] | None
    strategy: Any = None


class Table(msgspec.Struct, kw_only=True):
    """A table: its game under its options, its limits, and the price of each wager once it is counted."""

    id: str
    name: str
    version: int
    game: GameRecord
    limits: LimitsRecord
    advice: bool
    open: bool
    prices: dict[str, WagerPrice] | None


class Tables(msgspec.Struct):
    """The tables of the house, in the order of the floor."""

    tables: list[Table]


class Games(msgspec.Struct):
    """The games of the house."""

    games: list[GameOffer]


class NumberedText(msgspec.Struct):
    """A rule with its number."""

    number: str
    text: str


class RuleBook(msgspec.Struct):
    """A rule book in our own words."""

    game: str
    markdown: str
    html: str
    rules: list[NumberedText]


class Coup(msgspec.Struct):
    """One coup of a shoe, as a road shows it."""

    round: str
    winner: str
    player_total: int
    banker_total: int
    player_pair: bool
    banker_pair: bool
    player_cards: int
    banker_cards: int


class ShoeRecord(msgspec.Struct, kw_only=True):
    """The shoe in use, with its coups in order."""

    number: int
    cards: int
    dealt: int
    cut_card: int
    last_round: bool
    finished: bool
    coups: list[Coup]


class Seat(msgspec.Struct, kw_only=True):
    """A player's place at a table: the commitment for the next cards, and the round to come back to."""

    table: str
    balance: int
    commitment: str
    nonce: int
    last_client_seed: str | None
    meter: Reading | None
    shoe: ShoeRecord | None
    round: RoundView | None


class RevealedSeed(msgspec.Struct):
    """A server seed that is used up, and how many nonces it dealt."""

    commitment: str
    server_seed: str
    rounds: int


class Rotation(msgspec.Struct):
    """The seed that was in use, shown, and the commitment to the next."""

    revealed: RevealedSeed
    commitment: str


class SeedRecord(msgspec.Struct):
    """A commitment made to a player; its seed is null until it is revealed."""

    table: str
    commitment: str
    server_seed: str | None
    nonces: int
    opened_at: str
    revealed_at: str | None


class Seeds(msgspec.Struct):
    """The commitments made to a player, newest first."""

    seeds: list[SeedRecord]


class History(msgspec.Struct):
    """A page of rounds, newest first; `next` asks for the page after it."""

    rounds: list[RoundSummary]
    next: str | None


class ActionValue(msgspec.Struct):
    """What an action is worth per unit of the first stake."""

    value: str
    error: str


class ChartSquare(msgspec.Struct):
    """What to do, and what may stand beside it."""

    action: str
    note: str = ""


class StrategyChart(msgspec.Struct):
    """A grid of actions: what is held by row, what is shown by column. Impossible places are null."""

    id: str
    title: str
    corner: str
    columns: list[str]
    rows: list[str]
    squares: list[list[ChartSquare | None]]


class Charts(msgspec.Struct):
    """The charts of best play, or null where there are none yet."""

    charts: list[StrategyChart] | None


class ChartCell(msgspec.Struct):
    """A square of a chart, by its row and column."""

    chart: str
    row: str
    column: str


class Advice(msgspec.Struct):
    """The value of each legal action, best first, and the square of the strategy chart."""

    options: dict[str, ActionValue]
    best: str
    strategy: str
    cell: ChartCell | None = None


class Problem(msgspec.Struct, omit_defaults=True):
    """What is wrong: a stable code for programs and a sentence for people."""

    code: str
    error: str
    round: str | None = None


class Health(msgspec.Struct):
    """The house is open."""

    status: str
    version: str
    database: str


class NewTable(Given):
    """A table to put on the floor."""

    id: Id
    name: Name
    game: Id
    options: Annotated[dict[Annotated[str, Meta(max_length=64)], OptionValue], Meta(max_length=64)] = {}
    limits: "LimitsChange | None" = None
    advice: bool = True


class LimitsChange(Given):
    """Limits to set; those left out stay as they are."""

    minimum: Cents | None = None
    maximum: Cents | None = None
    unit: Cents | None = None
    chips: Annotated[list[Cents], Meta(min_length=1, max_length=10)] | None = None
    round_maximum: Cents | None = None
    payout_maximum: Cents | None = None

    def given(self) -> dict[str, Any]:
        """What was set."""
        return {name: value for name, value in msgspec.structs.asdict(self).items() if value is not None}


class TableChange(Given):
    """A change of a table; what is left out stays."""

    name: Name | None = None
    limits: LimitsChange | None = None
    advice: bool | None = None
    status: Literal["open", "closed"] | None = None


class GameStatus(Given):
    """Whether a game is dealt, at any table."""

    status: Literal["open", "closed"]


class PlayerStatus(Given):
    """Whether a player may play."""

    status: Literal["active", "disabled"]


class VoidOrder(Given):
    """Why a round is called off; every stake goes back."""

    reason: Literal["misdeal", "malfunction", "cancelled"]


class OutsideLogin(Given):
    """A player of an operator's, with the token the operator gave them."""

    token: Annotated[str, Meta(min_length=1, max_length=512)]


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


class Voided(msgspec.Struct):
    """A round that was called off, and whom its stakes went back to."""

    round: str
    player: str
    reason: str


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
