"""`pairhouse bankroll`: a betting plan and a bankroll over many sessions."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairhouse.cli.analysis import Decks, PaytableId, read_variant, show, working
from pairhouse.cli.arguments import GameId, Json, OptionWords, write
from pairhouse.core.errors import Refused
from pairhouse.rounds.records import to_json

if TYPE_CHECKING:
    from pairhouse.analysis.simulation.bankroll import MoneyReport

SESSIONS_MAX = 10**7


def read_stakes(words: str) -> dict[str, int]:
    """`player=1,tie=2`: units on each wager."""
    pairs = [word.partition("=") for word in words.split(",")]
    for name, _, units in pairs:
        if not units.isdecimal() or not 0 < int(units) <= 10**6:
            raise Refused("bad-plan", f"{name}={units} is not a stake; write WAGER=UNITS, such as player=1")
    return {name: int(units) for name, _, units in pairs}


def bankroll(
    game: GameId,
    stake: Annotated[str, typer.Option("--stake", metavar="WAGER=UNITS,...", help="What is bet every round.")],
    units: Annotated[int, typer.Option("--bankroll", help="Units at the start.")] = 100,
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds of a session.")] = 500,
    sessions: Annotated[int, typer.Option("--sessions", help="How many sessions.")] = 20_000,
    stop_win: Annotated[int | None, typer.Option("--stop-win", help="Leave when so many units ahead.")] = None,
    stop_loss: Annotated[int | None, typer.Option("--stop-loss", help="Leave when so many units behind.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same sessions.")] = 1,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw the results (svg, png).")] = None,
    decks: Decks = None,
    paytable: PaytableId = None,
    option: OptionWords = None,
    json: Json = False,
) -> None:
    """Money over time: results, drawdown and ruin of a betting plan, beside the diffusion approximation."""
    if not 1 <= sessions <= SESSIONS_MAX:
        raise Refused("bad-number", f"{sessions} sessions are not possible; give 1 to {SESSIONS_MAX}")
    from pairhouse.analysis.simulation.bankroll import Plan, money_report, picture

    plan = Plan(read_stakes(stake), units, rounds, stop_win, stop_loss)
    variant = read_variant(game, decks, paytable, option)
    with working("Playing sessions"):
        found = money_report(variant, plan, sessions, seed, with_finals=plot is not None)
    if plot is not None:
        picture(found, str(plot))
    write(to_json(found)) if json else show(money_table(found))


def money_table(found: "MoneyReport") -> Any:
    """The report for a person."""
    from rich.table import Table

    told = f"{found.sessions:,} sessions of {found.plan.rounds:,} rounds with {found.plan.bankroll:,} units"
    table = Table(title=told, title_justify="left", box=None, pad_edge=False)
    for name in ("", "1 %", "5 %", "25 %", "50 %", "75 %", "95 %", "99 %"):
        table.add_column(name, justify="right")
    table.add_row("result", *(f"{value:+,.1f}" for value in found.quantiles))
    table.add_row("drawdown", *(f"{value:,.1f}" for value in found.drawdown_quantiles))
    ruin = f"{found.ruined:.2%}" + (
        "" if found.ruined_diffusion is None else f" ({found.ruined_diffusion:.2%} by diffusion)"
    )
    median = (
        ""
        if found.rounds_to_ruin_median is None
        else f", then after {found.rounds_to_ruin_median:,.0f} rounds (median)"
    )
    table.caption = f"mean {found.mean:+,.2f}, ahead {found.ahead:.1%}, ruined {ruin}{median}"
    return table
