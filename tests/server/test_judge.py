"""The live watch over real books: counters at an old shoe are found and stopped, honest players and tables are not."""

import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from counting_bot import CountingBot, Shown, greedy, slow
from direct_house import DATABASES, TABLES, Guest, audited, deal_from_shoe, enrich, new_database
from pairhouse.analysis.protect.ceiling import BetLimits, table_limits
from pairhouse.analysis.protect.watch import WatchPolicy
from pairhouse.core.cards import parse
from pairhouse.core.errors import Refused
from pairhouse.games.floor_plan import SHARED_SHOE
from pairhouse.house import dealer
from pairhouse.house.floor import change_table, read_table, table_ids
from pairhouse.house.house import House
from pairhouse.house.restrictions import restriction_of
from pairhouse.house.watch_log import TakenStep, highest_records, lift_step, read_cursor, save_look
from pairhouse.server.watch.judge import Judge, Record, figures_of, peak_of
from pairhouse.server.watch.rounds_read import has_new_rounds
from pairhouse.server.watch.shoes import ceiling_warnings

TABLE = "nepal-super-baccarat"
BACCARAT = TABLES[TABLE]
LIMITS = table_limits(BACCARAT, 50_000, 1_000_000, waiting=200)
DECOYS = 40
SOON = WatchPolicy(
    warn=1e-2, lower=1e-3, close=1e-5
)  # sure enough for a test; the rates of the house: `make test-protect`


@pytest.fixture(autouse=True)
def same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Server seeds that are the same in every run."""
    numbers = count()
    monkeypatch.setattr(dealer, "new_seed", lambda: hashlib.sha256(f"watch {next(numbers)}".encode()).digest())


@pytest.fixture(params=DATABASES)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    opened = House(new_database(request.param, tmp_path))
    yield opened
    opened.close()


def at_table(house: House, guest: Guest, stakes: Mapping[str, int]) -> Shown:
    """A bet at a real table, as a counter sees it."""
    view = guest.bet(TABLE, [dict(stakes)], seed="count")
    assert view.log is not None
    ended = view.shoe is None or view.shoe.finished
    return Shown(parse(view.log.cards), view.net or 0, ended)


def counter(house: House, seed: int, limits: BetLimits = LIMITS) -> tuple[Guest, CountingBot]:
    guest = Guest(house, random.Random(seed))
    enrich(house, guest.id, 10**12)
    guest.sit(TABLE)
    return guest, CountingBot(BACCARAT, limits, partial(at_table, house, guest), greedy)


def watch(house: House, judge: Judge, mode: str) -> list[TakenStep]:
    """Look until all is read, and take the steps."""
    taken: list[TakenStep] = []
    while True:
        with house.database.reading() as tx:
            cursor = read_cursor(tx)
            look = judge.look(tx, cursor)
        found: Any = house.do(
            partial(save_look, seen=cursor.revision, read_to=look.read_to, rows=look.rows, found=look.found, mode=mode)
        )
        assert found is not None
        taken += found
        if not look.is_full:
            with house.database.reading() as tx:
                assert not has_new_rounds(tx, look.read_to)
            return taken


def records(house: House) -> dict[tuple[str, str, str], Record]:
    with house.database.reading() as tx:
        rows = highest_records(tx, 1_000)
    return {row.key: msgspec.msgpack.decode(row.record, type=Record) for row in rows}


@pytest.mark.parametrize(("policy", "most"), [(SOON, 10), pytest.param(WatchPolicy(), 20, marks=pytest.mark.slow)])
def test_a_counter_at_an_old_shoe_is_limited_within_a_few_shoes(policy: WatchPolicy, most: int, tmp_path: Path) -> None:
    """At the settings of before: 14 cards behind the cut card, 500.00 on all 34 wagers, no pace."""
    house = House(new_database("sqlite", tmp_path))
    deal_from_shoe(house)
    guest, bot = counter(house, 1)
    judge, taken, shoes = Judge(policy, DECOYS, seed=7), [], 0
    with pytest.raises(Refused, match=r"this table takes up to 1.00 on a wager from you"):  # noqa: PT012
        while shoes <= most:
            bot.play(84)
            shoes += 1
            taken += watch(house, judge, "limit")
    own = [step for step in taken if step.player == guest.id]
    assert [step.done for step in own][-1] == "player limited"
    assert {step.figures["why"] for step in own} <= {"counts", "wins"}
    assert own[-1].figures["follows_cards"] > 1 / policy.lower
    assert own[-1].figures["advantage"] > 0
    with house.database.reading() as tx:
        assert restriction_of(tx, guest.id, TABLE) == 100
    assert audited(house).difference is None
    house.do(lambda tx: lift_step(tx, "desk", own[-1].id))
    guest.bet(TABLE, [{"player": 50_000}])
    assert watch(house, judge, "limit") == []
    house.close()


@pytest.mark.slow
def test_a_table_loses_its_shoe_when_its_players_count_together(tmp_path: Path) -> None:
    """Each plays one shoe only, as a new guest: alone none of them is found, together they are."""
    house = House(new_database("sqlite", tmp_path))
    deal_from_shoe(house)
    judge, taken = Judge(decoys=DECOYS, seed=3), []
    for number in range(14):
        _, bot = counter(house, number)
        while not (bot.rounds > 10 and not bot.unseen):
            bot.play_round()
        taken += watch(house, judge, "limit")
        if any(step.done == "shoe ended" for step in taken):
            break
    ended = next(step for step in taken if step.done == "shoe ended")
    assert (ended.table, ended.player, ended.figures["why"]) == (TABLE, "", "counts")
    assert not any(step.done == "player limited" for step in taken)
    with house.database.reading() as tx:
        assert read_table(tx, TABLE).shuffle == "every-round"
    _, bot = counter(house, 99)
    bot.play(20)
    assert bot.bet_rounds == 0
    assert audited(house).difference is None
    house.close()


def test_a_shoe_that_was_left_early_is_judged_too(tmp_path: Path) -> None:
    """Asking for the seed ends a shoe, and is no way round the watch."""
    house = House(new_database("sqlite", tmp_path))
    deal_from_shoe(house)
    guest, bot = counter(house, 2)
    bot.play(70)
    guest.rotate(TABLE)
    watch(house, Judge(decoys=DECOYS, seed=3), "warn")
    counting = records(house)[TABLE, guest.id, ""].counting
    assert counting is not None
    assert (counting.shoes, counting.staked) == (1, bot.staked)
    assert counting.advantage == pytest.approx(bot.expected, rel=1e-9)
    assert counting.peak > 1
    house.close()


def test_bots_win_nothing_at_the_tables_of_a_new_house(tmp_path: Path) -> None:
    """A team of six, greedy and slow: no bet is ever worth more than 0, and the watch has nothing to say."""
    house = House(new_database("sqlite", tmp_path))
    judge = Judge(decoys=DECOYS, seed=3)
    team = [counter(house, number) for number in range(6)]
    for number, (_, bot) in enumerate(team):
        bot.choose = slow if number % 2 else greedy
        bot.play(60)
    assert sum(bot.bet_rounds for _, bot in team) == 0
    assert all(bot.expected < 0 for _, bot in team)
    assert sum(bot.staked for _, bot in team) == 6 * 60 * LIMITS.waiting
    assert watch(house, judge, "close") == []
    house.close()


def test_a_bot_that_will_not_believe_it_loses_what_the_prices_say(tmp_path: Path) -> None:
    """It counts on as if the cards did not come back: what it bets is worth less than nothing."""
    house = House(new_database("sqlite", tmp_path))
    guest, bot = counter(house, 4)

    def believed(stakes: Mapping[str, int]) -> Shown:
        shown, unseen = at_table(house, guest, stakes), Counter(bot.unseen)
        cards = list((Counter(shown.cards) & unseen).elements())
        return replace(shown, cards=cards, shoe_ended=len(bot.unseen) < 30)

    bot.bet = believed
    bot.play(150)
    assert bot.bet_rounds > 10
    watch(house, Judge(), "close")
    found = figures_of(records(house)[TABLE, guest.id, ""])
    assert (found["rounds"], found["staked"], found["net"]) == (150, bot.staked, bot.net)
    assert found["expected"] < 0
    assert abs(found["z"]) < 4
    assert found["wins_too_much"] < 10_000
    house.close()


def test_honest_rounds_of_every_game_are_weighed_once_and_cause_nothing(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where only the side bet is priced, as in an empty cache, it alone is weighed."""
    monkeypatch.setenv("PAIRHOUSE_CACHE", str(tmp_path / "no prices yet"))
    rng, tables = random.Random(5), (TABLE, "pair-v3-2")
    guests = [Guest(house, rng) for _ in range(3)]
    for guest in guests:
        enrich(house, guest.id)
        for table in tables:
            guest.sit(table)
    judge, rounds, net = Judge(), 0, 0
    for _ in range(4):
        for table in tables:
            for guest in guests:
                seats = [{"main": 1_000, "pair": 500}] if table == "pair-v3-2" else None
                view = guest.play(table, seats)
                rounds += 1
                net += (view.net or 0) if table == TABLE else 0
        assert watch(house, judge, "close") == []
        judge = Judge() if rounds < 10 else judge  # from the books once, from its cache once
    known = records(house)
    of_players = [record for (_, player, _), record in known.items() if player]
    assert sum(record.results.rounds for record in of_players) == rounds
    whole = [record for (_, player, wager), record in known.items() if not player and not wager]
    assert sum(record.results.rounds for record in whole) == rounds
    assert known[TABLE, "", ""].results.net == net
    assert known["pair-v3-2", "", ""].results.staked == 12 * 500
    wagers = [record for (table, _, wager), record in known.items() if wager and table == TABLE]
    assert sum(record.results.staked for record in wagers) == known[TABLE, "", ""].results.staked
    assert max(map(peak_of, known.values())) < 10_000
    assert audited(house).difference is None


def test_a_shoe_at_old_settings_is_warned_of_and_no_other_table(tmp_path: Path) -> None:
    house = House(new_database("sqlite", tmp_path))
    deal_from_shoe(house)
    with house.database.reading() as tx:
        (found,) = ceiling_warnings([read_table(tx, table) for table in table_ids(tx)], None)
    assert (found.table, found.cut_card, found.rounds_an_hour) == (TABLE, 14, 3_600)
    assert 300_000_00 < found.ceiling_an_hour < 600_000_00
    house.close()


def test_a_shared_shoe_is_warned_of_once_its_settings_are_changed(tmp_path: Path) -> None:
    """At its own settings it is held to the ceiling by a test; all bettors together are what counts."""
    house = House(new_database("sqlite", tmp_path))
    with house.database.reading() as tx:
        assert ceiling_warnings([read_table(tx, SHARED_SHOE.id)], None) == []
    limits = {"limits": {"total_maximum": {**SHARED_SHOE.total_maximum, "tie-on-0": 1_000_000}}}
    house.do(lambda tx: change_table(tx, "house", SHARED_SHOE.id, limits))
    with house.database.reading() as tx:
        (found,) = ceiling_warnings([read_table(tx, SHARED_SHOE.id)], None)
    assert (found.table, found.cut_card, found.rounds_an_hour) == (SHARED_SHOE.id, 260, 360)
    house.close()
