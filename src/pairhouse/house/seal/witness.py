"""A small witness: it co-signs a head only if that extends the last one it has co-signed, and keeps that one for ever.

It speaks c2sp.org/tlog-witness, so a house can use this one or any other. Run it on a machine of somebody else:

    python -m pairhouse.house.seal.witness --name NAME --key FILE --state FILE --listen HOST:PORT --trust LOG-KEY

A new epoch of some books is another log: it is co-signed once somebody has added its key to `--trust`.
"""

import argparse
import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from pairhouse.core.errors import Refused
from pairhouse.core.merkle import EMPTY_ROOT, HASH_BYTES, check_consistency
from pairhouse.house.seal.heads import (
    NUMBER,
    KeyRing,
    Signature,
    SignedHead,
    WitnessKey,
    cosign,
    from_base64,
    read_head,
    read_key_text,
)
from pairhouse.house.seal.keys import Signer, fsync_folder, read_or_make_key

REQUEST_MAX_BYTES, REQUEST_S = 65_536, 10.0
PROOF_MAX = 63
_OLD = re.compile(f"old {NUMBER}", re.ASCII)


class WitnessRefused(Exception):
    """The witness does not sign: the status says which rule was broken, the text is the body of the answer."""

    def __init__(self, status: HTTPStatus, text: str) -> None:
        super().__init__(text)
        self.status = status


class Witness:
    """Signs for the logs it was told to trust, and remembers in a file what it has signed."""

    def __init__(
        self,
        name: str,
        key: Signer,
        state: Path,
        trusted: Mapping[str, bytes],
        clock_s: Callable[[], float] = time.time,
    ) -> None:
        self.public = WitnessKey(name, key.public_key)
        self._key = key
        self._state = state
        self._trusted = dict(trusted)  # the first public key of each log
        self._clock_s = clock_s
        self._lock = threading.Lock()
        self._signed: dict[str, list[str]] = {}  # of each log: the heads that introduced keys, then the last one
        if state.exists():
            self._signed = json.loads(state.read_text(encoding="utf-8"))

    def last(self, origin: str) -> SignedHead | None:
        """The last head of a log that was co-signed."""
        heads = self._signed.get(origin)
        return read_head(heads[-1]) if heads else None

    def add(self, old: int, proof: Sequence[bytes], signed: SignedHead) -> Signature:
        """Co-sign a head that extends the last one, which had `old` events; refuse any other."""
        head = signed.head
        first_key = self._trusted.get(head.origin)
        if first_key is None:
            raise WitnessRefused(HTTPStatus.NOT_FOUND, f"{head.origin} is not a log this witness signs for\n")
        with self._lock:
            keys = KeyRing(head.books, first_key)
            earlier = [read_head(text) for text in self._signed.get(head.origin, [])]
            try:
                for known in (*earlier, signed):
                    keys.learn(known)
            except Refused as refused:
                raise WitnessRefused(HTTPStatus.FORBIDDEN, f"{refused}\n") from None
            self._check_extends(earlier[-1] if earlier else None, old, proof, signed)
            self._remember([one for one in earlier if one.head.next_key is not None], signed)
            return cosign(signed, self.public.name, self._key, int(self._clock_s()))

    def _check_extends(self, last: SignedHead | None, old: int, proof: Sequence[bytes], signed: SignedHead) -> None:
        head = signed.head
        if old > head.size:
            raise WitnessRefused(HTTPStatus.BAD_REQUEST, f"{old} events are more than the {head.size} of this head\n")
        size = last.head.size if last else 0
        if old != size or (last and old == head.size and last.head.root != head.root):
            raise WitnessRefused(HTTPStatus.CONFLICT, f"{size}\n")
        try:
            check_consistency(old, last.head.root if last else EMPTY_ROOT, head.size, head.root, proof)
        except Refused as refused:
            raise WitnessRefused(HTTPStatus.UNPROCESSABLE_ENTITY, f"{refused}\n") from None

    def _remember(self, introduced: Sequence[SignedHead], signed: SignedHead) -> None:
        """On disk before it is signed."""
        heads = {**self._signed, signed.head.origin: [one.text for one in (*introduced, signed)]}
        new = self._state.with_name(self._state.name + ".new")
        with new.open("w", encoding="utf-8") as file:
            json.dump(heads, file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._state)
        fsync_folder(self._state.parent)
        self._signed = heads


def read_request(body: str) -> tuple[int, list[bytes], SignedHead]:
    """Old size, proof and head of a request to co-sign."""
    top, _, head = body.partition("\n\n")
    first, *proof = top.split("\n")
    old = _OLD.fullmatch(first)
    if old is None or len(proof) > PROOF_MAX:
        raise Refused("bad-request", "expected: old SIZE, the lines of the proof, an empty line, and the head")
    return int(old[1]), [from_base64(line, HASH_BYTES) for line in proof], read_head(head)


class _Handler(BaseHTTPRequestHandler):
    witness: Witness
    timeout = REQUEST_S

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if self.path != "/add-checkpoint":
            self._answer(HTTPStatus.NOT_FOUND, "POST to /add-checkpoint\n")
        elif not length.isdigit() or int(length) > REQUEST_MAX_BYTES:
            self._answer(HTTPStatus.BAD_REQUEST, f"give a Content-Length of at most {REQUEST_MAX_BYTES}\n")
        else:
            self._answer(*self._cosign(self.rfile.read(int(length))))

    def _cosign(self, body: bytes) -> tuple[HTTPStatus, str]:
        try:
            return HTTPStatus.OK, str(self.witness.add(*read_request(body.decode())))
        except WitnessRefused as refused:
            return refused.status, str(refused)
        except ValueError as error:
            return HTTPStatus.BAD_REQUEST, f"{error}\n"

    def _answer(self, status: HTTPStatus, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        kind = "text/x.tlog.size" if status == HTTPStatus.CONFLICT else "text/plain; charset=utf-8"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """What was signed is in the state file."""


def serve_witness(witness: Witness, host: str, port: int) -> ThreadingHTTPServer:
    """An HTTP server for a witness, ready to `serve_forever`."""
    handler = type("Handler", (_Handler,), {"witness": witness})
    return ThreadingHTTPServer((host, port), handler)


def main(arguments: Sequence[str]) -> int:
    """Run a witness until it is stopped."""
    parser = argparse.ArgumentParser(prog="python -m pairhouse.house.seal.witness", description=__doc__)
    parser.add_argument("--name", required=True, help="the name of this witness, such as witness.example.org")
    parser.add_argument("--key", required=True, type=Path, help="the file of its key; made on first use")
    parser.add_argument("--state", required=True, type=Path, help="the file in which it remembers what it has signed")
    parser.add_argument("--listen", default="127.0.0.1:8100", help="HOST:PORT")
    parser.add_argument("--trust", action="append", required=True, help="the key of a log: NAME+ID+BASE64")
    given = parser.parse_args(arguments)
    host, _, port = given.listen.rpartition(":")
    try:
        trusted = dict(read_key_text(text) for text in given.trust)
        witness = Witness(given.name, read_or_make_key(given.key), given.state, trusted)
        server = serve_witness(witness, host, int(port))
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    print(f"{witness.public} listens on {given.listen}", flush=True)  # noqa: T201
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        return 0
    finally:
        server.server_close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
