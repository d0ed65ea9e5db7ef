"""Heads have one form, are trusted by their signatures alone, and introduce new keys."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairhouse.core.errors import Refused, shown
from pairhouse.house.seal.heads import (
    COSIGNATURE,
    ED25519,
    Head,
    KeyRing,
    SignedHead,
    WitnessKey,
    cosign,
    from_base64,
    key_id,
    key_text,
    read_body,
    read_head,
    read_key_text,
    sign_head,
)
from sealed_logs import BOOKS, SignedLog, some_key, some_seals

OLD, NEW, OTHER = some_key(1), some_key(2), some_key(3)
LOG = SignedLog(some_seals(20))
NAME = "witness.example.org"


@contextmanager
def bad_head(match: str) -> Iterator[None]:
    with pytest.raises(Refused, match=match) as refused:
        yield
    assert refused.value.code == "bad-head"


def by(key_number: int, size: int, epoch: int = 1) -> SignedHead:
    return SignedLog(LOG.seals, some_key(key_number), epoch).head(size)


@pytest.mark.parametrize(
    ("text", "count", "says"),
    [
        ("AAAA", 4, "'AAAA' is not 4 bytes in base64"),
        ("AAA A", None, "'AAA A' is not bytes in base64"),
        ("AAAA\n", None, r"'AAAA\\n' is not bytes in base64"),
        ("AB==", None, "'AB==' is not bytes in base64"),
        ("A", None, "'A' is not bytes in base64"),
        ("AAAé", 3, "is not 3 bytes in base64"),
    ],
)
def test_bytes_are_written_in_one_way(text: str, count: int | None, says: str) -> None:
    with pytest.raises(Refused, match=says) as refused:
        from_base64(text, count)
    assert refused.value.code == "bad-head"
    assert from_base64("AAAB", 3) == from_base64("AAAB") == b"\0\0\1"


def test_the_text_of_a_head_is_this() -> None:
    head = Head(BOOKS, 1, 5, bytes(32), 1_800_000_000_000, bytes(range(32)))
    assert head.body.decode().splitlines() == [
        "pairhouse/books/00c0ffee00c0ffee/1",
        "5",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "time 1800000000000",
        "next-key AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    ]


def test_a_published_checkpoint_and_its_cosignature_have_our_key_ids() -> None:
    """Names and ids of the example in c2sp.org/signed-note and of the Go checksum database."""
    name, key = read_key_text("sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8")
    assert (name, len(key), key_id(name, key).hex()) == ("sum.golang.org", 32, "033de0ae")


heads = st.builds(
    Head,
    st.just(BOOKS),
    st.integers(0, 2**63 - 1),
    st.integers(0, 2**63 - 1),
    st.binary(min_size=32, max_size=32),
    st.integers(0, 2**63 - 1),
    st.none() | st.binary(min_size=32, max_size=32),
)


@given(heads)
def test_a_head_is_read_as_it_was_written(head: Head) -> None:
    signed = sign_head(head, OLD)
    assert read_head(signed.text) == signed
    assert read_head(signed.text).is_signed_by(OLD.public_key)


@given(heads, st.data())
def test_a_head_with_any_letter_changed_is_not_trusted(head: Head, data: st.DataObject) -> None:
    keys = KeyRing(BOOKS, OLD.public_key)
    text = sign_head(head, OLD).text
    keys.check(read_head(text))
    at = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.characters(codec="utf-8").filter(lambda one: one != text[at]))
    with pytest.raises(Refused):
        keys.check(read_head(text[:at] + letter + text[at + 1 :]))
    with pytest.raises(Refused):
        keys.check(read_head(text[:at] + text[at + 1 :]))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not a signed head; a head is four or five lines"),
        (
            "nothing\n\n— x AAAA\n",
            r"'nothing\\n' is not the head of any books; a head is the log, its size, its root and the time, a line each$",
        ),
        (LOG.head().text.replace("\n20\n", "\n020\n"), "is not the head of any books"),
        (LOG.head().text.replace("time ", "time 9999999"), "a number of this head is above|is not the head"),
        (LOG.head().text.replace("—", "-"), r"^'- .*' is not a signature; expected: — NAME BASE64$"),
        (LOG.head().text + "x" * 20_000 + "\n", r"^'pairhouse/books/.* is not a signed head"),
    ],
)
def test_what_is_no_head_is_refused_with_a_sentence(text: str, says: str) -> None:
    with pytest.raises(Refused, match=says) as refused:
        read_head(text)
    assert refused.value.code == "bad-head"


@pytest.mark.parametrize("name", ["size", "epoch", "at"])
def test_no_number_of_a_head_is_larger_than_a_database_takes(name: str) -> None:
    most, beyond = ({name: 2**63 - less} for less in (1, 0))
    head = replace(LOG.head().head, **most)  # type: ignore[arg-type]
    assert read_body(head.body.decode()) == head
    with pytest.raises(Refused, match=f"^a number of this head is above {2**63 - 1}$") as refused:
        read_body(replace(head, **beyond).body.decode())  # type: ignore[arg-type]
    assert refused.value.code == "bad-head"


@pytest.mark.parametrize("name", ["root", "next_key"])
@pytest.mark.parametrize("count", [31, 33])
def test_a_root_and_a_key_have_their_length(name: str, count: int) -> None:
    head = replace(LOG.head().head, **{name: bytes(count)})  # type: ignore[arg-type]
    with pytest.raises(Refused, match="is not 32 bytes in base64"):
        read_body(head.body.decode())


def test_a_head_that_could_not_be_read_again_is_not_signed() -> None:
    with pytest.raises(Refused, match="is not the head of any books"):
        sign_head(replace(LOG.head().head, books="two\nlines"), OLD)


def test_heads_of_other_books_or_keys_are_refused() -> None:
    keys = KeyRing(BOOKS, OLD.public_key)
    with bad_head(r"the head of epoch 1 at 20 events is not signed by the key in force there, [0-9a-f]{16}"):
        keys.check(by(3, 20))
    with bad_head(f"is of the books 0123456789abcdef, not of {BOOKS}"):
        keys.check(sign_head(replace(LOG.head().head, books="0123456789abcdef"), OLD))
    forged = LOG.head(20)
    altered = SignedHead(replace(forged.head, root=bytes(32)), forged.signatures)
    with bad_head(r"was altered: the signature of key [0-9a-f]{8} does not hold"):
        keys.check(altered)


def test_a_key_is_introduced_by_the_one_before_it() -> None:
    keys = KeyRing(BOOKS, OLD.public_key)
    keys.learn(by(1, 3))
    keys.learn(LOG.head(10, next_key=NEW))
    assert (keys.key, keys.all_keys) == (NEW.public_key, [OLD.public_key, NEW.public_key])
    keys.learn(LOG.head(10, next_key=NEW))  # a second reading changes nothing
    for head in (by(1, 3), by(1, 10), by(2, 10), by(2, 15), by(2, 3, epoch=2)):
        keys.check(head)
    with bad_head(f"is signed by key {OLD.public_key.hex()[:16]}, but key {NEW.public_key.hex()[:16]} had replaced it"):
        keys.check(by(1, 11))
    with bad_head("but that key was introduced later"):
        keys.check(by(2, 9))


def test_a_key_cannot_introduce_itself_nor_be_introduced_twice() -> None:
    keys = KeyRing(BOOKS, OLD.public_key)
    head = LOG.head(10, next_key=NEW)
    with bad_head(r"introduces key .* but is not signed by it"):
        keys.learn(SignedHead(head.head, head.signatures[:1]))
    with bad_head("is not signed by the key in force"):
        keys.learn(SignedHead(head.head, head.signatures[1:]))
    keys.learn(head)
    with bad_head(r"introduces key .*, but another key was introduced later, at 10 events$"):
        keys.learn(LOG.head(5, next_key=OTHER))
    with bad_head(r"introduces key .* without the key in force"):
        keys.learn(LOG.head(10, next_key=OTHER))
    assert keys.key == NEW.public_key


def test_a_witness_is_known_by_its_key() -> None:
    witness = WitnessKey(NAME, OTHER.public_key)
    assert WitnessKey.read(str(witness)) == witness
    head = LOG.head()
    line = cosign(head, NAME, OTHER, at_s=1_800_000_100)
    both = head.with_signatures(line)
    assert (witness.cosigned_at_s(head), witness.cosigned_at_s(read_head(both.text))) == (None, 1_800_000_100)
    assert both.is_signed_by(OLD.public_key)
    assert both.with_signatures(line) == both
    later = line._replace(signature=(1_800_000_101).to_bytes(8, "big") + line.signature[8:])
    with pytest.raises(
        Refused, match=f"the signature of witness {NAME} under the head of epoch 1 at 20 events does not hold"
    ):
        witness.cosigned_at_s(head.with_signatures(later))
    with pytest.raises(Refused) as refused:
        witness.cosigned_at_s(head.with_signatures(later))
    assert refused.value.code == "bad-head"


@pytest.mark.parametrize("kind", [ED25519, COSIGNATURE])
def test_a_key_is_read_back_and_one_of_another_name_or_length_is_refused(kind: bytes) -> None:
    key = bytes(range(32))
    text = key_text("log.example", key, kind)
    assert text.split("+")[1] == key_id("log.example", key, kind).hex()
    assert read_key_text(text, kind) == ("log.example", key)
    whose = "a log" if kind == ED25519 else "a witness"
    for name, other in (("", key), ("log example", key), ("log\texample", key), ("log", key[:31]), ("log", b"")):
        wrong = key_text(name, other, kind)
        with pytest.raises(Refused) as refused:
            read_key_text(wrong, kind)
        assert refused.value.code == "bad-key"
        assert str(refused.value) == f"{shown(wrong)} is not the public key of {whose}; expected NAME+ID+BASE64"


@pytest.mark.parametrize("text", ["", "a+b", "w+00000000+AAAA", key_text("w", bytes(32)), key_text("w", bytes(32), COSIGNATURE)[:-4]])  # fmt: skip
def test_what_is_no_witness_key_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="is not the public key of a witness; expected NAME"):
        WitnessKey.read(text)
