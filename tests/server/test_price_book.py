"""Published prices: every wager of a table has one or a reason, and one on a meter says at which reading."""

import asyncio

import pytest

from api_house import Open
from pairhouse.games.catalogue import find
from pairhouse.games.three_card_poker import METER_SEED
from pairhouse.server.pricing.price_book import PriceBook

TABLE = "three-card-poker-progressive"


@pytest.fixture(scope="module", autouse=True)
def counted() -> None:
    asyncio.run(PriceBook().fill([find("three-card-poker").variant({"progressive": True})]))


def test_the_progressive_is_priced_at_the_seed_of_its_meter(sqlite_house: Open) -> None:
    """[TCP-31]"""
    told = sqlite_house.client.get(f"/tables/{TABLE}").json()
    assert set(told["prices"]) == {"ante", "pairplus", "progressive"}
    assert set(told["not_priced"]) == {"play", "ante-bonus"}
    price = told["prices"]["progressive"]
    assert (price["ev"], price["edge"], price["meter"]) == ("-53229/276250", "0.19268416", METER_SEED)
    assert told["prices"]["ante"]["meter"] is None


def test_a_price_that_moves_with_a_meter_has_no_theoretical_hold(sqlite_house: Open) -> None:
    sqlite_house.guest().play(TABLE, [{"ante": 1000, "progressive": 100}])
    lines = sqlite_house.office("operator").do("GET", "/admin/hold")["lines"]
    told = {line["wager"]: line for line in lines if line["table"] == TABLE}
    assert told["ante"]["theory"] == "0.033730"
    assert (told["progressive"]["theory"], told["progressive"]["z"]) == (None, None)
