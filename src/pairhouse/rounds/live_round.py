"""A round of several people at one table: its state, found by reading its entries, and which entry may come next.

The clock decides nothing by itself. What it brings about is an entry like any other, so that the same entries give the
same round in every process, today and in a year.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from pairhouse.core.cards import Card
from pairhouse.core.errors import Refused, one_of
from pairhouse.core.game import Variant
from pairhouse.core.money import amount_text
from pairhouse.machines.events import Awaiting, Replay
from pairhouse.machines.replay import replay
from pairhouse.rounds.fairness import Order, OrderLeft, WordStream
from pairhouse.rounds.live_entries import (
    AnyEntry,
    BetPlaced,
    BetTakenBack,
    BettingClosed,
    CardExposed,
    CardsDealt,
    CardTurned,
    ChoiceMade,
    RoundClosed,
    RoundCorrected,
    RoundOpened,
    RoundVoided,
    SeatLeft,
    SeatReady,
    SeatTaken,
    SeedOpened,
)
from pairhouse.rounds.live_pace import HAND_MS, can_be_turned, turned_so_far
from pairhouse.rounds.live_shoe import order_from
from pairhouse.rounds.round_log import meter_at
from pairhouse.rounds.shared_seeds import SharedSeed, check_commitment_text, check_opened, mixed_seeds
from pairhouse.rounds.table_limits import BettingTable

_FIELDS: dict[type, str] = {  # entries that a round has once
    RoundOpened: "opened",
    BettingClosed: "betting_closed",
    CardsDealt: "dealt",
    RoundVoided: "voided",
    RoundClosed: "closed",
}
BETTING, SEEDS, PLAYING, CLOSED = "betting", "seeds", "playing", "closed"


class LiveSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The clock of a live table, in milliseconds, and its seats (None: any number of people may bet).

    `grace` is added to the time for a decision before it is made for somebody, for answers still on their way. With
    `by_hand` a supervisor closes the betting and turns the cards.
    """

    seats: int | None
    betting: int = 20_000
    seeds: int = 3_000
    decision: int = 25_000
    grace: int = 2_000
    pause: int = 4_000
    by_hand: bool = False


def check_seats(variant: Variant, settings: LiveSettings) -> None:
    """Refuse seats that a game cannot have: any number where somebody decides, or more than its rule book knows.

    A game that is paid at its end is one player's. [TCP-6] [PV3-5] [BJ-4] [NSB-12] [LP-17] [BPP-51]
    """
    if variant.game.paid_at_end:
        raise Refused(
            "bad-seats", f"{variant.game.name} is a game of one player, paid at its end; it has no live table"
        )
    if settings.seats is None and variant.game.actions:
        raise Refused(
            "bad-seats", f"at {variant.game.name} players decide; give it 1 to {variant.game.seats_max} seats"
        )
    if settings.seats is not None and settings.seats > variant.game.seats_max:
        sentence = f"{settings.seats} seats were given; {variant.game.name} takes 1 to {variant.game.seats_max}"
        raise Refused("bad-seats", sentence)


@dataclass
class LiveRound:
    """What the entries of a round have come to. Its methods check what somebody wants and make the entry for it.

    Betting closes early when everybody who sits at the table has said that they are ready.
    """

    table: BettingTable
    settings: LiveSettings
    seated: frozenset[int] | None = frozenset()  # who sits at the table, for whom the others wait; None: for the clock
    opened: RoundOpened | None = None
    bets: dict[int, BetPlaced] = field(default_factory=dict)
    ready: set[int] = field(default_factory=set)
    seeds: dict[int, SharedSeed] = field(default_factory=dict)
    betting_closed: BettingClosed | None = None
    dealt: CardsDealt | None = None
    turned: list[CardTurned] = field(default_factory=list)
    choices: list[ChoiceMade] = field(default_factory=list)
    exposed: list[CardExposed] = field(default_factory=list)
    voided: RoundVoided | None = None
    closed: RoundClosed | None = None
    seeds_opened: int = 0
    totals: dict[str, int] = field(default_factory=dict)  # what lies on each wager, of all together

    @classmethod
    def read(cls, table: BettingTable, settings: LiveSettings, entries: Iterable[AnyEntry]) -> "LiveRound":
        """The round that these entries have come to."""
        found = cls(table, settings)
        for entry in entries:
            found.add(entry)
        return found

    def copy(self) -> "LiveRound":
        """The same round, to see what one more entry would make of it."""
        return replace(
            self,
            bets=dict(self.bets),
            ready=set(self.ready),
            seeds=dict(self.seeds),
            turned=list(self.turned),
            choices=list(self.choices),
            totals=dict(self.totals),
            exposed=list(self.exposed),
        )

    def add(self, entry: AnyEntry) -> None:
        """One more entry, which was checked when it was made."""
        match entry:
            case BetPlaced() | BetTakenBack() | SeatReady():
                self._add_to_betting(entry)
            case SeatTaken() | SeatLeft():
                pass  # who sits where concerns the table; the round has the seats that bet
            case SeedOpened():
                self.seeds[entry.seat] = check_opened(self.seeds[entry.seat], entry.seed)
                self.seeds_opened += 1
            case CardTurned():
                self.turned.append(entry)
            case ChoiceMade():
                self.choices.append(entry)
            case CardExposed():
                self.exposed.append(entry)
            case RoundCorrected():  # it tells of an earlier round
                pass
            case _:
                setattr(self, _FIELDS[type(entry)], entry)

    def _add_to_betting(self, entry: BetPlaced | BetTakenBack | SeatReady) -> None:
        self.ready.discard(entry.seat)
        if not isinstance(entry, SeatReady) and entry.seat in self.bets:
            self._count(self.bets[entry.seat], -1)
        match entry:
            case BetPlaced():
                self._count(entry, 1)
                self.bets[entry.seat] = entry
                self.seeds[entry.seat] = SharedSeed(entry.seat, entry.seed)
            case BetTakenBack():
                del self.bets[entry.seat], self.seeds[entry.seat]
            case SeatReady():
                self.ready.add(entry.seat)

    def _count(self, bet: BetPlaced, sign: int) -> None:
        for wager, stake in bet.stakes.items():
            self.totals[wager] = self.totals.get(wager, 0) + sign * stake
            if not self.totals[wager]:
                del self.totals[wager]

    @property
    def by_hand(self) -> bool:
        """Whether a supervisor closes the betting and turns the cards of this round."""
        return self.opened is not None and self.opened.by_hand

    @property
    def phase(self) -> str:
        """What the table does now: takes bets, waits for seeds, plays, or is done."""
        if self.closed is not None or self.voided is not None:
            return CLOSED
        if self.betting_closed is None:
            return BETTING
        return SEEDS if self.dealt is None else PLAYING

    @property
    def seats(self) -> list[int]:
        """The seats that have bet, in the order they are dealt to: from seat 1 upwards. [TCP-42] [PV3-21] [BJ-33]"""
        return sorted(self.bets)

    @property
    def closes_at(self) -> int | None:
        """When betting closes, once somebody has bet. Every bet says the same."""
        return next(iter(self.bets.values())).closes_at if self.bets else None

    @property
    def decide_by(self) -> int | None:
        """Until when the question that is open waits."""
        if self.choices:
            return self.choices[-1].decide_by
        return self.dealt.decide_by if self.dealt is not None else None

    @property
    def client_seeds(self) -> list[str]:
        """What is mixed with the house's seed."""
        return mixed_seeds(list(self.seeds.values()))

    @property
    def replayed_seats(self) -> list[int]:
        """The seats that the rule book plays; where any number of people bet, others are paid from the same cards."""
        return self.seats[: self.table.variant.game.seats_max]

    def order(self, server_seed: bytes, rules_hash: str) -> Order | OrderLeft:
        """The cards of the round: of a whole pack, or of what its shoe still holds, shuffled with everybody's seeds."""
        variant = self.table.variant
        stream = WordStream(server_seed, variant.game.id, rules_hash, self.client_seeds, 0)
        return order_from(stream, variant, self.opened.shoe if self.opened is not None else None)

    def state(self, cards: Sequence[Card]) -> Replay:
        """The cards, questions and payments so far; seats are numbered from 1 in the order of `replayed_seats`.

        What a progressive awards is that of the new meter until the round is closed and says what it showed.
        """
        words = [choice.word for choice in self.choices]
        stakes = [self.bets[seat].stakes for seat in self.replayed_seats]
        variant = self.table.variant
        reading = self.closed.meter if self.closed is not None else None
        return self.shown(replay(variant, cards, stakes, words, meter=meter_at(variant, reading)))

    def shown(self, state: Replay) -> Replay:
        """As much of a round as has happened: where cards are turned by hand, what is turned so far."""
        if not self.by_hand or not can_be_turned(self.table.variant):
            return state
        return turned_so_far(state, len(self.turned))

    def asked(self, state: Replay) -> tuple[int, Awaiting] | None:
        """Whose turn it is, by the number of the seat at the table, and what is asked."""
        if state.awaiting is None:
            return None
        return self.seats[state.awaiting.seat - 1], state.awaiting

    # What people want.

    def bet(
        self, now: int, seat: int, name: str, stakes: Mapping[str, int], seed: str, chips: tuple[int, int] = (0, 0)
    ) -> BetPlaced:
        """A bet, or a changed one. Refused when betting is closed, or when the table does not take it."""
        self._check_betting(now)
        self._check_seat(seat)
        accepted = self.table.accept([stakes])[0]
        self._check_totals(seat, accepted)
        closes_at = self.closes_at if self.bets else None
        betting = HAND_MS if self.by_hand else self.settings.betting
        return BetPlaced(
            at=now,
            seat=seat,
            name=name,
            stakes=accepted,
            seed=check_commitment_text(seed),
            closes_at=closes_at if closes_at is not None else max(now + betting, self.not_before),
            colour=chips[0],
            chip=chips[1],
        )

    def take_back(self, now: int, seat: int) -> BetTakenBack:
        """The bet of a seat goes back to it, until betting closes."""
        self._check_betting(now)
        self._check_bet(seat)
        return BetTakenBack(at=now, seat=seat)

    def say_ready(self, now: int, seat: int) -> SeatReady:
        """A seat waits for nothing more."""
        self._check_betting(now)
        self._check_bet(seat)
        return SeatReady(at=now, seat=seat)

    def open_seed(self, now: int, seat: int, seed: str) -> SeedOpened:
        """The seed of a seat, once there are no more bets and before the deal."""
        if self.phase != SEEDS:
            raise Refused("bad-seed", "seeds are opened after no more bets and before the cards")
        self._check_bet(seat)
        if self.seeds[seat].seed is not None:
            raise Refused("bad-seed", "the seed of this seat is open already")
        check_opened(self.seeds[seat], seed)
        return SeedOpened(at=now, seat=seat, seed=seed)

    def choose(self, now: int, seat: int, number: int, word: str, state: Replay | None) -> ChoiceMade:
        """A decision, at its turn. `number` is how many were made before it."""
        asked = self.asked(state) if state is not None and self.phase == PLAYING else None
        if asked is None:
            raise Refused("round-closed", "nothing is being asked at this table")
        turn, question = asked
        if turn != seat or number != len(self.choices):
            raise Refused("out-of-turn", f"it is the turn of seat {turn}, and {len(self.choices)} choices were made")
        if word not in question.options:
            raise Refused("illegal-choice", f"seat {seat} cannot choose that now; choose {one_of(question.options)}")
        return self._choice(now, seat, word)

    # What the dealer does.

    @property
    def not_before(self) -> int:
        """Until when the pace of the table keeps betting open, whoever is ready."""
        return self.opened.not_before if self.opened is not None else 0

    def due_at(self, state: Replay | None) -> int | None:
        """When the dealer has something to do: at once (0), at a time, or not before somebody acts (None).

        Betting closes by the clock, or when everybody who sits there is ready. [NSB-39] [LP-43]
        """
        if self.phase == BETTING:
            if not self.bets:
                return None
            is_waited_for = self.seated is None or not self.ready >= self.seated  # only who has bet is ready
            if self.by_hand or is_waited_for or len(self.ready) < len(self.bets):
                return self.closes_at
            return self.not_before
        if self.phase == SEEDS:
            assert self.betting_closed is not None
            return self.betting_closed.seeds_until if self.seeds_opened < len(self.seeds) else 0
        if self.phase == PLAYING:
            assert state is not None
            if state.is_over:
                return 0
            if state.awaiting is None:  # a card waits to be turned by hand
                return self._last_turned_at + HAND_MS
            return None if self.decide_by is None else self.decide_by + self.settings.grace
        return None

    def next_entry(self, now: int, state: Replay | None, server_seed: str = "") -> AnyEntry | None:
        """What the dealer writes down now; None if it is not time.

        For who does not decide in time it is what costs nothing and gives nothing back. [TCP-41] [PV3-19] [BJ-32]
        """
        due = self.due_at(state)
        if due is None or now < due:
            return None
        if self.phase == BETTING:
            return BettingClosed(at=now, seeds_until=now + self.settings.seeds)
        if self.phase == SEEDS:
            return CardsDealt(at=now, decide_by=now + self.settings.decision)
        assert state is not None
        if state.is_over:
            return RoundClosed(at=now, server_seed=server_seed)
        asked = self.asked(state)
        if asked is None:
            return CardTurned(at=now)
        seat, question = asked
        return self._choice(now, seat, self.table.variant.automatic_choice(question.options), automatic=True)

    @property
    def _last_turned_at(self) -> int:
        last = self.turned[-1] if self.turned else self.dealt
        return last.at if last is not None else 0

    # What the supervisor does.

    def turn(self, now: int, by: str, state: Replay | None) -> CardTurned:
        """Turn the next card up, at a table paced by hand. [LP-45] [NSB-43]"""
        if self.phase != PLAYING or state is None or state.is_over or state.awaiting is not None:
            raise Refused("no-card", "no card waits to be turned at this table")
        return CardTurned(at=now, by=by)

    def void(self, now: int, by: str, reason: str, cards: int | None = None) -> RoundVoided:
        """Call the whole round off; at a misdeal with the wrong number of cards.

        [TCP-43] [PV3-22] [BJ-34] [NSB-44] [LP-44]
        """
        if self.phase == CLOSED:
            raise Refused("round-closed", "the round is closed; what is closed stays, and a correction is a new entry")
        self._check_count(reason, cards)
        if self.opened is None:
            raise Refused("round-closed", "no round has been opened at this table yet, so there is nothing to call off")
        return RoundVoided(at=now, by=by, reason=reason, cards=cards)

    def expose(self, now: int, by: str, card: int, state: Replay, reason: str = "") -> CardExposed:
        """Mark a card that was seen by accident; it becomes public, and the round goes on. [TCP-39] [TCP-43]"""
        dealt = sum(event.kind == "dealt" for event in state.events)
        if self.phase != PLAYING or not 1 <= card <= dealt:
            raise Refused("bad-card", f"card {card} does not lie on the table; {dealt} are dealt")
        return CardExposed(at=now, by=by, card=card, reason=reason)

    # Checks.

    def _choice(self, now: int, seat: int, word: str, *, automatic: bool = False) -> ChoiceMade:
        decide_by = now + self.settings.decision
        return ChoiceMade(at=now, seat=seat, word=word, automatic=automatic, decide_by=decide_by)

    def _check_count(self, reason: str, cards: int | None) -> None:
        """A misdeal names how many cards a hand had: at least one, and no more than the pack has."""
        if reason != "misdeal" and cards is None:
            return
        if reason != "misdeal":
            raise Refused("bad-count", f"a number of cards was given ({cards}); only a misdeal has one")
        decks, jokers = self.table.variant.pack
        most = decks * (52 + jokers)
        if cards is None or not 1 <= cards <= most:
            given = f"a misdeal names how many cards a hand had, 1 to {most}"
            raise Refused("bad-count", f"{given}; {'none' if cards is None else cards} was given")

    def _check_betting(self, now: int) -> None:
        closes_at = self.closes_at
        if self.phase != BETTING or (closes_at is not None and now >= closes_at):
            raise Refused("no-more-bets", "no more bets: betting is closed for this round; the next one opens soon")

    def _check_totals(self, seat: int, stakes: Mapping[str, int]) -> None:
        """Refuse what is too much together with the bets of all others: counters share what they can win. [NSB-42]"""
        if self.opened is None or self.opened.shoe is None:
            return
        mine = self.bets[seat].stakes if seat in self.bets else {}
        for wager, stake in stakes.items():
            most = self.table.limits.most_of_all(wager)
            left = most - self.totals.get(wager, 0) + mine.get(wager, 0)
            if stake > left:
                sentence = f"all bettors together may have {amount_text(most)} on {wager} in one coup at this table"
                raise Refused("over-limit", f"{sentence}, and {amount_text(left)} is left of it; bet less on it")

    def _check_seat(self, seat: int) -> None:
        most = self.settings.seats
        if seat < 1 or (most is not None and seat > most):
            raise Refused("bad-seats", f"seat {seat} is not at this table; it has {most}")

    def _check_bet(self, seat: int) -> None:
        if seat not in self.bets:
            raise Refused("no-bets", f"seat {seat} has no bet in this round")
