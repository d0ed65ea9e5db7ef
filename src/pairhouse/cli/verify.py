"""`pairhouse verify`: deal and settle a closed round again from its revealed seeds."""

from typing import Annotated

import typer

from pairhouse.cli.arguments import GameFile, Json, read_content, write
from pairhouse.rounds.records import to_json


def verify(
    file: Annotated[str, typer.Argument(metavar="ROUND.json|-", help="A closed round; - reads standard input.")],
    json: Json = False,
    game: GameFile = None,
) -> None:
    """Check a closed round against its seeds: commitment, shuffle, cards and settlement. Exit 1 if it differs."""
    from pairhouse.rounds.verify import first_difference, read_closed
    from pairhouse.rounds.verify import verify as findings_of

    findings = findings_of(read_closed(read_content(file)))
    difference = first_difference(findings)
    if json:
        write(to_json({"same": difference is None, "findings": findings}))
    else:
        for finding in findings:
            write(f"{'✓' if finding.holds else '✗'} {finding.check}: {finding.says}")
        write("The round is the one its seeds deal." if difference is None else f"Different: {difference.says}.")
    if difference is not None:
        raise typer.Exit(1)
