"""The generic count and solver against plain trees, special methods and by hand."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from gallery_games import gallery, plain_best
from outside_game import GAME as HIGH_CARD
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.analysis.generic.deals import Deals
from pairhouse.analysis.generic.method import GenericMethod
from pairhouse.analysis.generic.working_back import solve
from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.cards import pack, parse
from pairhouse.core.errors import Refused
from pairhouse.core.shortcuts import Shortcuts
from pairhouse.games import standard_blackjack, three_card_poker
from pairhouse.games.blackjack_hand import value

SLOW = {
    "casino_war": "2c 2d 2h 5s 5c Kd Kh",
    "let_it_ride": "10c Jc Qc Kc Ac 10d 2h",
    "mississippi_stud": "Jc Jd 6h 6s 2c 3c",
}


def held_to_plain(name: str, faces: str) -> None:
    variant = gallery(name).variant()
    method, cards = GenericMethod(variant), tuple(sorted(parse(faces.split())))
    found = solve(method.deals(cards), method.net)
    assert found.ev == plain_best(variant, cards, method.net)


def test_best_play_on_a_small_deck() -> None:
    held_to_plain("red_dog", "2c 5d 5h 9s Kc Kd Ah 7c")


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_best_play_of_others_on_a_small_deck(name: str) -> None:
    held_to_plain(name, SLOW[name])


def test_a_game_with_a_method_of_its_own_gets_the_same() -> None:
    variant = HIGH_CARD.variant()
    assert (
        GenericMethod(variant).exact_price("ante").ev == method_of(variant).exact_price("ante").ev == Fraction(-20, 221)
    )


@pytest.mark.slow
def test_three_card_poker_to_the_last_digit() -> None:
    """All 14,658,134,400 deals; those that differ in suits and order alone are dealt once."""
    variant = replace(three_card_poker.GAME, shortcuts=Shortcuts(suits_alike=True, any_order=True)).variant()
    assert GenericMethod(variant).exact_price("ante").ev == Fraction(-686689, 20358520)


@pytest.mark.slow
def test_the_price_of_a_policy_is_that_of_its_tally() -> None:
    variant = gallery("casino_war").variant()
    method = GenericMethod(variant)
    ways = {name: method.play(name).tally() for name in ("always-war", "always-surrender")}
    evs = {}
    for name, tally in ways.items():
        assert tally is not None
        evs[name] = sum(n * method.net(story) for story, n in tally.stories.items()) / tally.total
    assert evs["always-war"] > evs["always-surrender"]
    assert evs["always-surrender"] == Fraction(-23, 622)


@pytest.mark.slow
def test_shortcuts_change_no_price() -> None:
    """Let It Ride without any declaration, on a deck of three ranks."""
    variant = gallery("let_it_ride").variant()
    method = GenericMethod(variant)
    cards = tuple(card for card in pack(1) if card % 13 in (0, 9, 10))
    short = solve(method.deals(cards), method.net)
    from dataclasses import replace  # noqa: PLC0415

    from pairhouse.core.shortcuts import NO_SHORTCUTS  # noqa: PLC0415

    plain: Deals = replace(method.deals(cards), shortcuts=NO_SHORTCUTS)
    assert solve(plain, method.net).ev == short.ev


@pytest.mark.slow
@pytest.mark.parametrize("hole_card", ["peek", "none"])
def test_blackjack_on_a_small_shoe(hole_card: str) -> None:
    """A card of every value, so that no pair is split: best play as a fraction is what the special solver finds."""
    game = replace(standard_blackjack.GAME, shortcuts=Shortcuts(same=value))
    variant = game.variant({"insurance": "never", "hole_card": hole_card})
    generic = GenericMethod(variant).exact_price("main", range(10)).ev
    counts = np.array([0.0, *[1.0] * 10])
    assert float(generic) == pytest.approx(Solution(variant.rules, counts, 1.5).expectation, abs=1e-14)
    with pytest.raises(Refused, match="8 cards are not enough"):
        GenericMethod(variant).exact_price("main", range(1, 9))
