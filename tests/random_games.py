"""Small games of sums, made at random: so many cards, so many choices, and what is left over decides."""

from collections.abc import Callable
from typing import NamedTuple

from pairhouse.core.cards import rank
from pairhouse.core.game import Action, Game
from pairhouse.core.options import Option
from pairhouse.core.paytable import Paytable, Wager, row
from pairhouse.core.rule import rule
from pairhouse.core.verbs import Table, choose, draw, draw_private, settle, spot

STOP, GO = 1, 2


class Rules(NamedTuple):
    """A game of sums: so many cards at first, so many rounds of choices, and what is counted."""

    cards: int
    choices: int
    modulus: int
    forgets: int


class Ended(NamedTuple):
    rest: int
    taken: int


@rule
def play(table: Table, rules: Rules) -> None:
    """Cards are added up; a seat takes more or stops. What is left over after division decides."""
    place, total, taken = spot(1, 0), 0, 0
    for _ in range(rules.cards):
        total += rank(draw_private(table, place)) + 1
    for turn in range(rules.choices):
        if choose(table, place, STOP | GO, (total // rules.forgets) * 8 + turn) == STOP:
            break
        total += rank(draw(table, 0)) + 1
        taken += 1
    settle(table, place, Ended(total % rules.modulus, taken))


def leaves(rest: int) -> Callable[[Ended], bool]:
    return lambda ended: ended.rest == rest


def game_of(rules: Rules, prices: list[int]) -> Game:
    rows = tuple(row(f"rest {rest}", pays, leaves(rest)) for rest, pays in enumerate(prices))
    more = Paytable("More", "", (row("rest 0", 1, lambda e: e.rest == 0),))
    return Game(
        id="sums", name="Sums", cites="S", summary="Sums.", play=play, module=__name__,
        options=(Option("decks", 1, (1,), "one deck"),), seats_max=1, seats_per_player=1, places=("layout",),
        rules=lambda _options: rules, pack=lambda _options: (1, 0),
        wagers=lambda _options: (
            Wager("sum", "Sum", Paytable("Sum", "", rows), Ended, opens=True),
            Wager("more", "More", more, Ended, base="sum", times=lambda e: e.taken),
        ),
        actions=(Action("stop", "s"), Action("go", "g", wager="more", base="sum")),
    )  # fmt: skip
