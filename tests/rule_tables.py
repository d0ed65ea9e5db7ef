"""Rule tests as text tables: `rule | cards | wagers | choices | result`, one line a round.

- wagers: `main 100 pairs 50`, seats separated by `/`.
- choices: words in the order asked.
- result: `main 250 blackjack; pairs 0 no win`, what each wager returned and the row it was paid by, seats separated by
  `/`; or `awaits 1.2 stand hit` (seat 1, hand 2, and what is offered); or `refused illegal-choice` (the code).
- a column `options` (`decks=2 paytable=2-deck-a`) may stand anywhere; empty means the defaults of the table.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from pairhouse.core.cards import parse
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find
from pairhouse.machines.events import Replay
from pairhouse.machines.replay import replay
from pairhouse.rounds.rulebook import numbered_rules, read_book


@dataclass(frozen=True)
class Case:
    game: str
    rule: str
    cards: str
    wagers: str
    choices: str
    result: str
    options: str = ""

    def play(self) -> Replay:
        options = dict(option.split("=", 1) for option in self.options.split())
        seats = [stakes(seat) for seat in self.wagers.split("/")]
        return replay(find(self.game).variant(options), parse(self.cards.split()), seats, self.choices.split())


def stakes(text: str) -> dict[str, int]:
    words = text.split()
    return {name: int(stake) for name, stake in zip(words[::2], words[1::2], strict=True)}


def table(game: str, text: str) -> pytest.MarkDecorator:
    """Parametrize a test with the rounds of a table; use as `@table("la-paire", \"\"\"...\"\"\")`."""
    lines = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines() if line.strip()]
    header, *rows = lines
    cases = [Case(game=game, **dict(zip(header, row, strict=True))) for row in rows]
    names = [f"{case.rule}: {case.cards} {case.choices}".strip() for case in cases]
    return pytest.mark.parametrize("case", cases, ids=names)


def outcome(case: Case) -> str:
    """What came of a round, written as the result column writes it."""
    try:
        done = case.play()
    except Refused as refused:
        return f"refused {refused.code}"
    if done.awaiting is not None:
        return f"awaits {done.awaiting.seat}.{done.awaiting.hand} {' '.join(done.awaiting.options)}"
    return " / ".join(seat_text(bets) for bets in done.bets)


def seat_text(bets: dict[str, Any]) -> str:
    return "; ".join(f"{name} {bet.returned} {bet.row}" for name, bet in bets.items())


def check(case: Case) -> None:
    assert outcome(case) == case.result


def rule_text(book: str, rule: str) -> str:
    """A rule as its book prints it."""
    (text,) = [numbered.text for numbered in numbered_rules(read_book(book)) if numbered.id == rule]
    return text


def book_rows(book: str, rule: str) -> list[list[str]]:
    """The table that is printed under a rule, without its header."""
    lines = [line.strip("|").split("|") for line in rule_text(book, rule).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in cells] for cells in lines[2:]]


def price(cell: str) -> Fraction:
    """`30 to 1` or `returned` as a number."""
    return Fraction(0) if cell == "returned" else Fraction(cell.replace(" to ", "/"))
