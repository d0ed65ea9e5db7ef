"""Closed rounds as the house stores them: dealt by the fairness scheme, played with random legal choices."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from pairhouse.core.cards import PackOrder
from pairhouse.core.errors import Refused
from pairhouse.core.game import Game, Variant
from pairhouse.core.paytable import placed
from pairhouse.core.shoe import Shoe
from pairhouse.games.three_card_poker import METER_CEILING
from pairhouse.machines.events import Replay, bet_record
from pairhouse.machines.replay import replay
from pairhouse.rounds.fairness import Order, WordStream, proof_record
from pairhouse.rounds.round_log import MeterReading, RoundLog, faces

Record = dict[str, Any]


class Seeds:
    """A player's stream at one table: a server seed with nonces that have no gap."""

    def __init__(self, random: Random, client_seeds: Sequence[str] = ("lucky",)) -> None:
        self.server_seed = random.randbytes(32)
        self.client_seeds = list(client_seeds)
        self.nonce = -1

    def next_order(self, variant: Variant) -> Order:
        """The next shuffle of this stream."""
        self.nonce += 1
        stream = WordStream(self.server_seed, variant.game.id, variant.rules_hash, self.client_seeds, self.nonce)
        return Order(stream, *variant.pack)


def closed_round(
    variant: Variant,
    seeds: Seeds,
    cards: PackOrder,
    stakes: list[dict[str, int]],
    random: Random,
    *,
    first_card: int = 0,
    meter: MeterReading | None = None,
    void: str | None = None,
    choices: Sequence[str] | None = None,
) -> Record:
    """Play a round to its end (or, if it is void, for some choices only); its record as the house stores it."""
    made = list(choices or [])
    log = RoundLog(variant.game.id, [], list(stakes), dict(variant.options), [], variant.rules_hash, meter, void)
    before = log.meter_before(variant)
    state = replay(variant, cards, stakes, made, meter=before)
    while state.awaiting is not None and not (void and random.random() < 0.3):
        made.append(random.choice(state.awaiting.options))
        state = replay(variant, cards, stakes, made, meter=before)
    if void is not None:
        state = replay(variant, cards, stakes, made, meter=before, void=void)
    log.choices = made
    log.cards = faces([cards[place] for place in range(state.cards_used)])
    return _record(log, state, seeds, first_card)


def _record(log: RoundLog, state: Replay, seeds: Seeds, first_card: int) -> Record:
    wagers = [{name: bet_record(bet) for name, bet in bets.items()} for bets in state.bets]
    staked = sum(bet["stake"] for bets in wagers for bet in bets.values())
    returned = sum(bet["returned"] or 0 for bets in wagers for bet in bets.values())
    proof = proof_record(
        log.game,
        str(log.rules),
        seeds.server_seed,
        seeds.client_seeds,
        seeds.nonce,
        cards_used=state.cards_used,
        first_card=first_card,
        revealed=True,
    )
    record: Record = msgspec.to_builtins(
        {
            "state": "void" if log.void else "settled",
            "staked": staked,
            "returned": returned,
            "net": returned - staked,
            "view": {"game": log.game, "wagers": wagers},
            "proof": proof,
            "log": log,
        }
    )
    return record


def random_variant(game: Game, random: Random) -> Variant:
    """The game under options drawn at random; half of the time its default ones."""
    if random.random() < 0.5:
        return game.variant()
    options = {option.name: random.choice(option.choices) for option in game.all_options}
    try:
        return game.variant(options)
    except Refused:
        return game.variant({name: value for name, value in options.items() if name not in ("decks", "cut_card")})


def random_stakes(variant: Variant, random: Random) -> list[dict[str, int]]:
    """Wagers for one seat or more, each seat with at least one that opens the game."""
    offered = placed(list(variant.wagers.values()))
    openers = [wager for wager in offered if wager.opens]
    seats = []
    for _ in range(random.randint(1, min(3, variant.game.seats_max))):
        chosen = [random.choice(openers), *random.sample(offered, min(len(offered), random.randint(0, 6)))]
        step = 1 if variant.rounding != "exact" else 0
        seats.append({w.id: w.fixed or random.randint(2, 500) * (step or variant.steps[w.id]) for w in chosen})
    return seats


def random_rounds(game: Game, count: int, random: Random, rotate_after: int = 25) -> list[Record]:
    """So many rounds of a game, with seeds rotated, options changed with them, voids now and then, shoes dealt down."""
    rounds: list[Record] = []
    while len(rounds) < count:
        variant = random_variant(game, random)
        seeds = Seeds(random, [f"player {n} ♠ {random.random()}" for n in range(random.randint(1, 3))])
        until = min(count, len(rounds) + rotate_after)
        shoe: Shoe | None = None
        order = None
        while len(rounds) < until:
            if order is None or shoe is None or shoe.finished or not game.shoe:
                order = seeds.next_order(variant)
                shoe = Shoe(tuple(order), variant.options["cut_card"]) if game.shoe else None
            first = shoe.dealt if shoe else 0
            meter = None
            if game.meter(variant.options) and random.random() < 0.5:
                meter = MeterReading(random.randint(0, METER_CEILING), random.randint(0, 9_999))
            void = random.choice(["misdeal", "malfunction", "cancelled"]) if random.random() < 0.05 else None
            stakes = random_stakes(variant, random)
            record = closed_round(
                variant, seeds, order.after(first), stakes, random, first_card=first, meter=meter, void=void
            )
            rounds.append(record)
            shoe = shoe.after(record["proof"]["cards_used"]) if shoe else None
    return rounds
