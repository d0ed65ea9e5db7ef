"""A game from a file, served: it gets a table of its own, is dealt and paid, and its books are clean."""

import sys
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from api_house import Open, open_house
from direct_house import audited
from gallery_games import GALLERY
from pairhouse.games.catalogue import GAMES, SOURCES, load, outside_modules
from pairhouse.house.floor import put_up, table_ids


@pytest.fixture(scope="module")
def house(new_database: Callable[[str], str]) -> Iterator[Open]:
    address = new_database("sqlite")  # a copy of books that may be made now, and know no game from outside
    game = load(str(GALLERY / "red_dog.py"))
    try:
        yield from open_house(address)
    finally:
        for known in (GAMES, SOURCES):
            known.pop(game.id, None)
        sys.modules.pop("red_dog", None)


def test_it_is_put_up_once_and_played(house: Open) -> None:
    assert outside_modules()[-1] == str(GALLERY / "red_dog.py")
    for _ in range(2):
        house.house.do(partial(put_up, game_id="red-dog"))
    assert house.client.get("/tables/red-dog").json()["game"]["name"] == "Red Dog"
    guest = house.guest()
    for _ in range(6):
        view = guest.open("red-dog", [{"ante": 1000}])
        while view["state"] != "settled":
            view = guest.choose(view["id"], "raise", 0).json()
        assert view["staked"] in (1000, 2000)
    assert audited(house.house).difference is None


def test_a_table_of_a_game_that_is_not_known_now_is_left_out(house: Open) -> None:
    game = GAMES.pop("red-dog")
    try:
        assert "red-dog" not in house.house.do(table_ids)
        assert house.client.get("/tables").status_code == 200
    finally:
        GAMES["red-dog"] = game


def test_a_request_loads_nothing(house: Open) -> None:
    before = set(sys.modules)
    body = {"id": "mine", "name": "Mine", "game": str(GALLERY / "andar_bahar.py")}
    answer = house.client.post("/admin/tables", json=body, headers={"Authorization": f"Bearer {house.office().key}"})
    assert 400 <= answer.status_code < 500
    assert "andar_bahar" not in set(sys.modules) - before
