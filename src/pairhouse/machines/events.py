"""What a round has come to: events in a dealer's order, bets, the awaited choice, and what each viewer may see.

The view is the log without the faces a viewer may not see. It is made here once for every game, so that no game can
leak a card.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NotRequired, TypedDict

import msgspec

from pairhouse.core.cards import Card, parse
from pairhouse.core.game import Variant
from pairhouse.core.meter import Meter
from pairhouse.core.verbs import Place

UP, DOWN, PRIVATE = "up", "down", "private"


class Event(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, rename={"kind": "event"}):
    """One act at the table: dealt, turned-up, peeked, split, said, offered, chosen, settled or void.

    `seat` and `hand` count from 1; `at` names a place of the house. Stakes and returns are minor units. A choice that
    costs something carries the wager it books and the stake. What is said carries the `key` of the phrase and the
    `numbers` in its gaps, so that it is said in another language without reading `text`.
    """

    kind: str
    at: str | None = None
    seat: int | None = None
    hand: int | None = None
    card: str | None = None
    face: str | None = None
    text: str | None = None
    options: list[str] | None = None
    choice: str | None = None
    wager: str | None = None
    stake: int | None = None
    returned: int | None = None
    row: str | None = None
    key: str | None = None
    numbers: tuple[int, ...] | None = None

    def seen_by(self, seat: int | None) -> "Event":
        """This event as a seat sees it; None is a bystander."""
        face = self.face
        hidden = face == DOWN or (face == PRIVATE and self.seat != seat)
        return msgspec.structs.replace(self, card=None) if hidden else self


def phrase_key(game: str, number: int) -> str:
    """The key of a phrase: its game, and its place in the game's list."""
    return f"{game}/says/{number}"


def settled(seat: int, hand: int, wager: str, stake: int, returned: int, row: str) -> Event:
    """A wager of a hand is paid or taken."""
    return Event("settled", None, seat, hand, None, None, None, None, None, wager, stake, returned, row)


class Bet(msgspec.Struct, gc=False):
    """A wager of a seat: everything risked on it, what came back so far, and the row each hand was paid by."""

    stake: int
    returned: int | None = None
    decided: int = 0
    rows: dict[int, str] = {}

    @property
    def row(self) -> str | None:
        """The rows of its hands from left to right, in whatever order they were settled."""
        rows = self.rows
        if len(rows) == 1:
            return next(iter(rows.values())) or None
        return ", ".join(rows[hand] for hand in sorted(rows)) or None

    def settle(self, hand: int, stake: int, returned: int, row: str) -> None:
        """One more part of the stake is decided (a split wager is decided hand by hand)."""
        self.returned = (self.returned or 0) + returned
        self.decided += stake
        self.rows[hand] = row

    def given_back(self, undecided: int) -> "Bet":
        """Void: this much of the stake goes back, and what was decided of the rest stays."""
        if undecided == self.stake:
            return Bet(self.stake, self.stake, self.stake, {0: "void"})
        rows = {**self.rows, max(self.rows) + 1: "void"}
        return Bet(self.stake, (self.returned or 0) + undecided, self.stake, rows)


class Awaiting(msgspec.Struct, frozen=True):
    """The choice the round waits for: whose it is, what is possible, what it costs, what the safety net says."""

    seat: int
    hand: int
    options: list[str]
    costs: dict[str, int]
    warnings: dict[str, str]
    situation: int


class BetRecord(TypedDict):
    """A bet for a program."""

    stake: int
    returned: int | None
    row: str | None


class AwaitingRecord(TypedDict):
    """The awaited choice for a program."""

    seat: int
    hand: int
    options: list[str]
    costs: NotRequired[dict[str, int]]
    warnings: NotRequired[dict[str, str]]


class Hand(msgspec.Struct, omit_defaults=True, gc=False):
    """The cards of one hand: a face, or null for a card this viewer may not see; named once all are seen."""

    cards: list[str | None]
    at: str | None = None
    seat: int | None = None
    hand: int | None = None
    name: str = ""


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one seat, or a bystander, may know of a round."""

    game: str
    seat: int | None
    hands: list[Hand]
    events: list[Event]
    wagers: list[dict[str, BetRecord]]
    awaiting: AwaitingRecord | None


class Replay(msgspec.Struct, frozen=True):
    """The state of a round, found from its log."""

    variant: Variant
    stakes: list[dict[str, int]]
    events: list[Event]
    bets: list[dict[str, Bet]]
    wagers: list[dict[str, BetRecord]]
    awaiting: Awaiting | None
    dealt: list[Card]
    happened: list[tuple[int, Any]]
    meter: Meter | None
    cards_at: dict[Place, list[Card]]
    staked: int
    returned: int

    @property
    def cards_used(self) -> int:
        return len(self.dealt)

    @property
    def is_over(self) -> bool:
        return self.awaiting is None

    def net(self, seat: int) -> int | None:
        """Returned minus staked over a seat (from 1), once the round is over."""
        if not self.is_over:
            return None
        return sum((bet.returned or 0) - bet.stake for bet in self.bets[seat - 1].values())

    def last_decided(self) -> tuple[int, int]:
        """What was decided since the last choice, or by the void: stakes, and what came back of them."""
        stakes = returned = 0
        for event in reversed(self.events):
            if event.kind == "settled":
                stakes += event.stake or 0
                returned += event.returned or 0
            elif event.kind in ("chosen", "void"):
                break
        return stakes, returned

    def view(self, seat: int | None = None) -> View:
        """The round as a seat may see it, or a bystander: the log without the faces that are hidden from them."""
        seen = [event if event.face is None or event.face == UP else event.seen_by(seat) for event in self.events]
        return View(
            self.variant.game.id,
            seat,
            hands_of(seen, self.variant),
            seen,
            self.wagers,
            awaiting_record(self.awaiting),
        )

    def record(self) -> dict[str, Any]:
        """The whole round for a program: bets, net, what is awaited, and every event with every face."""
        seats = [{"wagers": wagers, "net": self.net(number)} for number, wagers in enumerate(self.wagers, 1)]
        record: dict[str, Any] = {"seats": seats, "awaiting": awaiting_record(self.awaiting), "events": self.events}
        if self.meter is not None:
            record["meter"] = {"amount": self.meter.amount, "reserve": self.meter.reserve}
        return record


def hands_of(seen: list[Event], variant: Variant) -> list[Hand]:
    """The cards on the table, put together again from the events a viewer has seen: the house's, then each seat's."""
    house: dict[str, list[str | None]] = {}
    seats: dict[int, list[list[str | None]]] = {}
    for event in seen:
        kind = event.kind
        if kind not in ("dealt", "turned-up", "split"):
            continue
        if event.at is not None:
            cards = house.setdefault(event.at, [])
        elif event.seat is not None and event.hand is not None:
            hands = seats.setdefault(event.seat, [[]])
            cards = hands[event.hand - 1]
            if kind == "split":
                hands.insert(event.hand, [cards.pop()])
        if kind == "dealt":
            cards.append(event.card)
        elif kind == "turned-up" and None in cards:
            cards[cards.index(None)] = event.card
    call = variant.game.name_hand
    return [
        *[Hand(cards, at, None, None, _called(call, tuple(cards))) for at, cards in house.items()],
        *[
            Hand(cards, None, seat, number, _called(call, tuple(cards)))
            for seat in sorted(seats)
            for number, cards in enumerate(seats[seat], 1)
        ],
    ]


@lru_cache(maxsize=4096)
def _called(name_hand: Callable[[list[Card]], str], faces: tuple[Any, ...]) -> str:
    """What a hand is called once all of it is seen."""
    return "" if None in faces else name_hand(parse(faces))


def bet_record(bet: Bet) -> BetRecord:
    """A bet for a program; what came back is null until the whole bet is decided."""
    if bet.returned is None or bet.decided != bet.stake:
        return {"stake": bet.stake, "returned": None, "row": None}
    return {"stake": bet.stake, "returned": bet.returned, "row": bet.row}


def awaiting_record(awaiting: Awaiting | None) -> AwaitingRecord | None:
    """The awaited choice for a program; costs and warnings only where there are any."""
    if awaiting is None:
        return None
    record: AwaitingRecord = {"seat": awaiting.seat, "hand": awaiting.hand, "options": awaiting.options}
    if awaiting.costs:
        record["costs"] = awaiting.costs
    if awaiting.warnings:
        record["warnings"] = awaiting.warnings
    return record
