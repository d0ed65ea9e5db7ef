"""Hold: what is counted on which line, and a z-score that is what it says."""

import random
from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any

import pytest

from pairhouse.core.cards import pack
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import find
from pairhouse.machines.events import Replay
from pairhouse.machines.replay import replay
from pairhouse.server.pricing.hold import WagerSum, add_round, counted_with, z_of

Chooser = Callable[[Replay], str]


def dealt(variant: Variant, rng: random.Random, seats: Sequence[dict[str, int]], choose: Chooser) -> list[Any]:
    """A round from a fresh shuffle, played to its end; what each wager came to."""
    cards, choices = rng.sample(pack(*variant.pack), 52), list[str]()
    while not (state := replay(variant, cards, seats, choices)).is_over:
        choices.append(choose(state))
    return [{name: {"stake": bet.stake, "returned": bet.returned} for name, bet in seat.items()} for seat in state.bets]


def never(_: Replay) -> str:
    raise AssertionError("this game asks nothing")


def play_queen_six_four(state: Replay) -> str:
    """The best play of Three Card Poker. Hands are compared as the rule book does, through what a hand is called."""
    hand = next(hand for hand in state.view(1).hands if hand.seat == 1)
    ranks = sorted(("23456789TJQKA".index(str(card)[0].replace("1", "T")) for card in hand.cards), reverse=True)
    suits = {str(card)[-1] for card in hand.cards}
    is_made = len(set(ranks)) < 3 or len(suits) == 1 or ranks[0] - ranks[2] == 2 or ranks == [12, 1, 0]
    return "play" if is_made or ranks >= [10, 4, 2] else "fold"


def stand(state: Replay) -> str:
    assert state.awaiting is not None
    return "no-insurance" if "no-insurance" in state.awaiting.options else "stand"


def batches(
    game: str, seats: list[dict[str, int]], choose: Chooser, count: int, size: int, seed: int = 3
) -> list[dict[str, WagerSum]]:
    """Many short reports of an honest floor."""
    variant, rng = find(game).variant(), random.Random(seed)
    line_of, found = counted_with(variant), []
    for _ in range(count):
        sums: dict[str, WagerSum] = {}
        for _ in range(size):
            stakes = [{name: stake * rng.choice([1, 1, 3]) for name, stake in seat.items()} for seat in seats]
            add_round(sums, line_of, dealt(variant, rng, stakes, choose), stakes)
        found.append(sums)
    return found


PRICES = {  # of the par sheets: expectation and variance per unit of the first stake
    ("la-paire", "card-A"): (-1 / 27, 169 * 50 / 729),
    ("nepal-super-baccarat", "banker"): (-0.014581044639718807, 0.8642336382202469),
    ("three-card-poker", "ante"): (-686689 / 20358520, 2.6871495919589523),
}


@pytest.mark.parametrize(("game", "wager"), list(PRICES))
def test_z_is_standard_normal_at_an_honest_table_and_large_at_a_wrong_price(game: str, wager: str) -> None:
    ev, variance = PRICES[game, wager]
    choose = play_queen_six_four if game == "three-card-poker" else never
    reports = batches(game, [{wager: 200}], choose, count=120, size=60)
    scores = [z_of(report[wager], ev, variance) or 0.0 for report in reports]
    mean = sum(scores) / len(scores)
    spread = sum((score - mean) ** 2 for score in scores) / len(scores)
    assert abs(mean) * sqrt(len(scores)) < 3.3
    assert 0.6 < spread < 1.5
    assert sum(abs(score) > 3 for score in scores) <= 3
    whole = WagerSum()
    for report in reports:
        for field in ("rounds", "staked", "first", "squares", "kept"):
            setattr(whole, field, getattr(whole, field) + getattr(report[wager], field))
    wrong = ev + 8 * sqrt(variance * whole.squares) / whole.first
    assert abs(z_of(whole, ev, variance) or 0) < 4 < (z_of(whole, wrong, variance) or 0)
    assert whole.rounds == 120 * 60


def test_seats_of_one_round_never_make_z_too_large() -> None:
    """Three seats against one dealer move together; counted as independent bets, z would spread by more than it may."""
    variant, rng = find("blackjack-poker-pairs").variant(), random.Random(8)
    alone = [dealt(variant, rng, [{"main": 200}], stand)[0]["main"]["returned"] / 200 - 1 for _ in range(2_500)]
    ev = sum(alone) / len(alone)
    variance = sum((net - ev) ** 2 for net in alone) / len(alone)
    squares = []
    for _ in range(80):
        sums: dict[str, WagerSum] = {}
        for _ in range(12):
            stakes = [{"main": 200}] * 3
            add_round(sums, counted_with(variant), dealt(variant, rng, stakes, stand), stakes)
        assert sums["main"].rounds == 36
        squares.append((z_of(sums["main"], ev, variance) or 0) ** 2)
    spread = sum(squares) / len(squares)
    assert spread < 1 < 3 * spread - 0.2


def test_what_is_counted_on_which_line() -> None:
    assert counted_with(find("three-card-poker").variant()) == {
        "ante": "ante",
        "pairplus": "pairplus",
        "play": "ante",
        "ante-bonus": "ante",
    }
    lines = counted_with(find("blackjack").variant())
    assert lines["main"] == "main"
    assert lines["insurance"] == "insurance"


def test_doubles_and_splits_are_kept_of_the_first_stake_and_insurance_stands_alone() -> None:
    sums: dict[str, WagerSum] = {}
    line_of = counted_with(find("blackjack").variant())
    result = [{"main": {"stake": 3000, "returned": 0}, "insurance": {"stake": 500, "returned": 1500}}]
    add_round(sums, line_of, result, [{"main": 1000}])
    assert sums["main"] == WagerSum(rounds=1, staked=3000, first=1000, squares=1_000_000, kept=3000)
    assert sums["insurance"] == WagerSum(rounds=1, staked=500, first=500, squares=250_000, kept=-1000)
    assert z_of(WagerSum(), -0.01, 1.0) is None
