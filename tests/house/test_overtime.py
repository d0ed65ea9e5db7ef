"""Private rounds pay when a wager is decided, and end by their clock. [TCP-41] [PV3-19] [PV3-20] [BJ-32] [BPP-51]"""

import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from direct_house import DATABASES, Guest, audited, new_database
from pairhouse.house.bank import balance_of, player_account
from pairhouse.house.house import House
from pairhouse.house.overtime import DECIDE_MAX_MS, FINISHED, OPEN_MAX_MS, end_overdue, overdue_rounds
from pairhouse.rounds.round_view import RoundView

PAIR, WHOLE = "pair-v3-6", "blackjack-poker-pairs"


@pytest.fixture(scope="module", params=DATABASES)
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("overtime")
    opened = House(new_database(request.param, folder))
    yield opened
    assert audited(opened).difference is None
    opened.close()


def balance(house: House, guest: Guest) -> int:
    with house.database.reading() as tx:
        return balance_of(tx, player_account(guest.id))


def waiting_winner(guest: Guest) -> RoundView:
    """A round of PAIR that waits for a choice after the PAIR wager has won."""
    guest.sit(PAIR)
    while True:
        view = guest.bet(PAIR, [{"main": 200, "pair": 200}])
        if view.view.awaiting is not None and view.view.wagers[0]["pair"]["returned"]:
            return view
        while view.state == "open":
            view = guest.choose(view)


def test_pair_is_in_the_balance_before_the_hand_is_played(house: House) -> None:
    """[PV3-17]"""
    guest = Guest(house, random.Random(1))
    view = waiting_winner(guest)
    won = view.view.wagers[0]["pair"]["returned"]
    assert won
    assert view.balance == balance(house, guest)
    before = view.balance - won + 400
    house.do(lambda tx: house.pit.void(tx, "desk", view.id, "misdeal"))
    assert balance(house, guest) == before - 200 + won, "the main bet goes back, and what is decided stays"


def test_a_day_finishes_pair_and_a_month_cancels_the_game_of_its_own(house: House) -> None:
    """[PV3-18] [BPP-49]"""
    guest = Guest(house, random.Random(2))
    pair = waiting_winner(guest)
    guest.sit(WHOLE)
    whole = guest.bet(WHOLE, [{"main": 200, "pairs": 200}])
    while whole.view.awaiting is None:
        whole = guest.bet(WHOLE, [{"main": 200, "pairs": 200}])
    with house.database.reading() as tx:
        now = house.clock() + 1  # a millisecond after the last bet
        assert [each.id for each in overdue_rounds(tx, now)] == []
        assert [each.id for each in overdue_rounds(tx, now + DECIDE_MAX_MS)] == [pair.id]
        late = overdue_rounds(tx, now + OPEN_MAX_MS)
    assert {each.id: each.end == FINISHED for each in late} == {pair.id: True, whole.id: False}
    before = balance(house, guest)
    for each in late:
        house.do(partial(end_overdue, pit=house.pit, overdue=each))
    with house.database.reading() as tx:
        finished = house.pit.view(tx, pair.id, guest.id)
        cancelled = house.pit.view(tx, whole.id, guest.id)
    assert finished.state == "settled"
    assert finished.automatic == list(range(1, len(finished.choices) + 1))
    assert set(finished.choices) <= {"stand", "no-insurance"}
    assert (cancelled.state, cancelled.returned) == ("void", whole.staked)
    paid_before = pair.view.wagers[0]["pair"]["returned"] or 0
    assert balance(house, guest) == before + (finished.returned or 0) - paid_before + whole.staked
