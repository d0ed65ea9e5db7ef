"""Games in files of their own: load one, or say in a sentence, with the line, why it cannot be."""

import re
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from pairhouse.core.errors import Refused, Undecided, one_of, shown
from pairhouse.core.game import Game
from pairhouse.games.catalogue import PACKAGE
from pairhouse.games.first_look import first_look

NAME = "GAME"  # what a file calls its game, unless it holds several
SECONDS_MAX = 10  # of processor time, for loading a file and dealing a few rounds


def load_module(module: str) -> Game:
    """The game of a module that can be imported."""
    try:
        loaded = import_module(module)
    except ImportError as error:
        raise Refused("bad-module", f"{shown(module)} cannot be imported: {error}") from None
    game = game_in(loaded, module, "")
    if loaded.__file__ is not None and not module.startswith(PACKAGE):
        _look_at(game, Path(loaded.__file__))
    return game


def load_file(path: str, name: str) -> Game:
    """The game of a file: the one of that name, the one called GAME, or the only one there is."""
    file = Path(path)
    if not file.is_file():
        kind = "is a folder" if file.is_dir() else "is not there"
        raise Refused("bad-file", f"{path} {kind}; give the file of a game, such as my_game.py")
    if file.suffix != ".py":
        raise Refused("bad-file", f"{path} is no Python file; a game is written in one, such as my_game.py")
    with _in_time(), redirect_stdout(sys.stderr):  # what it prints is no part of an answer
        game = game_in(_run(file.resolve(), path), path, name)
        _look_at(game, file.resolve())
    return game


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
        with _no_bytecode():
            return import_module(file.stem)
    except TooLong as error:
        raise Refused("bad-file", f"{_line(error, file)}: {error}") from None
    except SyntaxError as error:
        where, line = Path(error.filename or told).name, "" if error.lineno is None else f", line {error.lineno}"
        raise Refused("bad-file", f"{where}{line}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        raise Refused("bad-file", f"{_line(error, file)}: {_reason(error)}") from None


@contextmanager
def _no_bytecode() -> Iterator[None]:
    """Keep no compiled copy beside a file: two saves in one second can look the same to whoever reads it."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def _look_at(game: Game, file: Path) -> None:
    """Refuse a game that cannot be dealt, with the line of the file that is to blame."""
    try:
        for words, sentence in first_look(game):
            raise Refused("bad-game", f"{file.name}, line {_line_with(file, words)}: {sentence}")
    except Refused as refused:
        if refused.code == "bad-game":
            raise
        raise Refused("bad-game", f"{_line(refused, file)}: {refused}") from None
    except (Exception, TooLong) as error:
        raise Refused("bad-game", f"{_line(error, file)}: {_reason(error)}") from None


def blamed_on(error: Exception, files: Sequence[Path]) -> str | None:
    """The line of one of these files in which something went wrong, and what; None where none is to blame."""
    if isinstance(error, Undecided):
        own = [file for file in files if file.stem == error.module]
        do = "settle each wager's happening once in every round; `pairhouse check` says more"
        return f"{own[0].name}, line {_line_with(own[0], 'settle(')}: {error}; {do}" if own else None
    if type(error).__module__.startswith("numba."):
        return _not_compiled(str(error), files)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename) in files:
            return f"{Path(frame.filename).name}, line {frame.lineno}: {_reason(error)}"
    return None


def _not_compiled(told: str, files: Sequence[Path]) -> str | None:
    """The innermost line of one of these files that the compiler names; it tells inner calls first."""
    uses = "this cannot be compiled; a rule uses whole numbers, tuples, other rules and the table's verbs"
    for path, line in re.findall(r"\bat (\S.*?) \((\d+)\)", told):
        if Path(path) in files:
            return f"{Path(path).name}, line {line}: {uses}"
    return None


class TooLong(BaseException):
    """A file takes longer than any that only defines a game."""


@contextmanager
def _in_time() -> Iterator[None]:
    """Stop a file that never ends, where the system can measure processor time and this is the main thread."""
    if not hasattr(signal, "ITIMER_VIRTUAL") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise TooLong(f"still running after {SECONDS_MAX} s of processor time; does a loop here never end")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_MAX)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _line_with(file: Path, words: str | int) -> int:
    """The last line that holds these words, which is where a thing of that name came second; else the first.

    Words in other letters will do: an id is often made of a name. A number is the line itself.
    """
    if isinstance(words, int):
        return words
    lines = file.read_text("utf-8").splitlines()
    for each, wanted in ((lines, words), ([line.lower() for line in lines], words.lower())):
        found = [number for number, text in enumerate(each, 1) if wanted in text]
        if found:
            return found[-1]
    return 1


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
    if isinstance(error, TooLong):
        return str(error)
    if isinstance(error, KeyError):
        return f"nothing is called {error} here (KeyError)"
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
