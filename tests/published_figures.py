"""Our figure for every bet and quantity that others have published, by the names they have in `published.csv`."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from decimal import Decimal, getcontext
from fractions import Fraction
from itertools import combinations
from typing import Any

from counting import counted
from coups import PlainCoup, fresh_coups
from pairhouse.analysis.blackjack.side_bet_readings import insurance_ev
from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.exact.prices import Price, price
from pairhouse.analysis.reports.readings import with_paytables, with_price
from pairhouse.analysis.three_card.counts import ThreeCard, three_card
from pairhouse.core.cards import TEN, pack, parse, rank
from pairhouse.core.game import Variant
from pairhouse.core.hands import FLUSH, HIGH_CARD, PAIR, STRAIGHT, STRAIGHT_FLUSH, THREE_OF_A_KIND, strength
from pairhouse.core.paytable import Paytable, Wager, row
from pairhouse.games import nepal_super_baccarat as baccarat
from pairhouse.games import three_card_poker as tcp
from pairhouse.games.blackjack import InitialDeal
from pairhouse.games.catalogue import GAMES

getcontext().prec = 40
Figure = Fraction | int


def root(square: Fraction) -> Fraction:
    """A square root to forty digits."""
    return Fraction((Decimal(square.numerator) / Decimal(square.denominator)).sqrt())


def decks_in(parameters: str) -> int:
    found = re.search(r"(\d+) deck", parameters)
    assert found, parameters
    return int(found[1])


# Three Card Poker

TCP = GAMES["three-card-poker"].variant()
KINDS = {
    "straight flush": (STRAIGHT_FLUSH, tcp.MINI_ROYAL),
    "three of a kind": (THREE_OF_A_KIND,),
    "straight": (STRAIGHT,),
    "flush": (FLUSH,),
    "pair": (PAIR,),
    "high card": (HIGH_CARD,),
}


def shown(tally: Counted, when: Callable[[Any], bool]) -> int:
    """Deals in which a condition holds."""
    return sum(ways for story, ways in tally.stories.items() if when(story[-1][1]))


def hand_frequency(_parameters: str, quantity: str) -> Figure:
    """[TCP-2]"""
    played = three_card(TCP).under(lambda _hand: tcp.PLAY)
    kind = quantity.removesuffix(" combinations")
    ways = played.total if kind == "total" else shown(played, lambda seat: seat.hand in KINDS[kind])
    hands, rest = divmod(ways, 18424)
    assert rest == 0
    return hands


def dealer(_parameters: str, quantity: str) -> Figure:
    """[TCP-20]"""
    played = three_card(TCP).under(lambda _hand: tcp.PLAY)
    qualifies = Fraction(shown(played, lambda seat: seat.dealer_qualifies), played.total)
    return {"hands J-high or lower (probability)": 1 - qualifies, "qualify probability": qualifies}[quantity]


def ante(game: ThreeCard, strategy: Callable[[int], int] | None = None) -> Price:
    return price(game.under(strategy or game.best), "ante")


def ante_play(parameters: str, quantity: str) -> Figure:
    """[TCP-16] [TCP-22] [TCP-24] [TCP-25]"""
    game = three_card(TCP)
    if parameters.startswith("Q-6-4"):
        return best_play(quantity)
    if parameters.startswith("raise"):
        return raised([face + suit for face, suit in zip(parameters[6:].split("-"), "cdh", strict=True)])
    if parameters.startswith("mimic"):
        lowest = strength(*parse(["Qc", "3d", "2h"]))
        return -ante(game, lambda hand: tcp.PLAY if hand >= lowest else tcp.FOLD).ev
    if parameters == "always play":
        return -ante(game, lambda _hand: tcp.PLAY).ev
    assert parameters == "ties go to player (variant)"
    ties = {"ante": with_price(tcp.ANTE_PAYS, "tie", 1), "play": with_price(tcp.PLAY_PAYS, "tie", 1)}
    return -ante(replace(game, variant=with_paytables(TCP, ties))).ev


def raised(faces: list[str]) -> Fraction:
    """What playing these very cards wins, over every hand of the dealer. Our own table is the mean over all suits."""
    cards = parse(faces)
    hand, net = strength(*cards), 0
    hands = list(combinations([card for card in pack(1) if card not in cards], 3))
    for dealer in (strength(*other) for other in hands):
        seat = tcp.Showdown(HIGH_CARD, True, tcp.qualifies(TCP.rules, dealer), tcp.compare(hand, dealer))
        net += int(tcp.ANTE_PAYS.paid(seat).pays + tcp.PLAY_PAYS.paid(seat).pays)
    return Fraction(net, len(hands))


def best_play(quantity: str) -> Figure:
    """The figures under best play, which is found and not told: queen, six, four and better."""
    tally, bet = counted(TCP), ante(three_card(TCP))
    if quantity.startswith("combinations with net"):
        net = int(quantity.split()[3])
        return sum(line.ways for line in bet.rows if line.pays == net)
    return {
        "EV exact": bet.ev,
        "house edge per ante": -bet.ev,
        "standard deviation": root(bet.variance),
        "hit frequency (win >=1 unit)": bet.hit,
        "average total wager (antes)": bet.staked,
        "element of risk": -bet.element_of_risk,
        "P(play)": Fraction(shown(tally, lambda seat: seat.played), tally.total),
        "P(played and dealer does not qualify)": Fraction(
            shown(tally, lambda seat: seat.played and not seat.dealer_qualifies), tally.total
        ),
    }[quantity]


def pairplus(parameters: str, quantity: str) -> Figure:
    """[TCP-28]"""
    bet = price(counted(GAMES["three-card-poker"].variant({"pairplus": parameters})), "pairplus")
    return root(bet.variance) if quantity == "standard deviation" else -bet.ev


# Baccarat

NSB = GAMES["nepal-super-baccarat"].variant()


def shoe(decks: int) -> Counted:
    return counted(NSB, pack(decks))


def what_if(tally: Counted, happening: type, rows: Iterable[tuple[Figure, Callable[[Any], bool]]]) -> Price:
    """The price of a bet we do not offer, or at other prices, from the same tally."""
    paytable = Paytable("what if", "", tuple(row(str(n), Fraction(pays), when) for n, (pays, when) in enumerate(rows)))
    wagers = (Wager("what-if", "What if", paytable, happening),)
    variant = Variant(replace(tally.variant.game, wagers=lambda _options: wagers), tally.variant.options)
    return price(replace(tally, variant=variant), "what-if")


def won_by(winner: int) -> Callable[[baccarat.Coup], bool]:
    return lambda coup: coup.winner == winner


def main_bet(parameters: str, quantity: str) -> Figure:
    """[NSB-25]"""
    tally = shoe(decks_in(parameters))
    who = quantity.partition(" ")[0]
    winner = {"player": baccarat.PLAYER, "banker": baccarat.BANKER, "tie": baccarat.TIE}
    return tally.total if who == "total" else shown(tally, won_by(winner[who]))


def coup_bet(*rows: tuple[Figure, Callable[[Any], bool]]) -> Callable[[str, str], Figure]:
    """A bet on a coup: its expectation, edge or deviation."""

    def figure(parameters: str, quantity: str) -> Figure:
        bet = what_if(shoe(decks_in(parameters)), baccarat.Coup, rows)
        if quantity == "standard deviation":
            return root(bet.variance)
        return bet.ev if quantity.startswith("EV") else -bet.ev

    return figure


TIE_PUSHES = (0, won_by(baccarat.TIE))
COMMISSION = coup_bet((Fraction(19, 20), won_by(baccarat.BANKER)), TIE_PUSHES)
TIGER = coup_bet((12, baccarat.six_with(2)), (20, baccarat.six_with(3)))


def no_commission(parameters: str, quantity: str) -> Figure:
    """[NSB-31]"""
    tally = shoe(decks_in(parameters))
    on_six = shown(tally, baccarat.wins_on(baccarat.BANKER, 6))
    ev = price(tally, "banker").ev
    wins = shown(tally, won_by(baccarat.BANKER))
    by_name: dict[str, Figure] = {
        "banker win not 6 combinations": wins - on_six,
        "banker win on 6 combinations": on_six,
        "EV": ev,
    }
    return by_name.get(quantity, -ev)


def lucky_six(parameters: str, quantity: str) -> Figure:
    """[NSB-34]"""
    tally = shoe(decks_in(parameters))
    if quantity.endswith("combinations"):
        return shown(tally, baccarat.six_with(int(quantity[0])))
    two, three = map(int, quantity.removeprefix("EV ").split("/"))
    return what_if(tally, baccarat.Coup, [(two, baccarat.six_with(2)), (three, baccarat.six_with(3))]).ev


def player_on(parameters: str, quantity: str) -> Figure:
    """[NSB-35]"""
    total = int(re.findall(r"total (\d)", parameters)[0])
    if quantity == "combinations":
        return shown(shoe(8), baccarat.wins_on(baccarat.PLAYER, total))
    bet = price(shoe(8), f"player-on-{total}")
    assert parameters.endswith(f"pays {bet.largest.pays}:1")
    return bet.ev


def share_of(decks: int, when: Callable[[PlainCoup], bool], given: Callable[[PlainCoup], bool]) -> Fraction:
    possible = {coup: ways for coup, ways in fresh_coups(decks).items() if given(coup)}
    return Fraction(sum(ways for coup, ways in possible.items() if when(coup)), sum(possible.values()))


def cards_in_coup(parameters: str, _quantity: str) -> Figure:
    """[NSB-14]"""
    cards = int(re.findall(r"(\d) cards", parameters)[0])
    return share_of(decks_in(parameters), lambda c: c.player_cards + c.banker_cards == cards, lambda _coup: True)


def after_two_cards(parameters: str, quantity: str) -> Figure:
    """[NSB-16] [NSB-17]"""
    total = int(parameters[-1])
    wanted = {"player": baccarat.PLAYER, "banker": baccarat.BANKER, "tie": baccarat.TIE}[quantity.partition(" ")[0]]
    return share_of(
        8, lambda c: baccarat.winner_of(c.player, c.banker) == wanted, lambda c: c.player_two == total
    )  # fmt: skip


def after_removal(parameters: str, _quantity: str) -> Figure:
    """[NSB-7]"""
    left = list(pack(8))
    left.remove(parse([parameters[-1].replace("0", "10") + "c"])[0])
    before, after = shoe(8), counted(NSB, left)
    won = won_by(baccarat.PLAYER)
    return Fraction(shown(after, won), after.total) - Fraction(shown(before, won), before.total)


def either_pair(parameters: str, quantity: str) -> Figure:
    """[NSB-33]"""
    tally = shoe(decks_in(parameters))
    bet = price(tally, "player-pair")
    assert bet.ev == price(tally, "banker-pair").ev
    return {"EV exact": bet.ev, "standard deviation": root(bet.variance), "house edge": -bet.ev}[quantity]


# Side bets of blackjack

BPP = GAMES["blackjack-poker-pairs"].variant()
TWO_DECK_B = GAMES["pair-v3"].variant({"paytable": "2-deck-b"})
PAIR_ROWS = {"perfect": 3, "colored": 2, "mixed": 1, "non-pair": 0}


def pairs(prices: tuple[int, int, int]) -> Callable[[str, str], Figure]:
    """[BPP-43] Published as sets of two cards, counted as ordered deals of three."""

    def figure(parameters: str, quantity: str) -> Figure:
        tally = counted(BPP, pack(decks_in(parameters)))
        third = 2 * (52 * decks_in(parameters) - 2)
        if quantity == "total":
            return tally.total // third
        if quantity.endswith("combinations"):
            kind = PAIR_ROWS[quantity.partition(" ")[0]]
            return Fraction(shown(tally, lambda deal: deal.player_pair == kind), third)
        suited, coloured, mixed = prices
        rows = [(suited, is_kind(3)), (coloured, is_kind(2)), (mixed, is_kind(1))]
        bet = what_if(tally, InitialDeal, rows)
        if prices == (30, 10, 5):
            assert bet.ev == price(tally, "pairs").ev
        return bet.ev if quantity == "EV" else -bet.ev

    return figure


def is_kind(kind: int) -> Callable[[InitialDeal], bool]:
    return lambda deal: deal.player_pair == kind


POKER_ROWS = {
    "suited trips": "suited three of a kind",
    "trips": "three of a kind",
    "straight flush": "straight flush",
    "straight": "straight",
    "flush": "flush",
    "loss": "no win",
}


def twenty_one_plus_three(parameters: str, quantity: str) -> Figure:
    """[BPP-44] Published as sets of three cards, counted as ordered deals."""
    bet = price(counted(BPP, pack(decks_in(parameters))), "poker")
    name, what = quantity.rsplit(" ", 1)
    (line,) = [line for line in bet.rows if line.name == POKER_ROWS[name]]
    return Fraction(line.ways, 6) if what == "combinations" else line.returns


def flat_nine(parameters: str, _quantity: str) -> Figure:
    tally = counted(BPP, pack(decks_in(parameters)))
    return -what_if(tally, InitialDeal, [(9, lambda deal: deal.three_of_a_kind or deal.straight or deal.flush)]).ev


def pair_bet(parameters: str, quantity: str) -> Figure:
    """[PV3-12] Published with the player's two cards as a set and the up card apart, counted as ordered deals."""
    bet = price(counted(TWO_DECK_B, pack(decks_in(parameters))), "pair")
    if quantity == "total":
        return Fraction(bet.total, 2)
    if quantity.endswith("combinations"):
        name = quantity.removesuffix(" combinations").replace("three", "3").replace("loss", "no win")
        (line,) = [line for line in bet.rows if line.name == name]
        return Fraction(line.ways, 2)
    return bet.ev if quantity == "EV" else -bet.ev


def insurance(parameters: str, quantity: str) -> Figure | tuple[Figure, ...]:
    """[BPP-24] [BJ-10]"""
    cards = pack(decks_in(parameters))
    if "0/1/2 tens" in parameters:
        held = [lambda hand, n=n: sum(rank(card) >= TEN for card in hand) == n for n in range(3)]
        return tuple(-insurance_ev(cards, taken) for taken in held)
    edge = -insurance_ev(cards, lambda _hand: True)
    return (edge, edge) if "exact" in quantity else edge


FIGURES: dict[str, Callable[[str, str], Figure | tuple[Figure, ...]]] = {
    "hand frequency": hand_frequency,
    "dealer": dealer,
    "ante+play": ante_play,
    "pairplus": pairplus,
    "main": main_bet,
    "banker 5% commission": COMMISSION,
    "banker sd": COMMISSION,
    "player": coup_bet((1, won_by(baccarat.PLAYER)), TIE_PUSHES),
    "player sd": coup_bet((1, won_by(baccarat.PLAYER)), TIE_PUSHES),
    "tie 8:1": coup_bet((8, won_by(baccarat.TIE))),
    "tie 8:1 sd": coup_bet((8, won_by(baccarat.TIE))),
    "tie 9:1": coup_bet((9, won_by(baccarat.TIE))),
    "banker no commission half on 6": no_commission,
    "lucky 6": lucky_six,
    "tiger (lucky 6 12/20)": TIGER,
    "small tiger": coup_bet((22, baccarat.six_with(2))),
    "big tiger 50:1": coup_bet((50, baccarat.six_with(3))),
    "tiger tie": coup_bet((35, baccarat.wins_on(baccarat.TIE, 6))),
    "super six 15:1": coup_bet((15, baccarat.wins_on(baccarat.BANKER, 6))),
    "player wins on total": player_on,
    "number of cards in coup": cards_in_coup,
    "after player two cards": after_two_cards,
    "player/banker pair 11:1": either_pair,
    "player win probability": after_removal,
    "pairs 30/10/5": pairs((30, 10, 5)),
    "pairs 25/12/6": pairs((25, 12, 6)),
    "pairs 25/12/5": pairs((25, 12, 5)),
    "pairs 25/15/5": pairs((25, 15, 5)),
    "21+3 100/35/33/10/5 (WagerWorks)": twenty_one_plus_three,
    "21+3 9:1 flat": flat_nine,
    "PAIR (Venetian) 30/5/2": pair_bet,
    "insurance": insurance,
}
