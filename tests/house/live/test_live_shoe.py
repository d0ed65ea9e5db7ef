"""A shoe at live baccarat: each coup is dealt from what the coups before it have left, and the books are held to it."""

import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

import verifiers
from direct_house import DATABASES, audited, new_database
from live_pit import Pit, Player, play_round, to_cards
from pairhouse.core.cards import parse
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find
from pairhouse.games.floor_plan import SHARED_SHOE, SHOE
from pairhouse.house.audit import audit
from pairhouse.house.floor import add_table, change_table
from pairhouse.house.live.closed_rounds import live_round_record
from pairhouse.house.store.database import Database
from pairhouse.house.store.live_schema import live_entries, live_rounds
from pairhouse.machines.replay import replay
from pairhouse.rounds.live_entries import RoundOpened
from pairhouse.rounds.live_round import BETTING, LiveSettings
from pairhouse.rounds.live_view import LiveView
from pairhouse.rounds.table_limits import Limits
from pairhouse.rounds.verify import first_difference, verify

TABLE, GAME = "short-shoe", "nepal-super-baccarat"
OPTIONS = {"decks": 5, "cut_card": 225}
_ROUNDS = select(live_rounds.c.id, live_rounds.c.shoe, live_rounds.c.coup, live_rounds.c.state).order_by(
    live_rounds.c.opened_at
)
_ENTRIES = select(live_entries.c.body).order_by(live_entries.c.number)


def with_shoe(url: str, round_ms_min: int | None = 0) -> Pit:
    """A house with a shoe of 260 cards, of which 35 lie before the cut card."""
    pit = Pit(url, round_ms_min)
    limits = Limits(wager_maximum={"tie-on-0": 500}, total_maximum={"player": 200_000})
    put_up = partial(add_table, table_id=TABLE, name="Short shoe", game=GAME, options=OPTIONS, limits=limits)
    pit.house.do(partial(put_up, shuffle=SHOE))
    pit.house.do(partial(pit.floor.make_live, by="anna", table_id=TABLE, settings=LiveSettings(seats=None)))
    return pit


@pytest.fixture(params=DATABASES)
def pit(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pit]:
    made = with_shoe(new_database(request.param, tmp_path))
    yield made
    made.house.close()


def shoe_of(view: LiveView) -> Any:
    assert view.shoe is not None
    return view.shoe


def records(pit: Pit, player: Player) -> list[Any]:
    """Every settled round as the player may save it."""
    with pit.house.database.reading() as tx:
        ids = [each for each, _, _, state in tx.all(_ROUNDS, {}) if state == "settled"]
        return [msgspec.json.decode(msgspec.json.encode(live_round_record(tx, each, player.id))) for each in ids]


def test_a_shoe_is_dealt_to_its_end_and_verified_from_its_first_card(pit: Pit) -> None:
    """[NSB-4] [NSB-5] [NSB-40] After the cut card one more coup, then a fresh shoe; roads come from the log."""
    anna, bert = Player(pit, TABLE), Player(pit, TABLE)
    views: list[LiveView] = []
    while not views or shoe_of(views[-1]).number == 1:
        views.append(play_round(pit, TABLE, anna, bert))
    shoes = [shoe_of(view) for view in views]
    assert [each.coup for each in shoes[:-1]] == list(range(1, len(shoes)))
    assert (shoes[-1].number, shoes[-1].coup, len(shoes[-1].results)) == (2, 1, 1)
    assert [each.is_last for each in shoes[:-1]] == [False] * (len(shoes) - 2) + [True]
    assert shoes[-3].left <= 225 < shoes[-4].left
    assert [len(each.results) for each in shoes[:-1]] == list(range(1, len(shoes)))
    assert shoes[-2].results[:-1] == shoes[-3].results
    found = records(pit, anna)
    assert len(found) == len(shoes)
    for record, shoe in zip(found, shoes, strict=True):
        assert first_difference(verify(record)) is None
        assert verifiers.python_says(record) == ""
        assert shoe.cards - shoe.left == len(record["shoe"]["gone"]) + record["proof"]["cards_used"]
        variant = find(GAME).variant(OPTIONS)
        state = replay(variant, parse(record["log"]["cards"]), [{"player": 100}])
        assert shoe.results[-1]["winner"] in ("player", "banker", "tie")
        assert shoe.results[-1]["player_cards"] + shoe.results[-1]["banker_cards"] == state.cards_used
    assert verifiers.page_says([found[-2]]) == [""]
    report = audited(pit.house)
    assert report.clean, report.difference


def test_a_void_coup_ends_its_shoe(pit: Pit) -> None:
    """[NSB-41] Its seed is never opened, so nobody could verify what it has left; before the deal or after it."""
    anna = Player(pit, TABLE)
    play_round(pit, TABLE, anna)
    to_void = partial(pit.floor.void, by="anna", table_id=TABLE, reason="misdeal", cards=7)
    anna.bet()
    anna.ready()
    pit.tick(TABLE)
    pit.house.do(to_void)
    pit.tick(TABLE, 10_000)
    assert (shoe_of(pit.view(TABLE)).number, shoe_of(pit.view(TABLE)).coup) == (2, 1)
    play_round(pit, TABLE, anna)
    anna.bet()
    had = anna.balance
    pit.house.do(to_void)
    assert anna.balance == had + 1200
    pit.tick(TABLE, 10_000)
    view = pit.view(TABLE)
    assert (view.phase, shoe_of(view).number, shoe_of(view).results) == (BETTING, 3, [])
    report = audited(pit.house)
    assert report.clean, report.difference


def test_other_options_or_another_way_to_shuffle_end_a_shoe(pit: Pit) -> None:
    anna = Player(pit, TABLE)
    play_round(pit, TABLE, anna)
    change = partial(change_table, by="anna", table_id=TABLE)
    for settings, shoe in (
        ({"options": {"cut_card": 200}}, (2, 1)),
        ({"shuffle": "every-round"}, None),
        ({"shuffle": "shoe"}, (3, 1)),
    ):
        to_cards(pit, TABLE, anna)
        pit.house.do(partial(change, change={"status": "closed"}))
        pit.tick(TABLE)
        pit.house.do(partial(change, change={**settings, "status": "live"}))
        pit.tick(TABLE, 10_000)
        view = pit.view(TABLE)
        assert (view.shoe and (view.shoe.number, view.shoe.coup)) == shoe
    report = audited(pit.house)
    assert report.clean, report.difference


def test_all_bettors_together_keep_to_the_limits(pit: Pit) -> None:
    """[NSB-42] A crowd of counters wins no more than one of them could; what is taken back is free again."""
    anna, bert, carl = Player(pit, TABLE), Player(pit, TABLE), Player(pit, TABLE)
    pit.tick(TABLE)
    anna.bet({"tie-on-0": 300, "player": 50_000})
    with pytest.raises(Refused, match=r"all bettors together may have 5\.00 on tie-on-0 .*, and 2\.00 is left"):
        bert.bet({"tie-on-0": 300})
    bert.bet({"tie-on-0": 200, "player": 50_000})
    anna.bet({"tie-on-0": 300, "player": 40_000})
    with pytest.raises(Refused, match=r"0\.00 is left"):
        carl.bet({"tie-on-0": 100})
    bert.bet({})
    carl.bet({"tie-on-0": 200, "player": 50_000})
    assert pit.view(TABLE).totals == {"tie-on-0": 500, "player": 90_000}
    for _ in range(2):
        Player(pit, TABLE).bet({"player": 50_000})
    with pytest.raises(Refused, match=r"2,?000\.00 on player .* 100\.00 is left"):
        bert.bet({"player": 50_000})


def test_the_pace_of_a_shared_shoe_is_kept_however_ready_everybody_is(tmp_path: Path) -> None:
    """What a counter could win an hour rests on it: betting stays open until the time is over."""
    pit = with_shoe(new_database("sqlite", tmp_path), None)
    table = SHARED_SHOE.id
    anna = Player(pit, table)
    play_round(pit, table, anna)
    dealt_at = pit.clock.now - 10_000
    pit.clock.now = dealt_at + 4_000
    pit.tick(table)
    anna.bet()
    anna.ready()
    assert pit.tick(table) == dealt_at + SHARED_SHOE.round_ms_min
    assert pit.view(table).phase == BETTING
    pit.tick(table, SHARED_SHOE.round_ms_min - 4_001)
    assert pit.view(table).phase == BETTING
    pit.tick(table, 1)
    assert pit.view(table).phase != BETTING
    pit.house.close()


TAMPERINGS = {
    "another coup": "UPDATE live_rounds SET coup = coup + 1 WHERE coup = 2",
    "another shoe": "UPDATE live_rounds SET shoe = 7 WHERE coup = 3",
    "another seed": f"UPDATE live_rounds SET server_seed = '{'ab' * 32}' WHERE coup = 1",
    "other seeds mixed in": "UPDATE live_rounds SET client_seeds = '[\"mine\"]' WHERE coup = 2",
    "seeds forgotten": "UPDATE live_rounds SET client_seeds = NULL WHERE coup = 2",
    "a card came back": 'UPDATE live_entries SET body = replace(body, \'"gone":[\', \'"gone":["Kc",\')',
}


def test_whatever_is_changed_of_a_shoe_behind_the_house_is_found(tmp_path: Path) -> None:
    file = tmp_path / "shoe.db"
    pit = with_shoe(f"sqlite:///{file}")
    anna = Player(pit, TABLE)
    for _ in range(3):
        play_round(pit, TABLE, anna)
    assert audited(pit.house).clean
    pit.house.close()
    content = file.read_bytes()
    for name, statement in TAMPERINGS.items():
        file.write_bytes(content)
        with sqlite3.connect(file) as books:
            assert books.execute(statement).rowcount, name
        books.close()
        with Database(f"sqlite:///{file}").reading() as tx:
            assert not audit(tx, pit.house.vault).clean, name


def test_the_entry_of_a_coup_names_the_cards_that_are_gone(tmp_path: Path) -> None:
    pit = with_shoe(new_database("sqlite", tmp_path))
    anna = Player(pit, TABLE)
    for _ in range(2):
        play_round(pit, TABLE, anna)
    with pit.house.database.reading() as tx:
        found = [msgspec.json.decode(body) for (body,) in tx.all(_ENTRIES, {})]
    opened = [msgspec.convert(entry, RoundOpened) for entry in found if entry["entry"] == "open" and "shoe" in entry]
    assert [(each.shoe.coup, bool(each.shoe.gone)) for each in opened if each.shoe] == [
        (1, False),
        (2, True),
        (3, True),
    ]
    pit.house.close()
