"""Three Card Poker, rule by rule. Cards are dealt three to each seat in order, then three to the dealer."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import msgspec
import pytest

from pairhouse.core.cards import FACES, pack, parse
from pairhouse.core.errors import Refused
from pairhouse.core.game import VOID_REASONS
from pairhouse.core.hands import strength
from pairhouse.core.meter import Meter
from pairhouse.games.three_card_poker import GAME
from pairhouse.machines.events import Replay
from pairhouse.machines.replay import replay
from rule_tables import Case, book_rows, check, table

# The kinds of the book, lowest first, with the number of hands of each among all 22,100.
KINDS = {
    "high card": 16_440,
    "pair": 3_744,
    "flush": 1_096,
    "straight": 720,
    "three of a kind": 52,
    "straight flush": 48,
}
HEIGHTS = "23456789TJQKA"
RUNS = ["A23", "234", "345", "456", "567", "678", "789", "89T", "9TJ", "TJQ", "JQK", "QKA"]  # lowest first


def by_the_book(faces: tuple[str, ...]) -> tuple[str, list[int]]:
    """The kind of a hand and the numbers that decide within its kind, most important first."""
    ranks = [face[:-1].replace("10", "T") for face in faces]
    heights = sorted((HEIGHTS.index(rank) for rank in ranks), reverse=True)
    suited = len({face[-1] for face in faces}) == 1
    run = next((at for at, run in enumerate(RUNS) if set(run) == set(ranks)), None)
    if run is not None:
        return "straight flush" if suited else "straight", [run]
    if len(set(ranks)) == 1:
        return "three of a kind", heights[:1]
    if len(set(ranks)) == 2:
        (paired, _), (odd, _) = Counter(heights).most_common()
        return "pair", [paired, odd]
    return "flush" if suited else "high card", heights


def test_every_hand() -> None:
    """All 22,100 hands: how many of each kind there are, and which is higher. [TCP-2] [TCP-3] [TCP-4] [TCP-5]"""
    hands = [
        (strength(*cards), by_the_book(tuple(FACES[card] for card in cards))) for cards in combinations(range(52), 3)
    ]
    assert Counter(kind for _, (kind, _) in hands) == KINDS
    kinds = list(KINDS)
    classes = sorted({(number, kinds.index(kind), tuple(deciding)) for number, (kind, deciding) in hands})
    order = [(kind, deciding) for _, kind, deciding in classes]
    assert order == sorted(set(order))
    assert len({number for number, _, _ in classes}) == len(classes)


def laid(faces: str) -> list[int]:
    """Cards in dealing order."""
    return parse(faces.split())


def printed(rule: str) -> dict[str, str]:
    """The table that the rule book prints under a rule: first cell -> last cell."""
    return {cells[0].lower(): cells[-1] for cells in book_rows(GAME.id, rule)}


@pytest.mark.parametrize(("rule", "wager"), [("TCP-27", "ante-bonus"), ("TCP-28", "pairplus")])
def test_prices_are_those_of_the_book(rule: str, wager: str) -> None:
    """Row for row. [TCP-27] [TCP-28]"""
    rows = GAME.variant().wagers[wager].paytable.rows
    assert {row.name: f"{row.pays} to 1" for row in rows if row.pays > 0} == printed(rule)


def test_shares_and_ranking_are_those_of_the_book() -> None:
    """The shares of the meter, and the kinds of hands from the top. [TCP-2] [TCP-33]"""
    rows = GAME.variant({"progressive": True}).wagers["progressive"].paytable.rows
    book = [Fraction(cell.split()[0]) / 100 for cell in printed("TCP-33").values()]
    assert [row.share for row in rows if row.share is not None] == book
    assert list(printed("TCP-2")) == list(KINDS)[::-1]


@table(
    "three-card-poker",
    """
    rule          | cards              | wagers   | choices | result
    TCP-20 TCP-22 | Kc 9d 4h Qs 3h 2d  | ante 100 | play    | ante 200 beats the dealer; play 200 beats the dealer
    TCP-20 TCP-21 | Kc 9d 4h Js 3h 2d  | ante 100 | play    | ante 200 dealer does not qualify; play 100 dealer does not qualify
    TCP-20 TCP-21 | Kc 9d 4h Js 10h 8d | ante 100 | play    | ante 200 dealer does not qualify; play 100 dealer does not qualify
    TCP-20 TCP-23 | Kc 9d 4h Js 10h 9s | ante 100 | play    | ante 0 dealer wins; play 0 dealer wins
    TCP-20 TCP-23 | Kc 9d 4h 2s 2h 3d  | ante 100 | play    | ante 0 dealer wins; play 0 dealer wins
    TCP-20 TCP-23 | Kc 9d 4h 2s 3s 5s  | ante 100 | play    | ante 0 dealer wins; play 0 dealer wins
    TCP-20 TCP-21 | Kc 9d 4h 2s 3s 5h  | ante 100 | play    | ante 200 dealer does not qualify; play 100 dealer does not qualify
    TCP-20 TCP-23 | Kc 9d 4h As 3h 2d  | ante 100 | play    | ante 0 dealer wins; play 0 dealer wins
    TCP-21        | 5c 3d 2h Js 10h 8d | ante 100 | play    | ante 200 dealer does not qualify; play 100 dealer does not qualify
    TCP-21        | Jc 10d 8h Js 10h 8d | ante 100 | play   | ante 200 dealer does not qualify; play 100 dealer does not qualify
    TCP-24 TCP-5  | Kc 9d 4h Ks 9h 4d  | ante 100 | play    | ante 100 tie; play 100 tie
    TCP-22 TCP-4  | Kc 9d 4h Ks 9h 3d  | ante 100 | play    | ante 200 beats the dealer; play 200 beats the dealer
    TCP-23 TCP-4  | Kc 9d 4h Ks 9h 5d  | ante 100 | play    | ante 0 dealer wins; play 0 dealer wins
    TCP-23 TCP-4  | Kc 9d 4h Ks 10h 2d | ante 100 | play    | ante 0 dealer wins; play 0 dealer wins
    TCP-24 TCP-5  | Kc 9c 4c Ks 9s 4s  | ante 100 | play    | ante 100 tie; play 100 tie
    TCP-24 TCP-5  | 7c 7d 4h 7s 7h 4d  | ante 100 | play    | ante 100 tie; play 100 tie
    TCP-22 TCP-5  | 7c 7d 4h 7s 7h 3d  | ante 100 | play    | ante 200 beats the dealer; play 200 beats the dealer
    TCP-22 TCP-5  | 7c 7d 2h 6s 6h Ad  | ante 100 | play    | ante 200 beats the dealer; play 200 beats the dealer
    TCP-3 TCP-23  | Kc Ad 2h 3s 3h 4d  | ante 100 | play    | ante 0 dealer wins; play 0 dealer wins
    TCP-17        | Kc 9d 4h Qs 3h 2d  | ante 1   | play    | ante 2 beats the dealer; play 2 beats the dealer
    TCP-18        | Kc 9d 4h Qs 3h 2d  | ante 100 | fold    | ante 0 folded
    """,
)
def test_ante_and_play(case: Case) -> None:
    """Against a dealer who qualifies or does not; every row is also missed by one card.

    [TCP-4] [TCP-5] [TCP-17] [TCP-18] [TCP-20] [TCP-21] [TCP-22] [TCP-23] [TCP-24]
    """
    check(case)


@table(
    "three-card-poker",
    """
    rule         | cards             | wagers   | choices | result
    TCP-2        | Ac 2c 3c Ad Ah As | ante 100 | play    | ante 200 beats the dealer; play 200 beats the dealer; ante-bonus 500 straight flush
    TCP-2        | 2c 2d 2h Ac Kd Qh | ante 100 | play    | ante 200 beats the dealer; play 200 beats the dealer; ante-bonus 400 three of a kind
    TCP-2        | Ac 2d 3h Ad Kd Jd | ante 100 | play    | ante 200 beats the dealer; play 200 beats the dealer; ante-bonus 100 straight
    TCP-2        | 2c 3c 5c Ad Ah Kd | ante 100 | play    | ante 200 beats the dealer; play 200 beats the dealer
    TCP-2        | 2c 2d 3h Ac Kd Jh | ante 100 | play    | ante 200 beats the dealer; play 200 beats the dealer
    TCP-3        | Ac Kd Qh Kc Qd Jh | ante 100 | play    | ante 200 beats the dealer; play 200 beats the dealer; ante-bonus 100 straight
    TCP-25 TCP-3 | Ac 2d 3h 2c 3d 4h | ante 100 | play    | ante 0 dealer wins; play 0 dealer wins; ante-bonus 100 straight
    TCP-25       | 5c 6d 7h 5h 6s 7d | ante 100 | play    | ante 100 tie; play 100 tie; ante-bonus 100 straight
    TCP-25       | 5c 6d 7h Js 3s 2d | ante 100 | play    | ante 200 dealer does not qualify; play 100 dealer does not qualify; ante-bonus 100 straight
    TCP-25       | 5c 6d 8h Js 3s 2d | ante 100 | play    | ante 200 dealer does not qualify; play 100 dealer does not qualify
    TCP-25 TCP-5 | 9c 9d 9h Ks Kh Kd | ante 100 | play    | ante 0 dealer wins; play 0 dealer wins; ante-bonus 400 three of a kind
    TCP-25 TCP-5 | 5c 6c 7c 6d 7d 8d | ante 100 | play    | ante 0 dealer wins; play 0 dealer wins; ante-bonus 500 straight flush
    TCP-25       | 5c 6c 7c 6d 7d 8d | ante 100 | fold    | ante 0 folded
    """,
)
def test_ante_bonus_whoever_wins(case: Case) -> None:
    """The lowest hand of a kind beats the highest of the next; the bonus asks nothing of the dealer.

    [TCP-2] [TCP-3] [TCP-5] [TCP-25]
    """
    check(case)


@table(
    "three-card-poker",
    """
    rule          | options              | cards             | wagers               | choices | result
    TCP-27 TCP-28 |                      | 5c 6c 7c Kh Js 2d | ante 100 pairplus 50 | play    | ante 200 beats the dealer; pairplus 2050 straight flush; play 200 beats the dealer; ante-bonus 500 straight flush
    TCP-27 TCP-28 |                      | Ac Kc Qc Kh Js 2d | ante 100 pairplus 50 | play    | ante 200 beats the dealer; pairplus 2050 straight flush; play 200 beats the dealer; ante-bonus 500 straight flush
    TCP-27 TCP-28 |                      | 5c 6c 7d Kh Js 2d | ante 100 pairplus 50 | play    | ante 200 beats the dealer; pairplus 350 straight; play 200 beats the dealer; ante-bonus 100 straight
    TCP-27 TCP-28 |                      | 5c 6c 8c Kh Js 2d | ante 100 pairplus 50 | play    | ante 200 beats the dealer; pairplus 200 flush; play 200 beats the dealer
    TCP-27 TCP-28 |                      | 5c 6c 8d Kh Js 2d | ante 100 pairplus 50 | play    | ante 0 dealer wins; pairplus 0 less than a pair; play 0 dealer wins
    TCP-27 TCP-28 |                      | 9c 9d 9h Kh Js 2d | ante 100 pairplus 50 | play    | ante 200 beats the dealer; pairplus 1550 three of a kind; play 200 beats the dealer; ante-bonus 400 three of a kind
    TCP-27 TCP-28 |                      | 9c 9d 8h Kh Js 2d | ante 100 pairplus 50 | play    | ante 200 beats the dealer; pairplus 100 pair; play 200 beats the dealer
    TCP-28        |                      | 9c 7d 8h Kh Js 2d | ante 100 pairplus 50 | play    | ante 200 beats the dealer; pairplus 350 straight; play 200 beats the dealer; ante-bonus 100 straight
    TCP-28        |                      | 9c 6d 8h Kh Js 2d | ante 100 pairplus 50 | play    | ante 0 dealer wins; pairplus 0 less than a pair; play 0 dealer wins
    TCP-28 TCP-3  |                      | Kc Ad 2h 9h Js 2d | ante 100 pairplus 50 | play    | ante 200 dealer does not qualify; pairplus 0 less than a pair; play 100 dealer does not qualify
    TCP-26        |                      | 9c 9d 8h Kh Ks 2d | ante 100 pairplus 50 | play    | ante 0 dealer wins; pairplus 100 pair; play 0 dealer wins
    TCP-26        |                      | 9c 9d 8h 10h Js 2d | ante 100 pairplus 50 | play   | ante 200 dealer does not qualify; pairplus 100 pair; play 100 dealer does not qualify
    TCP-26        |                      | 9c 9d 8h 9s 9h 8d | ante 100 pairplus 50 | play    | ante 100 tie; pairplus 100 pair; play 100 tie
    TCP-18        |                      | 9c 9d 9h Kh Js 2d | ante 100 pairplus 50 | fold    | ante 0 folded; pairplus 0 folded
    TCP-11 TCP-13 |                      | 9c 9d 8h Kh Js 2d | ante 3 pairplus 7    | play    | ante 6 beats the dealer; pairplus 14 pair; play 6 beats the dealer
    TCP-28        | pairplus=40-30-6-4-1 | 5c 6c 8c Kh Js 2d | ante 100 pairplus 50 | play    | ante 200 beats the dealer; pairplus 250 flush; play 200 beats the dealer
    TCP-28        | pairplus=40-30-5-4-1 | 5c 6c 7d Kh Js 2d | ante 100 pairplus 50 | play    | ante 200 beats the dealer; pairplus 300 straight; play 200 beats the dealer; ante-bonus 100 straight
    """,
)
def test_pairplus_and_ante_bonus(case: Case) -> None:
    """Every row won and missed by one card, and Pairplus blind to the dealer.

    [TCP-11] [TCP-13] [TCP-18] [TCP-26] [TCP-27] [TCP-28]
    """
    check(case)


@table(
    "three-card-poker",
    """
    rule          | options          | cards             | wagers                   | choices   | result
    TCP-16        |                  | 9c 9d 8h Kh Js 2d | ante 100                 |           | awaits 1.1 play fold
    TCP-16        |                  | 9c 9d 8h 4c 4d 4h Kh Js 2d | ante 100 / ante 50 | play    | awaits 2.1 play fold
    TCP-8 TCP-16  |                  | 9c 9d 8h 4c 4d 4h Kh Js 2d | ante 100 / ante 50 | fold    | awaits 2.1 play fold
    TCP-17        |                  | 9c 9d 8h Kh Js 2d | ante 100                 | raise     | refused illegal-choice
    TCP-12        |                  | 9c 9d 8h Kh Js 2d | ante 100                 | play play | refused spare-choices
    TCP-8 TCP-9   |                  | 9c 9d 8h 4c 4d 4h Kh Js 2d | ante 100 /      |           | refused no-opening-wager
    TCP-10        |                  | 9c 9d 8h Kh Js 2d | pairplus 50              |           | refused no-opening-wager
    TCP-12 TCP-17 |                  | 9c 9d 8h Kh Js 2d | ante 100 play 100        | play      | refused unknown-wager
    TCP-27        |                  | 9c 9d 8h Kh Js 2d | ante 100 ante-bonus 100  | play      | refused unknown-wager
    TCP-13        |                  | 9c 9d 8h Kh Js 2d | ante 0                   |           | refused bad-stake
    TCP-13        |                  | 9c 9d 8h Kh Js 2d | ante -100                |           | refused bad-stake
    TCP-29        |                  | 9c 9d 8h Kh Js 2d | ante 100 progressive 100 | play      | refused unknown-wager
    TCP-30        | progressive=true | 9c 9d 8h Kh Js 2d | ante 100 progressive 200 | play      | refused bad-stake
    TCP-30        | progressive=true | 9c 9d 8h Kh Js 2d | progressive 100          | play      | refused no-opening-wager
    TCP-1         |                  | 9c 9c 8h Kh Js 2d | ante 100                 |           | refused bad-card
    TCP-1         |                  | 9c X1 8h Kh Js 2d | ante 100                 |           | refused bad-card
    TCP-1         | decks=2          | 9c 9d 8h Kh Js 2d | ante 100                 |           | refused bad-option
    TCP-14        |                  | 9c 9d 8h Kh Js    | ante 100                 | play      | refused too-few-cards
    """,
)
def test_what_is_asked_and_what_is_refused(case: Case) -> None:
    """Seats are asked in order; what the rules do not allow is refused as a whole.

    [TCP-1] [TCP-8] [TCP-9] [TCP-10] [TCP-12] [TCP-13] [TCP-14] [TCP-16] [TCP-17] [TCP-29] [TCP-30]
    """
    check(case)


@table(
    "three-card-poker",
    """
    rule   | cards                               | wagers                                   | choices        | result
    TCP-16 | 9c 9d 8h 2c 2h 2s 5c 6d 7h Ks Jh 3d | ante 100 / ante 200 pairplus 10 / ante 5 | play fold play | ante 200 beats the dealer; play 200 beats the dealer / ante 0 folded; pairplus 0 folded / ante 10 beats the dealer; play 10 beats the dealer; ante-bonus 5 straight
    TCP-19 | 9c 9d 8h Qc Jd 4h 5c 6c 9h Ks Jh 3d | ante 100 / ante 200 / ante 300           | fold play play | ante 0 folded / ante 0 dealer wins; play 0 dealer wins / ante 0 dealer wins; play 0 dealer wins
    """,
)
def test_every_seat_plays_the_dealer_for_itself(case: Case) -> None:
    """Several seats, one dealer. [TCP-16] [TCP-19]"""
    check(case)


def test_seats() -> None:
    """One deck serves seven players, one seat each, and no eighth. [TCP-1] [TCP-6] [TCP-7]"""
    variant = GAME.variant()
    deck = pack(*variant.pack)
    assert sorted(FACES[card] for card in deck) == sorted(FACES[:52])
    assert GAME.seats_per_player == 1
    full = replay(variant, deck, [{"ante": 100}] * 7, ["fold"] * 7)
    assert (full.is_over, full.cards_used) == (True, 24)
    with pytest.raises(Refused, match="1 to 7"):
        replay(variant, deck, [{"ante": 100}] * 8)


def test_stakes_are_exact_at_every_unit() -> None:
    """All prices are whole numbers to 1. [TCP-13]"""
    assert GAME.variant({"progressive": True}).steps == {"ante": 1, "pairplus": 1, "progressive": 1}


SEATS = ["9c 9d 2h", "Kc 8d 4h", "5c 6d 7h"]
DEALER = "Qs 3s 2d"
ANSWERS = ["play", "fold", "play"]


def three_seats(answers: int) -> Replay:
    stakes = [{"ante": 100, "pairplus": 50}, {"ante": 200}, {"ante": 300}]
    return replay(GAME.variant(), laid(" ".join([*SEATS, DEALER])), stakes, ANSWERS[:answers])


def test_deal() -> None:
    """Face down, three to each seat in seat order and three to the dealer. [TCP-14]"""
    dealt = [event for event in three_seats(0).events if event.kind == "dealt"]
    assert [event.seat or event.at for event in dealt] == [1, 1, 1, 2, 2, 2, 3, 3, 3, "dealer", "dealer", "dealer"]
    assert [event.card for event in dealt] == " ".join([*SEATS, DEALER]).split()
    assert {event.face for event in dealt} == {"private", "down"}


@pytest.mark.parametrize("viewer", [None, 1, 2, 3])
@pytest.mark.parametrize("answers", [0, 1, 2, 3])
def test_privacy(viewer: int | None, answers: int) -> None:
    """Until the showdown a seat sees its own cards only; then all but folded hands are shown. [TCP-15] [TCP-19]"""
    own = set(SEATS[viewer - 1].split()) if viewer else set()
    shown = set(f"{SEATS[0]} {SEATS[2]} {DEALER}".split()) if answers == 3 else set()
    view = msgspec.json.encode(three_seats(answers).view(viewer)).decode()
    assert {face for face in FACES if f'"{face}"' in view} == own | shown


def test_showdown_comes_after_the_last_choice() -> None:
    """The dealer's cards, then every hand still in play, each settled as it is turned up. [TCP-19]"""
    events = three_seats(3).events
    last_choice = max(at for at, event in enumerate(events) if event.kind == "chosen")
    turned = [at for at, event in enumerate(events) if event.kind == "turned-up"]
    assert min(turned) > last_choice
    assert [events[at].seat or events[at].at for at in turned] == ["dealer"] * 3 + [1] * 3 + [3] * 3


def test_only_the_play_bet_follows_the_deal() -> None:
    """It costs exactly the Ante, and every other stake stays as it was placed. [TCP-12] [TCP-17]"""
    waiting = three_seats(2)
    assert waiting.awaiting is not None
    assert waiting.awaiting.costs == {"play": 300}
    staked = [{name: bet.stake for name, bet in bets.items() if bet.stake} for bets in three_seats(3).bets]
    assert staked == [{"ante": 100, "pairplus": 50, "play": 100}, {"ante": 200}, {"ante": 300, "play": 300}]


@table(
    "three-card-poker",
    """
    rule          | options          | cards                      | wagers                 | choices | result
    TCP-33        | progressive=true | Ac Kc Qc Kh Js 2d          | ante 1 progressive 100 | play    | ante 2 beats the dealer; progressive 200020 mini royal; play 2 beats the dealer; ante-bonus 5 straight flush
    TCP-33        | progressive=true | Jc Kc Qc Kh Js 2d          | ante 1 progressive 100 | play    | ante 2 beats the dealer; progressive 20002 straight flush; play 2 beats the dealer; ante-bonus 5 straight flush
    TCP-33        | progressive=true | Ac Kc Qd Kh Js 2d          | ante 1 progressive 100 | play    | ante 2 beats the dealer; progressive 0 no win; play 2 beats the dealer; ante-bonus 1 straight
    TCP-33        | progressive=true | Jc Kc 9c Kh Js 2d          | ante 1 progressive 100 | play    | ante 2 beats the dealer; progressive 0 no win; play 2 beats the dealer
    TCP-33        | progressive=true | Ac 2c 3c Kh Js 2d          | ante 1 progressive 100 | play    | ante 2 beats the dealer; progressive 20002 straight flush; play 2 beats the dealer; ante-bonus 5 straight flush
    TCP-33 TCP-34 | progressive=true | 9c 9d 9h Kh Js 2d          | ante 1 progressive 100 | play    | ante 2 beats the dealer; progressive 2000 three of a kind; play 2 beats the dealer; ante-bonus 4 three of a kind
    TCP-33        | progressive=true | 9c 9d 8h Kh Js 2d          | ante 1 progressive 100 | play    | ante 2 beats the dealer; progressive 0 no win; play 2 beats the dealer
    TCP-33        | progressive=true | 9c 9d 9h Kh Ks Kd          | ante 1 progressive 100 | play    | ante 0 dealer wins; progressive 2000 three of a kind; play 0 dealer wins; ante-bonus 4 three of a kind
    TCP-33        | progressive=true | Ac Kc Qc 10h Js 2d         | ante 1 progressive 100 | play    | ante 2 dealer does not qualify; progressive 200020 mini royal; play 1 dealer does not qualify; ante-bonus 5 straight flush
    TCP-37        | progressive=true | Ac Kc Qc Kh Js 2d          | ante 1 progressive 100 | fold    | ante 0 folded; progressive 0 folded
    TCP-35        | progressive=true | 5c 6c 7c 9c 9d 9h Kh Js 2d | ante 1 progressive 100 / ante 1 progressive 100 | play play | ante 2 beats the dealer; progressive 20004 straight flush; play 2 beats the dealer; ante-bonus 5 straight flush / ante 2 beats the dealer; progressive 1800 three of a kind; play 2 beats the dealer; ante-bonus 4 three of a kind
    TCP-35        | progressive=true | 9c 9d 9h 5c 6c 7c Kh Js 2d | ante 1 progressive 100 / ante 1 progressive 100 | play play | ante 2 beats the dealer; progressive 2000 three of a kind; play 2 beats the dealer; ante-bonus 4 three of a kind / ante 2 beats the dealer; progressive 19804 straight flush; play 2 beats the dealer; ante-bonus 5 straight flush
    TCP-36        | progressive=true | Ac Kc Qc 5d 6d 7d Kh Js 2d | ante 1 progressive 100 / ante 1 progressive 100 | play play | ante 2 beats the dealer; progressive 200040 mini royal; play 2 beats the dealer; ante-bonus 5 straight flush / ante 2 beats the dealer; progressive 20000 straight flush; play 2 beats the dealer; ante-bonus 5 straight flush
    TCP-29        | progressive=true | Ac Kc Qc Kh Js 2d          | ante 1                 | play    | ante 2 beats the dealer; play 2 beats the dealer; ante-bonus 5 straight flush
    """,
)
def test_progressive(case: Case) -> None:
    """The meter starts at the seed; each stake has put 20 on it before the deal.

    [TCP-29] [TCP-31] [TCP-33] [TCP-34] [TCP-35] [TCP-36] [TCP-37]
    """
    check(case)


def test_meter_as_shown() -> None:
    """Off unless the table turns it on. [TCP-29] [TCP-31] [TCP-32]"""
    assert GAME.meter(GAME.variant().options) is None
    shown = GAME.meter(GAME.variant({"progressive": True}).options)
    assert shown == Meter(2_000_00, seed=2_000_00, contribution=Fraction(20, 100), ceiling=10_000_00, reserve=0)


NOTHING, MINI_ROYAL, SUITED_RUN, THREE = "9c 7d 5h", "Ac Kc Qc", "5c 6c 7c", "9c 9d 9h"


@pytest.mark.parametrize(
    ("amount", "reserve", "hand", "paid", "amount_after", "reserve_after"),
    [
        (200_000, 0, NOTHING, 0, 200_020, 0),  # [TCP-31]
        (999_980, 0, NOTHING, 0, 1_000_000, 0),  # [TCP-32] up to the ceiling
        (999_981, 0, NOTHING, 0, 1_000_000, 1),  # [TCP-32] one unit too many
        (1_000_000, 7, NOTHING, 0, 1_000_000, 27),  # [TCP-32]
        (200_000, 0, THREE, 2_000, 198_020, 0),  # [TCP-34] 2,000.2
        (200_079, 0, THREE, 2_000, 198_099, 0),  # [TCP-34] 2,000.99
        (200_080, 0, THREE, 2_001, 198_099, 0),
        (1_000_000, 7, SUITED_RUN, 100_000, 900_000, 27),  # [TCP-34] the reserve waits for a full award
        (1_000_000, 500, MINI_ROYAL, 1_000_000, 200_520, 0),  # [TCP-32] [TCP-36]
        (1_000_000, 799_980, MINI_ROYAL, 1_000_000, 1_000_000, 0),  # [TCP-36] seed plus reserve up to the ceiling
        (1_000_000, 900_000, MINI_ROYAL, 1_000_000, 1_000_000, 100_020),  # [TCP-36] and above it
    ],
)
def test_meter(amount: int, reserve: int, hand: str, paid: int, amount_after: int, reserve_after: int) -> None:
    """What a round does to meter and reserve; a void round does nothing.

    [TCP-31] [TCP-32] [TCP-34] [TCP-36] [TCP-40]
    """
    before = Meter(amount, seed=200_000, contribution=Fraction(1, 5), ceiling=1_000_000, reserve=reserve)
    variant, cards = GAME.variant({"progressive": True}), laid(f"{hand} Kh Js 2d")
    done = replay(variant, cards, [{"ante": 1, "progressive": 100}], ["play"], meter=before)
    assert done.bets[0]["progressive"].returned == paid
    assert done.meter is not None
    assert (done.meter.amount, done.meter.reserve) == (amount_after, reserve_after)
    void = replay(variant, cards, [{"ante": 1, "progressive": 100}], ["play"], meter=before, void="misdeal")
    assert void.meter == before


@pytest.mark.parametrize("reason", VOID_REASONS)
@pytest.mark.parametrize(
    ("choices", "stakes"),
    [
        ("", [{"ante": 100, "pairplus": 50}, {"ante": 30, "progressive": 100}]),
        ("play", [{"ante": 100, "pairplus": 50, "play": 100}, {"ante": 30, "progressive": 100}]),
        ("fold play", [{"ante": 100, "pairplus": 50}, {"ante": 30, "progressive": 100, "play": 30}]),
    ],
)
def test_void(reason: str, choices: str, stakes: list[dict[str, int]]) -> None:
    """A misdeal, a malfunction or a cancelled round returns every stake and pays nothing. [TCP-38] [TCP-40]"""
    cards = laid("Ac Kc Qc 5d 6d 7d Kh Js 2d")
    placed = [{"ante": 100, "pairplus": 50}, {"ante": 30, "progressive": 100}]
    done = replay(GAME.variant({"progressive": True}), cards, placed, choices.split(), void=reason)
    assert done.is_over
    assert [{name: bet.stake for name, bet in bets.items()} for bets in done.bets] == stakes
    assert [{name: bet.returned for name, bet in bets.items()} for bets in done.bets] == stakes


def test_an_exposed_card_is_no_misdeal() -> None:
    """It voids nothing: the reasons are those of the book and no other. [TCP-39]"""
    assert set(VOID_REASONS) == {"misdeal", "malfunction", "cancelled"}
    with pytest.raises(Refused, match="misdeal, malfunction or cancelled"):
        replay(GAME.variant(), laid("9c 9d 8h Kh Js 2d"), [{"ante": 100}], void="exposed-card")
