"""Somebody who moves to another seat, and somebody who takes a seat that another has just left: each is their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from direct_house import DATABASES, new_books
from live_pit import BACCARAT, TCP, Pit, Player, audited_pit, to_cards
from pairhouse.house.live.acts import TakeSeat
from pairhouse.house.live.closed_rounds import live_round_record, own_live_round
from pairhouse.house.live.seating import seat_of
from pairhouse.rounds.live_round import CLOSED
from pairhouse.server.live.moment import read_moment


@pytest.fixture(params=DATABASES)
def pit(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pit]:
    with audited_pit(new_books(request.param, tmp_path)) as pit:
        yield pit


def seen_by(pit: Pit, player: Player) -> tuple[int | None, list[str | None]]:
    """The seat that a player's stream says is theirs, and the faces of the hands in it."""
    with pit.house.database.reading() as tx:
        moment = read_moment(pit.floor, tx, player.table)
        seat = moment.seat_of(player.id)
        if seat is None and not moment.knows_all_seats:
            seat = seat_of(tx, player.table, player.id)
        view = moment.view(seat)
    assert view is not None
    return view.seat, [card for hand in view.hands for card in hand.cards]


@pytest.mark.parametrize("ends", ["void", "closed"])
def test_who_sits_down_after_a_round_is_not_shown_the_cards_of_who_left(pit: Pit, ends: str) -> None:
    """A void round's seed is never opened, so its hands stay their owners': a seat is free when the next round opens."""
    anna, bert = Player(pit, TCP, 1), Player(pit, TCP, 2)
    to_cards(pit, TCP, anna, bert)
    own = [card for card in seen_by(pit, anna)[1] if card is not None]
    assert len(own) == 3
    if ends == "void":
        pit.house.do(lambda tx: pit.floor.void(tx, "anna", TCP, "misdeal", 4))
    else:
        anna.choose(0, "fold")
        bert.choose(1, "fold")
        pit.tick(TCP)
    assert pit.view(TCP).phase == CLOSED
    anna.leave()
    carl = Player(pit, TCP)
    assert carl.seat == 3
    assert not set(own) & set(seen_by(pit, carl)[1])
    assert set(own) <= set(seen_by(pit, anna)[1])
    pit.tick(TCP, 10_000)
    assert Player(pit, TCP).seat == 1


def test_a_bet_that_was_taken_back_is_nobodys_seat(pit: Pit) -> None:
    """Where any number bet: whoever sits there now has it, and who left is not shown another's bets as their own."""
    anna = Player(pit, BACCARAT)
    pit.tick(BACCARAT)
    anna.bet()
    anna.bet({})
    anna.leave()
    assert seen_by(pit, anna)[0] is None
    bert = Player(pit, BACCARAT)
    bert.bet({"banker": 1000})
    again = anna.do(TakeSeat(**anna.act(seat=None)))
    assert (bert.seat, again.seat) == (1, 2)
    assert (seen_by(pit, bert)[0], seen_by(pit, anna)[0]) == (1, 2)


def test_a_round_is_that_of_the_seat_one_has_moved_to(pit: Pit) -> None:
    """History, statistics and the record follow the bet that stands."""
    anna = Player(pit, TCP, 3)
    pit.tick(TCP)
    anna.bet({"ante": 1000})
    anna.bet({})
    anna.leave()
    anna.seat = anna.do(TakeSeat(**anna.act(seat=5))).seat or 0
    to_cards(pit, TCP, anna)
    anna.choose(0, "play")
    pit.tick(TCP)
    round_id = pit.view(TCP).round_id
    with pit.house.database.reading() as tx:
        stakes, wagers = own_live_round(tx, round_id, anna.id)
        record = live_round_record(tx, round_id, anna.id)
        assert stakes == {"ante": 1000, "pairplus": 500}
        assert wagers is not None
        assert wagers["ante"]["stake"] == 1000
        assert record.mixed.seat == 5
