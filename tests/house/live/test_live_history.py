"""Live rounds in history, statistics, reports and session totals, and known to the watch."""

import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest

from direct_house import DATABASES, Guest, new_books
from live_pit import BACCARAT, STAKES, TCP, Pit, Player, play_round, to_cards
from pairhouse.games.floor_plan import FLOOR_PLAN
from pairhouse.house.export import WHAT, rows_of
from pairhouse.house.history import Period as HistoryPeriod
from pairhouse.house.history import closed_rounds, past_rounds, totals_between
from pairhouse.house.reports.columns import ReportPeriod
from pairhouse.house.reports.round_lines import (
    large_win_lines,
    open_lines,
    player_lines,
    session_lines,
    table_lines,
    wager_lines,
)
from pairhouse.house.watch_log import WatchPosition
from pairhouse.server.pricing.hold import hold_report
from pairhouse.server.pricing.price_book import PriceBook
from pairhouse.server.reading.statistics import statistics_of
from pairhouse.server.watch.judge import Judge


@pytest.fixture(params=DATABASES)
def pit(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pit]:
    made = Pit(new_books(request.param, tmp_path))
    yield made
    made.house.close()


def test_history_and_statistics_have_live_rounds(pit: Pit) -> None:
    """Open, settled and void, between the rounds of one's own tables, with what each wager came to."""
    anna, bert = Player(pit, BACCARAT), Player(pit, BACCARAT)
    guest = Guest(pit.house, random.Random(4))
    guest.token, guest.id = anna.token, anna.id
    guest.sit("la-paire")
    own = guest.play("la-paire", [{"red": 200, "card-7": 200}])
    settled = play_round(pit, BACCARAT, anna, bert).round_id
    opened = pit.view(BACCARAT).round_id
    anna.bet({"banker": 600})
    history = partial(past_rounds, player_id=anna.id, game=None, table=None, before=None, limit=10)
    with pit.house.database.reading() as tx:
        found = history(tx)
        assert [one.id for one in found] == sorted((own.id, settled, opened), reverse=True)
        assert [one.id for one in history(tx, limit=1, before=found[0].id)] == [found[1].id]
        assert {one.id for one in history(tx, game="nepal-super-baccarat")} == {settled, opened}
        assert {one.id for one in history(tx, table="la-paire")} == {own.id}
        by_id = {one.id: one for one in found}
    assert by_id[own.id].live is msgspec.UNSET
    assert (by_id[opened].live, by_id[opened].state, by_id[opened].returned) == (True, "open", None)
    assert by_id[opened].wagers == [{"banker": {"stake": 600, "returned": None, "row": None}}]
    wagers = by_id[settled].wagers[0]
    assert set(wagers) == set(STAKES[BACCARAT])
    assert sum(bet["returned"] or 0 for bet in wagers.values()) == by_id[settled].returned
    pit.house.do(lambda tx: pit.floor.void(tx, "anna", BACCARAT, "malfunction"))
    with pit.house.database.reading() as tx:
        exported = {what: sum(len(page) for page in rows_of(tx, what)) for what in WHAT if what.startswith("live-")}
        line = next(one for one in history(tx) if one.id == opened)
        closed, is_all = closed_rounds(tx, anna.id, None, HistoryPeriod(), 10, 10)
        one_live, is_cut = closed_rounds(tx, anna.id, None, HistoryPeriod(), 10, 1)
        count, staked, returned = totals_between(tx, anna.id, 0)
    assert exported["live-rounds"] >= 2
    assert exported["live-slips"] == 3
    assert exported["live-entries"] > 6
    assert (line.state, line.returned, line.net) == ("void", 600, 0)
    assert (is_all, [one.state for one in closed if one.id == opened]) == (True, ["void"])
    assert (len(one_live), is_cut) == (2, False)
    sums = (len(closed), sum(one.staked for one in closed), sum(one.returned for one in closed))
    assert sums == (count, staked, returned)
    kept = statistics_of(closed[::-1], PriceBook(), is_all)  # the figures of both kinds together
    assert {game.game: game.rounds for game in kept.games} == {"la-paire": 1, "nepal-super-baccarat": 2}


def test_reports_totals_and_the_watch_know_live_rounds(pit: Pit) -> None:
    """What is played at a live table is in every report, in the totals of a session, and weighed by the watch."""
    anna, bert = Player(pit, TCP, 2), Player(pit, TCP, 5)
    had = {anna.id: anna.balance, bert.id: bert.balance}
    to_cards(pit, TCP, anna, bert)
    period = ReportPeriod(0, pit.clock.now + 1, -(10**9))
    with pit.house.database.reading() as tx:
        assert [line[3] for line in open_lines(tx, period)] == [TCP, TCP]
        assert hold_report(tx, PriceBook()).in_open_rounds == 3000
    anna.choose(0, "play")
    bert.choose(1, "fold")
    pit.tick(TCP)
    nets = {player.id: player.balance - had[player.id] for player in (anna, bert)}
    with pit.house.database.reading() as tx:
        assert not list(open_lines(tx, period))
        assert {line[0]: line[-1] for line in player_lines(tx, period)} == nets
        assert {line[0]: line[-1] for line in session_lines(tx, period)} == nets
        ((table, _, _, count, staked, returned, kept),) = table_lines(tx, period)
        assert (table, count, kept) == (TCP, 2, -sum(nets.values()))
        wagers = list(wager_lines(tx, period))
        assert (sum(line[3] for line in wagers), sum(line[4] for line in wagers)) == (staked, returned)
        hold = hold_report(tx, PriceBook())
        assert (sum(line.staked for line in hold.lines), sum(line.kept for line in hold.lines)) == (staked, kept)
        assert [(line.wager, line.rounds) for line in hold.lines] == [("ante", 2), ("pairplus", 2)]
        assert hold.in_open_rounds == 0
        assert {line[1]: line[-1] for line in large_win_lines(tx, period)} == nets
        for player in (anna, bert):
            rounds, put_in, got = totals_between(tx, player.id, 0)
            assert (rounds, got - put_in) == (1, nets[player.id])
        look = Judge().look(tx, WatchPosition(0, {}, 0))
    assert look.rounds == 1
    records = {row.player: msgspec.msgpack.decode(row.record) for row in look.rows if not row.wager}
    assert records.keys() == {"", anna.id, bert.id}


def test_the_watch_weighs_rounds_of_every_live_table(tmp_path: Path) -> None:
    """Of a house as it opens; plain blackjack has no wager that is counted, and must not end the watch of the others."""
    pit = Pit(new_books("sqlite", tmp_path))
    tables = [table.id for table in FLOOR_PLAN if table.clock is not None]
    for table in tables:
        to_cards(pit, table, Player(pit, table))
        while pit.has_bets(table):
            pit.tick(table, 60_000)
    with pit.house.database.reading() as tx:
        look = Judge().look(tx, WatchPosition(0, {}, 0))
    assert look.rounds == len(tables)
    assert {row.table for row in look.rows if row.player} >= set(tables) - {"live-blackjack"}
    pit.house.close()


def test_a_round_that_waited_for_a_player_counts_for_the_session(pit: Pit) -> None:
    """The table was open for bets an hour before they came; the time of a session begins when they do."""
    pit.tick(TCP)
    pit.clock.now += 3_600_000
    came = pit.clock.now
    anna = Player(pit, TCP)
    to_cards(pit, TCP, anna)
    with pit.house.database.reading() as tx:
        assert totals_between(tx, anna.id, came) == (0, 0, 0)
    anna.choose(0, "fold")
    pit.tick(TCP)
    staked = sum(STAKES[TCP].values())
    with pit.house.database.reading() as tx:
        rounds, put_in, _ = totals_between(tx, anna.id, came)
        assert (rounds, put_in) == (1, staked)
        assert totals_between(tx, anna.id, pit.clock.now + 1) == (0, 0, 0)
