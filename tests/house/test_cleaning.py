"""Sessions that are over go, and guests who cannot come back are ended; nobody else, and the audit is clean."""

from pathlib import Path

import pytest

from api_house import Clock
from direct_house import new_books
from pairhouse.core.errors import Refused
from pairhouse.house.audit import audit
from pairhouse.house.commands import RoundBet
from pairhouse.house.house import House
from pairhouse.house.people import new_guest, person_of, register
from pairhouse.house.tokens import hash_of
from pairhouse.server.bookkeeping.jobs import clean_up

DAY = 24 * 60


def statuses(house: House) -> dict[str, str]:
    with house.database.reading() as tx:
        tx.raw("SELECT name, status FROM players")
        return dict(tx._cursor.fetchall())


def open_round(house: House, token: str) -> None:
    """A round that waits for its player."""
    bet = RoundBet(
        table="three-card-poker", seats=[{"ante": 100}], client_seed="luck", key="key-00001", body_hash="hash"
    )
    view = house.do(lambda tx: house.pit.open_round(tx, hash_of(token), bet))
    assert view.state == "open"


def name_of(house: House, token: str) -> str:
    return str(house.do(lambda tx: person_of(tx, hash_of(token), tx.now)).name)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_who_stays_and_who_goes(kind: str, tmp_path: Path) -> None:
    clock = Clock()
    house = House(new_books(kind, tmp_path), clock=clock)
    idle, playing, named = (
        house.do(new_guest), house.do(new_guest), house.do(lambda tx: register(tx, "ann", "hash"))
    )  # fmt: skip
    names = [name_of(house, token) for token in (idle, playing, named)]
    seat = house.do(lambda tx: person_of(tx, hash_of(playing), tx.now))
    house.do(lambda tx: house.dealer.sit(tx, seat.id, "three-card-poker"))
    open_round(house, playing)
    clock.pass_minutes(31)
    assert clean_up(house, clock()) == (0, 0), "a day longer than they count"
    clock.pass_minutes(DAY + 12 * 60)
    fresh = house.do(new_guest)
    assert clean_up(house, clock()) == (3, 1)
    assert clean_up(house, clock()) == (0, 0)
    found = statuses(house)
    assert [found[name] for name in names] == ["ended", "active", "active"]
    assert house.do(lambda tx: person_of(tx, hash_of(fresh), tx.now)).guest
    with pytest.raises(Refused, match="no live session"):
        house.do(lambda tx: person_of(tx, hash_of(idle), tx.now))
    with house.database.reading() as tx:
        assert audit(tx, house.vault).clean
    house.close()
