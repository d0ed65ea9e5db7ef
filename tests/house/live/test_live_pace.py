"""Tables paced by hand: a supervisor closes the betting and turns the cards, and each card pays what it decides."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from direct_house import DATABASES, audited, new_books
from live_pit import BACCARAT, PAIRE, TCP, Pit, Player
from pairhouse.core.errors import Refused
from pairhouse.house.pit_acts import do_pit_act
from pairhouse.house.pit_orders import PitAct, PitActDone
from pairhouse.house.staff import Member
from pairhouse.rounds.live_pace import HAND_MS
from pairhouse.rounds.live_round import BETTING, CLOSED, PLAYING, SEEDS, LiveSettings
from pairhouse.rounds.live_view import LiveView

CARLA = Member("staff-1", "carla", "supervisor")


def act(pit: Pit, name: str, table: str, **more: str | int) -> PitActDone:
    wanted = PitAct(act=name, table=table, reason="as the evening goes", **more)  # type: ignore[arg-type]
    done: PitActDone = pit.house.do(lambda tx: do_pit_act(tx, pit.house.pit, pit.floor, CARLA, wanted))
    pit.tick(table)
    return done


@pytest.fixture(params=DATABASES)
def pit(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pit]:
    made = Pit(new_books(request.param, tmp_path))
    settings = LiveSettings(seats=None)
    made.house.do(partial(made.floor.make_live, by="carla", table_id=PAIRE, settings=settings))
    for table in (PAIRE, BACCARAT, TCP):
        act(made, "set-pace", table, pace="hand")
    yield made
    report = audited(made.house)
    assert report.clean, report.difference
    made.house.close()


def faces(view: LiveView) -> list[str | None]:
    return [card for hand in view.hands for card in hand.cards]


def results(view: LiveView) -> dict[str, int | None]:
    return {name: bet["returned"] for name, bet in (view.seats[0].result or {}).items()}


def to_deal(pit: Pit, table: str, *players: Player) -> None:
    """Everybody is ready, and nothing happens until the supervisor says so."""
    pit.tick(table)
    for player in players:
        player.bet()
        player.ready()
    pit.tick(table, 120_000)
    assert pit.view(table).phase == BETTING
    act(pit, "close-betting", table)
    assert pit.view(table).phase == SEEDS
    for player in players:
        player.open_seed()
    pit.tick(table)
    assert pit.view(table).phase == PLAYING


def test_three_turns_of_la_paire_one_by_one(pit: Pit) -> None:
    """[LP-20] [LP-21] [LP-45] Face down at first; each card is paid before the next is turned."""
    anna, bert = Player(pit, PAIRE), Player(pit, PAIRE)
    to_deal(pit, PAIRE, anna, bert)
    had = anna.balance
    assert faces(pit.view(PAIRE)) == [None, None, None]
    assert results(pit.view(PAIRE)) == {"card-7": None, "red": None, "any-paire": None, "poker": None}
    decided: list[set[str]] = []
    for number in (1, 2, 3):
        act(pit, "next-card", PAIRE)
        view = pit.view(PAIRE)
        assert sum(card is not None for card in faces(view)) == number
        decided.append({name for name, returned in results(view).items() if returned is not None})
        assert anna.balance == had + sum(returned or 0 for returned in results(view).values())
    assert decided == [{"card-7", "red"}, {"card-7", "red", "any-paire"}, {"card-7", "red", "any-paire", "poker"}]
    assert pit.view(PAIRE).phase == CLOSED
    with pytest.raises(Refused, match="no card waits"):
        act(pit, "next-card", PAIRE)


def test_a_coup_is_turned_card_by_card(pit: Pit) -> None:
    """[NSB-14] [NSB-43] Nobody sees a card before it is turned, a late reader included."""
    anna = Player(pit, BACCARAT)
    to_deal(pit, BACCARAT, anna)
    assert faces(pit.view(BACCARAT)) == []
    for number in range(1, 7):
        act(pit, "next-card", BACCARAT)
        if pit.view(BACCARAT).phase == CLOSED:
            break
        assert len(faces(pit.view(BACCARAT))) == number
        assert results(pit.view(BACCARAT)) == {"player": None, "tie": None}
    assert pit.view(BACCARAT).phase == CLOSED
    assert number == len(faces(pit.view(BACCARAT))) >= 4


def test_what_is_turned_stays_decided_when_the_rest_is_void(pit: Pit) -> None:
    """[LP-41] [LP-46] Ruling 39: the first card was paid; what it did not decide goes back."""
    anna = Player(pit, PAIRE)
    had = anna.balance
    to_deal(pit, PAIRE, anna)
    act(pit, "next-card", PAIRE)
    first = results(pit.view(PAIRE))
    act(pit, "void-table", PAIRE, cause="malfunction")
    won = sum(returned or 0 for name, returned in first.items() if name in ("card-7", "red"))
    assert anna.balance == had - 1500 + won


def test_if_nobody_comes_the_clock_goes_on(pit: Pit) -> None:
    """No stake is held for ever because a supervisor went home."""
    anna = Player(pit, PAIRE)
    to_deal(pit, PAIRE, anna)
    for number in (1, 2):
        assert pit.tick(PAIRE, HAND_MS - 1) == pit.clock.now + 1
        pit.tick(PAIRE, 1)
        assert sum(card is not None for card in faces(pit.view(PAIRE))) == number
    pit.tick(PAIRE, HAND_MS)
    assert pit.view(PAIRE).phase == CLOSED
    pit.tick(PAIRE, 10_000)
    anna.bet()
    pit.tick(PAIRE, HAND_MS)
    assert pit.view(PAIRE).phase == SEEDS


def test_where_players_decide_the_hand_closes_the_betting_alone(pit: Pit) -> None:
    """Their cards are theirs to see at once, and their time is the clock's."""
    anna = Player(pit, TCP, 1)
    to_deal(pit, TCP, anna)
    assert pit.view(TCP, 1).turn is not None
    with pytest.raises(Refused, match="no card waits"):
        act(pit, "next-card", TCP)
    anna.choose(0, "fold")
    pit.tick(TCP)
    assert pit.view(TCP).phase == CLOSED
    act(pit, "set-pace", TCP, pace="clock")
    with pytest.raises(Refused, match="paced by hand or clock"):
        act(pit, "set-pace", TCP, pace="whim")
    pit.tick(TCP, 10_000)
    anna.bet()
    anna.ready()
    pit.tick(TCP)
    assert pit.view(TCP).phase == SEEDS
