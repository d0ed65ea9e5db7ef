"""The PostgreSQL driver (psycopg), imported only when a postgresql:// address is used."""

import hashlib
import importlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import URL

from pairhouse.core.errors import Refused

SERIALIZATION_FAILURE, DEADLOCK, UNIQUE_VIOLATION = "40001", "40P01", "23505"
RETRYABLE = {SERIALIZATION_FAILURE, DEADLOCK, UNIQUE_VIOLATION}


@lru_cache(maxsize=1)
def driver() -> Any:
    """The psycopg module, or a refusal that names the extra to install."""
    try:
        return importlib.import_module("psycopg")
    except ImportError:
        accepted = "install it with: pip install 'pairhouse[postgres]', or give an sqlite:// address"
        raise Refused("missing-extra", f"a postgresql:// database needs psycopg; {accepted}") from None


def connect(url: URL, *, reading: bool) -> Any:
    """A connection outside any transaction; a reading one can change nothing."""
    text = url.set(drivername="postgresql").render_as_string(hide_password=False)
    connection = driver().connect(text, autocommit=True, prepare_threshold=2)
    if reading:
        connection.execute("SET default_transaction_read_only = on")
    else:  # under SERIALIZABLE, a scan of a whole table conflicts with every other writer of it
        for plan in ("seqscan", "hashjoin", "mergejoin"):
            connection.execute(f"SET enable_{plan} = off")
    return connection


def take_turns(connection: Any, turns: Sequence[str]) -> None:
    """Wait until no other connection has any of these turns, then have them. All take them in the same order."""
    numbers = sorted(int.from_bytes(hashlib.sha256(turn.encode()).digest()[:8], "big", signed=True) for turn in turns)
    connection.execute("SELECT pg_advisory_lock(number) FROM unnest(%s::bigint[]) AS number", (numbers,))


def end_turns(connection: Any) -> None:
    """Let others have the turns of this connection."""
    connection.execute("SELECT pg_advisory_unlock_all()")


def is_retryable(error: BaseException) -> bool:
    """Whether the same transaction may succeed when tried again: another one was in its way."""
    return getattr(error, "sqlstate", None) in RETRYABLE


def is_lost(connection: Any, error: BaseException) -> bool:
    """Whether the connection broke while a statement ran, so that nobody knows whether it was done."""
    return isinstance(error, driver().OperationalError) and bool(connection.broken)
