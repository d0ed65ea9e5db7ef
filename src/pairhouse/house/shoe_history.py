"""The history of a shoe: what its game shows of each round dealt from it."""

from typing import Any

from pairhouse.core.cards import parse
from pairhouse.rounds.round_log import read_round


def shoe_lines(logs: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """A line for each of these rounds, in order; none where the game shows nothing of its shoe."""
    found = []
    for round_id, log in logs:
        state = read_round(log).replay()
        line_of = state.variant.game.shoe_line
        if line_of is None:
            return []
        hands = {hand.at: parse([card for card in hand.cards if card is not None]) for hand in state.view().hands}
        at_places = {place: cards for place, cards in hands.items() if place is not None}
        found.append({"round": round_id, **line_of([happened for _, happened in state.happened], at_places)})
    return found
