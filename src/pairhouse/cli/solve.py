"""`pairhouse solve`: how a game is best played, and the value of every action with any hand."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairhouse.cli.arguments import GameId, Json, OptionWords, read_options, write
from pairhouse.core.cards import parse
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import find
from pairhouse.rounds.records import to_json

if TYPE_CHECKING:  # the compiler is loaded by this command only, when it runs
    from pairhouse.analysis.methods.records import Advice, SolvedGame
    from pairhouse.analysis.reports.charts import Chart

COLOURS = {
    "stand": "red", "hit": "green", "double": "blue", "split": "yellow", "surrender": "magenta",
    "fold": "red", "play": "green",
}  # fmt: skip
DRILLS_SHOWN = 40


def solve_command(
    game: str,
    options: dict[str, Any],
    hand: str | None,
    up: str | None,
    seen: str | None,
) -> "tuple[SolvedGame | Advice, Variant]":
    """What answers the command, and the variant it is about."""
    variant = find(game).variant(options)
    from pairhouse.analysis.methods.registry import method_of

    method = method_of(variant)
    if hand is None:
        if (up is not None or seen is not None) and not method.decides:
            raise Refused("no-decision", f"{variant.game.name} has no decision to solve, whatever has been seen")
        for name, given in (("--up", up), ("--seen", seen)):
            if given is not None:
                raise Refused("no-hand", f'{name} {given!r} goes with a hand; give one with --hand, such as "8s 8d"')
        return method.best(), variant
    up_cards = parse(up.split()) if up is not None else [None]
    if len(up_cards) != 1:
        raise Refused("bad-card", f"--up {up!r} is not one card; give the dealer's up card, such as 10h")
    seen_cards = parse(seen.split()) if seen is not None else []
    return method.advise(parse(hand.split()), up_cards[0], seen_cards), variant


def solve(
    game: GameId,
    option: OptionWords = None,
    hand: Annotated[str | None, typer.Option("--hand", help='Cards you hold, such as "8s 8d".')] = None,
    up: Annotated[str | None, typer.Option("--up", help="The dealer's up card.")] = None,
    seen: Annotated[str | None, typer.Option("--seen", help="Other cards that have been seen.")] = None,
    drills: Annotated[bool, typer.Option("--drills", help="The first decisions, the costliest first.")] = False,
    strategy: Annotated[
        str | None,
        typer.Option("--strategy", metavar="NAME|FILE", help="What another way to play is worth, such as always-fold."),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option("--budget", metavar="TIME", help="Exact within 60s or 2m, else sampled with its error."),
    ] = None,
    json: Json = False,
) -> None:
    """How a game is best played, or the value of every action with one hand."""
    if drills:
        if hand is not None or up is not None or seen is not None:
            raise Refused("bad-option", "--drills lists every first decision; give it without a hand, --up and --seen")
        show_drills(find(game).variant(read_options(option)), json)
        return
    if strategy is not None:
        if hand is not None or up is not None or seen is not None:
            raise Refused("bad-option", "--strategy prices a whole game; give it without a hand, --up and --seen")
        with within(budget):
            show_strategy(find(game).variant(read_options(option)), strategy, json)
        return
    with within(budget):
        answer, variant = solve_command(game, read_options(option), hand, up, seen)
    from pairhouse.analysis.methods.records import SolvedGame

    if json:
        write(to_json(answer.record if isinstance(answer, SolvedGame) else answer))
    elif isinstance(answer, SolvedGame):
        show_game(answer, variant)
    else:
        show_advice(answer)


def show_strategy(variant: Variant, name: str, json: bool) -> None:
    """What every wager is exactly worth under a way to play that is named or given: fractions where it is counted."""
    from pairhouse.analysis.exact.prices import prices
    from pairhouse.analysis.methods.registry import method_of
    from pairhouse.machines.stored import stored_tallies

    with stored_tallies():
        way = method_of(variant).play(name)
        tally = way.tally()
        worth: dict[str, Any] = {wager: exact.ev for wager, exact in way.exact().items()}
    worth |= {wager: price.ev for wager, price in prices(tally).items()} if tally is not None else {}
    found = {wager: {"ev": worth[wager]} for wager in variant.wagers if wager in worth}
    if not found:
        given = f"{variant.game.name} has too many hands for a play by situations to be priced exactly"
        raise Refused("not-priced", f"{given}; `pairhouse simulate --strategy` plays it")
    if json:
        names = {"game": variant.game.id, "options": dict(variant.options), "rules_hash": variant.rules_hash}
        write(to_json({**names, "strategy": way.name, "wagers": found}))
        return
    write(f"{variant.game.name}, played {way.name}")
    for wager, each in found.items():
        fraction = "" if isinstance(each["ev"], float) else f"  {each['ev']}"
        write(f"  {wager:20} {float(each['ev']):+.6%}{fraction}")


def show_drills(variant: Variant, json: bool) -> None:
    """Every first decision with its frequency and values, ordered by what the smallest mistake costs in all."""
    from pairhouse.analysis.methods.registry import method_of

    found = sorted(method_of(variant).drills(), key=lambda drill: -float(drill.loss) * float(drill.frequency))
    if not found:
        raise Refused("no-decision", f"{variant.game.name} has no decision to practise")
    if json:
        write(to_json({"game": variant.game.id, "rules_hash": variant.rules_hash, "drills": found}))
        return
    from rich.console import Console

    console = Console(highlight=False)
    console.print(f"[bold]{variant.game.name}[/]  the costliest first decisions, in units per 100 rounds")
    for drill in found[:DRILLS_SHOWN]:
        against = f" against {drill.up}" if drill.up else ""
        cost = 100 * float(drill.loss) * float(drill.frequency)
        words = ", ".join(f"{name} {float(value):+.4f}" for name, value in drill.values.items())
        console.print(f"  {'-'.join(drill.hand) + against:24} {cost:7.4f}  {words}")


@contextmanager
def within(budget: str | None) -> Iterator[None]:
    """Within this block a game is solved exactly in so much time, or sampled; on a terminal its progress is told."""
    from pairhouse.analysis.generic.budget import budget_s, progress, read_budget

    limit = budget_s.set(read_budget(budget) if budget is not None else None)
    telling = progress.set(lambda text: sys.stderr.write(f"{text}\n") and None if sys.stderr.isatty() else None)
    try:
        yield
    finally:
        budget_s.reset(limit)
        progress.reset(telling)


def show_advice(advice: "Advice") -> None:
    """The value of every action, the best in bold."""
    from rich.console import Console

    console = Console(highlight=False)
    if advice.says:
        console.print(advice.says)
    for name, number in advice.actions.items():
        console.print(f"  {name:12} {float(number):+.6f}", style="bold" if name == advice.best else "")
    if advice.value is not None:
        console.print(f"  {'worth':12} {float(advice.value):+.6f}", style="bold")
    for name, number in advice.offers.items():
        console.print(f"  {name:12} {float(number):+.6f}", style="dim")


def show_game(found: "SolvedGame", variant: Variant) -> None:
    """How the game is best played: its price, its charts, and what there is to say."""
    from rich.console import Console

    console = Console(highlight=False)
    price = "" if found.ev is None else f"  {float(found.ev):+.6%} per unit staked at first"
    sampled = "" if found.sampling_error is None else f", sampled, standard error {found.sampling_error:.6%}"
    console.print(f"[bold]{variant.game.name}[/]{price}{sampled}")
    for chart in found.charts:
        console.print(chart_table(chart))
    legend = {letter: word for chart in found.charts for letter, word in chart.legend.items()}
    if legend:
        console.print(", ".join(f"{letter} {word}" for letter, word in legend.items()), style="dim")
    for line in found.says:
        console.print(line)
    if found.strategy_class:
        console.print(f"Strategy class: {found.strategy_class}.", style="dim")


def chart_table(chart: "Chart") -> Any:
    """The chart people know: rows of hands, columns of what is shown, a colour for each action."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title=chart.title, title_justify="left")
    table.add_column("")
    for column in chart.columns:
        table.add_column(column, justify="center")
    for name, cells in zip(chart.rows, chart.cells, strict=True):
        words = [(cell.action, COLOURS.get(chart.legend[cell.action], "")) if cell else ("", "") for cell in cells]
        table.add_row(name, *(f"[{colour}]{letter}[/]" if colour else letter for letter, colour in words))
    return table
