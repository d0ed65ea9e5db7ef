"""What someone who can write every row of the books, and has no key, can do about the log: nothing unseen.

The books here are rows in memory, kept by two writers and a sequencer as docs/decisions/0019 says; an attacker may change
all of them but not the keys, nor the head that was anchored.
"""

from collections.abc import Callable
from copy import deepcopy

import pytest

from pairhouse.core.errors import Refused
from pairhouse.core.merkle import MerkleTree, leaf_hashes
from pairhouse.house.seal.chain_keys import ChainCertificate, ChainEnd, ChainKey
from pairhouse.house.seal.growth import GrowthCheck
from pairhouse.house.seal.heads import Head, KeyRing, SignedHead, sign_head
from pairhouse.house.seal.keys import Signer
from pairhouse.house.seal.sequencer import Run, RunsCheck, grow, signed_events
from seal_vectors import seal_of
from sealed_logs import BOOKS, some_key

HOUSE, THIEF = some_key(1), some_key(2)


class Rows:
    """All that stands in the database."""

    def __init__(self) -> None:
        self.events: dict[str, list[tuple[str, bytes]]] = {}
        self.certificates: dict[str, ChainCertificate] = {}
        self.ends: dict[str, ChainEnd] = {}
        self.runs: list[Run] = []
        self.heads: list[SignedHead] = []


def sealed(rows: Rows, chain: str, body: str) -> bytes:
    """An event, as the chain seals it: anybody can do this."""
    events = rows.events.setdefault(chain, [])
    before = events[-1][1].hex() if events else "0" * 64
    event = {"before": before, "chain": chain, "number": len(events) + 1, "at": 0, "kind": "open", "body": body}
    seal = seal_of(event)
    events.append((body, seal))
    return seal


class Writer:
    """Opens a chain, seals events, and signs its end."""

    def __init__(self, rows: Rows, chain: str, sealing_key: Signer = HOUSE) -> None:
        self.chain, self.key = chain, ChainKey(sealing_key, BOOKS, 1, chain)
        rows.certificates[chain] = self.key.certificate

    def commit(self, rows: Rows, *bodies: str) -> None:
        for body in bodies:
            seal = sealed(rows, self.chain, body)
        rows.ends[self.chain] = self.key.sign_end(len(rows.events[self.chain]), seal.hex())


def sequence(rows: Rows) -> SignedHead:
    """Put what is new into the log, and sign it."""
    done, tree = RunsCheck(), MerkleTree()
    for run in rows.runs:
        done.add(run)
        tree.extend(leaf_hashes(seal for _, seal in rows.events[run.chain][run.first - 1 : run.last]))
    found = []
    for chain, end in rows.ends.items():
        rows.certificates[chain].check([HOUSE.public_key])
        first = done.last.get(chain, 0) + 1
        found.append(signed_events(rows.certificates[chain], end, first, [seal for _, seal in rows.events[chain][first - 1 : end.number]]))  # fmt: skip
    rows.runs += grow(tree, found).runs
    rows.heads.append(sign_head(Head(BOOKS, 1, tree.size, tree.root(), 0), HOUSE))
    return rows.heads[-1]


def audit(rows: Rows, anchored: list[SignedHead]) -> None:
    """What the audit will do: walk the chains, then the log, and hold both to the heads."""
    for chain, events in rows.events.items():
        again = Rows()
        if [sealed(again, chain, body) for body, _ in events] != [seal for _, seal in events]:
            raise Refused("altered", f"chain {chain} does not match its seals")
        if chain not in rows.certificates or chain not in rows.ends:
            raise Refused("bad-chain", f"chain {chain} was not opened by this house")
        rows.certificates[chain].check([HOUSE.public_key])
        signed_events(rows.certificates[chain], rows.ends[chain], 1, [seal for _, seal in events])
    order, growth = RunsCheck(), GrowthCheck([*anchored, *rows.heads], KeyRing(BOOKS, HOUSE.public_key))
    for run in rows.runs:
        order.add(run)
        growth.add(leaf_hashes(seal for _, seal in rows.events.get(run.chain, [])[run.first - 1 : run.last]))
    growth.finish()


def books() -> tuple[Rows, SignedHead]:
    """Books with one chain at rest, one in use, an anchored head, and some events after it."""
    rows = Rows()
    Writer(rows, "rest").commit(rows, *(f"bet {n}" for n in range(20)))
    live = Writer(rows, "live")
    live.commit(rows, *(f"bet {n}" for n in range(300)))
    sequence(rows)
    live.commit(rows, "bet", "win")
    anchored = sequence(rows)
    live.commit(rows, "not in the log yet")
    return rows, anchored


def seal_anew(rows: Rows, chain: str, bodies: list[str]) -> None:
    rows.events[chain] = []
    for body in bodies:
        sealed(rows, chain, body)


def reseal_one(rows: Rows) -> None:
    seal_anew(rows, "live", ["a million", *(body for body, _ in rows.events["live"][1:])])


def reseal_all_as_a_house_of_ones_own(rows: Rows) -> None:
    old, rows.events = rows.events, {}
    rows.runs, rows.heads = [], []
    for chain, events in old.items():
        Writer(rows, chain, THIEF).commit(rows, *(body for body, _ in events[1:]))


def mint(rows: Rows) -> None:
    sealed(rows, "mint", "a million to me")


def mint_with_a_certificate(rows: Rows) -> None:
    Writer(rows, "mint", THIEF).commit(rows, "a million to me")


def add_to_the_chain_at_rest(rows: Rows) -> None:
    seal = sealed(rows, "rest", "a million to me")
    rows.ends["rest"] = rows.ends["rest"]._replace(number=21, seal=seal.hex())


def cut_what_is_not_in_the_log(rows: Rows) -> None:
    del rows.events["live"][-1]


def cut_to_before_the_anchored_head(rows: Rows) -> None:
    rows.events["live"] = rows.events["live"][:300]
    rows.runs, rows.heads = rows.runs[:2], rows.heads[:1]


def drop_a_chain(rows: Rows) -> None:
    for table in (rows.events, rows.certificates, rows.ends):
        del table["rest"]


def drop_a_chain_and_its_run(rows: Rows) -> None:
    drop_a_chain(rows)
    rows.runs = [run._replace(first_leaf=max(0, run.first_leaf - 20)) for run in rows.runs if run.chain != "rest"]
    rows.heads = []


def change_one_event(rows: Rows) -> None:
    rows.events["live"][7] = ("another", rows.events["live"][7][1])


def swap_runs(rows: Rows) -> None:
    rows.runs = [Run(0, "live", 1, 300), Run(300, "rest", 1, 20), *rows.runs[2:]]


def skip_a_leaf(rows: Rows) -> None:
    rows.runs[1] = rows.runs[1]._replace(first=2)


def change_a_head(rows: Rows) -> None:
    rows.heads[0] = SignedHead(Head(BOOKS, 1, 3, bytes(32), 0), rows.heads[0].signatures)


def sign_a_head(rows: Rows) -> None:
    rows.heads.append(sign_head(Head(BOOKS, 1, 3, bytes(32), 0), THIEF))


TAMPERINGS = [
    (reseal_one, "has another seal than its writer has signed"),
    (reseal_all_as_a_house_of_ones_own, "was not opened by this house"),
    (mint, "chain mint was not opened by this house"),
    (mint_with_a_certificate, "chain mint was not opened by this house: its certificate does not hold"),
    (add_to_the_chain_at_rest, "event 21 of chain rest is not signed by the writer of that chain"),
    (cut_what_is_not_in_the_log, "chain live is signed up to event 303; 302 events from 1 on are there"),
    (cut_to_before_the_anchored_head, "chain live is signed up to event 303"),
    (drop_a_chain, "the first 320 events are not those of|the log has"),
    (drop_a_chain_and_its_run, "the log has 302 events, and the head of epoch 1 at 322 events was signed: 20 events were cut off"),
    (change_one_event, "chain live does not match its seals"),
    (swap_runs, "the first 320 events are not those of the head of epoch 1 at 320 events"),
    (skip_a_leaf, "chain live goes on with event 2 after event 0 in the log|leaf 319 of the log is expected"),
    (change_a_head, "was altered"),
    (sign_a_head, "is not signed by the key in force there"),
]  # fmt: skip


def test_untouched_books_are_clean() -> None:
    rows, anchored = books()
    audit(rows, [anchored])


@pytest.mark.parametrize(("tamper", "says"), TAMPERINGS, ids=lambda given: getattr(given, "__name__", ""))
def test_tampering_is_found(tamper: Callable[[Rows], None], says: str) -> None:
    rows, anchored = books()
    tamper(rows)
    with pytest.raises(Refused, match=says):
        audit(rows, [anchored])


@pytest.mark.parametrize("tamper", [mint_with_a_certificate, add_to_the_chain_at_rest, reseal_one, cut_what_is_not_in_the_log])  # fmt: skip
def test_the_sequencer_never_signs_what_others_put_in(tamper: Callable[[Rows], None]) -> None:
    rows, _ = books()
    tamper(rows)
    before = len(rows.heads)
    with pytest.raises(Refused, match=r"chain (mint|rest|live)"):
        sequence(rows)
    assert len(rows.heads) == before


def test_events_without_a_signed_end_never_get_into_the_log() -> None:
    rows, _ = books()
    mint(rows)
    sequence(rows)
    assert all(run.chain != "mint" for run in rows.runs)


def test_an_end_put_back_to_a_former_commit_is_found_once_a_head_was_anchored() -> None:
    rows = Rows()
    live = Writer(rows, "live")
    live.commit(rows, "bet")
    sequence(rows)
    former = deepcopy(rows)
    live.commit(rows, "win")
    audit(former, rows.heads)  # within the last interval nothing outside knows better
    anchored = sequence(rows)
    with pytest.raises(
        Refused, match="the log has 1 events, and the head of epoch 1 at 2 events was signed: 1 events were cut off"
    ):
        audit(former, [anchored])
