"""Accounts that change: a guest takes a name and keeps everything, and a player changes the password."""

from sqlalchemy import bindparam, delete, select, update

from pairhouse.core.errors import Refused, shown
from pairhouse.house.care.exclusions import account_of_name, account_of_player, exclusion_of, refusal_at_sign_in
from pairhouse.house.people import Person, person_of
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import players, sessions
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.tokens import digest_of

_ID_BY_NAME = select(players.c.id).where(players.c.name == bindparam("name"))
_TAKE_NAME = (
    update(players)
    .where(players.c.id == bindparam("player"))
    .values(name=bindparam("new_name"), guest=0, password=bindparam("hashed"))
)
_PASSWORD = select(players.c.password).where(players.c.id == bindparam("player"))
_NEW_PASSWORD = update(players).where(players.c.id == bindparam("player")).values(password=bindparam("hashed"))
_END_OTHERS = delete(sessions).where(
    sessions.c.player_id == bindparam("player"), sessions.c.token_hash != bindparam("this")
)


def take_name(tx: WriteTx, token_hash: str, name: str, hashed: str) -> None:
    """Turn a guest into a named account: the same player, with the same money, rounds and session."""
    person = person_of(tx, token_hash, tx.now)
    if not person.guest:
        raise Refused("not-a-guest", f"you are signed in as {shown(person.name)}; only a guest takes a name")
    if tx.one(_ID_BY_NAME, {"name": name}) is not None:
        raise Refused("name-taken", f"the name {shown(name)} is taken; choose another")
    away = exclusion_of(tx, account_of_player(tx, person.id), tx.now)
    if away is not None:  # it is kept under what the guest is called now, and would not follow to the name
        raise away.refusal
    excluded = refusal_at_sign_in(tx, account_of_name(name), None, tx.now)
    if excluded is not None:
        raise excluded
    tx.run(_TAKE_NAME, {"player": person.id, "new_name": name, "hashed": hashed})
    named = {"player": person.id, "before": person.name, "after": name}
    tx.seal("player-named", named | {"password": digest_of(hashed)})


def stored_password(tx: Tx, person: Person) -> str:
    """The password hash of this player, to be checked outside the transaction; a guest has none."""
    hashed: str | None = tx.value(_PASSWORD, {"player": person.id})
    if hashed is None:
        raise Refused("no-password", "you have no password here; a guest first takes a name with one")
    return hashed


def change_password(tx: WriteTx, token_hash: str, matched: str, hashed: str) -> None:
    """Store another password, where the one in force was given, and end every other session of the player.

    `matched` is the digest of the stored password that was given; it must still be the one in force.
    """
    person = person_of(tx, token_hash, tx.now)
    before = digest_of(stored_password(tx, person))
    if before != matched:
        raise wrong_password()
    tx.run(_NEW_PASSWORD, {"player": person.id, "hashed": hashed})
    tx.run(_END_OTHERS, {"player": person.id, "this": token_hash})
    tx.seal("password-changed", {"player": person.id, "before": before, "after": digest_of(hashed)})


def wrong_password() -> Refused:
    return Refused("wrong-password", "this is not your password; it stays as it is")
