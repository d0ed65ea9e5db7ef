"""Golden playthroughs: one round a game, readable as a story, told again exactly.

After a change that is meant, `make golden` writes the stories anew; read the difference before committing it.
"""

import os
from pathlib import Path

import pytest

from pairhouse.games.catalogue import GAMES
from pairhouse.rounds.round_log import read_round
from pairhouse.terminal.story import story

SHELF = Path(__file__).parent / "golden"


@pytest.mark.parametrize("game", list(GAMES))
def test_the_story_is_told_again(game: str) -> None:
    told = story(read_round((SHELF / f"{game}.json").read_bytes()).replay()) + "\n"
    book = SHELF / f"{game}.txt"
    if os.environ.get("PAIRHOUSE_WRITE_GOLDEN"):
        book.write_text(told)
    assert told == book.read_text()
