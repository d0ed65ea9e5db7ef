"""A draw game with wild Jokers, from one deck and from eight: every hand and every way to keep, by plain sums."""

from fractions import Fraction
from pathlib import Path

import pytest

from gallery_games import written
from pairhouse.analysis.methods.registry import method_of

JOKER_PAIR = '''
from typing import NamedTuple

from pairhouse.kit import (
    Action, Game, Option, Paytable, Shortcuts, Wager, choose, draw_private, is_joker, rank, row, rule, settle, show, spot,
)  # fmt: skip

NOTHING, PAIR, ACES, JOKERS = 0, 1, 2, 3


class Rules(NamedTuple):
    jokers: int


class Hand(NamedTuple):
    kind: int


@rule
def face(card):
    """The rank; 13 for a Joker."""
    return 13 if is_joker(card) else rank(card)


@rule
def kind_of(a, b):
    if a == 13 and b == 13:
        return JOKERS
    if a == 13 or b == 13 or a == b:
        return ACES if min(a, b) == 0 else PAIR
    return NOTHING


@rule
def play(table, rules):
    """Two cards; keep any; the others are replaced."""
    place = spot(1, 0)
    a, b = face(draw_private(table, place)), face(draw_private(table, place))
    action = choose(table, place, 15, a * 14 + b)
    if action == 1 or action == 4:
        a = face(draw_private(table, place))
    if action == 1 or action == 2:
        b = face(draw_private(table, place))
    show(table, place)
    settle(table, place, Hand(kind_of(a, b)))


PAYS = Paytable("Bet", "", (
    row("two Jokers", 50, lambda h: h.kind == JOKERS), row("aces", 4, lambda h: h.kind == ACES),
    row("pair", 2, lambda h: h.kind == PAIR),
))  # fmt: skip
GAME = Game(
    id="joker-pair", name="Joker Pair", cites="JP", summary="Make a pair with wild Jokers.", play=play, module=__name__,
    seats_max=1, seats_per_player=1, places=("machine",),
    options=(Option("jokers", 2, (1, 2, 3), "Jokers in the pack"), Option("decks", 2, (1, 2, 3, 4, 5, 6, 7, 8), "decks")),
    rules=lambda options: Rules(options["jokers"]), pack=lambda options: (options["decks"], options["jokers"]),
    wagers=lambda _options: (Wager("bet", "Bet", PAYS, Hand, opens=True),),
    actions=(Action("draw-both", "0"), Action("keep-first", "1"), Action("keep-second", "2"), Action("keep-both", "3")),
    shortcuts=Shortcuts(same=face),
)  # fmt: skip
'''
JOKER = 13


def pays(a: int, b: int) -> int:
    if a == b == JOKER:
        return 50
    if JOKER in (a, b) or a == b:
        return 4 if min(a, b) == 0 else 2
    return -1


def plainly(decks: int, jokers: int) -> Fraction:
    pack = dict.fromkeys(range(13), 4 * decks) | {JOKER: jokers * decks}
    size, total = sum(pack.values()), Fraction(0)
    for a in pack:
        for b in pack:
            ways = pack[a] * (pack[b] - (a == b))
            if ways <= 0:
                continue
            left = dict(pack)
            left[a] -= 1
            left[b] -= 1
            first = sum(Fraction(left[c] * pays(a, c), size - 2) for c in left)
            second = sum(Fraction(left[c] * pays(c, b), size - 2) for c in left)
            none = sum(left[c] * (left[d] - (c == d)) * pays(c, d) for c in left for d in left)
            total += ways * max(Fraction(pays(a, b)), first, second, Fraction(none, (size - 2) * (size - 3)))
    return total / (size * (size - 1))


@pytest.mark.slow
def test_best_play_with_wild_jokers(tmp_path: Path) -> None:
    with written(tmp_path, "joker_pair", JOKER_PAIR) as game:
        for decks, jokers in ((1, 1), (1, 3), (2, 2), (8, 1)):
            found = method_of(game.variant({"decks": decks, "jokers": jokers})).exact_price("bet")
            assert found.ev == plainly(decks, jokers), (decks, jokers)
