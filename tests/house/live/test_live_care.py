"""Limits and exclusions at live tables: what is staked there counts, and whoever is away bets nowhere."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from direct_house import DATABASES, audited, new_books
from live_pit import BACCARAT, TCP, Pit, Player, to_cards
from pairhouse.core.errors import Refused
from pairhouse.house.care.changes import AnyCareChange, ExcludeSelf, SetLimit, change_care
from pairhouse.house.care.policy import NO_POLICY
from pairhouse.house.care.records import counters_from_books, read_care
from pairhouse.house.live.acts import LiveBet
from pairhouse.house.live.crowd_acts import CrowdActs, SessionAct
from pairhouse.house.restrictions import restrict
from pairhouse.house.store.writer import Batched
from pairhouse.rounds.live_round import PLAYING
from pairhouse.rounds.shared_seeds import seed_commitment


@pytest.fixture(params=DATABASES)
def pit(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pit]:
    made = Pit(new_books(request.param, tmp_path))
    yield made
    assert audited(made.house).clean
    made.house.close()


def change(pit: Pit, player: Player, what: AnyCareChange) -> None:
    pit.house.do(partial(change_care, policy=NO_POLICY, player_id=player.id, change=what))


def spent(pit: Pit, player: Player) -> tuple[int, int]:
    with pit.house.database.reading() as tx:
        kept, counted = read_care(tx, player.id).counters, counters_from_books(tx, player.id, pit.clock.now)
    assert (kept.day.stake, kept.day.loss) == (counted.day.stake, counted.day.loss)
    return kept.day.stake, kept.day.loss


def test_a_bet_counts_as_it_stands_when_it_is_raised_lowered_and_taken_back(pit: Pit) -> None:
    anna = Player(pit, BACCARAT)
    change(pit, anna, SetLimit("loss", "day", 2_000))
    pit.tick(BACCARAT)
    for stake in (1_000, 2_000, 600):
        anna.bet({"player": stake})
        assert spent(pit, anna) == (stake, stake)
    had = anna.balance
    with pytest.raises(Refused) as refused:
        anna.bet({"player": 2_200})
    assert refused.value.code == "loss-limit"
    assert anna.balance == had
    anna.bet({})
    assert spent(pit, anna) == (0, 0)


def test_what_a_live_round_pays_counts(pit: Pit) -> None:
    anna = Player(pit, TCP, 2)
    change(pit, anna, SetLimit("loss", "day", 900_000))
    had = anna.balance
    to_cards(pit, TCP, anna)
    anna.choose(0, "play")
    pit.tick(TCP)
    assert spent(pit, anna) == (2_500, had - anna.balance)


def test_losses_at_live_tables_stop_at_the_limit(pit: Pit) -> None:
    anna = Player(pit, TCP, 2)
    change(pit, anna, SetLimit("loss", "day", 6_000))
    had, code = anna.balance, ""
    for _ in range(60):
        try:
            to_cards(pit, TCP, anna)
        except Refused as refused:
            code = refused.code
            break
        while pit.view(TCP).phase == PLAYING:  # folds when the time is over
            pit.tick(TCP, 60_000)
        pit.tick(TCP, 10_000)
        assert anna.balance >= had - 6_000
    assert code == "loss-limit"


@pytest.mark.parametrize("cut", ["before the bet", "before the cards", "before the end"])
def test_a_round_over_midnight_leaves_the_books_clean(pit: Pit, cut: str) -> None:
    """Stakes and payments count on the day they are made, whenever the round was opened."""
    day_ms = 24 * 60 * 60_000
    pit.clock.now = (pit.clock.now // day_ms + 1) * day_ms - 2_000
    anna = Player(pit, TCP, 2)
    change(pit, anna, SetLimit("loss", "day", 900_000))
    pit.tick(TCP)
    pit.clock.now += 3_000 if cut == "before the bet" else 0
    anna.bet()
    anna.ready()
    pit.clock.now += 3_000 if cut == "before the cards" else 0
    pit.tick(TCP)
    anna.open_seed()
    pit.tick(TCP)
    pit.clock.now += 3_000 if cut == "before the end" else 0
    anna.choose(0, "play")
    pit.tick(TCP)
    report = audited(pit.house)
    assert report.clean, report.difference


@pytest.mark.parametrize("dealt", [True, False])
def test_a_void_round_was_staked_and_is_not_lost(pit: Pit, dealt: bool) -> None:
    anna = Player(pit, TCP, 2)
    change(pit, anna, SetLimit("loss", "day", 900_000))
    if dealt:
        to_cards(pit, TCP, anna)
    else:
        pit.tick(TCP)
        anna.bet()
    pit.house.do(lambda tx: pit.floor.void(tx, "anna", TCP, "malfunction"))
    assert spent(pit, anna) == (1_500, 0)
    report = audited(pit.house)
    assert report.clean, report.difference


def test_whoever_is_excluded_finishes_the_round_and_bets_no_more(pit: Pit) -> None:
    anna = Player(pit, TCP, 2)
    to_cards(pit, TCP, anna)
    change(pit, anna, ExcludeSelf(6))
    anna.choose(0, "play")
    pit.tick(TCP)
    pit.tick(TCP, 60_000)
    with pytest.raises(Refused) as refused:
        anna.bet()
    assert refused.value.code == "self-excluded"


def test_what_the_house_lowered_for_one_player_holds_at_a_live_table(pit: Pit) -> None:
    """One by one and in groups: neither a bet nor a raised one goes above it; others bet as they like."""
    crowd = CrowdActs(pit.floor, "one")
    for table, stakes in ((BACCARAT, {"player": 1_000}), (TCP, {"ante": 1_000})):
        anna, bert = Player(pit, table), Player(pit, table)
        pit.tick(table)
        pit.house.do(partial(restrict, by="watch", player_id=anna.id, table_id=table, maximum=600))
        high = LiveBet(**anna.act(stakes=stakes, seed=seed_commitment(anna.secret)))
        for bet in (partial(anna.do, high), partial(pit.house.do, Batched(crowd.run, SessionAct(anna.token, high)))):
            with pytest.raises(Refused) as refused:
                bet()
            assert refused.value.code == "restricted"
        bert.bet(stakes)
        anna.bet(dict.fromkeys(stakes, 600))
        with pytest.raises(Refused, match=r"up to 6\.00"):
            anna.bet(dict.fromkeys(stakes, 700))
        pit.house.do(partial(restrict, by="desk", player_id=anna.id, table_id=table, maximum=None))
        anna.bet(stakes)
        pit.clear(table)
