"""The blackjack solver, against the oracle on small shoes, exact fractions, published figures and itself."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from pairhouse.analysis.blackjack.basic import BasicStrategy, two_cards
from pairhouse.analysis.blackjack.exact import ExactHand
from pairhouse.analysis.blackjack.hands import VALUES, all_hands, dealer_tree
from pairhouse.analysis.blackjack.overall import Solution
from pairhouse.analysis.blackjack.report import advise, chart, exceptions, solution, solved_game
from pairhouse.analysis.blackjack.solve import UpCard, evaluate, fresh_shoe
from pairhouse.analysis.blackjack.spread import Spread
from pairhouse.analysis.blackjack.strategy import BestPlay
from pairhouse.core.cards import parse
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.tally import net_of
from pairhouse.games.blackjack_choices import SURRENDER
from pairhouse.games.blackjack_hand import WORDS, is_blackjack
from pairhouse.games.catalogue import find
from pairhouse.machines.enumerate import enumerate_rounds


def blackjack(**options: Any) -> Variant:
    return find("blackjack").variant(options)


@pytest.mark.parametrize(
    ("game", "shoe", "options"),
    [
        ("blackjack", {9: 6, 10: 6}, {}),
        ("blackjack", {8: 5, 10: 7}, {}),
        ("blackjack", {10: 6, 1: 5, 9: 3}, {"max_hands": 3}),
        ("blackjack", {10: 6, 1: 5, 9: 3}, {"max_hands": 3, "resplit_aces": True}),
        ("blackjack", {10: 7, 1: 3, 9: 4}, {"max_hands": 2, "hole_card": "none"}),
        ("blackjack", {10: 7, 1: 3, 9: 4}, {"max_hands": 2, "hole_card": "none", "surrender": "late"}),
        ("blackjack", {8: 4, 10: 5, 9: 3}, {"max_hands": 3}),
        ("blackjack", {8: 4, 10: 5, 3: 3}, {"max_hands": 3}),
        ("blackjack", {8: 4, 10: 9, 3: 2}, {"max_hands": 4, "double_after_split": False}),
        ("blackjack", {6: 4, 10: 5, 1: 3}, {"max_hands": 2, "soft_17": "hit", "surrender": "late"}),
        ("blackjack", {5: 4, 10: 6, 7: 3}, {"max_hands": 2, "double": "10-11"}),
        ("blackjack-poker-pairs", {8: 5, 10: 7}, {}),
        ("blackjack-poker-pairs", {9: 5, 10: 6, 8: 3}, {}),
    ],
)
def test_equals_the_oracle_on_small_shoes(game: str, shoe: dict[int, int], options: dict[str, Any]) -> None:
    """Splits, resplits by both rules, the peek and its absence: every path of the rule book under the solver's play."""
    variant = find(game).variant({"insurance": "never", **options})
    counts = np.zeros(11)
    for value, number in shoe.items():
        counts[value] = number
    solved = Solution(variant.rules, counts, 1.5)
    cards = [value - 1 for value, number in shoe.items() for _ in range(number)]
    tally = enumerate_rounds(variant.game.play, variant.rules, cards, strategy=BestPlay(solved))
    assert tally.total == 1
    assert solved.expectation == pytest.approx(float(tally.expectation(variant.wagers["main"])), abs=1e-13)


@pytest.mark.parametrize(
    ("options", "published", "digits"),
    [
        ({"decks": 1, "double_after_split": False, "max_hands": 2}, 0.000247914, 9),  # bjstrat.net
        ({"decks": 5, "double_after_split": False}, -0.005225, 6),  # wizardofodds.com, appendix 9
        ({"decks": 8}, -0.0043, 4),  # published as -0.43 %
    ],
)
def test_published_expectations(options: dict[str, Any], published: float, digits: int) -> None:
    assert round(solution(blackjack(**options)).expectation, digits) == published


@pytest.mark.parametrize(
    ("options", "published", "why"),
    [
        ({"decks": 1}, 0.001839, 1e-5),
        ({"decks": 1, "double_after_split": False}, 0.000423, 1e-5),
        ({"decks": 5}, -0.003804, 1e-5),
        ({"decks": 6, "surrender": "late"}, -0.003305, 1e-5),
        ({"decks": 6}, -0.004031, 1e-5),
        ({"decks": 6, "surrender": "late", "resplit_aces": True}, -0.002620, 1e-5),
        ({"decks": 8, "surrender": "late"}, -0.003551, 1e-5),
    ],
)
def test_published_figures_with_resplits_are_near(options: dict[str, Any], published: float, why: float) -> None:
    """Not reproduced to the last digit: these sources name neither their class of strategies nor how they value resplits,
    and two other classes we tried (memoryless, and by the number of hands) do not give their figures either. Ours is
    exact in its own class, as the oracle shows above; theirs are within a thousandth of a percent of it."""
    assert solution(blackjack(**options)).expectation == pytest.approx(published, abs=why)


@pytest.mark.parametrize(
    ("options", "published"),
    [
        ({"decks": 6, "surrender": "late"}, 0.003336),
        ({"decks": 6}, 0.004062),
        ({"decks": 6, "surrender": "late", "resplit_aces": True}, 0.002651),
        ({"decks": 8, "surrender": "late"}, 0.003571),
    ],
)
def test_what_the_chart_costs(options: dict[str, Any], published: float) -> None:
    """Basic strategy by totals, dealt fresh each round; the same sources as above."""
    basic = BasicStrategy(solution(blackjack(**options)))
    assert -basic.expectation == pytest.approx(published, abs=1e-5)
    assert 0 < basic.cost < 2e-4


def test_published_dealer_outcomes() -> None:
    """One deck, the dealer stands on all 17s, before the peek."""
    variant = blackjack(decks=1, hole_card="none")
    published = {
        1: [0.126128, 0.131003, 0.129486, 0.131553, 0.0515646, 0.11654, 0.313726],
        2: [0.138976, 0.131762, 0.131815, 0.123948, 0.120526, 0.352973, 0],
        6: [0.166948, 0.106454, 0.107192, 0.100705, 0.0978785, 0.420823, 0],
    }
    for up, chances in published.items():
        ends = evaluate(variant.rules, fresh_shoe(1), up, all_hands(0)).ends[0]
        assert ends == pytest.approx(chances, abs=6e-7)


def test_the_chart_of_four_to_eight_decks() -> None:
    """The chart printed everywhere for a dealer who stands on soft 17, doubling after splits."""
    rows = chart(blackjack(decks=6))
    letters = {"stand": "S", "hit": "H", "double": "D", "split": "P"}
    drawn = {
        kind: {name: "".join(letters[c] for c in cells) for name, cells in part.items()} for kind, part in rows.items()
    }
    assert drawn["hard"] == {
        **{str(n): "HHHHHHHHHH" for n in (5, 6, 7, 8)}, "9": "HDDDDHHHHH", "10": "DDDDDDDDHH", "11": "DDDDDDDDDH",
        "12": "HHSSSHHHHH", **{str(n): "SSSSSHHHHH" for n in (13, 14, 15, 16)},
        **{str(n): "SSSSSSSSSS" for n in (17, 18, 19, 20)},
    }  # fmt: skip
    assert drawn["soft"] == {
        "13": "HHHDDHHHHH", "14": "HHHDDHHHHH", "15": "HHDDDHHHHH", "16": "HHDDDHHHHH", "17": "HDDDDHHHHH",
        "18": "SDDDDSSHHH", "19": "SSSSSSSSSS", "20": "SSSSSSSSSS",
    }  # fmt: skip
    assert drawn["pairs"] == {
        "A": "PPPPPPPPPP", "2": "PPPPPPHHHH", "3": "PPPPPPHHHH", "4": "HHHPPHHHHH", "5": "DDDDDDDDHH",
        "6": "PPPPPHHHHH", "7": "PPPPPPHHHH", "8": "PPPPPPPPPP", "9": "PPPPPSPPSS", "10": "SSSSSSSSSS",
    }  # fmt: skip


def test_published_two_deck_exceptions() -> None:
    """Two decks, two cards: 9-2 and 8-3 hit against an ace, 10-2 hits against a 4."""
    found = {(cell["hand"], cell["up"], cell["best"]) for cell in exceptions(blackjack(decks=2))}
    assert {("2-9", "A", "hit"), ("3-8", "A", "hit"), ("2-10", "4", "hit")} <= found


@pytest.mark.parametrize("options", [{"decks": 8}, {"decks": 1, "soft_17": "hit"}, {"decks": 2, "hole_card": "none"}])
def test_floating_point_is_exact_to_its_error(options: dict[str, Any]) -> None:
    """Values against exact fractions, decisions included."""
    variant = blackjack(**options, surrender="late")
    solved = solution(variant)
    for up, hand in ((10, (6, 10)), (6, (5, 6)), (1, (2, 10)), (7, (1, 6)), (9, (8, 8))):
        exact = ExactHand(variant.rules, [int(n) for n in fresh_shoe(options["decks"])], up).actions(*hand)
        found = solved.ups[up].actions(*hand)
        assert all(isinstance(value, Fraction) for value in exact.values())
        assert {a: found[a] for a in exact} == pytest.approx({a: float(v) for a, v in exact.items()}, abs=1e-13)


def test_dealer_chances_sum_to_one_against_every_hand() -> None:
    for options in ({"decks": 8}, {"decks": 4, "soft_17": "hit"}, {"decks": 6, "hole_card": "none"}):
        variant = blackjack(**options)
        for up in VALUES:
            ends = evaluate(variant.rules, fresh_shoe(4), up, all_hands(0)).ends
            held = (fresh_shoe(4) - all_hands(0).counts - np.eye(11)[up] >= 0)[:, 1:].all(axis=1)
            assert ends[held].sum(axis=1) == pytest.approx(np.ones(held.sum()), abs=1e-12)
            assert dealer_tree(variant.rules, up).parent[0] == 0


def test_more_decks_cost_the_player_a_little_more() -> None:
    """Per-hand values and the whole are consistent between deck counts: they fall, and by less and less."""
    values = [solution(blackjack(decks=decks)).expectation for decks in range(1, 9)]
    steps = [before - after for before, after in pairwise(values)]
    assert all(step > 0 for step in steps)
    assert all(before > after for before, after in pairwise(steps))


def test_cards_seen_average_out() -> None:
    """Not looking is the average of looking: the mean value of a fixed action over one unseen card is its value."""
    variant = blackjack(decks=1)
    shoe = fresh_shoe(1)
    whole = UpCard(variant.rules, shoe, 6)
    hand = whole.hands.of(10, 6)
    left = shoe - np.eye(11)[6] * 2 - np.eye(11)[10]
    mean = 0.0
    for value in VALUES:
        fewer = UpCard(variant.rules, shoe - np.eye(11)[value], 6)
        mean += left[value] / left.sum() * float(fewer.table.stand[hand])
    assert mean == pytest.approx(float(whole.table.stand[hand]), abs=1e-13)


@pytest.mark.parametrize("game", ["blackjack", "blackjack-poker-pairs"])
def test_the_distribution_of_a_round(game: str) -> None:
    """Chances sum to one; the mean is that of the solver up to what ignoring shared cards in splits can move."""
    solved = solution(find(game).variant({"decks": 8}))
    spread = Spread(solved)
    assert sum(spread.chances.values()) == pytest.approx(1, abs=1e-12)
    assert spread.mean == pytest.approx(solved.expectation, abs=1e-5)
    assert 1.14 < spread.variance**0.5 < 1.17
    assert spread.split_chance < 0.03
    assert spread.chances[1.5] == pytest.approx(2 * 32 / 416 * 128 / 415 * (1 - 31 / 414 * 127 / 413 * 2), abs=1e-12)


def test_the_distribution_is_exact_without_splits() -> None:
    """Against the oracle, as chances of every net result, on a shoe where no split is worth it."""
    variant = blackjack(insurance="never", max_hands=2)
    shoe = {5: 5, 10: 5, 1: 1, 4: 1, 9: 1}
    counts = np.zeros(11)
    counts[list(shoe)] = list(shoe.values())
    solved = Solution(variant.rules, counts, 1.5)
    spread = Spread(solved)
    assert spread.split_chance == 0
    cards = [value - 1 for value, number in shoe.items() for _ in range(number)]
    tally = enumerate_rounds(variant.game.play, variant.rules, cards, strategy=BestPlay(solved))
    chances: dict[float, float] = {}
    for story, weight in tally.weights.items():
        net = float(sum(net_of(variant.wagers["main"], happened) for _, happened in story))
        chances[net] = chances.get(net, 0.0) + float(weight)
    assert {net: c for net, c in spread.chances.items() if c > 0} == pytest.approx(chances, abs=1e-13)


def test_advice_sees_everything_that_was_seen() -> None:
    variant = blackjack(decks=6)
    blind = advise(variant, parse(["10h", "6d"]), parse(["10c"])[0])
    rich = advise(variant, parse(["10h", "6d"]), parse(["10c"])[0], parse(["5c", "5d", "4h", "4s", "5h", "5s"]))
    assert (blind["best"], rich["best"]) == ("hit", "stand")
    insured = advise(variant, parse(["9h", "9d"]), parse(["Ac"])[0])
    assert insured["insurance"] == pytest.approx(0.5 * (3 * 96 / 309 - 1))
    with pytest.raises(Refused, match="is not a hand to play"):
        advise(variant, parse(["10h", "6d", "9c"]), parse(["10c"])[0])
    with pytest.raises(Refused, match="appears 7 times"):
        advise(variant, parse(["10h", "6d"]), parse(["10c"])[0], parse(["Ah"] * 7))


def test_everything_about_a_game() -> None:
    record = solved_game(blackjack(decks=6, surrender="late"))
    assert len(record["hands"]) == len([c for c in two_cards() if not is_blackjack(WORDS[c[0]] + WORDS[c[1]])])
    assert next(iter(record["hands"]["6-10"]["10"])) == "surrender"
    assert record["strategy_class"].startswith("composition-dependent")
    assert solution(blackjack(decks=6, surrender="late")).ups[10].actions(10, 6)[SURRENDER] == -0.5
