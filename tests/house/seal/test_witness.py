"""A witness signs only what extends all it has signed, whoever asks, and also after it was started again."""

import json
from http import HTTPStatus
from pathlib import Path

import pytest

from pairhouse.core.errors import Refused
from pairhouse.house.seal.heads import SignedHead
from pairhouse.house.seal.witness import Witness, WitnessRefused, main, read_request
from sealed_logs import SignedLog, some_key, some_seals

LOG = SignedLog(some_seals(100))
FORGED = SignedLog([*LOG.seals[:39], bytes(32), *LOG.seals[40:]])  # signed with the stolen key
ORIGIN = LOG.head().head.origin
NAME = "witness.example.org"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "witness.json"


def witness(state: Path) -> Witness:
    return Witness(NAME, some_key(7), state, {ORIGIN: LOG.key.public_key}, clock_s=lambda: 1_800_000_000.5)


def add(by: Witness, log: SignedLog, old: int, new: int, head: SignedHead | None = None) -> None:
    head = head or log.head(new)
    line = by.add(old, log.prove_growth(old, new), head)
    assert by.public.cosigned_at_s(head.with_signatures(line)) == 1_800_000_000


def refused(by: Witness, log: SignedLog, old: int, new: int, head: SignedHead | None = None) -> tuple[int, str]:
    proof = log.prove_growth(old, new) if old <= new else []
    with pytest.raises(WitnessRefused) as caught:
        by.add(old, proof, head or log.head(new))
    return caught.value.status, str(caught.value)


def test_it_signs_what_grows(state: Path) -> None:
    by = witness(state)
    assert by.last(ORIGIN) is None
    for old, new in ((0, 1), (1, 40), (40, 40), (40, 64), (64, 100)):
        add(by, LOG, old, new)
    last = witness(state).last(ORIGIN)
    assert last is not None
    assert last.head == LOG.head(100).head


def test_it_refuses_what_does_not_extend_what_it_has_signed(state: Path) -> None:
    add(witness(state), LOG, 0, 50)
    by = witness(state)  # started again: it remembers
    assert refused(by, LOG, 0, 60) == (HTTPStatus.CONFLICT, "50\n")
    assert refused(by, LOG, 40, 60) == (HTTPStatus.CONFLICT, "50\n")
    assert refused(by, LOG, 30, 40) == (HTTPStatus.CONFLICT, "50\n")
    assert refused(by, LOG, 50, 40)[0] == HTTPStatus.BAD_REQUEST
    says = "the tree of 60 leaves does not begin with that of 50 leaves\n"
    assert refused(by, FORGED, 50, 60) == (HTTPStatus.UNPROCESSABLE_ENTITY, says)
    assert refused(by, FORGED, 50, 50) == (HTTPStatus.CONFLICT, "50\n")
    add(by, LOG, 50, 60)


def test_it_refuses_other_logs_other_keys_and_other_epochs(state: Path) -> None:
    by = witness(state)
    assert refused(by, SignedLog(LOG.seals, some_key(2)), 0, 5)[0] == HTTPStatus.FORBIDDEN
    status, says = refused(by, SignedLog(LOG.seals, epoch=2), 0, 5)
    assert (status, says) == (HTTPStatus.NOT_FOUND, f"{ORIGIN[:-1]}2 is not a log this witness signs for\n")
    with pytest.raises(WitnessRefused, match="a proof of 1 hashes does not fit"):
        by.add(0, [bytes(32)], LOG.head(5))
    assert not state.exists()


def test_it_follows_a_change_of_keys_and_remembers_it(state: Path) -> None:
    new = some_key(2)
    after = SignedLog(LOG.seals, new)
    by = witness(state)
    add(by, LOG, 0, 10)
    assert refused(by, after, 10, 20)[0] == HTTPStatus.FORBIDDEN
    add(by, LOG, 10, 20, LOG.head(20, next_key=new))
    add(by, after, 20, 30)
    by = witness(state)
    assert refused(by, LOG, 30, 40)[0] == HTTPStatus.FORBIDDEN
    add(by, after, 30, 40)
    assert len(json.loads(state.read_text())[ORIGIN]) == 2


def test_it_remembers_before_it_signs(state: Path, tmp_path: Path) -> None:
    by = witness(tmp_path / "no folder" / "witness.json")
    with pytest.raises(FileNotFoundError):
        by.add(0, [], LOG.head(5))
    assert by.last(ORIGIN) is None


@pytest.mark.parametrize("body", ["", "old 01\n\n" + LOG.head().text, "old 1\nAAAA\n\n" + LOG.head().text, "old 1\n\nx", "old 0\n" + "A\n" * 70])  # fmt: skip
def test_a_request_that_cannot_be_read_is_refused(body: str) -> None:
    with pytest.raises(Refused):
        read_request(body)


def test_the_command_line_refuses_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--name", NAME, "--key", str(tmp_path / "key"), "--state", str(tmp_path / "state"), "--trust", "nonsense"]
    assert main(given) == 2
    assert "'nonsense' is not the public key of a log; expected NAME+ID+BASE64" in capsys.readouterr().err
