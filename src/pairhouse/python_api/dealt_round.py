"""A round in a Python program: deal it, look at it, choose, and read what every seat won."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import msgspec

from pairhouse.core.cards import FACES, Card
from pairhouse.core.errors import Refused
from pairhouse.core.game import Stakes, Variant
from pairhouse.core.meter import Meter
from pairhouse.core.money import amount_text
from pairhouse.machines.events import Event, Replay, View
from pairhouse.machines.replay import replay
from pairhouse.python_api.arguments import integer, read_choices, read_seats
from pairhouse.terminal.story import story


class SeatView(View, frozen=True):
    """A view of a round that a prompt shows in one line."""

    def __repr__(self) -> str:
        seen_by = "a spectator" if self.seat is None else f"seat {self.seat}"
        return f"<{self.game} as {seen_by} sees it: {len(self.hands)} hands, {len(self.events)} events>"


class DealtRound:
    """One round under a game's rules. It never changes: `choose` gives the round with one more choice made.

    Stakes, nets and returns are integer minor units (cents). `meter` is a progressive meter before the round.
    """

    def __init__(
        self,
        variant: Variant,
        cards: Sequence[Card],
        seats: Sequence[Stakes],
        choices: Sequence[str] = (),
        void: str | None = None,
        meter: Meter | None = None,
    ) -> None:
        self.variant = variant
        self.seats = read_seats(seats)
        self.choices = read_choices(choices)
        self.void = void
        self.meter = meter or variant.game.meter(variant.options)
        self._order = cards
        _ = self.state  # a round that cannot be played is refused here, not when it is first looked at

    @cached_property
    def state(self) -> Replay:
        """Everything the round has come to, found by replaying its log."""
        return replay(self.variant, self._order, self.seats, self.choices, meter=self.meter, void=self.void)

    @property
    def is_over(self) -> bool:
        """Whether every wager is settled."""
        return self.state.is_over

    @property
    def options(self) -> list[str]:
        """The choices the round waits for now; empty when it is over."""
        return list(self.state.awaiting.options) if self.state.awaiting is not None else []

    @property
    def costs(self) -> dict[str, int]:
        """What each of these choices would stake in addition, where it costs something."""
        return dict(self.state.awaiting.costs) if self.state.awaiting is not None else {}

    def choose(self, choice: str) -> "DealtRound":
        """The round after one more choice."""
        if self.is_over:
            raise Refused("no-choice", f"{choice!r} was chosen, but the round is over and asks nothing")
        return DealtRound(self.variant, self._order, self.seats, [*self.choices, choice], self.void, self.meter)

    @property
    def net(self) -> int | None:
        """What all seats together won (or lost, below zero); None while the round is open."""
        return self.state.returned - self.state.staked if self.is_over else None

    def net_of(self, seat: int) -> int | None:
        """What one seat won; seats count from 1."""
        if not 1 <= integer(seat, "seat") <= len(self.seats):
            listed = f"seats 1 to {len(self.seats)}" if len(self.seats) > 1 else "seat 1 alone"
            raise Refused("bad-seats", f"seat {seat} does not take part; this round has {listed}")
        return self.state.net(seat)

    @property
    def wagers(self) -> list[dict[str, Any]]:
        """For each seat, every wager with its stake, what it returned and the row that was paid."""
        return [{name: dict(bet) for name, bet in seat.items()} for seat in self.state.wagers]

    @property
    def events(self) -> list[Event]:
        """Everything that happened at the table in a dealer's order, every face included."""
        return list(self.state.events)

    def view(self, seat: int | None = None) -> SeatView:
        """What one seat may see, or a spectator: cards that are hidden from them have no face."""
        if seat is not None:
            self.net_of(seat)
        return SeatView(*msgspec.structs.astuple(self.state.view(seat)))

    @property
    def cards(self) -> list[str]:
        """The cards that were dealt, in order."""
        return [FACES[card] for card in self.state.dealt]

    @property
    def log(self) -> dict[str, Any]:
        """The round as `pairhouse settle` and `ChosenGame.settle` read it; an open round keeps its whole order."""
        cards = self.cards if self.is_over else [FACES[card] for card in self._order]
        log: dict[str, Any] = {
            "game": self.variant.game.id,
            "cards": cards,
            "seats": self.seats,
            "options": dict(self.variant.options),
            "choices": self.choices,
            "rules": self.variant.rules_hash,
        }
        if self.meter is not None:
            log["meter"] = {"amount": self.meter.amount, "reserve": self.meter.reserve}
        return log | ({"void": self.void} if self.void is not None else {})

    def __str__(self) -> str:
        return story(self.state)

    def __repr__(self) -> str:
        if self.state.awaiting is not None:
            waits = self.state.awaiting
            return f"<{self.variant.game.name}: seat {waits.seat} may {', '.join(waits.options)}>"
        return f"<{self.variant.game.name}: over, net {amount_text(self.net or 0)}>"
