"""What the pit sees of a table at which a crowd bets: counts and sums of all, and the first hundred one by one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from direct_house import DATABASES, new_database
from live_pit import BACCARAT, Pit, Player
from pairhouse.house.staff import Member
from pairhouse.server.models.pit import PitTable
from pairhouse.server.reading.pit_floor import SEATS_MOST, pit_floor

CROWD = SEATS_MOST + 20
ANNA = Member("1", "Anna", "supervisor")


@pytest.fixture(params=DATABASES)
def pit(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pit]:
    made = Pit(new_database(request.param, tmp_path))
    yield made
    made.house.close()


def seen(pit: Pit, find: str = "") -> PitTable:
    with pit.house.database.reading() as tx:
        tables = pit_floor(tx, pit.floor, ANNA, pit.clock.now, find).tables
    return next(table for table in tables if table.id == BACCARAT)


def test_a_crowd_is_counted_and_the_first_hundred_are_listed(pit: Pit) -> None:
    people = [Player(pit, BACCARAT) for _ in range(CROWD)]
    pit.tick(BACCARAT)
    for player in (people[0], people[-1]):
        player.bet({"player": 1000})
    table = seen(pit)
    assert (table.seated, len(table.seats), table.staked, table.open_rounds) == (CROWD, SEATS_MOST, 2000, 1)
    assert [(each.seat, each.player) for each in table.seats] == [
        (player.seat, player.id) for player in people[:SEATS_MOST]
    ]
    assert [each.staked for each in table.seats] == [1000] + [0] * (SEATS_MOST - 1)


def test_the_others_are_found_by_name(pit: Pit) -> None:
    """Letters of a name, large or small; what a database takes for a sign of its own is a letter like any other."""
    for _ in range(3):
        Player(pit, BACCARAT)
    names = [each.name for each in seen(pit).seats]
    for name in names:
        assert [each.name for each in seen(pit, f" {name[1:].upper()} ").seats] == [name]
    assert [each.name for each in seen(pit, "").seats] == names
    for sign in ("%", "_", "/", "'", "nobody is called so"):
        assert seen(pit, sign).seats == [], sign
    assert seen(pit, "%").seated == len(names)


def test_a_stake_is_listed_with_who_made_it_until_the_next_round(pit: Pit) -> None:
    """A round that is over is looked at until the next one opens, and its seats are kept so long, left or not."""
    anna = Player(pit, BACCARAT)
    pit.tick(BACCARAT)
    anna.bet({"player": 1000})
    anna.ready()
    pit.tick(BACCARAT)
    anna.open_seed()
    pit.tick(BACCARAT)
    anna.leave()
    bert = Player(pit, BACCARAT)
    assert [(each.player, each.staked) for each in seen(pit).seats] == [(anna.id, 1000), (bert.id, 0)]
    pit.tick(BACCARAT, 10_000)
    assert [(each.player, each.staked) for each in seen(pit).seats] == [(bert.id, 0)]
