"""Verdicts: the words say what the figures say."""

import pytest

from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.protect.measures import CeilingWins, CountWins, CutWins
from pairhouse.analysis.protect.protection import second_order
from pairhouse.analysis.protect.teams import teams
from pairhouse.analysis.protect.verdict import Concern, money, safe_cut, safe_stake, verdict
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
    says = verdict([deep, half, shallow], concern, -0.1, untouched=False, exact=True)
    assert says.startswith(
        "Not safe with 14 cards behind the cut card: a perfect player wins 2.00 units per 100 rounds."
    )
    assert "Safe from 104 cards behind the cut card on." in says
    assert "betting from +3 on, gets 50% of that" in says
    assert "stakes up to 50.00 keep an hour's ceiling under 100.00" in says
    assert "Cut off 104 cards" in says
    assert verdict([shallow], concern, -0.1, untouched=True, exact=True).startswith("Safe: with 104 cards")
    assert "No single card changes its price" in verdict([shallow], concern, -0.1, untouched=True, exact=True)
    assert "never worth a bet" in verdict([wins(14, 0.0)], concern, -0.1, untouched=False, exact=True)
    assert verdict([deep], concern, 0.02, untouched=False, exact=True).startswith("Not safe: the bet is worth 2.0000%")
    assert "by first-order prices" in verdict([deep], concern, -0.1, untouched=False, exact=False)
    assert "any cut card that was dealt" in verdict([deep], concern, -0.1, untouched=False, exact=True)
    assert verdict([], concern, -0.1, untouched=False, exact=True).startswith("No shoe was followed")
    assert money(123456) == "1,234.56"


def test_concerns_that_mean_nothing_are_refused() -> None:
    for concern, says in (
        (Concern(pace=0), "a pace of 0 rounds"),
        (Concern(sum_an_hour=0), "a sum of 0.00 an hour"),
        (Concern(safe_win=-1), "a safe win of -1"),
    ):
        with pytest.raises(Refused, match=says):
            concern.check()


def test_the_second_order_of_a_bet_no_card_touches() -> None:
    """PAIR's table shoe-d: two cards gone together matter, one alone does not."""
    found = second_order(analyst("pair-v3", {"paytable": "shoe-d"}), "pair")
    assert found is not None
    assert set(found) == {"one card twice", "one rank", "one suit", "neither"}
    assert found["one card twice"] > found["one rank"] > 0 > found["neither"]
    # Over all second cards they average to nothing: the first one changes no price, nor does one put aside unseen.
    weights = {"one card twice": 5, "one rank": 18, "one suit": 72, "neither": 216}
    assert sum(weights[name] * found[name] for name in found) == 0


def test_teams_take_the_best_wagers() -> None:
    found = teams({"a": 1.0, "b": 3.0, "c": 0.0, "d": 2.0})
    assert [team.wagers for team in found] == [["b"], ["b", "d"], ["b", "d", "a"]]
    assert found[1].win == 5.0
    assert found[1].share == pytest.approx(5 / 6)
