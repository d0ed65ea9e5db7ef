"""Counts from any remaining cards equal those of the counting machine, story by story, as whole numbers."""

import numpy as np
import pytest

from pairhouse.analysis.protect.rule_book import counting_of
from pairhouse.core.cards import pack
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import find
from pairhouse.machines import composition
from pairhouse.machines.composition import Book, Evaluator, Terms, interchangeable, terms_of
from pairhouse.machines.count import count

BACCARAT = find("nepal-super-baccarat").variant()


def book_of(variant: Variant) -> Book:
    """A rule book with every face of one deck as a class of its own, or every rank where only ranks matter."""
    counting = counting_of(variant)
    faces = pack(1, variant.pack[1])
    classes = sorted({counting.classes.of(face): face for face in reversed(faces)}.values())
    return Book(counting.play, variant.rules, counting.kinds, tuple(classes), counting.classes.draws)


def tally_of(terms: Terms, evaluator: Evaluator, left: list[int]) -> dict[int, int]:
    (ways,) = evaluator.ways(np.array([left])).tolist()
    return {story: number for story, number in zip(terms.stories, ways, strict=True) if number}


@pytest.mark.parametrize("game", ["nepal-super-baccarat", "blackjack-poker-pairs", "pair-v3"])
def test_every_story_is_counted_as_by_the_counting_machine(game: str) -> None:
    variant = find(game).variant()
    terms = terms_of(book_of(variant))
    evaluator = Evaluator(terms, np.arange(len(terms.stories)), range(len(terms.book.faces)))
    random = np.random.default_rng(1)
    for cards in (14, 30, 50):
        left = random.multivariate_hypergeometric([8] * len(terms.book.faces), cards).tolist()
        shoe = [face for face, number in zip(terms.book.faces, left, strict=True) for _ in range(number)]
        counting = counting_of(variant)
        expected = count(counting.play, variant.rules, counting.kinds, shoe, counting.classes)
        assert tally_of(terms, evaluator, left) == expected


def test_cards_that_a_group_of_stories_cannot_tell_apart_are_found() -> None:
    """Totals know points only, so ten to king are one; the pairs of ranks need every rank and four of six cards."""
    terms = terms_of(book_of(BACCARAT))
    digits = [f"{story:x}" for story in terms.stories]
    winner = np.unique([story[2:4] for story in digits], return_inverse=True)[1]
    paired = np.unique([story[5:] for story in digits], return_inverse=True)[1]
    by_points, by_rank = interchangeable(terms, [winner, paired])
    assert by_points == (*range(10), 9, 9, 9)
    assert by_rank == tuple(range(13))
    short = composition.shortened(terms, paired)
    assert (short.cards >= 0).sum(axis=1).max() == 4
    left = np.array([[3, 1, 0, 2, 2, 1, 0, 4, 1, 2, 0, 1, 3]])
    every = Evaluator(terms, np.arange(len(terms.stories)), range(13)).ways(left)[0]
    for cells, together in ((winner, by_points), (paired, by_rank)):
        expected = np.bincount(cells, weights=every).astype(int)
        assert Evaluator(terms, cells, together).ways(left)[0].tolist() == expected.tolist()


def test_too_many_stories_are_refused_not_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composition, "TERM_SLOTS", 1 << 11)
    with pytest.raises(Refused, match="too many different deals"):
        terms_of(book_of(BACCARAT))
