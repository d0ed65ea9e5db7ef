"""The sealing key: an Ed25519 key that signs the heads of the books and is never in the database.

It lies in a file that only its owner may read, or in a signing process: a command of the operator's choosing that gets
lines on standard input and answers on standard output, so that the house itself never holds the key. The command first
prints its public key, 64 hex digits; then for every line of hex it gets, the signature of those bytes, 128 hex digits.
`python -m pairhouse.house.seal.keys KEY-FILE` is such a command.
"""

import os
import secrets
import selectors
import stat
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pairhouse.core.errors import Refused, shown

KEY_BYTES, SIGNATURE_BYTES = 32, 64
ANSWER_S = 10.0
_HEAD, _CHAIN_KEY = b"pairhouse/books/", b"pairhouse/chain-key/"
SIGNED_STATEMENTS = (_HEAD, _CHAIN_KEY)  # how all that a sealing key signs begins


class Signer(Protocol):
    """Whatever signs with one Ed25519 key."""

    @property
    def public_key(self) -> bytes: ...

    def sign(self, message: bytes) -> bytes: ...


def is_signed_by(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether this is the signature of these bytes by this key."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


class PrivateKey:
    """A key held in this process. Its text form shows the public half only."""

    def __init__(self, private: bytes) -> None:
        if len(private) != KEY_BYTES:
            raise Refused("bad-sealing-key", f"a sealing key has {KEY_BYTES} bytes, and {len(private)} were given")
        self._key = Ed25519PrivateKey.from_private_bytes(private)
        self.public_key = self._key.public_key().public_bytes_raw()

    @classmethod
    def new(cls) -> "PrivateKey":
        return cls(secrets.token_bytes(KEY_BYTES))

    def __repr__(self) -> str:
        return f"PrivateKey(public_key={self.public_key.hex()})"

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


def read_or_make_key(path: Path) -> PrivateKey:
    """The key in this file; it is made on first use."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return read_key(path)
    except OSError as error:
        raise Refused("bad-sealing-key", f"no sealing key can be made at {path}: {error.strerror}") from None
    private = secrets.token_bytes(KEY_BYTES)
    with os.fdopen(handle, "w") as file:
        file.write(private.hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
    fsync_folder(path.parent)
    return PrivateKey(private)


def fsync_folder(folder: Path) -> None:
    """Put the name of a new file on disk too; a key that has signed must not be gone after a power cut."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_key(path: Path) -> PrivateKey:
    """The key in a file that is there already and that nobody but its owner can read or change."""
    try:
        with path.open() as file:
            kept = os.fstat(file.fileno())
            text = file.read(4 * KEY_BYTES).strip()
    except OSError as error:
        raise Refused("bad-sealing-key", f"the sealing key {path} cannot be read: {error.strerror}") from None
    mode = stat.S_IMODE(kept.st_mode)
    if os.name == "posix" and mode & 0o077:
        mend = f"only its owner may read it (0600); `chmod 600 {path}`, and use a new key if others could read this one"
        raise Refused("bad-sealing-key", f"the sealing key {path} has permissions {mode:04o}; {mend}")
    try:
        return PrivateKey(bytes.fromhex(text))
    except ValueError:
        accepted = f"it should be {2 * KEY_BYTES} hex digits"
        raise Refused("bad-sealing-key", f"the file {path} holds no sealing key; {accepted}") from None


class SigningProcess:
    """A key held by another process. Each signature is checked, so a wrong answer is never passed on."""

    def __init__(self, command: Sequence[str], answer_s: float = ANSWER_S) -> None:
        self._command = list(command)
        self.answer_s = answer_s
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        with self._lock:
            self.public_key = self._start()

    def sign(self, message: bytes) -> bytes:
        """Have it signed. A process that has ended is started again, with the same key or not at all."""
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._stop()
                if self._start() != self.public_key:
                    self._stop()
                    raise self._failed("it came back with another key")
            assert self._process is not None
            assert self._process.stdin is not None
            try:
                self._process.stdin.write(message.hex().encode() + b"\n")
                self._process.stdin.flush()
            except OSError:
                self._stop()
                raise self._failed("it has ended") from None
            signature = self._answer(SIGNATURE_BYTES)
            if not is_signed_by(self.public_key, signature, message):
                self._stop()
                raise self._failed("it answered with a signature that is not its key's")
            return signature

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._stop()

    def _start(self) -> bytes:
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is for the house, which has a last head to sign
            )
        except OSError as error:
            raise self._failed(f"it cannot be started: {error.strerror}") from None
        return self._answer(KEY_BYTES)

    def _stop(self) -> None:
        """End the process: when its input is closed, or else at once."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        try:
            process.wait(1.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()

    def _answer(self, count: int) -> bytes:
        """The next line, as so many bytes."""
        assert self._process is not None
        assert self._process.stdout is not None
        line = b""
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                is_ready = bool(selector.select(self.answer_s))
                more = os.read(self._process.stdout.fileno(), 1024) if is_ready else b""
                if not more or len(line) > 1024:
                    self._stop()
                    late = f"it did not answer within {self.answer_s:g} seconds"
                    raise self._failed("it has ended" if is_ready else late)
                line += more
        try:
            answer = bytes.fromhex(line.decode("ascii").strip())
        except ValueError:
            answer = b""
        if len(answer) != count:
            self._stop()
            raise self._failed(f"it answered {shown(line)}; {2 * count} hex digits were expected")
        return answer

    def _failed(self, reason: str) -> Refused:
        return Refused("signing-failed", f"the signing process {shown(' '.join(self._command))} failed: {reason}")


def sign_lines(key: Signer, asked: BinaryIO, answers: BinaryIO) -> None:
    """Be a signing process until the input ends; whatever is not a statement of the books is not signed."""
    answers.write(key.public_key.hex().encode() + b"\n")
    answers.flush()
    for line in asked:
        try:
            message = bytes.fromhex(line.decode("ascii").strip())
        except ValueError:
            message = b""
        answers.write(key.sign(message).hex().encode() + b"\n" if message.startswith(SIGNED_STATEMENTS) else b"no\n")
        answers.flush()


def main(arguments: Sequence[str]) -> int:
    """`python -m pairhouse.house.seal.keys KEY-FILE`: sign for whoever is at the other end of the pipe."""
    if len(arguments) != 1:
        print("give the file of the sealing key; it is made if it is not there", file=sys.stderr)  # noqa: T201
        return 2
    try:
        key = read_or_make_key(Path(arguments[0]))
    except Refused as refused:
        print(refused, file=sys.stderr)  # noqa: T201
        return 2
    sign_lines(key, sys.stdin.buffer, sys.stdout.buffer)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
