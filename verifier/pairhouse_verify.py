#!/usr/bin/env python3
"""Check a Pairhouse round without Pairhouse: `python pairhouse_verify.py ROUND.json`.

One file, standard library only, written from the rule books and from docs/fairness.md; it shares no code with the
house. It recomputes the commitment, the shuffle, the cards and the settlement. Exit status 0: all the same; 1: a
difference, and which; 2: the file cannot be checked. A progressive meter's reading before the round is taken as given.
"""

import hashlib
import hmac
import json
import sys

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
PACK = [rank + suit for suit in "cdhs" for rank in RANKS]
JOKERS = ["X1", "X2"]
# fmt: off
BLACKJACK = {
    "decks": 6, "soft_17": "stand", "double": "any", "double_after_split": True, "max_hands": 4, "resplit_aces": False,
    "hit_split_aces": False, "surrender": "none", "blackjack_pays": "3:2", "hole_card": "peek", "charlie": 0,
    "insurance": "offer",
}
DEFAULTS = {
    "three-card-poker": {"decks": 1, "pairplus": "40-30-6-3-1"},
    "nepal-super-baccarat": {"decks": 8, "cut_card": 14},
    "la-paire": {"decks": 1},
    "blackjack": BLACKJACK,
    "pair-v3": {**BLACKJACK, "paytable": "shoe-a"},
    "blackjack-poker-pairs": {**BLACKJACK, "decks": 8, "charlie": 8},
}
KINDS = ["high card", "pair", "flush", "straight", "three of a kind", "straight flush", "mini royal"]
TOTALS = {  # [NSB-35] [NSB-36] [NSB-37]; a banker's 6 is priced by its cards
    "player": [0, 160, 90, 60, 45, 30, 11, 9, 6, 6], "banker": [0, 160, 90, 60, 25, 17, 0, 9, 7, 6],
    "tie": [140, 200, 200, 170, 110, 100, 40, 40, 70, 70],
}
LA_PAIRE_POKER = {
    "two jokers": 100, "mini royal": 50, "straight flush": 20, "three of a kind": 10, "straight": 3, "flush": 2,
}
BPP_POKER = {"mini royal": 35, "straight flush": 35, "three of a kind": 33, "straight": 10, "flush": 5}
PAIR_TABLES = {
    "2-deck-a": {"three": 20, "any suited": 10, "any": 2},
    "2-deck-b": {"three": 30, "player": 5, "any": 2},
    "shoe-a": {"three suited": 20, "three": 10, "any": 3},
    "shoe-b": {"three suited": 100, "three": 20, "player": 4, "any": 2},
    "shoe-c": {"royal": 100, "three suited": 50, "three": 10, "flush": 3, "any": 2},
    "shoe-d": {"three suited": 50, "three": 25, "player suited": 5, "any suited": 4, "flush": 3, "any": 1},
}
# fmt: on


class CannotCheck(Exception):
    """The file is not a closed round whose seed is revealed."""


class Different(Exception):
    """The log could not have happened."""


class Stopped(Exception):
    """The log has no further card or choice."""


def words(proof):
    """The 32-bit words of a round's stream, for ever."""
    fields = [b"pairhouse/1", proof["game"].encode(), proof["rules_hash"].encode("ascii")]
    fields += [len(proof["client_seeds"]).to_bytes(4, "big"), *(seed.encode() for seed in proof["client_seeds"])]
    fields += [proof["nonce"].to_bytes(8, "big")]
    prefix = b"".join(len(field).to_bytes(4, "big") + field for field in fields)
    counter = 0
    while True:
        message = prefix + (8).to_bytes(4, "big") + counter.to_bytes(8, "big")
        block = hmac.new(bytes.fromhex(proof["server_seed"]), message, hashlib.sha256).digest()
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1


def draw(source, n):
    """A fair number from 0 to n-1: words past the last whole multiple of n do not count."""
    return next(word for word in source if word < 2**32 - 2**32 % n) % n


def shuffled(proof, decks, jokers, places=None, gone=()):
    """The cards in dealing order, as far as the first `places` of them; `gone` are no longer in the shoe."""
    cards = (PACK + JOKERS[:jokers]) * decks
    for card in gone:
        cards.remove(card)
    size, source = len(cards), words(proof)
    last = size if places is None else min(places, size)
    for here in range(min(last, size - 1)):
        there = here + draw(source, size - here)
        cards[here], cards[there] = cards[there], cards[here]
    return cards[:last]


class Table:
    """Cards and choices from the log, stakes taken and paid. Seats count from 0 here."""

    def __init__(self, options, cards, log):
        self.game, self.options, self.meter = log["game"], options, log.get("meter")
        self.cards, self.dealt = cards, 0
        self.choices, self.chosen = log.get("choices", []), 0
        self.seats = log["seats"]
        self.staked = [dict(seat) for seat in self.seats]
        self.paid = [dict.fromkeys(seat, 0) for seat in self.seats]
        self.decided = [dict.fromkeys(seat, 0) for seat in self.seats]

    def card(self):
        if self.dealt == len(self.cards):
            raise Stopped("the round needs more cards than were dealt")
        self.dealt += 1
        return self.cards[self.dealt - 1]

    def choose(self, options):
        if self.chosen == len(self.choices):
            raise Stopped("the choices end before the round does")
        word = self.choices[self.chosen]
        self.chosen += 1
        if word not in options:
            raise Different(f"choice {self.chosen} is {word}, but only {', '.join(options)} was possible")
        return word

    def stake(self, seat, wager, amount):
        self.staked[seat][wager] = self.staked[seat].get(wager, 0) + amount
        self.paid[seat].setdefault(wager, 0)
        self.decided[seat].setdefault(wager, 0)

    def pay(self, seat, wager, stake, wins, per=1):
        """A stake back with winnings of `wins` to `per`; -1 to 1 is a loss."""
        self.paid[seat][wager] += self.part(stake, wins + per, per)
        self.decided[seat][wager] += stake

    def part(self, amount, top, bottom):
        """Part of an amount in whole minor units, by the table's rounding rule."""
        whole, rest = divmod(amount * top, bottom)
        rule = self.options["rounding"]
        if rest and rule == "exact":
            raise Different(f"{amount} x {top}/{bottom} is no whole amount, and the table does not round")
        return whole + (rest > 0 and (rule == "up" or (rule == "nearest" and 2 * rest >= bottom)))

    def settle(self, seat, wager, pays):
        """Settle a wager, if it was placed, at `pays` to 1; None loses, 0 is a push."""
        if wager in self.seats[seat]:
            self.pay(seat, wager, self.seats[seat][wager], -1 if pays is None else pays)


def rank(card):
    """1 for an ace to 13 for a king; 0 for a Joker."""
    return 0 if card in JOKERS else RANKS.index(card[:-1]) + 1


def suit(card):
    return "" if card in JOKERS else card[-1]


def ranks_down(cards):
    """Ranks from the top, the ace high but in 3-2-A."""
    ranks = sorted((rank(card) if rank(card) > 1 else 14 for card in cards), reverse=True)
    return [3, 2, 1] if ranks == [14, 3, 2] else ranks


def kind_of(cards):
    """The name of a three-card hand without Jokers."""
    high, middle, low = ranks_down(cards)
    flush, straight = len(set(map(suit, cards))) == 1, high - 1 == middle == low + 1
    if flush and straight:
        return "mini royal" if high == 14 else "straight flush"
    if high == low:
        return "three of a kind"
    return "straight" if straight else "flush" if flush else "pair" if middle in (high, low) else "high card"


def height(cards):
    """0 for a high card to 5 for a straight flush, the highest one included."""
    return min(KINDS.index(kind_of(cards)), 5)


def strength(cards):
    """Hands compare by kind, then by ranks, those that come in twos first. [TCP-2] to [TCP-5]"""
    ranks = ranks_down(cards)
    return height(cards), sorted(ranks, key=lambda r: (ranks.count(r), r), reverse=True)


def three_card_poker(table):
    """[TCP-14] to [TCP-37]"""
    hands = [[table.card() for _ in range(3)] for _ in table.seats]
    house = strength([table.card() for _ in range(3)])
    playing = []
    for seat, wagers in enumerate(table.seats):
        if table.choose(["play", "fold"]) == "play":
            table.stake(seat, "play", wagers["ante"])
            playing.append(seat)
        else:
            for wager, stake in wagers.items():
                table.pay(seat, wager, stake, -1)
    meter = Meter(table.meter, sum("progressive" in seat for seat in table.seats))
    pairplus = [None, *map(int, reversed(table.options["pairplus"].split("-")))]
    for seat in playing:
        mine, ante = strength(hands[seat]), table.seats[seat]["ante"]
        result = (mine > house) - (mine < house)
        qualifies = house >= (0, [12, 3, 2])
        table.pay(seat, "ante", ante, result if qualifies else 1)
        table.pay(seat, "play", ante, result if qualifies else 0)
        bonus = {5: 5, 4: 4, 3: 1}.get(height(hands[seat]))
        if bonus:
            table.stake(seat, "ante-bonus", 0)
            table.paid[seat]["ante-bonus"] = bonus * ante
        table.settle(seat, "pairplus", pairplus[height(hands[seat])])
        if "progressive" in table.seats[seat]:
            table.paid[seat]["progressive"] = meter.award(kind_of(hands[seat]))


class Meter:
    """The progressive: 20 of each stake of 100 go on it, up to a ceiling; above that to a reserve. [TCP-31] [TCP-32]"""

    seed, ceiling = 200_000, 1_000_000

    def __init__(self, before, stakes):
        self.stand((before or {}).get("amount", self.seed) + 20 * stakes, (before or {}).get("reserve", 0))

    def stand(self, amount, reserve):
        self.amount, self.reserve = min(amount, self.ceiling), reserve + max(0, amount - self.ceiling)

    def award(self, kind):
        """A share of what stands on it, rounded down; the whole of it starts it anew. [TCP-33] to [TCP-36]"""
        paid = self.amount * {"mini royal": 100, "straight flush": 10, "three of a kind": 1}.get(kind, 0) // 100
        self.amount -= paid
        if kind == "mini royal":
            self.stand(self.seed + self.reserve, 0)
        return paid


def points(cards):
    return sum(rank(card) if rank(card) < 10 else 0 for card in cards) % 10


def coup(table):
    """Both hands of one coup. [NSB-14] to [NSB-24]"""
    first = [table.card() for _ in range(4)]
    player, banker = first[0::2], first[1::2]
    if max(points(player), points(banker)) >= 8:
        return player, banker
    total, third = points(banker), None
    if points(player) <= 5:
        player.append(table.card())
        third = points(player[2:])
    drawing = {3: [0, 1, 2, 3, 4, 5, 6, 7, 9], 4: [2, 3, 4, 5, 6, 7], 5: [4, 5, 6, 7], 6: [6, 7]}
    if total <= 2 or (total <= 5 if third is None else third in drawing.get(total, [])):
        banker.append(table.card())
    return player, banker


def nepal_super_baccarat(table):
    """[NSB-25] to [NSB-37]"""
    player, banker = coup(table)
    mine, theirs = points(player), points(banker)
    winner, total = "player" if mine > theirs else "banker" if theirs > mine else "tie", max(mine, theirs)
    six = winner == "banker" and total == 6
    pays = {f"{winner}-on-{total}": TOTALS[winner][total]}
    pays |= {"tie": 8, "player": 0, "banker": 0} if winner == "tie" else {winner: 1}
    if six:
        pays["lucky-6"] = pays["banker-on-6"] = {2: 12, 3: 20}[len(banker)]
    for side, hand in (("player", player), ("banker", banker)):
        if rank(hand[0]) == rank(hand[1]):
            pays[f"{side}-pair"] = 11
    for seat, wagers in enumerate(table.seats):
        for wager, stake in wagers.items():
            wins, per = (1, 2) if six and wager == "banker" else (pays.get(wager, -1), 1)
            table.pay(seat, wager, stake, wins, per)


def la_paire_hand(cards):
    """The poker hand, one Joker standing for the best card that is not in it. [LP-27] [LP-28]"""
    held = [card for card in cards if card not in JOKERS]
    if len(held) == 3:
        return kind_of(cards)
    if len(held) == 1:
        return "two jokers"
    found = {kind_of([*held, card]) for card in PACK if card not in held}
    return next((kind for kind in LA_PAIRE_POKER if kind in found), "pair")


def la_paire(table):
    """[LP-24] to [LP-40]"""
    cards = [table.card() for _ in range(3)]
    first, second = ("joker" if card in JOKERS else card[:-1] for card in cards[:2])
    colour = {"d": "red", "h": "red", "c": "black", "s": "black"}.get(suit(cards[0]))
    for seat, wagers in enumerate(table.seats):
        for wager in wagers:
            kind, *values = wager.split("-")
            pays = LA_PAIRE_POKER.get(la_paire_hand(cards)) if wager == "poker" else None
            if kind in ("card", "split", "three", "corner") and first in values:
                dear = "joker" in values
                pays = {"card": 25 if dear else 12, "split": 5, "three": 4 if dear else 3, "corner": 2}[kind]
            elif kind == "paire" and values == [first] == [second]:
                pays = 1300 if first == "joker" else 225
            elif wager == "any-paire" and first == second:
                pays = 50 if first == "joker" else 16
            elif wager == colour:
                pays = 1
            table.settle(seat, wager, pays)


def value(cards):
    """A blackjack hand's value, an ace counting 11 where that is not too much."""
    total = sum(min(rank(card), 10) for card in cards)
    return total + 10 if total <= 11 and any(rank(card) == 1 for card in cards) else total


def side_bets(game, options, cards):
    """What the side bets pay on the seat's two cards and the up card. [PV3-8] to [PV3-16] [BPP-43] [BPP-44]"""
    one, two, up = cards
    alike, flush = len(set(map(rank, cards))) == 1, len(set(map(suit, cards))) == 1
    if game == "blackjack-poker-pairs":
        red = [suit(card) in "dh" for card in (one, two)]
        pairs = 30 if one == two else 10 if red[0] == red[1] else 5
        poker = 100 if one == two == up else BPP_POKER.get(kind_of(cards))
        return {"pairs": pairs if rank(one) == rank(two) else None, "poker": poker}
    holds = {
        "royal": flush and kind_of(cards) == "mini royal",
        "three suited": one == two == up,
        "three": alike,
        "player suited": one == two,
        "player": rank(one) == rank(two),
        "any suited": len(set(cards)) < 3,
        "any": len(set(map(rank, cards))) < 3,
        "flush": flush,
    }
    rows = PAIR_TABLES[options["paytable"]] if game == "pair-v3" else {}
    return {"pair": next((price for row, price in rows.items() if holds[row]), None)}


class Hand:
    """A blackjack hand: its cards, how many splits made it, its stakes in main bets, and how it ended."""

    def __init__(self, cards, splits=0):
        self.cards, self.splits, self.units, self.end, self.is_paid = cards, splits, 1, "", False
        self.of_aces = splits > 0 and rank(cards[0]) == 1


def open_to(table, hand, hands):
    """The choices open to a hand, none where it stands by itself. [BJ-15] to [BJ-24] [BPP-28] to [BPP-34]"""
    rules, cards = table.options, hand.cards
    choices = [] if hand.of_aces and not rules["hit_split_aces"] else ["hit"]
    if len(cards) == 2:
        lowest = {"any": 0, "9-11": 9, "10-11": 10}[rules["double"]]
        if choices and (lowest == 0 or lowest <= value(cards) <= 11):
            choices += ["double"] if rules["double_after_split"] or not hand.splits else []
        room = hand.splits < 2 if table.game == "blackjack-poker-pairs" else len(hands) < rules["max_hands"]
        if min(rank(cards[0]), 10) == min(rank(cards[1]), 10) and room:
            choices += ["split"] if rules["resplit_aces"] or not hand.of_aces else []
        choices += ["surrender"] if rules["surrender"] == "late" and not hand.splits else []
    return [*choices, "stand"] if choices else []


def pay_hand(table, seat, hand, wins, per=1):
    """Take or pay a hand, once. [BJ-17]"""
    if not hand.is_paid:
        table.pay(seat, "main", table.seats[seat]["main"] * hand.units, wins, per)
    hand.is_paid = True


def play_hand(table, seat, hands, at, may_be_blackjack):
    """One hand to its end; a split puts the other hand to its right, which gets its card when its turn comes."""
    hand, main = hands[at], table.seats[seat]["main"]
    if len(hand.cards) == 1:
        hand.cards.append(table.card())
    while not hand.end:
        if value(hand.cards) > 21:
            hand.end = "bust"
            pay_hand(table, seat, hand, -1)
        elif len(hand.cards) == table.options["charlie"]:
            hand.end = "charlie"
            pay_hand(table, seat, hand, 1)
        elif value(hand.cards) == 21 or hand.units == 2 or not open_to(table, hand, hands):
            hand.end = "stand"
        else:
            choice = table.choose(open_to(table, hand, hands))
            if choice in ("stand", "surrender"):
                hand.end = choice
                if choice == "surrender" and not may_be_blackjack:
                    pay_hand(table, seat, hand, -1, 2)
                continue
            if choice != "hit":
                table.stake(seat, "main", main)
            if choice == "split":
                hands[at : at + 1] = [Hand([card], hand.splits + 1) for card in hand.cards]
                return play_hand(table, seat, hands, at, may_be_blackjack)
            hand.units = 2 if choice == "double" else 1
            hand.cards.append(table.card())
    return None


def blackjack(table):
    """Standard blackjack with whatever side bets the game has. [BJ-7] to [BJ-14] [BPP-21] to [BPP-27] [PV3-17]"""
    rules, seats = table.options, range(len(table.seats))
    first = [table.card() for _ in seats]
    up = table.card()
    deals = [[Hand([card, table.card()])] for card in first]
    dealer = [up, table.card()] if rules["hole_card"] == "peek" else [up]
    for seat in seats:
        for wager, pays in side_bets(table.game, rules, [*deals[seat][0].cards, up]).items():
            table.settle(seat, wager, pays)
    if rank(up) == 1 and rules["insurance"] == "offer":
        offer_insurance(table)
    natural = [value(hands[0].cards) == 21 for hands in deals]
    if len(dealer) == 1 or value(dealer) < 21:
        may_be_blackjack = len(dealer) == 1 and (rank(up) == 1 or rank(up) >= 10)
        if len(dealer) == 2:
            settle_insurance(table, house=False)
        for seat in seats:
            at = len(deals[seat]) if natural[seat] else 0
            if natural[seat] and not may_be_blackjack:
                pay_hand(table, seat, deals[seat][0], *map(int, rules["blackjack_pays"].split(":")))
            while at < len(deals[seat]):
                play_hand(table, seat, deals[seat], at, may_be_blackjack)
                at += 1
        draw_dealer(table, dealer, [hand.end for hands in deals for hand in hands], any(natural))
    settle_blackjack(table, dealer, deals, natural)


def offer_insurance(table):
    """Half the main bet, seat after seat. [BJ-14] [BPP-27]"""
    for seat, bets in enumerate(table.seats):
        if table.choose(["insurance", "no-insurance"]) == "insurance":
            table.stake(seat, "insurance", table.part(bets["main"], 1, 2))


def draw_dealer(table, dealer, ends, natural):
    """The dealer's further cards: none that no bet waits for. [BJ-26] [BJ-27] [BPP-37] [BPP-38]"""
    live = "stand" in ends
    waits = any("insurance" in staked for staked in table.staked)
    waits |= (natural or "surrender" in ends) and (rank(dealer[0]) == 1 or rank(dealer[0]) >= 10)
    if len(dealer) == 1 and (live or waits):
        dealer.append(table.card())
    while live:
        soft = value(dealer) > sum(min(rank(card), 10) for card in dealer)
        if value(dealer) > 17 or (value(dealer) == 17 and not (soft and table.options["soft_17"] == "hit")):
            break
        dealer.append(table.card())


def settle_blackjack(table, dealer, deals, natural):
    """[BJ-10] to [BJ-13] [BJ-28] [BJ-29] [BPP-24] [BPP-26] [BPP-39] to [BPP-41]"""
    house, theirs = len(dealer) == 2 and value(dealer) == 21, value(dealer)
    top, bottom = map(int, table.options["blackjack_pays"].split(":"))
    for seat, hands in enumerate(deals):
        for hand in hands:
            wins, per, mine = -1, 1, value(hand.cards)
            if natural[seat]:
                wins, per = (0, 1) if house else (top, bottom)
            elif hand.end == "charlie":
                wins = 1
            elif hand.end == "surrender" and not house:
                per = 2
            elif hand.end == "stand" and not house:
                wins = 1 if theirs > 21 or mine > theirs else 0 if mine == theirs else -1
            pay_hand(table, seat, hand, wins, per)
    settle_insurance(table, house)


def settle_insurance(table, house):
    """Insurance, once the dealer's two cards are known. [BJ-10] [BPP-24]"""
    for seat, staked in enumerate(table.staked):
        if "insurance" in staked and not table.decided[seat]["insurance"]:
            table.pay(seat, "insurance", staked["insurance"], 2 if house else -1)


def options_of(log):
    """The options of a round, those left out at their defaults. [PV3-2]"""
    given = log.get("options", {})
    options = {"rounding": "exact", **DEFAULTS[log["game"]], **given}
    if log["game"] == "pair-v3" and "decks" not in given and "paytable" in given:
        options["decks"] = 2 if options["paytable"].startswith("2-deck") else 6
    elif log["game"] == "pair-v3" and options["decks"] == 2 and "paytable" not in given:
        options["paytable"] = "2-deck-a"
    return options


def coup_begins(order, first, log, options):
    """Whether a coup of this shoe begins after so many cards: coup by coup from the first one. [NSB-4] [NSB-5]"""
    dealt, last, ended = 0, False, False
    while dealt < first and not ended:
        table = Table(options, order[dealt : dealt + 6], log)
        coup(table)
        dealt += table.dealt
        ended, last = last, len(order) - dealt <= options["cut_card"]
    return dealt == first and not ended


def compare_shoe(shoe, proof, log, options):
    """At a live table: how the cards gone before this coup differ from what the coups before it were dealt.

    Each coup shuffles what the coups before it have left, with seeds of its own. [NSB-4] [NSB-5]
    """
    if log["game"] != "nepal-super-baccarat":
        return "every round of this game is shuffled anew, yet cards are said to be gone"
    if shoe["coup"] != len(shoe["before"]) + 1:
        return f"it is coup {shoe['coup']} of its shoe, and {len(shoe['before'])} coups are said to be before it"
    gone, last, ended = [], False, False
    for number, earlier in enumerate(shoe["before"], 1):
        if ended:
            return f"the shoe ended before coup {number}"
        if hashlib.sha256(bytes.fromhex(earlier["server_seed"])).hexdigest() != earlier["commitment"]:
            return f"the seed of coup {number} is not the one the house committed to"
        seeds = {"server_seed": earlier["server_seed"], "client_seeds": earlier["client_seeds"], "nonce": 0}
        table = Table(options, shuffled({**proof, **seeds}, options["decks"], 0, 6, gone), log)
        coup(table)
        gone += table.cards[: table.dealt]
        ended, last = last, 52 * options["decks"] - len(gone) <= options["cut_card"]
    if ended:
        return f"the shoe ended before coup {shoe['coup']}"
    return "" if gone == shoe["gone"] else "the cards that are gone are not those the coups before have dealt"


def settled(log, options, cards):
    """What every wager of the round comes to: a list of seats, wager -> (stake, returned)."""
    table = Table(options, cards, log)
    games = {"three-card-poker": three_card_poker, "nepal-super-baccarat": nepal_super_baccarat, "la-paire": la_paire}
    try:
        games.get(log["game"], blackjack)(table)
        if table.chosen < len(table.choices):
            raise Different("there are more choices than the round asked for")
        if not log.get("void") and table.dealt != len(cards):
            raise Different(f"the round needs {table.dealt} cards, not {len(cards)}")
    except Stopped as stopped:
        if not log.get("void"):
            raise Different(str(stopped)) from None
        if log["game"] != "blackjack-poker-pairs" and not options.get("progressive"):
            return given_back(table)  # [PV3-18] [BJ-31] [TCP-40]
    if log.get("void"):
        return [{wager: (stake, stake) for wager, stake in staked.items() if stake} for staked in table.staked]
    return [{wager: (staked[wager], paid[wager]) for wager in staked} for staked, paid in zip(table.staked, table.paid)]


def given_back(table):
    """A round that was void before its end: what is not decided goes back, and what is decided stays."""
    seats = zip(table.staked, table.paid, table.decided)
    return [
        {
            wager: (stake, paid[wager] + stake - decided[wager])
            for wager, stake in staked.items()
            if stake or paid[wager]
        }
        for staked, paid, decided in seats
    ]


def compare_wagers(ours, record):
    """The first difference between our settlement and the one on record, or an empty text."""
    seats = record["view"]["wagers"]
    if len(ours) != len(seats):
        return f"{len(ours)} seats were played, {len(seats)} were settled"
    for number, (mine, theirs) in enumerate(zip(ours, seats), 1):
        for wager in sorted({*mine, *theirs}):
            was = (theirs[wager]["stake"], theirs[wager]["returned"]) if wager in theirs else None
            if mine.get(wager) != was:
                return f"seat {number}, {wager}: (stake, returned) was {was}, and should be {mine.get(wager)}"
    for at, total in enumerate(("staked", "returned")):
        should = sum(amounts[at] for seat in ours for amounts in seat.values())
        if record.get(total, should) != should:
            return f"{total} in all was {record[total]}, and should be {should}"
    return ""


def compare_cards(ours, logged):
    if len(ours) != len(logged):
        return f"{len(ours)} cards were used, the log holds {len(logged)}"
    pairs = enumerate(zip(ours, (card.replace("T", "10") for card in logged)), 1)
    return next(
        (f"card {n} is {theirs}, but the seeds deal {mine}" for n, (mine, theirs) in pairs if mine != theirs), ""
    )


def tree_root(leaves):
    """The root of the Merkle tree of RFC 6962 over hashes of leaves."""
    if len(leaves) == 1:
        return leaves[0]
    left = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b"\x01" + tree_root(leaves[:left]) + tree_root(leaves[left:])).digest()


def root_of_path(leaf, place, size, path):
    """The root that a leaf leads to: at each step up, the next hash of the path stands left or right of it."""
    if size == 1:
        if path:
            raise ValueError("the path of a seed is too long")
        return leaf
    left = 1 << (size - 1).bit_length() - 1
    beside = path[-1]
    if place < left:
        pair = root_of_path(leaf, place, left, path[:-1]) + beside
    else:
        pair = beside + root_of_path(leaf, place - left, size - left, path[:-1])
    return hashlib.sha256(b"\x01" + pair).digest()


def compare_seeds(mixed, client_seeds):
    """At a live table: how what was mixed in differs from the seeds that were opened; empty where it does not."""
    seeds = sorted(mixed["seeds"], key=lambda each: each["seat"])
    opened = [each for each in seeds if each["seed"] is not None]
    for each in opened:
        if hashlib.sha256(each["seed"].encode()).hexdigest() != each["commitment"]:
            return f"the seed of seat {each['seat']} is not the one it committed to"
    leaves = [hashlib.sha256(b"\x00" + each["seed"].encode()).digest() for each in opened]
    path = mixed.get("path")
    if len(seeds) == mixed["opened"] + len(mixed["withheld"]):
        left_out = [each["seat"] for each in seeds if each["seed"] is None]
        if left_out != mixed["withheld"] or len(opened) != mixed["opened"]:
            return "the seeds that are left out are not those that were not opened"
        expected = [each["seed"] for each in opened] or ["no seed was opened"]
        if len(opened) > 16:
            expected = [tree_root(leaves).hex()]
    elif len(opened) != 1 or opened[0]["seat"] != mixed.get("seat") or not path or path["leaves"] != mixed["opened"]:
        return "the seeds are not all there, and there is none with a path to what was mixed in"
    elif not 0 <= path["leaf"] < path["leaves"]:
        return "the place of your seed is not among those that were opened"
    else:
        beside = [bytes.fromhex(each) for each in path["path"]]
        expected = [root_of_path(leaves[0], path["leaf"], path["leaves"], beside).hex()]
    return "" if expected == client_seeds else "other seeds were mixed in than were opened"


def verify(record):
    """The checks of a round: triples of a name, what holds, and how it differs (an empty text where it does not)."""
    proof, log = record["proof"], record["log"]
    if proof["scheme"] != "pairhouse/1":
        raise CannotCheck(f"this checks scheme pairhouse/1, not {proof['scheme']}")
    if log is None or record["state"] not in ("settled", "void"):
        raise CannotCheck("the round is not closed yet; verify it once it is settled")
    if proof["server_seed"] is None:
        raise CannotCheck(
            "the server seed is not revealed yet; rotate the seed at the table, then fetch the round again"
        )
    options, first, used = options_of(log), proof["first_card"], proof["cards_used"]
    found = hashlib.sha256(bytes.fromhex(proof["server_seed"])).hexdigest()
    differs = "" if found == proof["commitment"] else f"the server seed hashes to {found}"
    yield "commitment", "the revealed server seed hashes to the commitment shown before the bet", differs
    same = proof["game"] == log["game"] and log.get("rules", proof["rules_hash"]) == proof["rules_hash"]
    same &= (record["state"] == "void") == bool(log.get("void"))
    differs = "" if same else "proof, log and state do not speak of the same game, rules and ending"
    yield "names", "proof, log and state speak of one game, one set of rules and one ending", differs
    if record.get("mixed") is not None:
        left_out = ", ".join(map(str, record["mixed"]["withheld"])) or "nobody"
        says = f"the seeds that were opened, and no others, were mixed in; withheld by: {left_out}"
        yield "seeds", says, compare_seeds(record["mixed"], proof["client_seeds"])
    gone = []
    if record.get("mixed") is not None and record.get("shoe") is not None:
        differs = compare_shoe(record["shoe"], proof, log, options)
        yield "shoe", "the coups before deal the cards that were gone, each from its own seeds", differs
        if differs:
            return
        gone = record["shoe"]["gone"]
    order = shuffled(proof, options["decks"], 2 if log["game"] == "la-paire" else 0, None if first else used, gone)
    in_shoe = not gone and log["game"] == "nepal-super-baccarat" and 0 < first <= len(order) - used
    begins = first == 0 or (in_shoe and coup_begins(order, first, log, options))
    differs = "" if begins else f"no round can begin after {first} cards"
    yield "place", "the round begins where its shuffle, or the coup before it, says", differs
    cards = order[first : first + used]
    yield "cards", "the seeds deal exactly the cards of the log, in that order", compare_cards(cards, log["cards"])
    try:
        differs = compare_wagers(settled(log, options, cards), record)
    except Different as different:
        differs = str(different)
    yield "settlement", "settled by the rule book, every wager comes to what was paid", differs


def main(arguments):
    if len(arguments) != 1:
        print("usage: python pairhouse_verify.py ROUND.json", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            findings = list(verify(json.load(file)))
    except (CannotCheck, OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        kind = "" if isinstance(error, CannotCheck) else f"{type(error).__name__}: "
        print(f"This round cannot be checked: {kind}{error}", file=sys.stderr)
        return 2
    for name, holds, differs in findings:
        print(f"[{'DIFFERENT' if differs else 'ok'}] {name}: {differs or holds}")
    return 1 if any(differs for _, _, differs in findings) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
