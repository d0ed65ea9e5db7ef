"""PostgreSQL's driver is an extra: SQLite works without it, and a postgresql:// address says what to install."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from pairhouse.house.store.postgresql import is_retryable

SOURCE = Path(__file__).parents[2] / "src"
WITHOUT_PSYCOPG = """
import sys

class NoPsycopg:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("psycopg", "psycopg_binary"):
            raise ImportError(f"{name} is not installed")

sys.meta_path.insert(0, NoPsycopg())
"""
A_ROUND = """
import pairhouse.server.app
from pairhouse.house.audit import audit
from pairhouse.house.commands import RoundBet
from pairhouse.house.house import House
from pairhouse.house.people import new_guest, person_of
from pairhouse.house.tokens import hash_of

house = House(sys.argv[1])
token = hash_of(house.do(new_guest))
person = house.do(lambda tx: person_of(tx, token, tx.now))
house.do(lambda tx: house.dealer.sit(tx, person.id, "la-paire"))
bet = RoundBet(table="la-paire", seats=[{"card-A": 200}], client_seed="lucky", key="one", body_hash="")
assert house.do(house.pit.bet_command(token, bet)).state == "settled"
with house.database.reading() as tx:
    assert audit(tx, house.vault).clean
house.close()
"""
AN_AUDIT = """
from pairhouse.cli.main import main

sys.argv = ["pairhouse", "audit", "--db", "postgresql://somebody@nowhere/house"]
main()
"""


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a Python that cannot import psycopg."""
    command = [sys.executable, "-c", WITHOUT_PSYCOPG + script, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_a_house_and_its_server_on_sqlite_need_no_psycopg(tmp_path: Path) -> None:
    done = run(A_ROUND, f"sqlite:///{tmp_path}/house.db")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "house.db").exists()


def test_a_postgresql_address_without_psycopg_names_the_extra() -> None:
    done = run(AN_AUDIT)
    assert done.returncode == 2
    assert done.stderr == (
        "pairhouse: a postgresql:// database needs psycopg; install it with: pip install 'pairhouse[postgres]', "
        "or give an sqlite:// address.\n"
    )


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (psycopg.errors.SerializationFailure(), True),
        (psycopg.errors.DeadlockDetected(), True),
        (psycopg.errors.UniqueViolation(), True),
        (psycopg.errors.CheckViolation(), False),
        (psycopg.OperationalError(), False),
        (OSError(), False),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_a_transaction_is_tried_again_only_after_a_conflict(error: Exception, expected: bool) -> None:
    assert is_retryable(error) is expected
