"""The best count for a wager: a number for each rank, added up as cards are seen, that follows the price most closely.

A linear count can do no better than the effects of removal themselves. Whole numbers are easier to keep: of all tags
from -level to level the best are found by search. The betting correlation says how closely a count follows the price:
the correlation of tags and effects over the cards of the pack. A count is balanced when the tags of a whole pack add
up to 0; one that is not is followed from its average, so only how far tags differ from it matters.

Two ranks of which the pack holds the same number never gain by having tags in the wrong order: exchanging them leaves
the spread of the tags as it is and follows the effects better. So only tags that fall with the effects have to be
tried, for ranks of the same number, and all of those are tried. Nearly equal candidates are compared as fractions.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import gcd, lcm, sqrt
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from pairhouse.analysis.protect.effects import Effects
from pairhouse.analysis.protect.published_counts import PublishedCount
from pairhouse.core.cards import FACES

LEVELS = (1, 2, 3)
CLOSE = 1e-9  # candidates so close to the best are compared exactly
NEAR_MAX = 400
SPREAD_LEAST = 1e-9
RANKS_MAX = 14  # more names than this are single cards

Reals = npt.NDArray[np.float64]
Tags = Mapping[str, int]


class Count(msgspec.Struct, frozen=True):
    """A count: its tags, the largest of them, whether a pack adds up to 0, how closely it follows the price."""

    name: str
    tags: dict[str, int]
    level: int
    balanced: bool
    correlation: float
    correlation_squared: Fraction


class Weighted(msgspec.Struct, frozen=True):
    """What tags are given to: names, how many of each a deck holds, how many can be the card that is gone, effects."""

    names: list[str]
    in_deck: list[int]
    held: list[Fraction]
    effects: list[Fraction]


def by_rank(effects: Effects) -> Weighted:
    """Ranks (and Jokers), for a person who does not look at suits."""
    found, held = effects.by_rank, effects.held_by_rank
    in_deck = [len(faces) for faces in effects.ranks.values()]
    return Weighted(list(found), in_deck, list(held.values()), [Fraction(value) for value in found.values()])


def by_card(effects: Effects) -> Weighted:
    """Single cards, for wagers that suits decide."""
    names = [FACES[face] for face in range(len(effects.by_face))]
    return Weighted(names, [1] * len(names), list(effects.held), [Fraction(value) for value in effects.by_face])


def is_balanced(tags: Sequence[int], weighted: Weighted) -> bool:
    """Whether the tags of a whole deck add up to 0."""
    return sum(tag * number for tag, number in zip(tags, weighted.in_deck, strict=True)) == 0


def correlation_squared(tags: Sequence[int | Fraction], weighted: Weighted) -> Fraction:
    """The square of the correlation of tags and effects over the cards of the pack, with the sign of the correlation.

    0 where the tags, or the effects, are all the same.
    """
    number = sum(weighted.held, Fraction(0))
    mean_tag = sum((h * t for h, t in zip(weighted.held, tags, strict=True)), Fraction(0)) / number
    mean_effect = sum((h * e for h, e in zip(weighted.held, weighted.effects, strict=True)), Fraction(0)) / number
    both = tag_square = effect_square = Fraction(0)
    for held, tag, effect in zip(weighted.held, tags, weighted.effects, strict=True):
        both += held * (tag - mean_tag) * (effect - mean_effect)
        tag_square += held * (tag - mean_tag) ** 2
        effect_square += held * (effect - mean_effect) ** 2
    if not tag_square or not effect_square:
        return Fraction(0)
    return both * abs(both) / (tag_square * effect_square)


def count_of(name: str, tags: Sequence[int], weighted: Weighted) -> Count:
    """A count with its correlation."""
    square = correlation_squared(tags, weighted)
    correlation = sqrt(abs(square)) * (1 if square >= 0 else -1)
    level = max(map(abs, tags), default=0)
    named = dict(zip(weighted.names, tags, strict=True))
    return Count(name, named, level, is_balanced(tags, weighted), correlation, square)


def real_tags(weighted: Weighted) -> dict[str, float]:
    """The tags that follow the price best of all: the effects, so that the largest is 1; an average of 0."""
    number = sum(weighted.held, Fraction(0))
    mean = sum((h * e for h, e in zip(weighted.held, weighted.effects, strict=True)), Fraction(0)) / number
    largest = max(abs(effect - mean) for effect in weighted.effects)
    if not largest:
        return dict.fromkeys(weighted.names, 0.0)
    return {
        name: float((effect - mean) / largest) for name, effect in zip(weighted.names, weighted.effects, strict=True)
    }


class Rows(msgspec.Struct, frozen=True):
    """Rows of tags to be tried, their spread over the pack, and which of them are balanced."""

    tags: npt.NDArray[np.int8]
    real: Reals
    spread: Reals
    balanced: npt.NDArray[np.bool_]


def falling(length: int, level: int) -> npt.NDArray[np.int8]:
    """Every row of tags from `level` down to -`level` that never rises."""
    return np.array(list(combinations_with_replacement(range(level, -level - 1, -1), length)), np.int8)


def rows_of(tags: npt.NDArray[np.int8], in_deck: Sequence[int], held: Sequence[Fraction]) -> Rows:
    """Rows with what a search needs of them."""
    real, weights = tags.astype(np.float64), np.array([float(number) for number in held])
    spread = real**2 @ weights - (real @ weights) ** 2 / weights.sum()
    return Rows(tags, real, spread, tags @ np.array(in_deck, np.int64) == 0)


@lru_cache(maxsize=12)
def falling_rows(groups: tuple[tuple[int, int, Fraction], ...], level: int) -> Rows:
    """Every set of tags that could be the best, for groups of so many ranks each, held as often as one another."""
    parts = [falling(length, level) for length, _, _ in groups]
    picked = np.indices([len(part) for part in parts]).reshape(len(parts), -1)
    tags = np.hstack([part[chosen] for part, chosen in zip(parts, picked, strict=True)])
    in_deck = [number for length, number, _ in groups for _ in range(length)]
    held = [number for length, _, number in groups for _ in range(length)]
    return rows_of(np.ascontiguousarray(tags), in_deck, held)


def sorted_by_effect(weighted: Weighted) -> tuple[Weighted, tuple[tuple[int, int, Fraction], ...]]:
    """Ranks in groups held as often, the highest effect of each first; and the groups: length, in a deck, held."""
    groups: dict[tuple[int, Fraction], list[int]] = {}
    for at in sorted(range(len(weighted.names)), key=lambda at: -weighted.effects[at]):
        groups.setdefault((weighted.in_deck[at], weighted.held[at]), []).append(at)
    order = [at for places in groups.values() for at in places]
    columns = ([column[at] for at in order] for column in _columns(weighted))
    return Weighted(*columns), tuple((len(places), *key) for key, places in groups.items())


def _columns(weighted: Weighted) -> tuple[list[Any], ...]:
    return weighted.names, weighted.in_deck, weighted.held, weighted.effects


def best_counts(weighted: Weighted, levels: Sequence[int] = LEVELS) -> list[Count]:
    """The best whole-number tags of each level: the best balanced ones, and the best of all where those are better."""
    if len(set(weighted.effects)) == 1:
        return []
    ordered, groups = sorted_by_effect(weighted)
    found: list[Count] = []
    for level in levels:
        rows = _cards_reached(ordered, level) if len(ordered.names) > RANKS_MAX else falling_rows(groups, level)
        for name, among in (("balanced", rows.balanced), ("unbalanced", None)):
            tags = best_row(rows, ordered, among)
            if tags is not None and not (name == "unbalanced" and is_balanced(tags, ordered)):
                named = dict(zip(ordered.names, tags, strict=True))
                found.append(count_of(f"level {level}, {name}", [named[rank] for rank in weighted.names], weighted))
    return found


def best_row(rows: Rows, weighted: Weighted, among: npt.NDArray[np.bool_] | None = None) -> list[int] | None:
    """The row of tags with the highest correlation; of equal ones that with the smallest tags. None without any."""
    held = np.array([float(number) for number in weighted.held])
    effects = np.array([float(effect) for effect in weighted.effects])
    effects = effects - held @ effects / held.sum()
    effects /= np.sqrt(held @ effects**2)
    usable = rows.spread > SPREAD_LEAST
    if among is not None:
        usable &= among
    scores = rows.real @ (held * effects) / np.sqrt(np.maximum(rows.spread, SPREAD_LEAST))
    scores[~usable] = -np.inf
    if not usable.any() or scores.max() <= CLOSE:
        return None
    near = np.flatnonzero(scores >= scores.max() - CLOSE)
    compare = _exactly(weighted)
    exact = {int(at): compare(rows.tags[at].tolist()) for at in near[:NEAR_MAX]}
    top = max(exact.values())
    equal = [rows.tags[at].tolist() for at, square in exact.items() if square == top]
    return min((_primitive(tags) for tags in equal), key=lambda tags: (sum(map(abs, tags)), tags))


def _exactly(weighted: Weighted) -> Callable[[Sequence[int]], Fraction]:
    """The square of the correlation up to a factor that all tags share, worked out in whole numbers."""
    held, effects = _whole(weighted.held), _whole(weighted.effects)
    number = sum(held)
    mean = sum(h * e for h, e in zip(held, effects, strict=True))
    weights = [h * (number * e - mean) for h, e in zip(held, effects, strict=True)]

    def compare(tags: Sequence[int]) -> Fraction:
        both = sum(w * t for w, t in zip(weights, tags, strict=True))
        mean_tag = sum(h * t for h, t in zip(held, tags, strict=True))
        spread = number * sum(h * t * t for h, t in zip(held, tags, strict=True)) - mean_tag**2
        return Fraction(both * abs(both), spread)

    return compare


def _whole(numbers: Sequence[Fraction]) -> list[int]:
    """Fractions as whole numbers that stand in the same ratio."""
    below = lcm(*(number.denominator for number in numbers))
    return [int(number * below) for number in numbers]


def _primitive(tags: list[int]) -> list[int]:
    """Tags without a common factor: twice a count is the same count."""
    return [tag // (gcd(*tags) or 1) for tag in tags]


def _cards_reached(weighted: Weighted, level: int) -> Rows:
    """For single cards: for every sum of tags and sum of their squares that can be reached, the tags that follow best.

    Correlation depends on nothing else, so the best of these is the best of all; only those nearest to it are kept.
    Every face must be held as often as the others.
    """
    if len(set(weighted.held)) > 1:
        raise AssertionError("single cards are held as often as one another")
    effects = [
        float(effect - sum(weighted.effects, Fraction(0)) / len(weighted.effects)) for effect in weighted.effects
    ]
    cards, squares = len(effects), level * level * len(effects)
    width, middle = 2 * level * cards + 1, level * cards
    reached = np.full((width, squares + 1), -np.inf)
    reached[middle, 0] = 0.0
    chosen = np.zeros((cards, width, squares + 1), np.int8)
    for card, effect in enumerate(effects):
        grown = np.full_like(reached, -np.inf)
        for tag in range(-level, level + 1):
            taken = slice(max(0, -tag), width - max(0, tag)), slice(0, squares + 1 - tag * tag)
            to = slice(max(0, tag), width - max(0, -tag)), slice(tag * tag, squares + 1)
            value = reached[taken] + tag * effect
            better = value > grown[to]
            grown[to][better] = value[better]
            chosen[card][to][better] = tag
        reached = grown
    sums = np.arange(width)[:, None] - middle
    spread = np.arange(squares + 1)[None, :] - sums**2 / cards
    usable = (spread > SPREAD_LEAST) & np.isfinite(reached)
    score = np.where(usable, reached / np.sqrt(np.maximum(spread, SPREAD_LEAST)), -np.inf)
    near = score >= score.max() - CLOSE * abs(score.max())
    near[middle] = score[middle] >= score[middle].max() - CLOSE * abs(score[middle].max())
    states = sorted(np.argwhere(near & usable).tolist(), key=lambda state: state[1])
    balanced_first = sorted(states, key=lambda state: state[0] != middle)
    picked = [*balanced_first[: NEAR_MAX // 2], *states[: NEAR_MAX // 2]]
    rows = []
    for total, square in picked:
        tags, at, left = [0] * cards, total, square
        for card in range(cards - 1, -1, -1):
            tag = int(chosen[card][at, left])
            tags[card], at, left = tag, at - tag, left - tag * tag
        rows.append(tags)
    return rows_of(np.array(rows, np.int8), weighted.in_deck, weighted.held)


def published(weighted: Weighted, counts: Sequence[PublishedCount]) -> list[Count]:
    """Counts that others have published, beside ours; a rank they do not name counts nothing."""
    return [count_of(count.name, [count.tags.get(name, 0) for name in weighted.names], weighted) for count in counts]
