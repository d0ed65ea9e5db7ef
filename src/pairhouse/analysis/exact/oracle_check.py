"""The compiled count held to the oracle: the same rule book, walked card by card in plain Python, on a small deck."""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from pairhouse.analysis.exact.counts import COUNTINGS, counted
from pairhouse.core.cards import Card, parse
from pairhouse.core.game import Variant
from pairhouse.core.tally import Story, Tally
from pairhouse.games import la_paire, three_card_poker
from pairhouse.games import nepal_super_baccarat as baccarat
from pairhouse.machines.count_hands import count_hands
from pairhouse.machines.enumerate import enumerate_rounds
from pairhouse.machines.stories import unpack

# Small enough to walk through in a second, mixed enough to meet every kind of row.
SMALL_DECKS: Mapping[Callable[..., Any], str] = {
    baccarat.play: "Ac Ac 3d 4h 6s 9c Kd 2h",
    la_paire.play: "Ac Ad Kc Qc X1 X2 2h 3h 4h Jc Qd",
    three_card_poker.play: "Ac Kc Qc 2d 3h 4s 4h Jd",
}
BLACKJACK_DECK = "Ac Ac Ac Ad Ah Kc Qc 2c 2c 3c 3d 10h 10s"

Chances = dict[tuple[Any, ...], Fraction]  # what was settled, in order -> how likely


class OracleCheck(msgspec.Struct, frozen=True):
    """A small deck, how many different stories it tells, and whether both machines give each the same chance."""

    deck: str
    stories: int
    agree: bool


def oracle_check(variant: Variant) -> OracleCheck:
    """Run both machines on the small deck of a game."""
    deck = SMALL_DECKS.get(variant.game.play, BLACKJACK_DECK)
    cards = parse(deck.split())
    if variant.game.play is three_card_poker.play:
        answers = (three_card_poker.PLAY, three_card_poker.FOLD)
        checks = [_three_card(variant, cards, answer) for answer in answers]
        return OracleCheck(deck, sum(number for number, _ in checks), all(agree for _, agree in checks))
    play = COUNTINGS[variant.game.play].play
    slow = _told(enumerate_rounds(play, variant.rules, cards))
    tally = counted(variant, cards)
    fast = _chances({story: Fraction(ways, tally.total) for story, ways in tally.stories.items()})
    return OracleCheck(deck, len(slow), slow == fast)


def _three_card(variant: Variant, cards: list[Card], answer: int) -> tuple[int, bool]:
    """Three Card Poker with every hand played, or every hand folded."""
    kinds = (three_card_poker.Showdown,)
    found = count_hands(variant.game.play, variant.rules, kinds, cards, answer)
    total = sum(found.values())
    fast: Counter[Story] = Counter()
    for (_, packed), ways in found.items():
        fast[unpack(packed, kinds)] += ways
    slow = _told(enumerate_rounds(variant.game.play, variant.rules, cards, strategy=lambda _legal, _situation: answer))
    return len(slow), slow == _chances({story: Fraction(ways, total) for story, ways in fast.items()})


def _told(tally: Tally) -> Chances:
    return _chances(tally.weights)


def _chances(weights: dict[Story, Fraction]) -> Chances:
    """Stories without their seats: what is settled for every seat is settled for this one."""
    found: Chances = {}
    for story, weight in weights.items():
        what = tuple(happened for _, happened in story)
        found[what] = found.get(what, Fraction(0)) + weight
    return found
