"""How simulated players bet and decide: by the method of the rule book, or without thought."""

from functools import lru_cache
from random import Random

from pairhouse.analysis.methods.method import seen_cards
from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.cards import Card
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.machines.events import AwaitingRecord, View
from pairhouse.rounds.live_view import LiveView

MULTIPLES = (1, 1, 2, 5)
SIDE_BETS_MAX = 2


def some_stakes(rng: Random, variant: Variant, minimum: int, *, is_careful: bool) -> dict[str, int]:
    """Stakes that the table takes: one bet that opens a round, and for careless players a few more."""
    placed = [wager for wager in variant.wagers.values() if wager.base is None]
    openers = [wager for wager in placed if wager.opens]
    chosen = [rng.choice(openers)]
    if not is_careful:
        chosen += rng.sample(placed, rng.randint(0, min(SIDE_BETS_MAX, len(placed))))
    return {wager.id: wager.fixed or minimum * rng.choice(MULTIPLES) for wager in chosen}


def seen_view(live: LiveView) -> View:
    """A live round at one's own turn, as the methods read rounds."""
    turn = live.turn
    assert turn is not None
    awaiting = AwaitingRecord(seat=turn.seat, hand=turn.hand, options=turn.options or [])
    wagers = [each.result or {} for each in live.seats]
    return View(live.game, live.seat, [*live.hands], [*live.events], wagers, awaiting)


def best_choice(variant: Variant, live: LiveView) -> str:
    """The best action, given every card that this seat has seen."""
    return _offered(live, str(method_of(variant).advise_at(seen_view(live)).best))


def basic_choice(variant: Variant, live: LiveView) -> str:
    """The best action by one's own cards and the dealer's alone, as a chart has it; offers such as insurance are
    declined."""
    offered = live.turn.options if live.turn is not None and live.turn.options else []
    declines = [f"no-{word}" for word in offered if f"no-{word}" in offered]
    if declines:
        return declines[0]
    held, up, _ = seen_cards(seen_view(live))
    for word in _ranked(variant, tuple(held), up):
        if word in offered:
            return word
    return variant.automatic_choice(offered)


@lru_cache(maxsize=20_000)
def _ranked(variant: Variant, held: tuple[Card, ...], up: Card | None) -> tuple[str, ...]:
    return tuple(method_of(variant).advise(held, up).actions)


def _offered(live: LiveView, word: str) -> str:
    if live.turn is None or live.turn.options is None or word not in live.turn.options:
        raise Refused("illegal-choice", f"the strategy wants to {word}, which is not offered")
    return word
