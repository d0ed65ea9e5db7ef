"""Figures that others have published: each is matched to every digit it prints, or refuted with the reason.

`published.csv` holds them with their sources. A combination is compared as an integer, a fraction as a fraction, a
decimal or a percentage rounded to the digits printed.
"""

import csv
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from coups import fresh_coups
from pairhouse.analysis.counts import three_card
from pairhouse.core.cards import parse
from pairhouse.core.hands import strength
from pairhouse.games import nepal_super_baccarat as baccarat
from pairhouse.games import three_card_poker as tcp
from published_figures import FIGURES, TCP, Figure, raised, shoe

ROWS = list(csv.DictReader((Path(__file__).parent / "published.csv").read_text().splitlines()))

REFUTED = {
    ("banker no commission half on 6", "2023020261982210"): (
        "2023020261982208",
        "a spreadsheet keeps 15 digits: with the wins on 6 it must add up to 2292252566437888, as the same page says",
    ),
    ("player/banker pair 11:1", "3.184"): (
        "3.155",
        "a two-valued bet with p = 31/415 has deviation 12 * sqrt(p (1 - p)) = 3.1549, as another source prints",
    ),
    ("pairs 30/10/5", "3.45%"): (
        "3.37%",
        "the combinations that are published for eight decks give 3.37 %; neither does any other number of decks up to eight give 3.45 %",
    ),
    ("insurance", "7.7%"): (
        "7.5%",
        "3 * 128/415 - 1 is -7.47 %: an arithmetic slip",
    ),
}  # fmt: skip


def printed(figure: Figure, like: str) -> str:
    """Our figure with as many digits as the published one."""
    if "/" in like:
        return like if Fraction(like) == figure else str(figure)
    if "." not in like:
        return str(figure)
    scaled = Fraction(figure) * (100 if like.endswith("%") else 1)
    digits = len(like.strip("%").partition(".")[2])
    return f"{Decimal(round(scaled * 10**digits)).scaleb(-digits):.{digits}f}" + "%" * like.endswith("%")


@pytest.mark.parametrize("line", ROWS, ids=lambda line: f"{line['bet']} {line['parameters']} {line['quantity']}")
def test_published(line: dict[str, str]) -> None:
    found = FIGURES[line["bet"]](line["parameters"], line["quantity"])
    figures = found if isinstance(found, tuple) else (found,)
    given = re.split(r" / | = ", line["value"])
    ours = [printed(figure, like) for figure, like in zip(figures, given, strict=True)]
    refuted = REFUTED.get((line["bet"], line["value"]))
    assert ours == ([refuted[0]] if refuted else given)


def test_every_refutation_is_of_a_published_row() -> None:
    assert REFUTED.keys() <= {(line["bet"], line["value"]) for line in ROWS}
    assert len(ROWS) == 156


@pytest.mark.parametrize("decks", [4, 5, 6, 7, 8])
def test_plain_coups_are_the_tally(decks: int) -> None:
    """[NSB-14] to [NSB-25]: by points alone and in plain Python the same integers come out."""
    by_points: dict[tuple[int, int, int], int] = {}
    for coup, ways in fresh_coups(decks).items():
        key = baccarat.winner_of(coup.player, coup.banker), max(coup.player, coup.banker), coup.banker_cards
        by_points[key] = by_points.get(key, 0) + ways
    by_count: dict[tuple[int, int, int], int] = {}
    for ((_, happened),), ways in shoe(decks).stories.items():
        by_count[happened[:3]] = by_count.get(happened[:3], 0) + ways
    assert by_points == by_count


@pytest.mark.parametrize(("low", "worth_playing"), [("3", False), ("4", True)])
def test_suits_never_decide_whether_to_play(low: str, worth_playing: bool) -> None:
    """[TCP-16] At the edge between play and fold every pattern of suits says the same, and their mean is our table's."""
    each = {suits: raised([f"Q{suits[0]}", f"6{suits[1]}", low + suits[2]]) for suits in ("cdh", "ccd", "cdc", "dcc")}
    assert {value > -1 for value in each.values()} == {worth_playing}
    value = three_card(TCP).value(tcp.PLAY, strength(*parse(["Qc", "6d", f"{low}h"])))
    number = {"cdh": 24, "ccd": 12, "cdc": 12, "dcc": 12}
    assert sum(number[suits] * value for suits, value in each.items()) / 60 == value
