"""Live play: a round is its log, and its state is found by replaying the log from the start.

One function serves play, resume, recall, dispute and verification: `replay` runs the game's own `play` over the order
of the cards and the choices made so far, and gives the events, any seat's view, and what is awaited or settled.
"""

from collections.abc import MutableSequence, Sequence
from functools import lru_cache
from typing import Any

from pairhouse.core.cards import FACES, Card, Rank, check_from, rank
from pairhouse.core.errors import Refused, Undecided, one_of, shown
from pairhouse.core.game import VOID_REASONS, AcceptedSeats, Action, Stakes, Variant
from pairhouse.core.meter import Meter
from pairhouse.core.paytable import Wager
from pairhouse.core.settlement import settlement, stake_of
from pairhouse.core.verbs import EVERY_SEAT, FELT_ROWS, HANDS_PER_SEAT, PLACES, Place, Seat
from pairhouse.machines.events import DOWN, PRIVATE, UP, Awaiting, Bet, Event, Replay, bet_record, phrase_key, settled


class _Paused(Exception):
    """The log does not answer the next question."""


def replay(
    variant: Variant,
    cards: Sequence[Card],
    seats: Sequence[Stakes],
    choices: Sequence[str] = (),
    *,
    meter: Meter | None = None,
    void: str | None = None,
) -> Replay:
    """Play a round from its log. Whatever the log cannot be is refused, and nothing is half done."""
    check_from(cards, *variant.pack)
    stakes = seats if isinstance(seats, AcceptedSeats) else variant.accept(seats)
    table = ReplayTable(variant, cards, stakes, choices, meter or variant.game.meter(variant.options))
    if void is not None and void not in VOID_REASONS:
        raise Refused("bad-void", f"{shown(void)} does not void a round; it can be {one_of(VOID_REASONS)}")
    is_finished = _is_finished(table, may_stop=void is not None)
    if is_finished:
        _check_all_asked(table)
        table.close()
    if void is not None:
        table.void(void, keeps_decided=variant.pays_when_decided and not is_finished)
    return table.outcome()


def _is_finished(table: "ReplayTable", may_stop: bool) -> bool:
    """Whether the log plays the round to its end; a log that runs out of cards is refused, unless it may stop there."""
    try:
        table.variant.game.play(table, table.variant.rules)
    except _Paused:
        return False
    except Refused as refused:
        if not may_stop or refused.code != "too-few-cards":
            raise
        return False
    return True


def _check_all_asked(table: "ReplayTable") -> None:
    """Every choice in the log was asked for."""
    if table.choices_used < len(table.choices):
        count = table.choices_used
        made = f"the round was over after {count} choice{'s' * (count != 1)}"
        raise Refused("spare-choices", f"{made}; {one_of(table.choices[count:])} was not asked for")


@lru_cache(maxsize=4096)
def _decided_by(variant: Variant, staked: tuple[str, ...]) -> dict[type, list[Wager]]:
    """The wagers that each kind of happening decides, of those a seat has staked on and those that follow from them."""
    found = {}
    for happening, wagers in variant.decided_by.items():
        found[happening] = [wager for wager in wagers if (wager.base or wager.id) in staked]
    return found


@lru_cache(maxsize=4096)
def _said(game: str, number: int, phrase: str, *numbers: int) -> tuple[str, str, tuple[int, ...] | None]:
    """A phrase as it is said with its numbers, its key, and as many of the numbers as it has gaps for."""
    gaps = max((at for at in range(1, len(numbers) + 1) if f"{{{at - 1}}}" in phrase), default=0)
    return phrase.format(*numbers), phrase_key(game, number), numbers[:gaps] or None


@lru_cache(maxsize=64)
def _where(house: tuple[str, ...]) -> dict[Place, tuple[str | None, Seat | None, int | None]]:
    """How an event names each place: what it is `at` for the house's own, `seat` and `hand` for all others."""
    places: dict[Place, tuple[str | None, Seat | None, int | None]] = {}
    for place in range(HANDS_PER_SEAT, PLACES):
        seat, hand = divmod(place, HANDS_PER_SEAT)
        places[place] = (None, seat, hand + 1)
    return {**places, **{place: (name, None, None) for place, name in enumerate(house)}}


class ReplayTable:
    """The table of live play: cards in their committed order, answers from the log, every act recorded."""

    def __init__(
        self,
        variant: Variant,
        cards: Sequence[Card],
        stakes: list[dict[str, int]],
        choices: Sequence[str],
        meter: Meter | None,
    ) -> None:
        self.variant = variant
        self.choices = choices
        self.choices_used = 0
        self.dealt: list[Card] = []
        self.events: list[Event] = []
        self.cards_at: dict[Place, list[Card]] = {}
        self.bets = [{name: Bet(stake) for name, stake in seat.items()} for seat in stakes]
        self.happened: list[tuple[Seat, Any]] = []
        self.awaiting: Awaiting | None = None
        self.meter_before = self.meter = meter
        self._stakes = stakes
        self._next_card = iter(cards).__next__
        self._where = _where(variant.game.places)
        self._decided_by = [_decided_by(variant, tuple(seat)) for seat in stakes]
        self._felt: list[list[int]] = []
        self._feed_meter()

    def _feed_meter(self) -> None:
        if self.meter is None:
            return
        for seat in self._stakes:
            for name, stake in seat.items():
                if self.variant.wagers[name].fixed is not None:
                    self.meter = self.meter.fed(stake)

    # The verbs of the rule book.

    def seats(self) -> int:
        return len(self._stakes)

    def felt(self, row: int) -> MutableSequence[int]:
        if not self._felt:
            self._felt = [[0] * PLACES for _ in range(FELT_ROWS)]
        return self._felt[row]

    def draw(self, place: Place) -> Card:
        return self._deal(place, UP)

    def draw_private(self, place: Place) -> Card:
        return self._deal(place, PRIVATE)

    def draw_down(self, place: Place) -> Card:
        return self._deal(place, DOWN)

    def turn_up(self, place: Place, hidden: Card) -> Card:
        at, seat, hand = self._where[place]
        self.events.append(Event("turned-up", at, seat, hand, FACES[hidden]))
        return hidden

    def show(self, place: Place) -> None:
        for card in self.cards_at[place]:
            self._record("turned-up", place, card=FACES[card])

    def peek(self, place: Place, hidden: Card, lowest: Rank, highest: Rank) -> bool:
        self._record("peeked", place)
        return lowest <= rank(hidden) <= highest

    def split(self, place: Place) -> None:
        last = place - place % HANDS_PER_SEAT + HANDS_PER_SEAT - 1
        for at in range(last, place + 1, -1):
            self.cards_at[at] = self.cards_at.get(at - 1, [])
        moved = self.cards_at[place].pop()
        self.cards_at[place + 1] = [moved]
        self._record("split", place, card=FACES[moved])

    def say(self, place: Place, phrase: int, first: int, second: int) -> None:
        at, seat, hand = self._where[place]
        game = self.variant.game
        text, key, numbers = _said(game.id, phrase, game.phrases[phrase], first, second)
        self.events.append(Event("said", at, seat, hand, text=text, key=key, numbers=numbers))

    def choose(self, place: Place, legal: int, situation: int) -> int:
        actions = self.variant.game.actions
        offered = {action.name: 1 << bit for bit, action in enumerate(actions) if legal >> bit & 1}
        self._record("offered", place, options=list(offered))
        if self.choices_used == len(self.choices):
            self.awaiting = self._awaits(place, list(offered), situation)
            raise _Paused
        word = self.choices[self.choices_used]
        if word not in offered:
            seat, hand = divmod(place, HANDS_PER_SEAT)
            where = (
                f"choice {self.choices_used + 1} is {word!r}, which seat {seat} cannot choose on hand {hand + 1} now"
            )
            raise Refused("illegal-choice", f"{where}; choose {one_of(offered)}")
        self.choices_used += 1
        action = next(action for action in actions if action.name == word)
        cost = self._take_stake(place // HANDS_PER_SEAT, action)
        self._record("chosen", place, choice=word, wager=action.wager, stake=cost or None)
        return offered[word]

    def settle(self, place: Place, happened: Any) -> None:
        seat, hand = divmod(place, HANDS_PER_SEAT)
        self.happened.append((seat, happened))
        kind: Any = type(happened)
        for at in range(1, len(self._stakes) + 1) if place == EVERY_SEAT else (seat,):
            for wager in self._decided_by[at - 1].get(kind, ()):
                self._settle(at, hand, wager, happened)

    # What the verbs are made of.

    def _record(self, kind: str, place: Place, **what: Any) -> None:
        at, seat, hand = self._where[place]
        self.events.append(Event(kind, at, seat, hand, **what))

    def _deal(self, place: Place, face: str) -> Card:
        at, seat, hand = self._where[place]
        try:
            card = self._next_card()
        except StopIteration:
            given, where = len(self.dealt), at or f"seat {seat}"
            sentence = f"the round needs more than the {given} cards given; the next would go to {where}"
            raise Refused("too-few-cards", sentence) from None
        self.dealt.append(card)
        lying = self.cards_at.get(place)
        if lying is None:
            self.cards_at[place] = [card]
        else:
            lying.append(card)
        self.events.append(Event("dealt", at, seat, hand, FACES[card], face))
        return card

    def _cost(self, seat: Seat, action: Action) -> int:
        if action.wager is None:
            return 0
        base = self._stakes[seat - 1][action.base]
        return stake_of(self.variant.wagers[action.wager], base, self.variant.rounding)

    def _take_stake(self, seat: Seat, action: Action) -> int:
        cost = self._cost(seat, action)
        if action.wager is not None:
            self._bet(seat, action.wager).stake += cost
        return cost

    def _bet(self, seat: Seat, wager: str) -> Bet:
        """What a seat has on a wager; a bet of nothing if that is new."""
        bets = self.bets[seat - 1]
        bet = bets.get(wager)
        if bet is None:
            bet = bets[wager] = Bet(0)
        return bet

    def _awaits(self, place: Place, names: list[str], situation: int) -> Awaiting:
        seat, hand = divmod(place, HANDS_PER_SEAT)
        game = self.variant.game
        costs = {a.name: self._cost(seat, a) for a in game.actions if a.name in names and a.wager is not None}
        warnings = {name: text for name in names if (text := game.warn(name, self.cards_at.get(place, [])))}
        return Awaiting(seat, hand + 1, names, costs, warnings, situation)

    def _settle(self, seat: Seat, hand: int, wager: Wager, happened: Any) -> None:
        base = self._stakes[seat - 1][wager.base or wager.id]
        found = settlement(wager, happened, base, self.variant.rounding, self.meter)
        if found is None:
            return
        stake, returned, row = found.stake, found.returned, found.row.name
        self.meter = found.meter  # seats win of it in the order they are settled [TCP-35]
        self._bet(seat, wager.id).settle(hand, stake, returned, row)
        self.events.append(settled(seat, hand + 1, wager.id, stake, returned, row))

    def close(self) -> None:
        """Every stake that was taken has been decided, once: otherwise the rule book is broken, and the table stops."""
        for number, seat in enumerate(self.bets, 1):
            for name, bet in seat.items():
                if bet.decided != bet.stake or bet.returned is None:
                    sentence = f"seat {number}: {bet.stake} staked on {name}, but {bet.decided} decided"
                    raise Undecided(self.variant.game.module, sentence)

    def void(self, reason: str, *, keeps_decided: bool) -> None:
        """Stakes go back: every one made so far, or where decided wagers are paid at once, all that is not decided.

        [TCP-40] [NSB-38] [LP-41] [BPP-50] [BJ-31] [PV3-18]
        """
        self.awaiting = None
        self.meter = self.meter_before
        kept = keeps_decided and any(bet.decided for seat in self.bets for bet in seat.values())
        which = "Every stake that was not decided yet" if kept else "Every stake"
        self.events.append(Event("void", text=f"The round is void: {reason}. {which} is returned."))
        for number, seat in enumerate(self.bets, 1):
            for name, bet in list(seat.items()):
                back = bet.stake - bet.decided if keeps_decided else bet.stake
                seat[name] = bet.given_back(back) if back or not keeps_decided else bet
                if back:
                    self.events.append(settled(number, 1, name, back, back, "void"))
        self.bets = [{name: bet for name, bet in seat.items() if bet.stake or bet.returned} for seat in self.bets]

    def outcome(self) -> Replay:
        """What the log has come to."""
        staked = returned = 0
        wagers = []
        for bets in self.bets:
            for bet in bets.values():
                staked += bet.stake
                returned += bet.returned or 0
            wagers.append({name: bet_record(bet) for name, bet in bets.items()})
        return Replay(
            self.variant,
            self._stakes,
            self.events,
            self.bets,
            wagers,
            self.awaiting,
            self.dealt,
            self.happened,
            self.meter,
            self.cards_at,
            staked,
            returned,
        )
