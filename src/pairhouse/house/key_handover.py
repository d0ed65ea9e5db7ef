"""Changes the sealing key: the old key signs for the new one, and the log goes on under it.

The handover is a head of the log that names the next key and is signed by both. Before it, an event with both keys is
sealed, so the log itself says which key came before. Nothing is signed with the old key after that. Every step can be
cut off: the new key is on disk first, one transaction makes it the key of the books, and a house that finds the books
under its next key takes that key (`LogKeeper`).
"""

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.house.house import House
from pairhouse.house.seal.heads import Head, SignedHead, read_head, sign_head
from pairhouse.house.seal.keys import Signer, SigningProcess, read_or_make_key
from pairhouse.house.sealing_key import (
    SealOptions,
    find_signer,
    handovers_file_of,
    key_file_of,
    next_key_file,
    take_next_key,
    waiting_key,
)
from pairhouse.house.store.database import Database, Tx
from pairhouse.house.store.log_rows import all_heads, insert_head, newest_head, read_state, replace_key
from pairhouse.house.store.transaction import WriteTx

KEY_CHANGED = "sealing-key-changed"


def hand_over(house: House, new: Signer) -> SignedHead:
    """Have the sealing key of a house hand over to a new one; the head that says so. The house must be closed next."""
    old = house.log.key
    if new.public_key == old.public_key:
        raise Refused("bad-sealing-key", "the new sealing key is the one in use; make another")
    with house.database.reading() as tx:
        if any(read_head(text).is_signed_by(new.public_key) for *_, text in all_heads(tx)):
            raise Refused("bad-sealing-key", "the new sealing key has signed these books before; make another")
    keys = {"before": old.public_key.hex(), "after": new.public_key.hex()}
    house.do(lambda tx: tx.seal(KEY_CHANGED, keys))
    house.log.turn()
    with house.database.reading() as tx:
        signed = _handover(tx, house, old, new)

    def change(tx: WriteTx) -> None:
        if read_state(tx).size != signed.head.size or not replace_key(tx, old.public_key, new.public_key):
            raise Refused("house-open", "the books have changed meanwhile; stop every house, then try again")
        insert_head(tx, signed)

    house.do(change)
    house.log.publish_handover(signed)
    return signed


def _handover(tx: Tx, house: House, old: Signer, new: Signer) -> SignedHead:
    """The head of the log as it is, with the next key, signed by both. All that was sealed must be in it."""
    state, newest = read_state(tx), newest_head(tx)
    if newest is None or newest.head.size != state.size or newest.head.epoch != house.log.epoch:
        sentence = "the log could not be signed up to its last event, and the key stays as it is"
        raise Refused("house-open", f"{sentence}; stop every other house, look at its messages, and try again")
    at = max(house.clock(), newest.head.at + 1)
    head = Head(state.books, house.log.epoch, state.size, state.tree.root(), at, new.public_key)
    return sign_head(head, old, new)


class KeyChanged(msgspec.Struct, frozen=True):
    """A change of the sealing key: the new key, from which event on, where all such heads are, and what is kept."""

    public_key: str
    size: int
    file: str
    kept: str


def change_key(database: Database, options: SealOptions, new_signer: str | None) -> KeyChanged:
    """Change the sealing key of a house that is closed; a change that was cut off after it was made is finished."""
    if options.signer is not None and new_signer is None:
        raise Refused("bad-sealing-key", "the sealing key is in a signing process; give the next one with --new-signer")
    with database.reading() as tx:
        finished = waiting_key(database, options, read_state(tx).public_key)
        newest = newest_head(tx)
    database.close()
    url = database.url.render_as_string(hide_password=False)
    house = House(url, sealing=options, deals=False)
    new: Signer = finished if finished is not None else house.log.key
    try:
        if finished is None or newest is None:
            made = new_signer is not None
            new = find_signer(database, SealOptions(signer=new_signer)) if made else _next_key(database, options)
            newest = hand_over(house, new)
    finally:
        house.close()
        if isinstance(new, SigningProcess):
            new.close()
    kept = "Give the new program as PAIRHOUSE_SIGNER from now on."
    if finished is not None:
        kept = "A change that was cut off is finished."
    elif new_signer is None:
        kept = f"The old key is now {take_next_key(key_file_of(database, options))}; only older backups need it."
    file = str(handovers_file_of(database, options))
    return KeyChanged(new.public_key.hex(), newest.head.size, file, kept)


def _next_key(database: Database, options: SealOptions) -> Signer:
    return read_or_make_key(next_key_file(key_file_of(database, options)))
