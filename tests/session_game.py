"""A small game as somebody would type it at a prompt: one card, high or low, red or black. `TYPED` is its source."""

TYPED = '''
from fractions import Fraction
from typing import NamedTuple
from pairhouse.core.cards import is_red, rank
from pairhouse.core.game import Game
from pairhouse.core.options import Option
from pairhouse.core.paytable import Paytable, Wager, row
from pairhouse.core.rule import rule
from pairhouse.core.verbs import EVERY_SEAT, draw, settle

LOWEST_HIGH = 7

class Rules(NamedTuple):
    cards: int

class Shown(NamedTuple):
    high: int
    red: bool

@rule
def is_high(card):
    """An eight or more."""
    return rank(card) >= LOWEST_HIGH

@rule
def play(table, rules):
    """So many cards; the high ones are counted, and the last one's colour."""
    high = 0
    red = False
    for _ in range(rules.cards):
        card = draw(table, 0)
        high += int(is_high(card))
        red = is_red(card)
    settle(table, EVERY_SEAT, Shown(high, red))

HIGH = Paytable("High", "", (row("all high", 3, lambda shown: shown.high == 2), row("one high", 0, lambda shown: shown.high == 1)))
RED = Paytable("Red", "", (row("red", 1, lambda shown: shown.red),))

GAME = Game(
    id="high-red", name="High and Red", cites="HR", summary="Two cards.", play=play, module=__name__,
    options=(Option("cards", 2, (1, 2), "cards that are dealt"),), seats_max=7, seats_per_player=1, places=("table",),
    rules=lambda options: Rules(options["cards"]),
    wagers=lambda options: (Wager("high", "High", HIGH, Shown, opens=True), Wager("red", "Red", RED, Shown)),
    pack=lambda options: (1, 0),
)
'''

USED = """
from pairhouse.core.cards import pack, parse
from pairhouse.core.tally import Tally
from pairhouse.machines.classes import Classes
from pairhouse.machines.count import count
from pairhouse.machines.enumerate import enumerate_rounds
from pairhouse.machines.replay import replay
from pairhouse.machines.simulate.interpreted import plain_block
from pairhouse.machines.simulate.score import side_by_side
from pairhouse.machines.simulate.simulation import Simulation
from pairhouse.machines.stories import unpack

def answers():
    variant = GAME.variant()
    settled = replay(variant, parse(["9h", "Kd"]), [{"high": 100, "red": 50}]).net(1)
    ways = count(play, variant.rules, (Shown,), pack(1), Classes(draws=2))
    tally = Tally({unpack(story, (Shown,)): Fraction(n) for story, n in ways.items()})
    exact = enumerate_rounds(play, variant.rules, parse("2c 9h Kd 10s 3h".split())).expectation(variant.wagers["high"])
    simulation = Simulation(variant, side_by_side((Shown,)), draws=2)
    sampled = simulation.block(3, 0, 5000)
    same = (sampled == plain_block(simulation, 3, 0, 5000)).all()
    return variant.rules_hash, settled, tally.expectation(variant.wagers["high"]), exact, bool(same), sampled.tolist()

"""
