"""Commands of mathematicians and testing labs: `par`, `price` and `certify`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairhouse.cli.arguments import GameId, Json, OptionWords, files_by_format, game_id, read_options, write
from pairhouse.core.cards import parse
from pairhouse.core.errors import Refused, one_of
from pairhouse.core.paytable import placed
from pairhouse.games.catalogue import SOURCES, find

if TYPE_CHECKING:  # the compiler is loaded by these commands only, when they run
    from pairhouse.core.game import Variant

Decks = Annotated[str | None, typer.Option("--decks", metavar="N", help="Any number of decks from 1 to 8.")]
PaytableId = Annotated[str | None, typer.Option("--paytable", metavar="ID", help="The paytable in force.")]
Device = Annotated[str, typer.Option("--device", metavar="cpu|cuda", help="Where the work is done.")]
DEVICES = ("cpu", "cuda")
File = Path | None


def read_variant(game: str, decks: str | None, paytable: str | None, words: list[str] | None) -> "Variant":
    """The variant an analyst asks for."""
    from pairhouse.analysis.exact.variants import analyst

    short = [f"decks={decks}"] if decks is not None else []
    short += [f"{paytable_option(game)}={paytable}"] if paytable is not None else []
    return analyst(game, read_options([*(words or []), *short]))


def is_gpu(device: str) -> bool:
    """Whether the work is done on a GPU."""
    if device not in DEVICES:
        raise Refused("bad-option", f"device {device!r} is unknown; choose {one_of(DEVICES)}")
    return device == "cuda"


def paytable_option(game: str) -> str:
    """The option that chooses a paytable: it has that name, or that of the one wager whose table can be chosen."""
    found = find(game)
    tables = {"paytable", *(wager.id for wager in placed(list(found.variant().wagers.values())))}
    return next((option.name for option in found.options if option.name in tables), "paytable")


def par(
    game: GameId,
    decks: Decks = None,
    paytable: PaytableId = None,
    option: OptionWords = None,
    removed: Annotated[str | None, typer.Option("--removed", help="Cards gone from the shoe.")] = None,
    json: Json = False,
    html: Annotated[File, typer.Option("--html", metavar="FILE", help="Write a web page.")] = None,
    pdf: Annotated[File, typer.Option("--pdf", metavar="FILE", help="Write pages for print.")] = None,
    xlsx: Annotated[File, typer.Option("--xlsx", metavar="FILE", help="Write a workbook.")] = None,
) -> None:
    """The par sheet: every wager's exact price, its risk, and how it was found.

    In JSON a chance too small for a float is null, and `below` says below what it lies.
    """
    files = files_by_format(html=html, pdf=pdf, xlsx=xlsx)
    if json and files:
        raise Refused("bad-option", "--json prints the sheet; give it alone, or --html, --pdf and --xlsx without it")
    variant = read_variant(game, decks, paytable, option)
    from pairhouse.analysis.reports.files import FORMATS, check_libraries
    from pairhouse.analysis.reports.par import par_sheet, to_json
    from pairhouse.machines.stored import stored_tallies

    gone = parse(removed.split()) if removed else []
    check_libraries(files)
    with working("Counting every deal"), stored_tallies():
        whole = json or ".xlsx" in files
        sheet = par_sheet(variant, with_matrix=whole, with_readings=bool(files), removed=gone)
    if json:
        write(to_json(sheet.record()))
    elif not files:
        from pairhouse.analysis.reports.render.terminal import as_text

        show(as_text(sheet))
    for suffix, file in files.items():
        save(file, FORMATS[suffix](sheet))


@contextmanager
def working(text: str) -> Iterator[None]:
    """A sign of life on a terminal while something takes seconds, and how far it has come."""
    from rich.console import Console

    from pairhouse.analysis.generic.budget import progress

    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(f"{text} ...") as status:
        telling = progress.set(lambda said: status.update(f"{text}: {said} ..."))
        try:
            yield
        finally:
            progress.reset(telling)


def show(text: Any) -> None:
    """Something for people, in the terminal."""
    from rich.console import Console

    Console(highlight=False).print(text)


def save(file: Path, content: bytes) -> None:
    """Write a file that is complete, and say so."""
    try:
        file.write_bytes(content)
    except OSError as error:
        raise Refused("bad-file", f"{file} cannot be written: {error.strerror}") from None
    write(f"{file}: {len(content):,} bytes")


def price(
    game: GameId,
    row: Annotated[
        list[str] | None,
        typer.Option("--row", metavar="'WAGER: ROW=PRICE, ...'", help="Rows with other prices; may be repeated."),
    ] = None,
    decks: Decks = None,
    paytable: PaytableId = None,
    option: OptionWords = None,
    json: Json = False,
) -> None:
    """What if: a wager's rows repriced from its stored tally, without counting again."""
    variant = read_variant(game, decks, paytable, option)
    from pairhouse.analysis.exact.repricing import read_changes, reprice
    from pairhouse.analysis.reports.par import to_json
    from pairhouse.machines.stored import stored_tallies

    with stored_tallies():
        found = reprice(variant, read_changes(variant, row or []))
    if json:
        identity = {"game": game, "options": dict(variant.options), "rules_hash": variant.rules_hash}
        write(to_json({**identity, "wagers": found}))
        return
    from pairhouse.analysis.reports.render.terminal import repriced_text

    show(repriced_text(found))


def certify(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="The game to certify.", callback=game_id)] = None,
    decks: Decks = None,
    paytable: PaytableId = None,
    option: OptionWords = None,
    out: Annotated[File, typer.Option("--out", metavar="DIR", help="Write the certificate there.")] = None,
    check: Annotated[
        File, typer.Option("--check", metavar="DIR", help="Derive a certificate again, and say what differs.")
    ] = None,
    json: Json = False,
) -> None:
    """A certificate: exact figures by two independent derivations; or a check of one."""
    if (game is None) == (check is None) and game not in SOURCES:
        raise Refused("bad-option", "give a game to certify, or --check with the folder of a certificate")
    if check is not None and (decks or paytable or option or out):
        raise Refused("bad-option", "a check takes its options from the certificate; give --check alone")
    from pairhouse.analysis.reports import certificate, certificate_check
    from pairhouse.analysis.reports.par import to_json

    if check is not None:
        with working("Deriving everything again"):
            differences = certificate_check.check(check, game)
        answer = {"same": not differences, "differences": differences}
        told = "\n".join(f"different: {line}" for line in certificate_check.in_words(differences)) or "same"
        write(to_json(answer) if json else told)
        raise typer.Exit(1 if differences else 0)
    variant = read_variant(game or "", decks, paytable, option)
    if out is not None:
        certificate.make_folder(out)
    with working("Deriving everything twice"):
        made = certificate.certify(variant)
    if out is not None:
        for file in certificate.save(made, out):
            write(str(file))
    else:
        write(to_json(made) if json else certificate.as_text(made))
    raise typer.Exit(0 if made.agrees else 1)
