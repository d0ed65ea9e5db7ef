"""Books that were cut off, rewritten or put back are found by heads kept elsewhere; books that grew are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairhouse.core.errors import Refused
from pairhouse.core.merkle import MerkleTree, leaf_hashes
from pairhouse.house.seal.growth import GrowthCheck, GrowthResult, newest
from pairhouse.house.seal.heads import KeyRing, Position, SignedHead
from sealed_logs import BOOKS, SignedLog, some_key, some_seals

SEALS = some_seals(600)
LOG = SignedLog(SEALS)


def checked(heads: list[SignedHead], seals: list[bytes], chunk: int = 64) -> GrowthResult:
    check = GrowthCheck(heads, KeyRing(BOOKS, LOG.key.public_key))
    for begin in range(0, len(seals), chunk):
        check.add(leaf_hashes(seals[begin : begin + chunk]))
    return check.finish()


@given(st.lists(st.integers(0, 300), max_size=6), st.integers(300, 600), st.integers(1, 400))
def test_books_that_grew_extend_every_head(sizes: list[int], now: int, chunk: int) -> None:
    found = checked([LOG.head(size) for size in sizes], SEALS[:now], chunk)
    assert (found.events, [head.size for head in found.extended], found.left_behind) == (now, sorted(sizes), [])


@given(st.lists(st.integers(1, 300), min_size=1, max_size=4), st.data())
def test_one_event_changed_before_a_head_is_found(sizes: list[int], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, max(sizes) - 1))
    changed = [*SEALS[:at], bytes(32), *SEALS[at + 1 :]]
    first = min(size for size in sizes if size > at)
    with pytest.raises(
        Refused, match=f"the first {first} events are not those of the head of epoch 1 at {first} events"
    ):
        checked([LOG.head(size) for size in sizes], changed)


def test_an_end_that_was_cut_off_is_found() -> None:
    with pytest.raises(
        Refused,
        match="the log has 250 events, and the head of epoch 1 at 300 events was signed: 50 events were cut off",
    ) as refused:
        checked([LOG.head(100), LOG.head(300)], SEALS[:250])
    assert refused.value.code == "books-cut-off"


def test_books_sealed_anew_as_a_whole_are_found() -> None:
    forged = SignedLog(some_seals(600, "forged"))
    theirs, ours = (log.head(100).head.root.hex()[:16] for log in (forged, LOG))
    says = f"the first 100 events are not those of {LOG.head(100).head}: their root is {theirs}, and {ours} was signed"
    with pytest.raises(Refused) as refused:
        checked([LOG.head(100)], forged.seals)
    assert (refused.value.code, str(refused.value)) == ("books-rewritten", says)


@given(st.lists(st.integers(0, 600), max_size=6))
def test_the_subtrees_that_are_completed_are_told_wherever_heads_lie(sizes: list[int]) -> None:
    """Each is compared with the stored one, so none may be left out."""
    check = GrowthCheck([LOG.head(size) for size in sizes], KeyRing(BOOKS, LOG.key.public_key))
    made = check.add(leaf_hashes(SEALS))
    assert made == MerkleTree().extend(leaf_hashes(SEALS))
    assert made


def test_a_head_is_not_left_behind_by_an_epoch_that_begins_where_it_ends() -> None:
    again = SignedLog([*SEALS[:200], *some_seals(100, "after")], epoch=2)
    found = checked([LOG.head(200), again.head(200), again.head(290)], again.seals)
    assert ([head.size for head in found.extended], found.left_behind) == ([200, 200, 290], [])


def test_a_head_that_nobody_signed_is_refused() -> None:
    with pytest.raises(Refused, match="is not signed by the key in force"):
        checked([SignedLog(SEALS, some_key(9)).head(100)], SEALS)


def test_a_restored_backup_leaves_heads_behind_and_says_which() -> None:
    again = SignedLog([*SEALS[:200], *some_seals(100, "after")], epoch=2)
    heads = [LOG.head(150), LOG.head(300), again.head(200), again.head(290)]
    found = checked(heads, again.seals)
    assert [head.size for head in found.extended] == [150, 200, 290]
    assert [head.size for head in found.left_behind] == [300]
    with pytest.raises(Refused, match="the first 250 events are not those of the head of epoch 1"):
        checked([LOG.head(250), SignedLog(SEALS, epoch=2).head(260)], again.seals)
    assert newest(heads) == Position(2, 290)
    assert newest([]) is None


def test_heads_of_several_keys_are_held_against_the_books_together() -> None:
    new = some_key(2)
    second = SignedLog(SEALS, new)
    found = checked([second.head(500), LOG.head(300, next_key=new), LOG.head(100)], SEALS)
    assert [head.size for head in found.extended] == [100, 300, 500]
    with pytest.raises(Refused, match="had replaced it"):
        checked([LOG.head(500), LOG.head(300, next_key=new)], SEALS)
