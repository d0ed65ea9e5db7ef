"""A house whose clock is set forward or back while a round is on: it is late or early, and nothing else is wrong."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from direct_house import DATABASES, new_books
from live_pit import TCP, Pit, Player, audited_pit
from pairhouse.core.errors import Refused
from pairhouse.rounds.live_round import BETTING, CLOSED, PLAYING, SEEDS

HOUR = 3_600_000


@pytest.fixture(params=DATABASES)
def pit(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pit]:
    with audited_pit(new_books(request.param, tmp_path)) as pit:
        yield pit


def to_phase(pit: Pit, phase: str, *players: Player) -> None:
    """Play a round until the table is at this phase."""
    pit.tick(TCP)
    for player in players:
        player.bet({"ante": 1000})
    if phase == BETTING:
        return
    for player in players:
        player.ready()
    pit.tick(TCP)
    if phase == SEEDS:
        return
    for player in players:
        player.open_seed()
    pit.tick(TCP)
    if phase == CLOSED:
        for number, player in enumerate(players):
            player.choose(number, "fold")
        pit.tick(TCP)


@pytest.mark.parametrize("jump", [HOUR, -HOUR], ids=["forward", "back"])
@pytest.mark.parametrize("phase", [BETTING, SEEDS, PLAYING, CLOSED])
def test_a_round_outlives_a_clock_that_jumps(pit: Pit, phase: str, jump: int) -> None:
    """Set forward, who has not decided is decided for. Set back, people play on, and a supervisor may call it off."""
    anna, bert = Player(pit, TCP, 1), Player(pit, TCP, 2)
    had = anna.balance + bert.balance
    to_phase(pit, phase, anna, bert)
    assert pit.view(TCP).phase == phase
    first = pit.view(TCP).round_id
    pit.tick(TCP, jump)
    if jump > 0:
        for _ in range(6):
            pit.tick(TCP, 30_000)
        assert pit.view(TCP).round_id != first
        assert had - (anna.balance + bert.balance) in (0, 2000)
    elif phase == CLOSED:
        assert pit.view(TCP).round_id != first, "the next round is open at once"
    else:
        play_on(pit, phase, anna, bert)
        assert (pit.view(TCP).round_id, pit.view(TCP).phase) == (first, CLOSED)
        assert anna.balance + bert.balance == had - 2000
    assert not pit.has_bets(TCP)


def play_on(pit: Pit, phase: str, *players: Player) -> None:
    """People do what the phase asks of them; nobody has to wait for the clock."""
    if phase == BETTING:
        for player in players:
            player.ready()
        pit.tick(TCP)
    if phase in (BETTING, SEEDS):
        for player in players:
            player.open_seed()
        pit.tick(TCP)
    for number, player in enumerate(players):
        player.choose(number, "fold")
    pit.tick(TCP)


@pytest.mark.parametrize("phase", [BETTING, SEEDS, PLAYING])
def test_a_round_that_waits_for_a_clock_set_back_is_called_off(pit: Pit, phase: str) -> None:
    anna, bert = Player(pit, TCP, 1), Player(pit, TCP, 2)
    had = anna.balance, bert.balance
    to_phase(pit, phase, anna, bert)
    pit.tick(TCP, -HOUR)
    pit.house.do(lambda tx: pit.floor.void(tx, "supervisor", TCP, "malfunction"))
    assert (anna.balance, bert.balance) == had
    with pytest.raises(Refused, match="the round is closed"):
        pit.house.do(lambda tx: pit.floor.void(tx, "supervisor", TCP, "malfunction"))
    pit.tick(TCP, 10_000)
    anna.bet({"ante": 1000})
    assert pit.has_bets(TCP)
