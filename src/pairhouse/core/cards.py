"""Cards as small integers: suit * 13 + rank, ace first, suits in the order clubs, diamonds, hearts, spades.

Two Jokers follow the 52 cards. Faces are written `A` `2` .. `10` `J` `Q` `K` with `c` `d` `h` `s`; Jokers `X1` `X2`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from pairhouse.core.errors import Refused, shown
from pairhouse.core.rule import rule

Card: TypeAlias = int
Rank: TypeAlias = int
Suit: TypeAlias = int

ACE, TEN, KING = 0, 9, 12
CLUBS, DIAMONDS, HEARTS, SPADES = 0, 1, 2, 3
JOKER = 52  # 52 and 53 are the Jokers; a Joker's "rank" is 13 where a game gives it a value of its own

RANK_NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
RANK_WORDS = (
    "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king",
)  # fmt: skip
FACES = (*(rank + suit for suit in "cdhs" for rank in RANK_NAMES), "X1", "X2")
SYMBOLS = (*(rank + suit for suit in "♣♦♥♠" for rank in RANK_NAMES), "🃏1", "🃏2")

_CARD_OF = {face: card for card, face in enumerate(FACES)}
_CARD_OF |= {"T" + suit: _CARD_OF["10" + suit] for suit in "cdhs"}


@rule
def rank(card: Card) -> Rank:
    """Ace 0, two 1, ... king 12."""
    return card % 13


@rule
def suit(card: Card) -> Suit:
    """Clubs 0, diamonds 1, hearts 2, spades 3; a Joker has none of these."""
    return card // 13


@rule
def is_joker(card: Card) -> bool:
    """Either Joker."""
    return card >= JOKER


@rule
def is_red(card: Card) -> bool:
    """A diamond or a heart."""
    return suit(card) == DIAMONDS or suit(card) == HEARTS


@rule
def is_black(card: Card) -> bool:
    """A club or a spade."""
    return suit(card) == CLUBS or suit(card) == SPADES


def parse(faces: Sequence[str]) -> list[Card]:
    """Cards from their faces, as `10h`, `Th` or `X1`."""
    try:
        return [_CARD_OF[face] for face in faces]
    except (KeyError, TypeError):
        place, face = next((i, f) for i, f in enumerate(faces, 1) if not isinstance(f, str) or f not in _CARD_OF)
        sentence = (
            f"card {place} is {shown(face)}; a card is A, 2 to 10 (or T), J, Q or K with c, d, h or s, or X1 or X2"
        )
        raise Refused("bad-card", sentence) from None


def pack(decks: int, jokers: int = 0) -> tuple[Card, ...]:
    """Every card of so many decks, unshuffled; Jokers belong to each deck."""
    return tuple(range(52 + jokers)) * decks


class PackOrder(Sequence[Card]):
    """An order of the cards of one pack, or the rest of one: `check_from` need not count its cards.

    Only for a class that cannot hold any other cards. `pack` is the decks it was made from, and Jokers in each.
    """

    __slots__ = ()
    pack: tuple[int, int]


def check_from(cards: Iterable[Card], decks: int, jokers: int = 0) -> None:
    """Refuse an order of cards that these decks cannot give."""
    if isinstance(cards, PackOrder):
        if cards.pack != (decks, jokers):
            given = "{} deck(s) with {} Jokers each".format(*cards.pack)
            raise Refused("bad-card", f"the cards are those of {given}; this game is dealt from {decks} with {jokers}")
        return
    for card, count in Counter(cards).items():
        if card >= 52 + jokers:
            raise Refused("bad-card", f"{FACES[card]} is not in the pack: this game is dealt without Jokers")
        if count > decks:
            held = f"{decks} deck{'s' * (decks > 1)} hold{'s' * (decks == 1)} only {decks}"
            raise Refused("bad-card", f"{FACES[card]} appears {count} times, but {held}")
