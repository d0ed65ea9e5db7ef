"""Several people's seeds in one shuffle: committed to, opened, mixed, and found again by each of them."""

import hashlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairhouse.core.errors import Refused
from pairhouse.rounds.shared_seeds import (
    LISTED_MAX,
    NO_SEED,
    SharedSeed,
    check_commitment_text,
    check_opened,
    mixed_seeds,
    opened_seeds,
    root_from_path,
    seed_commitment,
    seed_path,
    seed_root,
    withheld,
)

seeds = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=64)


def given_by(seat: int, seed: str, *, opens: bool = True) -> SharedSeed:
    shared = SharedSeed(seat, seed_commitment(seed))
    return check_opened(shared, seed) if opens else shared


def test_seeds_are_mixed_in_the_order_of_the_seats_however_they_came() -> None:
    came = [given_by(5, "five"), given_by(2, "two", opens=False), given_by(1, "one"), given_by(7, "seven")]
    assert mixed_seeds(came) == ["one", "five", "seven"]
    assert withheld(came) == [2]
    assert mixed_seeds([given_by(3, "x", opens=False)]) == [NO_SEED]


def test_another_seed_than_the_one_committed_to_is_refused() -> None:
    with pytest.raises(Refused, match="not the seed that was committed to"):
        check_opened(SharedSeed(1, seed_commitment("mine")), "Mine")
    for wrong in ("", "ab", "A" * 64, "g" * 64, None, "0" * 65):
        with pytest.raises(Refused, match="64 hex digits"):
            check_commitment_text(wrong)
    assert check_commitment_text(seed_commitment("mine")) == hashlib.sha256(b"mine").hexdigest()


def plain_root(leaves: list[bytes]) -> bytes:
    """RFC 6962, section 2.1, as it stands there."""
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    return hashlib.sha256(b"\1" + plain_root(leaves[:half]) + plain_root(leaves[half:])).digest()


@given(st.lists(seeds, min_size=1, max_size=70))
def test_everybody_finds_the_root_with_their_own_seed_alone(opened: list[str]) -> None:
    root = seed_root(opened)
    assert root == plain_root([seed.encode() for seed in opened])
    for leaf, seed in enumerate(opened):
        path = seed_path(opened, leaf)
        assert root_from_path(seed, path) == root.hex()
        assert len(path.path) <= 7


@given(st.lists(seeds, min_size=2, max_size=40, unique=True), st.data())
def test_a_wrong_seed_place_or_path_leads_elsewhere_or_is_refused(opened: list[str], data: st.DataObject) -> None:
    leaf = data.draw(st.integers(0, len(opened) - 1))
    other = data.draw(st.integers(0, len(opened) - 1).filter(lambda at: at != leaf))
    path = seed_path(opened, leaf)
    root = seed_root(opened).hex()
    assert root_from_path(opened[other], path) != root
    moved = type(path)(other, path.leaves, path.path)
    with suppress(Refused):
        assert root_from_path(opened[leaf], moved) != root
    for wrong in (path.path[:-1], [*path.path, "00" * 32]):
        with pytest.raises(Refused):
            root_from_path(opened[leaf], type(path)(leaf, path.leaves, wrong))


def test_many_are_mixed_by_their_root() -> None:
    crowd = [given_by(seat, f"seed {seat}", opens=seat != 9) for seat in range(1, LISTED_MAX + 3)]
    assert withheld(crowd) == [9]
    assert mixed_seeds(crowd) == [seed_root(opened_seeds(crowd)).hex()]
    few = crowd[:LISTED_MAX]
    assert mixed_seeds(few) == opened_seeds(few)
