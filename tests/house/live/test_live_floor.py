"""Live tables in the books: people, money, the dealer and its lease, on both databases."""

import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import func, select

from direct_house import DATABASES, audited, new_books
from live_pit import BACCARAT, PAIR, SETTINGS, STAKES, TCP, Pit, Player, to_cards
from pairhouse.cli.books import clean_report
from pairhouse.core.errors import Refused
from pairhouse.house.audit import audit
from pairhouse.house.floor import change_table, read_table
from pairhouse.house.live.acts import LeaveSeat, LiveBet, TakeSeat
from pairhouse.house.live.dealer_lease import LEASE_MS
from pairhouse.house.live.seating import seated_at
from pairhouse.house.store.database import Database
from pairhouse.house.store.live_schema import live_rounds, live_slips
from pairhouse.house.store.schema import transfers
from pairhouse.rounds.live_round import BETTING, CLOSED, PLAYING, SEEDS
from pairhouse.rounds.shared_seeds import seed_commitment

_OPTIONS = select(live_rounds.c.options).order_by(live_rounds.c.id)
_TRANSFERS = select(transfers.c.debit, transfers.c.credit, transfers.c.amount)


@pytest.fixture(params=DATABASES)
def pit(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pit]:
    made = Pit(new_books(request.param, tmp_path))
    yield made
    made.house.close()


def test_two_people_play_a_round_and_the_money_is_right(pit: Pit) -> None:
    """One plays, one folds; both are paid or lose what the rules say, and nothing is held when the round is over."""
    anna, bert = Player(pit, TCP, 2), Player(pit, TCP, 5)
    before = anna.balance, bert.balance
    to_cards(pit, TCP, anna, bert)
    view = pit.view(TCP, 2)
    assert view.turn is not None
    assert view.turn.options == ["play", "fold"]
    anna.choose(0, "play")
    bert.choose(1, "fold")
    pit.tick(TCP)
    closed = pit.view(TCP)
    assert closed.phase == CLOSED
    assert closed.server_seed is not None
    for player, had, place in ((anna, before[0], 0), (bert, before[1], 1)):
        result = closed.seats[place].result
        assert result is not None
        staked = sum(bet["stake"] for bet in result.values())
        returned = sum(bet["returned"] or 0 for bet in result.values())
        assert player.balance == had - staked + returned
    with pit.house.database.reading() as tx:
        assert tx.value(select(func.sum(live_slips.c.staked - live_slips.c.decided)), {}) == 0


def test_pairs_winner_has_the_money_before_the_hand_is_played(pit: Pit) -> None:
    """[PV3-17] [PV3-20] Ruling 39: what the side bet wins is in the balance while the hand is still open."""
    anna = Player(pit, PAIR)
    for _ in range(40):
        before = anna.balance
        to_cards(pit, PAIR, anna)
        view = pit.view(PAIR, anna.seat)
        pair = (view.seats[0].result or {})["pair"]
        if view.turn is not None and pair["returned"]:
            assert anna.balance == before - 1500 + pair["returned"]
            return
        while pit.view(PAIR).phase == PLAYING:
            pit.tick(PAIR, 60_000)
        pit.tick(PAIR, 10_000)
    pytest.fail("no pair in forty rounds")


def test_bets_are_raised_lowered_and_taken_back(pit: Pit) -> None:
    anna = Player(pit, BACCARAT)
    pit.tick(BACCARAT)
    had = anna.balance
    assert anna.bet({"player": 1000}).balance == had - 1000
    assert anna.bet({"player": 5000, "tie": 300}).balance == had - 5300
    assert anna.bet({"banker": 200}).balance == had - 200
    assert anna.bet({}).balance == had
    with pytest.raises(Refused, match="is not possible at this table"):
        anna.bet({"player": 10**9})
    assert anna.balance == had


@pytest.mark.parametrize("table", [TCP, BACCARAT])
def test_who_leaves_twice_is_told_the_same_twice(pit: Pit, table: str) -> None:
    """With the same key and with another, at a table with seats and where any number may bet."""
    anna, bert = Player(pit, table), Player(pit, table)
    pit.tick(table)
    leave = LeaveSeat(**anna.act())
    first = anna.do(leave)
    assert first.seat is None
    assert anna.do(leave) == first
    assert anna.do(LeaveSeat(**anna.act())) == first
    with pit.house.database.reading() as tx:
        assert [each.player_id for each in seated_at(tx, table)] == [bert.id]


def test_a_request_that_comes_twice_is_done_once(pit: Pit) -> None:
    anna = Player(pit, TCP)
    pit.tick(TCP)
    had = anna.balance
    first = anna.bet(key="the-same-key")
    assert anna.bet(key="the-same-key") == first
    assert anna.balance == had - 1500
    with pytest.raises(Refused, match="used for another request"):
        anna.bet({"ante": 2000}, key="the-same-key")


def test_leaving_never_withdraws_and_the_seat_is_kept(pit: Pit) -> None:
    """[TCP-8] [TCP-41] Rulings 37 and 38: who goes loses what the rules take, and the seat is free only when the round is over."""
    anna = Player(pit, TCP, 3)
    had = anna.balance
    to_cards(pit, TCP, anna)
    anna.leave()
    with pytest.raises(Refused, match="somebody sits in seat 3"):
        Player(pit, TCP, 3)
    pit.tick(TCP, SETTINGS[TCP].decision)
    assert pit.view(TCP).phase == PLAYING
    pit.tick(TCP, SETTINGS[TCP].grace)
    view = pit.view(TCP)
    assert view.phase == CLOSED
    assert view.automatic == [1]
    result = view.seats[0].result
    assert result is not None
    assert result["ante"] == {"stake": 1000, "returned": 0, "row": "folded"}
    assert anna.balance == had - 1500 + (result["pairplus"]["returned"] or 0)
    pit.tick(TCP, SETTINGS[TCP].pause)
    assert Player(pit, TCP, 3).seat == 3


@pytest.mark.parametrize("table", [TCP, PAIR])
def test_a_full_table_and_one_seat_each(pit: Pit, table: str) -> None:
    """[TCP-6] [TCP-7] [PV3-5] Seven seats, one for each player."""
    players = [Player(pit, table) for _ in range(7)]
    assert [player.seat for player in players] == [1, 2, 3, 4, 5, 6, 7]
    assert players[0].do(TakeSeat(**players[0].act(seat=4))).seat == 1
    with pytest.raises(Refused, match="all 7 seats of this table are taken"):
        Player(pit, table)


def test_a_misdeal_gives_back_what_is_not_decided(pit: Pit) -> None:
    """[TCP-38] [TCP-43] The supervisor names the number of cards."""
    anna, bert = Player(pit, TCP), Player(pit, TCP)
    had = anna.balance, bert.balance
    to_cards(pit, TCP, anna, bert)
    pit.house.do(lambda tx: pit.floor.void(tx, "supervisor", TCP, "misdeal", 4))
    assert (anna.balance, bert.balance) == had
    view = pit.view(TCP)
    assert (view.phase, view.void) == (CLOSED, "misdeal")
    with pytest.raises(Refused, match="nothing is being asked"):
        anna.choose(0, "play")


def test_a_dealer_who_comes_back_late_may_do_nothing(pit: Pit) -> None:
    """The lease runs out, another dealer takes the table, and the first is refused by the number."""
    pit.tick(TCP, dealer="one")
    assert not pit.lead(TCP, "two")
    pit.clock.now += LEASE_MS
    assert pit.lead(TCP, "two")
    old = pit.fences[TCP, "one"]
    with pytest.raises(Refused, match="another dealer"):
        pit.house.do(lambda tx: pit.floor.deal_on(tx, TCP, "one", old))
    assert not pit.lead(TCP, "one")
    pit.house.do(lambda tx: pit.floor.deal_on(tx, TCP, "two", pit.fences[TCP, "two"]))


@pytest.mark.parametrize("table", [TCP, PAIR, BACCARAT])
def test_a_crowd_at_random_moments_loses_no_cent(pit: Pit, table: str) -> None:
    """Whatever people try: the money is conserved, and every round is settled as its replay says."""
    rng = random.Random(7)
    crowd = [Player(pit, table) for _ in range(4)]
    pit.tick(table)
    began = sum(player.balance for player in crowd)
    for _ in range(60):
        player = rng.choice(crowd)
        view = pit.view(table, player.seat)
        with suppress(Refused):
            if view.phase == BETTING:
                player.bet(STAKES[table] if rng.random() < 0.8 else {})
                if rng.random() < 0.7:
                    player.ready()
            elif view.phase == SEEDS:
                if rng.random() < 0.8:
                    player.open_seed()
            elif view.turn is not None:
                player.choose(view.turn.number, rng.choice(["play", "fold", "stand", "hit", "double", "no-insurance"]))
        pit.tick(table, rng.choice([0, 500, 4_000, 30_000]))
    for _ in range(40):
        pit.tick(table, 30_000)
    with pit.house.database.reading() as tx:
        accounts: Counter[str] = Counter()
        for debit, credit, amount in tx.all(_TRANSFERS, {}):
            accounts[debit] -= amount
            accounts[credit] += amount
    assert sum(accounts.values()) == 0
    assert accounts["held"] == 0
    assert sum(player.balance for player in crowd) == began - accounts["house"]
    found = audited(pit.house)
    assert found.clean, found.difference


def test_nothing_is_called_off_before_the_first_round(pit: Pit) -> None:
    with pytest.raises(Refused, match="no round has been opened"):
        pit.house.do(partial(pit.floor.void, by="anna", table_id=TCP, reason="malfunction"))


TAMPERINGS = {
    "a bet made smaller": "UPDATE live_entries SET body = replace(body, '1000', '1200') WHERE number = 2",
    "a payment made larger": "UPDATE transfers SET amount = amount + 100 WHERE kind = 'take'",
    "an entry taken out": "DELETE FROM live_entries WHERE number = 4",
    "a slip that returns more": "UPDATE live_slips SET returned = returned + 500",
    "a round of another state": "UPDATE live_rounds SET state = 'void' WHERE state = 'settled'",
    "another seed committed to": f"UPDATE live_rounds SET commitment = '{'a' * 64}'",
    "a seat given to another": "UPDATE live_seats SET player_id = 'somebody' WHERE seat = 2",
    "the newest entry forgotten": "UPDATE live_tables SET number = number - 1 WHERE number > 0",
    "another clock": "UPDATE live_tables SET settings = replace(settings, '20000', '90000')",
    "a round taken out": "DELETE FROM live_rounds",
}


def test_whatever_is_changed_behind_the_house_is_found(tmp_path: Path) -> None:
    file = tmp_path / "live.db"
    pit = Pit(f"sqlite:///{file}")
    anna, bert = Player(pit, TCP, 2), Player(pit, TCP, 5)
    to_cards(pit, TCP, anna, bert)
    anna.choose(0, "play")
    bert.choose(1, "play")
    pit.tick(TCP)
    found = audited(pit.house)
    assert (found.clean, found.live_rounds) == (True, 1)
    assert "1 rounds of live tables with 2 slips" in clean_report(found)
    pit.house.close()
    content = file.read_bytes()
    for name, statement in TAMPERINGS.items():
        file.write_bytes(content)
        with sqlite3.connect(file) as books:
            assert books.execute(statement).rowcount, name
        books.close()
        with Database(f"sqlite:///{file}").reading() as tx:
            assert not audit(tx, pit.house.vault).clean, name


def test_options_are_switched_between_rounds(pit: Pit) -> None:
    """Not while a round is open; the round that is over is still shown as it was dealt."""
    anna = Player(pit, TCP, 2)
    change = partial(change_table, by="anna", table_id=TCP)
    options = {"options": {"pairplus": "40-30-5-4-1"}}
    to_cards(pit, TCP, anna)
    with pytest.raises(Refused, match="a round is open at this table"):
        pit.house.do(partial(change, change=options))
    pit.house.do(partial(change, change={"status": "closed"}))
    anna.choose(0, "fold")
    pit.tick(TCP)
    before = pit.view(TCP)
    assert before.phase == CLOSED
    pit.house.do(partial(change, change=options))
    assert pit.view(TCP) == before
    pit.house.do(partial(change, change={"status": "live"}))
    pit.tick(TCP, 60_000)
    to_cards(pit, TCP, anna)
    anna.choose(0, "fold")
    pit.tick(TCP)
    with pit.house.database.reading() as tx:
        dealt = [msgspec.json.decode(text)["pairplus"] for (text,) in tx.all(_OPTIONS, {})]
        named = read_table(tx, TCP).name
    assert dealt == ["40-30-6-3-1", "40-30-5-4-1"]
    assert named == "Three Card Poker, Pairplus 40-30-5-4-1"
    assert audited(pit.house).difference is None


def test_who_is_still_thinking_is_waited_for_where_any_number_bets(pit: Pit) -> None:
    """One says ready; the other one, who sits there too, has the time of the window. Who leaves is not waited for."""
    anna, bert = Player(pit, BACCARAT), Player(pit, BACCARAT)
    pit.tick(BACCARAT)
    anna.bet()
    anna.ready()
    pit.tick(BACCARAT)
    assert pit.view(BACCARAT).phase == BETTING
    bert.bet()
    pit.tick(BACCARAT)
    assert pit.view(BACCARAT).phase == BETTING
    bert.ready()
    pit.tick(BACCARAT)
    assert pit.view(BACCARAT).phase == SEEDS
    for player in (anna, bert):
        player.open_seed()
    pit.tick(BACCARAT)
    bert.leave()
    pit.tick(BACCARAT, 60_000)
    anna.bet()
    anna.ready()
    pit.tick(BACCARAT)
    assert pit.view(BACCARAT).phase == SEEDS


def test_who_leaves_after_a_misdeal_moves_no_money(pit: Pit) -> None:
    """The books tell of it after the round is void, and the audit does not settle that round again."""
    anna, bert = Player(pit, PAIR), Player(pit, PAIR)
    while True:
        to_cards(pit, PAIR, anna, bert)
        if pit.view(PAIR).phase == PLAYING:
            break
        pit.tick(PAIR, 10_000)
    pit.house.do(lambda tx: pit.floor.void(tx, "supervisor", PAIR, "misdeal", 4))
    bert.leave()
    report = audited(pit.house)
    assert report.clean, report.difference


@pytest.mark.parametrize("table", [TCP, BACCARAT])
def test_nobody_waits_for_who_went_without_a_word(pit: Pit, table: str) -> None:
    """[TCP-8] Who did nothing for three minutes has left when the next round opens; who is awake, or has bet, has not."""
    pit.tick(table)
    anna, bert = Player(pit, table), Player(pit, table)
    bert.bet()
    bert.do(LiveBet(**bert.act(stakes={}, seed=seed_commitment("x"))))  # and then the line is lost

    def play() -> None:
        anna.bet()
        anna.ready()
        pit.tick(table, 25_000)
        anna.open_seed()
        pit.tick(table)
        if pit.view(table).phase == PLAYING:
            anna.choose(0, "fold")
            pit.tick(table)
        pit.tick(table, 60_000)

    for seats in (2, 2, 1):
        play()
        with pit.house.database.reading() as tx:
            assert len(seated_at(tx, table)) == seats
    anna.bet()
    anna.ready()
    pit.tick(table)
    assert pit.view(table).phase == SEEDS, "she waits for nobody now"
    assert audited(pit.house).difference is None


def test_a_seat_of_who_went_is_free_at_a_quiet_table(pit: Pit) -> None:
    """All seven seats are taken, and no round is played: after three minutes a newcomer gets one, not one with a bet."""
    pit.tick(TCP)
    seated = [Player(pit, TCP) for _ in range(7)]
    with pytest.raises(Refused, match="all 7 seats"):
        Player(pit, TCP)
    pit.clock.now += 181_000
    seated[0].bet()
    with pytest.raises(Refused, match="seat 1"):
        Player(pit, TCP, 1)
    assert Player(pit, TCP).seat == 2
    assert Player(pit, TCP, 7).seat == 7
    assert audited(pit.house).difference is None
