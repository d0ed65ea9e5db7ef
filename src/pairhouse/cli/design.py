"""`pairhouse design`: every paytable of a wager that fits what is wished."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairhouse.cli.analysis import File, PaytableId, read_variant, save, show, working
from pairhouse.cli.arguments import GameId, Json, OptionWords, check_writable, write
from pairhouse.core.errors import Refused
from pairhouse.rounds.records import to_json

if TYPE_CHECKING:  # the compiler is loaded by this command only, when it runs
    from pairhouse.analysis.design.designing import Design, DesignedTable, Loosening
    from pairhouse.analysis.design.wishes import Wishes

SHOWN = 20
LISTED = 20_000


def read_decks(text: str | None) -> list[int]:
    """`6,8` as numbers of decks; none where the game's own are meant."""
    if text is None:
        return []
    found = []
    for part in text.split(","):
        if not part.strip().isdecimal() or not 1 <= int(part) <= 8:
            raise Refused("bad-option", f"--decks {text!r} is not possible; give numbers from 1 to 8, such as 6,8")
        found.append(int(part))
    return list(dict.fromkeys(found))


Edge = Annotated[str, typer.Option("--edge", metavar="A..B", help="What the house keeps, such as 3%..4%.")]
Hit = Annotated[str | None, typer.Option("--hit", metavar="A..B", help="How often something is paid.")]
Variance = Annotated[str | None, typer.Option("--variance", metavar="A..B", help="The variance of a unit.")]
Top = Annotated[str | None, typer.Option("--top", metavar="A..B", help="What the top row pays.")]
STEP_HELP = "Pays are multiples of this; 1 unless told; may be repeated."
Step = Annotated[list[str] | None, typer.Option("--step", metavar="N|ROW=N", help=STEP_HELP)]
DECKS_HELP = "Numbers of decks that must all fit."
DeckCounts = Annotated[str | None, typer.Option("--decks", metavar="N,...", help=DECKS_HELP)]
COUNTABLE_HELP = "The most a perfect follower may win per 100 rounds."
Countable = Annotated[str | None, typer.Option("--countable", metavar="MAX", help=COUNTABLE_HELP)]
Cut = Annotated[int | None, typer.Option("--cut", help="Cards behind the cut card, for --countable.")]
KEEP_HELP = "A row that stays; may be repeated."
Keep = Annotated[list[str] | None, typer.Option("--keep", metavar="ROW=PAYS", help=KEEP_HELP)]
Drop = Annotated[list[str] | None, typer.Option("--drop", metavar="ROW", help="A row that may go; may be repeated.")]
Limit = Annotated[int | None, typer.Option("--limit", help="How many are listed, the best ones.")]
Pick = Annotated[int, typer.Option("--pick", help="Which of the list --save saves, 1 for the best.")]
SAVE_HELP = "Save one as a game that other commands take."
Save = Annotated[File, typer.Option("--save", metavar="FILE.py", help=SAVE_HELP)]
WagerId = Annotated[str, typer.Argument(metavar="WAGER", help="The wager whose paytable is designed.")]


def design(
    game: GameId,
    wager: WagerId,
    edge: Edge,
    hit: Hit = None,
    variance: Variance = None,
    top: Top = None,
    step: Step = None,
    decks: DeckCounts = None,
    countable: Countable = None,
    cut: Cut = None,
    keep: Keep = None,
    drop: Drop = None,
    paytable: PaytableId = None,
    option: OptionWords = None,
    limit: Limit = None,
    pick: Pick = 1,
    file: Save = None,
    json: Json = False,
) -> None:
    """Every paytable that fits, best first, with exact figures; or the proof that none does, and what to loosen.

    The rows are those of the wager's own table (--paytable chooses it). Pays are whole numbers, or
    multiples of --step, and never rise from the top row down. All that fit are found.
    """
    check_numbers(limit, pick)
    if cut is not None and countable is None:
        raise Refused("bad-option", f"--cut {cut} says where shoes end that --countable follows; give both")
    numbers = read_decks(decks)
    variant = read_variant(game, str(numbers[0]) if numbers else None, paytable, option)
    from pairhouse.analysis.design.designing import Designer
    from pairhouse.analysis.design.loosening import loosenings
    from pairhouse.analysis.design.saved import check_name, module_text
    from pairhouse.machines.stored import stored_tallies

    if file is not None:
        check_name(file)
        check_writable(file)
    with working("Counting every deal"), stored_tallies():
        designer = Designer(variant, wager, numbers, cut)
    bands = {"edge": edge, "hit": hit, "variance": variance, "top": top}
    wishes = read_wishes(designer.rows, bands, countable, step or [], keep or [], drop or [])
    listed = limit or (LISTED if json else max(SHOWN, pick))
    with working("Searching paytables"), stored_tallies():
        found = designer.design(wishes, listed, loosenings)
    write(to_json(found)) if json else show(as_table(found))
    if file is not None:
        save_table(file, found, pick, module_text(variant, wager, picked(found, pick).rows, file), quiet=json)


def check_numbers(limit: int | None, pick: int) -> None:
    """Refuse to list or to pick nothing."""
    if limit is not None and limit < 1:
        raise Refused("bad-option", f"--limit {limit} is not possible; give 1 or more")
    if pick < 1:
        raise Refused("bad-option", f"--pick {pick} is not possible; give 1 for the best, 2 for the next")


def read_wishes(
    rows: list[str],
    bands: dict[str, str | None],
    countable: str | None,
    step: list[str],
    keep: list[str],
    drop: list[str],
) -> "Wishes":
    """The wishes from the words of the command."""
    from pairhouse.analysis.design import wishes as words

    every, single = words.read_steps(step, rows)
    most = None if countable is None else words.read_figure(countable, "--countable", share=False)
    if most is not None and most < 0:
        raise Refused("bad-wish", f"--countable {countable} is not possible; give 0 or more")
    ranges = {
        name: words.read_range(text, f"--{name}", share=name in ("edge", "hit"))
        for name, text in bands.items()
        if text is not None
    }
    for name, wished in ranges.items():
        words.check_possible(name, wished, str(bands[name]))
    return words.Wishes(
        edge=ranges["edge"],
        hit=ranges.get("hit"),
        variance=ranges.get("variance"),
        top=ranges.get("top"),
        countable=most,
        step=every,
        row_steps=single,
        keep=words.read_row_prices(keep, rows, "--keep"),
        drop=tuple(words.find_row(name, rows) for name in drop),
    )


def picked(found: "Design", pick: int) -> "DesignedTable":
    """The one that is to be saved."""
    listed = len(found.paytables)
    if not listed:
        raise Refused("nothing-fits", "nothing fits, so there is nothing to save")
    if pick > listed:
        given = f"--pick {pick} is not possible"
        raise Refused("bad-option", f"{given}; {'only one is' if listed == 1 else f'{listed} are'} listed")
    return found.paytables[pick - 1]


def save_table(file: Path, found: "Design", pick: int, text: str, quiet: bool) -> None:
    """Write the file, and say how other commands take it; quietly where a program reads the answer."""
    if quiet:
        file.write_text(text, encoding="utf-8")
        return
    save(file, text.encode())
    write(f"paytable {pick} of {found.number}; try `pairhouse par {file}`")


def as_table(found: "Design") -> Any:
    """What was found, for a person."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    if not found.number:
        return Group(Text(found.proof, style="italic"), *(loosened(each) for each in found.loosenings))
    table = Table(box=None, pad_edge=False)
    names = list(dict.fromkeys(name for each in found.paytables for name in each.rows))
    decks = list(found.paytables[0].edge)
    table.add_column("", justify="right", no_wrap=True)
    for name in names:
        table.add_column(name, justify="right")
    for at in decks:
        table.add_column(f"edge %, {at} deck{'s' * (at != '1')}", justify="right")
    for title in ("variance", *(["countable"] if found.paytables[0].countable else [])):
        table.add_column(title, justify="right")
    for number, each in enumerate(found.paytables, 1):
        figures = [f"{float(100 * each.edge[at]):.4f}" for at in decks]
        figures.append(f"{float(each.variance[decks[0]]):.3f}")
        if each.countable:
            figures.append(f"{max(each.countable.values()):.4f}")
        table.add_row(str(number), *(str(each.rows.get(name, "")) for name in names), *figures)
    hit = ", ".join(f"{float(100 * chance):.4f} %" for chance in found.paytables[0].hit.values())
    listed = len(found.paytables)
    best = "best is" if listed == 1 else f"best {listed} are"
    more = "" if found.complete else f" The {best} listed; --limit lists more."
    fit = "One paytable fits, and no other" if found.number == 1 else f"{found.number:,} paytables fit, and no others"
    lines = [f"{fit}.{more} Best first: {found.order}."]
    lines.append(f"The first one pays something in {hit} of rounds. {found.proof}")
    return Group(table, *lines)


def loosened(each: "Loosening") -> str:
    """One wish, and how far it would have to give."""
    if each.example is None:
        return f"{each.wish} {each.given}: {each.note or 'loosening this wish alone does not help'}."
    rows = ", ".join(f"{name} {pays}" for name, pays in each.example.rows.items())
    return f"{each.wish} {each.given}: {each.needed} would do, with {rows}."
