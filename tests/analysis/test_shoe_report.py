"""Whole shoes: dealt in the order of a shuffle, ended by the cut card, sorted by depth and by count."""

import numpy as np
import pytest

from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.analysis.simulation.shoe_report import HI_LO, read_tags, shoe_report, shoe_simulation
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find
from pairhouse.machines.simulate.shoes import DEPTH, TRUE, Bins, bin_of

BACCARAT = find("nepal-super-baccarat").variant()
MAIN = ["player", "banker", "tie"]


def test_shoes_are_the_same_however_they_are_shared_out() -> None:
    one = shoe_report(BACCARAT, 3000, 4, wagers=MAIN, workers=1)
    assert one == shoe_report(BACCARAT, 3000, 4, wagers=MAIN, workers=2)
    assert one != shoe_report(BACCARAT, 3000, 5, wagers=MAIN)


def test_a_shoe_of_baccarat_lasts_as_long_as_shoes_do() -> None:
    """Eight decks, a cut card fourteen from the end: about eighty coups, four to six cards each; price unchanged."""
    found = shoe_report(BACCARAT, 4000, 1, wagers=MAIN)
    assert 80 < found.rounds / found.shoes < 83
    assert [one.least for one in found.bins] == list(range(0, 416, 52))
    assert all(abs(sample.z or 0) < 5 for sample in found.all.values())
    shorter = shoe_report(BACCARAT, 1000, 1, wagers=MAIN, behind_cut=208)
    assert 40 < shorter.rounds / 1000 < 44


def test_a_count_finds_the_rounds_that_favour_the_player() -> None:
    """Blackjack by true count: worse than fresh when it is low, better when it is high, and about zero near +1."""
    found = shoe_report(
        find("blackjack").variant({"decks": 6}), 25_000, 2, by="true", strategy="basic", wagers=["main"]
    )
    low = [one for one in found.bins if one.most is not None and one.most <= -3]
    high = [one for one in found.bins if one.least is not None and one.least >= 4]

    def mean(bins: list) -> float:  # type: ignore[type-arg]
        return float(np.average([one.wagers["main"].ev for one in bins], weights=[one.rounds for one in bins]))

    assert mean(low) < -0.012
    assert mean(high) > 0.008


def test_the_outer_rows_of_a_count_are_open_and_say_so() -> None:
    """Everything beyond -10 and +10 is counted in the outer rows; every round is in one row."""
    found = shoe_report(BACCARAT, 2000, 1, by="true", wagers=MAIN)
    first, *inner, last = found.bins
    assert (first.label, first.least, first.most) == ("<= -10", None, -10)
    assert (last.label, last.least, last.most) == (">= +10", 10, None)
    assert [(one.label, one.least, one.most) for one in inner[8:11]] == [("-1", -1, -1), ("0", 0, 0), ("+1", 1, 1)]
    assert sum(one.rounds for one in found.bins) == found.rounds
    running = shoe_report(BACCARAT, 2000, 1, by="running", wagers=MAIN).bins
    assert [one.label for one in running[:2]] == ["<= -23", "-22 to -21"]
    assert shoe_report(BACCARAT, 10, 1, wagers=MAIN).bins[-1].label == "364 to 415"


@pytest.mark.parametrize(
    ("dealt", "running", "true"),
    [
        (1, 0, 0),
        (1, 8, 1),
        (1, 7, 0),
        (1, -1, -1),
        (208, 8, 2),
        (208, -8, -2),
        (208, -9, -3),
        (364, 5, 5),
        (390, 5, 10),
    ],
)
def test_a_true_count_is_the_running_count_per_deck_left_rounded_down(dealt: int, running: int, true: int) -> None:
    """Of eight decks: 415 cards left are not quite eight, so +8 is just above one a deck."""
    bins = Bins(TRUE, -100, 1, 201, 52)
    assert bin_of.py_func(bins, dealt, running, 416) - 100 == true


def test_a_joker_has_no_tag_and_belongs_to_its_deck() -> None:
    """Two decks of 54 with half of them left: one deck is left."""
    assert bin_of.py_func(Bins(TRUE, -100, 1, 201, 54), 54, 3, 108) - 100 == 3


@pytest.mark.parametrize(("decks", "behind_cut"), [(6, 78), (1, 11)])
def test_one_deck_of_blackjack_can_be_dealt_without_more_words(decks: int, behind_cut: int) -> None:
    """The usual cut, a quarter of the shoe, gives way to the cards that a round may take."""
    sampling = Sampling.of(analyst("blackjack", {"decks": decks}), "basic", ["main"])
    assert shoe_simulation(sampling, DEPTH, (0,) * 13).dealing.behind_cut == behind_cut


def test_every_card_of_a_shoe_is_dealt_once() -> None:
    """The shuffle is a shuffle: with every tag 1, the running count is the number of cards dealt."""
    sampling = Sampling.of(BACCARAT, "best", ["player"])
    assert read_tags("A=1,K=-2") == (1, *[0] * 11, -2)
    for kind in (DEPTH, TRUE):
        simulation = shoe_simulation(sampling, kind, (0,) * 13, None)
        counts = simulation.shoes(3, 0, 50)
        assert counts.sum() == simulation.shoes(3, 0, 25).sum() + simulation.shoes(3, 25, 25).sum()
    assert int((counts.sum(axis=1) > 0).sum()) == 1  # a count without tags stays where it is


@pytest.mark.parametrize(
    ("game", "given", "sentence"),
    [
        ("la-paire", {}, "not dealt from a shoe"),
        ("nepal-super-baccarat", {"by": "mood"}, "choose depth, running or true"),
        ("nepal-super-baccarat", {"by": "true", "tags": "A=x"}, "is not a tag"),
        ("nepal-super-baccarat", {"by": "running", "tags": "B=1"}, "is not a tag"),
        ("nepal-super-baccarat", {"tags": HI_LO}, "tags are for a count"),
        ("nepal-super-baccarat", {"behind_cut": 500}, "behind the cut card"),
    ],
)
def test_bad_shoes_are_refused(game: str, given: dict[str, object], sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        shoe_report(find(game).variant(), 10, 1, **given)  # type: ignore[arg-type]
    assert "10=-1" in HI_LO
