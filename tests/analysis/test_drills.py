"""Decisions to practise: their frequencies add up to the rounds that ask, and their values are those of the advice."""

from fractions import Fraction

import pytest

from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.cards import parse
from pairhouse.games.catalogue import find


def of_blackjack(decks: int) -> Fraction:
    """The chance that neither side has a blackjack, from the cards alone."""
    aces, tens, cards = 4 * decks, 16 * decks, 52 * decks
    one = 2 * Fraction(aces * tens, cards * (cards - 1))
    both = one * 2 * Fraction((aces - 1) * (tens - 1), (cards - 2) * (cards - 3))
    return 1 - 2 * one + both


@pytest.mark.parametrize("decks", [2, 6])
def test_the_drills_of_blackjack_are_every_round_without_a_blackjack(decks: int) -> None:
    drills = method_of(find("pair-v3").variant({"decks": decks})).drills()
    assert len(drills) == 540
    assert sum(drill.frequency for drill in drills) == of_blackjack(decks)


def test_a_drill_has_the_values_that_the_coach_gives() -> None:
    method = method_of(find("blackjack-poker-pairs").variant())
    drills = {("-".join(drill.hand), drill.up): drill for drill in method.drills()}
    for hand, up in (("6-10", "10"), ("8-8", "9"), ("A-7", "3"), ("5-6", "A")):
        faces = [f"{value}{suit}" for value, suit in zip(hand.split("-"), "hs", strict=True)]
        advice = method.advise(parse(faces), parse([f"{up}d"])[0])
        values = drills.get((hand, up)) or drills["-".join(reversed(hand.split("-"))), up]
        assert {name: float(value) for name, value in advice.actions.items()} == pytest.approx(dict(values.values))
        assert advice.best == next(iter(values.values))
        assert values.loss > 0


@pytest.mark.slow
def test_the_drills_of_three_card_poker_are_every_hand_once() -> None:
    method = method_of(find("three-card-poker").variant())
    drills = method.drills()
    assert sum(drill.frequency for drill in drills) == 1
    best = sum(drill.frequency * max(drill.values.values()) for drill in drills)
    assert best == method.exact_price("ante").ev, "best play at every drill is what the Ante is worth"
    shown = {" ".join(drill.hand): drill for drill in drills}
    for hand in ("Qc 6c 4c", "6d Qc 4c", "Qh 6d 4c"):  # what shares a suit changes what the dealer has left
        assert dict(shown[hand].values) == method.advise(parse(hand.split())).actions


def test_a_game_without_choices_has_no_drills() -> None:
    assert method_of(find("la-paire").variant()).drills() == []
