"""A player's figures: sums that agree with the history, exact expectations, streaks, a file, and reviews of choices."""

import asyncio
import csv
import io
import json
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from api_house import Open
from command_line import pairhouse
from guests import Guest
from pairhouse.games.catalogue import find
from pairhouse.server.models import DrillRecord
from pairhouse.server.pricing import drill_book
from pairhouse.server.pricing.drill_book import DrillBook
from pairhouse.server.pricing.price_book import PriceBook, ask_child

ROUNDS = 12


@pytest.fixture
def prices(monkeypatch: pytest.MonkeyPatch) -> None:
    """La Pair'e's figures as its rule book gives them by hand; the par sheet itself is counted elsewhere."""
    wagers = {"card-A": {"ev": "-1/27", "variance": "8450/729"}, "red": {"ev": "-1/27", "variance": "728/729"}}
    monkeypatch.setattr(PriceBook, "sheet", lambda _, variant: {"wagers": wagers if "paire" in variant.game.id else {}})


def played(guest: Guest) -> list[Any]:
    guest.sit("la-paire")
    seeds = [f"luck {number}" for number in range(ROUNDS)]
    return [guest.bet("la-paire", client_seed=seed).json() for seed in seeds]


@pytest.mark.usefixtures("prices")
def test_results_expectation_and_deviation_follow_from_the_bets(house: Open) -> None:
    guest = house.guest()
    rounds = played(guest)
    told = guest.get("/players/me/statistics")
    (game,) = told["games"]
    assert (told["rounds"], told["staked"], told["is_all"]) == (ROUNDS, 1500 * ROUNDS, True)
    assert told["returned"] == sum(one["returned"] for one in rounds)
    wagers = {one["wager"]: one for one in game["wagers"]}
    for wager, stake, variance in (("card-A", 500, Fraction(8450, 729)), ("red", 1000, Fraction(728, 729))):
        found = wagers[wager]
        returned = sum(one["view"]["wagers"][0][wager]["returned"] for one in rounds)
        assert (found["bets"], found["staked"], found["returned"]) == (ROUNDS, stake * ROUNDS, returned)
        assert found["expected"] == round(Fraction(-stake * ROUNDS, 27))
        assert found["deviation"] == round(stake * sqrt(variance * ROUNDS))
    count, net, expected, deviation = game["points"][-1]
    assert (count, net) == (ROUNDS, told["returned"] - told["staked"])
    assert expected == round(Fraction(-1500 * ROUNDS, 27))
    alone = [wagers[wager]["deviation"] for wager in ("card-A", "red")]
    assert deviation == pytest.approx(sum(alone), abs=2), "wagers of a round are counted as moving together"
    assert not game["is_exact"]


def test_the_deviation_of_a_round_is_exact_where_covariances_are_counted(
    house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ace and red of one card: worked out by hand over 54 cards, both from the same card."""
    nets = [(12 if number < 4 else -1, 1 if number % 2 == 0 and number < 52 else -1) for number in range(54)]
    means = [Fraction(sum(net[at] for net in nets), 54) for at in (0, 1)]
    cov = [[Fraction(sum(a[i] * a[j] for a in nets), 54) - means[i] * means[j] for j in (0, 1)] for i in (0, 1)]
    wagers = {name: {"ev": str(means[at]), "variance": str(cov[at][at])} for at, name in enumerate(("card-A", "red"))}
    together = {"wagers": ["card-A", "red"], "covariance": [[str(cov[0][0])], [str(cov[1][0]), str(cov[1][1])]]}
    monkeypatch.setattr(PriceBook, "sheet", lambda _, __: {"wagers": wagers, "together": together})
    guest = house.guest()
    played(guest)
    (game,) = guest.get("/players/me/statistics")["games"]
    variance = 500**2 * cov[0][0] + 1000**2 * cov[1][1] + 2 * 500 * 1000 * cov[1][0]
    assert game["points"][-1][3] == round(sqrt(ROUNDS * variance))
    assert game["is_exact"]


def test_a_solved_wager_has_a_deviation_that_is_near(house: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    main = {"ev": -0.0044, "variance": 1.33, "rows_error": 0.025}
    monkeypatch.setattr(PriceBook, "sheet", lambda _, __: {"wagers": {"main": main}})
    guest = house.guest()
    guest.play("blackjack-poker-pairs", [{"main": 500}])
    (game,) = guest.get("/players/me/statistics")["games"]
    assert (game["priced"], game["is_exact"]) == (1, False)


def test_every_two_bets_of_la_paire_have_a_covariance() -> None:
    """The sheet that the tables read has all pairs, so that no deviation there is a bound."""
    done = pairhouse("par", "la-paire", "--json")
    together = json.loads(done.stdout)["together"]["wagers"]
    assert set(together) == {name for name, each in find("la-paire").variant().wagers.items()}


@pytest.mark.usefixtures("prices")
def test_streaks_are_those_of_the_history(house: Open) -> None:
    guest = house.guest()
    nets = [one["net"] for one in played(guest)]
    streaks = guest.get("/players/me/statistics")["games"][0]["streaks"]
    assert (streaks["best"], streaks["worst"]) == (max(0, *nets), min(0, *nets))
    assert (streaks["won"], streaks["lost"]) == (longest(nets, 1), longest(nets, -1))


def longest(nets: list[int], sign: int) -> int:
    """The longest run of one sign, where zero ends none."""
    signs = "".join("+" if net * sign > 0 else "-" for net in nets if net)
    return max(map(len, signs.split("-")))


def test_a_wager_without_a_price_has_no_expectation(house: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PriceBook, "sheet", lambda _, __: None)
    guest = house.guest()
    played(guest)
    (game,) = guest.get("/players/me/statistics")["games"]
    assert (game["priced"], game["points"]) == (0, [])
    assert all(one["expected"] is None and one["deviation"] is None for one in game["wagers"])


def test_a_period_and_a_game_limit_all_three(house: Open) -> None:
    guest = house.guest()
    played(guest)
    for query, count in (
        ({"since": "2000-01-01T00:00:00Z"}, ROUNDS),
        ({"until": "2000-01-01"}, 0),
        ({"game": "la-paire", "since": "2000-01-01T00:00:00+02:00", "until": "2100-01-01T00:00:00Z"}, ROUNDS),
        ({"game": "pair-v3"}, 0),
    ):
        assert guest.get("/players/me/statistics", **query)["rounds"] == count
        assert len(guest.get("/players/me/rounds", limit=100, **query)["rounds"]) == count
        text = guest.ask("GET", "/players/me/rounds.csv", params=query).text
        assert len(text.splitlines()) == count + 1
    for wrong in ("yesterday", "2000-13-01", "1900-01-01T00:00:00Z"):
        answer = guest.ask("GET", "/players/me/statistics", params={"since": wrong})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")


def test_the_file_holds_every_round_over_many_pages(house: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pairhouse.server.routes.statistics.PAGE", 5)
    guest = house.guest()
    rounds = played(guest)
    answer = guest.ask("GET", "/players/me/rounds.csv")
    assert "attachment" in answer.headers["content-disposition"]
    lines = list(csv.DictReader(io.StringIO(answer.text)))
    assert [line["round"] for line in lines] == [one["id"] for one in reversed(rounds)]
    assert [float(line["net"]) for line in lines] == [one["net"] / 100 for one in reversed(rounds)]
    assert "seat 1 card-A: 5.00" in lines[0]["wagers"]


def test_a_review_says_what_each_choice_cost(house: Open) -> None:
    guest = house.guest()
    guest.sit("three-card-poker")
    view = guest.bet("three-card-poker").json()
    advice = guest.get(f"/rounds/{view['id']}/advice")
    early = guest.ask("GET", f"/rounds/{view['id']}/review")
    assert (early.status_code, early.json()["code"]) == (409, "round-open")
    worst = min(advice["options"], key=lambda word: float(advice["options"][word]["value"]))
    guest.choose(view["id"], worst, 0)
    (choice,) = guest.get(f"/rounds/{view['id']}/review")["choices"]
    assert (choice["choice"], choice["best"], choice["advice"]) == (worst, advice["best"], advice)
    values = {word: float(one["value"]) for word, one in advice["options"].items()}
    assert float(choice["cost"]) == pytest.approx(values[advice["best"]] - values[worst])


def test_drills_are_worked_out_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variant, asked = find("pair-v3").variant({"decks": 6}), []

    async def counted(*words: str) -> tuple[bytes, bytes, int | None]:
        asked.append(words)
        return await ask_child(*words)

    monkeypatch.setattr(drill_book, "path_of", lambda _: tmp_path / "drills.json")
    monkeypatch.setattr(drill_book, "ask_child", counted)

    async def ask_often() -> list[DrillRecord] | None:
        book = DrillBook()
        assert await book.drills(find("la-paire").variant()) == []
        assert await book.drills(variant) is None
        assert await book.drills(variant) is None
        await book.finished()
        found = await book.drills(variant)
        assert await DrillBook().drills(variant) == found
        return found

    found = asyncio.run(ask_often())
    assert found is not None
    assert (len(found), len(asked)) == (540, 1)
    sixteen = next(one for one in found if (one.hand, one.up) == (["6", "10"], "10"))
    assert list(sixteen.values)[:2] == ["hit", "stand"]
    assert 0 < float(sixteen.values["hit"]) - float(sixteen.values["stand"]) < 0.01
    assert float(sixteen.frequency) == pytest.approx(0.013, abs=0.002)
