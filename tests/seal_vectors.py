"""The test vectors of the signed log. `python tests/seal_vectors.py` writes them anew; others build on them, so seldom."""

import hashlib
import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

from pairhouse.house.seal.heads import SignedHead, cosign, sign_head
from pairhouse.house.seal.keys import PrivateKey
from pairhouse.house.seal.log_proofs import LogProof, prove_event
from sealed_logs import SignedLog, some_key, some_seals

FILE = Path(__file__).parents[1] / "verifier" / "vectors" / "seals.json"
HOUSE, NEXT, THIRD, WITNESS, THIEF = map(some_key, (1, 2, 3, 7, 9))
ROUND = "01M7G55M0DCDQ7YG14ZMS2Y6D4"
FIELDS = ("before", "chain", "number", "at", "kind", "body")
Record = dict[str, Any]


def seal_of(event: Record) -> bytes:
    """The seal of an event, as docs/audit.md describes it."""
    return hashlib.sha256("\n".join(str(event[field]) for field in FIELDS).encode()).digest()


def sealed_round(index: int, size: int, *, void: bool = False, note: str = "red") -> Record:
    """A closed round whose event is at this place in a log of this size."""
    wagers = [{"card-A": {"stake": 500, "returned": 0, "row": "no win"}, note: {"stake": 500, "returned": 1000, "row": note}}]  # fmt: skip
    told: Record = {"round": ROUND, "act": 0, "player": "p1", "balance": 100000}
    told |= {"reason": "malfunction"} if void else {"result": wagers}
    body = json.dumps(told, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    event = {"before": "00" * 32, "chain": "c0ffee", "number": index + 1, "at": 1_800_000_000_000, "kind": "void" if void else "open", "body": body}  # fmt: skip
    seals = some_seals(size, "event ")
    seals[index] = seal_of(event)
    proof = SignedLog(seals, HOUSE).proof(index)
    state = "void" if void else "settled"
    return {"id": ROUND, "state": state, "view": {"wagers": wagers}, "seal": {"event": event, "proof": proof.text}}


def with_signatures() -> Record:
    """Under a head that introduces a new key and that a witness has signed too."""
    record = sealed_round(4, 6)
    seals = some_seals(6, "event ")
    seals[4] = seal_of(record["seal"]["event"])
    log = SignedLog(seals, HOUSE)
    head = log.head(next_key=NEXT)
    head = head.with_signatures(cosign(head, "witness.example.org", WITNESS, 1_800_000_100))
    record["seal"]["proof"] = LogProof(4, log.proof(4).path, head).text
    return record


def changed(path: str, change: Callable[[Any], Any], index: int = 37, size: int = 70) -> Record:
    """A round in which one thing was changed."""
    record = deepcopy(sealed_round(index, size))
    *names, last = path.split(".")
    at = record
    for name in names:
        at = at[name]
    at[last] = change(at[last])
    return record


def forged() -> Record:
    """The same log signed by somebody else."""
    record = sealed_round(0, 1)
    seals = [seal_of(record["seal"]["event"])]
    record["seal"]["proof"] = SignedLog(seals, THIEF).proof(0).text
    return record


def with_proof(change: Callable[[str, str], str]) -> Record:
    """A round whose proof was changed; the change is given its text, and the first hash of its path."""
    return changed("seal.proof", lambda text: change(text, text.split("\n")[2]))


def other_letter(text: str, at: int) -> str:
    return f"{text[:at]}{'A' if text[at] != 'A' else 'B'}{text[at + 1 :]}"


def lies() -> list[tuple[str, Record, str]]:
    """Rounds that are not what the log says, and the first check that must fail."""
    paid_more = {"red": {"stake": 500, "returned": 9000}}
    return [
        ("another round", changed("id", lambda _: "01M7G55M0DCDQ7YG14ZMS2Y6D5"), "event"),
        ("paid more", changed("view.wagers", lambda seats: [seats[0] | paid_more]), "event"),
        ("called void", changed("state", lambda _: "void"), "event"),
        ("a later time", changed("seal.event.at", lambda at: at + 1), "log"),
        ("another number", changed("seal.event.number", lambda number: number + 1), "log"),
        ("another chain", changed("seal.event.chain", lambda _: "beef"), "log"),
        ("more in the body", changed("seal.event.body", lambda body: body.replace("100000", "900000")), "log"),
        ("another index", with_proof(lambda text, _: text.replace("index 37", "index 36")), "log"),
        ("an index beyond the log", with_proof(lambda text, _: text.replace("index 37", "index 70")), "log"),
        ("an index that is no number", with_proof(lambda text, _: text.replace("index 37", "index 037")), "log"),
        ("a shorter path", with_proof(lambda text, first: text.replace(f"\n{first}", "", 1)), "log"),
        ("a longer path", with_proof(lambda text, first: text.replace("\n\n", f"\n{first}\n\n", 1)), "log"),
        ("another path", with_proof(lambda text, first: text.replace(first, other_letter(first, 5))), "log"),
        ("not base64", with_proof(lambda text, first: text.replace(first, f"-{first[1:]}")), "log"),
        ("no signature", with_proof(lambda text, _: text.rpartition("\n\n")[0] + "\n"), "log"),
        ("a later head", with_proof(lambda text, _: text.replace("time 18", "time 19")), "head"),
        ("another log", with_proof(lambda text, _: text.replace("/1\n", "/2\n").replace("/1 ", "/2 ")), "head"),
        ("another signature", with_proof(lambda text, _: other_letter(text, -10)), "head"),
        ("somebody else's log", forged(), "head"),
    ]


class ChangedKeys:
    """A log of 70 events whose key was changed twice: after 30 events, and after 50."""

    def __init__(self) -> None:
        self.record = sealed_round(12, 70)
        self.seals = some_seals(70, "event ")
        self.seals[12] = seal_of(self.record["seal"]["event"])
        self.first = SignedLog(self.seals, HOUSE).head(30, next_key=NEXT)
        self.second = SignedLog(self.seals, NEXT).head(50, next_key=THIRD)
        self.file = f"{self.first.text}\n{self.second.text}\n"

    def under(self, size: int, key: PrivateKey, epoch: int = 1) -> Record:
        """The round under a head of this size."""
        return self.under_head(SignedLog(self.seals, key, epoch).head(size))

    def under_head(self, head: SignedHead) -> Record:
        proof = prove_event(12, head, SignedLog(self.seals).node)
        return self.record | {"seal": self.record["seal"] | {"proof": proof.text}}


def with_changed_keys() -> list[Record]:
    """Rounds of a house that has changed its key: each key counts from its handover up to the next one."""
    log = ChangedKeys()
    first = log.first.head
    only_new, only_old = sign_head(first, NEXT).text, sign_head(first, HOUSE).text
    stolen = SignedLog(log.seals, HOUSE).head(40, next_key=THIEF).text
    elsewhere = sign_head(replace(first, books="00c0ffee00c0ffef"), HOUSE, NEXT).text
    no_key = SignedLog(log.seals, HOUSE).head(30).text
    given = [
        ("saved before the key was changed", HOUSE, log.under(20, HOUSE), log.file, ""),
        ("under the head that changed the key", HOUSE, log.under_head(log.first), log.file, ""),
        ("as large as that head, by the old key", HOUSE, log.under(30, HOUSE), log.file, ""),
        ("as large as that head, by the new key", HOUSE, log.under(30, NEXT), log.file, ""),
        ("after one change", HOUSE, log.under(40, NEXT), log.file, ""),
        ("after two changes", HOUSE, log.under(70, THIRD), log.file, ""),
        ("after two changes, from the key between", NEXT, log.under(70, THIRD), log.file, ""),
        ("in a later epoch", HOUSE, log.under(20, THIRD, 2), log.file, ""),
        ("a change told twice", HOUSE, log.under(70, THIRD), log.first.text + "\n" + log.file, ""),
        ("changes of other books beside", HOUSE, log.under(40, NEXT), elsewhere + "\n" + log.file, ""),
        ("the old key after the change", HOUSE, log.under(40, HOUSE), log.file, "head"),
        ("the old key one event later", HOUSE, log.under(31, HOUSE), log.file, "head"),
        ("the new key before the change", HOUSE, log.under(20, NEXT), log.file, "head"),
        ("the key between after the second change", HOUSE, log.under(70, NEXT), log.file, "head"),
        ("the old key in a later epoch", HOUSE, log.under(20, HOUSE, 2), log.file, "head"),
        ("a head older than the key", NEXT, log.under(20, HOUSE), log.file, "head"),
        ("the new key without the change", HOUSE, log.under(40, NEXT), "", "head"),
        ("a change that was altered", HOUSE, log.under(40, NEXT), log.file.replace("time 18", "time 19", 1), "head"),
        ("a change that the old key did not sign", HOUSE, log.under(40, NEXT), only_new, "head"),
        ("a change that the new key did not sign", HOUSE, log.under(40, NEXT), only_old, "head"),
        ("a second change by the key that had gone", HOUSE, log.under(60, THIEF), log.file + stolen, "head"),
        ("two changes in the wrong order", HOUSE, log.under(70, THIRD), f"{log.second.text}\n{log.first.text}", "head"),
        ("a change of other books", HOUSE, log.under(40, NEXT), elsewhere, "head"),
        ("a head that names no key", HOUSE, log.under(40, NEXT), no_key, "head"),
        ("no head at all", HOUSE, log.under(40, NEXT), "handed over", "head"),
    ]
    return [
        {"name": name, "key": key.public_key.hex(), "handovers": file, "fails": fails, "record": record}
        for name, key, record, file, fails in given
    ]


def vectors() -> list[Record]:
    """Rounds, the key they are checked with, and the first check that fails; none does where it is empty."""
    places = [(0, 1), (0, 2), (1, 2), (2, 3), (4, 5), (6, 7), (37, 70), (63, 64), (64, 65), (255, 300), (299, 300)]
    given = [(f"event {index} of {size}", sealed_round(index, size), "") for index, size in places]
    given.append(("void", sealed_round(3, 9, void=True), ""))
    given.append(("letters beyond ASCII", sealed_round(3, 9, note="♠ glück 🃏"), ""))
    given.append(("several signatures", with_signatures(), ""))
    key = HOUSE.public_key.hex()
    under_one_key = [
        {"name": name, "key": key, "fails": fails, "record": record} for name, record, fails in given + lies()
    ]
    return under_one_key + with_changed_keys()


def text() -> str:
    """The vectors as the file has them."""
    return "[\n" + ",\n".join(json.dumps(vector, ensure_ascii=False) for vector in vectors()) + "\n]\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
