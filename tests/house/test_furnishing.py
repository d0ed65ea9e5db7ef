"""The floor of a house as it opens: planned tables are put up once, also in books that are older than the plan."""

from functools import partial
from pathlib import Path

import pytest

from direct_house import DATABASES, audited, new_database
from pairhouse.games.floor_plan import FIRST_TABLES, FLOOR_PLAN, LIVE_TABLES
from pairhouse.house import furnishing
from pairhouse.house.floor import change_table, read_table, table_ids
from pairhouse.house.house import House
from pairhouse.house.live.table_log import live_numbers, read_live_table


@pytest.mark.parametrize("kind", DATABASES)
def test_books_gain_the_tables_they_do_not_have(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = new_database(kind, tmp_path)
    with monkeypatch.context() as before:
        before.setattr(furnishing, "FLOOR_PLAN", FIRST_TABLES)
        house = House(url)
    assert house.do(table_ids) == [table.id for table in FIRST_TABLES]
    house.do(partial(change_table, by="desk", table_id="la-paire", change={"name": "Ours", "status": "closed"}))
    house.close()
    for _ in range(2):
        house = House(url)
        with house.database.reading() as tx:
            assert table_ids(tx) == [table.id for table in FLOOR_PLAN]
            assert (read_table(tx, "la-paire").name, read_table(tx, "la-paire").status) == ("Ours", "closed")
            assert {table for table, _ in live_numbers(tx)} == {table.id for table in LIVE_TABLES}
            for table in LIVE_TABLES:
                assert read_table(tx, table.id).is_live
                assert table.clock is not None
                assert read_live_table(tx, table.id).settings.betting == table.clock.betting
        assert audited(house).clean
        house.close()
