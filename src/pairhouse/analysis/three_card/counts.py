"""Three Card Poker counted both ways: every hand of a seat played, and every hand folded."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache

from pairhouse.analysis.exact.counts import Counted, tally_key
from pairhouse.analysis.exact.prices import nets
from pairhouse.core.cards import Card, pack
from pairhouse.core.game import Variant
from pairhouse.core.tally import Story
from pairhouse.games.three_card_poker import FOLD, PLAY, Showdown
from pairhouse.machines.stored import Ways, stored
from pairhouse.machines.stories import STORY_BITS, unpack

KINDS = (Showdown,)
METHOD = "compiled count of every pair of hands"
Strategy = Callable[[int], int]  # the strength of a hand -> play or fold


@dataclass(frozen=True)
class HandWorth:
    """What hands of one strength win in all, in antes, if they are played and if they are folded; and their deals."""

    played: Fraction
    folded: Fraction
    deals: int


@dataclass(frozen=True)
class ThreeCard:
    """By strength of the seat's hand, the deals if it plays and if it folds, under the prices of a variant."""

    variant: Variant
    ways: Mapping[int, Mapping[int, Mapping[Story, int]]]  # action -> strength -> story -> deals

    @cached_property
    def worths(self) -> dict[int, HandWorth]:
        """What each strength wins, played and folded; weakest first."""
        stories = {story for by_hand in self.ways.values() for found in by_hand.values() for story in found}
        net = antes_won(self.variant, stories)

        def won(action: int, strength: int) -> Fraction:
            return sum((number * net[story] for story, number in self.ways[action][strength].items()), Fraction(0))

        return {
            strength: HandWorth(won(PLAY, strength), won(FOLD, strength), sum(self.ways[PLAY][strength].values()))
            for strength in sorted(self.ways[PLAY])
        }

    def value(self, action: int, strength: int) -> Fraction:
        """What a hand of this strength is worth with an action, in antes."""
        found = self.worths[strength]
        return (found.played if action == PLAY else found.folded) / found.deals

    def best(self, strength: int) -> int:
        """The better action with this hand, found from its values; one worth the same either way is folded."""
        worth = self.worths[strength]
        return PLAY if worth.played > worth.folded else FOLD

    @cached_property
    def played(self) -> list[int]:
        """The strengths that are best played, weakest first."""
        return [strength for strength in self.worths if self.best(strength) == PLAY]

    def under(self, strategy: Strategy) -> Counted:
        """The tally when every hand is played by a strategy."""
        stories: dict[Story, int] = {}
        for strength in self.ways[PLAY]:
            for story, number in self.ways[strategy(strength)][strength].items():
                stories[story] = stories.get(story, 0) + number
        return Counted(self.variant, stories, sum(stories.values()), METHOD)


def antes_won(variant: Variant, stories: Iterable[Story]) -> dict[Story, Fraction]:
    """What a seat wins with Ante, Play and Ante Bonus in each story, in antes."""
    ways = dict.fromkeys(stories, 1)
    return nets(Counted(variant, ways, len(ways), METHOD), "ante")


def value_of_hand(variant: Variant, action: int, cards: Sequence[Card], seen: Sequence[Card] = ()) -> Fraction:
    """What these very three cards are worth with an action, in antes, when other cards are known to be gone."""
    from pairhouse.machines.count_hands import count_hands

    deck = [card for card in pack(*variant.pack) if card not in seen]
    deals: Counter[Story] = Counter()
    for (_, packed), number in count_hands(variant.game.play, variant.rules, KINDS, deck, action, held=cards).items():
        deals[unpack(packed, KINDS)] += number
    net = antes_won(variant, deals)
    return sum((number * net[story] for story, number in deals.items()), Fraction(0)) / deals.total()


def _count_hands(variant: Variant, action: int) -> Ways:
    """Deals by strength of the seat's hand and story, both in one number."""
    from pairhouse.machines.count_hands import count_hands

    found = count_hands(variant.game.play, variant.rules, KINDS, pack(*variant.pack), action)
    return {strength << STORY_BITS | story: number for (strength, story), number in found.items()}


@lru_cache(maxsize=16)
def three_card(variant: Variant) -> ThreeCard:
    """Count the game with every hand played, and with every hand folded."""
    story_of = cache(lambda packed: unpack(packed, KINDS))
    ways: dict[int, dict[int, dict[Story, int]]] = {}
    for action in (PLAY, FOLD):
        ways[action] = {}
        key = tally_key(variant, pack(*variant.pack), action)
        found = stored(key, lambda action=action: _count_hands(variant, action))  # type: ignore[misc]
        for both, number in found.items():
            ways[action].setdefault(both >> STORY_BITS, {})[story_of(both & (1 << STORY_BITS) - 1)] = number
    return ThreeCard(variant, ways)
