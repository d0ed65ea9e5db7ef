"""The order in which hands are asked, shown and settled at live tables, and cards that were exposed, game by game."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from direct_house import audited, new_books
from live_pit import BACCARAT, PAIR, PAIRE, TCP, Pit, Player, to_cards
from pairhouse.house.live.table_log import Signed, add_entry
from pairhouse.house.pit_acts import close_betting
from pairhouse.machines.events import Event
from pairhouse.rounds.live_entries import CardsDealt, ChoiceMade, SeedOpened
from pairhouse.rounds.live_round import CLOSED, PLAYING, LiveRound, LiveSettings

BLACKJACK = "live-blackjack"
ROUNDS_MAX = 200


@pytest.fixture(scope="module")
def pit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pit]:
    made = Pit(new_books("sqlite", tmp_path_factory.mktemp("order")))
    made.house.do(partial(made.floor.make_live, by="anna", table_id=PAIRE, settings=LiveSettings(seats=None)))
    yield made
    report = audited(made.house)
    assert report.clean, report.difference
    made.house.close()


@pytest.fixture(autouse=True)
def cleared(pit: Pit) -> Iterator[None]:
    """Every test begins with empty tables and rounds without bets."""
    yield
    for table in (TCP, PAIR, BACCARAT, PAIRE, BLACKJACK):
        pit.clear(table)


def told(pit: Pit, table: str) -> list[Event]:
    return pit.view(table).events


def finish(pit: Pit, table: str) -> None:
    while pit.view(table).phase == PLAYING:
        pit.tick(table, 60_000)


def expose(pit: Pit, table: str, card: int) -> None:
    pit.house.do(partial(pit.floor.expose, by="carla", table_id=table, card=card))


def test_the_showdown_comes_when_every_seat_has_chosen(pit: Pit) -> None:
    """[TCP-19] The dealer's cards and every hand still in play are turned up; a folded one is collected, and never."""
    players = {seat: Player(pit, TCP, seat) for seat in (1, 2, 5)}
    to_cards(pit, TCP, *players.values())
    players[1].choose(0, "play")
    players[2].choose(1, "fold")
    before = told(pit, TCP)
    assert not [event for event in before if event.kind == "turned-up"]
    assert {event.seat for event in before if event.kind == "settled"} == {2}
    players[5].choose(2, "play")
    pit.tick(TCP)
    after = told(pit, TCP)[len(before) :]
    assert {event.seat or event.at for event in after if event.kind == "turned-up"} == {1, 5, "dealer"}
    for seat in (1, 5):
        shown = max(
            place for place, event in enumerate(after) if event.kind == "turned-up" and event.seat in (seat, None)
        )
        settled = [place for place, event in enumerate(after) if event.kind == "settled" and event.seat == seat]
        assert min(settled) > shown
    seats = [event.seat or 0 for event in after if event.kind == "settled"]
    assert seats == sorted(seats)


def test_insurance_is_answered_seat_by_seat_and_then_the_seats_play(pit: Pit) -> None:
    """[BJ-9] [BJ-14] [BJ-28] All before the peek; then in order, and settled in order, hands from left to right."""
    players = {seat: Player(pit, BLACKJACK, seat) for seat in (2, 4, 7)}
    for _ in range(ROUNDS_MAX):
        to_cards(pit, BLACKJACK, *players.values())
        finish(pit, BLACKJACK)
        events = told(pit, BLACKJACK)
        chosen = [(place, event) for place, event in enumerate(events) if event.kind == "chosen"]
        answers = [event.seat for _, event in chosen if event.choice == "no-insurance"]
        turns = [event.seat for _, event in chosen if event.choice == "stand"]
        if answers and len(turns) == 3:  # an ace up, no blackjack anywhere
            break
        pit.tick(BLACKJACK, 10_000)
    assert answers == turns == [2, 4, 7]
    assert [event.seat for _, event in chosen] == [2, 4, 7, 2, 4, 7]
    settled = [event.seat for event in events if event.kind == "settled" and event.wager == "main"]
    assert settled == [2, 4, 7]


@pytest.mark.parametrize("table", [PAIR, BLACKJACK])
def test_the_dealers_hole_card_is_exposed_and_the_round_goes_on(pit: Pit, table: str) -> None:
    """[PV3-22] [BJ-34] Everybody sees it, one who comes late too; nobody saw it before."""
    anna = Player(pit, table, 3)
    for _ in range(ROUNDS_MAX):
        to_cards(pit, table, anna)
        if pit.view(table).phase == PLAYING:
            break
        pit.tick(table, 10_000)
    hole = [event for event in told(pit, table) if event.kind == "dealt"][3]
    assert (hole.at, hole.card) == ("dealer", None)
    expose(pit, table, 4)
    for seat in (None, 3, 6):
        view = pit.view(table, seat)
        assert [event.card is not None for event in view.events if event.kind == "dealt"] == [True] * 4
        assert (view.exposed, view.phase) == ([4], PLAYING)
    finish(pit, table)
    assert (pit.view(table).phase, pit.view(table).void) == (CLOSED, None)


@pytest.mark.parametrize("table", [BACCARAT, PAIRE])
def test_a_card_is_exposed_before_its_turn_and_pays_at_its_turn(pit: Pit, table: str) -> None:
    """[NSB-44] [LP-44] Paced by hand: what the card decides is decided when it is turned, not when it was seen."""
    pit.house.do(partial(pit.floor.set_pace, by="carla", table_id=table, by_hand=True))
    pit.tick(table)
    pit.house.do(lambda tx: pit.floor.end_empty_round(tx, "carla", table))
    pit.tick(table, 10_000)
    anna = Player(pit, table)
    anna.bet()
    pit.house.do(lambda tx: close_betting(tx, pit.floor, table))
    anna.open_seed()
    pit.tick(table)
    if table == BACCARAT:  # its cards are dealt face up, so the first one to be seen is one that was turned
        pit.house.do(partial(pit.floor.turn, by="carla", table_id=table))
    number = 1 if table == BACCARAT else 3
    expose(pit, table, number)
    view = pit.view(table)
    dealt = [event.card is not None for event in view.events if event.kind == "dealt"]
    assert (view.exposed, dealt) == ([number], [True] if table == BACCARAT else [False, False, True])
    assert {bet["returned"] for bet in (view.seats[0].result or {}).values()} == {None}
    while pit.view(table).phase == PLAYING:
        pit.house.do(partial(pit.floor.turn, by="carla", table_id=table))
        pit.tick(table)
    assert pit.view(table).void is None
    pit.house.do(partial(pit.floor.set_pace, by="carla", table_id=table, by_hand=False))


def late_bet(pit: Pit, anna: Player, bert: Player) -> None:
    to_seeds(pit, anna)
    bert.bet()


def impatient_deal(pit: Pit, anna: Player, bert: Player) -> None:
    bert.bet()
    to_seeds(pit, anna)
    deal = CardsDealt(at=pit.clock.now, decide_by=pit.clock.now + 1)
    pit.house.do(lambda tx: add_entry(tx, pit.floor.at_table(tx, TCP).table, deal))


def choice_in_time(pit: Pit, anna: Player, bert: Player) -> None:
    to_seeds(pit, anna)
    anna.open_seed()
    pit.tick(TCP)
    choice = ChoiceMade(at=pit.clock.now, seat=anna.seat, word="play", automatic=True, decide_by=pit.clock.now)
    pit.house.do(lambda tx: add_entry(tx, pit.floor.at_table(tx, TCP).table, choice))


def seed_of_another(pit: Pit, anna: Player, bert: Player) -> None:
    to_seeds(pit, anna)
    seed = SeedOpened(at=pit.clock.now, seat=anna.seat, seed=anna.secret)
    signed = Signed(bert.id, "another-key", "x", bert.balance)
    pit.house.do(lambda tx: add_entry(tx, pit.floor.at_table(tx, TCP).table, seed, (), signed))


def to_seeds(pit: Pit, anna: Player) -> None:
    anna.bet()
    pit.house.do(lambda tx: close_betting(tx, pit.floor, TCP))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (late_bet, "came when the round was at seeds"),
        (impatient_deal, "dealt before the seeds had their time"),
        (choice_in_time, "decided for somebody before the time was over"),
        (seed_of_another, "was made by somebody else than the player in that seat"),
    ],
)
def test_a_house_that_breaks_the_order_of_a_round_is_found(
    wrong: Callable[[Pit, Player, Player], None], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[TCP-12] [TCP-41] Sealed and paid as it was written: the audit finds it by the rules of the round alone."""
    pit = Pit(new_books("sqlite", tmp_path))
    pit.tick(TCP)
    anna, bert = Player(pit, TCP), Player(pit, TCP)
    monkeypatch.setattr(LiveRound, "_check_betting", lambda self, now: None)
    assert audited(pit.house).clean
    wrong(pit, anna, bert)
    report = audited(pit.house)
    assert says in str(report.difference)
    pit.house.close()


def test_a_fault_that_is_found_makes_an_open_round_void_at_any_moment(pit: Pit) -> None:
    """[TCP-44] [PV3-18] [BJ-31] [NSB-38] [LP-41] While bets are made, while seeds are opened, and with the cards out."""
    for table in (TCP, BLACKJACK, BACCARAT, PAIRE):
        for moment in ("bets", "seeds", "cards"):
            anna, bert = Player(pit, table), Player(pit, table)
            had = anna.balance, bert.balance
            pit.tick(table)
            for player in (anna, bert):
                player.bet()
                if moment != "bets":
                    player.ready()
            pit.tick(table)
            if moment == "cards":
                anna.open_seed()
                bert.open_seed()
                pit.tick(table)
            view = pit.view(table)
            results = [bet["returned"] for seat in view.seats for bet in (seat.result or {}).values()]
            if view.phase != CLOSED and set(results) <= {None}:  # what is decided stays: the laws look at that
                pit.house.do(partial(pit.floor.void, by="carla", table_id=table, reason="malfunction"))
                assert (anna.balance, bert.balance, pit.view(table).void) == (*had, "malfunction"), (table, moment)
            pit.clear(table)
