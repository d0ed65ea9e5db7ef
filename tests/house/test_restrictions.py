"""A player whose limits at a table were lowered: refused above them, as before once they are lifted, and sealed."""

import random
from pathlib import Path

import pytest

from direct_house import DATABASES, Guest, audited, new_books
from pairhouse.core.errors import Refused
from pairhouse.house.house import House
from pairhouse.house.restrictions import restrict, restriction_of

TABLE = "nepal-super-baccarat"


@pytest.mark.parametrize("kind", DATABASES)
def test_lowered_limits_hold_for_one_player_at_one_table(kind: str, tmp_path: Path) -> None:
    house = House(new_books(kind, tmp_path))
    ann, bob = (Guest(house, random.Random(number)) for number in range(2))
    for guest in (ann, bob):
        for table in (TABLE, "la-paire"):
            guest.sit(table)
    house.do(lambda tx: restrict(tx, "watch", ann.id, TABLE, 200))
    with pytest.raises(Refused, match=r"3.00 on tie is not possible: this table takes up to 2.00 on a wager from you"):
        ann.bet(TABLE, [{"player": 200, "tie": 300}])
    ann.bet(TABLE, [{"player": 200, "tie": 200}])
    ann.bet("la-paire", [{"card-2": 5_000}])
    bob.bet(TABLE, [{"player": 5_000}])
    house.do(lambda tx: restrict(tx, "watch", ann.id, TABLE, 0))
    with pytest.raises(Refused, match="this table takes no bets from you; ask the house why"):
        ann.bet(TABLE, [{"player": 200}])
    assert audited(house).difference is None
    house.do(lambda tx: restrict(tx, "desk", ann.id, TABLE, None))
    ann.bet(TABLE, [{"player": 5_000}])
    with house.database.reading() as tx:
        assert restriction_of(tx, ann.id, TABLE) is None
    assert audited(house).difference is None
    house.close()


@pytest.mark.parametrize(
    "tampering",
    [
        "DELETE FROM restrictions",
        "UPDATE restrictions SET maximum = 50000",
        "INSERT INTO restrictions SELECT player_id, 'la-paire', maximum FROM restrictions",
    ],
)
def test_a_restriction_changed_by_hand_is_found(tampering: str, tmp_path: Path) -> None:
    house = House(new_books("sqlite", tmp_path))
    ann = Guest(house, random.Random(1))
    house.do(lambda tx: restrict(tx, "watch", ann.id, TABLE, 200))
    house.do(lambda tx: tx.raw(tampering))
    assert "a restriction of player" in (audited(house).difference or "")
    house.close()
