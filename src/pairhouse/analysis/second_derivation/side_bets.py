"""The side bets of blackjack again: every ordered deal of two cards and an up card, face by face; and insurance."""

from collections.abc import Callable, Mapping
from itertools import product

from pairhouse.analysis.second_derivation import Distribution, Second, pays_of, settled
from pairhouse.core.game import Variant

Cards = tuple[int, int, int]  # the player's first, the player's second, the dealer's up card; suit * 13 + rank
METHOD = "every ordered deal of three faces in a plain loop; insurance by going through the cards beneath the ace"


def ranks(cards: Cards) -> set[int]:
    return {card % 13 for card in cards}


def is_flush(cards: Cards) -> bool:
    return len({card // 13 for card in cards}) == 1


def is_straight(cards: Cards) -> bool:
    """Three ranks next to one another, or ace, king and queen."""
    low, middle, high = sorted(card % 13 for card in cards)
    return (middle - low, high - middle) == (1, 1) or (low, middle, high) == (0, 11, 12)


def same_colour(cards: Cards) -> bool:
    return (cards[0] // 13 in (1, 2)) == (cards[1] // 13 in (1, 2))


# Each row of each paytable by its name, as the rule books describe it; where two hold, the paytable's order decides.
ROWS: Mapping[str, Callable[[Cards], bool]] = {
    "royal flush": lambda cards: is_flush(cards) and ranks(cards) == {0, 11, 12},
    "3 of a kind (suited)": lambda cards: len(set(cards)) == 1,
    "3 of a kind (mixed)": lambda cards: len(ranks(cards)) == 1,
    "3 of a kind": lambda cards: len(ranks(cards)) == 1,
    "player pair (suited)": lambda cards: cards[0] == cards[1],
    "player pair": lambda cards: cards[0] % 13 == cards[1] % 13,
    "any pair (suited)": lambda cards: len(set(cards)) < 3,
    "any pair (mixed)": lambda cards: len(ranks(cards)) < 3,
    "any pair": lambda cards: len(ranks(cards)) < 3,
    "flush": is_flush,
    "suited pair": lambda cards: cards[0] == cards[1],
    "coloured pair": lambda cards: cards[0] % 13 == cards[1] % 13 and same_colour(cards),
    "mixed pair": lambda cards: cards[0] % 13 == cards[1] % 13,
    "suited three of a kind": lambda cards: len(set(cards)) == 1,
    "straight flush": lambda cards: is_straight(cards) and is_flush(cards),
    "three of a kind": lambda cards: len(ranks(cards)) == 1,
    "straight": is_straight,
}


def derive(variant: Variant) -> Second:
    decks, _ = variant.pack
    side_bets = [wager for wager in ("pair", "pairs", "poker") if wager in variant.wagers]
    ways: dict[str, dict[str, int]] = {wager: {} for wager in side_bets}
    names = {wager: list(pays_of(variant, wager)) for wager in side_bets}
    for cards in product(range(52), range(52), range(52)) if side_bets else ():
        number = deals(cards, decks)
        for wager in side_bets:
            name = next((name for name in names[wager] if ROWS[name](cards)), "")
            if name:
                ways[wager][name] = ways[wager].get(name, 0) + number
    size = 52 * decks
    total = size * (size - 1) * (size - 2)
    found: dict[str, Distribution] = {
        wager: settled(ways[wager], pays_of(variant, wager), total) for wager in side_bets
    }
    if "insurance" in variant.wagers:
        found["insurance"] = insurance(variant, decks)
    return Second(METHOD, found)


def deals(cards: Cards, decks: int) -> int:
    """In how many ways so many decks deal these faces in this order."""
    first, second, up = cards
    return decks * (decks - (second == first)) * (decks - (up == first) - (up == second))


def insurance(variant: Variant, decks: int) -> Distribution:
    """Go through every card that can lie beneath an ace of clubs."""
    beneath = [card for card in range(52) for _ in range(decks - (card == 0))]
    tens = sum(card % 13 >= 9 for card in beneath)
    return settled({"dealer blackjack": tens}, pays_of(variant, "insurance"), len(beneath))
