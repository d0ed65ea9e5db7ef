"""Keeps the signed log: puts the events of all chains into it, signs its heads and hands them to the anchors.

The log holds only events up to the ends that their writers have signed, so what others put into the database never gets
into it. No head is signed that does not extend the one before, whatever the database says (docs/decisions/0019).
"""

import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pairhouse.core.errors import Refused
from pairhouse.core.merkle import MerkleTree, Node, check_consistency, leaf_hashes
from pairhouse.house.epoch import FIRST_EPOCH, books_epoch
from pairhouse.house.log_reader import growth_proof, prove_growth
from pairhouse.house.people import seal_secrets
from pairhouse.house.seal.anchors import Anchors, AnchorState, read_anchor_file
from pairhouse.house.seal.chain_keys import ChainCertifier
from pairhouse.house.seal.heads import Head, SignedHead, sign_head
from pairhouse.house.seal.keys import Signer, SigningProcess
from pairhouse.house.seal.sequencer import Growth, Run, signed_events
from pairhouse.house.sealing_key import (
    SealOptions,
    anchor_files,
    find_anchors,
    find_signer,
    handovers_file_of,
    note_handover,
    waiting_key,
)
from pairhouse.house.store.chain_ends import SignedChain, chains_in_events, grown_chains, insert_end
from pairhouse.house.store.database import Database, StoreFailed, Tx
from pairhouse.house.store.log_rows import (
    LogState,
    insert_head,
    introduce_key,
    newest_head,
    read_state,
    release_lease,
    replace_head,
    seals,
    store_growth,
)
from pairhouse.house.store.sealed_events import BooksSeal, seals_up_to_end
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.wallet_calls import seal_purses

LEASE_MS = 30_000  # so long after it last added to the log, no other house does

log = logging.getLogger("pairhouse.log")

Do = Callable[[Callable[[WriteTx], Any]], Any]  # runs a command and waits until it is on disk


class LogKeeper:
    """The signed log of a house that is open. The sealing key and the anchors are outside the database."""

    def __init__(self, database: Database, clock: Callable[[], int], options: SealOptions) -> None:
        self.database = database
        self.clock = clock
        self.alarms = 0  # how often something was found that this house cannot have written
        with database.reading() as tx:
            state = read_state(tx)
            self.epoch = max(books_epoch(tx).epoch, FIRST_EPOCH)
        self.books = state.books
        self.key: Signer = waiting_key(database, options, state.public_key) or find_signer(database, options)
        self._check_key(state)
        self.is_new = state.public_key is None
        self.certifier = ChainCertifier(self.key, self.books, self.epoch)
        self._options = options
        self._house = secrets.token_hex(8)
        self._last = self._anchored()  # the newest head that is known for certain
        self._told: set[str] = set()
        self._has_new_epoch = False
        self._do: Do | None = None
        self._anchors: Anchors | None = None

    def _check_key(self, state: LogState) -> None:
        ours = self.key.public_key.hex()
        if state.public_key not in (None, ours):
            sentence = f"these books are sealed with key {str(state.public_key)[:16]}, and this house has {ours[:16]}"
            self.let_go()
            raise Refused("bad-sealing-key", f"{sentence}; give the key of these books (--sealing-key or --signer)")

    def _anchored(self) -> SignedHead | None:
        """The newest head of these books in the files that heads are kept in."""
        found: list[SignedHead] = []
        for file in anchor_files(self.database, self._options):
            with suppress(Refused):  # a file that is not there, or of something else: the audit says so
                found += read_anchor_file(file)
        ours = [one for one in found if (one.head.books, one.head.epoch) == (self.books, self.epoch)]
        trusted = [one for one in ours if _is_signed_by(one, self.key.public_key)]
        return max(trusted, key=lambda one: one.head.size, default=None)

    def enter_epoch(self, epoch: int) -> None:
        """Sign for this epoch of the books from now on; heads of an earlier one need not be extended."""
        if epoch != self.epoch:
            self.epoch = self.certifier.epoch = epoch
            self._last = self._anchored()
            self._has_new_epoch = True

    def begin(self, do: Do) -> None:
        """Begin to keep the log: books that have none yet get it now, with all their chains."""
        self._do = do
        self._publish_handover()
        if self.is_new and not do(self._begin_log):
            with self.database.reading() as tx:
                self._check_key(read_state(tx))

    def _publish_handover(self) -> None:
        """The key has just changed: tell the anchors again, in case that was cut off."""
        with self.database.reading() as tx:
            newest = newest_head(tx)
        if newest is not None and newest.head.next_key is not None:
            self.publish_handover(newest)

    def publish_handover(self, signed: SignedHead) -> None:
        """Hand a head that changes the key to every anchor, and to the file of all such heads."""
        note_handover(handovers_file_of(self.database, self._options), signed)
        self.publish(signed)

    def _begin_log(self, tx: WriteTx) -> bool:
        """Name the sealing key, and sign the end of every chain of before; False if another house has done so."""
        if not introduce_key(tx, self.key.public_key):
            return False
        for chain, number in chains_in_events(tx):
            if chain != tx.chain.id:
                insert_end(tx, self.certifier.new_key(chain), number, seals(tx, chain, number, number)[0].hex())
        seal_secrets(tx)
        seal_purses(tx)
        return True

    # The steps of a turn: look, store, sign, keep, publish.

    def turn(self) -> SignedHead | None:
        """Take what is new into the log and sign a head, if it is for this house to do; the head."""
        assert self._do is not None
        self.sign_new_epoch()
        grown = self.look()
        if grown is not None:
            self._do(lambda tx: self.store(tx, *grown))
        signed = self.sign()
        if signed is not None:
            self._do(lambda tx: self.keep(tx, signed))
            self.publish(signed)
        return signed

    def sign_new_epoch(self) -> None:
        """Sign where a new epoch begins, before anything is added: what was signed beyond that is left behind."""
        if not self._has_new_epoch or self._do is None:
            return
        with self.database.reading() as tx:
            state, newest = read_state(tx), newest_head(tx)
        self._has_new_epoch = False
        if newest is not None and newest.head.epoch >= self.epoch:
            return
        head = Head(self.books, self.epoch, state.size, state.tree.root(), self.clock())
        self._last = signed = sign_head(head, self.key)
        self._do(lambda tx: self.keep(tx, signed))
        self.publish(signed)

    def look(self) -> tuple[int, Growth] | None:
        """What is new in the chains, and the size of the log before it; None if there is nothing."""
        with self.database.reading() as tx:
            state = read_state(tx)
            if not self._may_add(state):
                return None
            tree, new_runs, new_nodes = state.tree, [], []
            for chain, in_log in grown_chains(tx):
                longer = MerkleTree(tree.size, tree.edge)
                try:
                    made = self._extended(tx, longer, chain, in_log)
                except Refused as refused:
                    self._alarm(str(refused))
                    continue
                new_runs.append(Run(tree.size, chain.chain, in_log + 1, chain.number))
                new_nodes += made
                tree = longer
        growth = Growth(new_runs, new_nodes, tree.size, tree.edge, tree.root())
        return (state.size, growth) if growth.runs else None

    def _may_add(self, state: LogState) -> bool:
        now = self.clock()
        return state.is_free_for(self._house, now) or state.held_until > now + LEASE_MS  # a clock was put back

    def _extended(self, tx: Tx, tree: MerkleTree, chain: SignedChain, in_log: int) -> list[tuple[Node, bytes]]:
        """Append the new events of a chain to the tree; the subtrees to be stored. What is not signed is refused.

        The seals of our own writers are known; those of others, and of before this start, are read and computed again.
        """
        known = self.certifier.recent.between(chain.chain, in_log, chain.number)
        if known is not None:
            certificate = chain.certificate_of(self.books)
            certificate.check([self.key.public_key])
            return tree.extend(leaf_hashes(signed_events(certificate, chain.end, in_log + 1, known).seals))
        made: list[tuple[Node, bytes]] = []
        for page in seals_up_to_end(tx, BooksSeal(self.books, self.key.public_key), chain, in_log):
            made += tree.extend(leaf_hashes(page))
        return made

    def store(self, tx: WriteTx, size_before: int, growth: Growth) -> bool:
        """Write down what was found; False if another house was faster."""
        now = self.clock()
        return store_growth(tx, size_before, growth, self._house, now, now + LEASE_MS)

    def sign(self) -> SignedHead | None:
        """Sign the log as it is on disk, if it has grown since the last head and extends it."""
        with self.database.reading() as tx:
            state, newest = read_state(tx), newest_head(tx)
            known = newest.head.position if newest is not None else (0, 0)
            if not self._may_add(state) or state.size == 0 or known >= (self.epoch, state.size):
                return None
            head = Head(self.books, self.epoch, state.size, state.tree.root(), self.clock())
            try:
                self._check_extends(tx, head)
            except (Refused, ValueError) as refused:
                self._alarm(f"no head was signed: {refused}")
                return None
        signed = sign_head(head, self.key)
        self._last = signed
        return signed

    def _check_extends(self, tx: Tx, head: Head) -> None:
        """Refuse a head that contradicts the last one."""
        if self._last is None:
            return
        last = self._last.head
        if last.size > head.size:
            sentence = f"{last} was signed, and the log has {head.size} events"
            raise Refused("books-cut-off", f"{sentence}; some were cut off, or an older state was put back")
        check_consistency(last.size, last.root, head.size, head.root, growth_proof(tx, last.size, head.size))

    def keep(self, tx: WriteTx, signed: SignedHead) -> None:
        """Write a head down."""
        insert_head(tx, signed)

    def publish(self, signed: SignedHead) -> None:
        """Hand a head to every anchor, which have threads of their own."""
        if self._anchors is None:
            found = find_anchors(self.database, self._options, prove_growth(self.database))
            self._anchors = Anchors(found, self._cosigned)
        self._anchors.publish(signed)

    def _cosigned(self, signed: SignedHead) -> None:
        """A witness has signed a head too."""
        if self._do is not None:
            self._do(lambda tx: replace_head(tx, signed))

    def _alarm(self, reason: str) -> None:
        """Something is in the database that this house cannot have written: say so once, and count it."""
        self.alarms += 1
        if reason not in self._told:
            self._told.add(reason)
            log.error("the books were changed by others", extra={"reason": reason})

    def anchor_states(self) -> list[AnchorState]:
        """How each anchor stands."""
        return self._anchors.states() if self._anchors is not None else []

    def close(self) -> None:
        """Sign what is left, wait a little for the anchors, and let go of the key."""
        with suppress(StoreFailed):
            self.turn()
            if self._do is not None:
                self._do(lambda tx: release_lease(tx, self._house))
        if self._anchors is not None:
            self._anchors.close()
        self.let_go()

    def let_go(self) -> None:
        """End the signing process, if there is one."""
        if isinstance(self.key, SigningProcess):
            self.key.close()


def _is_signed_by(signed: SignedHead, public_key: bytes) -> bool:
    try:
        return signed.is_signed_by(public_key)
    except Refused:
        return False
