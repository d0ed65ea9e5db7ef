"""Progressive meters as the books keep them."""

from dataclasses import replace
from pathlib import Path

from direct_house import TABLES, new_books
from pairhouse.games.three_card_poker import METER_CEILING
from pairhouse.house.house import House
from pairhouse.house.meters import read_meter, write_meter


def test_what_stands_above_a_lowered_ceiling_is_in_the_reserve(tmp_path: Path) -> None:
    """[TCP-32]"""
    house = House(new_books("sqlite", tmp_path))
    table = "three-card-poker-progressive"
    fresh = house.do(lambda tx: read_meter(tx, table, TABLES[table]))
    house.do(lambda tx: write_meter(tx, table, replace(fresh, amount=METER_CEILING + 60, reserve=5)))
    with house.database.reading() as tx:
        shown = read_meter(tx, table, TABLES[table])
    house.close()
    assert shown == replace(fresh, amount=METER_CEILING, reserve=65)
