"""Heads reach every anchor, in the end, without anybody waiting; and can be read back from there."""

import io
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from pairhouse.core.errors import Refused
from pairhouse.house.seal.anchors import (
    AnchorFailed,
    Anchors,
    FileAnchor,
    HttpAnchor,
    OutputAnchor,
    WitnessAnchor,
    head_line,
    read_anchor_file,
)
from pairhouse.house.seal.heads import Signature, SignedHead, WitnessKey, key_text
from pairhouse.house.seal.witness import Witness, serve_witness
from sealed_logs import SignedLog, some_key, some_seals

LOG = SignedLog(some_seals(100))
ORIGIN = LOG.head().head.origin
WAIT_S = 20.0


@contextmanager
def served(server: HTTPServer) -> Iterator[str]:
    """The address of a server that runs meanwhile."""
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Collector(HTTPServer):
    """Takes heads; the first answers are the statuses given."""

    def __init__(self, statuses: Sequence[int] = ()) -> None:
        super().__init__(("127.0.0.1", 0), _Collect)
        self.statuses = list(statuses)
        self.heads: list[str] = []
        self.taken = threading.Event()


class _Collect(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        status = self.server.statuses.pop(0) if self.server.statuses else 204
        if status == 204:
            self.server.heads.append(text)
            self.server.taken.set()
        self.send_response(status)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Quiet."""


class Slow:
    """An anchor that takes a head when it is let."""

    name = "slow"

    def __init__(self, failures: int = 0) -> None:
        self.taken: list[SignedHead] = []
        self.asked, self.may = threading.Semaphore(0), threading.Semaphore(0)
        self.failures = failures

    def put(self, signed: SignedHead) -> Sequence[Signature]:
        self.asked.release()
        assert self.may.acquire(timeout=WAIT_S)
        if self.failures:
            self.failures -= 1
            raise AnchorFailed("not now")
        self.taken.append(signed)
        return ()

    def let(self, count: int = 1) -> None:
        """Wait until it was asked, then let it go on."""
        for _ in range(count):
            assert self.asked.acquire(timeout=WAIT_S)
            self.may.release()


def test_a_file_has_every_head_and_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "heads.jsonl"
    anchor = FileAnchor(path)
    heads = [LOG.head(size) for size in (1, 5, 100)]
    for head in heads:
        anchor.put(head)
    assert read_anchor_file(path) == heads
    with path.open("a") as file:
        file.write(head_line(heads[0])[:40])  # a power cut
    assert read_anchor_file(path) == heads
    anchor.put(heads[0])
    assert read_anchor_file(path) == [*heads, heads[0]]


def test_captured_output_is_read_with_other_lines_between(tmp_path: Path) -> None:
    output = io.StringIO()
    anchor = OutputAnchor(output)
    output.write("serving on port 8000\n")
    anchor.put(LOG.head(3))
    output.write('{"level": "info"}\n')
    anchor.put(LOG.head(4))
    path = tmp_path / "output.log"
    path.write_text(output.getvalue())
    assert read_anchor_file(path) == [LOG.head(3), LOG.head(4)]
    path.write_text(LOG.head(9).text)
    assert read_anchor_file(path) == [LOG.head(9)]


def test_files_without_heads_are_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "heads.jsonl"
    with pytest.raises(Refused, match="cannot be read: No such file"):
        read_anchor_file(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(Refused, match="is not a text file"):
        read_anchor_file(path)
    path.write_text("nothing\n")
    with pytest.raises(Refused, match="there is no head in"):
        read_anchor_file(path)
    line = head_line(LOG.head(3))
    path.write_text(line + line[:30] + "\nother\n")
    with pytest.raises(Refused, match=r"line 2 of .* was cut off or altered"):
        read_anchor_file(path)
    for altered in (line.replace("/1", "/x"), json.dumps({"pairhouse_head": 7}) + "\n"):
        path.write_text(altered)
        with pytest.raises(Refused, match=r"line 1 of .*: "):
            read_anchor_file(path)


def test_an_address_is_asked_again_until_it_takes_the_head() -> None:
    collector = Collector([500, 503, 302])
    with served(collector) as url:
        anchors = Anchors([HttpAnchor(f"{url}/heads")], retry_s=0.001)
        anchors.publish(LOG.head(7))
        assert collector.taken.wait(WAIT_S)
        anchors.close()
    assert collector.heads == [LOG.head(7).text]
    state = anchors.states()[0]
    assert (state.size, state.failures, state.error) == (7, 0, None)


def test_an_address_that_is_not_there_is_told() -> None:
    collector = Collector()
    with served(collector) as url:
        pass
    with pytest.raises(AnchorFailed, match="did not answer"):
        HttpAnchor(url).put(LOG.head(3))
    for bad in ("file:///etc/passwd", "heads.example.org", "https://"):
        with pytest.raises(Refused, match="is no address for heads; give http"):
            HttpAnchor(bad)


def test_nobody_waits_and_the_newest_head_is_enough() -> None:
    slow, new_key = Slow(failures=1), some_key(2)
    anchors = Anchors([slow], retry_s=0.001)
    anchors.publish(LOG.head(1))
    assert slow.asked.acquire(timeout=WAIT_S)  # it is busy with the first; the others only wait
    introduces = LOG.head(20, next_key=new_key)
    for head in (LOG.head(10), introduces, LOG.head(30), LOG.head(40)):
        anchors.publish(head)
    slow.may.release()
    slow.let(2)
    anchors.close()
    assert slow.taken == [introduces, LOG.head(40)]


def test_a_key_that_a_witness_knows_already_holds_nothing_up(tmp_path: Path) -> None:
    """Another house was faster: the witness is beyond the head that introduces a key, and takes the next one."""
    new_key = some_key(2)
    introduces, after = LOG.head(20, next_key=new_key), SignedLog(LOG.seals, new_key)
    witness = Witness("w.example.org", some_key(7), tmp_path / "state", {ORIGIN: LOG.key.public_key})
    witness.add(0, [], introduces)
    witness.add(20, LOG.prove_growth(20, 30), after.head(30))
    cosigned: list[SignedHead] = []
    with served(serve_witness(witness, "127.0.0.1", 0)) as url:
        anchors = Anchors([WitnessAnchor(url, witness.public, LOG.prove_growth)], cosigned.append, retry_s=0.001)
        anchors.publish(introduces)
        anchors.publish(after.head(40))
        anchors.close()
    assert [head.head.size for head in cosigned] == [40]


def test_what_waits_when_the_house_closes_is_tried_once_more() -> None:
    slow = Slow()
    anchors = Anchors([slow])
    anchors.publish(LOG.head(1))
    slow.may.release()
    anchors.close()
    assert slow.taken == [LOG.head(1)]
    failing = Slow(failures=9)
    anchors = Anchors([failing], retry_s=100.0)
    anchors.publish(LOG.head(1))
    failing.let()
    anchors.close()
    assert (failing.taken, anchors.states()[0].error) == ([], "not now")


def test_a_witness_that_signs_less_than_it_should_is_told(tmp_path: Path) -> None:
    collector = Collector([200])
    with served(collector) as url, pytest.raises(AnchorFailed, match="answered without a signature of its key"):
        WitnessAnchor(url, WitnessKey("w", bytes(32)), LOG.prove_growth).put(LOG.head(3))


def test_two_houses_on_one_log_have_their_heads_cosigned(tmp_path: Path) -> None:
    witness = Witness("w.example.org", some_key(7), tmp_path / "state", {ORIGIN: LOG.key.public_key})
    cosigned: list[SignedHead] = []
    with served(serve_witness(witness, "127.0.0.1", 0)) as url:
        one, two = (WitnessAnchor(url, witness.public, LOG.prove_growth) for _ in range(2))
        for house, size in ((one, 10), (two, 30), (one, 55), (two, 100)):
            anchors = Anchors([house], cosigned.append)
            anchors.publish(LOG.head(size))
            anchors.close()
        with pytest.raises(AnchorFailed, match="has co-signed 100 events already, and this head has 50"):
            two.put(LOG.head(50))
        forged = SignedLog(some_seals(120, "forged"))
        with pytest.raises(
            AnchorFailed, match="refuses the head of epoch 1 at 120 events: 422, 'the tree of 120 leaves does not"
        ):
            WitnessAnchor(url, witness.public, forged.prove_growth).put(forged.head())
    assert [head.head.size for head in cosigned] == [10, 30, 55, 100]
    assert all(witness.public.cosigned_at_s(head) is not None for head in cosigned)
    assert all(head.is_signed_by(LOG.key.public_key) for head in cosigned)


def test_a_witness_runs_as_a_command(tmp_path: Path) -> None:
    files = ["--key", str(tmp_path / "key"), "--state", str(tmp_path / "state")]
    trust = ["--trust", key_text(ORIGIN, LOG.key.public_key)]
    collector = Collector()
    port = collector.server_address[1]  # free once this is closed
    collector.server_close()
    command = [sys.executable, "-m", "pairhouse.house.seal.witness", "--name", "w.example.org", *files, *trust]
    with subprocess.Popen([*command, "--listen", f"127.0.0.1:{port}"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        key = WitnessKey.read(process.stdout.readline().split()[0])
        anchor = WitnessAnchor(f"http://127.0.0.1:{port}/", key, LOG.prove_growth)
        signed = LOG.head(10).with_signatures(*anchor.put(LOG.head(10)))
        assert key.cosigned_at_s(signed) is not None
        with pytest.raises(AnchorFailed, match=r"404, 'POST to /add-checkpoint"):
            WitnessAnchor(f"http://127.0.0.1:{port}/x", key, LOG.prove_growth).put(LOG.head(10))
        process.terminate()
