"""`pairhouse protect`: what a clever player could win on every wager of a game, and what to do about it."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairhouse.cli.analysis import Decks, Device, File, PaytableId, is_gpu, read_variant, save, show, working
from pairhouse.cli.arguments import GameId, Json, OptionWords, check_writable, files_by_format, write
from pairhouse.cli.solve import within
from pairhouse.core.errors import Refused
from pairhouse.rounds.records import to_json

if TYPE_CHECKING:  # the compiler is loaded by this command only, when it runs
    from pairhouse.analysis.protect.protection import Protection, ProtectionRequest, WagerProtection
    from pairhouse.analysis.protect.round_sums import Totals
    from pairhouse.analysis.protect.verdict import Concern
    from pairhouse.core.game import Variant

Shown = Callable[[int, "Totals"], None]
SHOES_MAX = 10**8
HEADINGS = (
    "follows: the correlation of the count with the price. turns at: the true count at which the first-order price is "
    "0. bet from: the whole true count from which betting wins most. Count and ceiling: units of stake per 100 rounds."
)


def read_shoes(text: str) -> int:
    """How many shoes, as people write it; 0 deals none."""
    try:
        number = int(float(text)) if not text.isdecimal() else int(text)
        whole = float(text) == number
    except (ValueError, OverflowError):
        raise Refused("bad-number", f"--shoes {text!r} is not a number; write it as 10000 or 1e4") from None
    if not whole or not 0 <= number <= SHOES_MAX:
        raise Refused("bad-number", f"--shoes {text} is not possible; give a whole number from 0 to 1e8")
    return number


def read_concern(pace: float, sum_an_hour: str, safe_win: float) -> "Concern":
    """What the house worries about; the sum is money, as 50 or 50.00."""
    from pairhouse.analysis.protect.verdict import Concern

    try:
        minor = round(float(sum_an_hour) * 100)
    except (ValueError, OverflowError):
        raise Refused("bad-number", f"--sum {sum_an_hour!r} is not a sum of money; write it as 50 or 50.00") from None
    concern = Concern(pace, minor, safe_win)
    concern.check()
    return concern


CUT_HELP = "Cards behind the cut card, the table's own first; may be repeated."
Cuts = Annotated[list[int] | None, typer.Option("--cut", metavar="N", help=CUT_HELP)]
WAGER_HELP = "Only this wager; may be repeated."
Wagers = Annotated[list[str] | None, typer.Option("--wager", metavar="ID", help=WAGER_HELP)]
Seats = Annotated[int, typer.Option("--seats", help="Seats that are dealt in.")]
Level = Annotated[int, typer.Option("--level", help="Tags of the count that is followed: 1, 2 or 3.")]
Shoes = Annotated[str, typer.Option("--shoes", help="Shoes dealt; 0 for effects and counts alone.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same shoes.")]
Workers = Annotated[int, typer.Option("--workers", help="Threads.")]
Pace = Annotated[float, typer.Option("--pace", help="Rounds an hour.")]
SumAnHour = Annotated[str, typer.Option("--sum", help="The most that may be won in an hour.")]
SafeWin = Annotated[float, typer.Option("--safe", help="Units per 100 rounds up to which a bet is safe.")]
Budget = Annotated[str, typer.Option("--budget", metavar="TIME", help="The longest one pack is solved, as 60s or 2m.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on where Ctrl-C stopped.")]
State = Annotated[File, typer.Option("--state", metavar="FILE", help="Where a stopped run is kept.")]
Html = Annotated[File, typer.Option("--html", metavar="FILE", help="Write a web page.")]
Pdf = Annotated[File, typer.Option("--pdf", metavar="FILE", help="Write pages for print.")]


def protect(
    game: GameId,
    paytable: PaytableId = None,
    decks: Decks = None,
    option: OptionWords = None,
    cut: Cuts = None,
    wager: Wagers = None,
    seats: Seats = 1,
    level: Level = 1,
    shoes: Shoes = "1000",
    seed: Seed = 1,
    workers: Workers = 2,
    device: Device = "cpu",
    pace: Pace = 70,
    sum_an_hour: SumAnHour = "50.00",
    safe_win: SafeWin = 1.0,
    budget: Budget = "10m",
    resume: Resume = False,
    state: State = None,
    json: Json = False,
    html: Html = None,
    pdf: Pdf = None,
) -> None:
    """What a clever player could win: effects of removal, the best counts, the ceiling, known cards, a verdict.

    Shoes are dealt and every wager is priced before each round. The ceiling is what a player wins who
    knows every price; nobody wins more. A count is followed beside it. Figures are units of stake per
    100 rounds. A game that is shuffled for every round is dealt from a shoe here, as a question.
    """
    files = files_by_format(html=html, pdf=pdf)
    if json and files:
        raise Refused("bad-option", "--json prints the report; give it alone, or --html and --pdf without it")
    wanted, concern = read_shoes(shoes), read_concern(pace, sum_an_hour, safe_win)
    kept = state or Path(f"pairhouse-protect-{game}.npz")
    check_run(workers, seed, [*files.values(), *([kept] if state and not resume else [])])
    on_gpu = on_this_gpu(device)
    variant = read_variant(game, decks, paytable, option)
    from pairhouse.analysis.protect.protection import ProtectionRequest

    asked = ProtectionRequest(
        wagers=wager,
        cuts=cut,
        seats=seats,
        level=level,
        shoes=wanted,
        seed=seed,
        workers=workers,
        on_gpu=on_gpu,
        concern=concern,
    )
    with within(budget):
        found = followed(variant, asked, kept, resume)
    if json:
        write(to_json(found))
    elif not files:
        show(as_table(found))
    for suffix, file in files.items():
        save(file, document_bytes(found, suffix))


def on_this_gpu(device: str) -> bool:
    """Whether a GPU is asked for; refused where none is, also for games of which nothing is counted on it."""
    if not is_gpu(device):
        return False
    from pairhouse.machines.simulate import gpu

    gpu.cuda_or_refusal()
    return True


def check_run(workers: int, seed: int, files: list[Path]) -> None:
    """Refuse numbers that mean nothing, and files that could not be written later."""
    if not 1 <= workers <= 256:
        raise Refused("bad-option", f"{workers} workers are not possible; give 1 to 256")
    if not 0 <= seed < 2**64:
        raise Refused("bad-number", f"--seed {seed} is not possible; give a whole number from 0 to 2**64 - 1")
    for file in files:
        check_writable(file)


def followed(variant: "Variant", asked: "ProtectionRequest", kept: Path, resume: bool) -> "Protection":
    """Deal the shoes; what Ctrl-C leaves is kept, and gone on from."""
    from pairhouse.analysis.protect.protection import Preparation, protection
    from pairhouse.analysis.protect.stopped_run import load_run, save_run
    from pairhouse.machines.stored import stored_tallies

    with working("Working out effects and counts"), stored_tallies():
        prepared = Preparation(variant, asked)
    begun = load_run(kept, prepared.following(), asked.seed) if resume else None
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start background jobs with it ignored
    last: list[Totals] = []

    def keep() -> None:
        """Keep what was dealt if shoes are missing; also when Ctrl-C comes again while the report is worked out."""
        if last and int(last[0].shoes[0]) < asked.shoes:
            save_run(kept, prepared.following(), asked.seed, last[0])
            typer.echo(f"stopped after {int(last[0].shoes[0])} shoes; `--resume` goes on from {kept}", err=True)

    with shown_progress(asked.shoes) as showing, stored_tallies():

        def progress(done: int, totals: "Totals") -> None:
            last[:] = [totals.copied()]
            showing(done, totals)

        try:
            found = protection(variant, asked, prepared=prepared, begun=begun, progress=progress)
        finally:
            keep()
    return found


def document_bytes(found: "Protection", suffix: str) -> bytes:
    """The report as a web page or for print."""
    from pairhouse.analysis.protect.report import compose
    from pairhouse.analysis.reports.render.html import as_html
    from pairhouse.analysis.reports.render.pdf import as_pdf

    document = compose(found)
    return as_html(document).encode() if suffix == ".html" else as_pdf(document)


@contextmanager
def shown_progress(wanted: int) -> Iterator[Shown]:
    """A progress bar on a terminal, with the ceiling of all wagers so far."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from pairhouse.analysis.generic.budget import progress

    console = Console(stderr=True)
    if not console.is_terminal or not wanted:
        yield lambda _done, _totals: None
        return
    columns = BarColumn(), TextColumn("{task.fields[status]}"), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=wanted, status="dealing shoes")

        def update(done: int, totals: "Totals") -> None:
            ceiling = 100 * float(totals.best_won.sum()) / max(int(totals.rounds.sum()), 1)
            status = f"{done:,} shoes, all bets together {ceiling:.3f} units per 100 rounds"
            bar.update(task, completed=done, status=status)

        telling = progress.set(lambda said: bar.update(task, status=said))
        try:
            yield update
        finally:
            progress.reset(telling)


def as_table(found: "Protection") -> Any:
    """The report for a person: a line a wager, then what to do."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from pairhouse.analysis.protect.report import NONE_DEALT

    table = Table(box=None, pad_edge=False)
    for name in ("wager", "edge %", "follows", "turns at", "bet from", "count wins", "ceiling", "error"):
        table.add_column(name, justify="left" if name == "wager" else "right", no_wrap=True)
    for wager, each in found.wagers.items():
        table.add_row(wager, *cells(each))
    shoe = f"{found.shoes:,} shoes, {found.rounds:,} rounds, seed {found.seed}" if found.shoes else "no shoes dealt"
    dealt = (
        f"{found.name}, {found.decks} deck{'s' * (found.decks > 1)}, {found.cuts[0]} cards behind the cut card; {shoe}"
    )
    lines: list[Any] = [Text(dealt, style="italic"), table, HEADINGS]
    if not found.shoes:
        lines.append(NONE_DEALT)
    lines += [f"Not followed: {wager}; {reason}." for wager, reason in found.left_out.items()]
    lines += known_lines(found)
    if len(found.wagers) == 1:
        (only,) = found.wagers.values()
        lines += [
            Text("tags: " + ", ".join(f"{name} {tag:+d}" for name, tag in only.tags.items() if tag)),
            only.verdict,
        ]
    elif found.shoes:
        unsafe = [wager for wager, each in found.wagers.items() if not each.verdict.startswith("Safe")]
        lines.append(f"Not safe: {', '.join(unsafe)}." if unsafe else "Every wager is safe.")
        lines.append("`--wager ID` says what to do about one; `--json` and `--pdf` have everything.")
    return Group(*lines)


def cells(each: "WagerProtection") -> list[str]:
    """The figures of one wager."""
    count = each.per_100
    ceiling = (each.by_cut[0].solved or each.by_cut[0].ceiling) if each.by_cut else None
    bet_from = "" if count is None or count.bet_from is None else f"{count.bet_from:+d}"
    return [
        f"{-100 * float(each.price):.3f}",
        "none" if each.untouched else f"{each.correlation:.3f}",
        "" if each.turns_at is None else f"{each.turns_at:+.2f}",
        bet_from,
        "" if count is None else f"{count.win:.3f}",
        "" if ceiling is None else f"{ceiling.win:.3f}",
        "" if ceiling is None else f"{ceiling.error:.3f}",
    ]


def known_lines(found: "Protection") -> list[str]:
    """What known cards are worth, in lines."""
    known, lines = found.known_cards, []
    if known is None:
        return []
    if known.hole_card is not None:
        seen = known.hole_card
        lines.append(
            f"With one card of the dealer's seen, {seen.wager} is worth {seen.ev:+.4%} (it gains {seen.gain:.4%})."
        )
    if known.shared_hands:
        lines.append(
            "Hands shared by all seats, ante: "
            + ", ".join(
                f"{each.seats} seats {each.ev:+.3%}" + ("" if each.exact is not None else f" ± {each.error:.3%}")
                for each in known.shared_hands
            )
            + "."
        )
    if known.next_card:
        best = max(known.next_card, key=lambda wager: known.next_card[wager].win)
        won = 100 * float(known.next_card[best].win)
        if won > 0:
            lines.append(f"With the next card known, {best} wins {won:.3f} units per 100 rounds.")
    return lines
