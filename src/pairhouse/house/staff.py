"""The staff of the house: accounts with roles, their sessions, and what they do with the reason they give."""

from typing import NamedTuple

from sqlalchemy import bindparam, delete, insert, select, update

from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.house.people import ACTIVE, DISABLED, bad_login
from pairhouse.house.pit_orders import MAY
from pairhouse.house.store.database import Tx
from pairhouse.house.store.ids import new_id
from pairhouse.house.store.pit_schema import staff, staff_sessions
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.tokens import digest_of, hash_of, new_token

ROLES = tuple(MAY)
SHIFT_MS = 10 * 3_600_000  # how long a session lasts
NAME_MAX, REASON_MAX = 40, 400

_BY_NAME = select(staff.c.id, staff.c.status, staff.c.password).where(staff.c.name == bindparam("called"))
_PASSWORD = select(staff.c.password).where(staff.c.name == bindparam("called"))
_EVERYBODY = select(staff.c.name, staff.c.role, staff.c.status, staff.c.created_at).order_by(staff.c.name)
_INSERT, _INSERT_SESSION = insert(staff), insert(staff_sessions)
_STATUS = update(staff).where(staff.c.id == bindparam("member")).values(status=bindparam("new_status"))
_SESSION = (
    select(staff.c.id, staff.c.name, staff.c.role, staff.c.status, staff_sessions.c.expires_at)
    .join(staff, staff.c.id == staff_sessions.c.staff_id)
    .where(staff_sessions.c.token_hash == bindparam("hash"))
)
_END = delete(staff_sessions).where(staff_sessions.c.token_hash == bindparam("hash"))
_END_ALL = delete(staff_sessions).where(staff_sessions.c.staff_id == bindparam("member"))
_END_OLD = delete(staff_sessions).where(staff_sessions.c.expires_at <= bindparam("now"))


class Member(NamedTuple):
    """Somebody of the staff who is signed in."""

    id: str
    name: str
    role: str


def counted_as(name: str) -> str:
    """The name under which failed sign-ins of the staff are counted: apart from those of players."""
    return f"staff {name}"


def add_member(tx: WriteTx, name: str, role: str, hashed: str) -> str:
    """Give somebody an account with a role; its id."""
    if not name.strip() or len(name) > NAME_MAX or name != name.strip() or not name.isprintable():
        raise Refused("bad-name", f"{shown(name)} is no name; give one of 1 to {NAME_MAX} printed characters")
    if role not in ROLES:
        raise Refused("bad-role", f"{shown(role)} is no role; it can be {one_of(ROLES)}")
    if tx.one(_BY_NAME, {"called": name}) is not None:
        raise Refused("name-taken", f"the staff has somebody called {shown(name)}; choose another name")
    row = {"id": new_id(tx.now), "name": name, "role": role, "status": ACTIVE, "created_at": tx.now}
    tx.run(_INSERT, {**row, "password": hashed})
    tx.seal("staff-added", {**row, "password": digest_of(hashed)})
    return str(row["id"])


def change_member(tx: WriteTx, name: str, status: str) -> None:
    """Let somebody of the staff in again, or not any more; then their sessions end."""
    row = tx.one(_BY_NAME, {"called": name})
    if row is None:
        raise Refused("unknown-staff", f"the staff has nobody called {shown(name)}")
    if status not in (ACTIVE, DISABLED):
        raise Refused("bad-status", f"{shown(status)} is no status; it can be {one_of((ACTIVE, DISABLED))}")
    tx.run(_STATUS, {"member": row[0], "new_status": status})
    if status == DISABLED:
        tx.run(_END_ALL, {"member": row[0]})
    tx.seal("staff-changed", {"staff": row[0], "before": {"status": row[1]}, "after": {"status": status}})


def everybody(tx: Tx) -> list[tuple[str, str, str, int]]:
    """Name, role, status and since when, of everybody on the staff."""
    return [(name, role, status, at) for name, role, status, at in tx.all(_EVERYBODY, {})]


def member_password(tx: Tx, name: str) -> str | None:
    """The stored password hash, to be checked outside the transaction."""
    hashed: str | None = tx.value(_PASSWORD, {"called": name})
    return hashed


def begin_shift(tx: WriteTx, name: str, matched: str) -> str:
    """The token of a new session for somebody who gave the password with this digest, if it is still in force."""
    row = tx.one(_BY_NAME, {"called": name})
    if row is None or digest_of(row[2]) != matched:
        raise bad_login()
    if row[1] != ACTIVE:
        raise Refused("staff-disabled", "this account of the staff is disabled; ask the operator")
    tx.run(_END_OLD, {"now": tx.now})
    token = new_token()
    session = {"token_hash": hash_of(token), "staff_id": row[0], "created_at": tx.now, "expires_at": tx.now + SHIFT_MS}
    tx.run(_INSERT_SESSION, session)
    tx.seal("staff-signed-in", {"staff": row[0], "session": shift_digest(*session.values())})
    return token


def shift_digest(token_hash: object, staff_id: object, created_at: object, expires_at: object) -> str:
    """What the event of a sign-in says of its session: enough to notice one that somebody put in."""
    return digest_of(str(token_hash), str(staff_id), str(created_at), str(expires_at))


def note_failed_shift(tx: WriteTx, name: str) -> None:
    """Seal that somebody gave a wrong password for one of the staff; nothing where nobody has the name."""
    row = tx.one(_BY_NAME, {"called": name})
    if row is not None:
        tx.seal("staff-login-failed", {"staff": row[0]})


def end_shift(tx: WriteTx, token_hash: str) -> None:
    """Sign out."""
    tx.run(_END, {"hash": token_hash})


def member_of(tx: Tx, token_hash: str, now: int) -> Member:
    """Who of the staff a session belongs to, if it has not ended and they may work."""
    row = tx.one(_SESSION, {"hash": token_hash})
    if row is None or now >= row[4]:
        raise Refused("bad-key", "sign in at the pit first: there is no live session of the staff with this token")
    if row[3] != ACTIVE:
        raise Refused("staff-disabled", "this account of the staff is disabled; ask the operator")
    return Member(*row[:3])


def checked_reason(reason: str) -> str:
    """The reason somebody gives for what they do; without one nothing is done."""
    given = " ".join(reason.split())
    if not given or len(given) > REASON_MAX or not given.isprintable():
        raise Refused("no-reason", f"say why, in 1 to {REASON_MAX} characters; the reason is sealed with what you do")
    return given
