"""A live table without a house: its cards, its entries, a clock that stands still, and people who try everything."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import msgspec

from pairhouse.core.cards import pack
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find
from pairhouse.rounds.live_entries import AnyEntry, BettingClosed, CardsDealt, RoundOpened
from pairhouse.rounds.live_round import CLOSED, PLAYING, LiveRound, LiveSettings
from pairhouse.rounds.shared_seeds import seed_commitment
from pairhouse.rounds.table_limits import BettingTable

CLOCK = LiveSettings(seats=7)
ANY_NUMBER = LiveSettings(seats=None)
STAKES = {
    "three-card-poker": {"ante": 1000, "pairplus": 500},
    "pair-v3": {"main": 1000, "pair": 500},
    "nepal-super-baccarat": {"player": 1000, "tie": 100},
    "la-paire": {"card-7": 500, "red": 1000},
}


class LiveTable:
    """A live table with its cards and a clock that stands still; every entry is written down and read back."""

    def __init__(self, game: str, clock: LiveSettings = CLOCK, seed: int = 1) -> None:
        self.game = game
        self.now = 1_000_000
        self.betting = BettingTable(find(game).variant())
        self.cards = list(pack(*self.betting.variant.pack))
        Random(seed).shuffle(self.cards)
        self.clock = clock
        self.entries: list[AnyEntry] = []
        self.round = LiveRound(self.betting, clock)
        self.write(RoundOpened(at=self.now, round_id="r", commitment="c" * 64))

    def write(self, entry: AnyEntry) -> AnyEntry:
        text = msgspec.json.encode(entry)
        read: AnyEntry = msgspec.json.decode(text, type=AnyEntry)
        assert read == entry
        self.entries.append(read)
        self.round.add(read)
        return read

    def bet(self, seat: int, **more: Any) -> AnyEntry:
        stakes = more.pop("stakes", STAKES[self.game])
        return self.write(self.round.bet(self.now, seat, f"player {seat}", stakes, seed_commitment(f"seed {seat}")))

    def open_seeds(self, *seats: int) -> None:
        for seat in seats:
            self.write(self.round.open_seed(self.now, seat, f"seed {seat}"))

    @property
    def state(self) -> Any:
        return self.round.state(self.cards)

    def deal_on(self) -> AnyEntry | None:
        """Whatever the dealer has to do now."""
        entry = self.round.next_entry(self.now, self.state if self.round.phase == PLAYING else None, "s" * 64)
        return self.write(entry) if entry is not None else None

    def to_cards(self, *seats: int) -> None:
        for seat in seats:
            self.bet(seat)
            self.write(self.round.say_ready(self.now, seat))
        assert isinstance(self.deal_on(), BettingClosed)
        self.open_seeds(*seats)
        assert isinstance(self.deal_on(), CardsDealt)


def act(table: LiveTable, picks: Random) -> None:
    """Somebody does something, sensible or not, at some moment."""
    seat = picks.randint(0, 9)
    round_, now = table.round, table.now
    state = table.state if round_.phase == PLAYING else None
    words = ["play", "fold", "stand", "hit", "double", "split", "no-insurance", "insurance", "jump"]
    deeds: list[Callable[[], AnyEntry]] = [
        lambda: round_.bet(now, seat, "x", STAKES[table.game], seed_commitment(f"seed {seat}")),
        lambda: round_.take_back(now, seat),
        lambda: round_.say_ready(now, seat),
        lambda: round_.open_seed(now, seat, f"seed {seat + picks.randint(0, 1)}"),
        lambda: round_.choose(now, seat, len(round_.choices) - picks.randint(0, 1), picks.choice(words), state),
    ]
    if picks.random() < 0.01:
        deeds = [lambda: round_.void(now, "anna", "malfunction")]
    table.write(picks.choice(deeds)())


def play_at_random(table: LiveTable, picks: Random) -> Iterator[None]:
    """Play one round with whatever people try and however the clock runs, pausing after each step."""
    table.bet(1)
    for _ in range(2000):
        if table.round.phase == CLOSED:
            return
        with suppress(Refused):
            act(table, picks)
        if not table.round.bets:
            table.bet(1)
        if picks.random() < 0.3:
            table.now += picks.randint(0, 9_000)
            table.deal_on()
        yield
