"""The configurable standard blackjack: its switches, its main wager and insurance."""

from fractions import Fraction

from pairhouse.core.game import Game
from pairhouse.core.options import Option, Options, switch
from pairhouse.core.paytable import LOSES, PUSH, Paytable, Row, Wager, row
from pairhouse.games import blackjack as bj
from pairhouse.games.blackjack import PHRASES, HandDone, Insured, play
from pairhouse.games.blackjack_choices import ACTIONS, Rules, offers
from pairhouse.games.blackjack_hand import name_hand

DOUBLES = ("any", "9-11", "10-11")
PRICES = {"3:2": Fraction(3, 2), "6:5": Fraction(6, 5), "1:1": Fraction(1)}
INSURANCE_OPTION = Option("insurance", "offer", ("offer", "never"), "insurance against an ace [BJ-9] [BPP-46]")

OPTIONS = (
    Option("decks", 6, tuple(range(1, 9)), "decks in the shoe, shuffled every round [BJ-1]"),
    Option("soft_17", "stand", ("stand", "hit"), "what the dealer does on soft 17 [BJ-26]"),
    Option("double", "any", DOUBLES, "which first two cards may be doubled [BJ-18]"),
    switch("double_after_split", True, "doubling a split hand [BJ-18]"),
    Option("max_hands", 4, (2, 3, 4), "hands a seat may reach by splitting [BJ-19]"),
    switch("resplit_aces", False, "splitting aces again [BJ-21]"),
    switch("hit_split_aces", False, "playing on with split aces [BJ-22]"),
    Option("surrender", "none", ("none", "late"), "giving up half the stake after the peek [BJ-24]"),
    Option("blackjack_pays", "3:2", tuple(PRICES), "the price of a blackjack [BJ-12]"),
    Option(
        "hole_card",
        "peek",
        ("peek", "none"),
        "a hole card that is peeked at, or none before the seats play [BJ-8]",
    ),
    Option("charlie", 0, (0, 5, 6, 7, 8), "so many cards win by themselves; 0 for never [BJ-25]"),
    INSURANCE_OPTION,
)


def rules(options: Options) -> Rules:
    """The switches as the numbers that `play` reads. [BJ-30]"""
    return Rules(
        hits_soft_17=options["soft_17"] == "hit",
        double=DOUBLES.index(options["double"]),
        double_after_split=options["double_after_split"],
        hands_max=options["max_hands"],
        splits_max=options["max_hands"],
        resplit_aces=options["resplit_aces"],
        hit_split_aces=options["hit_split_aces"],
        surrender=options["surrender"] == "late",
        hole_card=options["hole_card"] == "peek",
        charlie=options["charlie"],
        insurance=options["insurance"] == "offer",
        side_bets_from_right=True,
    )


def came_to(name: str, pays: Fraction, fate: int) -> Row:
    """A row for hands that ended in one way."""
    return row(name, pays, lambda hand: hand.outcome == fate)


def main_pays(blackjack_pays: Fraction, charlie: int, surrender: bool, cites: str) -> Paytable:
    """How each hand of the main wager is paid. [BPP-26] [BPP-41] [BJ-29]"""
    rows = [came_to("blackjack", blackjack_pays, bj.BLACKJACK)]
    if charlie:
        rows.append(came_to(f"{charlie} cards", Fraction(1), bj.CHARLIE))
    rows += [came_to("win", Fraction(1), bj.WIN), came_to("push", PUSH, bj.PUSH)]
    if surrender:
        rows.append(came_to("surrender", Fraction(-1, 2), bj.SURRENDERED))
    rows += [came_to("bust", LOSES, bj.BUST), came_to("dealer blackjack", LOSES, bj.DEALER_BLACKJACK)]
    return Paytable("Blackjack", cites, tuple(rows), otherwise="lose")


INSURANCE_PAYS = Paytable(
    "Insurance", "[BPP-24] [BJ-10]", (row("dealer blackjack", 2, lambda insured: insured.dealer_blackjack),)
)


def main_wagers(paytable: Paytable, insurance: bool) -> tuple[Wager, ...]:
    """The main wager, and the insurance that may follow from it. [BPP-7] [BJ-4]"""
    main = Wager("main", "Blackjack", paytable, HandDone, opens=True, times=lambda hand: hand.units)
    if not insurance:
        return (main,)
    return (main, Wager("insurance", "Insurance", INSURANCE_PAYS, Insured, base="main", multiple=Fraction(1, 2)))


def wagers(options: Options) -> tuple[Wager, ...]:
    """The standard game has no side bet of its own."""
    surrender = options["surrender"] == "late"
    pays = main_pays(PRICES[options["blackjack_pays"]], options["charlie"], surrender, "[BJ-29]")
    return main_wagers(pays, options["insurance"] == "offer")


GAME = Game(
    id="blackjack",
    name="Blackjack",
    cites="BJ",
    summary="The standard game, with every common rule as a switch.",
    play=play,
    module=__name__,
    options=OPTIONS,
    seats_max=7,  # [BJ-4]
    seats_per_player=7,
    places=("dealer",),
    rules=rules,
    wagers=wagers,
    pack=lambda options: (options["decks"], 0),
    actions=ACTIONS,
    offers=offers,
    units_max=lambda rules: 2 * rules.hands_max,
    phrases=PHRASES,
    name_hand=name_hand,
)
