"""What the tests of the blackjack games share: hands, rounds told in short lines, totals by hand."""

from itertools import product

import msgspec

from pairhouse.core.cards import parse
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import find
from pairhouse.machines.events import Replay
from rule_tables import Case, check

TELLS = {
    "dealt": "{who} gets {card}",
    "chosen": "{who} {choice}",
    "peeked": "{who} looks",
    "turned-up": "{who} turns {card}",
    "settled": "{who} {wager} {returned}",
}


def variant(game: str, options: str) -> Variant:
    return find(game).variant(dict(option.split("=") for option in options.split()))


def hand(faces: str) -> list[int]:
    return parse(faces.split())


def check_to_the_last_card(case: Case) -> None:
    """The round ends as it should, and needs exactly the cards given."""
    check(case)
    assert case.play().cards_used == len(case.cards.split())


def story(done: Replay) -> list[str]:
    """What happened at the table, in order: cards, choices, looks and settlements."""
    told = [msgspec.structs.asdict(event) for event in done.events if event.kind in TELLS]
    return [
        TELLS[act["kind"]].format(**act, who=act["at"] or f"{act['seat']}.{act['hand']}".removesuffix(".1"))
        for act in told
    ]


def lines(text: str) -> list[str]:
    return [part.strip() for part in text.replace("\n", " ").split(",")]


def best(values: tuple[int, ...]) -> int:
    """The highest total of 21 or less, or the lowest there is."""
    return max((total for total in totals(values) if total <= 21), default=min(totals(values)))


def totals(values: tuple[int, ...]) -> list[int]:
    """Every total that aces of 1 and 11 can give."""
    return [sum(total) for total in product(*((1, 11) if value == 1 else (value,) for value in values))]
