"""What the house says at its tables, by key: nothing is said that has no key, and a key outlives its sentence."""

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from pairhouse.core.cards import FACES
from pairhouse.games.catalogue import find
from pairhouse.games.floor_plan import FLOOR_PLAN
from pairhouse.rounds.records import game_record, to_json
from pairhouse.rounds.round_log import RoundLog
from pairhouse.rounds.texts import game_texts, house_texts

ROUNDS = 150
FLOOR = {table.game: table for table in FLOOR_PLAN}


def has_key(said: str, texts: dict[str, str]) -> bool:
    """Whether a text is one of these, with numbers in its gaps."""
    forms = (re.escape(text).replace(r"\{0\}", r"\d+").replace(r"\{1\}", r"\d+") for text in texts.values())
    return any(re.fullmatch(form, said) for form in forms)


def said_in(log: RoundLog) -> set[str]:
    """All that is said while a round is played at random: announcements, names of hands, warnings."""
    found: set[str] = set()
    while True:
        state = log.replay()
        view = state.view(1)
        found |= {event.text for event in state.events if event.text} | {hand.name for hand in view.hands}
        if state.awaiting is None:
            return found
        found |= set(state.awaiting.warnings.values())
        log.choices.append(random.choice(state.awaiting.options))


@pytest.mark.parametrize("game", FLOOR)
def test_whatever_is_said_in_play_has_a_key(game: str) -> None:
    random.seed(game)
    variant = find(game).variant(FLOOR[game].options)
    decks, jokers = variant.pack
    pack = [card for card in FACES[: 52 + jokers] for _ in range(decks)]
    texts = house_texts()
    opener = next(wager.id for wager in variant.wagers.values() if wager.opens)
    said: set[str] = set()
    for _ in range(ROUNDS):
        cards = random.sample(pack, 24)
        said |= said_in(RoundLog(game, cards, [{opener: 1000}], options=dict(FLOOR[game].options)))
    numbers_or_cards = re.compile(r"((\d+|[AJQK]|joker)( |$))*")
    assert [text for text in said if not numbers_or_cards.fullmatch(text) and not has_key(text, texts)] == []


def test_every_row_group_and_table_has_a_key() -> None:
    texts = house_texts()
    for table in FLOOR_PLAN:
        record: Any = game_record(find(table.game).variant(table.options))
        rows = {key: text for key, text in texts.items() if key.startswith(f"{table.game}/rows/")}
        for wager in record["wagers"]:
            own = {text for key, text in rows.items() if key.startswith(f"{table.game}/rows/{wager['id']}/")}
            assert own >= {row["name"] for row in wager["rows"]} | {wager["otherwise"]}, to_json(wager)
            assert wager["group"] in {"", *texts.values()}
        assert texts[f"tables/{table.id}"] == table.name


def test_a_key_outlives_its_sentence() -> None:
    """Another wording of a phrase or of a hand's name changes no key."""
    game = find("three-card-poker")
    worded = replace(
        game, phrases=("The dealer plays.", *game.phrases[1:]), name_hand=lambda cards: game.name_hand(cards).upper()
    )
    before, after = game_texts(game), game_texts(worded)
    assert before.keys() == after.keys()
    changed = {key: after[key] for key in before if before[key] != after[key]}
    assert changed["three-card-poker/says/0"] == "The dealer plays."
    assert changed["three-card-poker/hands/Ac-Ad-Ah"] == "THREE ACES"
