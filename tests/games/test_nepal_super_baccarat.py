"""Nepal Super Baccarat, rule by rule. Cards are dealt Player, Banker, Player, Banker, then the third cards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod
from random import Random
from typing import Any

import pytest

from pairhouse.core.cards import FACES, KING, RANK_NAMES, pack, parse
from pairhouse.core.errors import Refused
from pairhouse.core.game import VOID_REASONS
from pairhouse.core.shoe import Shoe
from pairhouse.games.nepal_super_baccarat import BANKER, GAME, PLAYER, TIE, Coup
from pairhouse.machines.replay import replay
from rule_tables import Case, book_rows, check, price, table

LAYOUT = [
    *["player", "banker", "tie", "player-pair", "banker-pair", "lucky-6"],
    *(f"player-on-{total}" for total in range(1, 10)),
    *(f"banker-on-{total}" for total in range(1, 10)),
    *(f"tie-on-{total}" for total in range(10)),
]
WORTH = {0: "K", 1: "A"} | {points: str(points) for points in range(2, 10)}  # a rank for each number of points
EVERY_WAGER = dict.fromkeys(LAYOUT, 2)


def hands(player: int, banker: int, *thirds: int) -> list[str]:
    """Faces of a coup with these two-card totals and third cards."""
    return [WORTH[player] + "c", WORTH[banker] + "d", "Qh", "Qs", *(WORTH[third] + "h" for third in thirds)]


def returns(faces: list[str], stakes: dict[str, int]) -> dict[str, int | None]:
    done = replay(GAME.variant(), parse(faces), [stakes])
    return {name: bet.returned for name, bet in done.bets[0].items()}


def laid(faces: str) -> list[int]:
    """Cards in dealing order."""
    return parse(faces.split())


def printed(rule: str) -> dict[str, Fraction]:
    """The prices that the rule book prints under a rule."""
    return {cells[0]: price(cells[-1]) for cells in book_rows(GAME.id, rule)}


def test_layout() -> None:
    """34 wagers, 28 of them on a winning total; any of them may stand alone, or all together. [NSB-8] [NSB-10]"""
    variant = GAME.variant()
    assert list(variant.wagers) == LAYOUT
    assert len(LAYOUT) == 34
    assert [variant.accept([{wager: 2}]) for wager in LAYOUT] == [[{wager: 2}] for wager in LAYOUT]
    assert variant.accept([EVERY_WAGER]) == [EVERY_WAGER]


PRINTED = [
    ("NSB-30", ["player"]),
    ("NSB-31", ["banker"]),
    ("NSB-32", ["tie"]),
    ("NSB-33", ["player-pair"]),
    ("NSB-33", ["banker-pair"]),
    ("NSB-34", ["lucky-6"]),
    ("NSB-35", LAYOUT[6:15]),
    ("NSB-36", LAYOUT[15:24]),
    ("NSB-37", LAYOUT[24:]),
]


@pytest.mark.parametrize(("rule", "wagers"), PRINTED)
def test_prices_are_those_of_the_book(rule: str, wagers: list[str]) -> None:
    """Price for price. [NSB-30] [NSB-31] [NSB-32] [NSB-33] [NSB-34] [NSB-35] [NSB-36] [NSB-37]"""
    prices = [row.pays for wager in wagers for row in GAME.variant().wagers[wager].paytable.rows]
    assert Counter(prices) == Counter(printed(rule).values())


# Whether the Banker draws (D) or stands (S), by the points of the Player's third card; last, when the Player stood.
DRAWING = {
    0: "DDDDDDDDDD D",
    1: "DDDDDDDDDD D",
    2: "DDDDDDDDDD D",
    3: "DDDDDDDDSD D",
    4: "SSDDDDDDSS D",
    5: "SSSSDDDDSS D",
    6: "SSSSSSDDSS S",
    7: "SSSSSSSSSS S",
}


@pytest.mark.parametrize("banker", DRAWING)
def test_drawing(banker: int) -> None:
    """Every two-card total of both hands with every third card.

    [NSB-16] [NSB-17] [NSB-18] [NSB-19] [NSB-20] [NSB-21] [NSB-22] [NSB-23] [NSB-24]
    """
    for player, third in product(range(8), range(10)):
        drawn = player <= 5
        done = replay(GAME.variant(), parse(hands(player, banker, third, 4)), [{"tie": 1}])
        banker_drew = DRAWING[banker][third if drawn else -1] == "D"
        assert [len(done.cards_at[place]) for place in (0, 1)] == [2 + drawn, 2 + banker_drew], (player, third)


@pytest.mark.parametrize(("player", "banker"), list(product(range(10), range(10))))
def test_winning_totals(player: int, banker: int) -> None:
    """Both hands draw to every total: one of the 28 bets wins, by its price in the book, and no other.

    [NSB-3] [NSB-10] [NSB-25] [NSB-26] [NSB-30] [NSB-31] [NSB-32] [NSB-35] [NSB-36] [NSB-37]
    """
    side = "tie" if player == banker else "player" if player > banker else "banker"
    total = max(player, banker)
    book = {"player": printed("NSB-35"), "banker": printed("NSB-36"), "tie": printed("NSB-37")}[side]
    pays = book["6, three cards" if (side, total) == ("banker", 6) else str(total)]
    returned = returns(hands(0, 0, player, banker), EVERY_WAGER)
    assert {name for name in LAYOUT[6:] if returned[name]} == {f"{side}-on-{total}"}
    assert returned[f"{side}-on-{total}"] == 2 + 2 * pays
    main = {"player": [4, 0, 0], "banker": [0, 3 if total == 6 else 4, 0], "tie": [2, 2, 18]}[side]
    assert [returned[name] for name in ("player", "banker", "tie")] == main


@pytest.mark.parametrize("face", FACES[:52])
def test_points(face: str) -> None:
    """A third card on two hands of nothing. [NSB-2]"""
    points = dict(zip(RANK_NAMES, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0], strict=True))[face[:-1]]
    wager = f"player-on-{points}" if points else "tie-on-0"
    assert returns(["Kc", "Qd", "Jh", "10s", face, "Kd"], {wager: 1})[wager] != 0


@table(
    "nepal-super-baccarat",
    """
    rule          | cards                | wagers                        | choices | result
    NSB-14 NSB-30 | 9c 3d Kh 4s          | player 100 banker 100 tie 100 |         | player 200 Player wins; banker 0 no win; tie 0 no win
    NSB-26 NSB-32 | 9c 5d Kh 4s          | player 100 banker 100 tie 100 |         | player 100 tie; banker 100 tie; tie 900 tie
    NSB-27 NSB-31 | 8c 5d Kh 4s          | player 100 banker 100 tie 100 |         | player 0 no win; banker 200 Banker wins; tie 0 no win
    NSB-31        | 2c 2d Kh 4s Kc       | player 100 banker 100 tie 100 |         | player 0 no win; banker 150 Banker wins on 6; tie 0 no win
    NSB-31        | 2c 2d Kh 5s Kc       | player 100 banker 100 tie 100 |         | player 0 no win; banker 200 Banker wins; tie 0 no win
    NSB-31        | Kc Kd Qh Qs Kh 6c    | player 100 banker 100 tie 100 |         | player 0 no win; banker 150 Banker wins on 6; tie 0 no win
    NSB-25 NSB-26 | 2c 2d Kh 4s 4c       | player 100 banker 100 tie 100 |         | player 100 tie; banker 100 tie; tie 900 tie
    NSB-25        | 2c 2d Kh 4s 5c       | player 100 banker 100 tie 100 |         | player 200 Player wins; banker 0 no win; tie 0 no win
    NSB-3         | 9c 7d 9h 6s          | player 100 banker 100 tie 100 |         | player 200 Player wins; banker 0 no win; tie 0 no win
    NSB-3 NSB-31  | 9c 7d 6h 9s 6c 10h   | player 100 banker 100 tie 100 |         | player 0 no win; banker 150 Banker wins on 6; tie 0 no win
    NSB-15        | 8c 2d Kh 7s          | player 100                    |         | player 0 no win
    NSB-15        | 5c 8d Kh Ks          | player 100                    |         | player 0 no win
    NSB-15 NSB-16 | 5c 7d Kh Ks          | player 100                    |         | refused too-few-cards
    NSB-15        | 8c 2d Kh Ks          | player 100                    |         | player 200 Player wins
    NSB-17 NSB-24 | 7c 2d Kh Ks          | player 100                    |         | refused too-few-cards
    NSB-17 NSB-24 | 7c 6d Kh Ks          | player 100                    |         | player 200 Player wins
    NSB-11        | 9c 3d Kh 4s          | player 100                    | draw    | refused spare-choices
    NSB-8         | 9c 3d Kh 4s          | dragon 100                    |         | refused unknown-wager
    NSB-13        | 9c 3d Kh 4s          | player 0                      |         | refused bad-stake
    """,
)
def test_main_wagers(case: Case) -> None:
    """Every row won, and missed by one card; four cards are enough exactly when both hands stand.

    [NSB-3] [NSB-11] [NSB-14] [NSB-15] [NSB-16] [NSB-17] [NSB-24] [NSB-25] [NSB-26] [NSB-27] [NSB-30] [NSB-31] [NSB-32]
    """
    check(case)


@table(
    "nepal-super-baccarat",
    """
    rule          | cards             | wagers                          | choices | result
    NSB-33        | 9c 3d 9h 4s       | player-pair 10 banker-pair 10   |         | player-pair 120 pair; banker-pair 0 no win
    NSB-33        | 9c 3d 10h 4s      | player-pair 10 banker-pair 10   |         | player-pair 0 no win; banker-pair 0 no win
    NSB-33        | 9c 4d Kh 4s       | player-pair 10 banker-pair 10   |         | player-pair 0 no win; banker-pair 120 pair
    NSB-33        | 9c 3d Kh 4s       | player-pair 10 banker-pair 10   |         | player-pair 0 no win; banker-pair 0 no win
    NSB-9         | 9c 4d 9h 4s       | player-pair 10 banker-pair 10   |         | player-pair 120 pair; banker-pair 120 pair
    NSB-28        | 9c 4d 9c 5s       | player-pair 10 banker-pair 10   |         | player-pair 120 pair; banker-pair 0 no win
    NSB-28        | Kc 4d Qh 5s       | player-pair 10 banker-pair 10   |         | player-pair 0 no win; banker-pair 0 no win
    NSB-29        | 9c 9d Kh Ks       | player-pair 10 banker-pair 10   |         | player-pair 0 no win; banker-pair 0 no win
    NSB-29        | 5c 2d Kh 3s 5h 2h | player-pair 10 banker-pair 10   |         | player-pair 0 no win; banker-pair 0 no win
    NSB-34 NSB-36 | Kc Kd Qh Qs Kh 6c | lucky-6 10 banker-on-6 10       |         | lucky-6 210 three-card six; banker-on-6 210 three-card six
    NSB-34 NSB-36 | Kc Kd Qh Qs Kh 7c | lucky-6 10 banker-on-6 10       |         | lucky-6 0 no win; banker-on-6 0 no win
    NSB-34 NSB-36 | Kc Kd Qh 6s Kh    | lucky-6 10 banker-on-6 10       |         | lucky-6 130 two-card six; banker-on-6 130 two-card six
    NSB-34 NSB-36 | Kc Kd Qh 7s Kh    | lucky-6 10 banker-on-6 10       |         | lucky-6 0 no win; banker-on-6 0 no win
    NSB-34 NSB-36 | Kc Kd Qh 5s Kh    | lucky-6 10 banker-on-5 10       |         | lucky-6 0 no win; banker-on-5 180 Banker on 5
    NSB-34 NSB-37 | 6c 6d Qh Qs       | lucky-6 10 tie-on-6 10          |         | lucky-6 0 no win; tie-on-6 410 Tie on 6
    NSB-34 NSB-35 | 6c 5d Qh Qs Kh    | lucky-6 10 player-on-6 10       |         | lucky-6 0 no win; player-on-6 120 Player on 6
    NSB-35        | 9c 8d Qh Qs       | player-on-9 10 player-on-8 10   |         | player-on-8 0 no win; player-on-9 70 Player on 9
    NSB-36        | 7c 8d Qh Qs       | banker-on-8 10 banker-on-7 10   |         | banker-on-7 0 no win; banker-on-8 80 Banker on 8
    """,
)
def test_pairs_and_sixes(case: Case) -> None:
    """Every row won, and missed by one card. [NSB-9] [NSB-28] [NSB-29] [NSB-33] [NSB-34] [NSB-35] [NSB-36] [NSB-37]"""
    check(case)


@table(
    "nepal-super-baccarat",
    """
    rule          | options          | cards             | wagers         | choices | result
    NSB-13        |                  | 2c 2d Kh 4s Kc    | banker 101     |         | refused bad-stake
    NSB-13 NSB-31 |                  | 2c 2d Kh 4s Kc    | banker 102     |         | banker 153 Banker wins on 6
    NSB-13 NSB-31 | rounding=down    | 2c 2d Kh 4s Kc    | banker 101     |         | banker 151 Banker wins on 6
    NSB-13 NSB-31 | rounding=up      | 2c 2d Kh 4s Kc    | banker 101     |         | banker 152 Banker wins on 6
    NSB-13 NSB-31 | rounding=nearest | 2c 2d Kh 4s Kc    | banker 101     |         | banker 152 Banker wins on 6
    NSB-13        | rounding=down    | 2c 2d Kh 4s Kc    | banker 1       |         | banker 1 Banker wins on 6
    NSB-13        | rounding=down    | 2c 2d Kh 5s Kc    | banker 101     |         | banker 202 Banker wins
    NSB-13        | rounding=half    | 2c 2d Kh 4s Kc    | banker 101     |         | refused bad-option
    NSB-1         | decks=4          | 9c 3d Kh 4s       | player 1       |         | refused bad-option
    NSB-1         | decks=9          | 9c 3d Kh 4s       | player 1       |         | refused bad-option
    NSB-1         | decks=5          | Kc Kc Kc Kc Kc Kc | player 1       |         | refused bad-card
    NSB-1         | decks=6          | Kc Kc Kc Kc Kc Kc | player 1       |         | player 1 tie
    NSB-1         |                  | 9c X1 Kh 4s       | player 1       |         | refused bad-card
    NSB-6         | cut_card=10      | 9c 3d Kh 4s       | player 1       |         | refused bad-option
    NSB-6         | cut_card=11      | 9c 3d Kh 4s       | player 1       |         | player 2 Player wins
    NSB-6         | cut_card=415     | 9c 3d Kh 4s       | player 1       |         | player 2 Player wins
    NSB-6         | cut_card=416     | 9c 3d Kh 4s       | player 1       |         | refused bad-option
    NSB-6         | decks=5 cut_card=259 | 9c 3d Kh 4s   | player 1       |         | player 2 Player wins
    NSB-6         | decks=5 cut_card=260 | 9c 3d Kh 4s   | player 1       |         | refused bad-option
    """,
)
def test_options_and_rounding(case: Case) -> None:
    """5 to 8 decks, a cut card that leaves room, and even stakes on Banker or a named rounding.

    [NSB-1] [NSB-6] [NSB-13] [NSB-31]
    """
    check(case)


def test_steps() -> None:
    """Only a Banker win with 6 can leave half a unit. [NSB-13]"""
    assert GAME.variant().steps == {wager: 2 if wager == "banker" else 1 for wager in LAYOUT}


@pytest.mark.parametrize("decks", [5, 6, 7, 8])
def test_pack(decks: int) -> None:
    """So many of each of the 52 cards, 8 decks by default. [NSB-1]"""
    variant = GAME.variant({"decks": decks})
    assert Counter(pack(*variant.pack)) == dict.fromkeys(range(52), decks)
    assert GAME.variant().options["decks"] == 8


def test_deal_and_bettors() -> None:
    """Player, Banker, Player, Banker, all face up; eight bettors share the cards, a ninth is refused. [NSB-12] [NSB-14]"""
    cards = laid("9c 3d Kh 4s")
    done = replay(GAME.variant(), cards, [{"player": stake} for stake in range(1, 9)])
    dealt = [(event.at, event.card, event.face) for event in done.events if event.kind == "dealt"]
    assert dealt == [("Player", "9c", "up"), ("Banker", "3d", "up"), ("Player", "Kh", "up"), ("Banker", "4s", "up")]
    assert [seat["player"].returned for seat in done.bets] == [2, 4, 6, 8, 10, 12, 14, 16]
    with pytest.raises(Refused, match="1 to 8"):
        replay(GAME.variant(), cards, [{"player": 1}] * 9)


def shuffled(decks: int) -> tuple[int, ...]:
    cards = list(pack(decks))
    Random(decks).shuffle(cards)
    return tuple(cards)


def coups(shoe: Shoe, decks: int = 8) -> Iterator[Shoe]:
    """Deal the shoe down, coup by coup."""
    while not shoe.finished:
        done = replay(GAME.variant({"decks": decks}), shoe.rest, [{"tie": 1}])
        shoe = shoe.after(done.cards_used)
        yield shoe


def test_every_wager_is_judged_by_itself() -> None:
    """Alone or with all the others, a wager returns the same over a whole shoe. [NSB-9]"""
    shoe = Shoe(shuffled(8), 14)
    for dealt in [0, *(after.dealt for after in coups(shoe))][:-1]:
        faces = [FACES[card] for card in shoe.cards[dealt : dealt + 6]]
        alone = {wager: returns(faces, {wager: 2})[wager] for wager in LAYOUT}
        assert returns(faces, EVERY_WAGER) == alone


def test_coups_follow_each_other_in_a_shoe() -> None:
    """From the first card, with none burnt or skipped, until one coup after the cut card. [NSB-4] [NSB-5]"""
    assert GAME.shoe
    cut_card = GAME.variant().options["cut_card"]
    assert cut_card == 14
    shoe = Shoe(shuffled(8), cut_card)
    dealt: list[int] = []
    states = [shoe, *coups(shoe)]
    for before in states[:-1]:
        done = replay(GAME.variant(), before.rest, [{"tie": 1}])
        dealt += parse([event.card or "" for event in done.events if event.kind == "dealt"])
    assert tuple(dealt) == shoe.cards[: len(dealt)]
    left = [len(state.rest) for state in states]
    assert left[-3] > 14 >= left[-2] > left[-1]


@pytest.mark.parametrize(
    ("left", "used", "last_round"),
    [(20, 5, False), (20, 6, True), (18, 4, True), (15, 4, True), (19, 4, False), (416, 6, False)],
)
def test_cut_card(left: int, used: int, last_round: bool) -> None:
    """Once no more than 14 cards are left, one more coup is dealt and the shoe ends. [NSB-5]"""
    shoe = Shoe(shuffled(8), 14, dealt=416 - left).after(used)
    assert (shoe.last_round, shoe.finished) == (last_round, False)
    assert shoe.after(4).finished == last_round


@pytest.mark.parametrize("left", range(12, 18))
def test_the_last_coup_can_always_be_finished(left: int) -> None:
    """The lowest cut card, and coups of six cards to the end: the shoe never runs out. [NSB-6]"""
    zeros = parse([rank + suit for rank in ("10", "J", "Q", "K") for suit in "cdhs"] * 5)
    others = [card for card in pack(5) if card not in zeros]
    cards = tuple(others + zeros)
    states = list(coups(Shoe(cards, 11, dealt=260 - left), decks=5))
    assert [len(state.rest) for state in states] == [left - 6, left - 12]


class CountedCoup:
    """A table that deals the points it is given and keeps what the coup came to."""

    def __init__(self, points: Sequence[int]) -> None:
        self.cards = [point - 1 if point else KING for point in points]
        self.winner: int | None = None

    def draw(self, _place: int) -> int:
        return self.cards.pop(0)

    def say(self, *_words: int) -> None: ...

    def settle(self, _seat: int, coup: Coup) -> None:
        self.winner = coup.winner


def endings(points: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int | None]]:
    """The ways a coup can go on after these points, each with its winner."""
    coup: Any = CountedCoup(points)
    try:
        GAME.play(coup, GAME.variant().rules)
    except IndexError:
        for third in range(10):
            yield from endings((*points, third))
    else:
        yield points, coup.winner


def orders(points: Sequence[int]) -> int:
    """How many orders of the first six cards of eight fresh decks begin with these points."""
    left = [128, *[32] * 9]
    count = prod(range(411, 417 - len(points)))
    for point in points:
        count *= left[point]
        left[point] -= 1
    return count


def test_prices_are_those_of_a_fresh_shoe() -> None:
    """Every coup of eight fresh decks, against the known numbers of Player wins, Banker wins and ties. [NSB-7]"""
    counts: Counter[int | None] = Counter()
    for player, banker in product(combinations_with_replacement(range(10), 2), repeat=2):
        swaps = len(set(player)) * len(set(banker))
        for points, winner in endings((player[0], banker[0], player[1], banker[1])):
            counts[winner] += swaps * orders(points)
    assert counts[PLAYER] == 2_230_518_282_592_256
    assert counts[BANKER] == 2_292_252_566_437_888
    assert counts[TIE] == 475_627_426_473_216


@pytest.mark.parametrize("reason", VOID_REASONS)
def test_void(reason: str) -> None:
    """Every stake comes back, those already won or lost too. [NSB-38]"""
    stakes = [EVERY_WAGER, {"player": 5}]
    done = replay(GAME.variant(), laid("9c 3d Kh 4s"), stakes, void=reason)
    assert [{name: bet.returned for name, bet in bets.items()} for bets in done.bets] == stakes
