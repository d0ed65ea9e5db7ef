"""Players, guests and their sessions, and the API keys of operators and administrators.

Tokens and keys are random and only their hashes are stored; passwords are stored as argon2id hashes.
"""

import secrets
from functools import lru_cache

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from sqlalchemy import bindparam, delete, insert, select, update

from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.house.bank import (
    MINT,
    PLAYER,
    Transfer,
    balance_of,
    change_balance,
    open_account,
    player_account,
    record,
    recorded_at,
)
from pairhouse.house.care.deposits import take_deposit
from pairhouse.house.care.exclusions import account_of_name, account_of_outside, refusal_at_sign_in
from pairhouse.house.store.database import Row, Tx
from pairhouse.house.store.ids import new_id
from pairhouse.house.store.schema import api_keys, players, sessions
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.tokens import digest_of, hash_of, new_token

ACTIVE, DISABLED, ENDED = "active", "disabled", "ended"
HOUSE_WALLET = "house"
SESSION_MS = 12 * 3_600_000
IDLE_MS = 30 * 60_000
SEEN_EVERY_MS = 60_000
SESSIONS_MAX = 8  # of one account at once; one more ends the oldest
PLAY_MONEY = 100_000
KEY_NAME_MAX = 100
REFILL = "refill:"  # the key of play money that was filled up begins with this: it is a deposit
SCOPES = ("operator", "admin")
SEALED_AT_ONCE = 500

_INSERT_PLAYER = insert(players)
_BY_NAME = select(players.c.id, players.c.status, players.c.password).where(players.c.name == bindparam("name"))
_PASSWORD = select(players.c.password).where(players.c.name == bindparam("name"))
_INSERT_SESSION = insert(sessions)
SESSION_COLUMNS = (
    players.c.id,
    players.c.name,
    players.c.guest,
    players.c.wallet,
    players.c.status,
    sessions.c.created_at,
    sessions.c.seen_at,
    sessions.c.expires_at,
    sessions.c.outside_token,
)
_SESSION = (
    select(*SESSION_COLUMNS)
    .join(players, players.c.id == sessions.c.player_id)
    .where(sessions.c.token_hash == bindparam("hash"))
)
_SEEN = update(sessions).where(sessions.c.token_hash == bindparam("hash")).values(seen_at=bindparam("at"))
_END_SESSION = delete(sessions).where(sessions.c.token_hash == bindparam("hash"))
_SESSIONS_OF = (
    select(sessions.c.token_hash)
    .where(sessions.c.player_id == bindparam("player"))
    .order_by(sessions.c.created_at.desc(), sessions.c.token_hash)
)
_BY_OPERATOR_ID = select(players.c.id).where(
    players.c.wallet == bindparam("wallet"), players.c.outside_id == bindparam("outside")
)
_STATUS = update(players).where(players.c.id == bindparam("player")).values(status=bindparam("new_status"))
_PLAYER_STATUS = select(players.c.status).where(players.c.id == bindparam("player"))
_INSERT_KEY = insert(api_keys)
_KEY = select(api_keys.c.id, api_keys.c.scope).where(
    api_keys.c.key_hash == bindparam("hash"), api_keys.c.revoked_at.is_(None)
)
_SECRETS = (
    ("passwords", select(players.c.id, players.c.password).where(players.c.password.is_not(None))),
    ("keys", select(api_keys.c.id, api_keys.c.key_hash)),
)
_SESSIONS = select(
    sessions.c.token_hash, sessions.c.player_id, sessions.c.created_at, sessions.c.expires_at, sessions.c.outside_token
)
_REVOKE = update(api_keys).where(api_keys.c.id == bindparam("key")).values(revoked_at=bindparam("at"))


class Person(msgspec.Struct, frozen=True):
    """A player who is signed in. `since` is when the session began; `outside_token` is the operator's, sealed."""

    id: str
    name: str
    guest: bool
    wallet: str
    since: int
    token_hash: str
    outside_token: bytes | None = None
    seen_at: int = 0

    @property
    def account(self) -> str:
        """The account this player's money comes from and goes to."""
        return PLAYER + self.id if self.wallet == HOUSE_WALLET else operator_account(self.wallet)

    @property
    def shown_name(self) -> str:
        """What others at a table read; what an operator calls its player is nobody's business there."""
        return self.name if self.wallet == HOUSE_WALLET else f"{self.wallet}-{self.id[-8:].lower()}"


def operator_account(wallet: str) -> str:
    """The account of all money that an operator keeps."""
    return f"operator:{wallet}"


@lru_cache(maxsize=1)
def _hasher() -> PasswordHasher:
    return PasswordHasher()


def password_hash(password: str) -> str:
    """The argon2id hash of a password. It takes tens of milliseconds by design: never call it in a transaction."""
    return _hasher().hash(password)


def new_guest(tx: WriteTx) -> str:
    """Add a guest with play money; the token of the new session."""
    player_id = new_id(tx.now)
    _add_player(tx, player_id, f"guest-{player_id[-8:].lower()}", guest=True, password=None)
    return new_session(tx, player_id)


def register(tx: WriteTx, name: str, hashed: str) -> str:
    """Add a named player with play money; the token of the first session."""
    if tx.one(_BY_NAME, {"name": name}) is not None:
        raise Refused("name-taken", f"the name {shown(name)} is taken; choose another")
    refusal = refusal_at_sign_in(tx, account_of_name(name), None, tx.now)
    if refusal is not None:
        raise refusal
    player_id = new_id(tx.now)
    _add_player(tx, player_id, name, guest=False, password=hashed)
    return new_session(tx, player_id)


def outside_player(tx: WriteTx, wallet: str, outside_id: str, sealed_token: bytes) -> tuple[str, str]:
    """Sign in a player whose money an operator keeps; the token of the new session, and the player's id."""
    player_id: str | None = tx.value(_BY_OPERATOR_ID, {"wallet": wallet, "outside": outside_id})
    refusal = refusal_at_sign_in(tx, account_of_outside(wallet, outside_id), player_id, tx.now)
    if refusal is not None:
        raise refusal
    if player_id is None:
        player_id = new_id(tx.now)
        _add_player(tx, player_id, f"{wallet}:{outside_id}", guest=False, password=None, operator=(wallet, outside_id))
    return new_session(tx, player_id, sealed_token), player_id


def _add_player(
    tx: WriteTx,
    player_id: str,
    name: str,
    *,
    guest: bool,
    password: str | None,
    operator: tuple[str, str | None] = (HOUSE_WALLET, None),
) -> None:
    wallet, outside_id = operator
    row = {"id": player_id, "name": name, "guest": int(guest), "password": password, "status": ACTIVE}
    row |= {"wallet": wallet, "outside_id": outside_id, "created_at": tx.now}
    tx.run(_INSERT_PLAYER, {**row, "failures": 0, "failed_at": 0, "locked_until": 0})
    event = {"player": player_id, "name": name, "guest": guest, "wallet": wallet}
    tx.seal("player-added", event | ({"password": digest_of(password)} if password is not None else {}))
    if wallet == HOUSE_WALLET:
        open_account(tx, player_account(player_id), "player")
        give_play_money(tx, player_id, PLAY_MONEY, f"welcome:{player_id}")


def give_play_money(tx: WriteTx, player_id: str, amount: int, key: str) -> int:
    """Give a player play money from the mint; the balance after it."""
    account = player_account(player_id)
    balance = change_balance(tx, account, 0, amount)
    moves = [Transfer("play-money", MINT, account, amount)]
    record(tx, key, None, moves)
    tx.seal("play-money", {"player": player_id, "key": key, "transfers": moves})
    return balance


def refill(tx: WriteTx, person: Person, held: int, key: str) -> int:
    """Top up a player's play money when little is left and no round is open; once for each key."""
    balance = balance_of(tx, person.account)
    if recorded_at(tx, key) is not None:
        return balance
    if person.wallet != HOUSE_WALLET or balance >= PLAY_MONEY // 10 or held:
        raise Refused("not-needed", "play money is filled up once less than 100.00 is left and no round is open")
    take_deposit(tx, person.id, PLAY_MONEY - balance)
    return give_play_money(tx, person.id, PLAY_MONEY - balance, key)


def new_session(tx: WriteTx, player_id: str, outside_token: bytes | None = None) -> str:
    """Start a session; its token, of which only the hash is stored."""
    token = new_token()
    for (oldest,) in tx.all(_SESSIONS_OF, {"player": player_id})[SESSIONS_MAX - 1 :]:
        tx.run(_END_SESSION, {"hash": oldest})
    hashed, expires_at = hash_of(token), tx.now + SESSION_MS
    row = {"token_hash": hashed, "player_id": player_id, "created_at": tx.now, "seen_at": tx.now}
    tx.run(_INSERT_SESSION, {**row, "expires_at": expires_at, "outside_token": outside_token})
    sealed = session_digest(hashed, player_id, tx.now, expires_at, outside_token)
    tx.seal("signed-in", {"player": player_id, "session": sealed})
    return token


def session_digest(
    token_hash: str, player_id: str, created_at: int, expires_at: int, outside_token: bytes | None
) -> str:
    """What the event of a sign-in says of its session: enough to notice a session that somebody put in."""
    return digest_of(token_hash, player_id, created_at, expires_at, (outside_token or b"").hex())


def end_session(tx: WriteTx, token_hash: str) -> None:
    """Sign out; a disabled player may do so too."""
    if not tx.run(_END_SESSION, {"hash": token_hash}):
        raise _not_signed_in()


def person_of(tx: Tx, token_hash: str, now: int) -> Person:
    """The player of a session, if it has not ended and the player may play."""
    return person_in(tx, tx.one(_SESSION, {"hash": token_hash}), token_hash, now)


def person_in(tx: Tx, row: Row | None, token_hash: str, now: int) -> Person:
    """The player in a row of `SESSION_COLUMNS`, if the session has not ended and the player may play."""
    if row is None:
        raise _not_signed_in()
    player_id, name, guest, wallet, status, since, seen_at, expires_at, outside_token = row
    if now >= expires_at or now - seen_at >= IDLE_MS + SEEN_EVERY_MS:
        raise _not_signed_in()
    if status != ACTIVE:
        raise Refused("player-disabled", "this account is disabled; ask the operator")
    if isinstance(tx, WriteTx) and now - seen_at >= SEEN_EVERY_MS:
        tx.queue_regardless(_SEEN, {"hash": token_hash, "at": now})
    return Person(player_id, name, bool(guest), wallet, since, token_hash, outside_token, seen_at)


def _not_signed_in() -> Refused:
    return Refused("not-signed-in", "there is no live session with this token; sign in again")


def password_of(tx: Tx, name: str) -> str | None:
    """The stored password hash of a player, to be checked outside the transaction."""
    hashed: str | None = tx.value(_PASSWORD, {"name": name})
    return hashed


def is_password(hashed: str | None, password: str) -> bool:
    """Whether the password is right; for an unknown name it takes as long, so that names cannot be found by timing."""
    try:
        return _hasher().verify(hashed or _hash_of_nothing(), password) and hashed is not None
    except VerifyMismatchError:
        return False


@lru_cache(maxsize=1)
def _hash_of_nothing() -> str:
    return _hasher().hash(secrets.token_hex(16))


def matched_password(hashed: str | None, password: str) -> str | None:
    """The digest of the stored password if this is the password: it tells later whether that is still in force."""
    return digest_of(hashed) if is_password(hashed, password) else None


def sign_in(tx: WriteTx, name: str, matched: str) -> str:
    """The token of a new session for a named player who gave the password with this digest.

    It takes a moment to compare a password. If it was changed meanwhile, the one that was given is no longer any good:
    whoever changes a password shuts everybody else out.
    """
    row = tx.one(_BY_NAME, {"name": name})
    if row is None or digest_of(row[2]) != matched:
        raise bad_login()
    player_id, status, _ = row
    if status != ACTIVE:
        raise Refused("player-disabled", "this account is disabled; ask the operator")
    excluded = refusal_at_sign_in(tx, account_of_name(name), player_id, tx.now)
    if excluded is not None:
        raise excluded
    return new_session(tx, player_id)


def note_failed_login(tx: WriteTx, name: str) -> None:
    """Seal that somebody gave a wrong password for a player; nothing where nobody has the name."""
    row = tx.one(_BY_NAME, {"name": name})
    if row is not None:
        tx.seal("login-failed", {"player": row[0]})


def bad_login() -> Refused:
    """The same for a wrong password and for a name that nobody has."""
    return Refused("bad-login", "this name and password do not go together")


def change_player(tx: WriteTx, by: str, player_id: str, status: str) -> None:
    """Enable or disable a player; open rounds stay as they are."""
    if status not in (ACTIVE, DISABLED):
        raise Refused("bad-status", f"{shown(status)} is no status; it can be {one_of((ACTIVE, DISABLED))}")
    before = tx.value(_PLAYER_STATUS, {"player": player_id})
    if before is None:
        raise Refused("unknown-player", f"player {shown(player_id)} is unknown")
    set_status(tx, by, player_id, before, status)


def set_status(tx: WriteTx, by: str, player_id: str, before: str, after: str) -> None:
    """Change a player's status, and seal who did and what it was."""
    tx.run(_STATUS, {"player": player_id, "new_status": after})
    change = {"before": {"status": before}, "after": {"status": after}}
    tx.seal("player-changed", {"by": by, "player": player_id, **change})


def new_key(tx: WriteTx, name: str, scope: str) -> tuple[str, str]:
    """Add an API key: its id, and the key itself, which is shown only now."""
    if scope not in SCOPES:
        raise Refused("bad-scope", f"{shown(scope)} is no scope; it can be {one_of(SCOPES)}")
    if not name.strip() or len(name) > KEY_NAME_MAX or not name.isprintable():
        said = f"{shown(name)} does not say whose key it is"
        raise Refused("bad-name", f"{said}; give 1 to {KEY_NAME_MAX} printed characters")
    key_id, key = new_id(tx.now), f"ph_{new_token()}"
    row = {"id": key_id, "key_hash": hash_of(key), "name": name, "scope": scope, "created_at": tx.now}
    tx.run(_INSERT_KEY, {**row, "revoked_at": None})
    tx.seal("key-added", {"key": key_id, "name": name, "scope": scope, "hash": digest_of(hash_of(key))})
    return key_id, key


def revoke_key(tx: WriteTx, key_id: str) -> None:
    if not tx.run(_REVOKE, {"key": key_id, "at": tx.now}):
        raise Refused("unknown-key", f"key {shown(key_id)} is unknown")
    tx.seal("key-revoked", {"key": key_id})


def seal_secrets(tx: WriteTx) -> None:
    """Seal digests of the passwords, keys and sessions that were there before their own events told of them."""
    for name, statement in _SECRETS:
        rows = tx.all(statement, {})
        for start in range(0, len(rows), SEALED_AT_ONCE):
            digests = {row_id: digest_of(secret) for row_id, secret in rows[start : start + SEALED_AT_ONCE]}
            tx.seal("secrets-sealed", {name: digests})
    found = [session_digest(*values) for values in tx.all(_SESSIONS, {})]
    for start in range(0, len(found), SEALED_AT_ONCE):
        tx.seal("secrets-sealed", {"sessions": found[start : start + SEALED_AT_ONCE]})


def key_holder(tx: Tx, key: str, scope: str) -> str:
    """The id of an API key, if its scope allows this; an administrator may do all that an operator may."""
    row = tx.one(_KEY, {"hash": hash_of(key)})
    if row is None:
        raise Refused("bad-key", "this needs an API key; make one with `pairhouse key`")
    key_id, has_scope = row
    if SCOPES.index(has_scope) < SCOPES.index(scope):
        raise Refused("not-allowed", f"this needs a key with scope {scope}; yours has {has_scope}")
    return str(key_id)
