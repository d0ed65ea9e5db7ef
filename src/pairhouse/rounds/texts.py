"""Everything the house says at its tables, by key, so that a translation is a file of the same keys.

A key is made from where a text stands, never from its words: the game and the place of a phrase in the game's list, a
row by its wager and its place in the paytable, a hand by the first cards that are called so. Rule books know nothing of
keys, and whoever changes a sentence finds its translation still. What is said carries its key from where it is said
(`machines/replay.py`); the other keys are added to what is sent (`text_keys.py`).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

from pairhouse.core.cards import FACES, RANK_NAMES, Card, parse
from pairhouse.core.errors import Refused
from pairhouse.core.game import Game, Variant
from pairhouse.games.catalogue import GAMES
from pairhouse.games.floor_plan import FLOOR_PLAN
from pairhouse.machines.events import phrase_key

SUITS = ("c", "d", "h")  # of the hands that stand for all of their name


def table_texts() -> dict[str, str]:
    """The names of the tables of a new house; one that an operator has named otherwise is called as it is named."""
    labels = {f"tables/{table.id}/label": table.name.partition(", ")[2] for table in FLOOR_PLAN}
    names = {f"tables/{table.id}": table.name for table in FLOOR_PLAN}
    return names | {key: label for key, label in labels.items() if label}


def house_texts() -> dict[str, str]:
    """Every text of every game, and the names of the tables."""
    texts = table_texts()
    for game in GAMES.values():
        texts |= game_texts(game)
    return texts


def game_texts(game: Game) -> dict[str, str]:
    """Every text of a game: what its dealer says, its rows, its groups of wagers, what hands are called, warnings."""
    texts = {phrase_key(game.id, number): phrase for number, phrase in enumerate(game.phrases)}
    groups: set[str] = set()
    for variant in _variants(game):
        for wager in variant.wagers.values():
            rows = [*(row.name for row in wager.paytable.rows), wager.paytable.otherwise]
            _number(texts, f"{game.id}/rows/{wager.id}", rows)
            if wager.group and wager.group not in groups:
                groups.add(wager.group)
                texts[f"{game.id}/groups/{wager.id}"] = wager.group
    return texts | _hand_texts(game)


def _number(texts: dict[str, str], prefix: str, names: Sequence[str]) -> None:
    """Give every name that is new under a prefix the next number."""
    known = [text for key, text in texts.items() if key.rpartition("/")[0] == prefix]
    for name in names:
        if name not in known:
            texts[f"{prefix}/{len(known)}"] = name
            known.append(name)


def _variants(game: Game) -> Iterator[Variant]:
    """The game as it stands, then with each value of each option that can be chosen by itself."""
    yield game.variant()
    for option in game.options:
        for choice in option.choices if len(option.choices) < 20 else ():
            try:
                yield game.variant({option.name: choice})
            except Refused:
                continue


@lru_cache(maxsize=32)
def _hand_texts(game: Game) -> dict[str, str]:
    """Names of hands and warnings, by the first cards that bring them; a hand that is called by a number, or by its
    cards one by one, needs no translation."""
    texts: dict[str, str] = {}
    known: set[tuple[str, str]] = set()

    def add(kind: str, text: str, cards: Sequence[Card]) -> None:
        if text and (kind, text) not in known:
            known.add((kind, text))
            texts[f"{game.id}/{kind}/{'-'.join(FACES[card] for card in cards)}"] = text

    for cards in _examples():
        name = game.name_hand(cards)
        if not name.isdecimal() and name != " ".join(game.name_hand([card]) for card in cards):
            add("hands", name, cards)
        for action in game.actions:
            add(f"warns/{action.name}", game.warn(action.name, cards), cards)
    return texts


@lru_cache(maxsize=1)
def _examples() -> list[list[Card]]:
    """One to three cards of any ranks, of one suit where they can be, and of several."""
    found = []
    for count in range(1, len(SUITS) + 1):
        for ranks in combinations_with_replacement(RANK_NAMES, count):
            if len(set(ranks)) == count:
                found.append(parse([rank + SUITS[0] for rank in ranks]))
            if count > 1:
                found.append(parse([rank + suit for rank, suit in zip(ranks, SUITS, strict=False)]))
    return found
