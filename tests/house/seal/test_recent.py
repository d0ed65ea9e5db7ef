"""Seals kept in memory for the log: all that is asked for, or nothing."""

from pairhouse.house.seal.recent import RecentSeals

SEALS = [f"{number:064x}" for number in range(1, 11)]


def known(kept: RecentSeals, after: int, last: int) -> list[int] | None:
    found = kept.between("a", after, last)
    return None if found is None else [int.from_bytes(seal) for seal in found]


def test_seals_are_known_without_a_gap_until_they_are_in_the_log() -> None:
    kept = RecentSeals()
    kept.add("a", 0, SEALS[:3])
    kept.add("a", 3, SEALS[3:5])
    assert known(kept, 0, 5) == [1, 2, 3, 4, 5]
    assert known(kept, 0, 4) == [1, 2, 3, 4], "asked again, because storing failed"
    assert known(kept, 3, 4) == [4]
    assert known(kept, 4, 5) == [5]
    assert known(kept, 3, 5) is None, "they were in the log before"
    assert known(kept, 4, 6) is None, "the books say more than our writer has committed"
    assert known(kept, 5, 5) == []
    assert (RecentSeals().between("a", 0, 0), RecentSeals().between("a", 0, 1)) == ([], None)


def test_after_a_gap_or_too_many_the_earlier_ones_are_forgotten() -> None:
    kept = RecentSeals(most=4)
    kept.add("a", 0, SEALS[:2])
    kept.add("a", 4, SEALS[4:6])
    assert known(kept, 0, 2) is None
    assert known(kept, 4, 6) == [5, 6]
    kept.add("a", 6, SEALS[6:8])
    assert known(kept, 4, 8) == [5, 6, 7, 8], "as many as are kept"
    kept.add("a", 8, SEALS[8:9])
    assert known(kept, 4, 9) is None
    assert known(kept, 8, 9) == [9]
    kept.forget("a")
    kept.forget("a chain that was never kept")
    assert known(kept, 8, 9) is None
