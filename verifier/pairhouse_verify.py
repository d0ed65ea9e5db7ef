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
DEFAULTS = {
    "three-card-poker": {"decks": 1, "pairplus": "40-30-6-3-1", "progressive": False},
    "nepal-super-baccarat": {"decks": 8, "cut_card": 14},
    "la-paire": {"decks": 1},
    "blackjack": {
        "decks": 6, "soft_17": "stand", "double": "any", "double_after_split": True, "max_hands": 4,
        "resplit_aces": False, "hit_split_aces": False, "surrender": "none", "blackjack_pays": "3:2",
        "hole_card": "peek", "charlie": 0, "insurance": "offer",
    },
}  # fmt: skip
DEFAULTS["pair-v3"] = {**DEFAULTS["blackjack"], "paytable": "shoe-a"}
DEFAULTS["blackjack-poker-pairs"] = {**DEFAULTS["blackjack"], "decks": 8, "charlie": 8}


class CannotCheck(Exception):
    """The file is not a closed round whose seed is revealed."""


class Different(Exception):
    """The log could not have happened."""


class Stopped(Exception):
    """The log has no further card or choice."""


# The shuffle.


def field(content):
    return len(content).to_bytes(4, "big") + content


def words(proof):
    """The 32-bit words of a round's stream, for ever."""
    fields = [b"pairhouse/1", proof["game"].encode(), proof["rules_hash"].encode("ascii")]
    fields += [len(proof["client_seeds"]).to_bytes(4, "big"), *(seed.encode() for seed in proof["client_seeds"])]
    prefix = b"".join(field(content) for content in [*fields, proof["nonce"].to_bytes(8, "big")])
    counter = 0
    while True:
        message = prefix + field(counter.to_bytes(8, "big"))
        block = hmac.new(bytes.fromhex(proof["server_seed"]), message, hashlib.sha256).digest()
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1


def draw(source, n):
    """A fair number from 0 to n-1: words past the last whole multiple of n do not count."""
    word = next(source)
    while word >= 2**32 - 2**32 % n:
        word = next(source)
    return word % n


def shuffled(proof, decks, jokers, places=None):
    """The cards in dealing order, as far as the first `places` of them."""
    cards = (PACK + JOKERS[:jokers]) * decks
    size, source = len(cards), words(proof)
    last = size if places is None else min(places, size)
    for here in range(min(last, size - 1)):
        there = here + draw(source, size - here)
        cards[here], cards[there] = cards[there], cards[here]
    return cards[:last]


# The table: cards and choices from the log, stakes taken and paid.


class Table:
    def __init__(self, game, options, cards, log):
        self.game, self.options, self.log = game, options, log
        self.cards, self.dealt = cards, 0
        self.choices, self.chosen = log.get("choices", []), 0
        self.seats = log["seats"]
        self.staked = [dict(seat) for seat in self.seats]
        self.paid = [dict.fromkeys(seat, 0) for seat in self.seats]

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

    def pay(self, seat, wager, stake, wins, per=1):
        """A stake back with winnings of `wins` to `per`; -1 to 1 is a loss."""
        self.paid[seat][wager] = self.paid[seat].get(wager, 0) + self.share(stake, wins + per, per)

    def share(self, amount, top, bottom):
        """Part of an amount in whole minor units, by the table's rounding rule."""
        whole, rest = divmod(amount * top, bottom)
        rule = self.options["rounding"]
        if rest and rule == "exact":
            raise Different(f"{amount} x {top}/{bottom} is no whole amount, and the table does not round")
        return whole + (rest > 0 and (rule == "up" or (rule == "nearest" and 2 * rest >= bottom)))

    def side_bet(self, seat, wager, pays):
        """Settle a placed wager at `pays` to 1; None loses, 0 is a push."""
        if wager in self.seats[seat]:
            self.pay(seat, wager, self.seats[seat][wager], -1 if pays is None else pays)


def rank(card):
    """1 for an ace to 13 for a king; 0 for a Joker."""
    return 0 if card in JOKERS else RANKS.index(card[:-1]) + 1


def suit(card):
    return "" if card in JOKERS else card[-1]


def shape(cards):
    """What three cards are: ranks from the top with the ace high, whether they are consecutive, of one suit, alike."""
    ranks = sorted(((14 if rank(card) == 1 else rank(card)) for card in cards), reverse=True)
    if ranks == [14, 3, 2]:
        ranks = [3, 2, 1]
    consecutive = ranks[0] - 1 == ranks[1] == ranks[2] + 1
    return ranks, consecutive, len({suit(card) for card in cards}) == 1, len(set(ranks))


def poker_kind(cards):
    """The name of a three-card hand, without Jokers."""
    ranks, consecutive, flush, different = shape(cards)
    if consecutive and flush:
        return "mini royal" if ranks[0] == 14 else "straight flush"
    if different == 1:
        return "three of a kind"
    if consecutive or flush:
        return "straight" if consecutive else "flush"
    return "pair" if different == 2 else "high card"


# Three Card Poker [TCP].

ORDER = ["high card", "pair", "flush", "straight", "three of a kind", "straight flush", "mini royal"]


def strength(cards):
    """Hands compare by kind, then by ranks, those that come in twos and threes first."""
    ranks = shape(cards)[0]
    kind = min(ORDER.index(poker_kind(cards)), 5)
    return kind, sorted(ranks, key=lambda r: (ranks.count(r), r), reverse=True)


def three_card_poker(table):
    hands = [[table.card() for _ in range(3)] for _ in table.seats]
    dealer = [table.card() for _ in range(3)]
    meter = Meter(table.log.get("meter"), [100 for seat in table.seats if "progressive" in seat])
    playing = []
    for seat, wagers in enumerate(table.seats):
        if table.choose(["play", "fold"]) == "play":
            table.stake(seat, "play", wagers["ante"])
            playing.append(seat)
    qualifies = strength(dealer) >= (0, [12, 3, 2])
    pairplus = [int(price) for price in table.options["pairplus"].split("-")]
    for seat in playing:
        mine, kind, ante = strength(hands[seat]), poker_kind(hands[seat]), table.seats[seat]["ante"]
        result = 0 if mine == strength(dealer) else 1 if mine > strength(dealer) else -1
        table.pay(seat, "ante", ante, result if qualifies else 1)
        table.pay(seat, "play", ante, result if qualifies else 0)
        height = min(ORDER.index(kind), 5)
        bonus = {5: 5, 4: 4, 3: 1}.get(height)
        if bonus:
            table.stake(seat, "ante-bonus", 0)
            table.paid[seat]["ante-bonus"] = bonus * ante
        table.side_bet(seat, "pairplus", pairplus[5 - height] if height else None)
        if "progressive" in table.seats[seat]:
            table.paid[seat]["progressive"] = meter.award(kind)


class Meter:
    """The example progressive: a fifth of each stake goes on it, up to a ceiling; above that to a reserve."""

    SEED, CEILING = 1_000_000, 5_000_000
    SHARES = {"mini royal": 100, "straight flush": 10, "three of a kind": 1}

    def __init__(self, before, stakes):
        self.amount = before["amount"] if before else self.SEED
        self.reserve = before.get("reserve", 0) if before else 0
        for stake in stakes:
            over = max(0, self.amount + stake // 5 - self.CEILING)
            self.amount, self.reserve = self.amount + stake // 5 - over, self.reserve + over

    def award(self, kind):
        paid = self.amount * self.SHARES.get(kind, 0) // 100
        self.amount -= paid
        if kind == "mini royal":
            full = self.SEED + self.reserve
            self.amount, self.reserve = min(full, self.CEILING), max(0, full - self.CEILING)
        return paid


# Nepal Super Baccarat [NSB].


def points(cards):
    return sum(rank(card) if rank(card) < 10 else 0 for card in cards) % 10


def coup(table):
    """Both hands of one coup."""
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
    player, banker = coup(table)
    mine, theirs = points(player), points(banker)
    winner = "player" if mine > theirs else "banker" if theirs > mine else "tie"
    six = {2: 12, 3: 20}[len(banker)]
    totals = {
        "player": dict(zip(range(1, 10), [160, 90, 60, 45, 30, 11, 9, 6, 6])),
        "banker": dict(zip(range(1, 10), [160, 90, 60, 25, 17, six, 9, 7, 6])),
        "tie": dict(zip(range(10), [140, 200, 200, 170, 110, 100, 40, 40, 70, 70])),
    }
    pays = {f"{winner}-on-{max(mine, theirs)}": totals[winner][max(mine, theirs)]}
    pays |= {"tie": 8, "player": 0, "banker": 0} if winner == "tie" else {winner: 1}
    if winner == "banker" and theirs == 6:
        pays["lucky-6"] = six
    for side, hand in (("player", player), ("banker", banker)):
        if rank(hand[0]) == rank(hand[1]):
            pays[f"{side}-pair"] = 11
    for seat, wagers in enumerate(table.seats):
        for wager, stake in wagers.items():
            half = wager == "banker" and winner == "banker" and theirs == 6
            table.pay(seat, wager, stake, *((1, 2) if half else (pays.get(wager, -1), 1)))


# La Pair'e [LP].


def la_paire(table):
    cards = [table.card() for _ in range(3)]
    first, second = ("joker" if card in JOKERS else card[:-1] for card in cards[:2])
    jokers = [card for card in cards if card in JOKERS]
    hand = "two jokers" if len(jokers) == 2 else poker_kind(cards) if not jokers else best_with_joker(cards)
    poker = {"two jokers": 100, "mini royal": 50, "straight flush": 20, "three of a kind": 10, "straight": 3, "flush": 2}
    for seat, wagers in enumerate(table.seats):
        for wager in wagers:
            kind, *values = wager.split("-")
            pays = None
            if kind in ("card", "split", "three", "corner") and first in values:
                dear = "joker" in values
                pays = {"card": 25 if dear else 12, "split": 5, "three": 4 if dear else 3, "corner": 2}[kind]
            elif kind == "paire" and values == [first] == [second]:
                pays = 1300 if first == "joker" else 225
            elif wager == "any-paire" and first == second:
                pays = 50 if first == "joker" else 16
            elif wager == "poker":
                pays = poker.get(hand)
            elif (wager == "red" and suit(cards[0]) in "dh") or (wager == "black" and suit(cards[0]) in "cs"):
                pays = 1 if suit(cards[0]) else None
            table.side_bet(seat, wager, pays)


def best_with_joker(cards):
    """One Joker stands for the best card that is not in the hand."""
    held = [card for card in cards if card not in JOKERS]
    kinds = [poker_kind([*held, card]) for card in PACK if card not in held]
    return next(kind for kind in ("mini royal", "straight flush", "three of a kind", "straight", "flush", "") if kind in kinds or not kind)


# Blackjack [BJ], with the side bets of PAIR Version 3 [PV3] and Blackjack Poker & Pairs [BPP].


def value(cards):
    """A hand's value, an ace counting 11 where that is not too much."""
    total = sum(min(rank(card), 10) for card in cards)
    return total + 10 if total <= 11 and any(rank(card) == 1 for card in cards) else total


def is_soft(cards):
    return value(cards) != sum(min(rank(card), 10) for card in cards)


def pair_v3(cards, paytable):
    """What PAIR pays on the seat's two cards and the up card; None loses."""
    mine, pairs = cards[:2], [(cards[a], cards[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    holds = {
        "royal": sorted(map(rank, cards)) == [1, 12, 13] and len(set(map(suit, cards))) == 1,
        "three suited": len(set(cards)) == 1,
        "three": len(set(map(rank, cards))) == 1,
        "player suited": mine[0] == mine[1],
        "player": rank(mine[0]) == rank(mine[1]),
        "any suited": any(a == b for a, b in pairs),
        "any": any(rank(a) == rank(b) for a, b in pairs),
        "flush": len(set(map(suit, cards))) == 1,
    }
    tables = {
        "2-deck-a": {"three": 20, "any suited": 10, "any": 2},
        "2-deck-b": {"three": 30, "player": 5, "any": 2},
        "shoe-a": {"three suited": 20, "three": 10, "any": 3},
        "shoe-b": {"three suited": 100, "three": 20, "player": 4, "any": 2},
        "shoe-c": {"royal": 100, "three suited": 50, "three": 10, "flush": 3, "any": 2},
        "shoe-d": {"three suited": 50, "three": 25, "player suited": 5, "any suited": 4, "flush": 3, "any": 1},
    }
    return next((price for row, price in tables[paytable].items() if holds[row]), None)


def bpp_sides(cards):
    """What Pairs and Poker pay; None loses."""
    pairs = None
    if rank(cards[0]) == rank(cards[1]):
        red = [suit(card) in "dh" for card in cards[:2]]
        pairs = 30 if cards[0] == cards[1] else 10 if red[0] == red[1] else 5
    prices = {"mini royal": 35, "straight flush": 35, "three of a kind": 33, "straight": 10, "flush": 5}
    return pairs, 100 if len(set(cards)) == 1 else prices.get(poker_kind(cards))


class Hand:
    def __init__(self, cards, splits=0):
        self.cards, self.splits, self.units, self.end = cards, splits, 1, ""
        self.of_aces = splits > 0 and rank(cards[0]) == 1


def may(table, hand, hands):
    """The choices open to a hand."""
    rules, cards, bpp = table.options, hand.cards, table.game == "blackjack-poker-pairs"
    choices = [] if hand.of_aces and not rules["hit_split_aces"] else ["hit"]
    if len(cards) == 2:
        low = {"any": 0, "9-11": 9, "10-11": 10}[rules["double"]]
        allowed = not hand.splits or rules["double_after_split"]
        if choices and allowed and (low == 0 or low <= value(cards) <= 11):
            choices.append("double")
        room = hand.splits < 2 if bpp else len(hands) < rules["max_hands"]
        same = min(rank(cards[0]), 10) == min(rank(cards[1]), 10)
        if same and room and (not hand.of_aces or rules["resplit_aces"]):
            choices.append("split")
        if rules["surrender"] == "late" and not hand.splits:
            choices.append("surrender")
    return [*choices, "stand"] if choices else []


def play_hand(table, seat, hands, at):
    """One hand to its end; a split puts the other hand to its right."""
    hand, main = hands[at], table.seats[seat]["main"]
    if len(hand.cards) == 1:
        hand.cards.append(table.card())
    while not hand.end:
        if value(hand.cards) > 21:
            hand.end = "bust"
        elif len(hand.cards) == table.options["charlie"]:
            hand.end = "charlie"
        elif value(hand.cards) == 21 or hand.units == 2 or not may(table, hand, hands):
            hand.end = "stand"
        else:
            choice = table.choose(may(table, hand, hands))
            if choice in ("stand", "surrender"):
                hand.end = choice
            elif choice == "split":
                table.stake(seat, "main", main)
                kept, moved = hand.cards
                hands[at : at + 1] = [Hand([kept], hand.splits + 1), Hand([moved], hand.splits + 1)]
                return play_hand(table, seat, hands, at)
            else:
                if choice == "double":
                    table.stake(seat, "main", main)
                    hand.units = 2
                hand.cards.append(table.card())
    return None


def blackjack(table):
    rules, seats = table.options, range(len(table.seats))
    first = [table.card() for _ in seats]
    up = table.card()
    deals = [[Hand([card, table.card()])] for card in first]
    dealer = [up, table.card()] if rules["hole_card"] == "peek" else [up]
    for seat in seats:
        cards = [*deals[seat][0].cards, up]
        if table.game == "pair-v3":
            table.side_bet(seat, "pair", pair_v3(cards, rules["paytable"]))
        elif table.game == "blackjack-poker-pairs":
            for wager, pays in zip(("pairs", "poker"), bpp_sides(cards)):
                table.side_bet(seat, wager, pays)
    if rank(up) == 1 and rules["insurance"] == "offer":
        for seat in seats:
            if table.choose(["insurance", "no-insurance"]) == "insurance":
                table.stake(seat, "insurance", table.share(table.seats[seat]["main"], 1, 2))
    hands = [hand for deal in deals for hand in deal]
    natural = [value(hand.cards) == 21 for hand in hands]
    if not (len(dealer) == 2 and value(dealer) == 21):
        for seat in seats:
            at = 0
            while not natural[seat] and at < len(deals[seat]):
                play_hand(table, seat, deals[seat], at)
                at += 1
        finish_dealer(table, dealer, deals, natural)
    settle_blackjack(table, dealer, deals, natural)


def finish_dealer(table, dealer, deals, natural):
    """The dealer's further cards: none that no bet waits for."""
    rules = table.options
    live = any(hand.end == "stand" for deal in deals for hand in deal)
    waits = any("insurance" in staked for staked in table.staked)
    surrendered = any(hand.end == "surrender" for deal in deals for hand in deal)
    waits |= (any(natural) or surrendered) and rank(dealer[0]) in (1, 10, 11, 12, 13)
    if len(dealer) == 1 and (live or waits):
        dealer.append(table.card())
    while live and (value(dealer) < 17 or (value(dealer) == 17 and is_soft(dealer) and rules["soft_17"] == "hit")):
        dealer.append(table.card())


def settle_blackjack(table, dealer, deals, natural):
    house = len(dealer) == 2 and value(dealer) == 21
    top, bottom = (int(number) for number in table.options["blackjack_pays"].split(":"))
    for seat, hands in enumerate(deals):
        main = table.seats[seat]["main"]
        for hand in hands:
            wins, per = -1, 1
            if natural[seat]:
                wins, per = (0, 1) if house else (top, bottom)
            elif hand.end == "charlie":
                wins = 1
            elif hand.end == "surrender" and not house:
                per = 2
            elif hand.end == "stand" and not house:
                mine, theirs = value(hand.cards), value(dealer)
                wins = 1 if theirs > 21 or mine > theirs else 0 if mine == theirs else -1
            table.pay(seat, "main", main * hand.units, wins, per)
        if "insurance" in table.staked[seat]:
            table.pay(seat, "insurance", table.staked[seat]["insurance"], 2 if house else -1)


# The checks.

GAMES = {
    "three-card-poker": three_card_poker,
    "nepal-super-baccarat": nepal_super_baccarat,
    "la-paire": la_paire,
    "blackjack": blackjack,
    "pair-v3": blackjack,
    "blackjack-poker-pairs": blackjack,
}


def options_of(log):
    """The options of a round, those left out at their defaults."""
    given = log.get("options", {})
    options = {"rounding": "exact", **DEFAULTS[log["game"]], **given}
    if log["game"] == "pair-v3" and ("decks" in given) != ("paytable" in given):
        if options["paytable"].startswith("2-deck"):
            options["decks"] = 2
        elif options["decks"] == 2:
            options["paytable"] = "2-deck-a"
    return options


def coup_begins(order, first, options):
    """Whether a coup of this shoe begins after so many cards: coup by coup from the first card to the cut card."""
    dealt, last, ended = 0, False, False
    while dealt < first and not ended:
        table = Table("nepal-super-baccarat", options, order[dealt:], {"seats": []})
        coup(table)
        dealt += table.dealt
        ended, last = last, len(order) - dealt <= options["cut_card"]
    return dealt == first and not ended


def settle(log, options, cards):
    """What every wager of the round comes to: a list of seats, wager -> (stake, returned)."""
    table = Table(log["game"], options, cards, log)
    try:
        GAMES[log["game"]](table)
        if table.chosen < len(table.choices):
            raise Different("there are more choices than the round asked for")
        if not log.get("void") and table.dealt != len(cards):
            raise Different(f"the round needs {table.dealt} cards, not {len(cards)}")
    except Stopped as stopped:
        if not log.get("void"):
            raise Different(str(stopped)) from None
    if log.get("void"):
        return [{wager: (stake, stake) for wager, stake in staked.items() if stake} for staked in table.staked]
    return [{wager: (staked[wager], paid[wager]) for wager in staked} for staked, paid in zip(table.staked, table.paid)]


def settlement_differs(ours, record):
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
    pairs = zip(ours, (card.replace("T", "10") for card in logged))
    return next((f"card {n} is {b}, but the seeds deal {a}" for n, (a, b) in enumerate(pairs, 1) if a != b), "")


def verify(record):
    """The checks of one round, as (name, difference or empty text) in order. Raises CannotCheck where none is possible."""
    proof, log = record["proof"], record["log"]
    if proof["scheme"] != "pairhouse/1":
        raise CannotCheck(f"this checks scheme pairhouse/1, not {proof['scheme']}")
    if log is None or record["state"] not in ("settled", "void"):
        raise CannotCheck("the round is not closed yet; verify it once it is settled")
    if proof["server_seed"] is None:
        raise CannotCheck("the server seed is not revealed yet; rotate the seed at the table, then fetch the round again")
    options, first, used = options_of(log), proof["first_card"], proof["cards_used"]
    seed_hash = hashlib.sha256(bytes.fromhex(proof["server_seed"])).hexdigest()
    yield "commitment", "" if seed_hash == proof["commitment"] else f"the server seed hashes to {seed_hash}"
    same = proof["game"] == log["game"] and log.get("rules", proof["rules_hash"]) == proof["rules_hash"]
    same &= (record["state"] == "void") == bool(log.get("void"))
    yield "names", "" if same else "proof, log and state do not speak of the same game, rules and ending"
    shoe = log["game"] == "nepal-super-baccarat"
    order = shuffled(proof, options["decks"], 2 * (log["game"] == "la-paire"), None if first else used)
    fits = first == 0 or (shoe and first + used <= len(order) and coup_begins(order, first, options))
    yield "place", "" if fits else f"no round can begin after {first} cards"
    yield "cards", compare_cards(order[first : first + used], log["cards"])
    try:
        yield "settlement", settlement_differs(settle(log, options, order[first : first + used]), record)
    except Different as different:
        yield "settlement", str(different)


SAYS = {
    "commitment": "the revealed server seed hashes to the commitment shown before the bet",
    "names": "proof, log and state speak of one game, one set of rules and one ending",
    "place": "the round begins where its shuffle, or the coup before it, says",
    "cards": "the seeds deal exactly the cards of the log, in that order",
    "settlement": "settled by the rule book, every wager comes to what was paid",
}


def main(arguments):
    if len(arguments) != 1:
        sys.stderr.write("usage: python pairhouse_verify.py ROUND.json\n")
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            findings = list(verify(json.load(file)))
    except (CannotCheck, OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        kind = "" if isinstance(error, CannotCheck) else f"{type(error).__name__}: "
        sys.stderr.write(f"This round cannot be checked: {kind}{error}\n")
        return 2
    for name, difference in findings:
        print(f"[{'DIFFERENT' if difference else 'ok'}] {name}: {difference or SAYS[name]}")
    return 1 if any(difference for _, difference in findings) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
