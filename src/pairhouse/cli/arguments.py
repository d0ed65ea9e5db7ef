"""Arguments that many commands share, and the input and output of commands."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from pairhouse.core.errors import Refused, shown
from pairhouse.games.catalogue import GAMES, given


def game_id(words: str | None) -> str | None:
    """The id of the game that was named; a game from a file is loaded first."""
    return given(words).id if words is not None else None


Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
GAME_HELP = f"One of {', '.join(GAMES)}; or a file, such as my_game.py, whose code is run."
GameId = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, callback=game_id)]
GAME_FILE_HELP = "The file of its game, such as my_game.py, where that is none of the house's; its code is run."
GameFile = Annotated[str | None, typer.Option("--game", metavar="FILE", help=GAME_FILE_HELP, callback=game_id)]
OptionWords = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; may be repeated."),
]
COUNT_MAX = 10**15


def read_options(words: list[str] | None) -> dict[str, Any]:
    """Options from `name=value` words."""
    pairs = [word.partition("=") for word in words or []]
    for name, equals, _ in pairs:
        if not equals:
            raise Refused("bad-option", f"option {name!r} has no value; write it as NAME=VALUE, such as decks=8")
    found = {name: value for name, _, value in pairs}
    for name, _, value in pairs:
        if found[name] != value:
            said = f"option {shown(name)} was given twice, as {shown(value)} and as {shown(found[name])}"
            raise Refused("bad-option", f"{said}; give it once")
    return found


def read_count(text: str | None, name: str) -> int | None:
    """How many, as people write it: 1000000, 1e9, 10_000."""
    if text is None:
        return None
    try:
        number = float(text)
        whole = int(text) if text.replace("_", "").isdecimal() else int(number)
    except (ValueError, OverflowError):
        raise Refused("bad-number", f"{name} {text!r} is not a number; write it as 1000000 or 1e6") from None
    if whole != number or not 1 <= whole <= COUNT_MAX:
        raise Refused("bad-number", f"{name} {text} is not possible; give a whole number from 1 to 1e15")
    return whole


def files_by_format(**files: Path | None) -> dict[str, Path]:
    """The files to write by the suffix of their format; a name that ends like another format is refused."""
    found = {f".{name}": file for name, file in files.items() if file is not None}
    for suffix, file in found.items():
        if file.suffix.lower() not in ("", suffix):
            given = f"--{suffix[1:]} writes {suffix[1:].upper()}, but {file} ends in {file.suffix}"
            raise Refused("bad-file", f"{given}; let its name end in {suffix}")
    return found


def check_writable(file: Path) -> None:
    """Refuse a file that could not be written later; whether it is there or not, it stays as it is."""
    there = file.exists()
    try:
        with file.open("ab"):
            pass
        if not there:
            file.unlink()
    except OSError as error:
        raise Refused("bad-file", f"{file} cannot be written: {error.strerror}") from None


def write(text: str | bytes) -> None:
    """Write one line to standard output."""
    sys.stdout.buffer.write(text.encode() if isinstance(text, str) else text)
    sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()


def standard_input() -> Any:
    """Standard input, or a refusal where there is none."""
    if sys.stdin is None:
        raise Refused("bad-file", "there is no standard input to read; give a file")
    return sys.stdin.buffer


def open_file(name: str) -> Any:
    """A file to read, or a refusal that names it."""
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise Refused("bad-file", f"{name} cannot be read: {error.strerror}") from None


def read_content(name: str) -> bytes:
    """The content of a file, or of standard input where the name is `-`."""
    with standard_input() if name == "-" else open_file(name) as source:
        content: bytes = source.read()
    return content
