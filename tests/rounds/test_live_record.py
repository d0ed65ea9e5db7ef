"""Closed live rounds are verified by three programs that share no code, and none is fooled."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

import vectors
import verifiers
from live_rounds import closed_round, record_of, whole_shoe
from pairhouse.core.errors import Refused
from pairhouse.rounds.fairness import commitment
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


@pytest.fixture(scope="module")
def shoe() -> list[Any]:
    """Every coup of a shoe, as records."""
    return whole_shoe(people=3, cut_card=380)


def test_all_three_deal_a_whole_shoe_again_from_its_first_card(shoe: list[Any]) -> None:
    """[NSB-4] [NSB-5] [NSB-40] Each coup from its own seeds and what was left; after the cut card one more."""
    assert [record["shoe"]["coup"] for record in shoe] == list(range(1, len(shoe) + 1))
    gone = [len(record["shoe"]["gone"]) for record in shoe]
    used = [record["proof"]["cards_used"] for record in shoe]
    assert [before + cards for before, cards in zip(gone, used, strict=True)][:-1] == gone[1:]
    assert 416 - gone[-1] <= 380 < 416 - gone[-2]
    page = verifiers.page_says(shoe)
    for record, said in zip(shoe, page, strict=True):
        assert (house_says(record), verifiers.python_says(record), said) == ("", "", "")


SHOE_LIES: dict[str, Callable[[Any], None]] = {
    "a card came back": lambda shoe: shoe["gone"].pop(),
    "a card was exchanged": lambda shoe: shoe["gone"].__setitem__(0, "Kc" if shoe["gone"][0] != "Kc" else "Qc"),
    "two coups changed places": lambda shoe: shoe["before"].reverse(),
    "a coup is left out": lambda shoe: shoe["before"].pop(0),
    "a coup had another seed": lambda shoe: shoe["before"][0].update(server_seed="ab" * 32),
    "a coup had another seed and commitment": lambda shoe: shoe["before"][0].update(
        server_seed="ab" * 32, commitment=commitment(bytes.fromhex("ab" * 32))
    ),
    "other seeds were mixed in before": lambda shoe: shoe["before"][0].update(client_seeds=["mine"]),
    "it is another coup": lambda shoe: shoe.update(coup=shoe["coup"] + 1),
    "nothing is gone": lambda shoe: shoe.update(gone=[], before=[], coup=1),
}


@pytest.mark.parametrize("name", SHOE_LIES)
def test_a_lie_about_the_shoe_is_found_by_all_three(shoe: list[Any], name: str) -> None:
    record = deepcopy(shoe[3])
    SHOE_LIES[name](record["shoe"])
    expected = "cards: " if name == "nothing is gone" else "shoe: "
    for found in (house_says(record), verifiers.python_says(record), *verifiers.page_says([record])):
        assert found.startswith(expected), (name, found)


def test_a_shoe_that_has_ended_deals_no_more(shoe: list[Any]) -> None:
    """[NSB-5] One more coup than the cut card allows, with everything else in order."""
    last = deepcopy(shoe[-1])
    last["log"]["options"]["cut_card"] = last["log"]["options"]["cut_card"] + 8
    for found in (house_says(last), verifiers.python_says(last), *verifiers.page_says([last])):
        assert found.startswith("shoe: the shoe ended"), found
