"""Routes of games and tables: what is offered, at what price, and a seat at it."""

from functools import lru_cache
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from markdown_it import MarkdownIt

from pairhouse.core.game import Variant
from pairhouse.games.catalogue import GAMES, find
from pairhouse.house.floor import FloorTable, listed_ids, read_table
from pairhouse.house.people import Person
from pairhouse.house.store.database import Tx
from pairhouse.rounds.round_view import at_text
from pairhouse.rounds.rulebook import numbered_rules, read_book
from pairhouse.rounds.texts import house_texts
from pairhouse.server.desk import Desk, DeskHere, Token
from pairhouse.server.http.callers import visitor
from pairhouse.server.http.compression import public_json
from pairhouse.server.http.errors import WITH_BODY, WITH_SESSION, problems
from pairhouse.server.models import (
    GameOffer,
    Games,
    Nothing,
    NumberedText,
    Rotation,
    RuleBook,
    Seat,
    SeedRecord,
    Seeds,
    TableRecord,
    Tables,
)
from pairhouse.server.models.words import END
from pairhouse.server.processes.protocol import RotateSeed, Sit
from pairhouse.server.reading.table_records import in_brief, published_game, table_record

ID = rf"^[A-Za-z0-9_-]{{1,64}}{END}"
PathId = Annotated[str, PathParameter(pattern=ID)]
Brief = Annotated[bool, QueryParameter()]
BOOKS_KEPT = 64
IdQuery = Annotated[str | None, QueryParameter(pattern=ID)]


def all_tables(tx: Tx) -> list[FloorTable]:
    """Every table, in the order of the floor."""
    return [read_table(tx, table_id) for table_id in listed_ids(tx)]


@get("/games", guards=[visitor], responses=problems())
async def games(desk: DeskHere) -> Games:
    """Every game: rules hash, options, wagers and paytables."""
    found = await desk.read(all_tables)
    return Games([_offer(desk, find(game).variant(), found) for game in GAMES])


@get("/games/{game_id:str}", guards=[visitor], responses=problems(404))
async def game(game_id: PathId, desk: DeskHere) -> GameOffer:
    """One game, the tables that deal it, and its exact prices."""
    found = await desk.read(all_tables)
    return _offer(desk, find(game_id).variant(), found)


def _offer(desk: Desk, variant: Variant, tables: list[FloorTable]) -> GameOffer:
    dealt = [table.id for table in tables if table.betting.variant.game.id == variant.game.id]
    sheet = desk.prices.sheet(variant)
    strategy = sheet.get("strategy") if sheet else None
    offered = msgspec.structs.asdict(published_game(variant))
    prices, not_priced = desk.prices.prices(variant), desk.prices.not_priced(variant)
    return GameOffer(**offered, tables=dealt, prices=prices, not_priced=not_priced, strategy=strategy)


@get("/games/{game_id:str}/rules", guards=[visitor], responses=problems(404))
async def rules(game_id: PathId, request: Request[Any, Any, Any]) -> Response[RuleBook]:
    """The rule book of a game."""
    return public_json(_rule_book(game_id, read_book(find(game_id).id)), request)


@lru_cache(maxsize=BOOKS_KEPT)
def _rule_book(game_id: str, book: str) -> bytes:
    """A rule book as it is sent; to make it takes as long as dozens of bets."""
    numbered = [NumberedText(rule.id, rule.text) for rule in numbered_rules(book)]
    html = MarkdownIt("commonmark").enable("table").render(book)
    return msgspec.json.encode(RuleBook(game_id, book, html, numbered))


@get("/texts", guards=[visitor], responses=problems())
async def texts(request: Request[Any, Any, Any]) -> Response[dict[str, str]]:
    """Everything the house says at its tables, by key: what a translation has to say, `{0}` and `{1}` for numbers."""
    return public_json(_texts(tuple(game.variant() for game in GAMES.values())), request)


@lru_cache(maxsize=1)
def _texts(_: tuple[Variant, ...]) -> bytes:
    """All that the house says; the games that there are, because a game that is loaded later speaks too."""
    return msgspec.json.encode(house_texts())


@get("/tables", guards=[visitor], responses=problems())
async def tables(request: Request[Any, Any, Any], desk: DeskHere, brief: Brief = False) -> Response[Tables]:
    """Every table with its limits and prices; `brief=true` leaves out what is long and in `GET /tables/{id}`: rows and
    rules of bets, options of games, and prices as fractions."""
    found = await desk.read(all_tables)
    records = [table_record(desk.prices, table) for table in found]
    shown = [in_brief(record) for record in records] if brief else records
    return public_json(msgspec.json.encode(Tables(shown)), request)


@get("/tables/{table_id:str}", guards=[visitor], responses=problems(404))
async def table(table_id: PathId, request: Request[Any, Any, Any], desk: DeskHere) -> Response[TableRecord]:
    """One table."""
    found = await desk.read(lambda tx: read_table(tx, table_id))
    return public_json(msgspec.json.encode(table_record(desk.prices, found)), request)


@post("/tables/{table_id:str}/sit", status_code=200, responses=problems(*WITH_SESSION, *WITH_BODY, 404))
async def sit(table_id: PathId, desk: DeskHere, token: Token, data: JSONBody[Nothing | None] = None) -> Response[Seat]:
    """Sit down, or come back: the commitment for the next cards, the shoe, and the round that is open."""
    return await desk.answer(Sit(token, table_id))


@post("/tables/{table_id:str}/seed", status_code=200, responses=problems(*WITH_SESSION, *WITH_BODY, 404, 409))
async def rotate(
    table_id: PathId, desk: DeskHere, token: Token, data: JSONBody[Nothing | None] = None
) -> Response[Rotation]:
    """Show the server seed in use, and commit to a new one. A shoe in use ends; an open round must end first."""
    return await desk.answer(RotateSeed(token, table_id))


@get("/players/me/seeds", responses=problems(*WITH_SESSION))
async def seeds(desk: DeskHere, token: Token, table: IdQuery = None) -> Seeds:
    """Every commitment made to you, newest first, with the seed where it is revealed."""

    def ask(tx: Tx, person: Person) -> Seeds:
        found = desk.books.dealer.streams(tx, person.id, table)
        return Seeds(
            [
                SeedRecord(
                    line.table_id,
                    line.commitment,
                    line.server_seed,
                    line.nonces,
                    at_text(line.opened_at),
                    at_text(line.revealed_at) if line.revealed_at is not None else None,
                )
                for line in found
            ]
        )

    return await desk.read_as(token, ask)


ROUTES = [games, game, rules, texts, tables, table, sit, rotate, seeds]
router = Router("/", route_handlers=ROUTES, tags=["games and tables"])
