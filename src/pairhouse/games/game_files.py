"""Games in files of their own: load one, or say in a sentence, with the line, why it cannot be."""

import sys
import traceback
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.core.game import Game

NAME = "GAME"  # what a file calls its game, unless it holds several


def load_module(module: str) -> Game:
    """The game of a module that can be imported."""
    try:
        loaded = import_module(module)
    except ImportError as error:
        raise Refused("bad-module", f"{shown(module)} cannot be imported: {error}") from None
    return game_in(loaded, module, "")


def load_file(path: str, name: str) -> Game:
    """The game of a file: the one of that name, the one called GAME, or the only one there is."""
    file = Path(path)
    if not file.is_file():
        kind = "is a folder" if file.is_dir() else "is not there"
        raise Refused("bad-file", f"{path} {kind}; give the file of a game, such as my_game.py")
    if file.suffix != ".py":
        raise Refused("bad-file", f"{path} is no Python file; a game is written in one, such as my_game.py")
    return game_in(_run(file.resolve(), path), path, name)


def _run(file: Path, told: str) -> ModuleType:
    """Import a file under its own name; files beside it can be imported by it."""
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    try:
        spec = find_spec(file.stem)
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None or Path(spec.origin).resolve() != file:
        other = spec.origin if spec is not None else "elsewhere"
        raise Refused("bad-file", f"{told} has the name of another module ({other}); give the file another name")
    try:
        return import_module(file.stem)
    except SyntaxError as error:
        where = Path(error.filename or told).name
        raise Refused("bad-file", f"{where}, line {error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        raise Refused("bad-file", f"{_line(error, file)}: {_reason(error)}") from None


def _line(error: BaseException, file: Path) -> str:
    """The last line of the file, or of one beside it, that was running."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).parent == file.parent]
    return f"{Path(own[-1].filename).name}, line {own[-1].lineno}" if own else file.name


def _reason(error: BaseException) -> str:
    if isinstance(error, Refused):
        return str(error)
    if isinstance(error, SystemExit):
        return "the file ends the program while it is loaded; a file of a game only defines"
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def game_in(module: ModuleType, told: str, name: str) -> Game:
    """The game that a loaded module holds."""
    own = module.__name__
    games = {key: value for key, value in vars(module).items() if isinstance(value, Game) and value.module == own}
    if not name:
        name = NAME if NAME in games or len(games) != 1 else next(iter(games))
    if name in games:
        return games[name]
    if games:
        raise Refused(
            "bad-file", f"{told} holds {one_of(games)} and no {name}; write one as {told}:{next(iter(games))}"
        )
    if isinstance(getattr(module, name, None), Game):
        raise Refused("bad-file", f"{name} of {told} says another module; write module=__name__ in it")
    raise Refused("bad-module", f"{told} holds no game; a file of a game defines {NAME} = Game(...)")
