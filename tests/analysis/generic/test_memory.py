"""Games in which a situation forgets: a player who remembers is worked out exactly, and a play of situations refused."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gallery_games import plain_best, written
from pairhouse.analysis.blackjack.strategy import CompositionPlay
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.analysis.generic.method import GenericMethod
from pairhouse.analysis.generic.working_back import solve
from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.core.cards import parse
from pairhouse.core.errors import Refused
from pairhouse.core.shortcuts import Shortcuts
from pairhouse.games import standard_blackjack
from pairhouse.games.blackjack_hand import value
from pairhouse.machines.simulate.interpreted import plain_block

NEAR_NINE = '''
from typing import NamedTuple

from pairhouse.kit import (
    PUSH, Action, Game, Option, Paytable, Shortcuts, Wager, choose, draw, rank, row, rule, settle, split, spot,
)  # fmt: skip

DEALER = 0
STAND, HIT, SPLIT = 1, 2, 4
LOST, TIED, WON = 0, 1, 2


class Rules(NamedTuple):
    decks: int


class Ended(NamedTuple):
    result: int


@rule
def points(cards):
    return cards if cards <= 9 else 0


@rule
def played(table, place, first, second, number):
    """One hand: stand, or take one card more."""
    total = first + second
    if choose(table, place, STAND | HIT, total * 4 + number) == HIT:
        total += rank(draw(table, place)) + 1
    return points(total)


@rule
def compare(table, place, own, dealer):
    settle(table, place, Ended(TIED if own == dealer else WON if own > dealer else LOST))


@rule
def play(table, rules):
    """Two cards; a pair may be split; then the dealer takes two."""
    place = spot(1, 0)
    a, b = rank(draw(table, place)) + 1, rank(draw(table, place)) + 1
    if a == b and choose(table, place, STAND | SPLIT, a * 4) == SPLIT:
        split(table, place)
        one = played(table, place, a, rank(draw(table, place)) + 1, 1)
        other = played(table, spot(1, 1), b, rank(draw(table, spot(1, 1))) + 1, 2)
        dealer = points(rank(draw(table, DEALER)) + 1 + rank(draw(table, DEALER)) + 1)
        compare(table, place, one, dealer)
        compare(table, spot(1, 1), other, dealer)
        return
    own = played(table, place, a, b, 3)
    dealer = points(rank(draw(table, DEALER)) + 1 + rank(draw(table, DEALER)) + 1)
    compare(table, place, own, dealer)


GAME = Game(
    id="near-nine", name="Near Nine", cites="NN", summary="Nearest to nine wins.", play=play, module=__name__,
    seats_max=1, seats_per_player=1, places=("dealer",),
    options=(Option("decks", 1, (1,), "one deck"),),
    rules=lambda options: Rules(options["decks"]), pack=lambda options: (options["decks"], 0),
    wagers=lambda _options: (
        Wager("main", "Main", Paytable("Main", "", (
            row("won", 1, lambda e: e.result == WON), row("tie", PUSH, lambda e: e.result == TIED),)), Ended, opens=True),
    ),
    actions=(Action("stand", "s"), Action("hit", "h"), Action("split", "p", wager="main", base="main")),
    units_max=lambda _rules: 2,
    shortcuts=Shortcuts(same=rank),
)  # fmt: skip
'''
SMALL = "2c 2d 3c 3d 4c 5c 6c 2h"  # of these the first hand of a split pair tells much about the second


def test_the_second_hand_of_a_pair_is_played_with_the_first_in_mind(tmp_path: Path) -> None:
    with written(tmp_path, "near_nine", NEAR_NINE) as game:
        variant = game.variant()
        method, cards = GenericMethod(variant), tuple(sorted(parse(SMALL.split())))
        found = solve(method.deals(cards), method.net)
        assert found.ev == plain_best(variant, cards, method.net)
        assert found.answers[-1].remembers
        merged = replace(method.deals(cards), shortcuts=Shortcuts(suits_alike=True, any_order=True))
        assert solve(merged, method.net).ev == found.ev
    forgetful = found.forgetful
    assert forgetful
    with pytest.raises(Refused, match="what came before"):
        found.values(3, forgetful[0])


def test_two_hands_of_one_kind_are_both_counted(tmp_path: Path) -> None:
    """A pair that is always split settles its happening twice; what rounds come to meets the exact price."""
    with written(tmp_path, "near_nine_dealt", NEAR_NINE) as game:
        play = tmp_path / "play.json"
        play.write_text('{"play": {}, "otherwise": "split"}')
        sampling = Sampling.of(game.variant(), str(play), ("main",))
        dealt = plain_block(sampling.simulation, 3, 0, 4000)
        found = sampling.estimates(dealt)["main"]
        assert found.z is not None
        assert abs(found.z) < 4
        assert sampling.score.spreads(dealt)["main"].keys() == {-2, -1, 0, 1, 2}


@pytest.mark.slow
@pytest.mark.parametrize("faces", ["8c 8d 3c 10c 10d 7c 6c 5c 9c 9d 7d 10h"])
def test_blackjack_with_splits_on_a_small_shoe(faces: str) -> None:
    """The special solver's play is worth the same here; who remembers the first hand of a pair wins a little more."""
    game = replace(standard_blackjack.GAME, shortcuts=Shortcuts(same=value))
    variant = game.variant({"insurance": "never", "hole_card": "none", "max_hands": 2})
    method, cards, counts = GenericMethod(variant), tuple(sorted(parse(faces.split()))), np.zeros(11)
    for card in cards:
        counts[value(card)] += 1
    special = Solution(variant.rules, counts, 1.5)
    deals = method.deals(cards)
    played = solve(deals, method.net, policy=CompositionPlay(special))
    assert float(played.ev) == pytest.approx(special.expectation, abs=1e-13)
    assert 0 < solve(deals, method.net).ev - played.ev < 1e-3
