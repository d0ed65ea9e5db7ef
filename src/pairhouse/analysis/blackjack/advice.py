"""What each action is worth with one hand of blackjack, given the up card and every other card that has been seen."""

from collections.abc import Sequence
from math import isclose

from pairhouse.analysis.blackjack import INSURANCE
from pairhouse.analysis.blackjack.hands import VALUES
from pairhouse.analysis.blackjack.report import ERROR, action_names, blackjack_pays, value_name
from pairhouse.analysis.blackjack.solve import STRATEGY_CLASS, UpCard, fresh_shoe
from pairhouse.analysis.methods.records import Advice, Square, Value
from pairhouse.core.cards import FACES, Card, check_from
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.money import price_text
from pairhouse.core.tally import net_of
from pairhouse.games.blackjack import Insured
from pairhouse.games.blackjack_choices import is_charlie, legal_actions
from pairhouse.games.blackjack_hand import WORDS, is_blackjack, is_bust, is_soft, is_value_pair, total, value

PLENTY = 45  # a hand and the dealer never take so many cards together, the three that lie there included


def advise(variant: Variant, hand: Sequence[Card], up: Card, seen: Sequence[Card] = ()) -> Advice:
    """The value of every legal action with a hand that was not split; values are those once a peek found no blackjack.

    Where the hand leaves nothing to decide, what it is worth and why.
    """
    word = sum(WORDS[value(card)] for card in hand)
    if len(hand) < 2 or is_bust(word):
        given = " ".join(FACES[card] for card in hand)
        raise Refused("bad-hand", f"{given!r} is not a hand to play; give two cards or more, up to 21")
    check_from([*hand, up, *seen], *variant.pack)
    shoe = fresh_shoe(variant.pack[0])
    for card in seen:
        shoe[value(card)] -= 1
    at_table = UpCard(variant.rules, shoe, value(up))
    offers = insurance_offer(variant, at_table, hand)
    if is_blackjack(word):
        return natural(variant, at_table, hand, offers)
    if is_charlie(variant.rules, word):
        says = f"{len(hand)} cards win by themselves: there is nothing to decide."
        return Advice({}, value=1.0, says=says, offers=offers, strategy_class=STRATEGY_CLASS, error=ERROR)
    check_enough(at_table, word)
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
        if not isclose(float(table.ends[hand].sum()), 1.0, abs_tol=1e-9):
            given = "so many cards have been seen that those left may not finish the dealer's hand"
            raise Refused("too-few-cards", f"{given}; give fewer with --seen")
        drawn = [int(hands.children[hand, card]) for card in VALUES if table.chances[hand, card] > 0]
        waiting += [child for child in drawn if child >= 0 and child not in met]
        met.update(drawn)


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
