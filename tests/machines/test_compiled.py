"""One source serves both: the compiled `play` agrees with live play, act by act, on random shuffles and choices."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from compiled_tape import CHOSEN, DEALT, PEEKED, SETTLED, SPLIT, TURNED, compiled, run
from pairhouse.core.cards import FACES, pack
from pairhouse.core.errors import Refused
from pairhouse.core.game import Game, Variant
from pairhouse.core.verbs import HANDS_PER_SEAT, spot
from pairhouse.games.catalogue import GAMES
from pairhouse.machines.events import PRIVATE, Event, Replay
from pairhouse.machines.replay import replay

Act = tuple[Any, ...]


def random_variant(game: Game, picks: random.Random) -> Variant:
    """The game under options drawn at random."""
    options = {option.name: picks.choice(option.choices) for option in game.options}
    try:
        return game.variant(options)
    except Refused:
        return game.variant()


def acts_of_trace(trace: list[int], variant: Variant) -> Iterator[Act]:
    """The compiled round, act by act, in the words of live play."""
    names = [action.name for action in variant.game.actions]
    at = 0
    while at < len(trace):
        mark, place, number = trace[at : at + 3]
        at += 3
        if mark in (DEALT, TURNED):
            yield mark, place, FACES[number]
        elif mark == CHOSEN:
            legal = [name for bit, name in enumerate(names) if number >> 16 >> bit & 1]
            yield mark, place, legal, names[(number & 0xFFFF).bit_length() - 1]
        elif mark == SETTLED:
            yield mark, place // HANDS_PER_SEAT, trace[at : at + number]
            at += number
        else:
            yield mark, place


def acts_of_replay(state: Replay) -> Iterator[Act]:
    """Live play, act by act: what the dealer says and pays follows from it and is left out."""
    happened = iter(state.happened)
    marks = {"dealt": DEALT, "peeked": PEEKED, "split": SPLIT}
    private: set[int] = set()
    offered: list[str] = []
    for event in state.events:
        place = place_of(event, state.variant)
        if event.face == PRIVATE:
            private.add(place)
        if event.kind == "dealt":
            yield DEALT, place, event.card
        elif event.kind == "turned-up" and place not in private:
            yield TURNED, place, event.card
        elif event.kind in marks:
            yield marks[event.kind], place
        elif event.kind == "offered":
            offered = event.options or []
        elif event.kind == "chosen":
            yield CHOSEN, place, offered, event.choice
    for seat, what in happened:
        yield SETTLED, seat, [int(field) for field in what]


def place_of(event: Event, variant: Variant) -> int:
    if event.seat is not None and event.hand is not None:
        return spot(event.seat, event.hand - 1)
    return variant.game.places.index(event.at) if event.at else 0


@pytest.mark.parametrize("rounds", [600, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))
def test_compiled_play_is_live_play(game: Game, rounds: int) -> None:
    """Every card to the same place, the same choices offered and made, the same settled, on hundreds of rounds of each game."""
    picks = random.Random(f"compiled {game.id}")
    machine = compiled(game.play)
    variants = [game.variant(), *(random_variant(game, picks) for _ in range(200))]
    cards: list[int] = []
    for number in range(rounds):
        variant = variants[number % len(variants)]
        if number % len(variants) == 0 or len(cards) != len(pack(*variant.pack)):
            cards = list(pack(*variant.pack))
        picks.shuffle(cards)
        seats = picks.randint(1, game.seats_max)
        trace = list(acts_of_trace(run(machine, variant.rules, cards, seats, picks.choices(range(60), k=40)), variant))
        choices = [act[3] for act in trace if act[0] == CHOSEN]
        opener = next(wager.id for wager in variant.wagers.values() if wager.opens)
        live = list(acts_of_replay(replay(variant, cards, [{opener: 1000}] * seats, choices)))
        settled = [act for act in trace if act[0] == SETTLED]
        assert [act for act in trace if act[0] != SETTLED] + settled == live
