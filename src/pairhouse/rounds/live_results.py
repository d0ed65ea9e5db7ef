"""What each seat of a live round has won so far.

A rule book plays a few seats. Where any number of people bet, the cards do not depend on how many they are, so every
further slip is settled from the cards that were dealt; people who bet the same are worked out once.
"""

from pairhouse.machines.events import Bet, BetRecord, Event, Replay
from pairhouse.machines.replay import replay
from pairhouse.rounds.live_round import LiveRound


class LiveResults:
    """The results of a live round, seat by seat."""

    def __init__(self, live: LiveRound, state: Replay) -> None:
        self.live = live
        self.state = state
        self._places = {seat: place for place, seat in enumerate(live.replayed_seats)}
        self._slips: dict[tuple[tuple[str, int], ...], Replay] = {}

    def is_replayed(self, seat: int) -> bool:
        """Whether the rule book plays this seat."""
        return seat in self._places

    def bets(self, seat: int) -> dict[str, Bet]:
        """The wagers of a seat: staked, decided and returned."""
        state, place = self._find(seat)
        return state.bets[place]

    def wagers(self, seat: int) -> dict[str, BetRecord]:
        """The wagers of a seat for a program."""
        state, place = self._find(seat)
        return state.wagers[place]

    def money(self, seat: int) -> tuple[int, int, int]:
        """What a seat has staked, what of it is decided, and what came back.

        On a progressive meter nothing is decided before the round is closed, which says what the meter showed. [TCP-45]
        """
        bets = self.bets(seat).values()
        staked = sum(b.stake for b in bets)
        if self.state.meter is not None and self.live.closed is None:
            return staked, 0, 0
        return staked, sum(b.decided for b in bets), sum(b.returned or 0 for b in bets)

    def events(self, seat: int) -> list[Event]:
        """What happened, as far as a seat is concerned that the rule book does not play; it is seat 1 in it."""
        return self._find(seat)[0].events

    def _find(self, seat: int) -> tuple[Replay, int]:
        place = self._places.get(seat)
        if place is not None:
            return self.state, place
        stakes = self.live.bets[seat].stakes
        key = tuple(stakes.items())
        found = self._slips.get(key)
        if found is None:
            played = replay(self.live.table.variant, self.state.dealt, [stakes])
            found = self._slips[key] = self.live.shown(played)
        return found, 0
