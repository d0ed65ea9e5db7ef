"""The audit: computes everything in the books again from their own entries, and reports the first difference.

Every chain of events is checked seal by seal; every round is dealt and replayed from its seed; every transfer follows
from an act; every balance is the sum of its transfers; each row has the event that describes it, and each event its
row. The signed log is held to the public key of the house and to heads that were kept elsewhere, and the database
itself to the schema. The audit reads one state of the books, page by page, and writes nothing.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
from sqlalchemy import func, select

from pairhouse.core.errors import Refused
from pairhouse.house.audit.care_checks import check_care
from pairhouse.house.audit.chain_checks import ACTS_TOLD, check_chains
from pairhouse.house.audit.epoch_checks import EpochBegun, check_epochs
from pairhouse.house.audit.free_bet_checks import check_free_bets
from pairhouse.house.audit.live_checks import LiveCheck
from pairhouse.house.audit.log_checks import Outside, check_log
from pairhouse.house.audit.money_checks import (
    check_accounts,
    check_floor,
    check_players,
    check_sessions,
    check_streams,
    check_transfers,
)
from pairhouse.house.audit.notebook import AuditFailed, Differs, Notebook, check_equal
from pairhouse.house.audit.pit_checks import check_pit
from pairhouse.house.audit.processes import Helpers, reading_together
from pairhouse.house.audit.readable import FAILURES, check_kinds
from pairhouse.house.audit.round_rows import EVERY_STREAM
from pairhouse.house.audit.rounds_part import RoundsFound, check_rounds, check_tables, name_act_without_row
from pairhouse.house.audit.schema_checks import check_schema
from pairhouse.house.audit.wallet_call_checks import check_calls
from pairhouse.house.audit.watch_checks import check_watch_log
from pairhouse.house.store.database import Database, Tx
from pairhouse.house.store.free_bet_schema import free_stakes
from pairhouse.house.store.migrate import holds_books
from pairhouse.house.store.schema import acts, events, rounds, seated, shoes, sittings, transfers
from pairhouse.house.vault import Vault, find_vault

_COUNTS = {
    table.name: select(func.count()).select_from(table)
    for table in (events, rounds, acts, transfers, seated, sittings, shoes, free_stakes)
}


UNREADABLE: tuple[type[Exception], ...] = (
    UnicodeError,
    msgspec.MsgspecError,
    sqlite3.DatabaseError,
)


class Audit(msgspec.Struct, kw_only=True):
    """What an audit has checked and found. `accounts` are the sums of the transfers by kind of account.

    `live_rounds` are those of live tables, with the slips of all who bet in them; `rounds` are those of one player.

    `in_log` is how many events the signed log has, `waiting` how many are signed by their writers and not in it yet,
    `heads` how many heads from outside the books extend, `newest_head` how many events the newest of them covers, and
    `left_behind` how many heads of an earlier epoch were signed beyond a restored backup.
    """

    clean: bool = True
    difference: str | None = None
    events: int = 0
    rounds: int = 0
    replayed: int = 0
    other_rules: int = 0
    open_rounds: int = 0
    live_rounds: int = 0
    live_slips: int = 0
    transfers: int = 0
    players: int = 0
    commitments: int = 0
    calls: int = 0
    epochs: list[EpochBegun] = []
    in_log: int | None = None
    waiting: int = 0
    heads: int = 0
    newest_head: int | None = None
    left_behind: int = 0
    accounts: dict[str, int] = {}
    chains: dict[str, tuple[int, str]] = {}


Progress = Callable[[str, int, int], None]  # what is being checked, how many are done, how many there are


def no_progress(_what: str, _done: int, _all: int) -> None:
    """Report no progress."""


def audit(tx: Tx, vault: Vault, progress: Progress = no_progress, outside: Outside | None = None) -> Audit:
    """Audit the books of a house in one reading transaction; `AuditFailed` if the program itself is at fault.

    Without `outside` the signed log is not checked: nothing then tells books that were written anew as a whole.
    """
    return _audit(tx, vault, progress, outside, None)


def audit_books(
    database: Database, vault: Vault, outside: Outside, progress: Progress = no_progress, processes: int = 1
) -> Audit:
    """Audit the books of a house, in so many processes at once."""
    with reading_together(database, vault, processes) as (tx, helpers):
        return _audit(tx, vault, progress, outside, helpers)


def _audit(tx: Tx, vault: Vault, progress: Progress, outside: Outside | None, helpers: Helpers | None) -> Audit:
    report, notebook = Audit(), Notebook()
    try:
        check_schema(tx)
        try:
            _check_all(tx, vault, notebook, report, progress, outside, helpers)
        except UNREADABLE as error:
            raise Differs(f"the books cannot be read: {error!r}") from error
        except FAILURES as error:
            check_kinds(tx)
            raise AuditFailed.at("a check of the books as a whole", error) from error
    except Differs as differs:
        report.clean, report.difference = False, str(differs)
    except sqlite3.DatabaseError as error:  # a file that is damaged
        report.clean, report.difference = False, f"the books cannot be read: {error!r}"
    finally:
        notebook.close()
    return report


def _check_all(
    tx: Tx,
    vault: Vault,
    notebook: Notebook,
    report: Audit,
    progress: Progress,
    outside: Outside | None,
    helpers: Helpers | None,
) -> None:
    total = {name: int(tx.value(statement, {})) for name, statement in _COUNTS.items()}

    def on_events(count: int) -> None:
        report.events += count
        progress("events", report.events, total["events"])

    def on_rounds(count: int) -> None:
        report.rounds += count
        progress("rounds", report.rounds, total["rounds"])

    report.chains = check_chains(tx, notebook, on_events)
    report.epochs = check_epochs(tx, notebook)
    check_floor(tx, notebook)
    report.commitments = check_streams(tx, notebook, vault)
    if helpers is not None:
        helpers.begin(tx, notebook)
        found = helpers.finish(tx, notebook)
    else:
        found = check_rounds(tx, notebook, vault, [EVERY_STREAM], on_rounds)
    check_tables(notebook, found.tables)
    report.rounds, report.open_rounds = found.counts["rounds"], found.counts["open"]
    report.replayed, report.other_rules = found.counts["replayed"], found.counts["other rules"]
    progress("rounds", report.rounds, total["rounds"])
    _check_counts(tx, notebook, found, total)
    live = LiveCheck(tx, notebook, vault)
    live.run()
    report.other_rules += live.other_rules
    report.live_rounds, report.live_slips = live.rounds, live.slips
    report.transfers = check_transfers(tx, notebook, vault, found.counts["transfers"], total["transfers"])
    report.calls = check_calls(tx, notebook)
    report.players, _ = check_players(tx, notebook)
    check_sessions(tx, notebook)
    check_care(tx, notebook)
    check_free_bets(tx, notebook)
    check_pit(tx, notebook)
    check_watch_log(tx, notebook, report.chains)
    report.accounts = check_accounts(tx, notebook, found.held + live.held, found.counts["free held"])
    if outside is not None:
        log = check_log(tx, notebook, outside, report.chains)
        report.in_log, report.waiting, report.heads, report.newest_head, report.left_behind = log


def _check_counts(tx: Tx, notebook: Notebook, found: RoundsFound, total: dict[str, int]) -> None:
    """No acts, seats, sittings or shoes beyond those of the rounds, and no event of an act that is gone."""
    count = found.counts
    if notebook.total(ACTS_TOLD) != count["acts"]:
        name_act_without_row(tx)
    check_equal("acts", "how many there are", total["acts"], count["acts"])
    check_equal("rounds", "how many there are", total["rounds"], count["rounds"])
    check_equal("seats taken in rounds", "how many there are", total["seated"], count["rounds"])
    check_equal("sittings", "how many there are", total["sittings"], count["open"])
    check_equal("shoes", "how many there are", total["shoes"], count["shoes"])
    check_equal("free stakes", "how many there are", total["free_stakes"], count["free stakes"])


def open_books(url: str) -> Database:
    """The database of a house that exists already; no new one is created."""
    database = Database(url)
    path = Path(str(database.url.database))
    if database.is_sqlite and not path.exists():
        raise Refused("no-books", f"there are no books at {path}; `pairhouse serve` opens a house")
    if not holds_books(database):
        where = path if database.is_sqlite else database.url.database
        raise Refused("no-books", f"there are no books of a house in {where}; `pairhouse serve` opens a house")
    return database


def vault_of(database: Database) -> Vault:
    """The vault of a house that exists already; no new key is made."""
    path = Path(str(database.url.database))
    key_file = path.with_name(path.name + ".key")
    return find_vault(key_file if database.is_sqlite and key_file.exists() else None)
