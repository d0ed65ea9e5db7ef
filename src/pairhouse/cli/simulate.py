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

from pairhouse.cli.analysis import Decks, PaytableId, read_variant, show, working
from pairhouse.cli.arguments import GameId, Json, OptionWords, read_count, write
from pairhouse.core.errors import Refused, one_of
from pairhouse.core.game import Variant
from pairhouse.rounds.records import to_json

if TYPE_CHECKING:  # the compiler is loaded by these commands only, when they run
    from pairhouse.analysis.simulation.agreement import Agreement
    from pairhouse.analysis.simulation.sampling import Sampling
    from pairhouse.analysis.simulation.shoe_report import ShoeReport
    from pairhouse.machines.simulate.run import Progress, Workers

Stop = Callable[["Progress"], bool]
DEVICES = ("cpu", "cuda")
ROUNDS_DEFAULT = 10**8
LONG_RUN = 10**8


def check_positive(number: float | None, name: str) -> None:
    """Seconds and errors are above zero."""
    if number is not None and not 0 < number < float("inf"):
        raise Refused("bad-number", f"{name} {number:g} is not possible; give a number above 0")


def read_length(rounds: str | None, seconds: float | None, until_error: float | None) -> int | None:
    """How many rounds are wanted; None where something else says when to stop."""
    if (rounds is not None) + (seconds is not None) + (until_error is not None) > 1:
        raise Refused("bad-option", "give only one of --rounds, --seconds and --until-error")
    return read_count(rounds, "--rounds") or (ROUNDS_DEFAULT if seconds is None and until_error is None else None)


def check_crew(workers: int | None, device: str) -> None:
    """Who runs the rounds, and where."""
    if device not in DEVICES:
        raise Refused("bad-option", f"device {device!r} is unknown; choose {one_of(DEVICES)}")
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
    strategy: Annotated[
        str, typer.Option("--strategy", metavar="best|basic|NAME|FILE", help="How choices are made.")
    ] = "best",
    wagers: Annotated[str | None, typer.Option("--wagers", metavar="ID,...", help="Only these wagers.")] = None,
    meter: Annotated[
        int | None, typer.Option("--meter", help="What a progressive meter shows; its seed unless told.")
    ] = None,
    workers: Annotated[int | None, typer.Option("--workers", help="Threads; one a core unless told.")] = None,
    device: Annotated[str, typer.Option("--device", metavar="cpu|cuda", help="Where the rounds run.")] = "cpu",
    cluster: Annotated[str | None, typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where Ctrl-C stopped.")] = False,
    state: Annotated[Path | None, typer.Option("--state", metavar="FILE", help="Where a stopped run is kept.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.parquet", help="Every block, for analysis.")
    ] = None,
    json: Json = False,
) -> None:
    """Simulate rounds of a game, all wagers at once, held to the exact prices."""
    check_positive(seconds, "--seconds")
    check_positive(until_error, "--until-error")
    check_crew(workers, device)
    wanted = read_length(rounds, seconds, until_error)
    from pairhouse.analysis.simulation.sampling import Sampling, check_seed
    from pairhouse.machines.simulate.interpreted import PLAIN_ROUNDS_MAX, interpreter
    from pairhouse.machines.stored import stored_tallies

    chosen = check_seed(secrets.randbits(64) if seed is None else seed)
    with working("Preparing strategy and prices"), stored_tallies():
        named = wagers.split(",") if wagers else None
        here = device == "cpu" and cluster is None and workers in (None, 1) and not resume
        short = here and wanted is not None and wanted <= PLAIN_ROUNDS_MAX
        variant = read_variant(game, decks, paytable, option)
        sampling = Sampling.of(variant, strategy, named, hurried=short, meter=shown_on_meter(variant, meter))
        _ = sampling.exact
    file = state or Path(f"pairhouse-simulate-{game}.json")
    progress = sampling.resume(file) if resume else sampling.begin(chosen)
    hire = interpreter(sampling.simulation) if short else hired(sampling, progress, wanted, workers, device, cluster)
    with recording(out, sampling) as each, hire as crew:
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

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are started deaf to it
    if wanted is not None and progress.rounds >= wanted:
        raise Refused("bad-number", f"{progress.rounds} rounds are done already; give more than that to go on")
    go_on(crew, progress, wanted, stop, each)


@contextmanager
def hired(
    sampling: "Sampling", progress: "Progress", wanted: int | None, count: int | None, device: str, cluster: str | None
) -> "Iterator[Workers]":
    """Whoever runs the blocks; the rate is measured after they are ready."""
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
    """What the first rounds came to, for a person who waits for the compiler; they are played again with the others."""
    if not sys.stderr.isatty():
        return ""
    from pairhouse.machines.simulate.interpreted import PLAIN_ROUNDS_MAX, plain_block

    name, ev, error = sampling.first(plain_block(sampling.simulation, seed, 0, PLAIN_ROUNDS_MAX))
    return f"{name} {ev:+.4f} ± {error:.4f} after {PLAIN_ROUNDS_MAX:,} rounds. "


@contextmanager
def recording(out: Path | None, sampling: "Sampling") -> Iterator[Any]:
    """A Parquet file that grows by a group of rows a block, or nothing."""
    if out is None:
        yield lambda _block, _rounds, _counts: None
        return
    from pairhouse.analysis.simulation.block_file import BlockFile

    with BlockFile(out, sampling) as file:
        yield file.add


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
    """A bar with rounds a second and the running estimate, on a terminal; never says stop."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _progress: False
        return
    columns = BarColumn(), TextColumn("{task.fields[told]}"), TimeRemainingColumn()
    before = progress.rounds
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=wanted, told="")
        last = 0.0

        def update(at: "Any") -> bool:
            nonlocal last
            now = time.perf_counter()
            if now - last > 0.2:
                last = now
                name, ev, error = sampling.first(at.counts)
                rate = (at.rounds - before) / max(now - start, 1e-9)
                told = f"{at.rounds:,} rounds, {rate / 1e6:.1f} M/s, {name} {ev:+.6f} ± {error:.6f}"
                bar.update(task, completed=at.rounds, told=told)
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
    from rich.table import Table

    rate = record["rounds_per_second"] / 1e6
    title = f"{record['rounds']:,} rounds in {record['seconds']:.1f} s, {rate:.1f} M/s, seed {record['seed']}"
    if "stopped" in record:
        title += f"\nstopped; `--resume` goes on from {record['stopped']}"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for name in ("wager", "simulated", "error", "exact", "z"):
        table.add_column(name, justify="left" if name == "wager" else "right")
    for wager, found in record["wagers"].items():
        exact = "" if found.exact is None else f"{found.exact:+.6f}"
        z = "" if found.z is None else f"{found.z:+.2f}"
        table.add_row(wager, f"{found.ev:+.6f}", f"{found.stderr:.6f}", exact, z)
    return table


def agree(
    game: GameId,
    rounds: Annotated[str, typer.Option("--rounds", help="Simulated rounds, such as 1e8.")] = "1e8",
    dealt: Annotated[str, typer.Option("--dealt", help="Rounds dealt with a table's own shuffles.")] = "5000",
    seed: Annotated[int, typer.Option("--seed", help="The seed of the simulated rounds.")] = 1,
    decks: Decks = None,
    paytable: PaytableId = None,
    option: OptionWords = None,
    strategy: Annotated[
        str, typer.Option("--strategy", metavar="best|basic|NAME|FILE", help="How choices are made.")
    ] = "best",
    workers: Annotated[int | None, typer.Option("--workers", help="Threads; one a core unless told.")] = None,
    json: Json = False,
) -> None:
    """Exact against simulated against really dealt, with one verdict; exit status 1 when they disagree."""
    simulated, really = read_count(rounds, "--rounds"), read_count(dealt, "--dealt")
    from pairhouse.analysis.simulation.agreement import agreement
    from pairhouse.analysis.simulation.sampling import check_seed
    from pairhouse.rounds.shuffle import fresh_cards

    variant = read_variant(game, decks, paytable, option)
    with working("Simulating and dealing"):
        found = agreement(
            variant,
            simulated or 1,
            check_seed(seed),
            strategy=strategy,
            dealt_rounds=really or 0,
            shuffled=fresh_cards,
            workers=workers,
        )
    write(to_json(found)) if json else show(agreement_table(found))
    raise typer.Exit(0 if found.agrees else 1)


def agreement_table(found: "Agreement") -> Any:
    """The verdict and its grounds for a person."""
    from rich.console import Group
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name in ("wager", "exact", "simulated", "z", "dealt", "z"):
        table.add_column(name, justify="left" if name == "wager" else "right")
    for wager, three in found.wagers.items():
        dealt = ("", "") if three.dealt is None else (f"{three.dealt.ev:+.4f}", _z(three.dealt.z))
        exact = "" if three.exact is None else f"{three.exact:+.6f}"
        table.add_row(wager, exact, f"{three.simulated.ev:+.6f}", _z(three.simulated.z), *dealt)
    joint = [
        f"{test.what}: chi-square {test.statistic:.1f} on {test.degrees} degrees, p = {test.p:.3g}"
        for test in found.tests
        if test.degrees is not None
    ]
    verdict = f"{'AGREES' if found.agrees else 'DISAGREES'}: the least likely of {len(found.tests)} tests has p = "
    verdict += f"{found.least_p:.3g}; {found.allowed_p:.3g} is allowed ({found.how})."
    return Group(table, *joint, verdict)


def _z(z: float | None) -> str:
    return "" if z is None else f"{z:+.2f}"


def shoes(
    game: GameId,
    number: Annotated[str, typer.Option("--shoes", help="How many shoes are dealt down.")] = "20000",
    by: Annotated[str, typer.Option("--by", metavar="depth|running|true", help="How rounds are sorted.")] = "depth",
    tags: Annotated[
        str | None, typer.Option("--tags", metavar="RANK=NUMBER,...", help="A count; Hi-Lo unless told.")
    ] = None,
    cut: Annotated[int | None, typer.Option("--cut", help="Cards behind the cut card.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same shoes.")] = 1,
    decks: Decks = None,
    paytable: PaytableId = None,
    option: OptionWords = None,
    strategy: Annotated[
        str, typer.Option("--strategy", metavar="best|basic|NAME|FILE", help="How choices are made.")
    ] = "best",
    wagers: Annotated[str | None, typer.Option("--wagers", metavar="ID,...", help="Only these wagers.")] = None,
    json: Json = False,
) -> None:
    """Whole shoes with burn and cut card: every wager's price by depth, or by a count."""
    wanted = read_count(number, "--shoes")
    from pairhouse.analysis.simulation.shoe_report import HI_LO, shoe_report

    variant = read_variant(game, decks, paytable, option)
    with working("Dealing shoes"):
        found = shoe_report(
            variant,
            wanted or 1,
            seed,
            by=by,
            tags=HI_LO if tags is None else tags,
            strategy=strategy,
            wagers=wagers.split(",") if wagers else None,
            behind_cut=cut,
        )
    write(to_json(found)) if json else show(shoe_table(found))


def shoe_table(found: "ShoeReport") -> Any:
    """The report for a person: a row a bin, a column a wager (the first eight)."""
    from rich.table import Table

    names = list(found.all)[:8]
    title = f"{found.shoes:,} shoes, {found.rounds:,} rounds, {found.cards_behind_cut} cards behind the cut card"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("cards gone" if found.by == "depth" else f"{found.by} count", justify="right")
    table.add_column("rounds", justify="right")
    for name in names:
        table.add_column(name, justify="right")
    for one in found.bins:
        cells = [f"{one.wagers[n].ev:+.4f} ± {one.wagers[n].stderr:.4f}" for n in names]
        table.add_row(str(one.least), f"{one.rounds:,}", *cells)
    table.add_row("all", f"{found.rounds:,}", *[f"{found.all[n].ev:+.4f} ± {found.all[n].stderr:.4f}" for n in names])
    return table
