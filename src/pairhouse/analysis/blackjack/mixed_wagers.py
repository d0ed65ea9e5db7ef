"""One round of blackjack with several wagers on it: the main wager, its side bets and insurance together.

Given the values of a seat's first two cards and of the up card, the main wager no longer depends on their suits and
ranks, and side bets depend on nothing else; so the two are independent there, and every such deal is taken by itself.
Split rounds are as near as `Spread` has them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction

from pairhouse.analysis.blackjack import INSURANCE, MAIN
from pairhouse.analysis.blackjack.solution_records import solution
from pairhouse.analysis.blackjack.spread import Spread
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.tally import net_of
from pairhouse.games.blackjack import InitialDeal, Insured, initial_deal
from pairhouse.games.blackjack_hand import WORDS, is_blackjack, value

Deal = tuple[int, int, int]  # the values of the up card and of a seat's two cards, the lower first
Chances = dict[Fraction, float]
FINEST = 20  # prices are whole numbers of one over at most this


def main_round(variant: Variant, stake: int) -> Chances:
    """What a stake on the main wager alone wins, with its chance."""
    nets = Spread(solution(variant)).chances
    return {_units(net, {MAIN: stake}): chance for net, chance in nets.items()}


def mixed_round(variant: Variant, stakes: Mapping[str, int]) -> Chances:
    """What the stakes win together, with its chance."""
    if INSURANCE in stakes and MAIN not in stakes:
        raise Refused("bad-plan", "insurance is taken on the main wager; put a stake on main too")
    if INSURANCE in stakes and not variant.rules.hole_card:
        raise Refused("bad-plan", "without a hole card insurance is decided after the hand; plan it without insurance")
    side = side_bets(variant, stakes)
    spread = Spread(solution(variant))
    found: dict[Fraction, float] = defaultdict(float)
    for deal, nets in spread.by_deal.items():
        for net, chance in _with_insurance(variant, spread, deal, nets, stakes):
            for other, share in side[deal].items():
                found[net + other] += chance * share
    return dict(found)


def _with_insurance(
    variant: Variant, spread: Spread, deal: Deal, nets: Mapping[float, float], stakes: Mapping[str, int]
) -> Iterator[tuple[Fraction, float]]:
    """The main wager given a deal, with insurance against an ace: it wins where a blackjack lies beneath."""
    up, *cards = deal
    left = dict(nets)
    if INSURANCE in stakes and up == 1:
        won, missed = (stakes[MAIN] * net_of(variant.wagers[INSURANCE], Insured(below)) for below in (True, False))
        lost = sum(nets.values()) * spread.solution.ups[up].dealer_blackjack(*cards)
        beaten = 0.0 if is_blackjack(sum(WORDS[card] for card in cards)) else -1.0
        left[beaten] -= lost
        yield _units(beaten, stakes) + won, lost
        for net, chance in left.items():
            yield _units(net, stakes) + missed, chance
        return
    for net, chance in left.items():
        yield _units(net, stakes), chance


def _units(net: float, stakes: Mapping[str, int]) -> Fraction:
    return Fraction(net).limit_denominator(FINEST) * stakes.get(MAIN, 0)


def side_bets(variant: Variant, stakes: Mapping[str, int]) -> dict[Deal, Chances]:
    """What the side bets win together given the values of the first cards."""
    bets = [(variant.wagers[name], stake) for name, stake in stakes.items() if name not in (MAIN, INSURANCE)]
    ways: dict[Deal, dict[InitialDeal, int]] = defaultdict(lambda: defaultdict(int))
    for deal, happened, number in _first_cards(variant.pack[0]):
        ways[deal][happened] += number
    found: dict[Deal, Chances] = {}
    for deal, happenings in ways.items():
        total, chances = sum(happenings.values()), defaultdict[Fraction, float](float)
        for happened, number in happenings.items():
            chances[sum((stake * net_of(bet, happened) for bet, stake in bets), Fraction(0))] += number / total
        found[deal] = dict(chances)
    return found


def _first_cards(decks: int) -> Iterator[tuple[Deal, InitialDeal, int]]:
    """Every two faces of a seat, in either order, and every up card, with the number of such deals."""
    for up in range(52):
        for first in range(52):
            for second in range(first, 52):
                twice = first == second
                number = decks * (decks - twice) * (decks - (up == first) - (up == second)) * (1 if twice else 2)
                if number > 0:
                    low, high = sorted((value(first), value(second)))
                    yield (value(up), low, high), initial_deal(first, second, up), number
