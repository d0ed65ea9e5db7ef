"""La Pair'e, rule by rule. Cards are the First Card, the La Pair'e Card and the Poker card."""

import re
from itertools import combinations, permutations

import pytest

from pairhouse.core.cards import FACES, pack, parse
from pairhouse.core.errors import Refused
from pairhouse.core.game import VOID_REASONS
from pairhouse.games.la_paire import GAME, Poker, poker_hand
from pairhouse.machines.replay import replay
from rule_tables import Case, book_rows, check, price, rule_text, table

# The layout of the book as squares (row, column); Ace and Joker are two squares high.
SQUARES = {
    "A": {(0, 0), (1, 0)},
    **{name: {(0, column)} for column, name in enumerate(["2", "3", "4", "5", "6", "7"], 1)},
    **{name: {(1, column)} for column, name in enumerate(["8", "9", "10", "J", "Q", "K"], 1)},
    "joker": {(0, 7), (1, 7)},
}
VALUES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "joker"]
WAGERS = list(GAME.variant().wagers)
ON_VALUES = [wager for wager in WAGERS if wager.split("-")[0] in {"card", "split", "three", "corner"}]
EVERY_WAGER = dict.fromkeys(WAGERS, 1)


def printed(rule: str) -> dict[str, int]:
    """The prices that the rule book prints under a rule, all to 1."""
    return {cells[0]: int(price(cells[-1])) for cells in book_rows(GAME.id, rule)}


def named(rule: str) -> list[str]:
    """The wagers that the rule book names under a rule."""
    return re.findall(r"`([\w-]+)`", rule_text(GAME.id, rule))


def covered(wager: str) -> frozenset[str]:
    """The values a wager lies on, from its name."""
    return frozenset(wager.split("-")[1:])


def value_of(face: str) -> str:
    return "joker" if face[0] == "X" else face[:-1]


def returns(faces: list[str], stakes: dict[str, int]) -> dict[str, int | None]:
    done = replay(GAME.variant(), parse(faces), [stakes])
    return {name: bet.returned for name, bet in done.bets[0].items()}


def touch(first: str, second: str) -> bool:
    """Two values touch when a square of one lies beside or above a square of the other."""
    return any(abs(r - s) + abs(c - d) == 1 for r, c in SQUARES[first] for s, d in SQUARES[second])


def test_pack() -> None:
    """54 cards: the usual 52 and two Jokers, of 14 values. [LP-1] [LP-2]"""
    deck = [FACES[card] for card in pack(*GAME.variant().pack)]
    assert len(set(deck)) == len(deck) == 54
    assert {value: [value_of(face) for face in deck].count(value) for value in VALUES} == {
        value: 2 if value == "joker" else 4 for value in VALUES
    }


def test_layout() -> None:
    """14 values, 20 edges, 2 threes and 5 corners, found from the picture of the table.

    [LP-5] [LP-6] [LP-7] [LP-8] [LP-9]
    """
    picture = re.findall(r"[^\s|+-]+", rule_text(GAME.id, "LP-5").split("```")[1])
    assert " ".join(picture) == "2 3 4 5 6 7 Ace Joker 8 9 10 J Q K"
    edges = [frozenset(pair) for pair in combinations(VALUES, 2) if touch(*pair)]
    threes = [frozenset(three) for three in combinations(VALUES, 3) if all(touch(*p) for p in combinations(three, 2))]
    points = [{(0, column), (0, column + 1), (1, column), (1, column + 1)} for column in range(7)]
    around = [frozenset(value for value in VALUES if SQUARES[value] & point) for point in points]
    corners = [values for values in around if len(values) == 4]
    assert (len(VALUES), len(edges), len(threes), len(corners)) == (14, 20, 2, 5)
    on_layout = [frozenset([value]) for value in VALUES] + edges + threes + corners
    assert sorted(map(sorted, on_layout)) == sorted(sorted(covered(wager)) for wager in ON_VALUES)


def test_wagers_are_those_of_the_book() -> None:
    """Name for name; 41 on values, 14 on named pairs, and four more. [LP-6] [LP-7] [LP-8] [LP-9] [LP-11] [LP-12]"""
    book = {rule: named(rule) for rule in ("LP-6", "LP-7", "LP-8", "LP-9", "LP-11", "LP-12")}
    assert [len(names) for names in book.values()] == [14, 20, 2, 5, 14, 4]
    assert sorted(WAGERS) == sorted(name for names in book.values() for name in names)


def test_prices_are_those_of_the_book() -> None:
    """Every wager and every row. [LP-32] [LP-33] [LP-34] [LP-35] [LP-36] [LP-37] [LP-38] [LP-39] [LP-40]"""
    prices = {name: [row.pays for row in wager.paytable.rows] for name, wager in GAME.variant().wagers.items()}
    for wager in ON_VALUES:
        assert prices[wager] == [book_price(wager)], wager
    for value in VALUES:
        assert prices[f"paire-{value}"] == [printed("LP-38")["Joker" if value == "joker" else "Ace to King"]]
    for wager, rule in (("red", "LP-36"), ("black", "LP-37"), ("any-paire", "LP-39"), ("poker", "LP-40")):
        assert prices[wager] == list(printed(rule).values())


def book_price(wager: str) -> int:
    """What the book pays on a First Card wager."""
    if wager.startswith("card-"):
        return printed("LP-32")["Joker" if wager == "card-joker" else "Ace to King"]
    if wager.startswith("three-"):
        return printed("LP-34")["2, 8, Ace" if "A" in covered(wager) else "7, K, Joker"]
    return printed("LP-33")["Any split"] if wager.startswith("split-") else printed("LP-35")["Any corner"]


@pytest.mark.parametrize("wager", ON_VALUES)
def test_first_card(wager: str) -> None:
    """On each of the 54 cards: it wins if it covers the value, whatever the suit, and opens the game alone.

    [LP-2] [LP-10] [LP-24] [LP-32] [LP-33] [LP-34] [LP-35]
    """
    pays = {"card": 12, "split": 5, "corner": 2}.get(wager.split("-", maxsplit=1)[0], 0)
    pays = {"card-joker": 25, "three-2-8-A": 3, "three-7-K-joker": 4}.get(wager, pays)
    for first in FACES:
        second, third = [face for face in ("4c", "9d", "Kh") if face != first][:2]
        won = value_of(first) in covered(wager)
        assert returns([first, second, third], {wager: 3}) == {wager: 3 + 3 * pays if won else 0}, first


@pytest.mark.parametrize("wager", [wager for wager in WAGERS if wager not in ON_VALUES])
def test_other_wagers_do_not_open_the_game(wager: str) -> None:
    """Red, Black, pairs and Poker need a wager on values beside them. [LP-10]"""
    with pytest.raises(Refused) as refused:
        GAME.variant().accept([{wager: 1}])
    assert refused.value.code == "no-opening-wager"
    assert GAME.variant().accept([{wager: 1, "corner-2-3-8-9": 1}]) == [{"corner-2-3-8-9": 1, wager: 1}]


def test_every_first_pair() -> None:
    """All 2,862 orders of two cards: one named bet wins on a pair, two Jokers included, and none on other cards.

    [LP-3] [LP-11] [LP-25] [LP-26] [LP-38] [LP-39]
    """
    stakes = {"card-A": 1} | {f"paire-{value}": 1 for value in VALUES} | {"any-paire": 1}
    for first, second in permutations(FACES, 2):
        third = next(face for face in FACES if face not in (first, second))
        returned = returns([first, second, third], stakes)
        won = {name: back for name, back in returned.items() if back and name != "card-A"}
        value = value_of(first)
        if value != value_of(second):
            assert won == {}
        elif value == "joker":
            assert won == {"paire-joker": 1301, "any-paire": 51}
        else:
            assert won == {f"paire-{value}": 226, "any-paire": 17}


RUNS = ["A23", "234", "345", "456", "567", "678", "789", "89T", "9TJ", "TJQ", "JQK", "QKA"]
ROWS = ["two Jokers", "mini royal", "straight flush", "three of a kind", "straight", "flush", "no win"]  # highest first


def by_the_book(faces: tuple[str, ...]) -> str:
    """The row of a hand; a Joker tries all the cards that are not in it."""
    jokers = [face for face in faces if face[0] == "X"]
    if len(jokers) == 2:
        return "two Jokers"
    if jokers:
        others = tuple(face for face in faces if face not in jokers)
        return min((by_the_book((*others, face)) for face in FACES[:52] if face not in others), key=ROWS.index)
    ranks = {face[:-1].replace("10", "T") for face in faces}
    suited = len({face[-1] for face in faces}) == 1
    if ranks in [set(run) for run in RUNS]:
        if not suited:
            return "straight"
        return "mini royal" if ranks == set("AKQ") else "straight flush"
    if len(ranks) == 1:
        return "three of a kind"
    return "flush" if suited else "no win"


def test_every_poker_hand() -> None:
    """All 24,804 hands, those with a Joker in each order. [LP-27] [LP-28] [LP-29] [LP-30] [LP-31] [LP-40]"""
    paid = GAME.variant().wagers["poker"].paytable.paid
    for faces in combinations(FACES, 3):
        row = by_the_book(faces)
        for a, b, c in permutations(parse(faces)) if "X" in faces[2] else [parse(faces)]:
            assert paid(Poker(poker_hand(a, b, c))).name == row, faces


@table(
    "la-paire",
    """
    rule        | cards    | wagers                             | choices | result
    LP-40 LP-27 | X1 X2 5c | card-A 10 poker 10                 |         | card-A 0 no win; poker 1010 two Jokers
    LP-40 LP-27 | X1 Ac X2 | card-A 10 poker 10                 |         | card-A 0 no win; poker 1010 two Jokers
    LP-40       | X1 Jd 5c | card-A 10 poker 10                 |         | card-A 0 no win; poker 0 no win
    LP-40 LP-31 | Ac Kc Qc | card-A 10 poker 10                 |         | card-A 130 A; poker 510 mini royal
    LP-40 LP-29 | Jc Kc Qc | card-A 10 poker 10                 |         | card-A 0 no win; poker 210 straight flush
    LP-40 LP-29 | Ac Kc Qd | card-A 10 poker 10                 |         | card-A 130 A; poker 40 straight
    LP-40       | Ac Kc Jc | card-A 10 poker 10                 |         | card-A 130 A; poker 30 flush
    LP-28       | Kc Qc X1 | card-K 10 poker 10                 |         | card-K 130 K; poker 510 mini royal
    LP-28       | Kc X1 Qd | card-K 10 poker 10                 |         | card-K 130 K; poker 40 straight
    LP-28       | X2 Kc Jc | card-K 10 poker 10                 |         | card-K 0 no win; poker 210 straight flush
    LP-28       | Kc X1 9c | card-K 10 poker 10                 |         | card-K 130 K; poker 30 flush
    LP-28 LP-29 | Kc X1 2c | card-K 10 poker 10                 |         | card-K 130 K; poker 30 flush
    LP-28 LP-29 | Ac X1 3c | card-A 10 poker 10                 |         | card-A 130 A; poker 210 straight flush
    LP-28       | 9c 9d X1 | card-9 10 poker 10                 |         | card-9 130 9; poker 110 three of a kind
    LP-28 LP-30 | 9c Kd X1 | card-9 10 poker 10                 |         | card-9 130 9; poker 0 no win
    LP-29 LP-30 | Kc 2d X1 | card-9 10 poker 10                 |         | card-9 0 no win; poker 0 no win
    LP-40       | 5c 6c 7c | card-9 10 poker 10                 |         | card-9 0 no win; poker 210 straight flush
    LP-40       | 5c 6c 8c | card-9 10 poker 10                 |         | card-9 0 no win; poker 30 flush
    LP-40       | 9c 9d 9h | card-9 10 poker 10                 |         | card-9 130 9; poker 110 three of a kind
    LP-30       | 9c 9d 8h | card-9 10 poker 10                 |         | card-9 130 9; poker 0 no win
    LP-40 LP-29 | Ac 2d 3h | card-A 10 poker 10                 |         | card-A 130 A; poker 40 straight
    LP-29       | Kc Ad 2h | card-K 10 poker 10                 |         | card-K 130 K; poker 0 no win
    LP-40       | 2c 7c Jc | card-2 10 poker 10                 |         | card-2 130 2; poker 30 flush
    LP-30       | 2c 7c Jd | card-2 10 poker 10                 |         | card-2 130 2; poker 0 no win
    LP-36 LP-37 | 7d 2c 3c | card-A 10 red 10 black 10          |         | card-A 0 no win; red 20 red; black 0 no win
    LP-36 LP-37 | 7h 2c 3c | card-A 10 red 10 black 10          |         | card-A 0 no win; red 20 red; black 0 no win
    LP-36 LP-37 | 7c 2c 3c | card-A 10 red 10 black 10          |         | card-A 0 no win; red 0 no win; black 20 black
    LP-36 LP-37 | 7s 2c 3c | card-A 10 red 10 black 10          |         | card-A 0 no win; red 0 no win; black 20 black
    LP-4        | X1 2c 3c | card-joker 10 red 10 black 10      |         | card-joker 260 joker; red 0 no win; black 0 no win
    LP-4        | X2 2c 3c | card-joker 10 red 10 black 10      |         | card-joker 260 joker; red 0 no win; black 0 no win
    LP-25 LP-38 | 7c 7d 2h | card-A 10 paire-7 10 any-paire 10  |         | card-A 0 no win; paire-7 2260 pair of 7s; any-paire 170 pair
    LP-25 LP-38 | 7c 8d 2h | card-A 10 paire-7 10 any-paire 10  |         | card-A 0 no win; paire-7 0 no win; any-paire 0 no win
    LP-25       | 8c 8d 2h | card-A 10 paire-7 10 any-paire 10  |         | card-A 0 no win; paire-7 0 no win; any-paire 170 pair
    LP-25       | 7c 2d 7h | card-A 10 paire-7 10 any-paire 10  |         | card-A 0 no win; paire-7 0 no win; any-paire 0 no win
    LP-3 LP-39  | X1 X2 2h | card-A 10 paire-joker 10 any-paire 10 |      | card-A 0 no win; paire-joker 13010 pair of Jokers; any-paire 510 pair of Jokers
    LP-3        | 7c X1 2h | card-A 10 paire-7 10 any-paire 10  |         | card-A 0 no win; paire-7 0 no win; any-paire 0 no win
    LP-33       | Kc 2d 3d | split-K-joker 10 split-Q-K 10      |         | split-Q-K 60 Q or K; split-K-joker 60 K or joker
    LP-33       | Jc 2d 3d | split-K-joker 10 split-Q-K 10      |         | split-Q-K 0 no win; split-K-joker 0 no win
    """,
)
def test_settlement(case: Case) -> None:
    """Every row of Poker, colours and pairs won, and missed by one card.

    [LP-3] [LP-4] [LP-25] [LP-26] [LP-27] [LP-28] [LP-29] [LP-30] [LP-31] [LP-33] [LP-36] [LP-37] [LP-38] [LP-39]
    [LP-40]
    """
    check(case)


@table(
    "la-paire",
    """
    rule  | options             | cards    | wagers                  | choices | result
    LP-13 |                     | 7c 7d 2h | card-7 1 paire-7 1 any-paire 1 |  | card-7 13 7; paire-7 226 pair of 7s; any-paire 17 pair
    LP-13 | pair_bets=la-paire  | 7c 7d 2h | card-7 1 paire-7 1      |         | card-7 13 7; paire-7 226 pair of 7s
    LP-13 | pair_bets=la-paire  | 7c 7d 2h | card-7 1 any-paire 1    |         | refused unknown-wager
    LP-13 | pair_bets=any-paire | 7c 7d 2h | card-7 1 any-paire 1    |         | card-7 13 7; any-paire 17 pair
    LP-13 | pair_bets=any-paire | 7c 7d 2h | card-7 1 paire-7 1      |         | refused unknown-wager
    LP-13 | pair_bets=none      | 7c 7d 2h | card-7 1                |         | refused bad-option
    LP-1  |                     | X1 X1 2h | card-7 1                |         | refused bad-card
    LP-1  | decks=2             | 7c 7d 2h | card-7 1                |         | refused bad-option
    LP-7  |                     | 7c 7d 2h | split-A-3 1             |         | refused unknown-wager
    LP-15 |                     | 7c 7d 2h | card-7 1                | more    | refused spare-choices
    LP-16 |                     | 7c 7d 2h | card-7 1 red 4 / card-7 20 / card-8 300 | | card-7 13 7; red 0 no win / card-7 260 7 / card-8 0 no win
    LP-18 |                     | 7c 7d 2h | card-7 0                |         | refused bad-stake
    LP-19 |                     | 7c 7d    | card-7 1                |         | refused too-few-cards
    """,
)
def test_options_and_refusals(case: Case) -> None:
    """What the operator offers, and what is not on the table. [LP-1] [LP-7] [LP-13] [LP-15] [LP-16] [LP-18] [LP-19]"""
    check(case)


def test_bettors() -> None:
    """Eight bettors share the three cards, each paid on a stake of their own; a ninth is refused. [LP-16] [LP-17]"""
    cards = parse(["7c", "7d", "2h"])
    done = replay(GAME.variant(), cards, [{"card-7": stake} for stake in range(1, 9)])
    assert [bets["card-7"].returned for bets in done.bets] == [13, 26, 39, 52, 65, 78, 91, 104]
    assert (done.cards_used, GAME.seats_per_player) == (3, 1)
    with pytest.raises(Refused, match="1 to 8"):
        replay(GAME.variant(), cards, [{"card-7": 1}] * 9)


@pytest.mark.parametrize("faces", ["7c 7d 2h", "X1 X2 5c", "Ac Kc Qc", "8h Qs X1"])
def test_wagers_are_settled_by_themselves(faces: str) -> None:
    """All 59 together return what each returns beside an opening wager; a stake of one unit is exact. [LP-14] [LP-18]"""
    alone = {wager: returns(faces.split(), {"card-A": 1, wager: 1})[wager] for wager in WAGERS}
    assert returns(faces.split(), EVERY_WAGER) == alone
    assert GAME.variant().steps == EVERY_WAGER


def told(faces: str, stakes: dict[str, int]) -> list[str]:
    """The acts of a round in order: what was dealt, turned up, said and settled."""
    done = replay(GAME.variant(), parse(faces.split()), [stakes])
    return [f"{e.kind} {e.card or e.text or e.wager} {e.face or ''}".strip() for e in done.events]


def test_one_card_at_a_time() -> None:
    """Dealt face down, turned up in order, each card's wagers settled before the next. [LP-19] [LP-20] [LP-21] [LP-23]"""
    stakes = {"card-7": 1, "corner-6-7-Q-K": 1, "red": 1, "black": 1, "paire-7": 1, "any-paire": 1, "poker": 1}
    assert told("7c 7d 2h", stakes) == [
        *["dealt 7c down", "dealt 7d down", "dealt 2h down"],
        *["turned-up 7c", "said Marker on 7."],
        *["settled card-7", "settled corner-6-7-Q-K", "settled red", "settled black"],
        *["turned-up 7d", "said La Pair'e: marker on the second 7.", "settled paire-7", "settled any-paire"],
        *["turned-up 2h", "settled poker"],
    ]


def test_places() -> None:
    """Each card lies at a place of its own. [LP-19]"""
    done = replay(GAME.variant(), parse(["7c", "7d", "2h"]), [{"card-7": 1}])
    lies = {event.card: event.at for event in done.events if event.card}
    assert lies == {"7c": "first card", "7d": "La Pair'e card", "2h": "Poker card"}


def test_all_three_cards_are_turned_up() -> None:
    """Whatever was bet; without a pair only the First Card's value is marked. [LP-22] [LP-23]"""
    acts = told("X1 7d 2h", {"card-7": 1})
    assert [act for act in acts if act.startswith("turned-up")] == ["turned-up X1", "turned-up 7d", "turned-up 2h"]
    assert [act for act in acts if "arker" in act] == ["said Marker on Joker."]


@pytest.mark.parametrize("reason", VOID_REASONS)
def test_void(reason: str) -> None:
    """Every stake comes back, those already won or lost too. [LP-41]"""
    stakes = [EVERY_WAGER, {"card-7": 5, "red": 2}]
    done = replay(GAME.variant(), parse(["7c", "7d", "2h"]), stakes, void=reason)
    assert [{name: bet.returned for name, bet in bets.items()} for bets in done.bets] == stakes
