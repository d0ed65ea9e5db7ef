#!/usr/bin/env python3
"""Check that a Pairhouse round is in the signed log of its house: `python pairhouse_seal.py ROUND.json PUBLIC-KEY`.

One file, standard library only; it shares no code with the house. The public key, 64 hex digits, is the one that the
house publishes and that you noted; a key that came with the round proves nothing. If the house has changed its key
since, give its file of handovers too: `python pairhouse_seal.py ROUND.json PUBLIC-KEY HANDOVERS`. Each key then counts
for the heads between the handover that names it and the next one. Exit status 0: the round is in the log; 1: it is not,
and why; 2: the file cannot be checked.
"""

import base64
import hashlib
import json
import re
import sys

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
BASE_Y = 4 * pow(5, P - 2, P) % P
FIELDS = ("before", "chain", "number", "at", "kind", "body")
NUMBER = re.compile("0|[1-9][0-9]{0,18}")
ALTERED = "the head was altered"


class CannotCheck(Exception):
    """The file is not a closed round with its place in the log."""


class NotProven(Exception):
    """The proof does not hold; the sentence says where."""


def add(a, b):
    """The sum of two points of the curve of Ed25519, each (x, y, z, t)."""
    low, high = (a[1] - a[0]) * (b[1] - b[0]), (a[1] + a[0]) * (b[1] + b[0])
    t, z = 2 * a[3] * b[3] * D, 2 * a[2] * b[2]
    e, f, g, h = high - low, z - t, z + t, high + low
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    total = (0, 1, 1, 0)
    while number:
        if number & 1:
            total = add(total, point)
        point, number = add(point, point), number >> 1
    return total


def point_of(y, is_odd):
    """The point with this y, or None."""
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or x * x % P != square or (x == 0 and is_odd):
        return None
    x = x if x & 1 == is_odd else P - x
    return x, y, 1, x * y % P


def read_point(given):
    number = int.from_bytes(given, "little")
    return point_of(number & (2**255 - 1), number >> 255)


def is_signed(public_key, signature, message):
    """Whether this is the Ed25519 signature (RFC 8032) of a message."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    point, scalar = read_point(public_key), int.from_bytes(signature[32:], "little")
    if point is None or scalar >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    factor = int.from_bytes(digest, "little") % ORDER
    minus = (P - point[0], point[1], 1, P - point[3])
    x, y, z, _ = add(times(scalar, point_of(BASE_Y, 0)), times(factor, minus))
    x, y = x * pow(z, P - 2, P) % P, y * pow(z, P - 2, P) % P
    return (y | (x & 1) << 255).to_bytes(32, "little") == signature[:32]


def from_base64(text):
    found = base64.b64decode(text, validate=True)
    if base64.b64encode(found).decode() != text:
        raise ValueError(f"{text!r} is not base64 as it should be written")
    return found


def root_from_path(leaf, index, size, path):
    """The root that a leaf at this index and its path lead to (RFC 9162, 2.1.3.2)."""
    place, last, root = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            raise NotProven("the path is too long")
        if place & 1 or place == last:
            root = hashlib.sha256(b"\x01" + sibling + root).digest()
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            root = hashlib.sha256(b"\x01" + root + sibling).digest()
        place, last = place >> 1, last >> 1
    if last:
        raise NotProven("the path is too short")
    return root


def read_proof(text):
    """Index, path, head (the text that is signed) and the lines of signatures."""
    parts = text.split("\n\n")
    if len(parts) != 3 or not parts[2].endswith("\n"):
        raise NotProven("the proof is not three paragraphs: the path, the head, the signatures")
    first, index, *path = parts[0].split("\n")
    if first != "c2sp.org/tlog-proof@v1" or not index.startswith("index ") or not NUMBER.fullmatch(index[6:]):
        raise NotProven("the proof does not begin with its kind and its index")
    return int(index[6:]), [from_base64(line) for line in path], parts[1] + "\n", parts[2][:-1].split("\n")


def compare_event(event, record):
    """How the event differs from the round."""
    told = json.loads(event["body"])
    if told.get("round") != record["id"]:
        return f"the event tells of round {told.get('round')}, not of {record['id']}"
    if (event["kind"] == "void") != (record["state"] == "void"):
        return f"the event is of kind {event['kind']}, and the round is {record['state']}"
    if event["kind"] == "void":
        return ""
    if "result" not in told:
        return "the event does not close the round"
    ours, theirs = (
        [{name: (bet["stake"], bet["returned"]) for name, bet in seat.items()} for seat in seats]
        for seats in (told["result"], record["view"]["wagers"])
    )
    return "" if ours == theirs else "the event tells of other stakes or other winnings than the round"


def compare_path(seal, proof):
    """How the path from the event does not lead to the root of the head."""
    index, path, head, _ = proof
    lines = head.split("\n")
    if len(lines) < 4 or not NUMBER.fullmatch(lines[1]) or not 0 <= index < int(lines[1]):
        return "the head does not have that many events"
    leaf = hashlib.sha256(b"\x00" + seal).digest()
    root = root_from_path(leaf, index, int(lines[1]), path)
    return "" if root == from_base64(lines[2]) else "the path from the event does not lead to the root of the head"


def compare_signature(public_key, proof):
    """How the head is not signed by the key of the house."""
    _, _, head, signatures = proof
    name = head.split("\n")[0]
    key_id = hashlib.sha256(name.encode() + b"\n\x01" + public_key).digest()[:4]
    for line in signatures:
        dash, signer, encoded = line.split(" ")
        signature = from_base64(encoded)
        if (dash, signer, signature[:4]) == ("—", name, key_id):
            return "" if is_signed(public_key, signature[4:], head.encode()) else ALTERED
    return f"the head is not signed by the key {public_key.hex()}"


def place_of(head):
    """The books of a head and its place in their life: the epoch, and how many events they had then."""
    name, size = head.split("\n")[:2]
    kind, _, rest = name.rpartition("pairhouse/books/")
    books, slash, epoch = rest.partition("/")
    if kind or not slash or not NUMBER.fullmatch(epoch) or not NUMBER.fullmatch(size):
        raise NotProven(f"{name} is not the name of any books")
    return books, (int(epoch), int(size))


def read_handover(text):
    """The head of a handover, its signatures, and the key that it names."""
    head, _, signatures = text.strip("\n").partition("\n\n")
    named = re.fullmatch(r"(?:.+\n){4}next-key (.+)", head)
    if named is None:
        raise NotProven("a handover does not name the next key")
    return (0, [], head + "\n", signatures.split("\n")), from_base64(named[1])


def signed_by(key, proof):
    """Whether this key has signed a handover."""
    differs = compare_signature(key, proof)
    if differs == ALTERED:
        raise NotProven("a handover was altered")
    return not differs


def keys_of(public_key, handovers, books):
    """The keys of some books, the oldest first, each with the place from which it counts.

    The first is the given one. A handover, signed by the key before and by the one that it names, adds the next.
    """
    keys = [(public_key, (0, 0))]
    for text in re.split(r"\n(?=pairhouse/books/)", handovers.strip("\n")) if handovers.strip() else ():
        proof, following = read_handover(text)
        its_books, place = place_of(proof[2])
        if its_books != books:
            continue
        if following == public_key and len(keys) == 1:
            keys = [(public_key, place)] if signed_by(public_key, proof) else keys
        elif any(key == following for key, _ in keys):
            continue
        elif any(signed_by(key, proof) for key, _ in keys[:-1]):
            raise NotProven("two handovers name different keys after one and the same")
        elif signed_by(keys[-1][0], proof):
            if not signed_by(following, proof) or place < keys[-1][1]:
                raise NotProven("a handover is not signed by the key that it names, or comes before the one before it")
            keys.append((following, place))
    return keys


def compare_head(keys, proof):
    """How the head is not signed by the key that was in force at its place.

    At the very place of a handover the key before it may have signed, too.
    """
    _, place = place_of(proof[2])
    in_force = [number for number, (_, since) in enumerate(keys) if since <= place]
    if not in_force:
        return "the head is older than the key you gave; fetch the round again, under a head of today"
    last = in_force[-1]
    allowed = keys[last - 1 : last + 1][::-1] if last and keys[last][1] == place else [keys[last]]
    found = [compare_signature(key, proof) for key, _ in allowed]
    if "" in found or ALTERED in found:
        return next(differs for differs in found if differs in ("", ALTERED))
    if any(not compare_signature(key, proof) for key, _ in keys):
        return "the head is signed by a key of the house that was not in force there"
    return found[0]


def verify_seal(record, public_key, handovers=""):
    """The checks of a round's place in the log: triples of a name, what holds, and how it differs."""
    seal = record.get("seal")
    if seal is None:
        raise CannotCheck("the round is not in a signed head yet; fetch it again in a minute")
    event = seal["event"]
    yield "event", "the event in the log tells of this round, its stakes and its winnings", compare_event(event, record)
    text = "\n".join(str(event[field]) for field in FIELDS)
    try:
        proof = read_proof(seal["proof"])
        differs = compare_path(hashlib.sha256(text.encode()).digest(), proof)
    except (NotProven, ValueError) as error:
        yield "log", "", str(error)
        return
    yield "log", "the event is in the log: its path leads to the root of the head", differs
    try:
        keys = keys_of(bytes.fromhex(public_key), handovers, place_of(proof[2])[0])
        differs = compare_head(keys, proof)
    except (NotProven, ValueError) as error:
        differs = str(error)
    yield "head", "the head of the log is signed by the key of the house", differs


def main(arguments):
    if len(arguments) not in (2, 3):
        print("usage: python pairhouse_seal.py ROUND.json PUBLIC-KEY [HANDOVERS]", file=sys.stderr)
        return 2
    try:
        handovers = ""
        if len(arguments) == 3:
            with open(arguments[2], encoding="utf-8") as file:
                handovers = file.read()
        with open(arguments[0], encoding="utf-8") as file:
            findings = list(verify_seal(json.load(file), arguments[1], handovers))
    except (CannotCheck, OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        kind = "" if isinstance(error, CannotCheck) else f"{type(error).__name__}: "
        print(f"This round cannot be checked: {kind}{error}", file=sys.stderr)
        return 2
    for name, holds, differs in findings:
        print(f"[{'DIFFERENT' if differs else 'ok'}] {name}: {differs or holds}")
    return 1 if any(differs for _, _, differs in findings) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
