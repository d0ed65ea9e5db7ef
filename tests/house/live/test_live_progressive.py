"""A progressive at a live table: fed by every seat, won from in seat order, and the books hold it to every round."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import select

import verifiers
from direct_house import DATABASES, audited, new_books
from live_pit import Pit, Player, to_cards
from pairhouse.house.audit import audit
from pairhouse.house.live.closed_rounds import live_round_record
from pairhouse.house.store.database import Database
from pairhouse.house.store.schema import meters
from pairhouse.rounds.live_round import CLOSED, PLAYING
from pairhouse.rounds.records import to_json
from pairhouse.rounds.verify import first_difference, read_closed, verify

TABLE = "live-three-card-poker-progressive"
STAKES = {"ante": 1000, "progressive": 100}
SEED = 200_000
_METER = select(meters.c.amount, meters.c.reserve).where(meters.c.table_id == TABLE)


@pytest.fixture(params=DATABASES)
def pit(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pit]:
    made = Pit(new_books(request.param, tmp_path))
    yield made
    report = audited(made.house)
    assert report.clean, report.difference
    made.house.close()


def play(pit: Pit, *players: Player, words: str = "play") -> None:
    pit.tick(TABLE)
    for player in players:
        player.bet(STAKES)
        player.ready()
    pit.tick(TABLE)
    for player in players:
        player.open_seed()
    pit.tick(TABLE)
    for number, player in enumerate(players):
        player.choose(number, words)
    pit.tick(TABLE)
    assert pit.view(TABLE).phase == CLOSED


def meter(pit: Pit) -> tuple[int, int]:
    with pit.house.database.reading() as tx:
        row = tx.one(_METER, {})
    assert row is not None
    return row[0], row[1]


def test_the_meter_is_fed_and_pays_and_everybody_sees_it(pit: Pit) -> None:
    """[TCP-31] [TCP-33] [TCP-35] Twenty cents of each stake, less what was won; the record verifies with its reading."""
    anna, bert = Player(pit, TABLE, 2), Player(pit, TABLE, 6)
    pit.tick(TABLE)
    before = pit.view(TABLE).meter
    assert before is not None
    assert before.amount == SEED
    for _ in range(6):
        stood = meter(pit)[0]
        had = anna.balance + bert.balance
        play(pit, anna, bert)
        view = pit.view(TABLE)
        won = sum((seat.result or {})["progressive"]["returned"] or 0 for seat in view.seats)
        assert sum(meter(pit)) == stood + 40 - won or won >= SEED
        assert view.meter is not None
        assert (view.meter.amount, view.meter.reserve) == meter(pit)
        net = sum((bet["returned"] or 0) - bet["stake"] for seat in view.seats for bet in (seat.result or {}).values())
        assert anna.balance + bert.balance == had + net
        with pit.house.database.reading() as tx:
            record = to_json(live_round_record(tx, view.round_id, anna.id))
        closed = read_closed(record)
        assert closed.log is not None
        assert closed.log.meter is not None
        assert closed.log.meter.amount == stood
        assert first_difference(verify(closed)) is None
        pit.tick(TABLE, 10_000)


def test_nothing_is_paid_before_the_round_is_closed_and_a_void_leaves_the_meter(pit: Pit) -> None:
    """[TCP-40] [TCP-45] Other rounds could move the meter meanwhile, so all is paid together; void, it stands as before."""
    anna, bert = Player(pit, TABLE, 1), Player(pit, TABLE, 2)
    pit.tick(TABLE)
    stood, had = meter(pit), (anna.balance, bert.balance)
    for player in (anna, bert):
        player.bet(STAKES)
        player.ready()
    pit.tick(TABLE)
    for player in (anna, bert):
        player.open_seed()
    pit.tick(TABLE)
    anna.choose(0, "fold")
    pit.tick(TABLE)
    assert pit.view(TABLE).phase == PLAYING
    assert (anna.balance, bert.balance) == (had[0] - 1100, had[1] - 1100)
    assert meter(pit) == stood
    pit.house.do(lambda tx: pit.floor.void(tx, "carla", TABLE, "misdeal", 4))
    assert (anna.balance, bert.balance) == had
    assert meter(pit) == stood


def test_what_is_changed_of_a_meter_behind_the_house_is_found(tmp_path: Path) -> None:
    file = tmp_path / "meter.db"
    pit = Pit(f"sqlite:///{file}")
    play(pit, Player(pit, TABLE), Player(pit, TABLE))
    assert audited(pit.house).clean
    pit.house.close()
    content = file.read_bytes()
    for statement in (
        "UPDATE meters SET amount = amount + 100",
        "UPDATE live_entries SET body = replace(body, '\"amount\":200000', '\"amount\":200001')",
        "UPDATE transfers SET amount = amount - 20 WHERE kind = 'feed'",
    ):
        file.write_bytes(content)
        with sqlite3.connect(file) as books:
            assert books.execute(statement).rowcount, statement
        books.close()
        with Database(f"sqlite:///{file}").reading() as tx:
            assert not audit(tx, pit.house.vault).clean, statement


def test_the_independent_verifiers_know_the_reading(tmp_path: Path) -> None:
    pit = Pit(new_books("sqlite", tmp_path))
    anna = Player(pit, TABLE, 4)
    to_cards(pit, TABLE, anna)
    anna.choose(0, "play")
    pit.tick(TABLE)
    pit.tick(TABLE, 10_000)
    play(pit, anna)
    round_id = pit.view(TABLE).round_id
    with pit.house.database.reading() as tx:
        record = live_round_record(tx, round_id, anna.id)
    sent = msgspec.json.decode(to_json(record))
    assert (verifiers.python_says(sent), verifiers.page_says([sent])) == ("", [""])
    pit.house.close()
