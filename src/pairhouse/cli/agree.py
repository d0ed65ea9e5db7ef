"""`pairhouse agree`: exact, simulated and really dealt prices compared, with one verdict."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairhouse.cli.analysis import Decks, PaytableId, read_variant, show, working
from pairhouse.cli.arguments import GameId, Json, OptionWords, read_count, write
from pairhouse.cli.simulate import StrategyName, Threads, check_workers, figure
from pairhouse.core.errors import Refused
from pairhouse.rounds.records import to_json

if TYPE_CHECKING:  # the compiler is loaded by this command only, when it runs
    from pairhouse.analysis.simulation.agreement import Agreement

ROUNDS_LEAST, DEALT_LEAST = 1000, 100  # of fewer rounds chi-square and z say little


def agree(
    game: GameId,
    rounds: Annotated[str, typer.Option("--rounds", help="Simulated rounds, such as 1e8.")] = "1e8",
    dealt: Annotated[str, typer.Option("--dealt", help="Rounds dealt with a table's own shuffles.")] = "5000",
    seed: Annotated[int, typer.Option("--seed", help="The seed of the simulated rounds.")] = 1,
    decks: Decks = None,
    paytable: PaytableId = None,
    option: OptionWords = None,
    strategy: StrategyName = "best",
    workers: Threads = None,
    json: Json = False,
) -> None:
    """Exact against simulated against really dealt, with one verdict; exit status 1 when they disagree."""
    simulated, really = read_count(rounds, "--rounds") or 0, read_count(dealt, "--dealt") or 0
    check_workers(workers)
    for name, number, least in (("--rounds", simulated, ROUNDS_LEAST), ("--dealt", really, DEALT_LEAST)):
        if number < least:
            raise Refused("bad-number", f"{name} {number} is too few for a verdict; give {least} or more")
    from pairhouse.analysis.simulation.agreement import agreement
    from pairhouse.analysis.simulation.sampling import check_seed
    from pairhouse.rounds.shuffle import fresh_cards

    variant = read_variant(game, decks, paytable, option)
    with working("Simulating and dealing"):
        found = agreement(
            variant,
            simulated,
            check_seed(seed),
            strategy=strategy,
            dealt_rounds=really,
            shuffled=fresh_cards,
            workers=workers,
        )
    write(to_json(found)) if json else show(agreement_table(found))
    raise typer.Exit(0 if found.agrees else 1)


def agreement_table(found: "Agreement") -> Any:
    """The verdict and its grounds for a person."""
    from rich.console import Group
    from rich.table import Table

    from pairhouse.analysis.simulation.significance import p_text

    table = Table(box=None, pad_edge=False)
    for name in ("wager", "exact", "simulated", "z", "dealt", "z"):
        table.add_column(name, justify="left" if name == "wager" else "right")
    for wager, three in found.wagers.items():
        cells = [figure(three.exact), figure(three.simulated.ev), figure(three.simulated.z, 2)]
        if three.dealt is not None:
            cells += [figure(three.dealt.ev, 4), figure(three.dealt.z, 2)]
        table.add_row(wager, *cells)
    joint = [
        f"{test.what}: chi-square {test.statistic:.1f} on {test.degrees} degrees, {p_text(test.p)}"
        for test in found.tests
        if test.degrees is not None
    ]
    verdict = f"{'AGREES' if found.agrees else 'DISAGREES'}: the least likely of {len(found.tests)} tests has "
    verdict += f"{p_text(found.least_p)}; {found.allowed_p:.3g} is allowed ({found.how})."
    return Group(table, *joint, verdict)
