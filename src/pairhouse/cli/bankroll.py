"""`pairhouse bankroll`: a betting plan and a bankroll over many sessions."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairhouse.cli.analysis import Decks, PaytableId, read_variant, show, working
from pairhouse.cli.arguments import GameId, Json, OptionWords, check_writable, read_count, write
from pairhouse.core.errors import Refused, shown
from pairhouse.rounds.records import to_json

if TYPE_CHECKING:
    from pairhouse.analysis.simulation.bankroll import MoneyReport

SMALLEST = 0.0001  # the least chance that is written out


def read_stakes(words: str) -> dict[str, int]:
    """`player=1,tie=2`: units on each wager."""
    stakes: dict[str, int] = {}
    for word in words.split(","):
        name, _, units = (part.strip() for part in word.partition("="))
        if not name or not units.isdecimal() or len(units) > 9:
            raise Refused("bad-plan", f"{shown(word)} is not a stake; write WAGER=UNITS, such as player=1")
        if name in stakes:
            raise Refused("bad-plan", f"{name} has two stakes; name every wager once")
        stakes[name] = int(units)
    return stakes


def bankroll(
    game: GameId,
    stake: Annotated[
        str, typer.Option("--stake", metavar="WAGER=UNITS,...", help="What is bet every round, such as player=1,tie=2.")
    ],
    units: Annotated[int, typer.Option("--bankroll", help="Units at the start.")] = 100,
    rounds: Annotated[str, typer.Option("--rounds", metavar="N", help="Rounds of a session, at most.")] = "500",
    sessions: Annotated[str, typer.Option("--sessions", metavar="N", help="How many sessions.")] = "20000",
    stop_win: Annotated[int | None, typer.Option("--stop-win", help="Leave when so many units ahead.")] = None,
    stop_loss: Annotated[int | None, typer.Option("--stop-loss", help="Leave when so many units behind.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same sessions.")] = 1,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the results; the name says how: .svg, .png ...")
    ] = None,
    decks: Decks = None,
    paytable: PaytableId = None,
    option: OptionWords = None,
    json: Json = False,
) -> None:
    """Money over time: results, drawdown and ruin of a betting plan, beside the diffusion approximation.

    A session ends after its rounds, at a stop rule, or in ruin: when the money
    left does not cover another round, which is every stake with all that may
    follow it (Play after an ante; splits, doubles, insurance at blackjack).
    """
    planned, wanted = read_count(rounds, "--rounds") or 1, read_count(sessions, "--sessions") or 1
    from pairhouse.analysis.simulation.bankroll import Plan, check_picture, picture, play_plan

    plan = Plan(read_stakes(stake), units, planned, stop_win, stop_loss)
    if plot is not None:
        check_picture(plot)
        check_writable(plot)
    variant = read_variant(game, decks, paytable, option)
    with working("Playing sessions"):
        played = play_plan(variant, plan, wanted, seed)
    if plot is not None:
        picture(played, plot)
    found = played.report()
    write(to_json(found)) if json else show(money_table(found))


def money_table(found: "MoneyReport") -> Any:
    """The report for a person."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    plan = found.plan
    title = f"{found.sessions:,} sessions of up to {plan.rounds:,} rounds with {plan.bankroll:,} units"
    table = Table(box=None, pad_edge=False)
    for name in ("", "1 %", "5 %", "25 %", "50 %", "75 %", "95 %", "99 %"):
        table.add_column(name, justify="right")
    table.add_row("result", *(f"{value:+,.1f}" for value in found.quantiles))
    table.add_row("drawdown", *(f"{value:,.1f}" for value in found.drawdown_quantiles))
    needs = ", ".join(f"{name} {units:,}" for name, units in found.round_needs.items())
    error = "" if found.mean_stderr is None else f" ± {found.mean_stderr:.2f}"
    lines = [
        f"mean {found.mean:+,.2f}{error} units, ahead in {found.ahead:.1%} of sessions",
        f"ruined: {ruined_text(found)}",
        f"ruin is to have less left than a round can need: {sum(found.round_needs.values()):,} units ({needs})",
    ]
    if found.rounds_to_ruin_median is not None:
        lines[1] += f", after {found.rounds_to_ruin_median:,.0f} rounds in the median"
    if found.ruined_diffusion is not None:
        lines.append(f"by diffusion: {chance_text(found.ruined_diffusion)}; {found.diffusion_assumes}")
    return Group(Text(title, style="italic"), table, *lines)


def ruined_text(found: "MoneyReport") -> str:
    """How many sessions were ruined; where all or none were, what that says of the chance (the rule of three)."""
    if found.ruined_stderr is not None:
        return f"{found.ruined_sessions:,} sessions, {found.ruined:.2%} ± {found.ruined_stderr:.2%}"
    bound = 3 / found.sessions
    if bound > 0.5:
        return f"{found.ruined_sessions} of {found.sessions}, too few to say more"
    if found.ruined_sessions:
        return f"all {found.sessions:,} sessions: the chance is above {1 - bound:.2%}, with 95% confidence"
    return f"none of {found.sessions:,} sessions: the chance is below {bound:.2%}, with 95% confidence"


def chance_text(chance: float) -> str:
    """A chance in per cent; one that would be written as nought is said to be below a bound."""
    return f"{chance:.2%}" if not 0 < chance < SMALLEST else f"below {SMALLEST:.2%}"
