"""Tallies on disk: read back whole, never when damaged, never under other rules, and not for ever."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from counting import counted
from pairhouse.analysis.exact import counts
from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.three_card import counts as hand_counts
from pairhouse.core.game import Variant
from pairhouse.games.three_card_poker import FOLD, PLAY
from pairhouse.machines import cache, stored
from pairhouse.machines.stored import stored_tallies

SIDE_BETS = analyst("blackjack-poker-pairs", {"decks": 1})


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of tallies of its own; what is compiled stays where it is."""
    monkeypatch.setattr(stored, "cache_root", lambda: tmp_path)
    return tmp_path


def anew(variant: Variant) -> counts.Counted:
    """As a new process finds it: nothing in memory, what is on disk may be read."""
    counts._counted.cache_clear()
    hand_counts.three_card.cache_clear()
    method_of.cache_clear()
    with stored_tallies():
        return counted(variant)


def no_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("pairhouse.analysis.exact.counts._count")
    monkeypatch.delattr("pairhouse.analysis.three_card.counts._count_hands")


@pytest.mark.parametrize("variant", [SIDE_BETS, analyst("three-card-poker")], ids=["side bets", "three card poker"])
def test_a_second_process_does_not_count(variant: Variant, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = anew(variant)
    no_counting(monkeypatch)
    again = anew(variant)
    assert (again.stories, again.total) == (first.stories, first.total)
    if variant.game.id == "three-card-poker":
        assert set(hand_counts.three_card(variant).ways) == {PLAY, FOLD}


def test_who_does_not_ask_for_it_counts(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anew(SIDE_BETS)
    counts._counted.cache_clear()
    no_counting(monkeypatch)
    with pytest.raises(NameError):
        counted(SIDE_BETS)


def cut(content: bytes) -> bytes:
    return content[:-3]


def flip(content: bytes) -> bytes:
    return content[:-1] + bytes([content[-1] ^ 1])


@pytest.mark.parametrize("damage", [cut, flip, lambda _: b"", lambda _: b"\xff\xff\n\x00", lambda _: b"[" * 99_999])
def test_a_damaged_tally_is_counted_again_and_mended(damage: Callable[[bytes], bytes], place: Path) -> None:
    first = anew(SIDE_BETS)
    (file,) = place.glob("tallies-*/*.tally")
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert anew(SIDE_BETS).stories == first.stories
    assert file.read_bytes() == whole
    assert [other.name for other in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("what", ["rules hash", "options", "cards", "source"])
def test_another_game_is_not_read(what: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anew(SIDE_BETS)
    other, shoe = SIDE_BETS, None
    if what == "rules hash":
        other = Variant(SIDE_BETS.game, SIDE_BETS.options)
        other.__dict__["_source_hash"] = "0" * 64
    elif what == "options":
        other = analyst("blackjack-poker-pairs", {"decks": 1, "insurance": "never"})
    elif what == "cards":
        shoe = list(range(51))
    else:
        monkeypatch.setattr(stored, "source_hash", lambda: "f" * 64)
    no_counting(monkeypatch)
    counts._counted.cache_clear()
    with stored_tallies(), pytest.raises(NameError):
        counted(other, shoe)


def test_where_nothing_can_be_written_it_is_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setattr(stored, "cache_root", lambda: tmp_path / "file")
    assert anew(SIDE_BETS).total == 52 * 51 * 50


def test_old_folders_go_and_others_stay(place: Path) -> None:
    for age in range(6):
        folder = place / f"tallies-{age}"
        folder.mkdir()
        os.utime(folder, (age, age))
    (place / "mine").mkdir()
    anew(SIDE_BETS)
    assert {folder.name for folder in place.iterdir()} >= {"mine", "tallies-5", "tallies-4"}
    assert len(list(place.glob("tallies-*"))) == stored.FOLDERS_KEPT


def test_a_folder_in_use_is_not_the_oldest(tmp_path: Path) -> None:
    for name, age in (("a", 1), ("b", 2), ("c", 3)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (age, age))
    assert cache.in_use(tmp_path / "a", "?", 3)
    assert cache.in_use(tmp_path / "d", "?", 3)
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["a", "c", "d"]
