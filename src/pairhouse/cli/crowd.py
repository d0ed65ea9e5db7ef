"""`pairhouse crowd`: simulated players at a live table of a house that is open."""

import secrets
from typing import Annotated

import typer

from pairhouse.cli.arguments import Json, write
from pairhouse.core.errors import Refused


def crowd(
    table: Annotated[str, typer.Option("--table", metavar="ID|GAME", help="A live table, or a game that has one.")],
    players: Annotated[int, typer.Option("--players", metavar="N", help="How many come.")] = 6,
    house: Annotated[str, typer.Option("--house", metavar="URL", help="Where the house is.")] = "http://127.0.0.1:8000",
    kind: Annotated[
        str,
        typer.Option(
            "--kind", metavar="KIND,...", help="best, basic, careless, slow, leaving, lying; they take turns."
        ),
    ] = "basic,careless",
    rounds: Annotated[int | None, typer.Option("--rounds", metavar="N", min=1, help="Rounds of each player.")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", metavar="S", min=0.1, help="For how long.")] = None,
    think: Annotated[float, typer.Option("--think", metavar="S", min=0, max=60, help="Time for each act.")] = 0.5,
    seed: Annotated[int | None, typer.Option("--seed", help="The same bets and choices again.")] = None,
    json: Json = False,
) -> None:
    """Simulated players at a live table, over the house's HTTP API, as guests with play money.

    Without --rounds or --seconds they stay until Ctrl-C. Whatever a lying player tries has to be refused; if the house
    takes one of their lies, this ends with an error.
    """
    import asyncio
    import signal

    from pairhouse.crowd.crowd import Crowd, read_kinds
    from pairhouse.rounds.records import to_json

    kinds = read_kinds(kind)
    chosen = secrets.randbelow(10**9) if seed is None else seed

    async def visit() -> None:
        here = Crowd(house, players, kinds, chosen, think)
        task = asyncio.create_task(here.play(table, rounds, seconds, None if json else write))
        loop = asyncio.get_running_loop()
        stopped = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stopped.set)
        waiting = asyncio.create_task(stopped.wait())
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if not task.done():
            here.end()
        summary = await task
        write(to_json(summary) if json else summary.text())
        if summary.lies_taken:
            raise Refused("lie-taken", f"the house took what it has to refuse: {one_by_one(here.journal.taken)}")

    asyncio.run(visit())


def one_by_one(lies: list[str]) -> str:
    return ", ".join(dict.fromkeys(lies))
