"""Hold the books to the heads that were kept elsewhere: the log of now must begin with the log of each of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pairhouse.core.errors import Refused
from pairhouse.core.merkle import MerkleTree, Node
from pairhouse.house.seal.heads import Head, KeyRing, Position, SignedHead


@dataclass
class GrowthResult:
    """What was found: the heads that the books extend, and those that a restored backup has left behind."""

    events: int = 0
    extended: list[Head] = field(default_factory=list)
    left_behind: list[Head] = field(default_factory=list)


class GrowthCheck:
    """Compares the log with any number of heads while its leaves stream by once, in constant memory.

    A house that was restored from a backup goes on in a new epoch, from the size the backup had. What was signed in an
    earlier epoch beyond that size is gone. The sealing key has said so by signing the new epoch, so these heads are
    listed and not held against the books; somebody has to answer for them.
    """

    def __init__(self, heads: Iterable[SignedHead], keys: KeyRing) -> None:
        checked = sorted(heads, key=lambda signed: (signed.head.position, signed.head.at))
        for signed in checked:
            keys.learn(signed)
        starts: dict[int, int] = {}  # the size at which each epoch was first signed
        for signed in checked:
            starts.setdefault(signed.head.epoch, signed.head.size)
        self._grown = GrowthResult()
        self._waiting: list[Head] = []
        for signed in checked:
            head = signed.head
            is_gone = any(epoch > head.epoch and size < head.size for epoch, size in starts.items())
            (self._grown.left_behind if is_gone else self._waiting).append(head)
        self._waiting.sort(key=lambda head: head.size, reverse=True)
        self._tree = MerkleTree()

    @property
    def edge(self) -> list[bytes]:
        """The right edge of the tree so far."""
        return self._tree.edge

    def add(self, hashes: Sequence[bytes]) -> list[tuple[Node, bytes]]:
        """Add the hashes of the next leaves; the larger subtrees they complete. A head that differs is refused."""
        made: list[tuple[Node, bytes]] = []
        while self._waiting and self._waiting[-1].size <= self._tree.size + len(hashes):
            here = self._waiting[-1].size - self._tree.size
            made += self._tree.extend(hashes[:here])
            hashes = hashes[here:]
            self._compare(self._waiting.pop())
        return made + self._tree.extend(hashes)

    def _compare(self, head: Head) -> None:
        found = self._tree.root()
        if found != head.root:
            roots = f"their root is {found.hex()[:16]}, and {head.root.hex()[:16]} was signed"
            raise Refused("books-rewritten", f"the first {head.size} events are not those of {head}: {roots}")
        self._grown.extended.append(head)

    def finish(self) -> GrowthResult:
        """All leaves were given: refuse books that end before a head does."""
        self.add([])
        if self._waiting:
            head = self._waiting[0]
            missing = f"{head.size - self._tree.size} events were cut off, or an older state was put back"
            raise Refused("books-cut-off", f"the log has {self._tree.size} events, and {head} was signed: {missing}")
        self._grown.events = self._tree.size
        return self._grown


def newest(heads: Iterable[SignedHead]) -> Position | None:
    """How far the books had come when the newest of these heads was signed; None without any."""
    return max((signed.head.position for signed in heads), default=None)
