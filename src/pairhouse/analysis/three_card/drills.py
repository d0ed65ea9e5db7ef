"""The decision of Three Card Poker for practice: how often each strength comes up, and what play and fold are worth."""

from fractions import Fraction
from itertools import combinations

from pairhouse.analysis.methods.records import Drill
from pairhouse.analysis.three_card.counts import ThreeCard
from pairhouse.core.cards import FACES, pack
from pairhouse.core.hands import strength
from pairhouse.games.three_card_poker import FOLD, PLAY


def drills(game: ThreeCard) -> list[Drill]:
    """One hand of every strength; hands of one strength are worth the same on average over their suits."""
    example: dict[int, list[str]] = {}
    for hand in combinations(pack(1, 0), 3):
        example.setdefault(strength(*hand), [FACES[card] for card in sorted(hand, reverse=True)])
    deals = sum(worth.deals for worth in game.worths.values())
    found = []
    for held, worth in game.worths.items():
        values = {"play": game.value(PLAY, held), "fold": game.value(FOLD, held)}
        ordered = dict(sorted(values.items(), key=lambda item: -item[1]))
        found.append(Drill(hand=example[held], up=None, frequency=Fraction(worth.deals, deals), values=dict(ordered)))
    return found
