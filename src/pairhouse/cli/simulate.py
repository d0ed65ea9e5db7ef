"""`pairhouse simulate`: rounds of the games' own play at the speed of the machine, every wager at once."""

import secrets
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairhouse.cli.analysis import Decks, Device, PaytableId, is_gpu, read_variant, show, working
from pairhouse.cli.arguments import GameId, Json, OptionWords, check_writable, read_count, write
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.rounds.records import to_json

if TYPE_CHECKING:  # the compiler is loaded by these commands only, when they run
    from pairhouse.analysis.simulation.sampling import Sampling
    from pairhouse.machines.simulate.run import Progress, Workers

StrategyName = Annotated[str, typer.Option("--strategy", metavar="best|basic|NAME|FILE", help="How choices are made.")]
WagerIds = Annotated[str | None, typer.Option("--wagers", metavar="ID,...", help="Only these wagers.")]
Threads = Annotated[int | None, typer.Option("--workers", help="Threads; one a core unless told.")]
Stop = Callable[["Progress"], bool]
ROUNDS_DEFAULT = 10**8
LONG_RUN = 10**8


def read_wagers(text: str | None) -> list[str] | None:
    """`player,banker` as names of wagers; None for all of them."""
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise Refused("bad-option", f"--wagers {text!r} has an empty name; write the ids of wagers with commas between")
    return names


def check_files(out: Path | None, state: Path | None, resume: bool) -> None:
    """Refuse files that could not be written later, and one that holds the blocks of the run that is resumed."""
    if state is not None and not resume:
        check_writable(state)
    if out is None:
        return
    from pairhouse.analysis.simulation.block_file import check_block_file

    check_block_file(out)
    if resume and out.exists():
        sentence = f"{out} is there already, and a resumed run has only the further blocks; give another name"
        raise Refused("bad-file", sentence)
    check_writable(out)


def check_positive(number: float | None, name: str) -> None:
    """Seconds and errors are above zero."""
    if number is not None and not 0 < number < float("inf"):
        raise Refused("bad-number", f"{name} {number:g} is not possible; give a number above 0")


def read_length(rounds: str | None, seconds: float | None, until_error: float | None) -> int | None:
    """How many rounds are wanted; None where something else says when to stop."""
    check_positive(seconds, "--seconds")
    check_positive(until_error, "--until-error")
    if (rounds is not None) + (seconds is not None) + (until_error is not None) > 1:
        raise Refused("bad-option", "give only one of --rounds, --seconds and --until-error")
    return read_count(rounds, "--rounds") or (ROUNDS_DEFAULT if seconds is None and until_error is None else None)


def check_workers(workers: int | None) -> None:
    """How many threads run the rounds."""
    if workers is not None and not 1 <= workers <= 4096:
        raise Refused("bad-option", f"{workers} workers are not possible; give 1 to 4096")


def shown_on_meter(variant: Variant, given: int | None) -> int | None:
    """What a progressive meter shows: what was given, or its seed; None for a game without one."""
    meter = variant.game.meter(variant.options)
    return given if given is not None or meter is None else meter.amount


def simulate(
    game: GameId,
    rounds: Annotated[str | None, typer.Option("--rounds", help="How many rounds, such as 1e9.")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Or how long.")] = None,
    until_error: Annotated[
        float | None, typer.Option("--until-error", help="Or until the first wager's error is this small.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="The same seed gives the same rounds.")] = None,
    decks: Decks = None,
    paytable: PaytableId = None,
    option: OptionWords = None,
    strategy: StrategyName = "best",
    wagers: WagerIds = None,
    meter: Annotated[
        int | None, typer.Option("--meter", help="What a progressive meter shows; its seed unless told.")
    ] = None,
    workers: Threads = None,
    device: Device = "cpu",
    cluster: Annotated[str | None, typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where Ctrl-C stopped.")] = False,
    state: Annotated[Path | None, typer.Option("--state", metavar="FILE", help="Where a stopped run is kept.")] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Every block, for analysis: a name that ends in .csv or .parquet."),
    ] = None,
    json: Json = False,
) -> None:
    """Simulate rounds of a game, all wagers at once, held to the exact prices."""
    is_gpu(device)
    check_workers(workers)
    wanted, named = read_length(rounds, seconds, until_error), read_wagers(wagers)
    check_files(out, state, resume)
    from pairhouse.analysis.simulation.sampling import Sampling, check_seed
    from pairhouse.machines.simulate.interpreted import PLAIN_ROUNDS_MAX, interpreter
    from pairhouse.machines.stored import stored_tallies

    chosen = check_seed(secrets.randbits(64) if seed is None else seed)
    with working("Preparing strategy and prices"), stored_tallies():
        here = device == "cpu" and cluster is None and workers in (None, 1) and not resume
        short = here and wanted is not None and wanted <= PLAIN_ROUNDS_MAX
        variant = read_variant(game, decks, paytable, option)
        sampling = Sampling.of(variant, strategy, named, hurried=short, meter=shown_on_meter(variant, meter))
        _ = sampling.exact
    file = state or Path(f"pairhouse-simulate-{game}.json")
    progress = sampling.resume(file) if resume else sampling.begin(chosen)
    start_crew = (
        interpreter(sampling.simulation) if short else workers_for(sampling, progress, wanted, workers, device, cluster)
    )
    with recording(out, sampling) as each, start_crew as crew:
        before, start = progress.rounds, time.perf_counter()
        stop = stopper(sampling, start, seconds, until_error)
        with shown_progress(sampling, progress, wanted, start) as showing:
            run(crew, progress, wanted, lambda p: showing(p) or stop(p), each)
        taken = time.perf_counter() - start
    record = result(sampling, progress, progress.rounds - before, taken, crew.count, device)
    if progress.interrupted:
        sampling.save(progress, file)
        record["stopped"] = str(file)
    write(to_json(record)) if json else show(as_table(record))


def run(crew: "Workers", progress: "Progress", wanted: int | None, stop: Stop, each: Any) -> None:
    """Run the blocks."""
    from pairhouse.machines.simulate.run import go_on

    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start background jobs with it ignored
    if wanted is not None and progress.rounds >= wanted:
        raise Refused("bad-number", f"{progress.rounds} rounds are done already; give more than that to go on")
    go_on(crew, progress, wanted, stop, each)


@contextmanager
def workers_for(
    sampling: "Sampling", progress: "Progress", wanted: int | None, count: int | None, device: str, cluster: str | None
) -> "Iterator[Workers]":
    """Threads, a GPU or a cluster to run the blocks, ready to begin: the rate is measured without the start."""
    if cluster is not None:
        from pairhouse.machines.simulate.cluster import cluster_workers

        with cluster_workers(sampling.recipe, cluster) as crew:
            yield crew
    elif device == "cuda":
        from pairhouse.machines.simulate.gpu import gpu_workers

        with gpu_workers(sampling.simulation) as crew:
            yield crew
    else:
        from pairhouse.machines.simulate.run import threads

        with working(f"{first_look(sampling, progress.seed)}Compiling the rule book"):
            if wanted is None or wanted - progress.rounds >= LONG_RUN:
                sampling.simulation.get_ready()
            _ = sampling.simulation.loop
        with threads(sampling.simulation, count) as crew:
            yield crew


def first_look(sampling: "Sampling", seed: int) -> str:
    """The estimate of the first rounds, shown while the compiler works; they are played again with the others."""
    if not sys.stderr.isatty():
        return ""
    from pairhouse.machines.simulate.interpreted import PLAIN_ROUNDS_MAX, plain_block

    name, ev, error = sampling.first(plain_block(sampling.simulation, seed, 0, PLAIN_ROUNDS_MAX))
    return f"{name} {ev:+.4f} ± {error:.4f} after {PLAIN_ROUNDS_MAX:,} rounds. "


@contextmanager
def recording(out: Path | None, sampling: "Sampling") -> Iterator[Any]:
    """A file that grows with every block, or nothing."""
    if out is None:
        yield lambda _block, _rounds, _counts: None
        return
    from pairhouse.analysis.simulation.block_file import block_file

    with block_file(out, sampling) as add:
        yield add


def stopper(sampling: "Sampling", start: float, seconds: float | None, error: float | None) -> Stop:
    """When a run without a number of rounds ends."""

    def stop(progress: "Progress") -> bool:
        if seconds is not None:
            return time.perf_counter() - start >= seconds
        return error is not None and sampling.first(progress.counts)[2] <= error

    return stop


@contextmanager
def shown_progress(
    sampling: "Sampling", progress: "Progress", wanted: int | None, start: float
) -> "Iterator[Callable[[Progress], bool]]":
    """A progress bar on a terminal, with the rate and the running estimate; what it gives never asks to stop."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _progress: False
        return
    columns = BarColumn(), TextColumn("{task.fields[status]}"), TimeRemainingColumn()
    before = progress.rounds
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=wanted, status="")
        last = 0.0

        def update(at: "Any") -> bool:
            nonlocal last
            now = time.perf_counter()
            if now - last > 0.2:
                last = now
                name, ev, error = sampling.first(at.counts)
                rate = (at.rounds - before) / max(now - start, 1e-9)
                status = f"{at.rounds:,} rounds, {rate / 1e6:.1f} M/s, {name} {ev:+.6f} ± {error:.6f}"
                bar.update(task, completed=at.rounds, status=status)
            return False

        yield update


def result(
    sampling: "Sampling", progress: "Progress", ran: int, seconds: float, workers: int, device: str
) -> dict[str, Any]:
    """The answer as a record."""
    return {
        "game": sampling.variant.game.id,
        "rounds": progress.rounds,
        "seconds": seconds,
        "rounds_per_second": ran / seconds,
        "workers": workers,
        "device": device,
        "seed": progress.seed,
        "strategy": sampling.way.name,
        "options": dict(sampling.variant.options),
        **({} if sampling.meter is None else {"meter": sampling.meter}),
        "rules_hash": sampling.variant.rules_hash,
        "wagers": sampling.estimates(progress.tally),
    }


def as_table(record: dict[str, Any]) -> Any:
    """The answer for a person."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    rate = record["rounds_per_second"] / 1e6
    lines = [f"{record['rounds']:,} rounds in {record['seconds']:.1f} s, {rate:.1f} M/s, seed {record['seed']}"]
    if "stopped" in record:
        lines.append(f"stopped; `--resume` goes on from {record['stopped']}")
    if any(found.ev is None for found in record["wagers"].values()):
        lines.append("A wager without figures was never at stake in these rounds.")
    table = Table(box=None, pad_edge=False)
    for name in ("wager", "simulated", "error", "exact", "z"):
        table.add_column(name, justify="left" if name == "wager" else "right")
    for wager, found in record["wagers"].items():
        cells = figure(found.ev), figure(found.stderr, sign=""), figure(found.exact), figure(found.z, 2)
        table.add_row(wager, *cells)
    return Group(*(Text(line, style="italic") for line in lines), table)


def figure(value: float | None, digits: int = 6, sign: str = "+") -> str:
    """A figure for a table; nothing where there is none."""
    return "" if value is None else f"{value:{sign}.{digits}f}"
