"""La Pair'e: one 54-card deck, three cards turned up one at a time, each settled as it comes."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pairhouse.core.cards import RANK_NAMES, Card, is_joker, is_red, rank, suit
from pairhouse.core.game import Game
from pairhouse.core.hands import (
    FLUSH,
    HIGH_CARD,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    category,
    height,
    is_mini_royal,
)
from pairhouse.core.options import Option, Options
from pairhouse.core.paytable import Paytable, Wager, row
from pairhouse.core.rule import rule
from pairhouse.core.verbs import EVERY_SEAT, Table, draw_down, say, settle, turn_up

FIRST, SECOND, THIRD = 0, 1, 2
MINI_ROYAL, TWO_JOKERS = 6, 7
JOKER_VALUE = 13
NO_COLOUR, RED, BLACK = 0, 1, 2

VALUE_NAMES = (*RANK_NAMES, "joker")
TOP_ROW = ("2", "3", "4", "5", "6", "7")
BOTTOM_ROW = ("8", "9", "10", "J", "Q", "K")

# The dealer marks the winning value on the layout, and on the second set of values when it pairs. [LP-23]
PHRASES = (
    *(f"Marker on {name.capitalize()}." for name in VALUE_NAMES),
    *(f"La Pair'e: marker on the second {name.capitalize()}." for name in VALUE_NAMES),
    "No pair.",
)
SAY_FIRST, SAY_PAIRE, SAY_NO_PAIRE = 0, 14, 28


class Rules(NamedTuple):
    """Nothing about the deal can be chosen."""

    jokers: int


class FirstCard(NamedTuple):
    """The first card is up."""

    value: int
    colour: int


class Paire(NamedTuple):
    """The second card is up."""

    value: int
    paired: bool


class Poker(NamedTuple):
    """All three cards are up."""

    hand: int


@rule
def play(table: Table, rules: Rules) -> None:
    """Three cards face down; each is turned up in turn, and the wagers on it are settled before the next.

    [LP-19] [LP-20] [LP-21] [LP-22]
    """
    a, b, c = draw_down(table, FIRST), draw_down(table, SECOND), draw_down(table, THIRD)
    first = turn_up(table, FIRST, a)
    say(table, FIRST, SAY_FIRST + value(first), 0, 0)
    settle(table, EVERY_SEAT, FirstCard(value(first), colour(first)))
    second = turn_up(table, SECOND, b)
    say(table, SECOND, SAY_PAIRE + value(first) if is_paire(first, second) else SAY_NO_PAIRE, 0, 0)
    settle(table, EVERY_SEAT, Paire(value(first), is_paire(first, second)))
    third = turn_up(table, THIRD, c)
    settle(table, EVERY_SEAT, Poker(poker_hand(first, second, third)))


@rule
def value(card: Card) -> int:
    """Fourteen values: ace to king, and the Joker, which is a value of its own. [LP-2] [LP-3]"""
    return JOKER_VALUE if is_joker(card) else rank(card)


@rule
def colour(card: Card) -> int:
    """Red for diamonds and hearts, black for clubs and spades, none for a Joker. [LP-4]"""
    if is_joker(card):
        return NO_COLOUR
    return RED if is_red(card) else BLACK


@rule
def is_paire(first: Card, second: Card) -> bool:
    """Two cards of one value; two Jokers are a pair. [LP-3] [LP-26]"""
    return value(first) == value(second)


@rule
def can_join(a: Card, b: Card) -> bool:
    """Whether some third rank makes a straight with these two: ranks apart by one or two, the ace high or low.

    [LP-29]
    """
    apart = abs(height(rank(a)) - height(rank(b)))
    apart_ace_low = abs(rank(a) - rank(b))
    return 1 <= apart <= 2 or 1 <= apart_ace_low <= 2


@rule
def with_joker(a: Card, b: Card) -> int:
    """Two cards and a Joker, which stands for the best card not already in the hand. [LP-28]"""
    suited = suit(a) == suit(b)
    if suited and height(rank(a)) >= 12 and height(rank(b)) >= 12:
        return MINI_ROYAL
    if suited and can_join(a, b):
        return STRAIGHT_FLUSH
    if rank(a) == rank(b):
        return THREE_OF_A_KIND
    if can_join(a, b):
        return STRAIGHT
    return FLUSH if suited else HIGH_CARD


@rule
def poker_hand(a: Card, b: Card, c: Card) -> int:
    """What the three cards make, Jokers included. [LP-27] [LP-29]"""
    jokers = int(is_joker(a)) + int(is_joker(b)) + int(is_joker(c))
    if jokers == 2:
        return TWO_JOKERS
    if jokers == 1:
        if is_joker(a):
            return with_joker(b, c)
        return with_joker(a, c) if is_joker(b) else with_joker(a, b)
    return MINI_ROYAL if is_mini_royal(a, b, c) else category(a, b, c)


def splits() -> list[tuple[str, str]]:
    """The twenty pairs of neighbours on the layout, left to right, top before bottom. [LP-7]"""
    pairs = [("A", TOP_ROW[0]), ("A", BOTTOM_ROW[0])]
    for column, (top, bottom) in enumerate(zip(TOP_ROW, BOTTOM_ROW, strict=True)):
        pairs.append((top, bottom))
        if column + 1 < len(TOP_ROW):
            pairs += [(top, TOP_ROW[column + 1]), (bottom, BOTTOM_ROW[column + 1])]
    return [*pairs, (TOP_ROW[-1], "joker"), (BOTTOM_ROW[-1], "joker")]


def corners() -> list[tuple[str, str, str, str]]:
    """The five points where four values meet. [LP-9]"""
    return [(*TOP_ROW[i : i + 2], *BOTTOM_ROW[i : i + 2]) for i in range(5)]  # type: ignore[misc]


def covers(names: Sequence[str]) -> Callable[[FirstCard], bool]:
    """The condition of a First Card wager: the card is one of the values it touches. [LP-24]"""
    values = tuple(VALUE_NAMES.index(name) for name in names)
    return lambda turned: turned.value in values


def first_card(kind: str, names: Sequence[str], pays: int, cites: str) -> Wager:
    """A First Card wager on one, two, three or four values; any of them opens the game. [LP-10]"""
    wager_id = "-".join([kind, *names])
    name = f"First Card {' / '.join(name.capitalize() for name in names)}"
    paytable = Paytable(name, cites, (row(" or ".join(names), pays, covers(names)),))
    return Wager(wager_id, name, paytable, FirstCard, opens=True, group=f"First Card: {kind}")


def first_card_wagers() -> list[Wager]:
    """The forty-one places where a chip touches one to four values. [LP-5] [LP-6] [LP-7] [LP-8] [LP-9]"""
    return [
        *(first_card("card", (name,), 12, "[LP-32]") for name in RANK_NAMES),
        first_card("card", ("joker",), 25, "[LP-32]"),
        *(first_card("split", pair, 5, "[LP-33]") for pair in splits()),
        first_card("three", ("2", "8", "A"), 3, "[LP-34]"),
        first_card("three", ("7", "K", "joker"), 4, "[LP-34]"),
        *(first_card("corner", corner, 2, "[LP-35]") for corner in corners()),
    ]


def paire_card(value_index: int) -> Wager:
    """A bet that the first two cards are both of one named value. [LP-11] [LP-25]"""
    name = VALUE_NAMES[value_index]
    pays = 1300 if value_index == JOKER_VALUE else 225
    title = f"La Pair'e {name.capitalize()}"
    hit = row(
        f"pair of {'Joker' if value_index == JOKER_VALUE else name}s",
        pays,
        lambda turned: turned.paired and turned.value == value_index,
    )
    return Wager(f"paire-{name}", title, Paytable(title, "[LP-38]", (hit,)), Paire, group="La Pair'e Card")


RED_PAYS = Paytable("First Card Red", "[LP-36] [LP-4]", (row("red", 1, lambda turned: turned.colour == RED),))
BLACK_PAYS = Paytable("First Card Black", "[LP-37] [LP-4]", (row("black", 1, lambda turned: turned.colour == BLACK),))
ANY_PAIRE_PAYS = Paytable("Any Pair'e", "[LP-39] [LP-26]", (
    row("pair of Jokers", 50, lambda turned: turned.paired and turned.value == JOKER_VALUE),
    row("pair", 16, lambda turned: turned.paired),
))  # fmt: skip


def makes(kind: int) -> Callable[[Poker], bool]:
    """The condition of a Poker row. [LP-30]"""
    return lambda turned: turned.hand == kind


POKER_PAYS = Paytable("3rd Card Poker", "[LP-40] [LP-30] [LP-31]", (
    row("two Jokers", 100, makes(TWO_JOKERS)),
    row("mini royal", 50, makes(MINI_ROYAL)),
    row("straight flush", 20, makes(STRAIGHT_FLUSH)),
    row("three of a kind", 10, makes(THREE_OF_A_KIND)),
    row("straight", 3, makes(STRAIGHT)),
    row("flush", 2, makes(FLUSH)),
))  # fmt: skip


def wagers(options: Options) -> tuple[Wager, ...]:
    """The whole layout, with the pair bets the operator offers. [LP-12] [LP-13] [LP-14]"""
    offered = [
        *first_card_wagers(),
        Wager("red", "First Card Red", RED_PAYS, FirstCard),
        Wager("black", "First Card Black", BLACK_PAYS, FirstCard),
    ]
    if options["pair_bets"] != "any-paire":
        offered += [paire_card(value_index) for value_index in range(14)]
    if options["pair_bets"] != "la-paire":
        offered.append(Wager("any-paire", "Any Pair'e", ANY_PAIRE_PAYS, Paire))
    return (*offered, Wager("poker", "3rd Card Poker", POKER_PAYS, Poker))


def name_hand(cards: Sequence[Card]) -> str:
    """A card is called by its value."""
    return " ".join(VALUE_NAMES[value(card)] for card in cards)


GAME = Game(
    id="la-paire",
    name="La Pair'e",
    cites="LP",
    summary="Three cards from a 54-card deck, turned one at a time: bet on the first, on the pair, on the poker hand.",
    play=play,
    module=__name__,
    options=(
        Option("decks", 1, (1,), "one deck with two Jokers, shuffled every round [LP-1]"),
        Option("pair_bets", "both", ("both", "la-paire", "any-paire"), "which pair bets the operator offers [LP-13]"),
    ),
    seats_max=8,  # [LP-17]
    seats_per_player=1,  # [LP-16]
    places=("first card", "La Pair'e card", "Poker card"),
    rules=lambda _options: Rules(2),
    wagers=wagers,
    pack=lambda _options: (1, 2),
    phrases=PHRASES,
    name_hand=name_hand,
)
