"""The audit: computes everything in the books again from their own entries, and reports the first difference.

Every chain of events is checked seal by seal; every round is dealt and replayed from its seed; every transfer follows
from an act; every balance is the sum of its transfers; each row has the event that describes it, and each event its
row. The audit reads one state of the books, page by page, and writes nothing.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec
from sqlalchemy import bindparam, func, select

from pairhouse.core.errors import Refused
from pairhouse.house.audit.chain_checks import check_chains
from pairhouse.house.audit.money_checks import (
    check_accounts,
    check_floor,
    check_players,
    check_streams,
    check_transfers,
)
from pairhouse.house.audit.notebook import Differs, Notebook, check_equal
from pairhouse.house.audit.round_checks import RoundsCheck
from pairhouse.house.audit.round_rows import pages_of_rounds
from pairhouse.house.audit.wallet_call_checks import check_calls
from pairhouse.house.store.database import Database, Tx
from pairhouse.house.store.schema import acts, events, rounds, seated, shoes, sittings, transfers
from pairhouse.house.vault import Vault, find_vault

_COUNTS = {
    table.name: select(func.count()).select_from(table)
    for table in (events, rounds, acts, transfers, seated, sittings, shoes)
}


class Audit(msgspec.Struct, kw_only=True):
    """What an audit has checked and found. `accounts` are the sums of the transfers by kind of account."""

    clean: bool = True
    difference: str | None = None
    events: int = 0
    rounds: int = 0
    replayed: int = 0
    other_rules: int = 0
    open_rounds: int = 0
    transfers: int = 0
    players: int = 0
    commitments: int = 0
    calls: int = 0
    accounts: dict[str, int] = {}
    chains: dict[str, tuple[int, str]] = {}


Progress = Callable[[str, int, int], None]  # what is being checked, how many are done, how many there are


def no_progress(_what: str, _done: int, _all: int) -> None:
    """Report no progress."""


def audit(tx: Tx, vault: Vault, progress: Progress = no_progress) -> Audit:
    """Audit the books of a house in one reading transaction."""
    report, notebook = Audit(), Notebook()
    try:
        _check_all(tx, vault, notebook, report, progress)
    except Differs as differs:
        report.clean, report.difference = False, str(differs)
    finally:
        notebook.close()
    return report


def _check_all(tx: Tx, vault: Vault, notebook: Notebook, report: Audit, progress: Progress) -> None:
    total = {name: int(tx.value(statement, {})) for name, statement in _COUNTS.items()}

    def on_events(count: int) -> None:
        report.events += count
        progress("events", report.events, total["events"])

    report.chains = check_chains(tx, notebook, on_events)
    check_floor(tx, notebook)
    report.commitments = check_streams(tx, notebook, vault)
    check = RoundsCheck(tx, notebook, vault)
    for page in pages_of_rounds(tx):
        for audited in page:
            check.check(audited)
        for account, change in check.accounts.items():
            notebook.add(f"account:{account}", change)
        check.accounts.clear()
        report.rounds = check.count["rounds"]
        progress("rounds", report.rounds, total["rounds"])
    check.finish()
    report.replayed, report.other_rules = check.count["replayed"], check.count["other rules"]
    report.open_rounds = check.count["open"]
    _check_counts(notebook, check, total)
    report.transfers = check_transfers(tx, notebook, check.count["transfers"], check.accounts)
    check_equal("transfers", "how many there are", total["transfers"], report.transfers)
    report.calls = check_calls(tx, notebook)
    report.players, _ = check_players(tx, notebook)
    report.accounts = check_accounts(tx, notebook, check.held)


def _check_counts(notebook: Notebook, check: RoundsCheck, total: dict[str, int]) -> None:
    """No acts, seats, sittings or shoes beyond those of the rounds, and no event of an act that is gone."""
    if notebook.count("act") != check.count["acts"]:
        _name_missing_act(notebook, check)
    check_equal("acts", "how many there are", total["acts"], check.count["acts"])
    check_equal("seats taken in rounds", "how many there are", total["seated"], check.count["rounds"])
    check_equal("sittings", "how many there are", total["sittings"], check.count["open"])
    check_equal("shoes", "how many there are", total["shoes"], check.count["shoes"])


_ACT = select(acts.c.number).where(acts.c.round_id == bindparam("round"), acts.c.number == bindparam("at_number"))


def _name_missing_act(notebook: Notebook, check: RoundsCheck) -> None:
    for name, says in notebook.all("act"):
        round_id, _, number = name.rpartition(":")
        found = check.tx.one(_ACT, {"round": round_id, "at_number": int(number)})
        place = says.rpartition(" ")[0]
        if found is None:
            raise Differs(f"act {number} of round {round_id} is missing; event {place} tells of it")
    raise Differs("there are acts of rounds that are missing")


def open_books(url: str) -> Database:
    """The database of a house that exists already; no new one is created."""
    database = Database(url)
    path = Path(str(database.url.database))
    if database.is_sqlite and not path.exists():
        raise Refused("no-books", f"there are no books at {path}; `pairhouse serve` opens a house")
    return database


def vault_of(database: Database) -> Vault:
    """The vault of a house that exists already; no new key is made."""
    path = Path(str(database.url.database))
    key_file = path.with_name(path.name + ".key")
    return find_vault(key_file if database.is_sqlite and key_file.exists() else None)
