"""Other readings of the blackjack documents, priced by the solver.

Prices of the main wager are exact in the solver's class and given to nine decimals. When a bust would also take the
side bets, hands of one split are taken as independent.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from pairhouse.analysis.blackjack.hands import VALUES, HandTree, Reals
from pairhouse.analysis.blackjack.solution_records import solution
from pairhouse.analysis.blackjack.solve import HandValues, SplitPlan, UpCard, hands_with
from pairhouse.analysis.blackjack.splits import hand_counts
from pairhouse.analysis.blackjack.spread import best_plan
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.analysis.reports.readings import Reading
from pairhouse.core.game import Variant
from pairhouse.games.blackjack import initial_deal
from pairhouse.games.blackjack_choices import DOUBLE, HIT, SPLIT
from pairhouse.games.blackjack_hand import WORDS, is_blackjack, value

Price = Callable[[Solution], float]


def with_rules(**change: object) -> Price:
    """The price when the table plays other rules."""
    return lambda ours: Solution(ours.rules._replace(**change), ours.shoe, ours.blackjack_pays).expectation  # type: ignore[arg-type]


def hit_21(ours: Solution) -> float:
    return Solution(ours.rules, ours.shoe, ours.blackjack_pays, hit_21=True).expectation


def split_21_is_blackjack(ours: Solution) -> float:
    return Solution(ours.rules, ours.shoe, ours.blackjack_pays, split_21_is_blackjack=True).expectation


def dealer_takes_blackjacks(ours: Solution) -> float:
    """A player's blackjack loses to a dealer's instead of being returned."""
    return ours.expectation - sum(ours.deal_chance(up, 1, 10) * ours.ups[up].dealer_blackjack(1, 10) for up in ours.ups)


def peek_under_aces_only(ours: Solution) -> float:
    """With a ten up, doubles and splits are lost to a dealer's blackjack."""
    blind = Solution(ours.rules._replace(hole_card=False), ours.shoe, ours.blackjack_pays)
    tens = float(ours.shoe[10] / ours.shoe.sum())
    return ours.expectation + tens * (blind.by_up_card[10] - ours.by_up_card[10])


def split_by_rank(ours: Solution) -> float:
    """Tens of two ranks could not be split. Best play never splits tens, so nothing changes where that holds."""
    for solved in ours.ups.values():
        actions = solved.actions(10, 10)
        if max(actions, key=lambda action: actions[action]) == SPLIT:
            raise ArithmeticError("tens are split by best play here, so this reading has a price of its own")
    return ours.expectation


POKER_PAIRS: tuple[tuple[str, int, Price, str], ...] = (
    ("BPP-25", 25, with_rules(hole_card=False), "The dealer looks for a blackjack only after the seats have played."),
    ("BPP-26", 25, dealer_takes_blackjacks, "A dealer's blackjack takes a player's blackjack too."),
    ("BPP-29", 21, hit_21, "A hand of 21 may be hit."),
    ("BPP-30", 23, split_by_rank, "Only cards of one rank may be split."),
    ("BPP-31", 23, with_rules(splits_max=4), "Any hand may be split until there are four."),
    ("BPP-32", 23, with_rules(resplit_aces=True), "Aces may be split again."),
    ("BPP-33", 24, split_21_is_blackjack, "21 with the first two cards of a split hand is a blackjack."),
    ("BPP-34", 24, with_rules(double_after_split=False), "Doubling is closed after a split."),
    ("BPP-36", 21, with_rules(charlie=10), "Eight cards may be drawn on top of the first two."),
)
STANDARD: tuple[tuple[str, int, Price, str], ...] = (
    ("BJ-11", 25, peek_under_aces_only, "The dealer looks under an ace only."),
    ("BJ-16", 21, hit_21, "A hand of 21 may be hit."),
    ("BJ-19", 23, split_by_rank, "Only cards of one rank may be split."),
    ("BJ-20", 23, with_rules(resplit_aces=True), "Aces may be split again."),
    ("BJ-23", 24, split_21_is_blackjack, "21 with the first two cards of a split hand is a blackjack."),
)


BOOKS = {"BPP": POKER_PAIRS, "BJ": STANDARD}


def solved_readings(variant: Variant) -> list[Reading]:
    """Every reading of a blackjack game's own book that needs the solver."""
    book = BOOKS.get(variant.game.cites, ())
    ours = solution(variant)
    found = [
        Reading(rule, ruling, "main", _decimal(ours.expectation), _decimal(other(ours)), f"{how} To nine decimals.")
        for rule, ruling, other, how in book
    ]
    return [*found, *bust_takes_side_bets(variant)] if book is POKER_PAIRS else found


def _decimal(number: float) -> Fraction:
    return Fraction(f"{number:.9f}")


def bust_takes_side_bets(variant: Variant) -> list[Reading]:
    """A bust under best play also forfeits side bets that had won."""
    ours = solution(variant)
    bust = cache(lambda first, second, up: _bust_chance(ours.ups[up], first, second))
    decks = variant.pack[0]
    lost = {"pairs": 0.0, "poker": 0.0}
    plain = {"pairs": 0.0, "poker": 0.0}
    for first, second, up in product(range(52), repeat=3):
        weight = decks * (decks - (second == first)) * (decks - (up == first) - (up == second))
        deal = initial_deal(first, second, up)
        for wager in lost:
            pays = float(variant.wagers[wager].paytable.paid(deal).pays)
            plain[wager] += weight * pays
            if pays > 0:
                lost[wager] += weight * (pays + 1) * bust(*sorted((value(first), value(second))), value(up))
    cards = 52 * decks
    total = cards * (cards - 1) * (cards - 2)
    how = "A bust under best play also loses the side bets. To nine decimals, hands of a split taken as independent."
    found = []
    for rule, wager in product(("BPP-22", "BPP-35"), lost):
        before, after = plain[wager] / total, (plain[wager] - lost[wager]) / total
        found.append(Reading(rule, 22, wager, _decimal(before), _decimal(after), how))
    return found


def _bust_chance(solved: UpCard, first: int, second: int) -> float:
    """The chance that a seat busts, its hand played best; with a split, that any of its hands does."""
    word = WORDS[first] + WORDS[second]
    if is_blackjack(word):
        return 0.0
    actions = solved.actions_of(word)
    best = max(actions, key=lambda action: actions[action])
    played = 1 - solved.dealer_blackjack(first, second)
    if best == SPLIT:
        return played * _split_bust(solved, first)
    if best not in (HIT, DOUBLE):
        return 0.0
    busts = _busts(solved.hands, solved.table, best_plan(solved))
    return played * float(busts[solved.hands.index[word]])


def _busts(hands: HandTree, table: HandValues, plan: SplitPlan) -> Reals:
    """The chance to bust from every hand under a plan."""
    busts = np.zeros(len(hands.words))
    for hand in range(len(hands.words) - 1, -1, -1):
        if plan.stands[hand] and not plan.doubles[hand]:
            continue
        for drawn in VALUES:
            child = hands.children[hand, drawn]
            further = 1.0 if child < 0 else 0.0 if plan.doubles[hand] else busts[child]
            busts[hand] += table.chances[hand, drawn] * further
    return busts


def _split_bust(solved: UpCard, pair: int) -> float:
    hands = hands_with(solved.rules.charlie, pair)
    table, single = solved.first_split(pair), hands.of(pair)
    busts = _busts(hands, table, solved.plans[pair])
    paired = table.chances[single, pair]
    any_card = float(sum(table.chances[single, v] * busts[hands.children[single, v]] for v in VALUES))
    unpaired = (any_card - paired * busts[hands.children[single, pair]]) / (1 - paired)
    counts = hand_counts(solved.rules, solved.split_shoe(pair), again=pair != 1 or solved.rules.resplit_aces)
    return 1 - float(sum(p * (1 - unpaired) ** kept * (1 - any_card) ** free for (kept, free), p in counts.items()))
