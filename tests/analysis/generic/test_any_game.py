"""Games made at random, and the games of the house, by the generic method: every way to work them out agrees."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gallery_games import plain_best
from pairhouse.analysis.generic.method import GenericMethod
from pairhouse.analysis.generic.working_back import solve
from pairhouse.analysis.methods.method import COUNTED
from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.cards import rank
from pairhouse.core.game import Game, Variant
from pairhouse.core.shortcuts import Shortcuts
from pairhouse.games import blackjack_poker_pairs, la_paire, nepal_super_baccarat, pair_v3
from pairhouse.machines.replay import replay
from random_games import Rules, game_of

SMALL = st.builds(Rules, st.integers(1, 2), st.integers(0, 2), st.integers(2, 20), st.sampled_from([1, 1, 3]))


@settings(max_examples=12)
@given(
    rules=SMALL,
    prices=st.lists(st.integers(-1, 20), min_size=1, max_size=5),
    cards=st.lists(st.integers(0, 51), min_size=5, max_size=6, unique=True),
    choices=st.lists(st.sampled_from(["stop", "go"]), min_size=2, max_size=2),
)
def test_any_game_is_worked_out_alike(rules: Rules, prices: list[int], cards: list[int], choices: list[str]) -> None:
    variant = game_of(rules, prices).variant()
    method, deck = GenericMethod(variant), tuple(sorted(cards))
    found = solve(method.deals(deck), method.net)
    assert found.ev == plain_best(variant, deck, method.net)
    told = sum((n * method.net(story) for story, n in found.tally.items()), Fraction(0)) / sum(found.tally.values())
    assert told == found.ev
    taken = (choices[:1] if choices[:1] == ["stop"] else choices)[: rules.choices]
    state = replay(variant, cards, [{"sum": 100}], taken)
    assert state.awaiting is None
    net = state.net(1)
    assert net is not None
    assert Fraction(net, 100) == method.net(tuple((1, happened) for _, happened in state.happened))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "shortcuts"), [(nepal_super_baccarat.GAME, Shortcuts(same=rank)), (la_paire.GAME, Shortcuts())]
)
def test_the_games_of_the_house_get_the_same_fractions(game: Game, shortcuts: Shortcuts) -> None:
    special = method_of(game.variant())
    generic = GenericMethod(replace(game, shortcuts=shortcuts).variant())
    for wager in special.variant.wagers:
        assert generic.exact_price(wager).ev == special.exact_price(wager).ev, wager


@pytest.mark.slow
@pytest.mark.parametrize(("game", "decks"), [(pair_v3.GAME, 6), (pair_v3.GAME, 2), (blackjack_poker_pairs.GAME, None)])
def test_side_bets_of_blackjack_get_the_same_fractions(game: Game, decks: int | None) -> None:
    """What the first cards decide, on the full pack: dealt by the opening of the rule book, counted by running it."""
    special = method_of(game.variant({} if decks is None else {"decks": decks}))
    assert special.counting is not None
    counted = tuple(special.variant.wagers[wager] for wager in special.wagers_from(COUNTED))
    first = tuple(replace(wager, opens=True, base=None) for wager in counted)
    opening = replace(game, play=special.counting.play, actions=(), wagers=lambda _options: first)
    generic = GenericMethod(Variant(opening, special.variant.options))
    assert first
    for wager in first:
        assert generic.exact_price(wager.id).ev == special.exact_price(wager.id).ev, wager.id
