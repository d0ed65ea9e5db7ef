"""A game from outside the package, served: its table, its prices counted in a process beside, its rounds and advice."""

import asyncio
from collections.abc import Callable, Iterator

import pytest

from api_house import Open, open_house
from outside_game import GAME
from pairhouse.games import catalogue
from pairhouse.games.catalogue import find
from pairhouse.server.pricing.price_book import PriceBook


@pytest.fixture(scope="module")
def house(new_database: Callable[[str], str]) -> Iterator[Open]:
    address = new_database("sqlite")  # a copy of books that may be made now, and know no game from outside
    with catalogue.register(GAME):
        yield from open_house(address)


def test_it_is_served_like_any_other(house: Open) -> None:
    body = {"id": "high-card", "name": "High Card", "game": "high-card"}
    house.office().do("POST", "/admin/tables", json=body)
    asyncio.run(PriceBook().fill([find("high-card").variant()]))
    table = house.client.get("/tables/high-card").json()
    assert (table["game"]["id"], table["game"]["choices"]) == ("high-card", ["raise", "fold"])
    assert table["prices"]["ante"]["ev"] == "-20/221"
    assert set(table["not_priced"]) == {"raise"}
    (chart,) = house.client.get("/tables/high-card/charts").json()["charts"]
    assert chart["squares"][12] == [{"action": "raise", "note": ""}]
    assert house.client.get("/games/high-card").json()["tables"] == ["high-card"]
    assert "raises or folds" in house.client.get("/games/high-card/rules").json()["markdown"]
    guest = house.guest()
    for choice in ("raise", "fold"):
        view = guest.open("high-card", [{"ante": 1000}])
        advice = guest.get(f"/rounds/{view['id']}/advice")
        assert set(advice["options"]) == {"raise", "fold"}
        assert advice["options"]["fold"]["value"] == "-1.000000000000"
        done = guest.choose(view["id"], choice, 0).json()
        assert (done["state"], done["staked"]) == ("settled", 2000 if choice == "raise" else 1000)
