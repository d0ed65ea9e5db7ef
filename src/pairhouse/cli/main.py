"""The `pairhouse` command: every capability as a subcommand."""

import gc
import os
import secrets
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from pairhouse.cli.arguments import (
    GameFile,
    GameId,
    Json,
    OptionWords,
    game_id,
    open_file,
    read_content,
    read_options,
    standard_input,
    write,
)
from pairhouse.cli.command_group import CommandGroup
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import GAMES, SOURCES, blamed, find, given, installed, load_named_modules
from pairhouse.rounds.records import answer, catalogue_record, game_record, to_json
from pairhouse.rounds.round_log import RoundLog, faces, play_on, read_round
from pairhouse.rounds.shuffle import fresh_cards
from pairhouse.version import __version__

app = typer.Typer(
    name="pairhouse",
    cls=CommandGroup,
    help="Casino games, each written once as a rule book that runs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.command()
def games(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Show one game only.", callback=game_id)] = None,
    option: OptionWords = None,
    json: Json = False,
) -> None:
    """The catalogue: games, options, wagers and paytables."""
    if not game:
        _load_installed()
    variants = [find(game).variant(read_options(option))] if game else [g.variant() for g in GAMES.values()]
    if json:
        write(to_json(game_record(variants[0]) if game else catalogue_record(variants)))
        return
    from rich.console import Console

    from pairhouse.terminal.draw import catalogue_art, game_art

    console = Console(highlight=False)
    console.print(game_art(variants[0]) if game else catalogue_art(variants))


def _load_installed() -> None:
    """Put the games of installed packages into the catalogue; one that cannot be loaded is told, and left out."""
    for name in installed():
        try:
            given(name)
        except Refused as refused:
            sys.stderr.write(f"pairhouse: {name} is left out: {refused}.\n")


@app.command()
def rules(game: GameId, json: Json = False) -> None:
    """The rule book of a game."""
    from pairhouse.rounds.rulebook import numbered_rules, read_book

    book = read_book(find(game).id)
    if json:
        write(to_json({"game": game, "rules": numbered_rules(book)}))
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(book))


@app.command()
def play(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A table; without one, the lobby.", callback=game_id)
    ] = None,
    option: OptionWords = None,
    house: Annotated[
        str | None, typer.Option("--house", metavar="URL", help="Sit at a live table of this house, with others.")
    ] = None,
    table: Annotated[
        str | None,
        typer.Option("--table", metavar="ID|GAME", help="Which live table; here without --house."),
    ] = None,
    seat: Annotated[int | None, typer.Option("--seat", min=1, help="Which seat there; any without it.")] = None,
) -> None:
    """Play at a terminal table, with play money; or at a live table of a house that is open."""
    if house is not None or table is not None:
        from pairhouse.terminal.live_play import play_live

        play_live(house or "http://127.0.0.1:8000", table or game or "", seat)
        return
    from pairhouse.terminal.play import play_in_terminal

    play_in_terminal(find(game) if game else None, read_options(option))


@app.command()
def settle(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A round as JSON; - reads standard input.")],
    lines: Annotated[bool, typer.Option("--lines", help="One round per line in, one answer per line out.")] = False,
    json: Json = False,
    text: Annotated[bool, typer.Option("--text", help="Tell the round as a story instead.")] = False,
    game: GameFile = None,
) -> None:
    """Settle a scripted round: cards, wagers and choices in, every payment out."""
    if lines:
        settle_lines(file)
        return
    state = read_round(read_content(file)).replay()
    if text:
        from pairhouse.terminal.story import story

        write(story(state))
    else:
        write(to_json(state.record()))


def settle_lines(file: str) -> None:
    """Settle a round on each line; a bad line is answered with its error."""
    with standard_input() if file == "-" else open_file(file) as source:
        for line in source:
            write(answer(line))


@app.command()
def deal(
    game: GameId,
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", metavar="WAGER=STAKE,...", help="The wagers of a seat; may be repeated."),
    ] = None,
    option: OptionWords = None,
    choice: Annotated[list[str] | None, typer.Option("--choice", help="A choice, in the order asked.")] = None,
    stop: Annotated[bool, typer.Option("--stop", help="Leave the round open where the given choices end.")] = False,
    json: Json = False,
) -> None:
    """Deal one random round; its log can be settled again with `pairhouse settle`."""
    variant = find(game).variant(read_options(option))
    opener = next(wager.id for wager in variant.wagers.values() if wager.opens)
    seats = [read_seat(words) for words in seat] if seat else [{opener: 1000}]
    log = RoundLog(
        game, faces(fresh_cards(variant)), list(seats), dict(variant.options), choice or [], variant.rules_hash
    )
    state = log.replay() if stop else play_on(log, secrets.choice)
    if state.is_over:
        log.cards = log.cards[: state.cards_used]
    if json:
        write(to_json(log))
        return
    from pairhouse.terminal.story import story

    write(story(state))
    of_file = f" --game {SOURCES[game]}" if game in SOURCES else ""
    write(f"\nThe round, for `pairhouse settle -{of_file}`:\n" + to_json(log).decode())


def read_seat(words: str) -> dict[str, int]:
    """The wagers of a seat from text such as `main=1000,pairs=500`."""
    pairs = [word.partition("=") for word in words.split(",")]
    for name, _, stake in pairs:
        if not stake.isdecimal() or len(stake) > 18:
            given = f"{name}={stake}" if name or stake else f"--seat {words!r}"
            raise Refused("bad-stake", f"{given} is not a wager; write it as WAGER=STAKE, such as main=1000")
    if len({name for name, _, _ in pairs}) < len(pairs):
        raise Refused("bad-stake", f"{words} names a wager twice")
    return {name: int(stake) for name, _, stake in pairs}


def show_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        write(__version__)
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Casino games, each written once as a rule book that runs."""


def main() -> None:
    """Run a command; a refusal is printed as one sentence, with exit status 2."""
    gc.freeze()  # most commands end before they leave garbage: looking for it took a tenth of their time
    gc.set_threshold(50_000, 50, 100)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        load_named_modules()
        app()
    except Refused as refused:
        if "--json" in sys.argv:
            write(to_json({"error": str(refused), "code": refused.code}))
        print(f"pairhouse: {refused}.", file=sys.stderr)  # noqa: T201
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        print(f"pairhouse: the answer cannot be written: {error.strerror}.", file=sys.stderr)  # noqa: T201
        os._exit(1)  # what is still buffered cannot be written either
    except Exception as error:
        sentence = blamed(error)
        if sentence is None:
            raise
        if "--json" in sys.argv:
            write(to_json({"error": sentence, "code": "bad-game"}))
        print(f"pairhouse: {sentence}.", file=sys.stderr)  # noqa: T201
        sys.exit(2)
