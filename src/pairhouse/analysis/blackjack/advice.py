"""What each action is worth with one hand of blackjack, given the up card and every other card that has been seen."""

from collections.abc import Sequence
from math import isclose

from numpy import isfinite

from pairhouse.analysis.blackjack import INSURANCE
from pairhouse.analysis.blackjack.hands import VALUES
from pairhouse.analysis.blackjack.solution_records import ERROR, action_names, blackjack_pays, value_name
from pairhouse.analysis.blackjack.solve import STRATEGY_CLASS, UpCard, fresh_shoe
from pairhouse.analysis.methods.records import Advice, Square, Value
from pairhouse.core.cards import FACES, Card, check_from
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.money import price_text
from pairhouse.core.tally import net_of
from pairhouse.games.blackjack import Insured
from pairhouse.games.blackjack_choices import is_charlie, legal_actions
from pairhouse.games.blackjack_hand import WORDS, is_blackjack, is_soft, is_value_pair, total, value

PLENTY = 45  # a hand and the dealer never take so many cards together, the three that lie there included
BEST, DEALER_DRAWS_TO = 21, 16


def advise(variant: Variant, hand: Sequence[Card], up: Card, seen: Sequence[Card] = ()) -> Advice:
    """The value of every legal action with a hand that was not split; values are those once a peek found no blackjack.

    Where the hand leaves nothing to decide, what it is worth and why.
    """
    if len(hand) < 2 or sum(value(card) for card in hand) > BEST:  # a word has no room for more than 31
        given = " ".join(FACES[card] for card in hand)
        raise Refused("bad-hand", f"{given!r} is not a hand to play; give two cards or more, up to 21")
    word = sum(WORDS[value(card)] for card in hand)
    check_from([*hand, up, *seen], *variant.pack)
    shoe = fresh_shoe(variant.pack[0])
    for card in seen:
        shoe[value(card)] -= 1
    if shoe.sum() <= len(hand) + 1:
        raise too_few("the dealer's hand")
    at_table = UpCard(variant.rules, shoe, value(up))
    offers = insurance_offer(variant, at_table, hand)
    if is_blackjack(word):
        return natural(variant, at_table, hand, offers)
    if is_charlie(variant.rules, word):
        says = f"{len(hand)} cards win by themselves: there is nothing to decide."
        return Advice({}, value=1.0, says=says, offers=offers, strategy_class=STRATEGY_CLASS, error=ERROR)
    check_enough(at_table, word)
    if is_value_pair(word):
        check_enough_to_split(at_table, value(hand[0]))
    if not legal_actions(variant.rules, word, 0, 1, False):
        stands = at_table.actions_of(word)
        says = "21 stands by itself: there is nothing to decide."
        worth = next(iter(stands.values()))
        return Advice({}, value=worth, says=says, offers=offers, strategy_class=STRATEGY_CLASS, error=ERROR)
    values = action_names(variant, at_table.actions_of(word))
    return Advice(dict(values), next(iter(values)), STRATEGY_CLASS, ERROR, offers=offers, square=square(hand, up))


def check_enough(at_table: UpCard, word: int) -> None:
    """Refuse a shoe from which the dealer's hand could not always be finished, whatever the hand still draws."""
    if at_table.shoe.sum() >= PLENTY:
        return
    hands, table = at_table.hands, at_table.table
    waiting, met = [hands.index[word]], set[int]()
    while waiting:
        hand = waiting.pop()
        if not isclose(float(table.ends[hand].sum()), 1.0, abs_tol=1e-9) or not isfinite(table.chances[hand]).all():
            raise too_few("the dealer's hand")
        drawn = [int(hands.children[hand, card]) for card in VALUES if table.chances[hand, card] > 0]
        waiting += [child for child in drawn if child >= 0 and child not in met]
        met.update(drawn)


def check_enough_to_split(at_table: UpCard, pair: int) -> None:
    """Refuse a shoe that could run out before all hands of a split pair, and the dealer's, are finished.

    At most: every hand draws the lowest cards there are as long as it has 20 or less, the dealer up to 16.
    """
    left = at_table.shoe.astype(int)
    left[pair] -= 2
    left[at_table.up] -= 1
    rules = at_table.rules
    again = pair != 1 or rules.resplit_aces
    hands = min(rules.hands_max if again else 2, 2 + int(left[pair]))
    room = DEALER_DRAWS_TO - at_table.up
    if pair != 1 or rules.hit_split_aces:
        room += hands * (BEST - 1 - pair)
    needed = hands + 1  # the last card of every hand
    for card in VALUES:
        drawn = min(left[card], room // card)
        needed, room = needed + drawn, room - drawn * card
    if needed > left.sum():
        raise too_few("all hands of a split pair")


def too_few(what: str) -> Refused:
    """The refusal of a shoe that may run out."""
    given = f"so many cards have been seen that those left may not finish {what}"
    return Refused("too-few-cards", f"{given}; name fewer of them as seen")


def insurance_offer(variant: Variant, at_table: UpCard, hand: Sequence[Card]) -> dict[str, Value]:
    """What insurance adds, per unit of the main bet, where it is offered."""
    wager = variant.wagers.get(INSURANCE)
    if wager is None or at_table.up != 1:
        return {}
    wins, loses = (float(net_of(wager, Insured(below))) for below in (True, False))
    below = at_table.dealer_blackjack(*(value(card) for card in hand))
    return {INSURANCE: below * wins + (1 - below) * loses}


def natural(variant: Variant, at_table: UpCard, hand: Sequence[Card], offers: dict[str, Value]) -> Advice:
    """A blackjack: paid its price, or returned where the dealer has one too. Only insurance is left to decide."""
    pays = blackjack_pays(variant)
    tied = at_table.dealer_blackjack(*(value(card) for card in hand))
    says = f"A blackjack is paid {price_text(pays)}"
    if tied:
        says += f", or returned when the dealer has one too (probability {tied:.6f})"
    says += ": there is nothing to decide."
    worth = (1 - tied) * float(pays)
    if INSURANCE in offers:
        says += f" With insurance it is worth {worth + float(offers[INSURANCE]):+.6f}"
        says += " for certain (even money)." if is_even_money(variant) else "."
    return Advice({}, value=worth, says=says, offers=offers, strategy_class=STRATEGY_CLASS, error=ERROR)


def is_even_money(variant: Variant) -> bool:
    """Whether a blackjack with insurance wins the same whatever lies beneath the ace."""
    wager = variant.wagers[INSURANCE]
    wins, loses = (net_of(wager, Insured(below)) for below in (True, False))
    return blackjack_pays(variant) + loses == wins


def square(held: Sequence[Card], up: Card, can_split: bool = True) -> Square:
    """The square of the chart for a hand. A pair that may not be split is played by its total."""
    word = sum(WORDS[value(card)] for card in held)
    against = value_name(value(up))
    if can_split and is_value_pair(word):
        return Square("pairs", value_name(value(held[0])), against)
    return Square("soft" if is_soft(word) else "hard", str(total(word)), against)
