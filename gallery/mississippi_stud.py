"""Mississippi Stud: two own cards and three of the community; before each, fold or raise."""

from typing import NamedTuple

from pairhouse.kit import (
    FLUSH, FOUR, FULL_HOUSE, LOSES, PAIR, PUSH, ROYAL_FLUSH, STRAIGHT, STRAIGHT_FLUSH, THREE, TWO_PAIR, Action, Game,
    Option, Paytable, Shortcuts, Wager, choose, draw, draw_private, poker_kind, poker_leading, poker_strength, row,
    rule, settle, show, spot,
)  # fmt: skip

COMMUNITY = 0
FOLD, ONE, TWO, THREE_TIMES = 1, 2, 4, 8
ANY = FOLD | ONE | TWO | THREE_TIMES
SIX, JACK = 6, 11
PRICES = (("royal flush", ROYAL_FLUSH, 500), ("straight flush", STRAIGHT_FLUSH, 100), ("four of a kind", FOUR, 40),
          ("full house", FULL_HOUSE, 10), ("flush", FLUSH, 6), ("straight", STRAIGHT, 4), ("three of a kind", THREE, 3),
          ("two pair", TWO_PAIR, 2))  # fmt: skip


class Rules(NamedTuple):
    decks: int


class Done(NamedTuple):
    """Whether it was folded, what the hand is, the height of its pair, and how often one, two and three were raised."""

    folded: bool
    kind: int
    pair: int
    ones: int
    twos: int
    threes: int


@rule
def play(table, rules):
    """Two own cards; three times fold or raise one, two or three antes before the next community card."""
    place = spot(1, 0)
    a, b = draw_private(table, place), draw_private(table, place)
    seen, ones, twos, threes = 1 << a | 1 << b, 0, 0, 0
    c, d, e = -1, -1, -1
    for turn in range(3):
        action = choose(table, place, ANY, (seen << 2 | turn) << 4 | (ones + 2 * twos + 3 * threes))
        if action == FOLD:
            settle(table, place, Done(True, 0, 0, ones, twos, threes))
            return
        ones, twos, threes = ones + int(action == ONE), twos + int(action == TWO), threes + int(action == THREE_TIMES)
        c, d, e = d, e, draw(table, COMMUNITY)
        seen |= 1 << e
    show(table, place)
    found = poker_strength(a, b, c, d, e)
    pair = poker_leading(found) if poker_kind(found) == PAIR else 0
    settle(table, place, Done(False, poker_kind(found), pair, ones, twos, threes))


def pays(name):
    rows = [row(words, price, lambda done, kind=kind: done.kind == kind) for words, kind, price in PRICES]
    folded = row("folded", LOSES, lambda done: done.folded)
    return Paytable(name, "", (
        folded, *rows, row("jacks or better", 1, lambda done: done.pair >= JACK),
        row("sixes to tens", PUSH, lambda done: done.pair >= SIX),
    ))  # fmt: skip


def raised(times, name, count):
    return Wager(f"raise-{times}", name, pays(name), Done, base="ante", multiple=times, times=count)


GAME = Game(
    id="mississippi-stud", name="Mississippi Stud", cites="MS",
    summary="Raise three times on a hand that grows, or fold.",
    play=play, module=__name__, seats_max=1, seats_per_player=1, places=("community",),
    options=(Option("decks", 1, (1,), "one deck, shuffled every round"),),
    rules=lambda options: Rules(options["decks"]), pack=lambda options: (options["decks"], 0),
    wagers=lambda _options: (
        Wager("ante", "Ante", pays("Ante"), Done, opens=True),
        raised(1, "Raise one", lambda done: done.ones),
        raised(2, "Raise two", lambda done: done.twos),
        raised(3, "Raise three", lambda done: done.threes),
    ),
    actions=(Action("fold", "f"), Action("one", "1", wager="raise-1", base="ante"),
             Action("two", "2", wager="raise-2", base="ante"), Action("three", "3", wager="raise-3", base="ante")),
    units_max=lambda _rules: 10,
    shortcuts=Shortcuts(suits_alike=True, any_order=True, one_hand=True),
)  # fmt: skip
