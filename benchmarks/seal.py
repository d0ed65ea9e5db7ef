"""What the signed log costs: appending, signing, proving, and reading events back; `python benchmarks/seal.py`.

Both ways to feed it are timed in turns in one run: a leaf for every event, and a leaf for the end of each chain.
"""

import hashlib
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from pairhouse.core.merkle import MerkleTree, Node, leaf_hashes, stored_nodes
from pairhouse.house.seal.chain_keys import ChainKey
from pairhouse.house.seal.heads import Head, KeyRing, sign_head
from pairhouse.house.seal.keys import SigningProcess, read_or_make_key
from pairhouse.house.seal.log_proofs import prove_event, read_proof
from pairhouse.house.seal.sequencer import NewEvents, grow

EVENTS = 1_000_000
INTERVAL_EVENTS = 4_500  # what one busy writer seals in a second
TURNS = 5
BODY = "x" * 600  # the event of a settled round
TABLE = """
CREATE TABLE events (chain TEXT, number BIGINT, at BIGINT, kind TEXT, body TEXT, hash TEXT,
                     PRIMARY KEY (chain, number)) WITHOUT ROWID;
CREATE TABLE chain_ends (chain TEXT PRIMARY KEY, number BIGINT, hash TEXT, signature BLOB) WITHOUT ROWID;
INSERT INTO chain_ends VALUES ('chain', 0, '', x'');
"""


def each_us(work: Callable[[], object], count: int, clock: Callable[[], float] = time.process_time) -> float:
    """Microseconds of processor time for each of `count` things, the median of some turns."""
    times = []
    for _ in range(TURNS):
        started = clock()
        work()
        times.append(clock() - started)
    return median(times) / count * 1e6


def row(name: str, us: float, note: str = "") -> None:
    print(f"| {name} | {us:,.2f} | {1e6 / us:,.0f} | {note} |")


def fill(path: Path) -> sqlite3.Connection:
    """A database with the events of a chain."""
    books = sqlite3.connect(path, isolation_level=None)
    books.executescript(TABLE)
    seals = (hashlib.sha256(b"%d" % number).hexdigest() for number in range(INTERVAL_EVENTS))
    rows = [("chain", number, 0, "open", BODY, seal) for number, seal in enumerate(seals, 1)]
    books.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", rows)
    return books


def feeding(folder: Path) -> None:
    """A second of one busy writer, put into the log in either way; and the signature with each commit."""
    books, key = fill(folder / "books.db"), read_or_make_key(folder / "key")

    def every_event() -> None:
        found = books.execute("SELECT hash FROM events WHERE chain = 'chain' AND number > 0 ORDER BY number").fetchall()
        grow(MerkleTree(), [NewEvents("chain", 1, [bytes.fromhex(seal) for (seal,) in found])])

    def chain_ends() -> None:
        last = "SELECT hash FROM events WHERE chain = 'chain' ORDER BY number DESC LIMIT 1"
        grow(MerkleTree(), [NewEvents("chain", 1, [bytes.fromhex(books.execute(last).fetchone()[0])])])

    chain_key = ChainKey(key, "00" * 8, 1, "chain")
    seal = "ab" * 32

    def commit_ends() -> None:
        for number in range(200):
            end = chain_key.sign_end(number, seal)
            books.execute("UPDATE chain_ends SET number = ?, hash = ?, signature = ?", (number, seal, end.signature))

    books.execute("BEGIN")
    row("a leaf for every event: read and append", each_us(every_event, INTERVAL_EVENTS), "for each event")
    row("a leaf for each chain's end", each_us(chain_ends, INTERVAL_EVENTS), "for each event")
    row("sign and store the end of a chain", each_us(commit_ends, 200), "for each commit; about 30 events")
    books.execute("ROLLBACK")


def signing(folder: Path) -> None:
    head = Head("00" * 8, 1, EVENTS, bytes(32), 1_800_000_000_000)
    key = read_or_make_key(folder / "key")
    row("sign a head, key in a file", each_us(lambda: [sign_head(head, key) for _ in range(200)], 200))
    process = SigningProcess([sys.executable, "-m", "pairhouse.house.seal.keys", str(folder / "key")])
    waited = each_us(lambda: [sign_head(head, process) for _ in range(200)], 200, time.perf_counter)
    row("sign a head, signing process", waited, "waited for, not worked")
    process.close()
    signed, keys = sign_head(head, key), KeyRing(head.books, key.public_key)
    row("check a signed head", each_us(lambda: [keys.check(signed) for _ in range(200)], 200))


def proofs(folder: Path) -> None:
    seals = [hashlib.sha256(b"%d" % number).digest() for number in range(EVENTS)]
    row("hash leaves", each_us(lambda: leaf_hashes(seals), EVENTS))
    hashes = leaf_hashes(seals)
    row("append leaves", each_us(lambda: MerkleTree().extend(hashes), EVENTS), f"{EVENTS:,} at once")
    tree = MerkleTree()
    kept: dict[Node, bytes] = dict(tree.extend(hashes))
    node = stored_nodes(kept.__getitem__, lambda begin, end: seals[begin:end])
    key = read_or_make_key(folder / "key")
    signed = sign_head(Head("00" * 8, 1, EVENTS, tree.root(), 1_800_000_000_000), key)
    keys = KeyRing(signed.head.books, key.public_key)
    places = range(7, EVENTS, EVENTS // 100)
    row("prove an event from stored nodes", each_us(lambda: [prove_event(at, signed, node) for at in places], 100))
    texts = [prove_event(at, signed, node).text for at in places]
    check = [(read_proof(text), seals[at]) for text, at in zip(texts, places, strict=True)]
    row("check such a proof", each_us(lambda: [proof.check(seal, keys) for proof, seal in check], 100))
    size, path = max(map(len, texts)), max(len(proof.path) for proof, _ in check)
    print(f"\nA proof in {EVENTS:,} events: {size} bytes of text, {path} hashes; stored nodes: {len(kept):,}.")


if __name__ == "__main__":
    print("| what | microseconds | a second | |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        feeding(Path(name))
        signing(Path(name))
        proofs(Path(name))
