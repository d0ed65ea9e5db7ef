"""What is sent says its key: of every phrase with its numbers, every row, hand and warning, whatever the English is."""

import random
import re
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from pairhouse.core.cards import FACES, parse
from pairhouse.core.game import Game, Variant
from pairhouse.core.paytable import Wager
from pairhouse.games.catalogue import find
from pairhouse.games.floor_plan import FLOOR_PLAN
from pairhouse.machines.events import Replay
from pairhouse.machines.replay import replay
from pairhouse.rounds.text_keys import KeyedView, keyed_game, keys_of, table_keys
from pairhouse.rounds.texts import house_texts

ROUNDS = 60
FLOOR = {table.game: table for table in FLOOR_PLAN}
NEEDS_NO_KEY = re.compile(r"((\d+|[AJQK]|joker)( |$))*")
Deal = tuple[list[str], list[str]]  # cards and choices


def deals(variant: Variant) -> list[Deal]:
    """Rounds played at random, the choices among them too."""
    decks, jokers = variant.pack
    pack = [card for card in FACES[: 52 + jokers] for _ in range(decks)]
    found: list[Deal] = []
    for _ in range(ROUNDS):
        cards, choices = random.sample(pack, 24), list[str]()
        while (asked := played(variant, (cards, choices)).awaiting) is not None:
            choices.append(random.choice(asked.options))
        found.append((cards, choices))
    return found


def played(variant: Variant, deal: Deal) -> Replay:
    """A round with a bet on everything that can be bet alone."""
    cards, choices = deal
    opener = next(wager.id for wager in variant.wagers.values() if wager.opens)
    stakes = {w.id: w.fixed or 1000 for w in variant.wagers.values() if w.base is None}
    return replay(variant, parse(cards), [stakes if variant.game.id != "la-paire" else {opener: 1000}], choices)


def sent(variant: Variant, deal: Deal) -> KeyedView:
    """A round as it is sent, and as it is read."""
    view = keys_of(variant).view(played(variant, deal).view(1))
    return msgspec.json.decode(msgspec.json.encode(view), type=KeyedView)


@pytest.mark.parametrize("game", FLOOR)
def test_whatever_is_sent_in_play_says_its_key(game: str) -> None:
    random.seed(game)
    variant, texts = find(game).variant(FLOOR[game].options), house_texts()
    for deal in deals(variant):
        view = sent(variant, deal)
        for event in view.events:
            if event.kind == "said":
                assert texts[event.key or ""].format(*(event.numbers or ())) == event.text
            elif event.kind == "settled":
                assert texts[event.key or ""] == event.row
            else:
                assert (event.key, event.text) == (None, None)
        for hand in view.hands:
            assert texts[hand.key] == hand.name if hand.key else NEEDS_NO_KEY.fullmatch(hand.name)


def other_words(game: Game) -> Game:
    """A game in an English of its own: every phrase, row, group and name of a hand is another."""

    def reworded(wager: Wager) -> Wager:
        table = wager.paytable
        rows = tuple(replace(row, name=f"row of {row.name}") for row in table.rows)
        return replace(
            wager,
            group=wager.group and f"all {wager.group}",
            paytable=replace(table, rows=rows, otherwise=f"row of {table.otherwise}"),
        )

    def named(cards: Any) -> str:
        name = game.name_hand(cards)
        return name if NEEDS_NO_KEY.fullmatch(name) else f"hand of {name}"

    return replace(
        game,
        phrases=tuple(f"{number}: {phrase.upper()}" for number, phrase in enumerate(game.phrases)),
        wagers=lambda options: tuple(reworded(wager) for wager in game.wagers(options)),
        name_hand=named,
        warn=lambda action, cards: game.warn(action, cards).upper(),
    )


def keys_in(told: object) -> list[Any]:
    """Every key of an answer with the numbers that go with it, in order."""
    if isinstance(told, dict):
        own = [told[name] for name in ("key", "numbers", "group_key", "otherwise_key", "warning_keys") if name in told]
        return own + [key for value in told.values() for key in keys_in(value)]
    return [key for value in told for key in keys_in(value)] if isinstance(told, list) else []


@pytest.mark.parametrize("game", FLOOR)
def test_another_english_is_sent_with_the_same_keys(game: str) -> None:
    random.seed(game)
    ours, options = find(game), FLOOR[game].options
    variant, worded = ours.variant(options), other_words(ours).variant(options)

    def told(of: Variant, deal: Deal) -> Any:
        return msgspec.to_builtins(sent(of, deal))

    for deal in deals(variant)[:20]:
        before, after = told(variant, deal), told(worded, deal)
        assert keys_in(before) == keys_in(after) != []
        assert before != after
    assert keys_in(keyed_game(variant)) == keys_in(keyed_game(worded)) != []


def test_phrases_that_read_alike_keep_their_keys() -> None:
    """Two phrases with the same words, and one that another contains: who said what is never read from the words."""
    ours = find("nepal-super-baccarat")
    alike = replace(
        ours, phrases=("The same words.",) * 5 + ("{1} and {1}, not {0}.",) + ("{0}",) * (len(ours.phrases) - 6)
    )
    random.seed("alike")
    variant = ours.variant(FLOOR[ours.id].options)
    heard = set()
    for deal in deals(variant):
        ours_said, others = (
            [event for event in sent(of, deal).events if event.kind == "said"]
            for of in (variant, alike.variant(variant.options))
        )
        assert [event.key for event in ours_said] == [event.key for event in others]
        heard |= {event.key for event in others}
        for event in others:
            phrase = alike.phrases[int((event.key or "").rpartition("/")[2])]
            assert event.text == phrase.format(*(event.numbers or ()))
    assert len(heard) == len(ours.phrases)


def test_a_warning_says_its_key() -> None:
    variant = find("blackjack-poker-pairs").variant()
    text = variant.game.warn("hit", parse(["7c", "10c"]))
    told = keys_of(variant).awaiting({"seat": 1, "hand": 1, "options": ["hit", "stand"], "warnings": {"hit": text}})
    assert told is not None
    assert keys_of(variant).awaiting(None) is None
    assert {word: house_texts()[key] for word, key in told["warning_keys"].items()} == {"hit": text}


def test_every_row_of_the_floor_has_a_key_of_its_own() -> None:
    for table in FLOOR_PLAN:
        for wager in keyed_game(find(table.game).variant(table.options))["wagers"]:
            keys = {row["name"]: row["key"] for row in wager["rows"]} | {wager["otherwise"]: wager["otherwise_key"]}
            assert len(set(keys.values())) == len(keys)
            assert set(keys.values()) <= house_texts().keys()


def test_a_row_that_only_two_options_together_bring_is_named_by_its_place() -> None:
    ours = find("three-card-poker")

    def wagers(options: Any) -> tuple[Wager, ...]:
        pairplus = next(wager for wager in ours.wagers(options) if wager.id == "pairplus")
        is_changed = sum(options[option.name] != option.default for option in ours.options) > 1
        last = replace(pairplus.paytable.rows[-1], name="three aces" if is_changed else pairplus.paytable.rows[-1].name)
        return (replace(pairplus, paytable=replace(pairplus.paytable, rows=(*pairplus.paytable.rows[:-1], last))),)

    several = [option for option in ours.options if len(option.choices) > 1]
    chosen = {option.name: next(c for c in option.choices if c != option.default) for option in several}
    rows = keys_of(replace(ours, wagers=wagers).variant(chosen)).rows["pairplus"]
    assert re.fullmatch(r"three-card-poker/rows/pairplus/own-\d", rows["three aces"])
    assert len(set(rows.values())) == len(rows)


def test_a_table_is_known_while_it_is_called_as_it_was() -> None:
    texts = house_texts()
    for table in FLOOR_PLAN:
        assert texts[table_keys(table.name, table.name)["name_key"]] == table.name
    assert table_keys("Blackjack Poker & Pairs", "Blackjack Poker & Pairs").keys() == {"name_key", "label_key"}
    assert table_keys("Anna's table", "Anna's table") == {}
