"""Routes of a player's own figures: statistics, all rounds as a file, and a review of the choices in a round."""

import csv
import io
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from litestar import Response, Router, get
from litestar.response import Stream

from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.house.floor import read_table
from pairhouse.house.history import CountedRound, closed_rounds, past_rounds
from pairhouse.house.people import Person
from pairhouse.house.store.database import Tx
from pairhouse.machines.events import View
from pairhouse.rounds.round_view import OPEN, RoundSummary
from pairhouse.server.desk import DeskHere, Token
from pairhouse.server.http.errors import WITH_SESSION, problems
from pairhouse.server.models import AdviceRecord, Review, ReviewedChoice, Statistics
from pairhouse.server.reading.statistics import statistics_of
from pairhouse.server.routes.rounds import RoundId
from pairhouse.server.routes.tables import IdQuery
from pairhouse.server.routes.times import TimeQuery, period_of

ROUNDS_MAX, LIVE_ROUNDS_MAX = 20_000, 500
PAGE = 500
COLUMNS = ("round", "opened_at", "closed_at", "game", "table", "state", "staked", "returned", "net", "wagers")


@get("/players/me/statistics", responses=problems(*WITH_SESSION))
async def statistics(
    desk: DeskHere, token: Token, game: IdQuery = None, since: TimeQuery = None, until: TimeQuery = None
) -> Statistics:
    """Your results by game and wager against their exact expectation, and your streaks."""
    period = period_of(since, until)
    desk.throttle.check("statistics", token)

    def ask(tx: Tx, person: Person) -> tuple[list[CountedRound], bool]:
        return closed_rounds(tx, person.id, game, period, ROUNDS_MAX, LIVE_ROUNDS_MAX)

    found, is_all = await desk.read_as(token, ask)
    return await desk.counting.run(lambda: statistics_of(found[::-1], desk.prices, is_all))


@get("/players/me/rounds.csv", media_type="text/csv", responses=problems(*WITH_SESSION))
async def export(
    desk: DeskHere, token: Token, game: IdQuery = None, since: TimeQuery = None, until: TimeQuery = None
) -> Stream:
    """Every round of yours as a file for a spreadsheet, newest first; amounts in whole units."""
    period = period_of(since, until)
    desk.throttle.check("statistics", token)

    async def page(before: str | None) -> list[RoundSummary]:
        def ask(tx: Tx, person: Person) -> list[RoundSummary]:
            return past_rounds(tx, person.id, game=game, table=None, before=before, limit=PAGE, period=period)

        return await desk.read_as(token, ask)

    first = await page(None)

    async def lines() -> AsyncIterator[bytes]:
        yield csv_text([COLUMNS])
        found = first
        while found:
            yield csv_text([_row(one) for one in found])
            found = await page(found[-1].id) if len(found) == PAGE else []

    headers = {"Content-Disposition": 'attachment; filename="rounds.csv"'}
    return Stream(lines(), headers=headers, media_type="text/csv; charset=utf-8")


def csv_text(rows: list[Any]) -> bytes:
    """Rows as lines of a CSV file."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return out.getvalue().encode()


def plain(minor: int) -> str:
    """An amount as a spreadsheet reads it: `-1234.50`."""
    return f"{'-' if minor < 0 else ''}{abs(minor) // 100}.{abs(minor) % 100:02d}"


def _row(one: RoundSummary) -> list[str]:
    bets = [
        f"seat {seat} {name}: {plain(bet['stake'])}"
        for seat, wagers in enumerate(one.wagers, start=1)
        for name, bet in wagers.items()
    ]
    money = [plain(amount) if amount is not None else "" for amount in (one.staked, one.returned, one.net)]
    return [one.id, one.opened_at, one.closed_at or "", one.game, one.table, one.state, *money, "; ".join(bets)]


@get("/rounds/{round_id:str}/review", responses=problems(*WITH_SESSION, 404, 409))
async def review(round_id: RoundId, desk: DeskHere, token: Token) -> Response[Review]:
    """Each choice you made in a closed round: what every action was worth, and what yours cost."""
    pit = desk.books.pit

    def ask(tx: Tx, person: Person) -> tuple[Variant, list[str], list[View]]:
        stored = pit.find(tx, round_id, person.id)
        if not read_table(tx, stored.table_id).advice:
            raise Refused("no-advice", f"table {stored.table_id} gives no advice")
        if stored.state == OPEN:
            raise Refused("round-open", "the round is still open; its choices are reviewed once it is closed")
        words = pit.view(tx, round_id, person.id).choices
        views: list[View] = [pit.view_after(tx, stored, number, 0, 0).view for number in range(len(words))]
        return stored.variant, words, views

    variant, words, views = await desk.read_as(token, ask)
    reviewed: list[ReviewedChoice] = []
    for number, (word, view) in enumerate(zip(words, views, strict=True)):
        desk.throttle.check("advice", token)
        advice = msgspec.json.decode(await desk.solver.advise(variant, view), type=AdviceRecord)
        cost = float(advice.options[advice.best].value) - float(advice.options[word].value)
        reviewed.append(
            ReviewedChoice(number=number, choice=word, best=advice.best, cost=f"{max(0.0, cost):.12f}", advice=advice)
        )
    return Response(Review(reviewed))


router = Router("/", route_handlers=[statistics, export, review], tags=["rounds"])
