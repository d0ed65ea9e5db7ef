"""A proof for one event can be checked by whoever has the key, and by nobody else's leave."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairhouse.core.errors import Refused, shown
from pairhouse.house.seal.log_proofs import read_proof
from sealed_logs import SignedLog, some_key, some_seals

LOG = SignedLog(some_seals(1000))


@given(st.integers(1, 1000), st.data())
def test_every_event_is_proven_and_no_other_in_its_place(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    proof = LOG.proof(index, size)
    assert read_proof(proof.text) == proof
    proof.check(LOG.seals[index], LOG.keys)
    other = data.draw(st.integers(0, 999).filter(lambda place: place != index))
    with pytest.raises(Refused, match=f"the proof does not lead from leaf {index} to the root of the {size} leaves"):
        proof.check(LOG.seals[other], LOG.keys)
    with pytest.raises(Refused):
        replace(proof, index=other).check(LOG.seals[index], LOG.keys)
    another_size = data.draw(st.integers(1, 1000).filter(lambda count: count != size))
    with pytest.raises(Refused):
        replace(proof, signed=LOG.head(another_size)).check(LOG.seals[index], LOG.keys)


def test_the_size_cannot_be_changed_because_it_is_signed() -> None:
    text = LOG.proof(0, 5).text
    for size in (4, 6, 7, 8):
        with pytest.raises(Refused, match="was altered"):
            read_proof(text.replace("\n5\n", f"\n{size}\n")).check(LOG.seals[0], LOG.keys)


def test_a_proof_under_a_head_of_another_key_is_refused() -> None:
    with pytest.raises(Refused, match="is not signed by the key in force there"):
        SignedLog(LOG.seals, some_key(2)).proof(3).check(LOG.seals[3], LOG.keys)


@given(st.data())
def test_a_proof_with_any_letter_changed_is_refused(data: st.DataObject) -> None:
    text = LOG.proof(data.draw(st.integers(0, 999))).text
    index = read_proof(text).index
    at = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.characters(codec="utf-8").filter(lambda one: one != text[at]))
    with pytest.raises(Refused):
        read_proof(text[:at] + letter + text[at + 1 :]).check(LOG.seals[index], LOG.keys)


def test_what_is_no_proof_is_refused_with_a_sentence() -> None:
    for text in ("", "c2sp.org/tlog-proof@v1\nindex 01\n\n", LOG.head().text):
        says = rf"^{re.escape(shown(text))} is not a proof of the log; it begins with c2sp\.org/tlog-proof@v1$"
        with pytest.raises(Refused, match=says) as refused:
            read_proof(text)
        assert refused.value.code == "bad-proof"


def test_a_path_has_an_end_and_whole_hashes() -> None:
    proof = LOG.proof(7)
    longest = replace(proof, path=(bytes(32),) * 64)
    assert read_proof(longest.text) == longest
    with pytest.raises(Refused, match="is not a proof of the log"):
        read_proof(replace(proof, path=(bytes(32),) * 65).text)
    for count in (31, 33):
        with pytest.raises(Refused, match="is not 32 bytes in base64"):
            read_proof(replace(proof, path=(bytes(count),)).text)
