"""`pairhouse staff`: accounts of the people who work in the pit."""

import sys
from typing import Annotated

import typer

from pairhouse.cli.arguments import Json, write
from pairhouse.cli.serve import Db

PASSWORD_MIN, PASSWORD_MAX = 10, 128
staff = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    help="Accounts of supervisors: add one, list all, let somebody in or not.",
)
Who = Annotated[str, typer.Argument(help="The name to sign in with.")]


@staff.command()
def add(
    name: Who,
    role: Annotated[str, typer.Option(help="supervisor, or dealer: who closes bets and turns cards")] = "supervisor",
    db: Db = None,
) -> None:
    """Give somebody an account. The password is asked for, or read from standard input."""
    from pairhouse.house.people import password_hash
    from pairhouse.house.staff import add_member
    from pairhouse.server.run import open_books

    hashed = password_hash(_new_password())
    house = open_books(db, deals=False)
    try:
        house.do(lambda tx: add_member(tx, name, role, hashed))
    finally:
        house.close()
    write(f"{name} may sign in at /#/pit as {role}.")


@staff.command()
def disable(name: Who, db: Db = None) -> None:
    """Let somebody in no more; their sessions end."""
    _change(name, "disabled", db)


@staff.command()
def enable(name: Who, db: Db = None) -> None:
    """Let somebody in again."""
    _change(name, "active", db)


@staff.command("list")
def list_all(db: Db = None, json: Json = False) -> None:
    """Everybody on the staff."""
    from pairhouse.cli.books import reading
    from pairhouse.house.staff import everybody
    from pairhouse.rounds.records import to_json
    from pairhouse.rounds.round_view import at_text

    with reading(db) as tx:
        found = [
            {"name": name, "role": role, "status": status, "since": at_text(at)}
            for name, role, status, at in everybody(tx)
        ]
    lines = [f"{one['name']}  {one['role']}, {one['status']}, since {one['since']}" for one in found]
    write(to_json(found) if json else "\n".join(lines or ["There is nobody on the staff; `pairhouse staff add NAME`."]))


def _change(name: str, status: str, db: str | None) -> None:
    from pairhouse.house.staff import change_member
    from pairhouse.server.run import open_books

    house = open_books(db, deals=False)
    try:
        house.do(lambda tx: change_member(tx, name, status))
    finally:
        house.close()


def _new_password() -> str:
    """A password that was typed twice, or the first line of standard input."""
    from pairhouse.core.errors import Refused

    if sys.stdin.isatty():
        given = str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    else:
        given = sys.stdin.readline().rstrip("\n")
    if not PASSWORD_MIN <= len(given) <= PASSWORD_MAX:
        raise Refused(
            "bad-password", f"a password has {PASSWORD_MIN} to {PASSWORD_MAX} characters; {len(given)} were given"
        )
    return given
