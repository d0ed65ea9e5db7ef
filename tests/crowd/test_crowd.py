"""`pairhouse crowd`: simulated players of every kind at live tables of a house that is served."""

import asyncio
import json
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from api_house import served
from command_line import pairhouse
from direct_house import audited
from pairhouse.core.errors import Refused
from pairhouse.crowd.crowd import Crowd, read_kinds
from pairhouse.crowd.journal import Summary
from pairhouse.crowd.players import KINDS
from pairhouse.crowd.strategies import some_stakes
from pairhouse.games.catalogue import find
from pairhouse.games.floor_plan import LIVE_TABLES
from pairhouse.rounds.table_limits import BettingTable

CLOCK = {"seats": 7, "betting": 60_000, "seeds": 20_000, "decision": 60_000, "grace": 100, "pause": 100}
SEATED, OPEN_TO_ALL, HANDS, HURRIED = "three-card-poker", "la-paire", "pair-v3-8", "three-card-poker-40-30-6-4-1"
CLOCKS = {
    SEATED: CLOCK,
    HANDS: CLOCK,
    OPEN_TO_ALL: {**CLOCK, "seats": None, "betting": 3_000},
    HURRIED: {**CLOCK, "betting": 2_000, "seeds": 500, "decision": 1_000},
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with served(f"sqlite:///{tmp_path_factory.mktemp('crowd')}/house.db", deals=True) as house:
        office = house.office()
        for table, clock in CLOCKS.items():
            made = house.client.put(f"/admin/tables/{table}/live", json=clock, headers=office.headers)
            assert made.is_success, made.text
        yield house
        assert audited(house.house).clean


def played(house: Any, table: str, kinds: str, players: int, rounds: int, seed: int = 1) -> tuple[Crowd, Summary]:
    async def play() -> tuple[Crowd, Summary]:
        crowd = Crowd(str(house.client.base_url), players, read_kinds(kinds), seed, think_s=0)
        return crowd, await crowd.play(table, rounds, seconds=200)

    return asyncio.run(play())


def left_empty(house: Any) -> Any:
    """The table once its seats are free: one with a bet is kept until the next round opens."""
    until = time.monotonic() + 20
    while (news := house.client.get(f"/tables/{SEATED}/live").json())["seated"] and time.monotonic() < until:
        time.sleep(0.05)
    return news


def test_seven_players_fill_a_table_and_leave_it(house: Any) -> None:
    _, summary = played(house, SEATED, "best,basic,careless", 7, 2)
    assert summary.rounds >= 2
    assert summary.bets >= 14 <= summary.decisions
    assert (summary.late, summary.lies, summary.refused) == (0, 0, {})
    assert left_empty(house)["seated"] == []


def test_best_play_at_a_table_of_hands(house: Any) -> None:
    """Each decides by the method of the rule book, with the cards of the others in sight."""
    _, summary = played(house, HANDS, "best,basic", 4, 2)
    assert summary.bets >= 8
    assert not set(summary.refused) - {"no-more-bets"}


def test_bettors_without_seats_wait_for_the_clock(house: Any) -> None:
    _, summary = played(house, OPEN_TO_ALL, "careless", 12, 1)
    assert summary.bets >= 12
    assert not set(summary.refused) - {"no-more-bets"}


def test_slow_and_leaving_players_are_decided_for(house: Any) -> None:
    _, summary = played(house, HURRIED, "slow,leaving,basic", 6, 2)
    assert summary.late > 0
    assert set(summary.refused) <= {
        "no-more-bets",
        "not-seated",
        "round-closed",
        "out-of-turn",
        "table-full",
        "bad-seed",
    }


def test_every_lie_is_refused(house: Any) -> None:
    """Wrong openings, late seeds, others' seats and turns, floods: none is taken, and the round goes on."""
    crowd, summary = played(house, SEATED, "basic,lying", 6, 2)
    assert summary.lies > 50
    assert (summary.lies_taken, crowd.journal.taken) == (0, [])
    refused = {word.partition(": ")[2] for word in crowd.journal.count if word.startswith("lie refused")}
    assert {"bad-seed", "out-of-turn", "unknown-wager", "seat-taken"} <= refused


def test_the_command_tells_what_happened(house: Any) -> None:
    words = ["crowd", "--table", SEATED, "--players", "2", "--house", str(house.client.base_url)]
    done = pairhouse(*words, "--rounds", "1", "--think", "0", "--seed", "5")
    assert done.returncode == 0, done.stderr
    assert "2 players, 1 round in" in done.stdout
    done = pairhouse(*words, "--seconds", "1", "--json")
    assert json.loads(done.stdout)["players"] == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--table", "roulette"], "no live table 'roulette'; the live tables are"),
        (["--table", SEATED, "--kind", "rich"], "'rich' is no kind of player; it can be best"),
        (["--table", SEATED, "--players", "0"], "0 players are not possible; give 1 to 2000"),
        (["--table", SEATED, "--house", "ftp://here"], "is not the address of a house"),
    ],
)
def test_mistakes_are_sentences(house: Any, words: list[str], says: str) -> None:
    place = [] if "--house" in words else ["--house", str(house.client.base_url)]
    done = pairhouse("crowd", *words, *place)
    assert done.returncode != 0
    assert says in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("table", LIVE_TABLES, ids=lambda table: table.id)
@pytest.mark.parametrize("is_careful", [True, False])
def test_tables_take_the_stakes_of_a_crowd(table: Any, is_careful: bool) -> None:
    betting = BettingTable(find(table.game).variant(table.options))
    rng = Random(3)
    for _ in range(50):
        betting.accept([some_stakes(rng, betting.variant, betting.limits.minimum, is_careful=is_careful)])


def test_kinds_are_read() -> None:
    assert read_kinds("best, lying") == ["best", "lying"]
    assert read_kinds(",".join(KINDS)) == list(KINDS)
    with pytest.raises(Refused):
        read_kinds("")


def test_a_crowd_plays_its_hands_before_it_goes(house: Any) -> None:
    """When its time is over nobody leaves cards behind for which others would have to wait."""

    async def play() -> Summary:
        crowd = Crowd(str(house.client.base_url), 4, ["basic"], 3, think_s=0.2)
        return await crowd.play(SEATED, None, seconds=3)

    assert asyncio.run(play()).late == 0
    news = left_empty(house)
    assert (news["seated"], news["view"]["phase"] in ("betting", "closed")) == ([], True)
