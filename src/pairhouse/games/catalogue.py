"""Every game of the house, by id: those of the package, and those registered from outside."""

import os
from contextlib import ExitStack
from pathlib import Path

from pairhouse.core.errors import Refused, shown, unknown
from pairhouse.core.game import Game
from pairhouse.games import (
    blackjack_poker_pairs,
    la_paire,
    nepal_super_baccarat,
    pair_v3,
    standard_blackjack,
    three_card_poker,
)

MODULES_VARIABLE = "PAIRHOUSE_GAMES"  # modules and files of further games, separated by commas
ENTRY_POINTS = "pairhouse.games"  # the group under which an installed package offers modules of games
PACKAGE = f"{__name__.partition('.')[0]}."

GAMES: dict[str, Game] = {
    module.GAME.id: module.GAME
    for module in (
        three_card_poker,
        nepal_super_baccarat,
        la_paire,
        blackjack_poker_pairs,
        pair_v3,
        standard_blackjack,
    )
}


SOURCES: dict[str, str] = {}  # where games from outside were loaded from, by id


def find(game_id: str) -> Game:
    """A game by its id."""
    if game_id not in GAMES:
        raise unknown("game", game_id, GAMES)
    return GAMES[game_id]


def is_listed(game: Game) -> bool:
    """Whether a game is that of the catalogue, whatever its decks and prices; another may have the same id."""
    known = GAMES.get(game.id)
    return known is not None and known.play is game.play and known.is_from_session == game.is_from_session


def register(game: Game) -> ExitStack:
    """Add a game from outside the package. What comes back undoes it: close it, or use it as a context."""
    if game.id in GAMES:
        raise Refused("game-exists", f"there is a game {shown(game.id)} already; give it another id")
    GAMES[game.id] = game
    undo = ExitStack()
    undo.callback(GAMES.pop, game.id, None)
    undo.callback(SOURCES.pop, game.id, None)
    return undo


def load(source: str) -> Game:
    """Register the game of a module or of a file (`my_game.py`, or `my_game.py:NAME`), and give it.

    Loading runs the code of the file. Only command lines, the environment and programs say what is loaded; no request
    to a server does.
    """
    from pairhouse.games.game_files import load_file, load_module  # noqa: PLC0415 (most never load one)

    is_file, place = read_source(source)
    game = load_file(*place) if is_file else load_module(source)
    if GAMES.get(game.id) is not game:
        register(game)
    SOURCES[game.id] = f"{Path(place[0]).resolve()}:{place[1]}".rstrip(":") if is_file else source
    return game


def blamed(error: Exception) -> str | None:
    """The line of a game from a file in which something went wrong, and what; None where no such file is to blame."""
    from pairhouse.games.game_files import blamed_on  # noqa: PLC0415 (most never load one)

    return blamed_on(error, [Path(read_source(place)[1][0]) for place in SOURCES.values()])


def read_source(words: str) -> tuple[bool, tuple[str, str]]:
    """Whether words name a file of a game, and its path with the name of the game in it, where one is given."""
    path, colon, name = words.rpartition(":")
    if colon and path.endswith(".py"):
        return True, (path, name)
    return words.endswith(".py") or "/" in words or os.sep in words, (words, "")


def installed() -> dict[str, str]:
    """The games that installed packages offer: the module of each, by the name it is offered under."""
    from importlib import metadata  # noqa: PLC0415 (rarely asked, and slow to load)

    return {point.name: point.module for point in metadata.entry_points(group=ENTRY_POINTS)}


def given(words: str) -> Game:
    """The game that somebody names at a command line: by its id, a file, or the name an installed package gives it."""
    if words in GAMES:
        return GAMES[words]
    if read_source(words)[0]:
        return load(words)
    offered = installed()
    if words in offered:
        return load(offered[words])
    if len(words) < 200 and Path(words + ".py").is_file():
        raise Refused("unknown-game", f"game {shown(words)} is unknown; for the file beside you write {words}.py")
    raise unknown("game", words, [*GAMES, *offered])


def load_named_modules() -> None:
    """Register the games of every module and file that the environment names."""
    for source in filter(None, os.environ.get(MODULES_VARIABLE, "").split(",")):
        load(source.strip())


def outside_modules() -> list[str]:
    """The modules and files of the games from outside, for a process that has to know them too."""
    outside = [game for game in GAMES.values() if not game.module.startswith(PACKAGE)]
    return list(dict.fromkeys(SOURCES.get(game.id, game.module) for game in outside))
