"""Advice: the value of each legal choice, for every decision, from the solvers; and only where the table gives it."""

from random import Random

import pytest

from api_house import Open
from guests import BETS
from pairhouse.analysis.three_card.counts import value_of_hand
from pairhouse.core.cards import parse
from pairhouse.games.catalogue import find
from pairhouse.games.three_card_poker import FOLD, PLAY


@pytest.mark.parametrize(
    ("table", "rounds"), [("three-card-poker", 12), ("blackjack-poker-pairs", 12), ("pair-v3-2", 12)]
)
def test_every_decision_can_be_advised(sqlite_house: Open, table: str, rounds: int) -> None:
    random, guest, words = Random(table), sqlite_house.guest(), set()
    guest.sit(table)
    for number in range(rounds):
        seats = [dict.fromkeys(seat, 100) for seat in BETS[table]]
        view = guest.bet(table, seats, client_seed=f"advise {number}").json()
        while view["state"] == "open":
            told = guest.get(f"/rounds/{view['id']}/advice")
            options = view["view"]["awaiting"]["options"]
            assert set(told["options"]) == set(options)
            values = {word: float(line["value"]) for word, line in told["options"].items()}
            assert values[told["best"]] == max(values.values())
            assert list(values) == sorted(values, key=lambda word: -values[word])
            words |= set(options)
            view = guest.choose(view["id"], random.choice(options), len(view["choices"])).json()
        assert guest.ask("GET", f"/rounds/{view['id']}/advice").json()["code"] == "nothing-asked"
    assert words >= ({"play", "fold"} if table == "three-card-poker" else {"stand", "hit"})


def test_the_best_of_three_card_poker_is_the_solvers(sqlite_house: Open) -> None:
    guest = sqlite_house.guest()
    variant = find("three-card-poker").variant()
    for _ in range(20):
        waiting = guest.open("three-card-poker", [{"ante": 100}])
        told = guest.get(f"/rounds/{waiting['id']}/advice")
        held = parse(next(hand["cards"] for hand in waiting["view"]["hands"] if hand.get("seat") == 1))
        exact = {"play": value_of_hand(variant, PLAY, held), "fold": value_of_hand(variant, FOLD, held)}
        assert {word: f"{float(value):+.12f}" for word, value in exact.items()} == {
            word: line["value"] for word, line in told["options"].items()
        }
        assert told["best"] == max(exact, key=lambda word: exact[word])
        guest.finish(waiting)


def test_a_table_without_advice_gives_none(sqlite_house: Open) -> None:
    body = {"id": "no-advice", "name": "On your own", "game": "three-card-poker", "advice": False}
    sqlite_house.office().do("POST", "/admin/tables", json=body)
    guest = sqlite_house.guest()
    waiting = guest.open("no-advice", [{"ante": 100}])
    answer = guest.ask("GET", f"/rounds/{waiting['id']}/advice")
    assert (answer.status_code, answer.json()["code"]) == (403, "no-advice")
