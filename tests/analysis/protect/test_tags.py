"""Counts: the best whole-number tags are the best of all there are, and published correlations are met."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.protect.effects import effects
from pairhouse.analysis.protect.published_counts import counts_for
from pairhouse.analysis.protect.tags import (
    Weighted,
    best_counts,
    by_card,
    by_rank,
    correlation_squared,
    published,
    real_tags,
)

BACCARAT = effects(analyst("nepal-super-baccarat"), ["tie", "banker", "player-pair"])


def brute_best(weighted: Weighted, level: int, balanced: bool) -> Fraction:
    """The best of every set of tags there is."""
    best = Fraction(0)
    for tags in product(range(-level, level + 1), repeat=len(weighted.names)):
        if not balanced or sum(t * n for t, n in zip(tags, weighted.in_deck, strict=True)) == 0:
            best = max(best, correlation_squared(tags, weighted))
    return best


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("seed", [1, 2])
def test_tags_are_the_best_of_all(level: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    names = list("ABCDE") if level < 3 else list("ABCD")
    held = [4, 4, 4, 2, 4][: len(names)]
    effect = [Fraction(int(number), 1000) for number in random.integers(-50, 50, len(names))]
    weighted = Weighted(names, held, [Fraction(number) for number in held], effect)
    found = best_counts(weighted, [level])
    balanced = [count.correlation_squared for count in found if count.balanced]
    assert max(balanced, default=Fraction(0)) == brute_best(weighted, level, balanced=True)
    assert max(count.correlation_squared for count in found) == brute_best(weighted, level, balanced=False)


def test_level_one_of_thirteen_ranks_against_every_row() -> None:
    weighted = by_rank(BACCARAT["tie"])
    rows = np.stack(np.meshgrid(*[np.arange(-1, 2, dtype=np.int8)] * 13, indexing="ij"), -1).reshape(-1, 13)
    values = np.array([float(effect) for effect in weighted.effects])
    real = rows.astype(np.float32)
    spread = (real**2).sum(axis=1) - real.sum(axis=1) ** 2 / 13
    score = real @ (values - values.mean()).astype(np.float32) / np.sqrt(np.maximum(spread, 1e-6))
    score[spread < 1e-3] = -1
    best = rows[int(score.argmax())].tolist()
    found = best_counts(weighted, [1])
    assert len(rows) == 3**13
    assert max(count.correlation_squared for count in found) == correlation_squared(best, weighted)
    score[rows.sum(axis=1) != 0] = -1
    balanced = next(count for count in found if count.balanced)
    assert balanced.correlation_squared == correlation_squared(rows[int(score.argmax())].tolist(), weighted)


def test_higher_levels_follow_no_worse_and_real_tags_best() -> None:
    weighted = by_rank(BACCARAT["banker"])
    found = best_counts(weighted)
    for kind in (True, False):
        rising = [count.correlation_squared for count in found if count.balanced is kind]
        assert rising == sorted(rising)
        assert len(rising) == 3
    real = real_tags(weighted)
    assert max(map(abs, real.values())) == 1
    assert correlation_squared(weighted.effects, weighted) == 1
    assert all(count.correlation_squared < 1 for count in found)


def test_nothing_to_count() -> None:
    assert best_counts(by_rank(BACCARAT["player-pair"])) == []
    assert set(real_tags(by_rank(BACCARAT["player-pair"])).values()) == {0.0}


def test_cards_where_suits_matter() -> None:
    red = effects(analyst("la-paire"), ["red"])["red"]
    found = {count.name: count for count in best_counts(by_card(red), [1])}
    balanced, unbalanced = found["level 1, balanced"], found["level 1, unbalanced"]
    assert unbalanced.correlation_squared == 1  # red cards are counted, nothing else
    assert {unbalanced.tags[card] for card in ("Ah", "Kd")} == {-1}
    assert balanced.correlation_squared == Fraction(27, 28)
    assert balanced.tags["Ac"] == 1
    assert balanced.tags["X1"] == 0


@pytest.mark.slow
def test_published_betting_correlations() -> None:
    """As they are printed everywhere, to two digits."""
    bets = effects(analyst("blackjack", {"decks": "6"}), ["main"])
    main = {c.name: c.correlation for c in published(by_rank(bets["main"]), counts_for("main"))}
    printed = {"Hi-Opt I": 0.88, "Hi-Opt II": 0.91, "Omega II": 0.92, "Zen": 0.96, "Halves, doubled": 0.99}
    assert {name: round(main[name], 2) for name in printed} == printed
    assert abs(main["Hi-Lo"] - 0.97) < 0.01  # printed for fixed play; ours plays by the card that is gone


def test_published_insurance_correlations() -> None:
    """As they are printed everywhere, to two digits."""
    bets = effects(analyst("blackjack", {"decks": "6"}), ["insurance"])
    insurance = {c.name: c.correlation for c in published(by_rank(bets["insurance"]), counts_for("insurance"))}
    assert round(insurance["Hi-Lo"], 2) == 0.76
    assert round(insurance["Zen"], 2) == 0.85
    assert round(insurance["Hi-Opt II"], 2) == 0.91
    assert insurance["Insurance count"] == 1
