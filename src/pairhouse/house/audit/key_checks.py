"""Checks of the sealing keys: each was introduced by the one before, and no chain was let in by one that had gone."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import func, select

from pairhouse.house.audit.notebook import Differs, Notebook, check_equal
from pairhouse.house.seal.chain_keys import ChainCertificate
from pairhouse.house.seal.heads import KeyRing, SignedHead
from pairhouse.house.seal.keys import is_signed_by
from pairhouse.house.store.database import Tx
from pairhouse.house.store.log_rows import LogState
from pairhouse.house.store.schema import runs

KEY_CHANGED = "sealing key after"
_LAST_LEAVES = select(
    runs.c.chain, func.max(runs.c.first_leaf + runs.c.last_event - runs.c.first_event), func.max(runs.c.last_event)
).group_by(runs.c.chain)


def note_key_changed(notebook: Notebook, place: str, at: int, body: dict[str, Any]) -> None:
    """Note which key came before another; a change that was cut off and made again says the same twice."""
    notebook.note_same(KEY_CHANGED, body["after"], body["before"])


class SealingKeys:
    """The keys of these books, oldest first, and the head with which each began."""

    def __init__(self, notebook: Notebook, state: LogState, trusted: bytes, heads: Iterable[SignedHead]) -> None:
        handovers = sorted(
            (one for one in heads if one.head.next_key is not None), key=lambda one: (one.head.position, one.head.at)
        )
        self.ring = KeyRing(state.books, self._first(notebook, handovers) or trusted)
        self.since: list[SignedHead] = []
        for signed in handovers:
            new = signed.head.next_key
            assert new is not None
            if new not in self.ring.all_keys:
                check_equal("the signed log", f"the key before {_short(new)}", _before(notebook, new), self.ring.key)
                self.since.append(signed)
            self.ring.learn(signed)
        if trusted not in self.ring.all_keys:
            known = ", ".join(_short(key) for key in self.ring.all_keys)
            raise Differs(f"the signed log: the key {_short(trusted)} is none of its sealing keys, which are {known}")
        check_equal("the signed log", "the sealing key", state.public_key, self.ring.key.hex())

    @staticmethod
    def _first(notebook: Notebook, handovers: Sequence[SignedHead]) -> bytes | None:
        new = handovers[0].head.next_key if handovers else None
        return _before(notebook, new) if new is not None else None

    def check_chains(self, tx: Tx, certified: Iterable[tuple[ChainCertificate, int]]) -> None:
        """Each chain was let in by a key of these books; one of a key that has gone ended before that."""
        if len(self.ring.all_keys) == 1:
            for certificate, _ in certified:
                certificate.check(self.ring.all_keys)
            return
        in_log = {chain: (int(leaf), int(event)) for chain, leaf, event in tx.all(_LAST_LEAVES, {})}
        for certificate, last in certified:
            certificate.check(self.ring.all_keys)
            keys = self.ring.all_keys
            number = max(n for n, key in enumerate(keys) if is_signed_by(key, certificate.signature, certificate.body))
            if number == len(keys) - 1:
                continue
            gone = self.since[number].head
            leaf, event = in_log.get(certificate.chain, (gone.size, 0))
            is_later = leaf >= gone.size or event < last
            if certificate.epoch > gone.epoch or (certificate.epoch == gone.epoch and is_later):
                sentence = f"chain {certificate.chain} was let in by key {_short(keys[number])}"
                raise Differs(f"{sentence} and goes on after {gone}, when another key had replaced that one")


def _before(notebook: Notebook, key: bytes) -> bytes:
    """The key before this one, as the sealed event of the change says."""
    before = notebook.noted(KEY_CHANGED, key.hex())
    if before is None:
        raise Differs(f"the signed log: a head introduces key {_short(key)}, and no event tells of the change")
    return bytes.fromhex(before)


def _short(public_key: bytes) -> str:
    return public_key.hex()[:16]
