"""Checks of players, tables, keys, streams, accounts and meters against the events that describe them."""

from collections import Counter
from collections.abc import Iterator

import msgspec
from sqlalchemy import bindparam, func, select

from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import GAMES
from pairhouse.house.audit.chain_checks import CHANGES, noted_version
from pairhouse.house.audit.free_bet_checks import check_free_accounts
from pairhouse.house.audit.notebook import Differs, Notebook, check_equal, text
from pairhouse.house.audit.rounds_part import name_transfer_too_many
from pairhouse.house.corrections import WRITTEN_OFF
from pairhouse.house.free_bets import HELD as FREE_HELD
from pairhouse.house.people import ACTIVE, DISABLED, ENDED, HOUSE_WALLET, session_digest
from pairhouse.house.store.database import Row, Tx
from pairhouse.house.store.schema import (
    accounts,
    api_keys,
    games,
    meters,
    players,
    purses,
    rounds,
    sessions,
    streams,
    tables,
    transfers,
)
from pairhouse.house.store.watch_schema import restrictions
from pairhouse.house.tokens import digest_of
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
    (streams.c.nonce != 0) | (streams.c.client_seed != ""),
    ~select(rounds.c.id).where(rounds.c.stream_id == streams.c.id).exists(),
)
_PLAYERS = (
    select(
        players.c.id,
        players.c.name,
        players.c.guest,
        players.c.wallet,
        players.c.created_at,
        players.c.status,
        players.c.password,
        players.c.outside_id,
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
_RESTRICTIONS = select(restrictions.c.player_id, restrictions.c.table_id, restrictions.c.maximum)
_METERS = select(meters.c.table_id, meters.c.amount, meters.c.reserve)
_KEYS = select(
    api_keys.c.id,
    api_keys.c.key_hash,
    api_keys.c.name,
    api_keys.c.scope,
    api_keys.c.created_at,
    api_keys.c.revoked_at,
)
_SESSIONS = (
    select(
        sessions.c.token_hash,
        sessions.c.player_id,
        sessions.c.created_at,
        sessions.c.expires_at,
        sessions.c.outside_token,
    )
    .where(sessions.c.token_hash > bindparam("after"))
    .order_by(sessions.c.token_hash)
    .limit(PAGE)
)
_PURSES = (
    select(purses.c.player_id, purses.c.currency, purses.c.exponent)
    .where(purses.c.player_id > bindparam("after"))
    .order_by(purses.c.player_id)
    .limit(PAGE)
)
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


def check_transfers(tx: Tx, notebook: Notebook, vault: Vault, in_rounds: int, total: int) -> int:
    """Transfers outside rounds are those the events describe, and every other one belongs to an existing round."""
    count, sums = 0, Counter[str]()
    for page in pages(tx, _OUTSIDE_ROUNDS):
        for key, at, kind, debit, credit, amount in page:
            _check_noted(notebook, "transfer", key, text([at, kind, debit, credit, amount]))
            sums[debit] -= amount
            sums[credit] += amount
            count += 1
        for account, change in sums.items():
            notebook.add(f"account:{account}", change)
        sums.clear()
    if notebook.count("transfer") != count:
        _name_missing_transfer(tx, notebook)
    if count + in_rounds != total:
        orphan = tx.one(_ORPHAN, {})
        if orphan is not None:
            key, round_id = orphan
            raise Differs(f"transfer {key} names round {round_id}; there is no such round")
        name_transfer_too_many(tx, notebook, vault)
    check_equal("transfers", "how many there are", total, count + in_rounds)
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
        for player_id, name, guest, wallet, created_at, status, password, outside_id, balance, kind in page:
            where = f"player {player_id}"
            before, was_guest = _before_naming(notebook, player_id, name, guest)
            _check_noted(notebook, "player", player_id, text([before, was_guest, wallet, created_at]))
            _check_password(notebook, player_id, password)
            outside = name.removeprefix(f"{wallet}:") if wallet != HOUSE_WALLET else None
            check_equal(where, "the id at the operator", outside_id, outside)
            entered = [word for word in (DISABLED, ENDED) if notebook.total(f"status:player:{player_id}:{word}") == 1]
            check_equal(where, "the status", status, entered[0] if entered else ACTIVE)
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


def check_sessions(tx: Tx, notebook: Notebook) -> None:
    """Every session was begun by the house, and every purse was opened in the currency its event tells."""
    for page in pages(tx, _SESSIONS):
        for token_hash, player_id, created_at, expires_at, outside_token in page:
            sealed = session_digest(token_hash, player_id, created_at, expires_at, outside_token)
            is_empty = outside_token is not None and not outside_token  # sealed alike, and no token
            if is_empty or notebook.noted("session", sealed) is None:
                raise Differs(f"a session of player {player_id}: no event tells of it")
    count = 0
    for page in pages(tx, _PURSES):
        for player_id, currency, exponent in page:
            _check_noted(notebook, "purse", player_id, text([currency, exponent]))
            count += 1
    check_count(notebook, "purse", count)


def _check_password(notebook: Notebook, player_id: str, password: str | None) -> None:
    """The password is the one that the events have set last, or there never was one."""
    where = f"player {player_id}"
    if password is None:
        check_equal(where, "whether a password was ever set", notebook.noted("has password", player_id), None)
        return
    name = f"{player_id}:{digest_of(password)}"
    if notebook.noted("password", name) is None or notebook.noted("password left", name) is not None:
        raise Differs(f"{where}: the digest of the password is not the one that was sealed last")


def _before_naming(notebook: Notebook, player_id: str, name: str, guest: int) -> tuple[str, int]:
    """The name a player came with, and whether as a guest; a guest may have taken another name since."""
    named = notebook.noted("named", player_id)
    if named is None:
        return name, guest
    before, after = msgspec.json.decode(named)
    check_equal(f"player {player_id}", "the name", name, after)
    check_equal(f"player {player_id}", "whether it is a guest", guest, 0)
    return before, 1


def check_accounts(tx: Tx, notebook: Notebook, held: int, free_held: int) -> dict[str, int]:
    """The sums of the house, the mint, the held stakes, the jackpots, the operators, and of free bets if any."""
    readings = {table: (amount, reserve) for table, amount, reserve in tx.all(_METERS, {})}
    found: dict[str, int] = {"held": 0, "house": 0, "mint": 0, "jackpots": 0, "operators": 0, "players": 0}
    found[WRITTEN_OFF] = 0
    for account, total in notebook.sums("account:"):
        kind, _, name = account.partition(":")
        if kind == "player" and tx.one(_ACCOUNT, {"account": account}) is None:
            raise Differs(f"account {account} has transfers for {total}; there is no such account")
        if kind == "jackpot" and name not in readings:
            raise Differs(f"account {account} has transfers for {total}; there is no meter at that table")
        if kind.startswith("free-"):
            free = "free-left" if kind == "free-bet" else account
            found[free] = found.get(free, 0) + total
            continue
        key = {"player": "players", "jackpot": "jackpots", "operator": "operators"}.get(kind, account)
        if key not in found:
            raise Differs(f"account {account} has transfers for {total}; the house has no such account")
        found[key] += total
    check_equal("account held", "its sum", found["held"], held)
    check_equal("account free-held", "its sum", found.get(FREE_HELD, 0), free_held)
    check_free_accounts(found)
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
        first = (noted_version(notebook, row["id"], 1) or {}).get("options")
        _check_noted(notebook, "table", row["id"], text([row["game"], first, row["position"]]))
        name, version = row["id"], row["version"]
        noted = noted_version(notebook, name, version)
        if noted is None:
            raise Differs(f"table version {name}:{version}: no event tells of it")
        where, now = f"table version {name}:{version}", {field: row[field] for field in CHANGES}
        check_equal(where, "what the books say", text(now), text({field: noted[field] for field in CHANGES}))
        for later in range(2, version + 1):
            before = noted_version(notebook, name, later, "table before")
            earlier = noted_version(notebook, name, later - 1)
            check_equal(f"table {name}, version {later}", "what it was before", before, earlier)
    check_count(notebook, "table", len(rows), {row["id"] for row in rows})
    check_count(notebook, "table version", sum(row["version"] for row in rows))
    statuses: dict[str, str] = {game: status for game, status in tx.all(_GAMES, {})}  # noqa: C416 (rows are tuples of anything)
    dealt = {row["game"] for row in rows}
    for game in sorted(statuses.keys() ^ (dealt | (statuses.keys() & GAMES.keys()))):
        what = "is dealt at a table and not among the games" if game in dealt else "is no game of this house"
        raise Differs(f"game {game} {what}")
    for game, status in statuses.items():
        check_equal(
            f"game {game}",
            "its status",
            status,
            "closed" if notebook.total(f"status:game:{game}:closed") == 1 else "open",
        )
    _check_keys(tx, notebook)
    _check_restrictions(tx, notebook)


def _check_restrictions(tx: Tx, notebook: Notebook) -> None:
    """Players are restricted as the events say, and no others are."""
    noted = {name: times for name, times in notebook.sums("restriction:") if times}
    found = {f"{player} {table} {maximum}": 1 for player, table, maximum in tx.all(_RESTRICTIONS, {})}
    for name in sorted(noted.keys() | found.keys()):
        player, table, maximum = name.rsplit(" ", 2)
        where = f"a restriction of player {player} at table {table} to {maximum}"
        check_equal(where, "how often it is in force", found.get(name, 0), noted.get(name, 0))


def _check_keys(tx: Tx, notebook: Notebook) -> None:
    keys = tx.all(_KEYS, {})
    for key_id, key_hash, name, scope, created_at, revoked_at in keys:
        _check_noted(notebook, "key", key_id, text([name, scope, created_at]))
        check_equal(f"key {key_id}", "the digest of its hash", digest_of(key_hash), notebook.noted("key hash", key_id))
        noted = notebook.noted("revoked", key_id)
        check_equal(f"key {key_id}", "when it was revoked", revoked_at, int(noted) if noted is not None else None)
    check_count(notebook, "key", len(keys), {key_id for key_id, *_ in keys})
