"""Tables for friends: opened by a player, in no list, bounded, and closed when nothing has happened there for a day."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from direct_house import audited
from pairhouse.core.errors import Refused
from pairhouse.house.floor import FRIENDS, change_table, ids_in_use, listed_ids, read_table, table_ids
from pairhouse.house.house import House
from pairhouse.house.live.acts import LiveBet, TakeSeat
from pairhouse.house.live.friends import MINE_MAX, QUIET_MS, close_quiet, open_for_friends
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.live.table_log import read_live_table
from pairhouse.house.people import new_guest
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.live_round import LiveSettings
from pairhouse.rounds.shared_seeds import seed_commitment

LIKE = "three-card-poker"
CLOCK = LiveSettings(seats=7, betting=9_000)


class Friends:
    """A house with one live table, and players who open others like it."""

    def __init__(self, folder: Path) -> None:
        self.now = 1_700_000_000_000
        self.house = House(f"sqlite:///{folder / 'house.db'}", clock=lambda: self.now)
        self.floor = LiveFloor(self.house.vault, self.house.pit.guard)
        self.house.do(partial(self.floor.make_live, by="anna", table_id=LIKE, settings=CLOCK))

    def player(self) -> str:
        return hash_of(self.house.do(new_guest))

    def open(self, token: str, like: str = LIKE) -> str:
        table: str = self.house.do(lambda tx: open_for_friends(tx, self.floor, token, like))
        self.house.do(lambda tx: self.floor.lead_and_deal(tx, table, "one"))
        return table

    def read(self, question: Any) -> Any:
        with self.house.database.reading() as tx:
            return question(tx)

    def status(self, table: str) -> str:
        return str(self.read(lambda tx: read_table(tx, table).status))


@pytest.fixture
def friends(tmp_path: Path) -> Iterator[Friends]:
    made = Friends(tmp_path)
    yield made
    made.house.close()


def test_a_table_for_friends_is_like_the_one_named_and_in_no_list(friends: Friends) -> None:
    table = friends.open(friends.player())
    model, made = (friends.read(lambda tx, one=one: read_table(tx, one)) for one in (LIKE, table))
    assert (made.betting, made.name, made.is_live) == (model.betting, model.name, True)
    assert friends.read(lambda tx: read_live_table(tx, table).settings) == CLOCK
    assert table in friends.read(table_ids)
    assert table not in friends.read(listed_ids)
    with pytest.raises(Refused) as refused:
        friends.read(lambda tx: read_table(tx, table[:-1]))
    assert table not in str(refused.value)
    assert audited(friends.house)


def test_a_player_has_a_few_of_them_and_others_have_theirs(friends: Friends) -> None:
    anna, bert = friends.player(), friends.player()
    opened = {friends.open(anna) for _ in range(MINE_MAX)}
    assert len(opened) == MINE_MAX
    with pytest.raises(Refused, match="you have 3 tables for friends"):
        friends.open(anna)
    assert friends.open(bert) not in opened
    with pytest.raises(Refused, match="everybody plays alone"):
        friends.open(bert, "la-paire")


def test_none_has_a_progressive(friends: Friends) -> None:
    """It is closed after a quiet day, and what its players had paid into a meter would be nobody's to win."""
    like = "live-three-card-poker-progressive"
    with pytest.raises(Refused, match="progressive belongs to it alone"):
        friends.open(friends.player(), like)
    assert [table for table in friends.read(table_ids) if table.startswith(FRIENDS)] == []


def test_one_that_is_over_is_no_more_on_the_floor_of_the_pit(friends: Friends) -> None:
    """Two hundred may come every day; one that is closed is shown until the round with its bets is over."""
    anna = friends.player()
    quiet, played = friends.open(anna), friends.open(anna)

    def do(kind: type, **what: Any) -> None:
        act = kind(table=played, key=f"live-key-{kind.__name__}", body_hash="x", **what)
        friends.house.do(lambda tx: friends.floor.act(tx, anna, act))

    do(TakeSeat, seat=1)
    do(LiveBet, stakes={"ante": 1000}, seed=seed_commitment("mine"))
    for table in (quiet, played):
        friends.house.do(partial(change_table, by="anna", table_id=table, change={"status": "closed"}))
    assert {quiet, played} & set(friends.read(ids_in_use)) == {played}
    for _ in range(6):  # the clock plays it to its end
        friends.now += 60_000
        friends.house.do(lambda tx: friends.floor.lead_and_deal(tx, played, "one"))
    assert friends.read(ids_in_use) == friends.read(listed_ids)
    assert {quiet, played} <= set(friends.read(table_ids))
    assert audited(friends.house)


def test_nobody_turns_its_cards_by_hand(friends: Friends) -> None:
    """A supervisor who paces the live table is not at that of friends, where nothing would happen for minutes."""
    friends.house.do(lambda tx: friends.floor.set_pace(tx, "anna", LIKE, by_hand=True))
    table = friends.open(friends.player())
    assert friends.read(lambda tx: read_live_table(tx, table).settings) == CLOCK


def test_one_that_is_quiet_for_a_day_is_closed(friends: Friends) -> None:
    """Whoever sits there has gone without a word; else three such tables would be all that a player ever has."""
    anna = friends.player()
    first, second, third = (friends.open(anna) for _ in range(MINE_MAX))

    def sit(table: str, key: str) -> None:
        act = TakeSeat(table=table, key=key, body_hash="x", seat=1)
        friends.house.do(lambda tx: friends.floor.act(tx, anna, act))

    sit(second, "live-key-1")
    friends.now += 1
    sit(third, "live-key-2")
    friends.now += QUIET_MS
    friends.house.do(close_quiet)
    assert [friends.status(table) for table in (first, second, third)] == ["closed", "closed", "live"]
    friends.now += 1
    assert friends.status(friends.open(friends.player())) == "live"
    assert friends.status(third) == "closed"
