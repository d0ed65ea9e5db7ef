"""Rounds that are solved: the same as the solver says, and together the ceiling of exact prices."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.generic.budget import budget_s
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.effects import effects
from pairhouse.analysis.protect.followed_shoes import LINEAR, Following, RoundPrices, follow
from pairhouse.analysis.protect.measures import cut_wins
from pairhouse.analysis.protect.protection import ProtectionRequest, best_ceiling, protection
from pairhouse.analysis.protect.solved_rounds import sample_rounds, solved_ceiling
from pairhouse.core.cards import pack
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import given
from pairhouse.machines.stored import stored_tallies

GALLERY = Path(__file__).parents[3] / "gallery"


@pytest.fixture(name="war")
def casino_war() -> Variant:
    return analyst(given(str(GALLERY / "casino_war.py")).id)


def test_the_ceiling_of_a_bet_that_no_card_touches(war: Variant) -> None:
    """Casino War's tie: by first order it is never worth a bet; priced exactly in every round of the shoes it is."""
    found = effects(war, ["tie"])
    following = Following(war, RoundPrices(war, found), {}, [78, 7])
    assert following.prices.how["tie"] == LINEAR
    totals = follow(following, 50, 3)
    wins = cut_wins(totals, [78, 7], 7, 0)
    assert wins.ceiling.win == 0
    sample = sample_rounds(following, "tie", 50, 3)
    assert sample is not None
    ours = solved_ceiling(sample, 1, wins)
    assert ours is not None
    assert ours.rounds == 200
    # Another way: a tie wins when two cards are of one rank, so every round of these shoes has a formula.
    orders, ends = following.dealt(3, 0, 50)
    worth = []
    for order, each in zip(orders, ends, strict=True):
        for start in [0, *each[:-1].tolist()]:
            left = np.bincount(order[start:] % 13, minlength=13)
            same = (left * (left - 1)).sum() / (left.sum() * (left.sum() - 1))
            worth.append(max(11 * same - 1, 0.0))
    theirs = 100 * sum(worth) / len(worth)
    assert theirs > 0
    assert abs(ours.win - theirs) < 4 * ours.error


def test_all_wagers_together_are_no_less_than_one(war: Variant) -> None:
    """What solving rounds adds to the ceiling of a wager is in that of all of them, too."""
    found = protection(war, ProtectionRequest(cuts=[7], shoes=50, seed=3, known=False))
    wins = [best_ceiling(each.by_cut[0]) for each in found.wagers.values()]
    (joint,) = found.joint
    assert joint.all_bets == pytest.approx(sum(each.win for each in wins))
    assert joint.one_bet >= max(each.win for each in wins) > 0
    assert joint.error >= max(each.error for each in wins)


def test_solved_anew_is_what_the_solver_says(war: Variant) -> None:
    method = method_of(analyst("blackjack"))
    whole = list(pack(6))
    assert method.solved_left("main", whole) == pytest.approx(float(method.price("main").ev), abs=1e-9)
    assert method.solved_left("insurance", whole) is None
    tie = method_of(war).exact_price("tie", whole).ev
    assert method_of(war).solved_left("tie", whole) == pytest.approx(float(tie))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["let_it_ride", "mississippi_stud", "caribbean_stud", "jacks_or_better"])
def test_poker_games_of_the_gallery_are_followed(name: str) -> None:
    """Solved anew without each rank, and for the cards left before sampled rounds; the ceiling is above the count."""
    variant = analyst(given(str(GALLERY / f"{name}.py")).id)
    with stored_tallies():
        found = protection(variant, ProtectionRequest(shoes=50))
    (wager,) = found.wagers.values()
    assert all(isinstance(effect, Fraction) for effect in wager.effects_of_removal.values())
    assert wager.effects_mean > 0  # knowing the card that is gone gains a little
    assert wager.per_100 is not None
    ceiling = wager.by_cut[-1].solved
    assert ceiling is not None
    assert ceiling.win + 4 * ceiling.error >= wager.by_cut[-1].count.win
    assert "no shoe" not in wager.verdict.lower()


def test_a_game_that_is_not_solved_in_time_is_refused() -> None:
    limit = budget_s.set(1e-3)
    try:
        with pytest.raises(Refused, match="were not worked out in"):
            effects(analyst(given(str(GALLERY / "red_dog.py")).id))
    finally:
        budget_s.reset(limit)


def test_the_first_round_of_a_shoe_is_not_solved(war: Variant) -> None:
    found = effects(war, ["tie"])
    sample = sample_rounds(Following(war, RoundPrices(war, found), {}, [250]), "tie", 10, 1)
    assert sample is not None
    assert float(found["tie"].price) not in sample.exact
