"""The shoe of a live table: each coup shuffles the cards that earlier coups have left, with its own bettors' seeds.

So the chances are those of dealing on, and one honest seed in each coup is enough. [NSB-40] One order for a whole shoe
would be mixed with the seeds of its first coup alone, and whoever comes later would have none in it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from pairhouse.core.cards import Card, parse
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.shoe import cut_card_is_out
from pairhouse.machines.events import Replay
from pairhouse.machines.replay import replay
from pairhouse.rounds.fairness import Order, OrderLeft, WordStream, commitment
from pairhouse.rounds.live_entries import ShoeBefore
from pairhouse.rounds.round_log import faces

SHOES_KEPT = 1_024


class ShoeCoup(msgspec.Struct, frozen=True):
    """An earlier coup of a shoe: its round, and everything its cards follow from."""

    round: str
    commitment: str
    server_seed: str
    client_seeds: list[str]


class ShoeProof(msgspec.Struct, frozen=True):
    """The shoe of a closed coup: which it is, the cards that were gone before it, and the coups that dealt them."""

    number: int
    coup: int
    gone: list[str]
    before: list[ShoeCoup]


class LiveShoe(msgspec.Struct, frozen=True):
    """A shoe as everybody at the table sees it. `results` has a line for each coup that is dealt, as roads show it."""

    number: int
    coup: int
    cards: int
    left: int
    cut_card: int
    is_last: bool
    results: list[dict[str, Any]]


def can_have_shoe(variant: Variant) -> bool:
    """Whether a live table of this game can be dealt from a shoe: nobody decides, so bets never change the cards."""
    return variant.game.shoe and not variant.game.actions


def order_from(stream: WordStream, variant: Variant, shoe: ShoeBefore | None) -> Order | OrderLeft:
    """The order of the cards of a round: of the whole pack, or of what its shoe still holds."""
    if shoe is None or not shoe.gone:
        return Order(stream, *variant.pack)
    return OrderLeft(stream, *variant.pack, parse(shoe.gone))


def shoe_after(variant: Variant, shoe: ShoeBefore, dealt: Sequence[Card]) -> ShoeBefore | None:
    """What the next coup of a shoe finds, after one that was dealt these cards; None where the shoe has ended.

    When the cut card has come out, one more coup is dealt. [NSB-5]
    """
    if shoe.is_last:
        return None
    gone = [*shoe.gone, *faces(tuple(dealt))]
    is_last = bool(cut_card_is_out(len(gone), pack_size(variant), variant.options["cut_card"]))
    return ShoeBefore(shoe.number, shoe.coup + 1, gone, is_last)


def pack_size(variant: Variant) -> int:
    """How many cards a fresh shoe holds."""
    decks, jokers = variant.pack
    return decks * (52 + jokers)


def live_shoe(variant: Variant, shoe: ShoeBefore, state: Replay | None) -> LiveShoe:
    """The shoe as everybody sees it; `state` is the coup once its cards are dealt."""
    on_table = sum(event.kind == "dealt" for event in state.events) if state is not None else 0
    left = pack_size(variant) - len(shoe.gone) - on_table
    results = list(results_of(variant, tuple(shoe.gone)))
    line = line_of(state) if state is not None and state.is_over else None
    if line is not None:
        results.append(line)
    cut_card = variant.options["cut_card"]
    return LiveShoe(shoe.number, shoe.coup, pack_size(variant), left, cut_card, shoe.is_last, results)


@lru_cache(maxsize=SHOES_KEPT)
def results_of(variant: Variant, gone: tuple[str, ...]) -> tuple[dict[str, Any], ...]:
    """What the coups that dealt these cards came to, by the rules alone: no bet changes where a coup ends."""
    found = []
    cards = parse(gone)
    opener = next(wager.id for wager in variant.wagers.values() if wager.opens)
    while cards:
        state = replay(variant, cards, [{opener: variant.steps[opener]}])
        line = line_of(state)
        if line is not None:
            found.append(line)
        cards = cards[state.cards_used :]
    return tuple(found)


def line_of(state: Replay) -> dict[str, Any] | None:
    """What the history of a shoe shows of a round that is over; None where its game shows nothing."""
    show = state.variant.game.shoe_line
    if show is None:
        return None
    hands = {hand.at: parse([card for card in hand.cards if card is not None]) for hand in state.view().hands}
    at_places = {place: cards for place, cards in hands.items() if place is not None}
    return show([happened for _, happened in state.happened], at_places)


def shoe_difference(variant: Variant, rules_hash: str, shoe: ShoeProof) -> str | None:
    """How the cards that are gone differ from what the coups before have dealt; None where they are the same.

    Every coup is dealt again from its own seeds and from what the coups before it have left. [NSB-4] [NSB-5]
    """
    if shoe.coup != len(shoe.before) + 1:
        return f"it is coup {shoe.coup} of its shoe, and {len(shoe.before)} coups are said to be before it"
    now: ShoeBefore | None = ShoeBefore(shoe.number, 1)
    opener = next(wager.id for wager in variant.wagers.values() if wager.opens)
    for number, coup in enumerate(shoe.before, 1):
        if now is None:
            return f"the shoe ended before coup {number}"
        seed = _seed(coup.server_seed)
        if seed is None or commitment(seed) != coup.commitment:
            return f"the seed of coup {number} is not the one the house committed to"
        stream = WordStream(seed, variant.game.id, rules_hash, coup.client_seeds, 0)
        try:
            state = replay(variant, order_from(stream, variant, now), [{opener: variant.steps[opener]}])
        except Refused as refused:
            return f"coup {number} cannot be dealt: {refused}"
        now = shoe_after(variant, now, state.dealt)
    if now is None:
        return f"the shoe ended before coup {shoe.coup}"
    return None if now.gone == shoe.gone else "the cards that are gone are not those the coups before have dealt"


def _seed(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None
