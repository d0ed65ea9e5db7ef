"""`pairhouse serve`, and what an operator does beside it: keys, audit, hold, void."""

from typing import Annotated

import typer

from pairhouse.cli.arguments import Json, write

Db = Annotated[
    str | None,
    typer.Option("--db", envvar="PAIRHOUSE_DB", help="postgresql://... or sqlite:///...; else a file of yours."),
]


def serve(
    db: Db = None,
    port: Annotated[int, typer.Option(help="Where to listen.", min=1, max=65535)] = 8000,
    host: Annotated[str, typer.Option(help="On which address.")] = "127.0.0.1",
    secure: Annotated[bool, typer.Option(help="Behind TLS: cookies are sent over it only.")] = False,
    wallet: Annotated[
        list[str] | None, typer.Option(metavar="NAME=URL", help="An operator's wallet; may be given again.")
    ] = None,
    throttle: Annotated[bool, typer.Option(help="Limit how often one caller may ask.")] = True,
    workers: Annotated[
        int | None,
        typer.Option(
            help="HTTP workers beside the bookkeeper; 0 does all in one process; else by cores.", min=0, max=16
        ),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS[,..]", help="A proxy whose X-Forwarded-For tells the caller's address; may be given again."
        ),
    ] = None,
) -> None:
    """Open the house: tables, API and pages at http://127.0.0.1:8000."""
    from pairhouse.server.run import ServeOptions, run

    options = ServeOptions(db, host, port, secure, throttle, wallet or [], workers, trusted_proxy or [])
    run(options)


def key(
    name: Annotated[str, typer.Argument(help="Whose key it is.")],
    scope: Annotated[str, typer.Option(help="operator or admin")] = "operator",
    revoke: Annotated[bool, typer.Option("--revoke", help="NAME is the id of a key to take back.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Make an API key for an operator or an administrator. It is shown once."""
    from pairhouse.house.people import new_key, revoke_key
    from pairhouse.rounds.records import to_json
    from pairhouse.server.run import open_books

    house = open_books(db)
    try:
        if revoke:
            house.do(lambda tx: revoke_key(tx, name))
            return
        key_id, secret = house.do(lambda tx: new_key(tx, name, scope))
    finally:
        house.close()
    record = {"id": key_id, "key": secret, "scope": scope}
    write(to_json(record) if json else f"{secret}\n(id {key_id}, scope {scope}; it is not shown again)".encode())
