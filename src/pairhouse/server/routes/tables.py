"""Routes of games and tables: what is offered, at what price, and a seat at it."""

from typing import Annotated

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from markdown_it import MarkdownIt

from pairhouse.core.game import Variant
from pairhouse.games.catalogue import GAMES, find
from pairhouse.house.dealer import open_round_at, rounds_of_shoe, shoe_in_use, stream_in_use
from pairhouse.house.floor import FloorTable, read_table, table_ids
from pairhouse.house.meters import read_meter
from pairhouse.house.operator_bets import money_of
from pairhouse.house.people import Person, person_of
from pairhouse.house.shoe_history import shoe_lines
from pairhouse.house.store.database import Tx
from pairhouse.house.store.transaction import WriteTx
from pairhouse.rounds.records import game_record, to_json
from pairhouse.rounds.round_log import MeterReading
from pairhouse.rounds.round_view import at_text
from pairhouse.rounds.rulebook import numbered_rules, read_book
from pairhouse.server.desk import Desk, DeskHere, Token
from pairhouse.server.http.callers import visitor
from pairhouse.server.http.errors import WITH_BODY, WITH_SESSION, problems
from pairhouse.server.models import (
    GameOffer,
    GameRecord,
    Games,
    LimitsRecord,
    Nothing,
    NumberedText,
    RevealedSeed,
    Rotation,
    RuleBook,
    Seat,
    SeedRecord,
    Seeds,
    ShoeRecord,
    Table,
    Tables,
)
from pairhouse.server.models.words import END

ID = rf"^[A-Za-z0-9_-]{{1,64}}{END}"
PathId = Annotated[str, PathParameter(pattern=ID)]
IdQuery = Annotated[str | None, QueryParameter(pattern=ID)]


def plain(variant: Variant) -> GameRecord:
    """A game's record with its fractions as text."""
    return msgspec.json.decode(to_json(game_record(variant)), type=GameRecord)


def table_record(desk: Desk, table: FloorTable) -> Table:
    """A table as it is published."""
    limits = table.betting.limits
    return Table(
        id=table.id,
        name=table.name,
        version=table.version,
        game=plain(table.betting.variant),
        limits=LimitsRecord(
            minimum=limits.minimum,
            maximum=limits.maximum,
            unit=limits.unit,
            chips=list(limits.chips),
            round_maximum=limits.round_maximum,
            payout_maximum=limits.payout_maximum,
        ),
        advice=table.advice,
        open=table.is_open,
        prices=desk.prices.prices(table.betting.variant),
        not_priced=desk.prices.not_priced(table.betting.variant),
    )


@get("/games", guards=[visitor], responses=problems())
async def games(desk: DeskHere) -> Games:
    """Every game: rules hash, options, wagers and paytables."""
    found = await desk.read(lambda tx: [read_table(tx, table_id) for table_id in table_ids(tx)])
    return Games([_game(desk, find(game).variant(), found) for game in GAMES])


@get("/games/{game_id:str}", guards=[visitor], responses=problems(404))
async def game(game_id: PathId, desk: DeskHere) -> GameOffer:
    """One game, the tables that deal it, and its exact prices."""
    found = await desk.read(lambda tx: [read_table(tx, table_id) for table_id in table_ids(tx)])
    return _game(desk, find(game_id).variant(), found)


def _game(desk: Desk, variant: Variant, tables: list[FloorTable]) -> GameOffer:
    dealt = [table.id for table in tables if table.betting.variant.game.id == variant.game.id]
    sheet = desk.prices.sheet(variant)
    strategy = sheet.get("strategy") if sheet else None
    offered = msgspec.structs.asdict(plain(variant))
    prices, not_priced = desk.prices.prices(variant), desk.prices.not_priced(variant)
    return GameOffer(**offered, tables=dealt, prices=prices, not_priced=not_priced, strategy=strategy)


@get("/games/{game_id:str}/rules", guards=[visitor], responses=problems(404))
async def rules(game_id: PathId) -> RuleBook:
    """The rule book of a game."""
    book = read_book(find(game_id).id)
    numbered = [NumberedText(rule.id, rule.text) for rule in numbered_rules(book)]
    return RuleBook(game_id, book, MarkdownIt("commonmark").enable("table").render(book), numbered)


@get("/tables", guards=[visitor], responses=problems())
async def tables(desk: DeskHere) -> Tables:
    """Every table with its limits and prices."""
    found = await desk.read(lambda tx: [read_table(tx, table_id) for table_id in table_ids(tx)])
    return Tables([table_record(desk, table) for table in found])


@get("/tables/{table_id:str}", guards=[visitor], responses=problems(404))
async def table(table_id: PathId, desk: DeskHere) -> Table:
    """One table."""
    return table_record(desk, await desk.read(lambda tx: read_table(tx, table_id)))


@post("/tables/{table_id:str}/sit", status_code=200, responses=problems(*WITH_SESSION, *WITH_BODY, 404))
async def sit(table_id: PathId, desk: DeskHere, token: Token, data: JSONBody[Nothing | None] = None) -> Seat:
    """Sit down, or come back: the commitment for the next cards, the shoe, and the round that is open."""

    def take_seat(tx: WriteTx) -> tuple[Person, Seat]:
        person = person_of(tx, token, tx.now)
        desk.house.dealer.sit(tx, person.id, read_table(tx, table_id).id)
        return person, seat_of(desk, tx, person, table_id)

    person, seat = await desk.write(take_seat)
    found: Seat = seat
    found.balance = await desk.cashier.balance(person, found.balance)
    return found


def seat_of(desk: Desk, tx: Tx, person: Person, table_id: str) -> Seat:
    """A player's place at a table, as it stands."""
    dealt = read_table(tx, table_id).betting.variant
    stream = stream_in_use(tx, person.id, table_id)
    meter = read_meter(tx, table_id, dealt)
    waiting = open_round_at(tx, person.id, table_id)
    shoe = None
    row = shoe_in_use(tx, stream) if dealt.game.shoe else None
    if row is not None:
        decks, jokers = dealt.pack
        coups = shoe_lines(rounds_of_shoe(tx, stream.id, row.nonce))
        shoe = ShoeRecord(
            number=row.nonce,
            cards=decks * (52 + jokers),
            dealt=row.dealt,
            cut_card=dealt.options["cut_card"],
            last_round=bool(row.last_round),
            finished=bool(row.finished),
            coups=coups,
        )
    return Seat(
        table=table_id,
        balance=money_of(tx, person, "").balance,
        commitment=stream.commitment,
        nonce=stream.nonce,
        last_client_seed=stream.client_seed or None,
        meter=MeterReading(meter.amount, meter.reserve) if meter is not None else None,
        shoe=shoe,
        round=desk.house.pit.view(tx, waiting, person.id) if waiting is not None else None,
    )


@post("/tables/{table_id:str}/seed", status_code=200, responses=problems(*WITH_SESSION, *WITH_BODY, 404, 409))
async def rotate(table_id: PathId, desk: DeskHere, token: Token, data: JSONBody[Nothing | None] = None) -> Rotation:
    """Show the server seed in use, and commit to a new one. A shoe in use ends; an open round must end first."""

    def turn(tx: WriteTx) -> Rotation:
        person = person_of(tx, token, tx.now)
        revealed, stream = desk.house.dealer.rotate(tx, person.id, read_table(tx, table_id).id)
        return Rotation(
            RevealedSeed(revealed.commitment, revealed.server_seed, revealed.nonces), commitment=stream.commitment
        )

    rotation: Rotation = await desk.write(turn)
    return rotation


@get("/players/me/seeds", responses=problems(*WITH_SESSION))
async def seeds(desk: DeskHere, token: Token, table: IdQuery = None) -> Seeds:
    """Every commitment made to you, newest first, with the seed where it is revealed."""

    def ask(tx: Tx) -> Seeds:
        person = desk.person(tx, token)
        found = desk.house.dealer.streams(tx, person.id, table)
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

    return await desk.read(ask)


router = Router("/", route_handlers=[games, game, rules, tables, table, sit, rotate, seeds], tags=["games and tables"])
