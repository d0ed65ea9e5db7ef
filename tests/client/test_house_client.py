"""A visitor over HTTP: what is refused, who does not answer, and a stream that is taken up again."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from api_house import served
from pairhouse.client.house_client import HouseClient, News
from pairhouse.client.live_seat import LivePlayer
from pairhouse.core.errors import Refused
from pairhouse.rounds.live_round import BETTING

TABLE = "live-three-card-poker"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with served(f"sqlite:///{tmp_path_factory.mktemp('client')}/house.db", deals=True) as house:
        yield house


def test_a_table_is_found_by_its_id_or_its_game(house: Any) -> None:
    async def look() -> None:
        client = HouseClient(str(house.client.base_url))
        assert (await client.find_live_table(TABLE)).seats == 7
        assert (await client.find_live_table("three-card-poker")).table == TABLE
        with pytest.raises(Refused, match="no live table 'chess'; the live tables are live-blackjack"):
            await client.find_live_table("chess")
        await client.close()

    asyncio.run(look())


def test_a_table_for_friends_is_found_by_its_id_alone(house: Any) -> None:
    async def look() -> None:
        client = HouseClient(str(house.client.base_url))
        await client.come_in()
        table = (await client.ask("POST", "/live", {"like": TABLE}))["table"]
        assert table not in {line.table for line in await client.live_tables()}
        found = await client.find_live_table(table)
        assert (found.table, found.game, found.seats, found.seated) == (table, "three-card-poker", 7, 0)
        assert await LivePlayer(client, found.table).sit(2) == 2
        for wrong in (f"{table}x", "blackjack-poker-pairs", "../players/me", "?"):
            with pytest.raises(Refused, match="the house has no live table"):
                await client.find_live_table(wrong)
        await client.close()

    asyncio.run(look())


def test_a_seat_a_bet_and_its_return(house: Any) -> None:
    async def visit() -> None:
        client = HouseClient(str(house.client.base_url))
        had = await client.come_in()
        place = LivePlayer(client, TABLE)
        with pytest.raises(Refused) as refused:
            await place.bet({"ante": 1000})
        assert refused.value.code == "not-seated"
        assert await place.sit(4) == 4
        stream = client.events(TABLE)
        first = await anext(stream)
        assert first.view is not None
        assert first.view.phase == BETTING
        await place.bet({"ante": 1000})
        assert place.balance == had - 1000
        committed = place.seed
        await place.bet({"ante": 1000})
        assert place.seed == committed, "or a close between a bet and its answer would find another one"
        after: News = await anext(stream)
        assert [type(entry).__name__ for entry in after.entries] == ["BetPlaced"]
        assert after.view is not None
        assert place.has_bet(after.view)
        await place.take_back()
        assert place.balance == had
        await place.leave()
        await stream.aclose()  # type: ignore[attr-defined]
        await client.close()

    asyncio.run(visit())


def test_a_house_that_is_not_there_is_a_sentence() -> None:
    async def visit() -> None:
        client = HouseClient("http://127.0.0.1:9", patience_s=0.1)
        with pytest.raises(Refused, match=r"no house answers at http://127.0.0.1:9 .*; start one with `make play`"):
            await client.live_tables()
        lost: list[str] = []
        client.on_lost = lambda: lost.append("the line")
        with pytest.raises(Refused, match="no house answers"):
            await anext(client.events(TABLE))
        assert lost == ["the line"], "told once, however often it is tried again"
        await client.close()

    asyncio.run(visit())


def test_an_address_that_is_none_is_refused() -> None:
    for given in ("ftp://here", "house", ""):
        with pytest.raises(Refused, match="is not the address of a house"):
            HouseClient(given)
