"""A house without a network: new databases of both kinds, and guests who call the house directly and bet at random."""

import os
import random
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import MetaData, insert, null, select

import postgres
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import find
from pairhouse.games.floor_plan import FIRST_TABLES, FLOOR_PLAN
from pairhouse.house import furnishing
from pairhouse.house.audit import Audit, audit
from pairhouse.house.audit.log_checks import Outside
from pairhouse.house.audit.outside import read_outside
from pairhouse.house.commands import RoundBet, RoundChoice
from pairhouse.house.floor import change_table
from pairhouse.house.house import House
from pairhouse.house.people import give_play_money, new_guest, person_of
from pairhouse.house.sealing_key import SealOptions
from pairhouse.house.store.database import Database
from pairhouse.house.store.migrate import config, migrate
from pairhouse.house.store.schema import metadata
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.tokens import hash_of
from pairhouse.house.vault import KEY_VARIABLE
from pairhouse.rounds.round_view import RoundView

SEED_KEY = "5e" * 32
TABLES: dict[str, Variant] = {table.id: find(table.game).variant(table.options) for table in FIRST_TABLES}
DATABASES = ("sqlite", "postgresql")


def new_database(kind: str, folder: Path) -> str:
    """The address of a new, empty database."""
    os.environ[KEY_VARIABLE] = SEED_KEY
    name = f"house_{secrets.token_hex(6)}"
    if kind == "sqlite":
        return f"sqlite:///{folder / name}.db"
    return postgres.new_database()


def new_books(kind: str, folder: Path) -> str:
    """The address of a new database with the schema and nothing else: a copy, which is quicker than every migration."""
    os.environ[KEY_VARIABLE] = SEED_KEY
    if kind == "sqlite":
        file = folder / f"house_{secrets.token_hex(6)}.db"
        file.write_bytes(_schema_alone())
        return f"sqlite:///{file}"
    return postgres.new_database(_postgres_schema_alone())


@cache
def _schema_alone() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "house.db"
        _migrated(f"sqlite:///{file}")
        return file.read_bytes()


@cache
def _postgres_schema_alone() -> str:
    return postgres.database_name(_migrated(postgres.new_database()))


def _migrated(url: str) -> str:
    database = Database(url)
    migrate(database)
    database.close()
    return url


def deal_from_shoe(house: House, table: str = "nepal-super-baccarat") -> None:
    """Have a baccarat table dealt from its shoe, as tables that people share are."""
    house.do(lambda tx: change_table(tx, "house", table, {"shuffle": "shoe"}))


def deal_without_shoe(house: House, table: str = "nepal-super-baccarat") -> None:
    """Have it shuffled for every coup again."""
    house.do(lambda tx: change_table(tx, "house", table, {"shuffle": "every-round"}))


@contextmanager
def before_live_tables() -> Iterator[None]:
    """Houses that are opened meanwhile put up no live tables, as before there were any."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(furnishing, "FLOOR_PLAN", tuple(table for table in FLOOR_PLAN if table.clock is None))
        yield


def older_books(house: House, url: str, revision: str) -> None:
    """Fill an empty database with what these books were at an earlier revision of the schema."""
    database = Database(url)
    database.connect().close()
    with database.engine_connection() as connection, house.database.engine_connection() as source:
        command.upgrade(config(connection), revision)
        older = MetaData()
        older.reflect(connection)
        for table in older.sorted_tables:
            now = metadata.tables.get(table.name)
            if now is not None:
                rows = (
                    source.execute(
                        select(*(now.c.get(column.name, null().label(column.name)) for column in table.columns))
                    )
                    .mappings()
                    .all()
                )
                if rows:
                    connection.execute(insert(table), [dict(row) for row in rows])
    database.close()


def outside_of(house: House) -> Outside:
    """What the books of a house are held to: its public key, and the heads in the file beside it."""
    return read_outside(house.database, SealOptions(), house.log.key.public_key.hex(), [])


def audited(house: House) -> Audit:
    """The audit of a house that is open."""
    outside = outside_of(house)
    with house.database.reading() as tx:
        return audit(tx, house.vault, outside=outside)


def random_seats(rng: random.Random, variant: Variant) -> list[dict[str, int]]:
    """Random stakes that the rules of a game accept."""
    placed = [wager for wager in variant.wagers.values() if wager.base is None]
    openers = [wager for wager in placed if wager.opens]
    seats = []
    for _ in range(rng.choice([1, 1, 1, variant.game.seats_per_player])):
        chosen = {
            rng.choice(openers).id,
            *(wager.id for wager in rng.sample(placed, rng.randint(0, min(3, len(placed))))),
        }
        amounts = {name: variant.wagers[name].fixed or rng.choice([200, 200, 600, 1000]) for name in sorted(chosen)}
        seats.append(amounts)
    return seats


def enrich(house: House, player_id: str, amount: int = 10_000_000) -> None:
    """Give a guest more play money than a test can lose."""
    house.do(lambda tx: give_play_money(tx, player_id, amount, f"welcome:{player_id}:more"))


class Guest:
    """A guest who calls the house directly, without HTTP."""

    def __init__(self, house: House, rng: random.Random) -> None:
        self.house = house
        self.rng = rng
        self.count = 0
        self.token: str = hash_of(house.do(new_guest))
        self.id: str = house.do(lambda tx: person_of(tx, self.token, tx.now).id)

    def sit(self, table: str) -> None:
        self.house.do(lambda tx: self.house.dealer.sit(tx, self.id, table))

    def rotate(self, table: str) -> None:
        self.house.do(lambda tx: self.house.dealer.rotate(tx, self.id, table))

    def new_key(self) -> str:
        self.count += 1
        return f"key-{self.count:08}"

    def bet(
        self, table: str, seats: list[dict[str, int]] | None = None, key: str | None = None, seed: str = "lucky"
    ) -> RoundView:
        given = seats or random_seats(self.rng, TABLES[table])
        bet = RoundBet(
            table=table, seats=given, client_seed=seed, key=key or self.new_key(), body_hash=f"{table}{given}"
        )

        def place(tx: WriteTx) -> RoundView:
            return self.house.pit.open_round(tx, self.token, bet)

        view: RoundView = self.house.do(place)
        return view

    def choose(self, view: RoundView, word: str | None = None, key: str | None = None) -> RoundView:
        assert view.view.awaiting is not None
        said = word or self.rng.choice(view.view.awaiting["options"])
        number = len(view.choices)
        hashed = f"{view.id}{said}{number}"
        choice = RoundChoice(round_id=view.id, word=said, number=number, key=key or self.new_key(), body_hash=hashed)
        chosen: RoundView = self.house.do(lambda tx: self.house.pit.choose(tx, self.token, choice))
        return chosen

    def play(self, table: str, seats: list[dict[str, int]] | None = None) -> RoundView:
        view = self.bet(table, seats)
        while view.state == "open":
            view = self.choose(view)
        return view
