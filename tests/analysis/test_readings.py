"""Every reading that changes a price is priced both ways, and each price is found again by brute force."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations, product

import pytest

from counting import counted
from pairhouse.analysis.blackjack.readings import POKER_PAIRS, STANDARD
from pairhouse.analysis.blackjack.side_bet_readings import side_bet_readings
from pairhouse.analysis.exact.prices import price
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.reports.readings import (
    Reading,
    expectation,
    hands_of,
    with_paytables,
    with_row,
    with_rules,
)
from pairhouse.analysis.three_card.counts import three_card
from pairhouse.analysis.three_card.readings import strength_three_two_ace_second
from pairhouse.core.cards import pack, parse
from pairhouse.core.game import Variant
from pairhouse.core.hands import is_straight, strength
from pairhouse.core.paytable import PUSH, row
from pairhouse.games import la_paire
from pairhouse.games import three_card_poker as tcp
from pairhouse.games.catalogue import GAMES
from pairhouse.rounds.rulebook import numbered_rules, read_book

TCP = GAMES["three-card-poker"].variant()
RANKS = "A23456789TJQK"


# Priced by the solver, and tested in test_solved_readings.py.
NEEDS_SOLVER = ("BPP-22", "BPP-35", *(rule for rule, *_ in (*POKER_PAIRS, *STANDARD)))

NO_SECOND_PRICE = {
    "TCP-29": "the schedule of the progressive is ours alone: there is no second one to price",
    "NSB-7": "the price of any remaining cards is counted on request",
    "PV3-1": "each setting of the standard game is an option with a price of its own",
    "PV3-2": "any table is priced with any number of decks on request",
    "BJ-30": "each setting is an option with a price of its own",
}


def readings_of(variant: Variant) -> list[Reading]:
    """The readings of a variant that need no solver."""
    if "main" in variant.wagers:
        return side_bet_readings(variant, lambda: counted(variant))
    return method_of(variant).readings()


@lru_cache(maxsize=1)
def every() -> list[Reading]:
    return [reading for game in GAMES.values() for reading in readings_of(game.variant())]


def game_of(reading: Reading) -> str:
    """The game whose book holds the rule."""
    return next(game.id for game in GAMES.values() if game.cites == reading.rule.partition("-")[0])


def found(rule: str) -> list[Reading]:
    return [reading for reading in every() if reading.rule == rule]


def other(rule: str, wager: str) -> Fraction:
    (reading,) = [reading for reading in found(rule) if reading.wager == wager]
    return reading.other


# What is priced, and what is not


def other_readings() -> Iterator[tuple[str, list[int], str]]:
    """Each rule that has another reading, with its rulings and what the book says of it."""
    for game in GAMES:
        for rule in numbered_rules(read_book(game)):
            told = re.search(r"\*Other reading:\*(.*?)(\n\n|\n\||$)", rule.text, re.DOTALL)
            if told:
                yield rule.id, [int(n) for n in re.findall(r"ruling (\d+)", rule.text)], " ".join(told[1].split())


def test_every_reading_that_changes_a_price_is_accounted_for() -> None:
    same = re.compile("^none|no price|prices do not change|no wager below would change")
    changing = {rule for rule, _, told in other_readings() if not same.search(told)}
    priced = {reading.rule for reading in every()}
    assert changing <= priced | set(NEEDS_SOLVER) | set(NO_SECOND_PRICE)
    assert not priced & {*NEEDS_SOLVER, *NO_SECOND_PRICE}
    known = {rule for rule, _, _ in other_readings()}
    assert priced | set(NEEDS_SOLVER) | set(NO_SECOND_PRICE) <= known


def test_readings_name_their_rulings_and_wagers() -> None:
    rulings = {rule: numbers for rule, numbers, _ in other_readings()}
    for reading in every():
        assert reading.ruling in rulings[reading.rule]
        assert reading.wager in GAMES[game_of(reading)].variant().wagers
        assert re.fullmatch(r"[A-Z0-9].*\.", reading.how)


def test_ours_is_the_quoted_price() -> None:
    """What the par sheet quotes is one of the two, and only two readings turn out to change no price at all."""
    for reading in every():
        if reading.wager != "insurance":
            assert reading.ours == price(counted(GAMES[game_of(reading)].variant()), reading.wager).ev
        assert (reading.other == reading.ours) == (reading.rule in ("TCP-3", "TCP-21"))


def test_only_what_is_offered_is_priced() -> None:
    """[LP-13] [BPP-46]"""
    any_only = GAMES["la-paire"].variant({"pair_bets": "any-paire"})
    assert not any(reading.wager.startswith("paire-") for reading in readings_of(any_only))
    never = GAMES["blackjack-poker-pairs"].variant({"insurance": "never"})
    assert {reading.wager for reading in readings_of(never)} == {"pairs", "poker"}
    assert readings_of(GAMES["pair-v3"].variant()) == []
    six = readings_of(GAMES["nepal-super-baccarat"].variant({"decks": 6}))
    assert {reading.rule for reading in six} == {"NSB-10", "NSB-28", "NSB-36"}


# Brute force, with no rule of ours


def is_run(ranks: list[int], *, ace_low: bool) -> bool:
    high = sorted(13 if rank == 0 else rank for rank in ranks)
    low = sorted(ranks)
    return any(run[1] == run[0] + 1 and run[2] == run[1] + 1 for run in ((high, low) if ace_low else (high,)))


def poker_pays(cards: tuple[int, ...], *, ace_low: bool = True, barred: bool = False) -> int:
    """3rd Card Poker: a Joker is tried as each card of the deck that is not in the hand."""
    natural = [card for card in cards if card < 52]
    if len(natural) == 1:
        return 100
    if len(natural) == 3:
        ranks, suits = [card % 13 for card in cards], {card // 13 for card in cards}
        run = is_run(ranks, ace_low=ace_low)
        if len(suits) == 1 and run:
            return 50 if set(ranks) == {0, 11, 12} else 20
        if len(set(ranks)) == 1:
            return 10
        return 3 if run else 2 if len(suits) == 1 else -1
    taken = {card % 13 for card in natural}
    stands_for = [card for card in range(52) if card not in natural and not (barred and card % 13 in taken)]
    return max(poker_pays((*natural, card), ace_low=ace_low) for card in stands_for)


@pytest.mark.parametrize(
    ("rule", "pays"),
    [
        ("", poker_pays),
        ("LP-28", lambda cards: poker_pays(cards, barred=True)),
        ("LP-29", lambda cards: poker_pays(cards, ace_low=False)),
    ],
    ids=["ours", "LP-28", "LP-29"],
)
def test_joker_poker_by_brute_force(rule: str, pays: Callable[[tuple[int, ...]], int]) -> None:
    """[LP-27] [LP-28] [LP-29] [LP-30]"""
    hands = list(combinations(range(54), 3))
    net = Fraction(sum(map(pays, hands)), len(hands))
    assert net == (other(rule, "poker") if rule else found("LP-28")[0].ours)


def test_wild_pairs_and_coloured_jokers_by_brute_force() -> None:
    """[LP-3] [LP-4] [LP-25] [LP-33]"""
    deals = list(permutations(RANKS * 4 + "XX", 2))

    def mean(pays: Callable[[str, str], int]) -> Fraction:
        return Fraction(sum(pays(*deal) for deal in deals), len(deals))

    def any_wild(a: str, b: str) -> int:
        if a == b == "X":
            return 50
        return 16 if a == b or "X" in (a, b) else -1

    assert other("LP-3", "any-paire") == mean(any_wild)
    assert other("LP-3", "paire-A") == mean(lambda a, b: 225 if {a, b} in ({"A"}, {"A", "X"}) else -1)
    assert other("LP-4", "red") == other("LP-4", "black") == 0
    assert other("LP-25", "paire-A") == mean(lambda a, b: 225 if a == b else -1)
    assert other("LP-25", "paire-joker") == mean(lambda a, b: 1300 if a == b else -1)
    assert other("LP-33", "split-K-joker") == Fraction(7 * 6 - 48, 54) == Fraction(5 * 8 - 46, 54)


def test_pairs_by_points_or_value_by_brute_force() -> None:
    """[NSB-28] [BPP-43]"""
    cards = [(rank, suit) for rank in range(1, 14) for suit in "cdhs"]
    baccarat: Fraction = Fraction(0)
    blackjack: Fraction = Fraction(0)
    for (a, s), (b, t) in product(cards, cards):
        ways = 8 * (8 - ((a, s) == (b, t)))
        baccarat += ways * (11 if min(a, 10) == min(b, 10) else -1)
        price_of_pair = 30 if s == t else 10 if {s, t} in ({"c", "s"}, {"d", "h"}) else 5
        blackjack += ways * (price_of_pair if min(a, 10) == min(b, 10) else -1)
    assert other("NSB-28", "player-pair") == other("NSB-28", "banker-pair") == baccarat / (416 * 415)
    assert other("BPP-43", "pairs") == blackjack / (416 * 415)


def test_ace_high_poker_by_brute_force() -> None:
    """[BPP-44] Only the straights with a low ace are lost: 3-2-A suited and not."""
    straight_flushes, straights = 4 * 8**3, 4**3 * 8**3 - 4 * 8**3
    deals = 416 * 415 * 414 // 6
    lost = Fraction(straight_flushes * (35 - 5) + straights * (10 + 1), deals)
    (reading,) = found("BPP-44")
    assert reading.ours - reading.other == lost


@pytest.mark.parametrize(("rule", "decks"), [("BPP-23", 8), ("BJ-9", 6)])
def test_insurance_by_brute_force(rule: str, decks: int) -> None:
    """[BPP-23] [BJ-9] Every two cards and every hole card beneath an ace, by value."""
    shoe = Counter(dict.fromkeys(range(1, 10), 4 * decks) | {10: 16 * decks})
    shoe[1] -= 1
    won: Counter[bool] = Counter()
    dealt: Counter[bool] = Counter()
    for first, second, hole in product(range(1, 11), repeat=3):
        left, ways = shoe.copy(), 1
        for card in (first, second, hole):
            ways *= left[card]
            left[card] -= 1
        blackjack = {first, second} == {1, 10}
        won[blackjack] += ways * (2 if hole == 10 else -1)
        dealt[blackjack] += ways
    (reading,) = found(rule)
    assert reading.ours == Fraction(won.total(), dealt.total())
    assert reading.other == Fraction(won[False], dealt[False])


def test_one_bet_on_any_total_is_all_of_them() -> None:
    """[NSB-10] [NSB-36] A unit on each total pays the same less the stakes on the others."""
    variant = GAMES["nepal-super-baccarat"].variant()
    tally = counted(variant)
    for side, totals in (("player", 9), ("banker", 9), ("tie", 10)):
        each = sum(price(tally, wager).ev for wager in variant.wagers if wager.startswith(f"{side}-on-"))
        (reading,) = [reading for reading in found("NSB-10") if reading.wager.startswith(side)]
        assert reading.other == each + totals - 1
    three, two = found("NSB-36")
    assert three.other + two.other == three.ours - 1


# Three Card Poker


def test_pairplus_at_other_prices_by_hand() -> None:
    """[TCP-28] 3,744 of 22,100 hands are pairs."""
    push, double = found("TCP-28")
    assert double.other - double.ours == push.ours - push.other == Fraction(3744, 22100)


def test_three_two_ace_ranked_second_counts_the_same() -> None:
    """[TCP-3] The whole game counted with that order of hands. Both sides rank alike, so nothing is won by it."""
    play = with_rules(tcp.play, {strength: strength_three_two_ace_second}, "play_three_two_ace_second")
    game = three_card(Variant(replace(TCP.game, play=play), TCP.options))
    (reading,) = found("TCP-3")
    recounted = price(game.under(game.best), "ante")
    assert recounted.ev == reading.other == reading.ours
    assert recounted.rows == price(counted(TCP), "ante").rows
    assert set(game.ways[tcp.PLAY]) != set(three_card(TCP).ways[tcp.PLAY])


def test_a_tie_below_queen_matters_only_to_who_plays_it() -> None:
    """[TCP-21] Best play folds what could tie with a dealer who does not qualify; playing everything pays for it."""
    pushes = with_row(tcp.ANTE_PAYS, 1, row("tie", PUSH, lambda seat: seat.versus == tcp.TIED))
    game = three_card(TCP)
    changed = replace(game, variant=with_paytables(TCP, {"ante": pushes}))
    always = [price(each.under(lambda _hand: tcp.PLAY), "ante").ev for each in (game, changed)]
    ties = sum(
        ways
        for stories in game.ways[tcp.PLAY].values()
        for ((_, seat),), ways in stories.items()
        if seat.versus == tcp.TIED and not seat.dealer_qualifies
    )
    assert always[0] - always[1] == Fraction(ties, 407170400) > 0


def test_ties_and_bonus_by_the_stories() -> None:
    """[TCP-24] [TCP-25] [TCP-27] Each reading costs exactly what its deals say; best play stays the same."""
    tally = counted(TCP)
    paid = {tcp.MINI_ROYAL: 5, 5: 5, 4: 4, 3: 1}
    ties = unqualified = threes = 0
    for ((_, seat),), ways in tally.stories.items():
        ties += ways * (seat.played and seat.dealer_qualifies and seat.versus == tcp.TIED)
        unqualified += ways * (seat.played and not seat.dealer_qualifies) * paid.get(seat.hand, 0)
        threes += ways * (seat.hand == 4)
    costs = {rule: found(rule)[0].ours - found(rule)[0].other for rule in ("TCP-24", "TCP-25", "TCP-27")}
    deals = {"TCP-24": ties, "TCP-25": unqualified, "TCP-27": threes}
    assert costs == {rule: Fraction(ways, tally.total) for rule, ways in deals.items()}


# The parts


def test_hands_of_counts_every_set() -> None:
    shoe = pack(2)
    assert sum(ways for _, ways in hands_of(shoe, 3)) == 104 * 103 * 102 // 6
    assert all(len(hand) == 2 for hand, _ in hands_of(shoe, 2))


def test_a_rule_changed_in_a_copy_leaves_the_book_alone() -> None:
    """[LP-29]"""
    no_run = with_rules(la_paire.poker_hand, {is_straight: lambda _a, _b, _c: False}, "poker_hand_without_runs")
    ace_king_queen = parse(["Ac", "Kc", "Qd"])
    assert (no_run(*ace_king_queen), la_paire.poker_hand(*ace_king_queen)) == (0, 3)


def test_our_rules_by_the_same_short_way_give_our_price() -> None:
    """[LP-40] Hands as sets, unchanged rules: the count again."""
    made = ((la_paire.Poker(la_paire.poker_hand(*hand)), ways) for hand, ways in hands_of(pack(1, 2), 3))
    assert expectation(la_paire.POKER_PAYS, made) == found("LP-28")[0].ours
