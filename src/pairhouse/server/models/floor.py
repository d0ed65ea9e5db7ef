"""The floor: games, tables, limits, prices and rule books."""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType


class LimitsRecord(msgspec.Struct, kw_only=True):
    """Limits of a table. `wager_maximum` names wagers with a lower maximum of their own; 0 means closed.

    Where people share a shoe, `total_maximum` names what all of them together may have on a wager in one coup; on
    wagers it does not name, all together may have what one of them may.
    """

    minimum: int
    maximum: int
    unit: int
    chips: list[int]
    round_maximum: int
    payout_maximum: int
    wager_maximum: dict[str, int]
    total_maximum: dict[str, int]


class WagerPrice(msgspec.Struct, kw_only=True):
    """The price of a wager: exact as a fraction, or a decimal with its error and class of strategy.

    A wager on a progressive meter is priced at one reading of it, `meter`, in minor units.
    """

    ev: str | None
    edge: str
    edge_exact: str | None
    hit: str | None
    hit_decimal: str | None
    method: str
    error: str | None = None
    strategy: str | None = None
    meter: int | None = None


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
    key: str
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
    otherwise_key: str
    group_key: str | UnsetType = UNSET
    opens: bool | UnsetType = UNSET
    stake_step: int | UnsetType = UNSET
    follows: str | UnsetType = UNSET
    stake: str | UnsetType = UNSET
    stake_fixed: int | UnsetType = UNSET


class ActionRecord(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A choice: its key, the wager it stakes more on, and which of the hand's cards it keeps, counted from 0."""

    name: str
    key: str
    wager: str | UnsetType = UNSET
    keeps: list[int] | UnsetType = UNSET


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
    places: list[str]
    choices: list[str]
    actions: list[ActionRecord]
    options: list[OptionRecord]
    wagers: list[WagerRecord]


class GameOffer(GameRecord, kw_only=True):
    """A game under its own options, the tables that deal it, and its prices once they are counted.

    `not_priced` says why the other wagers have no price of their own.
    """

    tables: list[str]
    prices: dict[str, WagerPrice] | None
    not_priced: dict[str, str]
    strategy: Any = None


class TableRecord(msgspec.Struct, kw_only=True):
    """A table: its game under its options, its limits, and the price of each wager once it is counted.

    `not_priced` says why the other wagers have no price of their own. `shuffle` says when the cards are shuffled,
    `round_ms_min` is the least time between two rounds of a player. Tables of one `group` are variants of one game;
    `label` says what sets this one apart from the others. At a `live` table several people play; with `own_chips` each
    has chips of their own colour and value there.
    """

    id: str
    name: str
    group: str
    label: str
    live: bool
    own_chips: bool
    version: int
    game: GameRecord
    limits: LimitsRecord
    advice: bool
    open: bool
    shuffle: str
    round_ms_min: int
    prices: dict[str, WagerPrice] | None
    not_priced: dict[str, str]
    name_key: str | UnsetType = UNSET
    label_key: str | UnsetType = UNSET


class Tables(msgspec.Struct):
    """The tables of the house, in the order of the floor."""

    tables: list[TableRecord]


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
