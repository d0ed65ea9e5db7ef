"""The square of the strategy chart a hand is."""

import pytest

from pairhouse.analysis.blackjack.advice import square
from pairhouse.analysis.methods.records import Square
from pairhouse.analysis.three_card.strategy import queen_square
from pairhouse.core.cards import parse


@pytest.mark.parametrize(
    ("held", "up", "can_split", "cell"),
    [
        ("10h 6c", "5s", False, ("hard", "16", "5")),
        ("Ah 7c", "Ks", False, ("soft", "18", "10")),
        ("8h 8c", "Ad", True, ("pairs", "8", "A")),
        ("8h 8c", "Ad", False, ("hard", "16", "A")),
        ("10h Kc", "2d", True, ("pairs", "10", "2")),
        ("Ah Ac 5d", "9d", False, ("soft", "17", "9")),
    ],
)
def test_the_square_of_a_blackjack_hand(held: str, up: str, can_split: bool, cell: tuple[str, str, str]) -> None:
    assert square(parse(held.split()), parse([up])[0], can_split) == Square(*cell)


@pytest.mark.parametrize(
    ("held", "cell"),
    [
        ("Qh 6c 4d", Square("queen-high", "6", "4")),
        ("4h Qc Jd", Square("queen-high", "J", "4")),
        ("Ah Qc 6d", None),
        ("Qh Qc 6d", None),
        ("Kh 6c 4d", None),
    ],
)
def test_only_queen_high_hands_are_on_the_chart(held: str, cell: Square | None) -> None:
    assert queen_square(parse(held.split())) == cell
