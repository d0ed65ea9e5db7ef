"""Blackjack, written once. Every blackjack table is this `play` under its own `Rules`, with its own side bets."""

from typing import NamedTuple

from pairhouse.core.cards import ACE, KING, TEN, Card, rank
from pairhouse.core.hands import is_flush, is_mini_royal, is_straight, is_three_of_a_kind, pair_kind
from pairhouse.core.rule import rule
from pairhouse.core.verbs import (
    Place,
    Table,
    choose,
    draw,
    draw_down,
    felt,
    peek,
    say,
    seats,
    settle,
    split,
    spot,
    turn_up,
)
from pairhouse.games.blackjack_choices import (
    DOUBLE,
    HIT,
    INSURANCE,
    NO_INSURANCE,
    SPLIT,
    STAND,
    SURRENDER,
    Rules,
    dealer_draws,
    is_charlie,
    legal_actions,
    situation,
)
from pairhouse.games.blackjack_hand import (
    WORDS,
    add,
    is_blackjack,
    is_bust,
    size,
    total,
    value,
)  # fmt: skip

DEALER = 0
LIVE, LOSE, BUST, PUSH, WIN, CHARLIE, BLACKJACK, SURRENDERED, DEALER_BLACKJACK = 0, 1, 2, 3, 4, 5, 6, 7, 8
BLACKJACK_WAITS, SURRENDER_WAITS = 9, 10  # without a hole card: decided once the dealer's second card is known

HANDS, UNITS, SPLITS, FATES, SEATS, CARDS = 0, 1, 2, 3, 4, 5  # rows of the felt
HAND_COUNT, INSURED = 0, 1  # what the row SEATS says of a seat

SAY_NO_BLACKJACK, SAY_DEALER_BLACKJACK, SAY_BLACKJACK, SAY_TWENTY_ONE, SAY_BUST = 0, 1, 2, 3, 4
SAY_CHARLIE, SAY_DEALER_STANDS, SAY_DEALER_BUSTS, SAY_NONE_LIVE = 5, 6, 7, 8
PHRASES = (
    "The dealer does not have blackjack.",
    "The dealer has blackjack.",
    "Blackjack.",
    "21 stands.",
    "Bust with {0}.",
    "{0} cards win.",
    "The dealer stands on {0}.",
    "The dealer busts with {0}.",
    "No hand is live, so the dealer draws no more.",
)


class InitialDeal(NamedTuple):
    """What a seat's first two cards and the dealer's up card make: all that a side bet needs. [PV3-7] [BPP-22]"""

    player_pair: int
    any_pair: int
    three_of_a_kind: bool
    straight: bool
    flush: bool
    royal: bool


class Insured(NamedTuple):
    """An insurance bet is decided. [BPP-24] [BJ-10]"""

    dealer_blackjack: bool


class HandDone(NamedTuple):
    """One hand of a seat is decided, with one stake on it or, doubled, two."""

    outcome: int
    units: int


@rule
def outcome(hand: int, dealer: int) -> int:
    """A hand still live against the dealer's final hand. [BPP-39] [BPP-40] [BJ-28]"""
    if is_bust(dealer) or total(hand) > total(dealer):
        return WIN
    return PUSH if total(hand) == total(dealer) else LOSE


@rule
def is_open(fate: int) -> bool:
    """A hand that is still to be settled."""
    return fate == LIVE or fate >= BLACKJACK_WAITS


@rule
def finish_hand(table: Table, place: Place, fate: int) -> None:
    """Decide a hand and settle it."""
    felt(table, FATES)[place] = fate
    settle(table, place, HandDone(fate, felt(table, UNITS)[place]))


@rule
def deal(table: Table, rules: Rules) -> tuple[Card, Card]:
    """One card to each seat, the up card, a second card to each seat, and the hole card where there is one.

    [BPP-21] [BJ-7] [BJ-8]
    """
    hands, cards, units = felt(table, HANDS), felt(table, CARDS), felt(table, UNITS)
    for seat in range(1, seats(table) + 1):
        cards[spot(seat, 0)] = draw(table, spot(seat, 0))
    up = draw(table, DEALER)
    for seat in range(1, seats(table) + 1):
        place = spot(seat, 0)
        cards[place + 1] = draw(table, place)
        hands[place] = WORDS[value(cards[place])] + WORDS[value(cards[place + 1])]
        units[place] = 1
        felt(table, SPLITS)[place] = 0
        felt(table, FATES)[place] = LIVE
        felt(table, SEATS)[spot(seat, HAND_COUNT)] = 1
        felt(table, SEATS)[spot(seat, INSURED)] = 0
    hole = draw_down(table, DEALER) if rules.hole_card else -1
    return up, hole


@rule
def initial_deal(first: Card, second: Card, up: Card) -> InitialDeal:
    """How the seat's own two cards pair, and what the three cards make. [PV3-7] [PV3-8] [BPP-43] [BPP-44]"""
    return InitialDeal(
        pair_kind(first, second),
        max(pair_kind(first, second), pair_kind(first, up), pair_kind(second, up)),
        is_three_of_a_kind(first, second, up),
        is_straight(first, second, up),
        is_flush(first, second, up),
        is_mini_royal(first, second, up),
    )


@rule
def first_cards(table: Table, place: Place, first: Card, second: Card, up: Card) -> None:
    """A moment for side bets: a seat's first two cards and the up card lie on the table."""


@rule
def seat_over(table: Table, place: Place, hand: int) -> None:
    """A moment for side bets: a seat has played, and this is its first hand."""


@rule
def dealer_over(table: Table, dealer: int) -> None:
    """A moment for side bets: the round is over, and this is the dealer's final hand."""


@rule
def round_over(table: Table, dealer: int) -> None:
    """The last moments of a round, once each: every seat's hand, then the dealer's."""
    for seat in range(1, seats(table) + 1):
        seat_over(table, spot(seat, 0), felt(table, HANDS)[spot(seat, 0)])
    dealer_over(table, dealer)


@rule
def settle_side_bets(table: Table, rules: Rules, up: Card) -> None:
    """Side bets are settled on the first cards, before anyone plays. [BPP-22] [PV3-17]"""
    cards = felt(table, CARDS)
    for turn in range(1, seats(table) + 1):
        seat = seats(table) + 1 - turn if rules.side_bets_from_right else turn
        first, second = cards[spot(seat, 0)], cards[spot(seat, 1)]
        settle(table, spot(seat, 0), initial_deal(first, second, up))
        first_cards(table, spot(seat, 0), first, second, up)


@rule
def opening(table: Table, rules: Rules) -> tuple[Card, Card]:
    """The deal and the side bets: all that a side bet's price depends on."""
    up, hole = deal(table, rules)
    settle_side_bets(table, rules, up)
    return up, hole


@rule
def offer_insurance(table: Table, rules: Rules, up: Card) -> None:
    """Against an ace every seat is asked, a blackjack too, before the dealer looks. [BPP-23] [BJ-9]"""
    if rules.insurance and rank(up) == ACE:
        for seat in range(1, seats(table) + 1):
            place = spot(seat, 0)
            answer = choose(table, place, INSURANCE | NO_INSURANCE, situation(felt(table, HANDS)[place], up, 0, 0))
            felt(table, SEATS)[spot(seat, INSURED)] = int(answer == INSURANCE)


@rule
def settle_insurance(table: Table, dealer_blackjack: bool) -> None:
    """Insurance wins on a dealer's blackjack and loses otherwise. [BPP-24] [BJ-10]"""
    for seat in range(1, seats(table) + 1):
        if felt(table, SEATS)[spot(seat, INSURED)] == 1:
            settle(table, spot(seat, 0), Insured(dealer_blackjack))


@rule
def peek_finds_blackjack(table: Table, up: Card, hole: Card) -> bool:
    """The dealer looks under an ace for a ten, and under a ten for an ace. [BPP-25] [BJ-11]"""
    if rank(up) == ACE:
        return peek(table, DEALER, hole, TEN, KING)
    if value(up) == 10:
        return peek(table, DEALER, hole, ACE, ACE)
    return False


@rule
def could_be_blackjack(up: Card) -> bool:
    """An ace or a ten-value card may become a blackjack."""
    return rank(up) == ACE or value(up) == 10


@rule
def dealer_blackjack_takes_all(table: Table) -> None:
    """Every hand not yet decided loses, but a blackjack ties. [BPP-26] [BJ-11] [BJ-13]"""
    say(table, DEALER, SAY_DEALER_BLACKJACK, 0, 0)
    settle_insurance(table, True)
    hands, fates, splits = felt(table, HANDS), felt(table, FATES), felt(table, SPLITS)
    for seat in range(1, seats(table) + 1):
        for hand in range(felt(table, SEATS)[spot(seat, HAND_COUNT)]):
            place = spot(seat, hand)
            if is_open(fates[place]):
                tied = is_blackjack(hands[place]) and splits[place] == 0  # [BPP-33] [BJ-23]
                finish_hand(table, place, PUSH if tied else DEALER_BLACKJACK)


@rule
def split_hand(table: Table, seat: int, hand: int) -> None:
    """A hand becomes two in its place; the left one gets its second card at once. [BPP-27] [BJ-14]"""
    hands, units, splits, fates = felt(table, HANDS), felt(table, UNITS), felt(table, SPLITS), felt(table, FATES)
    counts = felt(table, SEATS)
    place = spot(seat, hand)
    split(table, place)
    for moved in range(counts[spot(seat, HAND_COUNT)] - 1, hand, -1):
        at = spot(seat, moved)
        hands[at + 1], units[at + 1], splits[at + 1], fates[at + 1] = hands[at], units[at], splits[at], fates[at]
    counts[spot(seat, HAND_COUNT)] += 1
    hands[place] //= 2
    splits[place] += 1
    hands[place + 1], units[place + 1], splits[place + 1], fates[place + 1] = hands[place], 1, splits[place], LIVE
    hands[place] = add(hands[place], draw(table, place))


@rule
def play_hand(table: Table, rules: Rules, seat: int, hand: int, up: Card) -> None:
    """One hand in its turn: choose until it stands, is doubled, surrendered, or decided by its cards.

    [BPP-28] [BJ-15]
    """
    hands, splits, counts = felt(table, HANDS), felt(table, SPLITS), felt(table, SEATS)
    place = spot(seat, hand)
    first = felt(table, CARDS)[spot(seat, 0)]
    if size(hands[place]) == 1:
        hands[place] = add(hands[place], draw(table, place))
    asking = True
    while asking:
        legal = legal_actions(rules, hands[place], splits[place], counts[spot(seat, HAND_COUNT)], rank(first) == ACE)
        if legal == 0:
            break
        action = choose(table, place, legal, situation(hands[place], up, splits[place], first))
        if action == SPLIT:
            split_hand(table, seat, hand)
        elif action == SURRENDER:
            finish_or_wait(table, rules, place, up, SURRENDERED, SURRENDER_WAITS)
        elif action != STAND:
            if action == DOUBLE:
                felt(table, UNITS)[place] = 2
            hands[place] = add(hands[place], draw(table, place))
        asking = action == HIT or action == SPLIT
    judge_hand(table, rules, place)


@rule
def finish_or_wait(table: Table, rules: Rules, place: Place, up: Card, fate: int, waits: int) -> None:
    """A blackjack or a surrender is settled at once, unless the dealer may still turn out to have blackjack.

    [BJ-12] [BJ-13] [BJ-24]
    """
    if rules.hole_card or not could_be_blackjack(up):
        finish_hand(table, place, fate)
    else:
        felt(table, FATES)[place] = waits


@rule
def judge_hand(table: Table, rules: Rules, place: Place) -> None:
    """A bust is taken and a full hand paid at once; 21 stands by itself. [BPP-29] [BPP-35] [BJ-16] [BJ-17]"""
    hand = felt(table, HANDS)[place]
    if is_bust(hand):
        say(table, place, SAY_BUST, total(hand), 0)
        finish_hand(table, place, BUST)
    elif is_charlie(rules, hand):
        say(table, place, SAY_CHARLIE, size(hand), 0)
        finish_hand(table, place, CHARLIE)
    elif total(hand) == 21:
        say(table, place, SAY_TWENTY_ONE, 0, 0)


@rule
def play_seat(table: Table, rules: Rules, seat: int, up: Card) -> None:
    """A blackjack is paid in its turn; otherwise the seat's hands are played from left to right. [BPP-26] [BJ-12]"""
    place = spot(seat, 0)
    if is_blackjack(felt(table, HANDS)[place]):
        say(table, place, SAY_BLACKJACK, 0, 0)
        finish_or_wait(table, rules, place, up, BLACKJACK, BLACKJACK_WAITS)
        return
    hand = 0
    while hand < felt(table, SEATS)[spot(seat, HAND_COUNT)]:
        play_hand(table, rules, seat, hand, up)
        hand += 1


@rule
def count_waiting(table: Table) -> tuple[int, int]:
    """How many hands are live, and how many bets of any kind still wait for the dealer's cards."""
    live, waiting = 0, 0
    for seat in range(1, seats(table) + 1):
        waiting += felt(table, SEATS)[spot(seat, INSURED)]
        for hand in range(felt(table, SEATS)[spot(seat, HAND_COUNT)]):
            fate = felt(table, FATES)[spot(seat, hand)]
            live += int(fate == LIVE)
            waiting += int(is_open(fate))
    return live, waiting


@rule
def settle_waiting(table: Table) -> None:
    """Without a hole card: the second card made no blackjack, so blackjacks are paid and surrenders taken. [BJ-12]"""
    fates = felt(table, FATES)
    for seat in range(1, seats(table) + 1):
        for hand in range(felt(table, SEATS)[spot(seat, HAND_COUNT)]):
            place = spot(seat, hand)
            if fates[place] == BLACKJACK_WAITS:
                finish_hand(table, place, BLACKJACK)
            elif fates[place] == SURRENDER_WAITS:
                finish_hand(table, place, SURRENDERED)


@rule
def dealer_finishes(table: Table, rules: Rules, dealer: int) -> None:
    """The dealer draws while a hand is live, and every live hand is compared. [BPP-38] [BJ-27]"""
    live, _waiting = count_waiting(table)
    if live == 0:
        say(table, DEALER, SAY_NONE_LIVE, 0, 0)
        round_over(table, dealer)
        return
    while dealer_draws(rules, dealer):
        dealer = add(dealer, draw(table, DEALER))
    say(table, DEALER, SAY_DEALER_BUSTS if is_bust(dealer) else SAY_DEALER_STANDS, total(dealer), 0)
    hands, fates = felt(table, HANDS), felt(table, FATES)
    for seat in range(1, seats(table) + 1):
        for hand in range(felt(table, SEATS)[spot(seat, HAND_COUNT)]):
            place = spot(seat, hand)
            if fates[place] == LIVE:
                finish_hand(table, place, outcome(hands[place], dealer))
    round_over(table, dealer)


@rule
def dealer_plays(table: Table, rules: Rules, up: Card, hole: Card) -> None:
    """The hole card is turned up; without one the second card is drawn now, and may still be a blackjack.

    [BJ-26] [BJ-27]
    """
    if rules.hole_card:
        dealer_finishes(table, rules, add(add(0, up), turn_up(table, DEALER, hole)))
        return
    _live, waiting = count_waiting(table)
    if waiting == 0:
        say(table, DEALER, SAY_NONE_LIVE, 0, 0)
        round_over(table, add(0, up))
        return
    dealer = add(add(0, up), draw(table, DEALER))
    if is_blackjack(dealer):
        dealer_blackjack_takes_all(table)
        round_over(table, dealer)
    else:
        settle_insurance(table, False)
        settle_waiting(table)
        dealer_finishes(table, rules, dealer)


@rule
def play(table: Table, rules: Rules) -> None:
    """A round: deal, side bets, insurance, the look under the up card, the seats in order, the dealer.

    [BPP-27] [BJ-14]
    """
    up, hole = opening(table, rules)
    offer_insurance(table, rules, up)
    if rules.hole_card and could_be_blackjack(up):
        if peek_finds_blackjack(table, up, hole):
            second = turn_up(table, DEALER, hole)
            dealer_blackjack_takes_all(table)
            round_over(table, add(add(0, up), second))
            return
        say(table, DEALER, SAY_NO_BLACKJACK, 0, 0)
        settle_insurance(table, False)
    for seat in range(1, seats(table) + 1):
        play_seat(table, rules, seat, up)
    dealer_plays(table, rules, up, hole)
