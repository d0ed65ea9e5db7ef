"""For game designers: a game written in the session itself is played, enumerated exactly and settled."""

# %% The rules: one function in the words of the table, which says what happened.
from typing import NamedTuple

import pairhouse as ph
from pairhouse.kit import (
    EVERY_SEAT,
    Game,
    Option,
    Paytable,
    Table,
    Wager,
    draw,
    enumerate_rounds,
    rank,
    row,
    rule,
    settle,
)

TIE, DRAGON, TIGER = 0, 1, 2


class Duel(NamedTuple):
    """Who holds the higher card."""

    winner: int


@rule
def play(table: Table, rules: tuple[int, ...]) -> None:
    """One card to the Dragon, one to the Tiger; the higher wins, aces low."""
    dragon, tiger = rank(draw(table, 0)), rank(draw(table, 1))
    settle(table, EVERY_SEAT, Duel(TIE if dragon == tiger else DRAGON if dragon > tiger else TIGER))


# %% The wagers: ordered rows over what happened; the first that holds is paid.
def pays(side: int) -> Paytable:
    return Paytable("even money", "", (row("win", 1, lambda duel: duel.winner == side),))


WAGERS = (
    Wager("dragon", "Dragon", pays(DRAGON), Duel, opens=True),
    Wager("tiger", "Tiger", pays(TIGER), Duel, opens=True),
    Wager("tie", "Tie", Paytable("tie", "", (row("tie", 11, lambda duel: duel.winner == TIE),)), Duel, opens=True),
)
DUEL = Game(
    id="duel",
    name="Duel",
    cites="DUEL",
    summary="One card each, the higher wins.",
    play=play,
    module=__name__,
    options=(Option("decks", 1, (1, 2, 6, 8), "decks in the pack"),),
    seats_max=7,
    seats_per_player=1,
    places=("Dragon", "Tiger"),
    rules=lambda _options: (),
    wagers=lambda _options: WAGERS,
    pack=lambda options: (options["decks"], 0),
)

# %% It is a game like any other: deal it, settle it.
duel = ph.game(DUEL)
print(duel)
print(duel.deal(dragon=100, tie=100, seed=3))
assert duel.settle("Kh 2c", seats=[{"dragon": 100}]).net == 100

# %% Its exact prices, by walking every deal of one deck.
tally = enumerate_rounds(play, (), range(52))
for wager in WAGERS:
    print(wager.name, tally.expectation(wager))
