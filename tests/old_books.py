"""Old books put back: copies of a house's database, and players who know what it told after the copy was made."""

import shutil
from pathlib import Path

import psycopg
from sqlalchemy.engine import make_url

import postgres
from direct_house import TABLES, Guest
from pairhouse.core.cards import is_joker
from pairhouse.house.house import House
from pairhouse.rounds.fairness import Order, WordStream

TABLE = "la-paire"
JOKER = "card-joker"  # pays 26 to 1 when the first card is a joker


def copy_of(url: str, folder: Path) -> str:
    """Copy a database as it is now; where the copy is. On PostgreSQL nobody may be connected."""
    found = make_url(url)
    if found.get_backend_name() == "sqlite":
        source, copy = Path(str(found.database)), folder / "copy.db"
        for ending in ("", "-wal"):
            if source.with_name(source.name + ending).exists():
                shutil.copy(source.with_name(source.name + ending), copy.with_name(copy.name + ending))
        return str(copy)
    hang_up(str(found.database))
    return str(make_url(postgres.new_database(found.database)).database)


def put_back(copy: str, url: str) -> None:
    """Put a copy in the place of the database, as somebody would who knows no better way."""
    found = make_url(url)
    if found.get_backend_name() == "sqlite":
        target = Path(str(found.database))
        for ending in ("", "-wal", "-shm"):
            target.with_name(target.name + ending).unlink(missing_ok=True)
            if Path(copy + ending).exists():
                shutil.copy(copy + ending, target.with_name(target.name + ending))
        return
    hang_up(str(found.database))
    with psycopg.connect(str(postgres.server().get_uri()), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {found.database}".encode())
        connection.execute(f"CREATE DATABASE {found.database} TEMPLATE {copy}".encode())


def hang_up(database: str) -> None:
    """End every connection to a database, as a server does that fails over."""
    with psycopg.connect(str(postgres.server().get_uri()), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
            (database,),
        )


def lucky_seeds(server_seed: str, first_nonce: int, count: int) -> list[str]:
    """Client seeds with which the known server seed deals a joker first, for one nonce after another."""
    found = []
    for nonce in range(first_nonce, first_nonce + count):
        tries = (f"known {number}" for number in range(10_000))
        found.append(next(seed for seed in tries if is_joker(first_card(server_seed, nonce, seed))))
    return found


def first_card(server_seed: str, nonce: int, client_seed: str) -> int:
    variant = TABLES[TABLE]
    words = WordStream(bytes.fromhex(server_seed), variant.game.id, variant.rules_hash, [client_seed], nonce)
    return Order(words, *variant.pack)[0]


def jokers_hit(guest: Guest, seeds: list[str]) -> int:
    """Bet on the joker with each of these client seeds; how many bets win."""
    return sum((guest.bet(TABLE, [{JOKER: 200}], seed=seed).returned or 0) > 0 for seed in seeds)


def move_in(guest: Guest, house: House) -> None:
    """A guest of a house that was closed goes on in the same house, opened again."""
    guest.house = house
