"""`pairhouse serve`, and `pairhouse key`: an API key for an operator or an administrator."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from pairhouse.cli.arguments import Json, write
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import MODULES_VARIABLE, given, outside_modules

Db = Annotated[
    str | None,
    typer.Option("--db", envvar="PAIRHOUSE_DB", help="postgresql://... or sqlite:///...; else a file of yours."),
]

SealingKey = Annotated[
    Path | None,
    typer.Option(envvar="PAIRHOUSE_SEALING_KEY", help="The file of the key that seals the books; else beside them."),
]
Signer = Annotated[
    str | None,
    typer.Option(envvar="PAIRHOUSE_SIGNER", metavar="COMMAND", help="A signing process that holds the sealing key."),
]
Anchor = Annotated[
    list[str] | None,
    typer.Option(
        envvar="PAIRHOUSE_ANCHORS",
        metavar="PLACE",
        help="Where heads of the log go: file:PATH, stdout, https://... or witness:KEY@URL; may be given again.",
    ),
]
AllowedHost = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME[,..]",
        help="A name this house is called by, or * for any; localhost and addresses in figures always are.",
    ),
]
TrustedProxy = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ADDRESS[,..]", help="A proxy whose X-Forwarded-For tells the caller's address; may be given again."
    ),
]
WorkerCount = Annotated[
    int | None,
    typer.Option(help="HTTP workers beside the bookkeeper; 0 does all in one process; else by cores.", min=0, max=16),
]
PolicyName = Annotated[
    str, typer.Option(metavar="NAME", help="What a jurisdiction asks: none, uk, social or a file (.toml).")
]
NoticeFile = Annotated[str | None, typer.Option(metavar="FILE", help="The operator's notice and help line, as TOML.")]
HelpLine = Annotated[
    str | None, typer.Option(metavar="'NUMBER ADDRESS'", help="Where players find help, shown on every page.")
]
Wallet = Annotated[list[str] | None, typer.Option(metavar="NAME=URL", help="An operator's wallet; may be given again.")]
MinRoundTime = Annotated[
    str | None,
    typer.Option(
        metavar="SECONDS",
        envvar="PAIRHOUSE_MIN_ROUND_TIME",
        help="Least time between two rounds of a player at any table, in place of the tables' own; 0 for none.",
    ),
]
WatchPlay = Annotated[
    str,
    typer.Option(
        envvar="PAIRHOUSE_WATCH",
        help="What may follow from results that chance does not explain: warn, limit, close, or off for no watch.",
    ),
]


def serve(
    game: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE]...", help="Games of your own, such as my_game.py; their code is run."),
    ] = None,
    db: Db = None,
    port: Annotated[int, typer.Option(help="Where to listen.", min=1, max=65535)] = 8000,
    host: Annotated[str, typer.Option(help="On which address.")] = "127.0.0.1",
    secure: Annotated[bool, typer.Option(help="Behind TLS: cookies are sent over it only.")] = False,
    wallet: Wallet = None,
    throttle: Annotated[bool, typer.Option(help="Limit how often one caller may ask.")] = True,
    workers: WorkerCount = None,
    trusted_proxy: TrustedProxy = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Begin anew when a file changes; without --db the books are then new too.")
    ] = False,
    allowed_host: AllowedHost = None,
    sealing_key: SealingKey = None,
    signer: Signer = None,
    anchor: Anchor = None,
    policy: PolicyName = "none",
    notice: NoticeFile = None,
    help_line: HelpLine = None,
    min_round_time: MinRoundTime = None,
    watch_play: WatchPlay = "warn",
) -> None:
    """Open the house: tables, API and pages at http://127.0.0.1:8000. Games are loaded from here only."""
    if watch:
        if not game:
            raise Refused("bad-option", "--watch needs a file to watch, such as `pairhouse serve my_game.py --watch`")
        from pairhouse.server.processes.hot_reload import serve_and_reload

        serve_and_reload(game, sys.argv[1:], has_books=db is not None)
        return
    ids = [given(words).id for words in game or []]
    os.environ[MODULES_VARIABLE] = ",".join(outside_modules())
    from pairhouse.house.sealing_key import SealOptions
    from pairhouse.server.run import ServeOptions, run

    run(
        ServeOptions(
            db,
            host,
            port,
            is_secure=secure,
            is_throttled=throttle,
            wallets=wallet or [],
            workers=workers,
            trusted_proxies=trusted_proxy or [],
            allowed_hosts=allowed_host or [],
            games=ids,
            sealing=SealOptions(sealing_key, signer, anchor or []),
            policy=policy,
            notice=notice,
            help_line=help_line,
            min_round_time=min_round_time,
            watch=watch_play,
        )
    )


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

    house = open_books(db, deals=False)
    try:
        if revoke:
            house.do(lambda tx: revoke_key(tx, name))
            return
        key_id, secret = house.do(lambda tx: new_key(tx, name, scope))
    finally:
        house.close()
    record = {"id": key_id, "key": secret, "scope": scope}
    write(to_json(record) if json else f"{secret}\n(id {key_id}, scope {scope}; it is not shown again)".encode())
