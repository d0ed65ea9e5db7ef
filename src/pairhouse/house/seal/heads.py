"""Signed tree heads: how many events the log of the books has, their root, and when; signed by the sealing key.

The form is the one transparency logs share (checkpoints as signed notes, c2sp.org/tlog-checkpoint): a text of lines,
an empty line, and a line for each signature. Whoever knows that form can check, keep and co-sign our heads.

    pairhouse/books/BOOKS/EPOCH           the log; another epoch is another log
    SIZE                                  how many events it has
    ROOT                                  base64
    time MILLISECONDS                     since 1970 in UTC
    next-key PUBLIC-KEY                   base64; only where a new key is introduced

    — pairhouse/books/BOOKS/EPOCH SIGNATURE
"""

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from pairhouse.core.errors import Refused, shown
from pairhouse.core.merkle import HASH_BYTES
from pairhouse.house.seal.keys import KEY_BYTES, SIGNATURE_BYTES, Signer, is_signed_by

TEXT_MAX = 16_384
SIGNATURES_MAX = 64
SIZE_MAX = 2**63 - 1
ED25519, COSIGNATURE = b"\x01", b"\x04"  # the kinds of signature, as signed notes number them
KEY_ID_BYTES, TIME_BYTES = 4, 8
NUMBER = r"(0|(?!0)\d{1,19})"  # whole numbers have one form; to be used with re.ASCII
_ORIGIN = re.compile(rf"pairhouse/books/([0-9a-f]{{16}})/{NUMBER}", re.ASCII)
_BODY = re.compile(rf"(.+)\n{NUMBER}\n([A-Za-z0-9+/=]+)\ntime {NUMBER}\n(?:next-key ([A-Za-z0-9+/=]+)\n)?", re.ASCII)
_SIGNATURE = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/=]+)")


def to_base64(given: bytes) -> str:
    return base64.b64encode(given).decode("ascii")


def from_base64(text: str, count: int | None = None) -> bytes:
    """The bytes of a base64 text that is written in the one way it can be."""
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        found = b""
    if to_base64(found) != text or (count is not None and len(found) != count):
        expected = f"{count} bytes" if count is not None else "bytes"
        raise Refused("bad-head", f"{shown(text)} is not {expected} in base64")
    return found


def key_id(name: str, public_key: bytes, kind: bytes = ED25519) -> bytes:
    """The four bytes that say which key a signature line is from."""
    return hashlib.sha256(name.encode() + b"\n" + kind + public_key).digest()[:KEY_ID_BYTES]


class Signature(NamedTuple):
    """A line under a head: who signed, with which key, and the signature."""

    name: str
    key_id: bytes
    signature: bytes

    def __str__(self) -> str:
        return f"— {self.name} {to_base64(self.key_id + self.signature)}\n"


class Position(NamedTuple):
    """Where in the life of the books a head stands."""

    epoch: int
    size: int


@dataclass(frozen=True)
class Head:
    """What is signed: the log, its size and root, the time; and the next key, where one is introduced."""

    books: str
    epoch: int
    size: int
    root: bytes
    at: int
    next_key: bytes | None = None

    @property
    def origin(self) -> str:
        return f"pairhouse/books/{self.books}/{self.epoch}"

    @property
    def position(self) -> Position:
        return Position(self.epoch, self.size)

    @property
    def body(self) -> bytes:
        """The bytes that are signed; one head has one form."""
        lines = [self.origin, str(self.size), to_base64(self.root), f"time {self.at}"]
        if self.next_key is not None:
            lines.append(f"next-key {to_base64(self.next_key)}")
        return ("\n".join(lines) + "\n").encode()

    def __str__(self) -> str:
        return f"the head of epoch {self.epoch} at {self.size} events"


@dataclass(frozen=True)
class SignedHead:
    """A head with the signatures under it: the house's, and those of witnesses."""

    head: Head
    signatures: tuple[Signature, ...]

    @property
    def text(self) -> str:
        """The form in which heads are stored, sent and read."""
        return f"{self.head.body.decode()}\n{''.join(map(str, self.signatures))}"

    def is_signed_by(self, public_key: bytes) -> bool:
        """Whether the house's key is among the signatures. One in its name that does not hold is refused."""
        name = self.head.origin
        expected = key_id(name, public_key)
        signed = [one.signature for one in self.signatures if (one.name, one.key_id) == (name, expected)]
        if not all(is_signed_by(public_key, signature, self.head.body) for signature in signed):
            raise Refused("bad-head", f"{self.head} was altered: the signature of key {expected.hex()} does not hold")
        return bool(signed)

    def with_signatures(self, *more: Signature) -> "SignedHead":
        """The same head with further signatures."""
        return replace(self, signatures=(*self.signatures, *(one for one in more if one not in self.signatures)))


def sign_head(head: Head, *signers: Signer) -> SignedHead:
    """Sign a head. One that introduces a key is signed by the old key and by the new one."""
    name, body = head.origin, head.body
    read_body(body.decode())
    return SignedHead(head, tuple(Signature(name, key_id(name, one.public_key), one.sign(body)) for one in signers))


def read_body(body: str) -> Head:
    """The head that these lines are."""
    found = _BODY.fullmatch(body)
    origin = _ORIGIN.fullmatch(found[1]) if found else None
    if found is None or origin is None:
        form = "the log, its size, its root and the time, a line each"
        raise Refused("bad-head", f"{shown(body)} is not the head of any books; a head is {form}")
    next_key = None if found[5] is None else from_base64(found[5], KEY_BYTES)
    size, epoch, at = int(found[2]), int(origin[2]), int(found[4])
    if max(size, epoch, at) > SIZE_MAX:
        raise Refused("bad-head", f"a number of this head is above {SIZE_MAX}")
    return Head(origin[1], epoch, size, from_base64(found[3], HASH_BYTES), at, next_key)


def read_signature(line: str) -> Signature:
    """A signature line of a note."""
    found = _SIGNATURE.fullmatch(line)
    if found is None:
        raise Refused("bad-head", f"{shown(line)} is not a signature; expected: — NAME BASE64")
    signature = from_base64(found[2])
    return Signature(found[1], signature[:KEY_ID_BYTES], signature[KEY_ID_BYTES:])


def read_head(text: str) -> SignedHead:
    """A signed head from its text. Nothing in it is trusted before a `KeyRing` has checked it."""
    body, empty, lines = text.rpartition("\n\n")
    signatures = lines.removesuffix("\n").split("\n")
    if not empty or not lines.endswith("\n") or len(text) > TEXT_MAX or len(signatures) > SIGNATURES_MAX:
        form = "a head is four or five lines, an empty line, and a line for each signature"
        raise Refused("bad-head", f"{shown(text)} is not a signed head; {form}")
    return SignedHead(read_body(body + "\n"), tuple(map(read_signature, signatures)))


class _Known(NamedTuple):
    key: bytes
    since: Position


class KeyRing:
    """The keys trusted for some books: a first one, and those that heads have introduced, signed by the one before.

    A key counts from the head that introduced it up to the head that introduces the next one. Heads that introduce keys
    must be given to `learn` oldest first; others in any order.
    """

    def __init__(self, books: str, first_key: bytes) -> None:
        self.books = books
        self._known = [_Known(first_key, Position(0, 0))]

    @property
    def key(self) -> bytes:
        """The key in force now."""
        return self._known[-1].key

    @property
    def all_keys(self) -> list[bytes]:
        """Every key that was ever in force, the oldest first."""
        return [known.key for known in self._known]

    def learn(self, signed: SignedHead) -> None:
        """Check a head, and trust the key that it introduces."""
        self.check(signed)
        new = signed.head.next_key
        if new is None or any(known.key == new for known in self._known):
            return
        if signed.head.position < self._known[-1].since:
            known = f"another key was introduced later, at {self._known[-1].since.size} events"
            raise Refused("bad-head", f"{signed.head} introduces key {_short(new)}, but {known}")
        if not signed.is_signed_by(self.key):
            raise Refused("bad-head", f"{signed.head} introduces key {_short(new)} without the key in force")
        if not signed.is_signed_by(new):
            raise Refused("bad-head", f"{signed.head} introduces key {_short(new)} but is not signed by it")
        self._known.append(_Known(new, signed.head.position))

    def check(self, signed: SignedHead) -> None:
        """Refuse a head that is not signed by the key in force at its place, and say what is wrong."""
        head = signed.head
        if head.books != self.books:
            raise Refused("bad-head", f"{head} is of the books {head.books}, not of {self.books}")
        last = max(number for number, known in enumerate(self._known) if known.since <= head.position)
        allowed = [self._known[last].key]
        if last and self._known[last].since == head.position:
            allowed.append(self._known[last - 1].key)
        if any(signed.is_signed_by(key) for key in allowed):
            return
        signer = next((known for known in self._known if signed.is_signed_by(known.key)), None)
        if signer is None:
            raise Refused("bad-head", f"{head} is not signed by the key in force there, {_short(allowed[0])}")
        is_early = head.position < signer.since
        reason = "that key was introduced later" if is_early else f"key {_short(allowed[0])} had replaced it"
        raise Refused("bad-head", f"{head} is signed by key {_short(signer.key)}, but {reason}")


def _short(public_key: bytes) -> str:
    return public_key.hex()[:16]


def cosigned_message(body: bytes, at_s: int) -> bytes:
    """What a witness signs: the time, and the whole head."""
    return f"cosignature/v1\ntime {at_s}\n".encode() + body


def cosign(signed: SignedHead, name: str, key: Signer, at_s: int) -> Signature:
    """The line that a witness adds to a head it has seen to extend all it had signed before."""
    signature = key.sign(cosigned_message(signed.head.body, at_s))
    return Signature(name, key_id(name, key.public_key, COSIGNATURE), at_s.to_bytes(TIME_BYTES, "big") + signature)


class WitnessKey(NamedTuple):
    """A witness that is trusted: its name and its public key."""

    name: str
    public_key: bytes

    @classmethod
    def read(cls, text: str) -> "WitnessKey":
        """From the form in which witnesses publish their keys: NAME+ID+BASE64."""
        return cls(*read_key_text(text, COSIGNATURE))

    def __str__(self) -> str:
        return key_text(self.name, self.public_key, COSIGNATURE)

    def cosigned_at_s(self, signed: SignedHead) -> int | None:
        """When this witness co-signed a head; None if it did not. A line in its name that does not hold is refused."""
        expected = key_id(self.name, self.public_key, COSIGNATURE)
        for one in signed.signatures:
            if (one.name, one.key_id) != (self.name, expected):
                continue
            at_s, signature = int.from_bytes(one.signature[:TIME_BYTES], "big"), one.signature[TIME_BYTES:]
            message = cosigned_message(signed.head.body, at_s)
            if len(signature) != SIGNATURE_BYTES or not is_signed_by(self.public_key, signature, message):
                raise Refused("bad-head", f"the signature of witness {self.name} under {signed.head} does not hold")
            return at_s
        return None


def key_text(name: str, public_key: bytes, kind: bytes = ED25519) -> str:
    """A public key in the form in which logs and witnesses tell each other theirs: NAME+ID+BASE64."""
    return f"{name}+{key_id(name, public_key, kind).hex()}+{to_base64(kind + public_key)}"


def read_key_text(text: str, kind: bytes = ED25519) -> tuple[str, bytes]:
    """Name and public key from NAME+ID+BASE64."""
    name, _, rest = text.partition("+")
    encoded = rest.partition("+")[2]
    try:
        public_key = from_base64(encoded, 1 + KEY_BYTES)[1:]
    except Refused:
        public_key = b""
    if not public_key or not name or re.search(r"\s", name) or key_text(name, public_key, kind) != text:
        whose = "a witness" if kind == COSIGNATURE else "a log"
        raise Refused("bad-key", f"{shown(text)} is not the public key of {whose}; expected NAME+ID+BASE64")
    return name, public_key
