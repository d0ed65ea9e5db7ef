"""The solver's distribution against rounds really played: the rule book, random cards, the solver's own play."""

import random
from collections import Counter
from typing import Any

import pytest

from pairhouse.analysis.blackjack.solution_records import solution
from pairhouse.analysis.blackjack.spread import Spread
from pairhouse.analysis.blackjack.strategy import CompositionPlay
from pairhouse.core.cards import rank
from pairhouse.core.tally import net_of
from pairhouse.core.verbs import FELT_ROWS, PLACES
from pairhouse.games.catalogue import find

ROUNDS = 60_000


class DealtTable:
    """A table that draws without replacement from a fresh shoe and plays by a strategy."""

    def __init__(self, picks: random.Random, decks: int, strategy: CompositionPlay) -> None:
        self.picks, self.decks, self.strategy = picks, decks, strategy
        self.rows = [[0] * PLACES for _ in range(FELT_ROWS)]
        self.gone: set[int] = set()
        self.happened: list[Any] = []

    def begin(self) -> None:
        self.gone, self.happened = set(), []

    def seats(self) -> int:
        return 1

    def felt(self, row: int) -> list[int]:
        return self.rows[row]

    def draw(self, place: int) -> int:
        card = self.picks.randrange(52 * self.decks)
        while card in self.gone:
            card = self.picks.randrange(52 * self.decks)
        self.gone.add(card)
        return card % 52

    draw_down = draw

    def turn_up(self, place: int, hidden: int) -> int:
        return hidden

    def peek(self, place: int, hidden: int, lowest: int, highest: int) -> bool:
        return lowest <= rank(hidden) <= highest

    def choose(self, place: int, legal: int, situation: int) -> int:
        return self.strategy(legal, situation)

    def settle(self, place: int, happened: Any) -> None:
        self.happened.append(happened)

    def split(self, place: int) -> None: ...
    def say(self, place: int, phrase: int, first: int, second: int) -> None: ...


@pytest.mark.parametrize(("game", "decks"), [("blackjack-poker-pairs", 8), ("blackjack", 1)])
def test_rounds_really_played_have_the_solvers_distribution(game: str, decks: int) -> None:
    """Chi-square over every net result, rare ones together, at one in a million."""
    variant = find(game).variant({"decks": decks})
    solved = solution(variant)
    table = DealtTable(random.Random(f"dealt {game}"), decks, CompositionPlay(solved))
    main = variant.wagers["main"]
    found: Counter[float] = Counter()
    for _ in range(ROUNDS):
        table.begin()
        variant.game.play(table, variant.rules)  # type: ignore[arg-type]
        found[float(sum(net_of(main, happened) for happened in table.happened))] += 1
    expected = {net: chance * ROUNDS for net, chance in Spread(solved).chances.items()}
    often = [net for net, number in expected.items() if number >= 20]
    rest = ROUNDS - sum(found[net] for net in often), ROUNDS - sum(expected[net] for net in often)
    chi = sum((found[net] - expected[net]) ** 2 / expected[net] for net in often) + (rest[0] - rest[1]) ** 2 / rest[1]
    assert len(often) >= 9
    assert chi < 60  # about eleven degrees of freedom
