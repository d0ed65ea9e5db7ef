"""The command that grants and withdraws free bets."""

import secrets
from typing import Annotated, Any

import typer

from pairhouse.cli.arguments import Json, write
from pairhouse.cli.books import house_of
from pairhouse.cli.serve import Db


def free_bet(
    player: Annotated[str | None, typer.Argument(metavar="PLAYER", help="A player, by name or id.")] = None,
    amount: Annotated[str | None, typer.Argument(metavar="AMOUNT", help="How much, such as 10.00.")] = None,
    days: Annotated[int, typer.Option("--days", help="For how many days it is good.")] = 30,
    table: Annotated[list[str] | None, typer.Option("--table", help="Good at this table; may be repeated.")] = None,
    game: Annotated[list[str] | None, typer.Option("--game", help="Good in this game; may be repeated.")] = None,
    wager: Annotated[list[str] | None, typer.Option("--wager", help="Good on this wager; may be repeated.")] = None,
    stake_returned: Annotated[bool, typer.Option("--stake-returned", help="A win returns the stake too.")] = False,
    key: Annotated[str | None, typer.Option("--key", help="A key: asked again with it, it is granted once.")] = None,
    withdraw: Annotated[str | None, typer.Option("--withdraw", metavar="ID", help="Take back what remains.")] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Grant a player a free bet, or withdraw one. `pairhouse report free-bets` lists them."""
    from pairhouse.core.errors import Refused
    from pairhouse.core.money import amount_text
    from pairhouse.house.care.periods import when_text
    from pairhouse.house.free_bets import FreeBet, FreeBetTerms, Scope, grant, player_named
    from pairhouse.house.free_bets import withdraw as take_back
    from pairhouse.rounds.records import to_json

    by, scope = "command line", Scope(tuple(table or ()), tuple(game or ()), tuple(wager or ()))
    found: FreeBet
    if withdraw is not None:
        with house_of(db) as house:
            found = house.do(lambda tx: take_back(tx, by, withdraw))
        words = "withdrawn; nothing remains of it"
    elif player is None or amount is None:
        raise Refused("bad-amount", "give a player and an amount, such as `pairhouse free-bet ada 10.00`")
    else:
        cents = _cents(amount)

        def give(tx: Any) -> FreeBet:
            terms = FreeBetTerms(player_named(tx, player), cents, days, scope, stake_returned)
            return grant(tx, by, key or secrets.token_hex(8), terms)

        with house_of(db) as house:
            found = house.do(give)
        words = f"{amount_text(found.granted)} for {scope.words}, good until {when_text(found.expires_at)}"
    write(to_json(found._asdict()) if json else f"Free bet {found.id}: {words}.")


def _cents(text: str) -> int:
    """An amount as people write it, in minor units."""
    from decimal import Decimal, InvalidOperation

    from pairhouse.core.errors import Refused, shown

    try:
        cents = Decimal(text) * 100
        if cents != int(cents) or not 0 < cents <= 10**15:
            raise ValueError
    except (InvalidOperation, ValueError, OverflowError):
        raise Refused("bad-amount", f"{shown(text)} is no amount; give one such as 10 or 2.50") from None
    return int(cents)
