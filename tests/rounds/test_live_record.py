"""Closed live rounds are verified by three programs that share no code, and none is fooled."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

import vectors
import verifiers
from live_rounds import closed_round, record_of
from pairhouse.core.errors import Refused
from pairhouse.rounds.live_record import live_record
from pairhouse.rounds.live_round import LiveRound
from pairhouse.rounds.shared_seeds import ALL_MAX, seed_commitment
from pairhouse.rounds.verify import first_difference, verify

ROUNDS = {vector["name"]: vector["record"] for vector in vectors.read("live.json")}


def house_says(record: Any) -> str:
    difference = first_difference(verify(record, any_rules=True))
    return "" if difference is None else f"{difference.check}: {difference.says}"


def test_all_three_agree_on_every_live_round() -> None:
    said = dict(zip(ROUNDS, verifiers.page_says(list(ROUNDS.values())), strict=True))
    for name, record in ROUNDS.items():
        assert (house_says(record), verifiers.python_says(record), said[name]) == ("", "", ""), name
    assert any(record["mixed"]["withheld"] for record in ROUNDS.values())


def test_every_reader_of_a_crowd_can_check_their_own_seed() -> None:
    """By all seeds, or by a path to the root where there are too many; each sees what they were paid."""
    for people in (9, 17, ALL_MAX + 3):
        live = closed_round("nepal-super-baccarat", people, (2,))
        records = [record_of(live, seat) for seat in (None, 1, 3, 9, people)]
        assert [house_says(record) for record in records] == [""] * 5
        assert [verifiers.python_says(record) for record in records] == [""] * 5
        assert verifiers.page_says(records) == [""] * 5
        last = records[-1]["mixed"]
        assert (last["seat"], last["seats"]) == (people, [people])
        assert len(last["seeds"]) == (people if people <= ALL_MAX else 1)


def change(name: str) -> Callable[[Any], None]:
    """A lie about the seeds, by its name."""
    lies: dict[str, Callable[[Any], None]] = {
        "my seed was exchanged": lambda r: r["mixed"]["seeds"][-1].update(
            seed="another", commitment=seed_commitment("another")
        ),
        "a seed is not the committed one": lambda r: r["mixed"]["seeds"][-1].update(seed="another"),
        "one more was opened": lambda r: r["mixed"].update(opened=r["mixed"]["opened"] + 1),
        "nobody withheld": lambda r: r["mixed"].update(withheld=[]),
        "somebody else withheld": lambda r: r["mixed"].update(withheld=[1]),
        "a seed was mixed in that nobody gave": lambda r: r["proof"]["client_seeds"].append("one more"),
        "the seeds were taken out": lambda r: r["mixed"].update(seeds=[]),
    }
    return lies[name]


@pytest.mark.parametrize(
    "name",
    [
        "my seed was exchanged",
        "a seed is not the committed one",
        "one more was opened",
        "nobody withheld",
        "somebody else withheld",
        "a seed was mixed in that nobody gave",
        "the seeds were taken out",
    ],
)
def test_a_lie_about_the_seeds_is_found_by_all_three(name: str) -> None:
    records = []
    for people in (3, 30, ALL_MAX + 3):
        record = deepcopy(record_of(closed_round("nepal-super-baccarat", people, (2,)), people))
        change(name)(record)
        if people <= ALL_MAX or name not in ("nobody withheld", "somebody else withheld"):  # only the list shows these
            records.append(record)
    page = verifiers.page_says(records)
    for record, said in zip(records, page, strict=True):
        for found in (house_says(record), verifiers.python_says(record), said):
            assert found.startswith("seeds: "), (name, found)


def test_a_round_that_is_not_paid_has_no_record() -> None:
    live = closed_round("la-paire", 2)
    with pytest.raises(Refused, match="not closed"):
        live_record(LiveRound(live.table, live.settings), "0" * 64)
