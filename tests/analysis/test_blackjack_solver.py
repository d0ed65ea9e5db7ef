"""The blackjack solver, against the oracle on small shoes, exact fractions and itself."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from pairhouse.analysis.blackjack.advice import advise
from pairhouse.analysis.blackjack.basic import BasicStrategy, ChartEntry, two_cards
from pairhouse.analysis.blackjack.exact import ExactHand
from pairhouse.analysis.blackjack.hands import VALUES, Reals, all_hands, dealer_tree
from pairhouse.analysis.blackjack.solution_records import chart, solution, solved_game
from pairhouse.analysis.blackjack.solve import UpCard, evaluate, fresh_shoe
from pairhouse.analysis.blackjack.spread import Spread
from pairhouse.analysis.blackjack.strategy import CompositionPlay, Situation
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.core.cards import pack, parse, rank
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.tally import net_of
from pairhouse.games.blackjack_choices import DOUBLE, HIT, SPLIT, SURRENDER
from pairhouse.games.blackjack_hand import WORDS, hard, is_blackjack, is_soft, total
from pairhouse.games.catalogue import find
from pairhouse.machines.enumerate import enumerate_rounds


def blackjack(**options: Any) -> Variant:
    return find("blackjack").variant(options)


def counts_of(shoe: dict[int, int]) -> Reals:
    """A shoe as the solver takes it."""
    counts = np.zeros(11)
    counts[list(shoe)] = list(shoe.values())
    return counts


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
    solved = Solution(variant.rules, counts_of(shoe), 1.5)
    cards = [value - 1 for value, number in shoe.items() for _ in range(number)]
    tally = enumerate_rounds(variant.game.play, variant.rules, cards, strategy=CompositionPlay(solved))
    assert tally.total == 1
    assert solved.expectation == pytest.approx(float(tally.expectation(variant.wagers["main"])), abs=1e-13)


@pytest.mark.parametrize(
    ("shoe", "options"),
    [
        ({9: 6, 10: 6}, {}),
        ({8: 4, 10: 5, 3: 3}, {"max_hands": 3}),
        ({8: 4, 10: 9, 3: 2}, {"max_hands": 4, "double_after_split": False}),
        ({6: 4, 10: 5, 1: 3}, {"max_hands": 2, "surrender": "late"}),
    ],
)
def test_the_chart_equals_the_oracle_on_small_shoes(shoe: dict[int, int], options: dict[str, Any]) -> None:
    """What the chart costs is the exact value of playing it."""
    variant = blackjack(insurance="never", **options)
    basic = BasicStrategy(Solution(variant.rules, counts_of(shoe), 1.5))
    cards = [value - 1 for value, number in shoe.items() for _ in range(number)]

    def by_chart(legal: int, number: int) -> int:
        at = Situation.of(number)
        if legal & SPLIT and (at.pair or basic.pairs[at.up, hard(at.hand) // 2]):
            return SPLIT
        choice = basic.cells.get((at.up, is_soft(at.hand), total(at.hand)), ChartEntry(HIT, HIT))
        return choice.first if choice.first & legal & (DOUBLE | SURRENDER) else choice.later

    tally = enumerate_rounds(variant.game.play, variant.rules, cards, strategy=by_chart)
    assert basic.expectation == pytest.approx(float(tally.expectation(variant.wagers["main"])), abs=1e-13)


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
    solved = Solution(variant.rules, counts_of(shoe), 1.5)
    spread = Spread(solved)
    assert spread.split_chance == 0
    cards = [value - 1 for value, number in shoe.items() for _ in range(number)]
    tally = enumerate_rounds(variant.game.play, variant.rules, cards, strategy=CompositionPlay(solved))
    chances: dict[float, float] = {}
    for story, weight in tally.weights.items():
        net = float(sum(net_of(variant.wagers["main"], happened) for _, happened in story))
        chances[net] = chances.get(net, 0.0) + float(weight)
    assert {net: c for net, c in spread.chances.items() if c > 0} == pytest.approx(chances, abs=1e-13)


def test_advice_sees_everything_that_was_seen() -> None:
    variant = blackjack(decks=6)
    blind = advise(variant, parse(["10h", "6d"]), parse(["10c"])[0])
    rich = advise(variant, parse(["10h", "6d"]), parse(["10c"])[0], parse(["5c", "5d", "4h", "4s", "5h", "5s"]))
    assert (blind.best, rich.best) == ("hit", "stand")
    insured = advise(variant, parse(["9h", "9d"]), parse(["Ac"])[0])
    assert insured.offers == {"insurance": pytest.approx(0.5 * (3 * 96 / 309 - 1))}
    with pytest.raises(Refused, match="is not a hand to play"):
        advise(variant, parse(["10h", "6d", "9c"]), parse(["10c"])[0])
    with pytest.raises(Refused, match="appears 7 times"):
        advise(variant, parse(["10h", "6d"]), parse(["10c"])[0], parse(["Ah"] * 7))


def test_advice_needs_cards_for_the_dealer() -> None:
    """With one deck nearly gone, no value is made up for a hand that the dealer could not finish."""
    variant, rest = blackjack(decks=1), [card for card in pack(1) if card not in parse(["10h", "6d", "9c"])]
    low_first = sorted(rest, key=lambda card: -min(rank(card), 9))
    with pytest.raises(Refused, match="those left may not finish the dealer's hand"):
        advise(variant, parse(["10h", "6d"]), parse(["9c"])[0], low_first[: len(rest) - 3])
    assert advise(variant, parse(["10h", "6d"]), parse(["9c"])[0], low_first[: len(rest) - 20]).best == "hit"


def test_everything_about_a_game() -> None:
    record = solved_game(blackjack(decks=6, surrender="late")).record
    assert len(record["hands"]) == len([c for c in two_cards() if not is_blackjack(WORDS[c[0]] + WORDS[c[1]])])
    assert next(iter(record["hands"]["6-10"]["10"])) == "surrender"
    assert record["strategy_class"].startswith("composition-dependent")
    assert solution(blackjack(decks=6, surrender="late")).ups[10].actions(10, 6)[SURRENDER] == -0.5
