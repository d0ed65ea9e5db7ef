"""Nepal Super Baccarat."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pairhouse.core.cards import Card, rank
from pairhouse.core.errors import Refused
from pairhouse.core.game import Game
from pairhouse.core.hands import is_pair
from pairhouse.core.options import Option, Options
from pairhouse.core.paytable import PUSH, Paytable, Row, Wager, row
from pairhouse.core.rule import rule
from pairhouse.core.verbs import EVERY_SEAT, Table, draw, say, settle

PLAYER, BANKER, TIE = 0, 1, 2
NO_CARD = -1

SAY_NATURAL, SAY_PLAYER_STANDS, SAY_PLAYER_DRAWS, SAY_BANKER_STANDS, SAY_BANKER_DRAWS = 0, 1, 2, 3, 4
SAY_BANKER_STANDS_ON, SAY_BANKER_DRAWS_ON, SAY_PLAYER_WINS, SAY_BANKER_WINS, SAY_TIE = 5, 6, 7, 8, 9
PHRASES = (
    "A natural, Player {0} and Banker {1}: no more cards.",
    "Player {0} stands.",
    "Player {0} draws.",
    "Player stood, Banker {0} stands.",
    "Player stood, Banker {0} draws.",
    "Banker {0} stands on a {1}.",
    "Banker {0} draws on a {1}.",
    "Player wins, {0} over {1}.",
    "Banker wins, {0} over {1}.",
    "Tie at {0}.",
)


class Rules(NamedTuple):
    """Nothing about the drawing can be chosen."""

    decks: int


class Coup(NamedTuple):
    """All that any wager needs to know of a coup."""

    winner: int
    total: int
    banker_cards: int
    player_pair: bool
    banker_pair: bool


@rule
def points(card: Card) -> int:
    """Ace one, two to nine their number, ten and faces nothing. [NSB-2]"""
    return rank(card) + 1 if rank(card) < 9 else 0


@rule
def worth(total_points: int) -> int:
    """Of a sum of ten or more only the last digit counts. [NSB-3]"""
    return total_points % 10


@rule
def is_natural(player: int, banker: int) -> bool:
    """Eight or nine with two cards on either side ends the drawing. [NSB-15]"""
    return player >= 8 or banker >= 8


@rule
def player_draws(player: int) -> bool:
    """The Player draws on 0 to 5 and stands on 6 and 7. [NSB-16] [NSB-17]"""
    return player <= 5


@rule
def banker_draws_alone(banker: int) -> bool:
    """When the Player stood the Banker draws on 0 to 5. [NSB-24]"""
    return banker <= 5


@rule
def banker_draws(banker: int, third: int) -> bool:
    """When the Player drew, the points of that third card decide for the Banker."""
    if banker <= 2:
        return True  # [NSB-18]
    if banker == 3:
        return third != 8  # [NSB-19]
    if banker == 4:
        return 2 <= third <= 7  # [NSB-20]
    if banker == 5:
        return 4 <= third <= 7  # [NSB-21]
    if banker == 6:
        return 6 <= third <= 7  # [NSB-22]
    return False  # [NSB-23]


@rule
def coup_over(table: Table, player: tuple[Card, Card, Card], banker: tuple[Card, Card, Card]) -> None:
    """A moment for side bets: the cards of both sides in order, with -1 for a third that was not drawn."""


@rule
def play(table: Table, rules: Rules) -> None:
    """One coup: Player, Banker, Player, Banker, then the third cards. [NSB-14]"""
    p1 = draw(table, PLAYER)
    b1 = draw(table, BANKER)
    p2 = draw(table, PLAYER)
    b2 = draw(table, BANKER)
    player = worth(points(p1) + points(p2))
    banker = worth(points(b1) + points(b2))
    player_two, banker_two = player, banker
    p3, b3 = NO_CARD, NO_CARD
    if is_natural(player, banker):
        say(table, PLAYER, SAY_NATURAL, player, banker)
    elif player_draws(player):
        say(table, PLAYER, SAY_PLAYER_DRAWS, player, 0)
        p3 = draw(table, PLAYER)
        third = points(p3)
        player = worth(player + third)
        if banker_draws(banker, third):
            say(table, BANKER, SAY_BANKER_DRAWS_ON, banker_two, third)
            b3 = draw(table, BANKER)
            banker = worth(banker + points(b3))
        else:
            say(table, BANKER, SAY_BANKER_STANDS_ON, banker_two, third)
    else:
        say(table, PLAYER, SAY_PLAYER_STANDS, player_two, 0)
        if banker_draws_alone(banker):
            say(table, BANKER, SAY_BANKER_DRAWS, banker_two, 0)
            b3 = draw(table, BANKER)
            banker = worth(banker + points(b3))
        else:
            say(table, BANKER, SAY_BANKER_STANDS, banker_two, 0)
    announce(table, player, banker)
    total = max(player, banker)
    banker_cards = 2 if b3 == NO_CARD else 3
    settle(table, EVERY_SEAT, Coup(winner_of(player, banker), total, banker_cards, is_pair(p1, p2), is_pair(b1, b2)))
    coup_over(table, (p1, p2, p3), (b1, b2, b3))


@rule
def winner_of(player: int, banker: int) -> int:
    """The higher total wins; equal totals tie. [NSB-25]"""
    if player == banker:
        return TIE
    return PLAYER if player > banker else BANKER


@rule
def announce(table: Table, player: int, banker: int) -> None:
    """The dealer calls the result."""
    winner = winner_of(player, banker)
    if winner == TIE:
        say(table, PLAYER, SAY_TIE, player, banker)
    elif winner == PLAYER:
        say(table, PLAYER, SAY_PLAYER_WINS, player, banker)
    else:
        say(table, BANKER, SAY_BANKER_WINS, banker, player)


def wins_on(winner: int, total: int) -> Callable[[Coup], bool]:
    """The condition of a bet on a side and its total. [NSB-10]"""
    return lambda coup: coup.winner == winner and coup.total == total


def six_with(cards: int) -> Callable[[Coup], bool]:
    """The Banker winning on six with so many cards. [NSB-34]"""
    return lambda coup: coup.winner == BANKER and coup.total == 6 and coup.banker_cards == cards


PLAYER_PAYS = Paytable("Player", "[NSB-30] [NSB-26]", (
    row("Player wins", 1, lambda coup: coup.winner == PLAYER),
    row("tie", PUSH, lambda coup: coup.winner == TIE),
))  # fmt: skip
BANKER_PAYS = Paytable("Banker", "[NSB-31] [NSB-26] [NSB-27]", (
    row("Banker wins on 6", Fraction(1, 2), wins_on(BANKER, 6)),
    row("Banker wins", 1, lambda coup: coup.winner == BANKER),
    row("tie", PUSH, lambda coup: coup.winner == TIE),
))  # fmt: skip
TIE_PAYS = Paytable("Tie", "[NSB-32]", (row("tie", 8, lambda coup: coup.winner == TIE),))
PAIR_RULES = "[NSB-33] [NSB-28] [NSB-29]"
PLAYER_PAIR_PAYS = Paytable("Player Pair", PAIR_RULES, (row("pair", 11, lambda coup: coup.player_pair),))
BANKER_PAIR_PAYS = Paytable("Banker Pair", PAIR_RULES, (row("pair", 11, lambda coup: coup.banker_pair),))
SIX_ROWS = (row("three-card six", 20, six_with(3)), row("two-card six", 12, six_with(2)))
LUCKY_SIX_PAYS = Paytable("Lucky 6", "[NSB-34]", SIX_ROWS)

PLAYER_ON = {1: 160, 2: 90, 3: 60, 4: 45, 5: 30, 6: 11, 7: 9, 8: 6, 9: 6}
BANKER_ON = {1: 160, 2: 90, 3: 60, 4: 25, 5: 17, 7: 9, 8: 7, 9: 6}  # six is paid as Lucky 6
TIE_ON = {0: 140, 1: 200, 2: 200, 3: 170, 4: 110, 5: 100, 6: 40, 7: 40, 8: 70, 9: 70}


def total_bets(side: str, winner: int, prices: dict[int, int], cites: str) -> list[Wager]:
    """One bet for each winning total of a side. [NSB-10]"""
    return [
        total_bet(side, total, (row(f"{side} on {total}", pays, wins_on(winner, total)),), cites)
        for total, pays in prices.items()
    ]


def total_bet(side: str, total: int, rows: tuple[Row, ...], cites: str) -> Wager:
    """A bet on one side winning with one total."""
    name = f"{side} Wins On {total}"
    wager_id = f"{side.lower()}-on-{total}"
    return Wager(wager_id, name, Paytable(name, cites, rows), Coup, opens=True, group=f"{side} Wins On")


def wagers(_options: Options) -> tuple[Wager, ...]:
    """Every wager stands alone: any one of them opens the coup. [NSB-8] [NSB-9]"""
    base = [
        Wager("player", "Player", PLAYER_PAYS, Coup, opens=True),
        Wager("banker", "Banker", BANKER_PAYS, Coup, opens=True),
        Wager("tie", "Tie", TIE_PAYS, Coup, opens=True),
        Wager("player-pair", "Player Pair", PLAYER_PAIR_PAYS, Coup, opens=True, group="Pairs"),
        Wager("banker-pair", "Banker Pair", BANKER_PAIR_PAYS, Coup, opens=True, group="Pairs"),
        Wager("lucky-6", "Lucky 6", LUCKY_SIX_PAYS, Coup, opens=True),
    ]
    banker = total_bets("Banker", BANKER, BANKER_ON, "[NSB-36]")
    banker.insert(5, total_bet("Banker", 6, SIX_ROWS, "[NSB-36]"))
    return (
        *base,
        *total_bets("Player", PLAYER, PLAYER_ON, "[NSB-35]"),
        *banker,
        *total_bets("Tie", TIE, TIE_ON, "[NSB-37]"),
    )


def check(options: Options) -> None:
    """The cut card lies somewhere in the shoe. [NSB-6]"""
    cards = options["decks"] * 52
    if options["cut_card"] >= cards:
        sentence = f"cut_card {options['cut_card']} is not possible with {cards} cards; it can be 11 to {cards - 1}"
        raise Refused("bad-option", sentence)


def name_hand(cards: Sequence[Card]) -> str:
    """A hand is called by its total. [NSB-3]"""
    return str(worth(sum(points(card) for card in cards)))


def shoe_line(happened: Sequence[Any], hands: Mapping[str, Sequence[Card]]) -> dict[str, Any]:
    """A coup as the roads of a shoe show it."""
    coup = next(each for each in happened if isinstance(each, Coup))
    player, banker = hands["Player"], hands["Banker"]
    return {
        "winner": {PLAYER: "player", BANKER: "banker", TIE: "tie"}[coup.winner],
        "player_total": int(name_hand(player)),
        "banker_total": int(name_hand(banker)),
        "player_pair": bool(coup.player_pair),
        "banker_pair": bool(coup.banker_pair),
        "player_cards": len(player),
        "banker_cards": len(banker),
    }


GAME = Game(
    id="nepal-super-baccarat",
    name="Nepal Super Baccarat",
    cites="NSB",
    summary="No-commission baccarat from a shoe, with pairs, Lucky 6 and bets on every winning total.",
    play=play,
    module=__name__,
    options=(
        Option("decks", 8, (5, 6, 7, 8), "decks in the shoe [NSB-1]"),
        Option("cut_card", 14, tuple(range(11, 416)), "cards behind the cut card [NSB-5]"),
    ),
    seats_max=8,  # [NSB-12]
    seats_per_player=1,
    places=("Player", "Banker"),
    rules=lambda options: Rules(options["decks"]),
    wagers=wagers,
    pack=lambda options: (options["decks"], 0),
    phrases=PHRASES,
    name_hand=name_hand,
    check=check,
    shoe=True,  # [NSB-4]
    shoe_line=shoe_line,
)
