"""`pairhouse shoes`: whole shoes dealt down, every wager by depth or by a card counter's count."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairhouse.cli.analysis import Decks, PaytableId, read_variant, show, working
from pairhouse.cli.arguments import GameId, Json, OptionWords, read_count, write
from pairhouse.cli.simulate import StrategyName, WagerIds, figure, read_wagers
from pairhouse.rounds.records import to_json

if TYPE_CHECKING:  # the compiler is loaded by this command only, when it runs
    from pairhouse.analysis.simulation.sampling import Estimate
    from pairhouse.analysis.simulation.shoe_report import ShoeReport


def shoes(
    game: GameId,
    number: Annotated[str, typer.Option("--shoes", help="How many shoes are dealt down.")] = "20000",
    by: Annotated[
        str, typer.Option("--by", metavar="depth|running|true", help="Sort rounds by cards gone, or by a count.")
    ] = "depth",
    tags: Annotated[
        str | None,
        typer.Option("--tags", metavar="RANK=NUMBER,...", help="The tags of the count; Hi-Lo unless told."),
    ] = None,
    cut: Annotated[int | None, typer.Option("--cut", help="Cards behind the cut card.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same shoes.")] = 1,
    decks: Decks = None,
    paytable: PaytableId = None,
    option: OptionWords = None,
    strategy: StrategyName = "best",
    wagers: WagerIds = None,
    json: Json = False,
) -> None:
    """Whole shoes with burn and cut card: every wager's price by depth, or by a count when the round began.

    The running count is the sum of the tags of all cards dealt in this shoe
    before the round; the burnt card is not seen. Hi-Lo tags are +1 for 2 to 6
    and -1 for tens, faces and aces. The true count is the running count
    divided by the decks left (every card neither dealt nor burnt), rounded
    down. The outer rows of a count hold everything beyond them.
    """
    wanted = read_count(number, "--shoes")
    from pairhouse.analysis.simulation.shoe_report import shoe_report

    variant = read_variant(game, decks, paytable, option)
    with working("Dealing shoes"):
        found = shoe_report(
            variant,
            wanted or 1,
            seed,
            by=by,
            tags=tags,
            strategy=strategy,
            wagers=read_wagers(wagers),
            behind_cut=cut,
        )
    if json:
        write(to_json(found))
        return
    from rich.console import Console

    show(shoe_table(found, Console().width))


def shoe_table(found: "ShoeReport", width: int) -> Any:
    """The report for a person: a row a bin, a column a wager, as many as the width holds."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    title = f"{found.shoes:,} shoes, {found.rounds:,} rounds, {found.cards_behind_cut} cards behind the cut card"
    table = Table(box=None, pad_edge=False)
    first = "cards gone" if found.by == "depth" else f"{found.by} count"
    rows = [(one.label, one.rounds, one.wagers) for one in found.bins] + [("all", found.rounds, found.all)]
    for name in (first, "rounds"):
        table.add_column(name, justify="right", no_wrap=True)
    room = width - max(len(first), *(len(label) for label, _, _ in rows)) - max(len("rounds"), len(f"{found.rounds:,}"))
    names: list[str] = []
    for name in found.all:
        room -= 2 + max(len(name), *(len(_price(wagers[name])) for _, _, wagers in rows))
        if names and room < 2:
            break
        names.append(name)
        table.add_column(name, justify="right", no_wrap=True)
    for label, rounds, wagers in rows:
        table.add_row(label, f"{rounds:,}", *(_price(wagers[name]) for name in names))
    lines = [found.definition]
    if found.tags:
        lines.append("tags: " + ", ".join(f"{rank} {tag:+d}" for rank, tag in found.tags.items() if tag))
    if len(names) < len(found.all):
        lines.append(f"{len(names)} of {len(found.all)} wagers are shown; --wagers chooses others, --json has all")
    return Group(Text(title, style="italic"), table, *lines)


def _price(found: "Estimate") -> str:
    """An estimate with its error, where there is one."""
    error = "" if found.stderr is None else f" ± {found.stderr:.4f}"
    return figure(found.ev, 4) + error
