"""Changes the key for stored secrets: everything that is sealed with the old key is sealed with a new one."""

from sqlalchemy import bindparam, select, update

from pairhouse.house.store.live_schema import live_rounds
from pairhouse.house.store.schema import players, sessions, streams
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.vault import Vault

_PAGE = 1_000
_SEEDS = {  # of players and of live rounds: how they are read and written, by id
    table.name: (
        select(table.c.id, table.c.sealed_seed)
        .where(table.c.id > bindparam("after"))
        .order_by(table.c.id)
        .limit(_PAGE),
        update(table).where(table.c.id == bindparam("sealed_for")).values(sealed_seed=bindparam("sealed")),
    )
    for table in (streams, live_rounds)
}
_TOKENS = (
    select(sessions.c.token_hash, sessions.c.outside_token, players.c.name)
    .join(players, players.c.id == sessions.c.player_id)
    .where(sessions.c.token_hash > bindparam("after"), sessions.c.outside_token.is_not(None))
    .order_by(sessions.c.token_hash)
    .limit(_PAGE)
)
_SET_TOKEN = (
    update(sessions).where(sessions.c.token_hash == bindparam("session")).values(outside_token=bindparam("sealed"))
)


def rekey(tx: WriteTx, old: Vault, new: Vault) -> tuple[int, int]:
    """Seal every seed and every operator's token with the new key, in one transaction; how many of each."""
    seeds = tokens = 0
    for read, write in _SEEDS.values():
        after = ""
        while found := tx.all(read, {"after": after}):
            for name, sealed in found:
                tx.queue(write, {"sealed_for": name, "sealed": new.seal(old.open(bytes(sealed), name), name)})
            seeds += len(found)
            after = found[-1][0]
    after = ""
    while found := tx.all(_TOKENS, {"after": after}):
        for token_hash, sealed, name in found:
            tx.queue(_SET_TOKEN, {"session": token_hash, "sealed": new.seal(old.open(bytes(sealed), name), name)})
        tokens += len(found)
        after = found[-1][0]
    tx.seal("seed-key-changed", {"seeds": seeds, "tokens": tokens})
    return seeds, tokens
