"""Blackjack Poker & Pairs: blackjack under its own rules, with two side bets."""

from collections.abc import Sequence
from fractions import Fraction

from pairhouse.core.cards import Card
from pairhouse.core.game import Game
from pairhouse.core.hands import COLOURED_PAIR, MIXED_PAIR, SUITED_PAIR
from pairhouse.core.options import Option, Options
from pairhouse.core.paytable import Paytable, Wager, row
from pairhouse.games.blackjack import PHRASES, InitialDeal, play
from pairhouse.games.blackjack_choices import ACTIONS, DOUBLE_ANY, Rules, offers
from pairhouse.games.blackjack_hand import add, is_soft, name_hand, total
from pairhouse.games.standard_blackjack import INSURANCE_OPTION, main_pays, main_wagers

DECKS = 8
CHARLIE = 8


def rules(options: Options) -> Rules:
    """Where this game differs from another blackjack. [BPP-31] [BPP-32] [BPP-34] [BPP-37]"""
    return Rules(
        hits_soft_17=False,
        double=DOUBLE_ANY,
        double_after_split=True,
        hands_max=4,
        splits_max=2,
        resplit_aces=False,
        hit_split_aces=False,
        surrender=False,
        hole_card=True,
        charlie=CHARLIE,
        insurance=options["insurance"] == "offer",
        side_bets_from_right=False,
    )


# One rank is needed: a ten and a jack are no pair here. [BPP-43]
PAIRS_PAYS = Paytable("Pairs", "[BPP-43] [BPP-42]", (
    row("suited pair", 30, lambda deal: deal.player_pair == SUITED_PAIR),
    row("coloured pair", 10, lambda deal: deal.player_pair == COLOURED_PAIR),
    row("mixed pair", 5, lambda deal: deal.player_pair == MIXED_PAIR),
))  # fmt: skip
POKER_PAYS = Paytable("Poker", "[BPP-44] [BPP-42]", (
    row("suited three of a kind", 100, lambda deal: deal.three_of_a_kind and deal.flush),
    row("straight flush", 35, lambda deal: deal.straight and deal.flush),
    row("three of a kind", 33, lambda deal: deal.three_of_a_kind),
    row("straight", 10, lambda deal: deal.straight),
    row("flush", 5, lambda deal: deal.flush),
))  # fmt: skip
MAIN_PAYS = main_pays(Fraction(3, 2), CHARLIE, surrender=False, cites="[BPP-26] [BPP-36] [BPP-41]")


def wagers(options: Options) -> tuple[Wager, ...]:
    """The main wager opens the seat; the side bets stand beside it. [BPP-7] [BPP-8]"""
    return (
        *main_wagers(MAIN_PAYS, options["insurance"] == "offer"),
        Wager("pairs", "Pairs", PAIRS_PAYS, InitialDeal),
        Wager("poker", "Poker", POKER_PAYS, InitialDeal),
    )


def safety_net(action: str, cards: Sequence[Card]) -> str:
    """The table warns before a hit on soft 20 or on hard 17 and above; the hit stays legal. [BPP-47]"""
    hand = 0
    for card in cards:
        hand = add(hand, card)
    if action != "hit":
        return ""
    if is_soft(hand) and total(hand) == 20:
        return "this is a soft 20"
    return f"this is a hard {total(hand)}" if not is_soft(hand) and total(hand) >= 17 else ""


GAME = Game(
    id="blackjack-poker-pairs",
    name="Blackjack Poker & Pairs",
    cites="BPP",
    summary="Blackjack on up to three seats, eight decks shuffled every game, with bets on pairs and a poker hand.",
    play=play,
    module=__name__,
    options=(Option("decks", DECKS, (DECKS,), "decks, shuffled every game [BPP-1]"), INSURANCE_OPTION),
    seats_max=3,  # [BPP-6]
    seats_per_player=3,
    paid_at_end=True,  # [BPP-50]
    places=("dealer",),
    rules=rules,
    wagers=wagers,
    pack=lambda _options: (DECKS, 0),
    actions=ACTIONS,
    offers=offers,
    units_max=lambda rules: 2 * rules.hands_max,
    phrases=PHRASES,
    name_hand=name_hand,
    warn=safety_net,
)
