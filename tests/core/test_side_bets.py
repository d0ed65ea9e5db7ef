"""Side bets decided at each moment of a host: the first cards, the seat's hand when it has played, the dealer's last."""

from typing import Any, NamedTuple

import pytest

from pairhouse.core.cards import parse
from pairhouse.core.errors import Refused
from pairhouse.core.game import Game
from pairhouse.core.verbs import EVERY_SEAT
from pairhouse.games import blackjack, standard_blackjack
from pairhouse.games.blackjack_hand import is_bust, size, total
from pairhouse.kit import Paytable, Wager, row, rule, settle, with_side_bets
from pairhouse.machines.replay import replay


class SeatEnd(NamedTuple):
    """The seat's first hand when it has played."""

    total: int
    cards: int


class DealerEnd(NamedTuple):
    """The dealer's final hand."""

    bust: bool
    cards: int


@rule
def look_at_seat(table: Any, place: int, hand: int) -> None:
    """Settle what is bet on the seat's own hand."""
    settle(table, place, SeatEnd(total(hand), size(hand)))


@rule
def look_at_dealer(table: Any, dealer: int) -> None:
    """Settle what everybody bets on the dealer's hand."""
    settle(table, EVERY_SEAT, DealerEnd(is_bust(dealer), size(dealer)))


TWENTY = Paytable("Twenty", "", (row("twenty", 4, lambda end: end.total == 20),))
BUSTER = Paytable(
    "Buster", "", (row("five cards", 10, lambda end: end.bust and end.cards >= 5), row("bust", 2, lambda end: end.bust))
)


def game() -> Game:
    return with_side_bets(
        standard_blackjack.GAME,
        id="two-bets",
        name="Two Bets",
        summary="Blackjack with a bet on twenty and one on the dealer.",
        module=__name__,
        at={blackjack.seat_over: look_at_seat, blackjack.dealer_over: look_at_dealer},
        wagers=(Wager("twenty", "Twenty", TWENTY, SeatEnd), Wager("buster", "Buster", BUSTER, DealerEnd)),
    )


@pytest.mark.parametrize(
    ("cards", "choices", "twenty", "buster"),
    [
        ("10s 6d Kh 10c 9h", ["stand"], "twenty", "bust"),
        ("10s 6d 9h 2c 2d 2h 2s 10d", ["stand"], "no win", "five cards"),
        ("10s 6d 5h 10c 5d 9h", ["hit", "stand"], "twenty", "bust"),
        ("10s 10d 10h 9c", ["stand"], "twenty", "no win"),
        ("10s 10d 6h 9c 10c", ["hit"], "no win", "no win"),  # a seat that is bust: the dealer does not draw
        ("As 10d Kh 9c", [], "no win", "no win"),  # a blackjack is paid at once: twenty-one
    ],
)
def test_each_moment_settles_its_own_bet(cards: str, choices: list[str], twenty: str, buster: str) -> None:
    stakes = {"main": 1000, "twenty": 200, "buster": 100}
    state = replay(game().variant(), parse(cards.split()), [stakes], choices)
    assert state.is_over
    assert (state.wagers[0]["twenty"]["row"], state.wagers[0]["buster"]["row"]) == (twenty, buster)
    pays = {"twenty": 5 * 200, "no win": 0}[twenty], {"five cards": 11 * 100, "bust": 3 * 100, "no win": 0}[buster]
    assert (state.wagers[0]["twenty"]["returned"], state.wagers[0]["buster"]["returned"]) == pays


def test_every_seat_is_settled_by_its_own_hand_and_the_same_dealer() -> None:
    seats = [{"main": 1000, "twenty": 200, "buster": 100}, {"main": 1000, "twenty": 200}]
    state = replay(game().variant(), parse(["10s", "9h", "6d", "Kh", "9c", "10c", "9d"]), seats, ["stand", "stand"])
    assert [seat["twenty"]["row"] for seat in state.wagers] == ["twenty", "no win"]
    assert state.wagers[0]["buster"]["row"] == "bust"
    assert "buster" not in state.wagers[1]


def test_what_cannot_look_is_refused_with_its_name() -> None:
    with pytest.raises(
        Refused, match=r"look_at_dealer takes 2 arguments; at seat_over it is given table, place or hand"
    ):
        made(blackjack.seat_over, look_at_dealer)
    with pytest.raises(Refused, match="is no rule; mark it with @rule"):
        made(blackjack.dealer_over, lambda _table, _dealer: None)


def made(moment: Any, looks: Any) -> Game:
    return with_side_bets(
        standard_blackjack.GAME, id="x", name="X", summary="X.", module=__name__, at={moment: looks}, wagers=()
    )
