"""Baccarat again: point values only, the drawing rules as the table people carry in their pockets."""

from fractions import Fraction
from itertools import combinations_with_replacement

from pairhouse.analysis.second_derivation import Distribution, Second, pays_of, settled
from pairhouse.core.game import Variant

# The Banker's total -> the Player's third cards on which it draws.
BANKER_DRAWS = {
    0: "0123456789", 1: "0123456789", 2: "0123456789", 3: "012345679", 4: "234567", 5: "4567", 6: "67", 7: "",
}  # fmt: skip
METHOD = "a loop over point values with the pocket table of third cards; pairs by closed form"

Coups = dict[tuple[str, int, int], int]  # side, winning total, Banker's cards -> ordered deals of six cards


def derive(variant: Variant) -> Second:
    decks, _ = variant.pack
    coups = coups_at(decks)
    total = sum(coups.values())
    pair = Fraction(4 * decks - 1, 52 * decks - 1)
    found: dict[str, Distribution] = {}
    for wager in variant.wagers:
        pays = pays_of(variant, wager)
        if wager.endswith("-pair"):
            found[wager] = {pays["pair"]: pair, Fraction(-1): 1 - pair}
        else:
            ways: dict[str, int] = {}
            for coup, number in coups.items():
                name = row_of(wager, *coup)
                if name:
                    ways[name] = ways.get(name, 0) + number
            found[wager] = settled(ways, pays, total)
    return Second(METHOD, found)


def row_of(wager: str, side: str, total: int, banker_cards: int) -> str:
    """The row a coup is paid on, or nothing."""
    six = {2: "two-card six", 3: "three-card six"}[banker_cards] if (side, total) == ("banker", 6) else ""
    if wager in ("lucky-6", "banker-on-6"):
        return six
    if "-on-" in wager:
        on_side, _, on_total = wager.partition("-on-")
        return f"{side.capitalize()} on {total}" if (side, total) == (on_side, int(on_total)) else ""
    if side == "tie":
        return "tie"
    if side != wager:
        return ""
    return "Banker wins on 6" if six else f"{side.capitalize()} wins"


def coups_at(decks: int) -> Coups:
    """Every coup from a fresh shoe."""
    left = [16 * decks, *[4 * decks] * 9]
    coups: Coups = {}
    for player in combinations_with_replacement(range(10), 2):
        player_ways = take(left, player)
        for banker in combinations_with_replacement(range(10), 2):
            ways = player_ways * take(left, banker)
            finish(left, sum(player) % 10, sum(banker) % 10, ways, coups)
            give_back(left, banker)
        give_back(left, player)
    return coups


def take(left: list[int], cards: tuple[int, int]) -> int:
    """Take two cards in either order, and say in how many ways."""
    one, other = cards
    ways = left[one]
    left[one] -= 1
    ways *= left[other] * (1 if one == other else 2)
    left[other] -= 1
    return ways


def give_back(left: list[int], cards: tuple[int, int]) -> None:
    for card in cards:
        left[card] += 1


def finish(left: list[int], player: int, banker: int, ways: int, coups: Coups) -> None:
    """Naturals, then the Player's third card, then the Banker's; the cards that are not drawn can be any."""
    size = sum(left)
    if player >= 8 or banker >= 8:
        note(coups, player, banker, 2, ways * size * (size - 1))
    elif player >= 6:
        third_to_banker(left, player, banker, ways * (size - 1), coups, draws=banker <= 5)
    else:
        for third in range(10):
            chosen = ways * left[third]
            left[third] -= 1
            draws = str(third) in BANKER_DRAWS[banker]
            third_to_banker(left, (player + third) % 10, banker, chosen, coups, draws=draws)
            left[third] += 1


def third_to_banker(left: list[int], player: int, banker: int, ways: int, coups: Coups, *, draws: bool) -> None:
    if not draws:
        note(coups, player, banker, 2, ways * sum(left))
        return
    for third in range(10):
        note(coups, player, (banker + third) % 10, 3, ways * left[third])


def note(coups: Coups, player: int, banker: int, banker_cards: int, ways: int) -> None:
    side = "tie" if player == banker else "player" if player > banker else "banker"
    key = (side, max(player, banker), banker_cards)
    coups[key] = coups.get(key, 0) + ways
