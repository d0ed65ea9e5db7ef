"""The signed log in the database: its state, the runs of events in it, its larger subtrees and its heads."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, insert, select, update

from pairhouse.core.errors import Refused
from pairhouse.core.merkle import HASH_BYTES, MerkleTree, Node, NodeHash, stored_nodes
from pairhouse.house.seal.heads import SignedHead, read_head
from pairhouse.house.seal.sequencer import Growth, Run
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import events, heads, nodes, runs, signed_log
from pairhouse.house.store.statements import InsertNew

PAGE = 4_096
_STATE = select(signed_log)
_INTRODUCE = (
    update(signed_log)
    .where(signed_log.c.public_key.is_(None))
    .values(public_key=bindparam("new_key"))
    .returning(signed_log.c.books)
)
_REPLACE = (
    update(signed_log)
    .where(signed_log.c.public_key == bindparam("old_key"))
    .values(public_key=bindparam("new_key"))
    .returning(signed_log.c.books)
)
_GROW = (
    update(signed_log)
    .where(
        signed_log.c.size == bindparam("size_before"),
        (signed_log.c.holder == bindparam("house")) | (signed_log.c.held_until <= bindparam("now")),
    )
    .values(
        size=bindparam("new_size"), edge=bindparam("new_edge"), holder=bindparam("house"), held_until=bindparam("until")
    )
)
_RELEASE = update(signed_log).where(signed_log.c.holder == bindparam("house")).values(held_until=0)
_INSERT_RUN, _INSERT_NODE, _INSERT_HEAD = insert(runs), insert(nodes), InsertNew(heads)
_COSIGNED = (
    update(heads)
    .where(
        heads.c.epoch == bindparam("of_epoch"),
        heads.c.size == bindparam("of_size"),
        heads.c.at == bindparam("signed_at"),
    )
    .values(text=bindparam("new_text"))
)
_NEWEST = select(heads.c.text).order_by(heads.c.epoch.desc(), heads.c.size.desc(), heads.c.at.desc()).limit(1)
_HEADS = (
    select(heads.c.epoch, heads.c.size, heads.c.at, heads.c.text)
    .where(heads.c.at > bindparam("after"))
    .order_by(heads.c.epoch, heads.c.size, heads.c.at)
)
_SEALS = (
    select(events.c.hash)
    .where(events.c.chain == bindparam("of_chain"), events.c.number.between(bindparam("first"), bindparam("last")))
    .order_by(events.c.number)
)
_RUN_OF_EVENT = (
    select(runs)
    .where(runs.c.chain == bindparam("of_chain"), runs.c.last_event >= bindparam("event"))
    .order_by(runs.c.last_event)
    .limit(1)
)
_RUN_OF_LEAF = select(runs).where(runs.c.first_leaf <= bindparam("leaf")).order_by(runs.c.first_leaf.desc()).limit(1)
_RUNS_FROM = select(runs).where(runs.c.first_leaf > bindparam("after")).order_by(runs.c.first_leaf).limit(PAGE)
_NODE = select(nodes.c.hash).where(nodes.c.level == bindparam("at_level"), nodes.c.place == bindparam("at_place"))
_NODES = select(nodes.c.level, nodes.c.place, nodes.c.hash).order_by(nodes.c.level, nodes.c.place)


class LogState(NamedTuple):
    """The row of `signed_log`."""

    books: str
    public_key: str | None
    size: int
    edge: str
    holder: str
    held_until: int

    @property
    def tree(self) -> MerkleTree:
        """The tree of the log, to be added to."""
        edge = bytes.fromhex(self.edge)
        return MerkleTree(self.size, [edge[start : start + HASH_BYTES] for start in range(0, len(edge), HASH_BYTES)])

    def is_free_for(self, house: str, now: int) -> bool:
        """Whether this house may add to the log: no other has done so lately."""
        return self.holder == house or self.held_until <= now


def read_state(tx: Tx) -> LogState:
    """How the log stands."""
    rows = tx.all(_STATE, {})
    if len(rows) != 1:
        raise Refused("bad-log", f"the books say {len(rows)} times how their log stands; they should say it once")
    return LogState._make(rows[0])


def introduce_key(tx: Tx, public_key: bytes) -> bool:
    """Name the sealing key of books that have none yet; whether they had none."""
    return tx.one(_INTRODUCE, {"new_key": public_key.hex()}) is not None


def replace_key(tx: Tx, old: bytes, new: bytes) -> bool:
    """Name another sealing key in place of this one; whether it was this one."""
    return tx.one(_REPLACE, {"old_key": old.hex(), "new_key": new.hex()}) is not None


def store_growth(tx: Tx, size_before: int, growth: Growth, house: str, now: int, until: int) -> bool:
    """Store what was added to the log; False if another house has added to it meanwhile."""
    edge = b"".join(growth.edge).hex()
    change = {"size_before": size_before, "new_size": growth.size, "new_edge": edge, "house": house}
    if not tx.run(_GROW, {**change, "now": now, "until": until}):
        return False
    tx.insert_many(_INSERT_RUN, growth.runs)
    if growth.nodes:
        tx.insert_many(_INSERT_NODE, [(level, place, made.hex()) for (level, place), made in growth.nodes])
    return True


def release_lease(tx: Tx, house: str) -> None:
    """Let another house add to the log at once."""
    tx.run(_RELEASE, {"house": house})


def insert_head(tx: Tx, signed: SignedHead) -> None:
    """Store a signed head."""
    head = signed.head
    tx.run(_INSERT_HEAD, {"epoch": head.epoch, "size": head.size, "at": head.at, "text": signed.text})


def replace_head(tx: Tx, signed: SignedHead) -> None:
    """Store the signatures that witnesses have added to a head."""
    head = signed.head
    place = {"of_epoch": head.epoch, "of_size": head.size, "signed_at": head.at}
    tx.run(_COSIGNED, {**place, "new_text": signed.text})


def newest_head(tx: Tx) -> SignedHead | None:
    """The newest signed head, if there is any."""
    text = tx.value(_NEWEST, {})
    return read_head(text) if text is not None else None


def all_heads(tx: Tx) -> list[tuple[int, int, int, str]]:
    """Epoch, size, time and text of every stored head."""
    return [(epoch, size, at, text) for epoch, size, at, text in tx.all(_HEADS, {"after": -1})]


def seals(tx: Tx, chain: str, first: int, last: int) -> list[bytes]:
    """The seals of these events of a chain."""
    return [bytes.fromhex(seal) for (seal,) in tx.all(_SEALS, {"of_chain": chain, "first": first, "last": last})]


def pages_of_seals(tx: Tx, chain: str, first: int, last: int) -> Iterator[list[bytes]]:
    """The same, page by page."""
    for begin in range(first, last + 1, PAGE):
        yield seals(tx, chain, begin, min(last, begin + PAGE - 1))


def all_runs(tx: Tx) -> Iterator[Run]:
    """Every run, in the order of the log."""
    after = -1
    while rows := tx.all(_RUNS_FROM, {"after": after}):
        yield from map(Run._make, rows)
        after = rows[-1][0]


def leaf_of(tx: Tx, chain: str, number: int) -> int | None:
    """Which leaf of the log an event is; None while it is not in the log."""
    row = tx.one(_RUN_OF_EVENT, {"of_chain": chain, "event": number})
    run = Run._make(row) if row is not None else None
    return run.leaf_of(number) if run is not None and run.first <= number else None


def node_reader(tx: Tx) -> NodeHash:
    """A way to every complete subtree of the log."""

    def kept(node: Node) -> bytes:
        found = tx.value(_NODE, {"at_level": node.level, "at_place": node.place})
        if found is None:
            raise Refused("bad-log", f"the subtree {node.place} of level {node.level} is missing from the log")
        return bytes.fromhex(found)

    return stored_nodes(kept, lambda begin, end: leaves(tx, begin, end))


def leaves(tx: Tx, begin: int, end: int) -> Sequence[bytes]:
    """The leaves of the log from `begin` to before `end`."""
    found: list[bytes] = []
    while begin < end:
        row = tx.one(_RUN_OF_LEAF, {"leaf": begin})
        if row is None:
            break
        run = Run._make(row)
        first = run.first + begin - run.first_leaf
        last = min(run.last, first + end - begin - 1)
        if first > last:
            break
        found += seals(tx, run.chain, first, last)
        begin += last - first + 1
    return found


def all_nodes(tx: Tx) -> list[tuple[int, int, str]]:
    """Every stored subtree: its level, place and hash."""
    return [(level, place, made) for level, place, made in tx.all(_NODES, {})]
