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
