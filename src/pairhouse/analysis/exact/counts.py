"""The exact tally of each game: which part of its rule book is counted, on which classes of cards.

Blackjack's own result is not counted here but solved (`analysis/blackjack`); its side bets depend on the opening alone.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from pairhouse.core.cards import Card, check_from, pack, rank
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.tally import Story, net_of
from pairhouse.games import blackjack, la_paire, three_card_poker
from pairhouse.games import nepal_super_baccarat as baccarat
from pairhouse.machines.classes import Classes
from pairhouse.machines.link import Function
from pairhouse.machines.stored import Ways, kept
from pairhouse.machines.stories import STORY_BITS, unpack


@dataclass(frozen=True)
class Counting:
    """What is counted of a game: a rule, the kinds of happening it settles, and the classes of cards it can tell."""

    play: Function
    kinds: tuple[type, ...]
    classes: Classes


COUNTINGS = {
    baccarat.play: Counting(
        baccarat.play,
        (baccarat.Coup,),
        # Ranks matter for pairs, in the first four cards; after that only points do. Each hand's first two are a set.
        Classes(draws=6, swaps=((0, 2), (1, 3)), of=rank, late=lambda card: min(rank(card), 9), late_from=4),
    ),
    la_paire.play: Counting(la_paire.play, (la_paire.FirstCard, la_paire.Paire, la_paire.Poker), Classes(draws=3)),
    blackjack.play: Counting(blackjack.opening, (blackjack.InitialDeal,), Classes(draws=3, swaps=((0, 2),))),
}


@dataclass(frozen=True)
class Counted:
    """Every story with its number of deals, out of `total` equally likely ones."""

    variant: Variant
    stories: Mapping[Story, int]
    total: int
    method: str


def counted(variant: Variant, shoe: Sequence[Card] | None = None) -> Counted:
    """The exact tally of a variant, from its fresh pack or from any given cards."""
    if variant.game.play is three_card_poker.play:
        if shoe is not None:
            raise Refused("bad-shoe", "Three Card Poker is dealt from a whole deck; it is not priced from other cards")
        return three_card(variant).under(three_card(variant).best)
    if shoe is None:
        return _counted(variant, pack(*variant.pack))
    check_from(shoe, max(Counter(shoe).values(), default=0), variant.pack[1])
    return _counted(variant, tuple(sorted(shoe)))


@lru_cache(maxsize=64)
def _counted(variant: Variant, shoe: tuple[Card, ...]) -> Counted:
    counting = COUNTINGS[variant.game.play]
    if len(shoe) < counting.classes.draws:
        given = f"{len(shoe)} cards are not enough"
        raise Refused("too-few-cards", f"{given}; a round can take {counting.classes.draws}")
    ways = kept(_key(variant, shoe), lambda: _count(variant, counting, shoe))
    stories = {unpack(story, counting.kinds): number for story, number in ways.items()}
    method = f"compiled count of every ordered deal of {counting.classes.draws} cards"
    return Counted(variant, stories, sum(stories.values()), method)


def _count(variant: Variant, counting: Counting, shoe: Sequence[Card]) -> Ways:
    from pairhouse.machines.count import count

    return count(counting.play, variant.rules, counting.kinds, shoe, counting.classes)


def _key(variant: Variant, shoe: Sequence[Card], answer: int = 0) -> str:
    """What a stored tally depends on besides our source."""
    play = variant.game.play
    return f"{variant.rules_hash} {play.__module__}.{play.__qualname__} {variant.rules} {answer} {[*shoe]}"


Strategy = Callable[[int], int]  # the strength of a hand -> play or fold


@dataclass(frozen=True)
class ThreeCard:
    """Three Card Poker counted both ways: by strength of the seat's hand, the deals if it plays and if it folds."""

    variant: Variant
    ways: Mapping[int, Mapping[int, Mapping[Story, int]]]  # action -> strength -> story -> deals

    def value(self, action: int, strength: int) -> Fraction:
        """What a hand of this strength is worth with an action, in antes."""
        stories = self.ways[action][strength]
        net = sum(number * _ante_net(self.variant, story) for story, number in stories.items())
        mean: Fraction = Fraction(net) / sum(stories.values())
        return mean

    def value_of_hand(self, action: int, cards: Sequence[Card]) -> Fraction:
        """What these very three cards are worth with an action, in antes: their suits matter a little."""
        from pairhouse.machines.count_hands import count_hands

        kinds, deck = (three_card_poker.Showdown,), pack(*self.variant.pack)
        found = count_hands(self.variant.game.play, self.variant.rules, kinds, deck, action, held=cards)
        net = sum(
            (n * _ante_net(self.variant, unpack(story, kinds)) for (_, story), n in found.items()), start=Fraction(0)
        )
        mean: Fraction = Fraction(net) / sum(found.values())
        return mean

    def best(self, strength: int) -> int:
        """The better action with this hand: found, not told."""
        plays, folds = (self.value(action, strength) for action in (three_card_poker.PLAY, three_card_poker.FOLD))
        return three_card_poker.PLAY if plays > folds else three_card_poker.FOLD

    def under(self, strategy: Strategy) -> Counted:
        """The tally when every hand is played by a strategy."""
        stories: dict[Story, int] = {}
        for strength in self.ways[three_card_poker.PLAY]:
            for story, number in self.ways[strategy(strength)][strength].items():
                stories[story] = stories.get(story, 0) + number
        return Counted(self.variant, stories, sum(stories.values()), "compiled count of every pair of hands")


@lru_cache(maxsize=1024)
def _ante_net(variant: Variant, story: Story) -> int | Fraction:
    """What a seat wins with Ante, Play and Ante Bonus, in antes; a plain integer where it is one, for speed."""
    ((_, shown),) = story
    group = [wager for wager in variant.wagers.values() if "ante" in (wager.id, wager.base)]
    net = sum((net_of(wager, shown) for wager in group), Fraction(0))
    return int(net) if net.denominator == 1 else net


def _count_hands(variant: Variant, action: int) -> Ways:
    """Deals by strength of the seat's hand and story, both in one number."""
    from pairhouse.machines.count_hands import count_hands

    kinds = (three_card_poker.Showdown,)
    found = count_hands(variant.game.play, variant.rules, kinds, pack(*variant.pack), action)
    return {strength << STORY_BITS | story: number for (strength, story), number in found.items()}


@lru_cache(maxsize=16)
def three_card(variant: Variant) -> ThreeCard:
    """Count the game with every hand played, and with every hand folded."""
    kinds = (three_card_poker.Showdown,)
    told = cache(lambda packed: unpack(packed, kinds))
    ways: dict[int, dict[int, dict[Story, int]]] = {}
    for action in (three_card_poker.PLAY, three_card_poker.FOLD):
        ways[action] = {}
        key = _key(variant, pack(*variant.pack), action)
        found = kept(key, lambda action=action: _count_hands(variant, action))  # type: ignore[misc]
        for both, number in found.items():
            ways[action].setdefault(both >> STORY_BITS, {})[told(both & (1 << STORY_BITS) - 1)] = number
    return ThreeCard(variant, ways)
