"""People, tables, commitments, accounts and meters against the events that told of them."""

from collections import Counter
from collections.abc import Iterator

from sqlalchemy import bindparam, func, select

from pairhouse.core.errors import Refused
from pairhouse.house.audit.chain_checks import CHANGES
from pairhouse.house.audit.notebook import Differs, Notebook, same, text
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
_UNUSED = select(streams.c.id, streams.c.nonce).where(
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
_FREE = (
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


def all_told(notebook: Notebook, subject: str, found: int, exists: set[str] | None = None) -> None:
    """As many rows as were told of; one that is gone is named where that is known."""
    told = notebook.count(subject)
    if told != found:
        gone = next((name for name, _ in notebook.all(subject) if exists is not None and name not in exists), None)
        named = f"; {subject} {gone} is gone" if gone else ""
        raise Differs(f"the events tell of {told} of kind {subject}; the books hold {found}{named}")


def check_streams(tx: Tx, notebook: Notebook, vault: Vault) -> int:
    """Every commitment: made when it was told, the hash of its seed, revealed when it was told."""
    count = revealed = 0
    for page in pages(tx, _STREAMS):
        for name, player, table, sealed, shown, nonces, opened_at, revealed_at in page:
            where = f"stream {name}"
            _told(notebook, "stream", name, text([player, table, shown, opened_at]))
            try:
                same(where, "its commitment", shown, commitment(vault.open(bytes(sealed), name)))
            except Refused as refused:
                raise Differs(f"{where}: {refused}") from None
            said = notebook.said("reveal", name)
            same(where, "its reveal", text([nonces, revealed_at]) if revealed_at is not None else None, said)
            revealed += revealed_at is not None
            count += 1
    all_told(notebook, "stream", count)
    all_told(notebook, "reveal", revealed)
    unused = tx.one(_UNUSED, {})
    if unused is not None:
        raise Differs(f"stream {unused[0]} has given {unused[1]} nonces and has no round; each nonce should have one")
    return count


def _told(notebook: Notebook, subject: str, name: str, says: str) -> None:
    said = notebook.said(subject, name)
    if said is None:
        raise Differs(f"{subject} {name}: no event tells of it")
    same(f"{subject} {name}", "what the books say", says, said)


def check_transfers(tx: Tx, notebook: Notebook, in_rounds: int, sums: Counter[str]) -> int:
    """Transfers beside rounds are those that were told; there is none that belongs to no round."""
    count = 0
    for page in pages(tx, _FREE):
        for key, at, kind, debit, credit, amount in page:
            _told(notebook, "transfer", key, text([at, kind, debit, credit, amount]))
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
        raise Differs(f"transfer {orphan[0]} names round {orphan[1]}; there is no such round")
    if notebook.count("transfer") != count:
        _name_missing_transfer(tx, notebook)
    return count + in_rounds


def _name_missing_transfer(tx: Tx, notebook: Notebook) -> None:
    one = select(transfers.c.key).where(transfers.c.key == bindparam("transfer_key"))
    for key, says in notebook.all("transfer"):
        if tx.one(one, {"transfer_key": key}) is None:
            raise Differs(f"transfer {key} is missing; an event tells that it is {says}")


def check_players(tx: Tx, notebook: Notebook) -> tuple[int, int]:
    """Every player was told of, is as enabled as was told, and has what the transfers leave; how many, and how much."""
    count = with_account = money = 0
    for page in pages(tx, _PLAYERS):
        for name, called, guest, wallet, created_at, status, balance, kind in page:
            where = f"player {name}"
            _told(notebook, "player", name, text([called, guest, wallet, created_at]))
            disabled = notebook.total(f"status:player:{name}:{DISABLED}")
            same(where, "the status", status, DISABLED if disabled == 1 else ACTIVE)
            count += 1
            if wallet != HOUSE_WALLET:
                same(where, "an account here", balance, None)
                continue
            same(where, "the kind of account", kind, "player")
            same(where, "the balance", balance, notebook.total(f"account:player:{name}"))
            with_account += 1
            money += balance
    all_told(notebook, "player", count)
    row = tx.one(_ACCOUNTS, {})
    same("accounts", "how many there are", int(row[0]) if row else 0, with_account)
    return count, money


def check_accounts(tx: Tx, notebook: Notebook, held: int) -> dict[str, int]:
    """What the house, the mint, the held stakes, the jackpots and the operators have."""
    standing = dict(tx_meters(tx))
    found: dict[str, int] = {"held": 0, "house": 0, "mint": 0, "jackpots": 0, "operators": 0, "players": 0}
    for account, total in notebook.sums("account:"):
        kind, _, name = account.partition(":")
        if kind == "player" and tx.one(_ACCOUNT, {"account": account}) is None:
            raise Differs(f"account {account} has transfers for {total}; there is no such account")
        if kind == "jackpot" and name not in standing:
            raise Differs(f"account {account} has transfers for {total}; there is no meter at that table")
        key = {"player": "players", "jackpot": "jackpots", "operator": "operators"}.get(kind, account)
        if key not in found:
            raise Differs(f"account {account} has transfers for {total}; the house has no such account")
        found[key] += total
    same("account held", "its sum", found["held"], held)
    same("all accounts together", "their sum", sum(found.values()), 0)
    for table, (amount, reserve) in standing.items():
        same(f"account jackpot:{table}", "its sum", notebook.total(f"account:jackpot:{table}"), amount + reserve)
        _check_meter(notebook, table, f"{amount} {reserve}")
    all_told(notebook, "meter", len(standing), set(standing))
    return found


def tx_meters(tx: Tx) -> Iterator[tuple[str, tuple[int, int]]]:
    """Every meter as it stands."""
    return ((table, (amount, reserve)) for table, amount, reserve in tx.all(_METERS, {}))


def _check_meter(notebook: Notebook, table: str, shows: str) -> None:
    """Each reading is left as often as it was come to, but for the first and the last.

    What a round under rules no longer in force left on the meter and what in the reserve is not known, their sum is.
    """
    opened = notebook.said("meter", table)
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
    """Tables, games and keys are as the events have left them."""
    found = tx.all(_TABLES, {})
    columns = [column.name for column in tables.columns]
    for values in found:
        row = dict(zip(columns, values, strict=True))
        _told(notebook, "table", row["id"], text([row["game"], row["options"], row["position"]]))
        name, version = row["id"], row["version"]
        _told(notebook, "table version", f"{name}:{version}", text({field: row[field] for field in CHANGES}))
        for later in range(2, version + 1):
            before = notebook.said("table before", f"{name}:{later}")
            same(
                f"table {name}, version {later}",
                "what it was before",
                before,
                notebook.said("table version", f"{name}:{later - 1}"),
            )
    all_told(notebook, "table", len(found), {row[0] for row in found})
    all_told(notebook, "table version", sum(row[1] for row in found))
    for game, status in tx.all(_GAMES, {}):
        same(
            f"game {game}",
            "its status",
            status,
            "closed" if notebook.total(f"status:game:{game}:closed") == 1 else "open",
        )
    _check_keys(tx, notebook)


def _check_keys(tx: Tx, notebook: Notebook) -> None:
    keys = tx.all(_KEYS, {})
    for name, called, scope, created_at, revoked_at in keys:
        _told(notebook, "key", name, text([called, scope, created_at]))
        said = notebook.said("revoked", name)
        same(f"key {name}", "when it was revoked", revoked_at, int(said) if said is not None else None)
    all_told(notebook, "key", len(keys), {row[0] for row in keys})
