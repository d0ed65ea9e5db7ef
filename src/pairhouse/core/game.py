"""A game: one `play` function, its wagers and its options. A variant: the game under chosen options."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil, lcm
from types import MappingProxyType
from typing import Any

from pairhouse.core.cards import Card
from pairhouse.core.errors import Refused, one_of, unknown
from pairhouse.core.fingerprint import fingerprint, session_fingerprint
from pairhouse.core.meter import Meter
from pairhouse.core.money import EXACT, ROUNDINGS, check_stake
from pairhouse.core.options import Option, Options, resolve
from pairhouse.core.paytable import Wager, placed
from pairhouse.core.session_rules import has_session_rules
from pairhouse.core.settlement import exact_step, stake_of
from pairhouse.core.shortcuts import NO_SHORTCUTS, Shortcuts
from pairhouse.core.verbs import Table

Stakes = Mapping[str, int]  # the wagers of one seat: wager id -> stake in minor units

# A wrong number of cards [TCP-38], a fault of the house [BPP-48], a round left open for 30 days [BPP-49]. An exposed
# card is none of these. [TCP-39]
VOID_REASONS = ("misdeal", "malfunction", "cancelled")


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a player can choose. Where it costs a stake, it is booked on `wager` and measured by that on `base`.

    `automatic` marks what is done for a player who does not decide in time: it costs nothing and gives nothing back.
    """

    name: str
    key: str
    wager: str | None = None
    base: str = ""
    automatic: bool = False


class AcceptedSeats(list[dict[str, int]]):
    """The wagers of every seat, checked against the rules, so that they are not checked again."""


ROUNDING = Option("rounding", EXACT, ROUNDINGS, "how a payment that is no whole minor unit is rounded")


def no_name(_cards: Sequence[Card]) -> str:
    """For games whose hands have no name of their own."""
    return ""


def no_warning(_action: str, _cards: Sequence[Card]) -> str:
    """For games without a safety net."""
    return ""


def no_check(_options: Options) -> None:
    """For games whose options can be combined freely."""


def as_given(options: Options) -> Options:
    """For games whose defaults do not depend on one another."""
    return options


@dataclass(frozen=True)
class Game:
    """Everything that makes one game, once.

    `rules` turns options into the small integers that `play` reads; `wagers` into the bets on offer; `pack` into
    decks and Jokers per deck. `places` names the house's places, `phrases` what a dealer says aloud, `name_hand` what
    a hand is called, `warn` what the safety net says before an action. `seats_max` is how many seats a round can have,
    `seats_per_player` how many of them one player may hold. `units_max` is how many times its first stake an opening
    wager can come to, by doubling and splitting. `check` refuses options that cannot be dealt together, `offered` those
    that could be dealt and priced but that no table offers. `shoe_line` says what the history of a shoe shows of a
    round, from what happened and from the cards at each of the house's places. `shortcuts` makes exact answers faster.
    A game that is `paid_at_end` pays nothing before its end, so that it can be void as a whole.
    With `host` it is that game with more wagers, decided `at` moments of the host (`core/side_bets.py`).
    """

    id: str
    name: str
    cites: str
    summary: str
    play: Callable[[Table, Any], None]
    module: str
    options: tuple[Option, ...]
    seats_max: int
    seats_per_player: int
    places: tuple[str, ...]
    rules: Callable[[Options], Any]
    wagers: Callable[[Options], tuple[Wager, ...]]
    pack: Callable[[Options], tuple[int, int]]
    actions: tuple[Action, ...] = ()
    phrases: tuple[str, ...] = ()
    name_hand: Callable[[Sequence[Card]], str] = no_name
    warn: Callable[[str, Sequence[Card]], str] = no_warning
    offers: Callable[[str, Any], bool] = lambda _action, _rules: True
    check: Callable[[Options], None] = no_check
    offered: Callable[[Options], None] = no_check
    defaults: Callable[[Options], Options] = as_given
    meter: Callable[[Options], Meter | None] = lambda _options: None
    units_max: Callable[[Any], int] = lambda _rules: 1
    paid_at_end: bool = False
    shoe: bool = False
    shoe_line: Callable[[Sequence[Any], Mapping[str, Sequence[Card]]], dict[str, Any]] | None = None
    shortcuts: Shortcuts = NO_SHORTCUTS
    host: "Game | None" = None
    at: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = ()

    def variant(self, given: Options | None = None) -> "Variant":
        """The game under these options (those not named have their defaults), or a refusal that says what is wrong."""
        options = resolve(self.all_options, self.defaults(dict(given or {})))
        return _variant(self, tuple(options.items()), session_fingerprint(self, {}) if self.is_from_session else "")

    @cached_property
    def is_from_session(self) -> bool:
        """Whether it was defined at a prompt, in a notebook or by `exec`: its rules can then change at any time."""
        return has_session_rules(self)

    @property
    def all_options(self) -> tuple[Option, ...]:
        """Its own options, and how every table may round."""
        return (*self.options, ROUNDING)


@lru_cache(maxsize=512)
def _variant(game: Game, options: tuple[tuple[str, Any], ...], _session_rules: str) -> "Variant":
    chosen = MappingProxyType(dict(options))
    game.check(chosen)
    game.offered(chosen)
    return Variant(game, chosen)


@dataclass(frozen=True, eq=False)
class Variant:
    """A game under chosen options: what is dealt, what may be bet, in which steps, and a hash that names it all."""

    game: Game
    options: Options

    @cached_property
    def rounding(self) -> str:
        """How fractions of a minor unit are rounded, if at all."""
        return str(self.options["rounding"])

    @property
    def actions(self) -> list[Action]:
        """The choices that can ever be offered under these options."""
        return [action for action in self.game.actions if self.game.offers(action.name, self.rules)]

    @cached_property
    def pays_when_decided(self) -> bool:
        """Whether a wager is paid as soon as it is decided, and stays so if the round is void later.

        Not where the game is void as a whole [BPP-50], nor on a progressive meter, which other rounds move meanwhile.
        """
        return not self.game.paid_at_end and self.game.meter(self.options) is None

    def automatic_choice(self, offered: Sequence[str]) -> str:
        """What is chosen for a player who does not decide in time; where the game marks nothing, what costs nothing."""
        actions = [action for action in self.game.actions if action.name in offered]
        return min(actions, key=lambda action: (not action.automatic, action.wager is not None)).name

    @cached_property
    def rules(self) -> Any:
        """The options as the named integers that `play` reads."""
        return self.game.rules(self.options)

    @cached_property
    def wagers(self) -> dict[str, Wager]:
        """Every bet on offer, in the order of the layout."""
        return {wager.id: wager for wager in self.game.wagers(self.options)}

    @cached_property
    def openers(self) -> frozenset[str]:
        """The wagers of which a seat must hold at least one."""
        return frozenset(wager.id for wager in self.wagers.values() if wager.opens)

    @cached_property
    def carried(self) -> dict[str, list[Wager]]:
        """For each placed wager, the stakes that may follow from it."""
        found: dict[str, list[Wager]] = {}
        for wager in self.wagers.values():
            if wager.base is not None and not wager.bonus:
                found.setdefault(wager.base, []).append(wager)
        return found

    @cached_property
    def decided_by(self) -> dict[type, list[Wager]]:
        """Which wagers each kind of happening decides."""
        found: dict[type, list[Wager]] = {}
        for wager in self.wagers.values():
            found.setdefault(wager.decided_by, []).append(wager)
        return found

    @cached_property
    def pack(self) -> tuple[int, int]:
        """Decks, and Jokers in each."""
        return self.game.pack(self.options)

    @property
    def rules_hash(self) -> str:
        """Names the rule source and the options, so that a round says which rules it was played under."""
        if self.game.is_from_session:
            return session_fingerprint(self.game, self.options)
        return self._source_hash

    @cached_property
    def _source_hash(self) -> str:
        return fingerprint(self.game.module, self.options)

    @cached_property
    def steps(self) -> dict[str, int]:
        """For each placed wager the step in which it must be staked, so that everything on it pays exactly.

        [TCP-13] [NSB-13] [LP-18] [BPP-10] [BJ-6] [PV3-6]
        """
        steps = {}
        for wager in placed(list(self.wagers.values())):
            carried = [other for other in self.wagers.values() if other.base == wager.id]
            steps[wager.id] = lcm(*(exact_step(each) for each in [wager, *carried]))
        return steps

    def accept(self, seats: Sequence[Stakes]) -> "AcceptedSeats":
        """The wagers of every seat, in layout order, each checked; refused as a whole when one of them is.

        They are fixed from here on: no card is dealt before, and nothing but a choice of the game adds to them after.
        [TCP-8] [TCP-12] [NSB-11] [LP-15] [BPP-9] [BJ-5] [PV3-4]
        """
        if not 1 <= len(seats) <= self.game.seats_max:
            sentence = f"{len(seats)} seats were given; {self.game.name} takes 1 to {self.game.seats_max}"
            raise Refused("bad-seats", sentence)
        return AcceptedSeats([self._accept_seat(number, stakes) for number, stakes in enumerate(seats, 1)])

    def _accept_seat(self, number: int, stakes: Stakes) -> dict[str, int]:
        for name, stake in stakes.items():
            self.check_wager(name)
            check_stake(name, stake, self.steps[name], self.rounding)
            for other in self.carried.get(name, ()):
                if not stake_of(other, stake, self.rounding):
                    given = f"a stake of {stake} on {name} is too small to carry {other.id}"
                    raise Refused("bad-stake", f"{given}; give at least {ceil(1 / other.multiple)}")
            fixed = self.wagers[name].fixed
            if fixed is not None and stake != fixed:
                raise Refused("bad-stake", f"a stake of {stake} on {name} is not possible; it is always {fixed}")
        if self.openers.isdisjoint(stakes):
            openers = [name for name in self.wagers if name in self.openers]
            listed = one_of(openers if len(openers) < 8 else [*openers[:3], "...", openers[-1]])
            raise Refused("no-opening-wager", f"seat {number} needs a wager on {listed}")
        if len(stakes) == 1:
            return dict(stakes)
        return {name: stakes[name] for name in self.wagers if name in stakes}

    def check_wager(self, name: str) -> None:
        """Refuse a wager that this variant does not take before the cards."""
        wager = self.wagers.get(name)
        if wager is None:
            self._check_elsewhere(name)
            raise unknown("wager", name, [w.id for w in placed(list(self.wagers.values()))])
        if wager.base is not None:
            sentence = f"{name} follows from a choice during the round and cannot be placed beforehand"
            raise Refused("unknown-wager", sentence)

    def _check_elsewhere(self, name: str) -> None:
        """Refuse a wager that another value of one option would offer, and name that option."""
        for option in self.game.options:
            for choice in option.choices if len(option.choices) < 8 else ():
                other = {**self.options, option.name: choice}
                if any(wager.id == name for wager in self.game.wagers(other)):
                    sentence = f"{name} is not offered here, but with option {option.name}={option.text(choice)} it is"
                    raise Refused("unknown-wager", sentence)
