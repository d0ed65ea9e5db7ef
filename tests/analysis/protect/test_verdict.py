"""Verdicts: the words say what the figures say."""

from fractions import Fraction

import msgspec
import pytest

from pairhouse.analysis.protect.measures import CeilingWins, CountWins, CutWins, SolvedCeiling
from pairhouse.analysis.protect.report import effect_text, not_safe
from pairhouse.analysis.protect.teams import teams
from pairhouse.analysis.protect.verdict import AboutWager, Concern, money, safe_cut, safe_stake, verdict
from pairhouse.core.errors import Refused


def wins(cut: int, ceiling: float, count: float = 0.0, error: float = 0.0) -> CutWins:
    bet_from = 3 if count else None
    counted = CountWins(win=count, bets=5, edge=0.1, deviation=1, desirability=1, n0=None, bet_from=bet_from)
    best = CeilingWins(win=ceiling, bets=5, edge=0.1, deviation=1, desirability=1, n0=None, error=error)
    return CutWins(cut, 80.0, counted, best)


def test_safe_and_not() -> None:
    concern = Concern(pace=100, sum_an_hour=10000)
    deep, half, shallow = wins(14, 2.0, 1.0), wins(52, 0.9, error=0.1), wins(104, 0.5)
    assert safe_cut([deep, half, shallow], concern) == 104  # three errors more than 0.9 are not safe
    assert safe_stake(deep, concern) == 5000
    says = verdict([deep, half, shallow], concern, AboutWager(price=-0.1, untouched=False, exact=True))
    assert says.startswith(
        "Not safe with 14 cards behind the cut card: a perfect player wins 2.00 units per 100 rounds."
    )
    assert "Safe from 104 cards behind the cut card on." in says
    assert "betting from +3 on, gets 50% of that" in says
    assert "stakes up to 50.00 keep an hour's ceiling under 100.00" in says
    assert "Cut off 104 cards" in says
    assert verdict([shallow], concern, AboutWager(price=-0.1, untouched=True, exact=True)).startswith(
        "Safe: with 104 cards"
    )
    assert "No single card changes its price" in verdict(
        [shallow], concern, AboutWager(price=-0.1, untouched=True, exact=True)
    )
    assert "never worth a bet" in verdict([wins(14, 0.0)], concern, AboutWager(price=-0.1, untouched=False, exact=True))
    assert verdict([deep], concern, AboutWager(price=0.02, untouched=False, exact=True)).startswith(
        "Not safe: the bet is worth 2.0000%"
    )
    assert "by first-order prices" in verdict([deep], concern, AboutWager(price=-0.1, untouched=False, exact=False))
    assert "any cut card that was dealt" in verdict(
        [deep], concern, AboutWager(price=-0.1, untouched=False, exact=True)
    )
    assert verdict([], concern, AboutWager(price=-0.1, untouched=False, exact=True)).startswith("No shoe was followed")
    assert money(123456) == "1,234.56"


def test_concerns_that_mean_nothing_are_refused() -> None:
    for concern, says in (
        (Concern(pace=0), "a pace of 0 rounds"),
        (Concern(sum_an_hour=0), "a sum of 0.00 an hour"),
        (Concern(safe_win=-1), "a safe win of -1"),
        (Concern(safe_win=float("inf")), "a safe win of inf"),
        (Concern(pace=float("inf")), "a pace of inf"),
    ):
        with pytest.raises(Refused, match=says):
            concern.check()


def test_bets_that_counts_hardly_touch_say_what_pairs_of_cards_do() -> None:
    pairs = {"one card twice": 0.0003, "one rank": 0.0005, "neither": -0.0001}
    said = "Two cards of one rank gone together change it by +0.0500% of the stake, beyond what each does alone."
    untouched = AboutWager(price=-0.1, untouched=True, second_order=pairs)
    assert said in verdict([wins(14, 0.5)], Concern(), untouched)
    assert said in verdict([], Concern(), untouched)
    hardly = verdict([wins(14, 0.5, 0.05)], Concern(), AboutWager(price=-0.1, second_order=pairs))
    assert "gets 10% of that. A count of single cards hardly touches it. " + said in hardly
    assert said not in verdict([wins(14, 0.5, 0.4)], Concern(), AboutWager(price=-0.1, second_order=pairs))


def test_rounds_that_were_solved_decide_about_safety() -> None:
    """By first order a bet may look safe, and not be."""
    played = AboutWager(price=-0.03, exact=False)
    safe = wins(14, 0.1)
    found = msgspec.structs.replace(safe, solved=SolvedCeiling(2.0, 0.1, 150, 12))
    says = verdict([found, wins(52, 0.1)], Concern(), played)
    assert says.startswith(
        "Not safe with 14 cards behind the cut card: a perfect player wins 2.00 units per 100 rounds"
    )
    assert "standard error 0.10 (150 rounds were solved). Safe from 52 cards" in says
    assert safe_cut([found], Concern()) is None
    followed = msgspec.structs.replace(wins(14, 1.0, 0.9), solved=SolvedCeiling(1.2, 0.1, 150, 12))
    assert "gets 75% of that." in verdict([followed], Concern(), played)  # of what the solved rounds say
    never = msgspec.structs.replace(safe, solved=SolvedCeiling(0.0, 0.0, 150, 0))
    assert "it was never worth a bet in 150 rounds that were solved" in verdict([never], Concern(), played)


def test_teams_take_the_best_wagers() -> None:
    found = teams({"a": 1.0, "b": 3.0, "c": 0.0, "d": 2.0})
    assert [team.wagers for team in found] == [["b"], ["b", "d"], ["b", "d", "a"]]
    assert found[1].win == 5.0
    assert found[1].share == pytest.approx(5 / 6)
    assert len(teams({str(number): 1.0 for number in range(34)})) == 34  # as many followers as there are wagers


def test_effects_fit_a_column_for_every_rank() -> None:
    """Four digits or so, however much a card changes."""
    shown = [effect_text(Fraction(value)) for value in ("0", "-0.000699", "0.0167714", "-0.100629", "-0.909134")]
    assert shown == ["0", "−6.99", "167.7", "−1006", "−9091"]


@pytest.mark.parametrize(
    ("some", "all_of_them", "said"),
    [
        (1, 1, "The wager is not safe"),
        (4, 4, "No wager is safe"),
        (1, 4, "1 of 4 wagers is not safe"),
        (3, 4, "3 of 4 wagers are not safe"),
    ],
)
def test_how_many_are_not_safe_is_said_as_people_say_it(some: int, all_of_them: int, said: str) -> None:
    assert not_safe(some, all_of_them) == said
