"""Commands of authors: `new`, `check` and `file`."""

import re
from importlib.resources import files
from keyword import iskeyword
from pathlib import Path
from typing import Annotated

import typer

from pairhouse.cli.analysis import read_variant, working
from pairhouse.cli.arguments import GameId, Json, OptionWords, write
from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.rounds.records import to_json

KINDS = ("side-bet", "compare", "draw", "choose")


def new(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to write, such as my_game.py.")],
    like: Annotated[str, typer.Option("--like", metavar="KIND", help=f"One of {', '.join(KINDS)}.")] = "compare",
) -> None:
    """Write a commented file of a game, and its test, to begin with."""
    if like not in KINDS:
        raise Refused("unknown-kind", f"{shown(like)} is no kind of game to begin with; choose {one_of(KINDS)}")
    path = Path(file)
    if path.suffix != ".py" or not path.stem.isidentifier() or iskeyword(path.stem):
        accepted = "use letters, digits and underscores, such as my_game.py"
        raise Refused("bad-file", f"{shown(file)} is no name for it; {accepted}")
    test = path.with_name(f"test_{path.name}")
    for each in (path, test):
        if each.exists():
            raise Refused("file-exists", f"{each} is there already; nothing was written")
    name = path.stem.replace("_", " ").capitalize()
    text = (files("pairhouse.cli") / "new_files" / f"{like}.py.txt").read_text(encoding="utf-8")
    words = {"NAME": name, "FILE": path.name, "WAGER": path.stem.replace("_", "-"), "ID": path.stem.replace("_", "-")}
    text = re.sub(r"\b(NAME|FILE|WAGER|ID)\b", lambda found: words[found[0]], text)
    proof = (
        (files("pairhouse.cli") / "new_files" / "test.py.txt").read_text(encoding="utf-8").replace("FILE", path.name)
    )
    try:
        path.write_text(text, encoding="utf-8")
        test.write_text(proof, encoding="utf-8")
    except OSError as error:
        raise Refused("bad-file", f"{file} cannot be written: {error.strerror}") from None
    write(f"{path} and {test}; next: pairhouse check {path}, pairhouse par {path}, pairhouse serve {path} --watch")


def check(game: GameId, option: OptionWords = None, json: Json = False) -> None:
    """Hold a game to the laws of all games: no peeking, no row in vain, no stake undecided; exit 1 if one is broken."""
    variant = read_variant(game, None, None, option)
    from pairhouse.analysis.generic.game_check import BROKEN, check_game
    from pairhouse.machines.stored import stored_tallies

    with working("Dealing many rounds"), stored_tallies():
        name, found = check_game(variant)
    if json:
        write(to_json({"game": game, "file": name, "findings": found}))
    else:
        for each in found:
            write(f"{name}, line {each.line}: {each.what} ({each.grade}). To do: {each.do}.")
        broken = sum(each.grade == BROKEN for each in found)
        notes = len(found) - broken
        laws = f"{broken or 'no'} broken law{'s' * (broken != 1)}"
        write(f"{variant.game.name}: {laws}, {notes or 'no'} note{'s' * (notes != 1)}.")
    raise typer.Exit(1 if any(each.grade == BROKEN for each in found) else 0)


def file(
    game: GameId,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="A new folder for the pack.")],
    option: OptionWords = None,
) -> None:
    """The filing pack: rules, payouts, examples of every row, par sheet, certificate and source, in one folder."""
    variant = read_variant(game, None, None, option)
    if out.exists() and any(out.iterdir() if out.is_dir() else [out]):
        raise Refused("bad-folder", f"{out} is there already and is not empty; give a new folder")
    from pairhouse.analysis.reports.files import check_libraries
    from pairhouse.analysis.reports.filing import filing_pack
    from pairhouse.machines.stored import stored_tallies

    check_libraries((".html", ".pdf"))
    with working("Writing the filing pack"), stored_tallies():
        for name, content in filing_pack(variant).items():
            path = out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            write(f"{path}: {len(content):,} bytes")
