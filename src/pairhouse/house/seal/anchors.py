"""Anchors: heads written where whoever can write the database cannot reach them, and read back from there.

An anchor is a file, standard output, an HTTP address, or a witness that co-signs. Each has a thread of its own that
brings it every new head and tries again when that fails; nobody who plays waits for any of them.
"""

import http.client
import json
import logging
import os
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol, TextIO
from urllib.parse import urlsplit

from pairhouse.core.errors import Refused, shown
from pairhouse.house.seal.heads import (
    Signature,
    SignedHead,
    WitnessKey,
    read_head,
    read_signature,
    to_base64,
)
from pairhouse.house.seal.keys import fsync_folder

ANSWER_S, ANSWER_MAX_BYTES = 10.0, 65_536
RETRY_FIRST_S, RETRY_MAX_S = 1.0, 60.0
_LINE = '{"pairhouse_head": '  # how a line with a head begins; there may be other lines between

log = logging.getLogger("pairhouse.anchors")

ProveGrowth = Callable[[int, int], Sequence[bytes]]  # the consistency proof from a smaller to a larger size


class AnchorFailed(Exception):
    """The head could not be put there this time; the sentence says why."""


class AnchorAhead(AnchorFailed):
    """The anchor has seen more events than this head has: another house was faster, or older books were put back."""


class Anchor(Protocol):
    """A place for heads. `put` may take its time; it returns what others have signed under the head."""

    name: str

    def put(self, signed: SignedHead) -> Sequence[Signature]: ...


def head_line(signed: SignedHead) -> str:
    """A head as one line of JSON, for files and logs."""
    return json.dumps({"pairhouse_head": signed.text}) + "\n"


class FileAnchor:
    """Heads in a file, one line each, on disk before it is done. Best on another machine's disk, or append-only."""

    def __init__(self, path: Path) -> None:
        self.name = f"file {path}"
        self._path = path

    def put(self, signed: SignedHead) -> Sequence[Signature]:
        is_new = not self._path.exists()
        with self._path.open("ab+") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":  # a line that a power cut left unfinished
                    file.write(b"\n")
            file.write(head_line(signed).encode())
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            fsync_folder(self._path.parent)
        return ()


class OutputAnchor:
    """Heads on standard output, for whoever collects it."""

    name = "standard output"

    def __init__(self, output: TextIO) -> None:
        self._output = output

    def put(self, signed: SignedHead) -> Sequence[Signature]:
        self._output.write(head_line(signed))
        self._output.flush()
        return ()


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirected POST would arrive as a GET, and the head nowhere."""

    def redirect_request(self, req: Any, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def _post(url: str, body: bytes) -> tuple[int, bytes]:
    """Status and body of the answer."""
    request = urllib.request.Request(url, body, {"Content-Type": "text/plain; charset=utf-8"}, method="POST")
    try:
        with _opener.open(request, timeout=ANSWER_S) as answer:
            return answer.status, answer.read(ANSWER_MAX_BYTES)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(ANSWER_MAX_BYTES)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise AnchorFailed(f"{url} did not answer: {error}") from None


def _checked_url(url: str) -> str:
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise Refused("bad-anchor", f"{shown(url)} is no address for heads; give http://HOST/PATH or https://HOST/PATH")
    return url


class HttpAnchor:
    """An address that takes each head as the body of a POST and answers with any 2xx."""

    def __init__(self, url: str) -> None:
        self._url = _checked_url(url)
        self.name = url

    def put(self, signed: SignedHead) -> Sequence[Signature]:
        status, _ = _post(self._url, signed.text.encode())
        if not 200 <= status < 300:
            raise AnchorFailed(f"{self._url} answered {status}; a 2xx was expected")
        return ()


class WitnessAnchor:
    """A witness that co-signs a head once it is proven to extend what it signed before (c2sp.org/tlog-witness)."""

    def __init__(self, url: str, key: WitnessKey, prove_growth: ProveGrowth) -> None:
        self._url = _checked_url(url).rstrip("/") + "/add-checkpoint"
        self._key = key
        self._prove_growth = prove_growth
        self._signed_size = 0
        self.name = f"witness {key.name}"

    def put(self, signed: SignedHead) -> Sequence[Signature]:
        status, answer = self._ask(signed)
        if status == http.client.CONFLICT and answer.strip().isdigit() and int(answer) != self._signed_size:
            self._signed_size = int(answer)
            status, answer = self._ask(signed)
        if status != http.client.OK:
            raise AnchorFailed(f"{self.name} refuses {signed.head}: {status}, {shown(answer.decode(errors='replace'))}")
        try:
            lines = answer.decode().removesuffix("\n").split("\n")
            signature = next(one for one in map(read_signature, lines) if one.name == self._key.name)
            is_cosigned = self._key.cosigned_at_s(SignedHead(signed.head, (signature,))) is not None
        except (Refused, StopIteration, UnicodeDecodeError):
            is_cosigned = False
        if not is_cosigned:
            raise AnchorFailed(f"{self.name} answered without a signature of its key")
        self._signed_size = signed.head.size
        return (signature,)

    def _ask(self, signed: SignedHead) -> tuple[int, bytes]:
        old, new = self._signed_size, signed.head.size
        if old > new:
            raise AnchorAhead(f"{self.name} has co-signed {old} events already, and this head has {new}")
        proof = self._prove_growth(old, new) if 0 < old < new else ()
        lines = [f"old {old}", *map(to_base64, proof), "", signed.text]
        return _post(self._url, "\n".join(lines).encode())


class AnchorState(NamedTuple):
    """How an anchor stands, for metrics and the audit: the last head it has, and what is wrong now."""

    name: str
    size: int
    at: int
    failures: int
    error: str | None


class AnchorThread:
    """Brings heads to one anchor. Only the newest waits, and those that introduce a key: it covers all before it."""

    def __init__(self, anchor: Anchor, cosigned: Callable[[SignedHead], None], retry_s: float) -> None:
        self._anchor = anchor
        self._cosigned = cosigned
        self._retry_s = retry_s
        self._waiting: list[SignedHead] = []
        self._changed = threading.Condition()
        self._is_closing = False
        self.state = AnchorState(anchor.name, 0, 0, 0, None)
        self._thread = threading.Thread(target=self._run, name=f"anchor {anchor.name}", daemon=True)
        self._thread.start()

    def publish(self, signed: SignedHead) -> None:
        with self._changed:
            self._waiting = [one for one in self._waiting if one.head.next_key is not None]
            self._waiting.append(signed)
            self._changed.notify_all()

    def close(self, wait_s: float) -> None:
        """Try once more what waits, then end."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        self._thread.join(wait_s)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_closing)
                if not self._waiting:
                    return
                signed = self._waiting[0]
            if self._put(signed):
                with self._changed:
                    if self._waiting[0] is signed:
                        del self._waiting[0]
                continue
            wait_s = min(self._retry_s * 2 ** min(self.state.failures - 1, 16), RETRY_MAX_S)
            with self._changed:
                if self._is_closing or self._changed.wait_for(lambda: self._is_closing, wait_s):
                    return

    def _put(self, signed: SignedHead) -> bool:
        try:
            signatures = self._anchor.put(signed)
            if signatures:
                self._cosigned(signed.with_signatures(*signatures))
        except AnchorAhead as error:
            self._failed(str(error))
            return signed.head.next_key is not None  # it knows that key already; the newest head will tell
        except Exception as error:
            self._failed(str(error) or type(error).__name__)
            return False
        self.state = AnchorState(self._anchor.name, signed.head.size, signed.head.at, 0, None)
        return True

    def _failed(self, reason: str) -> None:
        if reason != self.state.error:
            log.warning("head not anchored", extra={"anchor": self._anchor.name, "reason": reason})
        self.state = self.state._replace(failures=self.state.failures + 1, error=reason)


def _ignore(_: SignedHead) -> None:
    """For those who do not keep co-signatures."""


class Anchors:
    """All anchors of a house. `cosigned` is called, in a thread of an anchor, with a head that a witness has signed."""

    def __init__(
        self,
        anchors: Sequence[Anchor],
        cosigned: Callable[[SignedHead], None] = _ignore,
        retry_s: float = RETRY_FIRST_S,
    ) -> None:
        self._threads = [AnchorThread(anchor, cosigned, retry_s) for anchor in anchors]

    def publish(self, signed: SignedHead) -> None:
        """Hand a head to every anchor; returns at once."""
        for thread in self._threads:
            thread.publish(signed)

    def states(self) -> list[AnchorState]:
        """How each anchor stands."""
        return [thread.state for thread in self._threads]

    def close(self, wait_s: float = ANSWER_S) -> None:
        """Try once more what waits, then end."""
        for thread in self._threads:
            thread.close(wait_s)


def read_anchor_file(path: Path) -> list[SignedHead]:
    """The heads in a file: one that `FileAnchor` wrote, captured output with other lines between, or one head alone."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise Refused("bad-anchor", f"the heads in {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Refused("bad-anchor", f"{path} is not a text file; give one with heads") from None
    if text.startswith("pairhouse/books/"):
        return [read_head(text)]
    heads = []
    lines = text.split("\n")
    for number, line in enumerate(lines[:-1], 1):  # what has no end was left unfinished, and is signed again later
        if line.startswith(_LINE):
            heads.append(_read_line(path, number, line, following=lines[number]))
    found = [head for head in heads if head is not None]
    if not found:
        raise Refused("bad-anchor", f"there is no head in {path}; expected lines that begin with {_LINE}")
    return found


def _read_line(path: Path, number: int, line: str, following: str) -> SignedHead | None:
    """The head of a line; None for one that was left unfinished and written again on the next line."""
    try:
        return read_head(str(json.loads(line)["pairhouse_head"]))
    except json.JSONDecodeError:
        if following.startswith(_LINE):
            return None
        raise Refused("bad-anchor", f"line {number} of {path} was cut off or altered; it is not JSON") from None
    except Refused as refused:
        raise Refused("bad-anchor", f"line {number} of {path}: {refused}") from None
