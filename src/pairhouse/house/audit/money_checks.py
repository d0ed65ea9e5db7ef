"""Checks of players, tables, keys, streams, accounts and meters against the events that describe them."""

from collections import Counter
from collections.abc import Iterator

from sqlalchemy import bindparam, func, select

from pairhouse.core.errors import Refused
from pairhouse.house.audit.chain_checks import CHANGES
from pairhouse.house.audit.notebook import Differs, Notebook, check_equal, text
from pairhouse.house.people import ACTIVE, DISABLED, HOUSE_WALLET
from pairhouse.house.store.database import Row, Tx
from pairhouse.house.store.schema import accounts, api_keys, games, meters, players, rounds, streams, tables, transfers
from pairhouse.house.vault import Vault
from pairhouse.rounds.fairness import commitment

PAGE = 5_000
_STREAMS = (
    select(
        streams.c.id,
        streams.c.player_id,
        streams.c.table_id,
        streams.c.sealed_seed,
        streams.c.commitment,
        streams.c.nonce,
        streams.c.opened_at,
        streams.c.revealed_at,
    )
    .where(streams.c.id > bindparam("after"))
    .order_by(streams.c.id)
    .limit(PAGE)
)
_WITHOUT_ROUNDS = select(streams.c.id, streams.c.nonce).where(
    streams.c.nonce > 0, ~select(rounds.c.id).where(rounds.c.stream_id == streams.c.id).exists()
)
_PLAYERS = (
    select(
        players.c.id,
        players.c.name,
        players.c.guest,
        players.c.wallet,
        players.c.created_at,
        players.c.status,
        accounts.c.balance,
        accounts.c.kind,
    )
    .outerjoin(accounts, accounts.c.id == "player:" + players.c.id)
    .where(players.c.id > bindparam("after"))
    .order_by(players.c.id)
    .limit(PAGE)
)
_OUTSIDE_ROUNDS = (
    select(transfers.c.key, transfers.c.at, transfers.c.kind, transfers.c.debit, transfers.c.credit, transfers.c.amount)
    .where(transfers.c.round_id.is_(None), transfers.c.key > bindparam("after"))
    .order_by(transfers.c.key)
    .limit(PAGE)
)
_ORPHAN = (
    select(transfers.c.key, transfers.c.round_id)
    .where(transfers.c.round_id.is_not(None), ~select(rounds.c.id).where(rounds.c.id == transfers.c.round_id).exists())
    .limit(1)
)
_TABLES = select(tables)
_GAMES = select(games.c.id, games.c.status)
_METERS = select(meters.c.table_id, meters.c.amount, meters.c.reserve)
_KEYS = select(api_keys.c.id, api_keys.c.name, api_keys.c.scope, api_keys.c.created_at, api_keys.c.revoked_at)
_ACCOUNT = select(accounts.c.id).where(accounts.c.id == bindparam("account"))
_ACCOUNTS = select(func.count()).select_from(accounts)


def pages(tx: Tx, statement: object, column: int = 0) -> Iterator[list[Row]]:
    """A table page by page, in the order of its key."""
    after = ""
    while found := tx.all(statement, {"after": after}):  # type: ignore[arg-type]
        yield found
        after = found[-1][column]


def check_count(notebook: Notebook, subject: str, found: int, exists: set[str] | None = None) -> None:
    """There are as many rows as the events describe; a missing one is named if the existing ones are given."""
    noted = notebook.count(subject)
    if noted != found:
        gone = next((name for name, _ in notebook.all(subject) if exists is not None and name not in exists), None)
        named = f"; {subject} {gone} is gone" if gone else ""
        raise Differs(f"the events tell of {noted} of kind {subject}; the books hold {found}{named}")


def check_streams(tx: Tx, notebook: Notebook, vault: Vault) -> int:
    """Every stream is committed and revealed as its events say, and its commitment is the hash of its seed."""
    count = revealed = 0
    for page in pages(tx, _STREAMS):
        for name, player, table, sealed, committed, nonces, opened_at, revealed_at in page:
            where = f"stream {name}"
            _check_noted(notebook, "stream", name, text([player, table, committed, opened_at]))
            try:
                check_equal(where, "its commitment", committed, commitment(vault.open(bytes(sealed), name)))
            except Refused as refused:
                raise Differs(f"{where}: {refused}") from None
            reveal = text([nonces, revealed_at]) if revealed_at is not None else None
            check_equal(where, "its reveal", reveal, notebook.noted("reveal", name))
            revealed += revealed_at is not None
            count += 1
    check_count(notebook, "stream", count)
    check_count(notebook, "reveal", revealed)
    unused = tx.one(_WITHOUT_ROUNDS, {})
    if unused is not None:
        name, nonces = unused
        raise Differs(f"stream {name} has given {nonces} nonces and has no round; each nonce should have one")
    return count


def _check_noted(notebook: Notebook, subject: str, name: str, says: str) -> None:
    """A row has an event that describes it, and both say the same."""
    noted = notebook.noted(subject, name)
    if noted is None:
        raise Differs(f"{subject} {name}: no event tells of it")
    check_equal(f"{subject} {name}", "what the books say", says, noted)


def check_transfers(tx: Tx, notebook: Notebook, in_rounds: int, sums: Counter[str]) -> int:
    """Transfers outside rounds are those the events describe, and every other one belongs to an existing round."""
    count = 0
    for page in pages(tx, _OUTSIDE_ROUNDS):
        for key, at, kind, debit, credit, amount in page:
            _check_noted(notebook, "transfer", key, text([at, kind, debit, credit, amount]))
            sums[debit] -= amount
            sums[credit] += amount
            count += 1
        for account, change in sums.items():
            notebook.add(f"account:{account}", change)
        sums.clear()
    for account, change in sums.items():
        notebook.add(f"account:{account}", change)
    sums.clear()
    orphan = tx.one(_ORPHAN, {})
    if orphan is not None:
        key, round_id = orphan
        raise Differs(f"transfer {key} names round {round_id}; there is no such round")
    if notebook.count("transfer") != count:
        _name_missing_transfer(tx, notebook)
    return count + in_rounds


def _name_missing_transfer(tx: Tx, notebook: Notebook) -> None:
    one = select(transfers.c.key).where(transfers.c.key == bindparam("transfer_key"))
    for key, says in notebook.all("transfer"):
        if tx.one(one, {"transfer_key": key}) is None:
            raise Differs(f"transfer {key} is missing; an event tells that it is {says}")


def check_players(tx: Tx, notebook: Notebook) -> tuple[int, int]:
    """Every player is as the events say and has the sum of their transfers; how many players, and how much money."""
    count = with_account = money = 0
    for page in pages(tx, _PLAYERS):
        for player_id, name, guest, wallet, created_at, status, balance, kind in page:
            where = f"player {player_id}"
            _check_noted(notebook, "player", player_id, text([name, guest, wallet, created_at]))
            disabled = notebook.total(f"status:player:{player_id}:{DISABLED}")
            check_equal(where, "the status", status, DISABLED if disabled == 1 else ACTIVE)
            count += 1
            if wallet != HOUSE_WALLET:
                check_equal(where, "an account here", balance, None)
                continue
            check_equal(where, "the kind of account", kind, "player")
            check_equal(where, "the balance", balance, notebook.total(f"account:player:{player_id}"))
            with_account += 1
            money += balance
    check_count(notebook, "player", count)
    check_equal("accounts", "how many there are", int(tx.value(_ACCOUNTS, {})), with_account)
    return count, money


def check_accounts(tx: Tx, notebook: Notebook, held: int) -> dict[str, int]:
    """The sums of the house, the mint, the held stakes, the jackpots and the operators."""
    readings = {table: (amount, reserve) for table, amount, reserve in tx.all(_METERS, {})}
    found: dict[str, int] = {"held": 0, "house": 0, "mint": 0, "jackpots": 0, "operators": 0, "players": 0}
    for account, total in notebook.sums("account:"):
        kind, _, name = account.partition(":")
        if kind == "player" and tx.one(_ACCOUNT, {"account": account}) is None:
            raise Differs(f"account {account} has transfers for {total}; there is no such account")
        if kind == "jackpot" and name not in readings:
            raise Differs(f"account {account} has transfers for {total}; there is no meter at that table")
        key = {"player": "players", "jackpot": "jackpots", "operator": "operators"}.get(kind, account)
        if key not in found:
            raise Differs(f"account {account} has transfers for {total}; the house has no such account")
        found[key] += total
    check_equal("account held", "its sum", found["held"], held)
    check_equal("all accounts together", "their sum", sum(found.values()), 0)
    for table, (amount, reserve) in readings.items():
        check_equal(f"account jackpot:{table}", "its sum", notebook.total(f"account:jackpot:{table}"), amount + reserve)
        _check_meter(notebook, table, f"{amount} {reserve}")
    check_count(notebook, "meter", len(readings), set(readings))
    return found


def _check_meter(notebook: Notebook, table: str, shows: str) -> None:
    """Each reading is reached as often as it is left, except the first and the last.

    For rounds under rules no longer in force only the sum of meter and reserve is known, so the sums are compared.
    """
    opened = notebook.noted("meter", table)
    if opened is None:
        raise Differs(f"the meter of table {table}: no event tells that it was opened")
    path, first, last, parts = f"meter:{table}:", opened, shows, "amount, reserve"
    if notebook.total(f"meter by older rules:{table}"):
        first, last = (str(sum(map(int, reading.split()))) for reading in (opened, shows))
        path, parts = f"meter sum:{table}:", "amount and reserve together"
    notebook.add(f"{path}{first}", 1)
    notebook.add(f"{path}{last}", -1)
    for reading, times in notebook.sums(path):
        if times:
            what = "was left by a round but never reached" if times < 0 else "was reached and never left"
            raise Differs(f"the meter of table {table}: the reading {reading} ({parts}) {what}")


def check_floor(tx: Tx, notebook: Notebook) -> None:
    """Tables, games and keys are as the events say."""
    columns = [column.name for column in tables.columns]
    rows = [dict(zip(columns, values, strict=True)) for values in tx.all(_TABLES, {})]
    for row in rows:
        _check_noted(notebook, "table", row["id"], text([row["game"], row["options"], row["position"]]))
        name, version = row["id"], row["version"]
        _check_noted(notebook, "table version", f"{name}:{version}", text({field: row[field] for field in CHANGES}))
        for later in range(2, version + 1):
            before = notebook.noted("table before", f"{name}:{later}")
            check_equal(
                f"table {name}, version {later}",
                "what it was before",
                before,
                notebook.noted("table version", f"{name}:{later - 1}"),
            )
    check_count(notebook, "table", len(rows), {row["id"] for row in rows})
    check_count(notebook, "table version", sum(row["version"] for row in rows))
    for game, status in tx.all(_GAMES, {}):
        check_equal(
            f"game {game}",
            "its status",
            status,
            "closed" if notebook.total(f"status:game:{game}:closed") == 1 else "open",
        )
    _check_keys(tx, notebook)


def _check_keys(tx: Tx, notebook: Notebook) -> None:
    keys = tx.all(_KEYS, {})
    for key_id, name, scope, created_at, revoked_at in keys:
        _check_noted(notebook, "key", key_id, text([name, scope, created_at]))
        noted = notebook.noted("revoked", key_id)
        check_equal(f"key {key_id}", "when it was revoked", revoked_at, int(noted) if noted is not None else None)
    check_count(notebook, "key", len(keys), {key_id for key_id, *_ in keys})
