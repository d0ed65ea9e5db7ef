"""A table paced by hand: a supervisor closes the betting and turns the cards up one after another. [LP-45] [NSB-43]

Each card pays what it decides before the next one is turned. If nobody comes for a while, the clock goes on.
"""

from pairhouse.core.game import Variant
from pairhouse.machines.events import UP, Bet, Event, Replay, bet_record

HAND_MS = 300_000  # after so long without a supervisor's hand the clock goes on, so that no stake is held for ever


class PartOfRound(Replay, frozen=True):
    """A round as far as its cards are turned: later events, and what they decide, have not happened yet."""

    to_turn: int

    @property
    def is_over(self) -> bool:
        return self.to_turn == 0 and self.awaiting is None


def can_be_turned(variant: Variant) -> bool:
    """Whether a supervisor can turn the cards of this game one by one: nobody decides anything between them."""
    return not variant.game.actions


def turned_so_far(state: Replay, turned: int) -> Replay:
    """A round that is played to its end, as it stands when so many of its cards are turned up."""
    turns = [place for place, event in enumerate(state.events) if _shows(event)]
    if turned >= len(turns):
        return state
    events = state.events[: turns[turned]]
    bets = [{name: Bet(stake) for name, stake in seat.items()} for seat in state.stakes]
    for event in events:
        if event.kind == "settled":
            assert event.seat is not None
            assert event.wager is not None
            bet = bets[event.seat - 1].setdefault(event.wager, Bet(0))
            bet.settle((event.hand or 1) - 1, event.stake or 0, event.returned or 0, event.row or "")
    return PartOfRound(
        variant=state.variant,
        stakes=state.stakes,
        events=events,
        bets=bets,
        wagers=[{name: bet_record(bet) for name, bet in seat.items()} for seat in bets],
        awaiting=None,
        dealt=state.dealt,
        happened=state.happened,
        meter=state.meter,
        cards_at=state.cards_at,
        staked=state.staked,
        returned=sum(bet.returned or 0 for seat in bets for bet in seat.values()),
        to_turn=len(turns) - turned,
    )


def _shows(event: Event) -> bool:
    """Whether a card is seen with this event that was not seen before."""
    return event.kind == "turned-up" or (event.kind == "dealt" and event.face == UP)
