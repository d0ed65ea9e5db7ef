"""What the documents say of seats, betting time, dealing, exposure, misdeal and the order of settlement, at live tables.

One test for each sentence of the documents, game by game; what a player sees and what the books hold.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from direct_house import Guest, audited, new_books
from live_pit import BACCARAT, PAIR, PAIRE, SETTINGS, TCP, Pit, Player, play_round, to_cards
from pairhouse.core.errors import Refused
from pairhouse.house.corrections import correct_round
from pairhouse.house.live.acts import LiveBet, TakeSeat
from pairhouse.house.live.crowd_acts import CrowdActs, SessionAct
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.machines.events import Event
from pairhouse.rounds.live_round import BETTING, CLOSED, PLAYING, SEEDS, LiveSettings
from pairhouse.rounds.shared_seeds import seed_commitment

BLACKJACK = "live-blackjack"


@pytest.fixture(scope="module")
def pit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pit]:
    made = Pit(new_books("sqlite", tmp_path_factory.mktemp("rules")))
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


def events(pit: Pit, table: str, seat: int | None = None) -> list[Event]:
    return pit.view(table, seat).events


def refuse(what: str, act: Callable[[], Any]) -> None:
    with pytest.raises(Refused, match=what):
        act()


def close_betting(pit: Pit, table: str, *players: Player) -> None:
    pit.tick(table)
    for player in players:
        player.bet()
        player.ready()
    pit.tick(table)
    assert pit.view(table).phase == SEEDS


def finish(pit: Pit, table: str) -> None:
    while pit.view(table).phase == PLAYING:
        pit.tick(table, 60_000)


# Three Card Poker.


def test_who_takes_part_places_an_ante_before_the_first_card(pit: Pit) -> None:
    """[TCP-9] [TCP-10] [TCP-11] Pairplus needs one and may be larger."""
    anna = Player(pit, TCP)
    pit.tick(TCP)
    refuse("needs a wager on ante", lambda: anna.bet({"pairplus": 500}))
    anna.bet({"ante": 500, "pairplus": 2000})
    assert events(pit, TCP) == []


@pytest.mark.parametrize("table", [TCP, PAIR, BACCARAT, PAIRE, BLACKJACK])
def test_no_wager_changes_after_no_more_bets(pit: Pit, table: str) -> None:
    """[TCP-12] [PV3-4] [BJ-5] [NSB-11] [LP-15] Made, raised, lowered or withdrawn: all are refused then."""
    anna = Player(pit, table)
    close_betting(pit, table, anna)
    bert = Player(pit, table)
    assert pit.view(table).says == "No more bets."
    stakes = pit.view(table).seats[0].stakes
    opener = next(iter(stakes))
    refuse("no more bets", bert.bet)
    for change in ({**stakes, opener: stakes[opener] + 200}, {opener: 200}, {}):
        refuse("no more bets", partial(anna.bet, change))
    assert pit.view(table).seats[0].stakes == stakes


def test_one_position_for_each_seated_player(pit: Pit) -> None:
    """[TCP-7] [TCP-8] Only who sits may wager, and nobody has two positions."""
    anna = Player(pit, TCP, 3)
    pit.tick(TCP)
    anna.bet()
    anna.bet({"ante": 700})
    assert [(seat.seat, seat.stakes) for seat in pit.view(TCP).seats] == [(3, {"ante": 700})]
    bert = Player(pit, TCP, 4)
    bert.leave()
    refuse("take a seat at this table first", bert.bet)


def test_a_hand_at_one_table_and_no_second_at_another_of_the_game(pit: Pit) -> None:
    """[TCP-7] While a hand is open, no seat and no bet at another table of that game; another game is open to all."""
    other = "live-three-card-poker"
    anna = Player(pit, TCP)
    pit.tick(TCP)
    pit.tick(other)
    anna.table = other
    anna.do(TakeSeat(**anna.act(seat=None)))  # no hand is open yet
    anna.table = TCP
    anna.bet()
    anna.table = other
    refuse("hand at another table", anna.bet)
    anna.leave()
    refuse("hand at another table", lambda: anna.do(TakeSeat(**anna.act(seat=None))))
    anna.table = PAIR
    assert anna.do(TakeSeat(**anna.act(seat=None))).seat == 1
    anna.table = TCP
    anna.bet({})
    anna.table = other
    assert anna.do(TakeSeat(**anna.act(seat=None))).seat == 1
    for table in (other, PAIR, TCP):
        anna.table = table
        anna.leave()


def test_a_hand_of_ones_own_table_and_one_with_others_exclude_each_other(pit: Pit) -> None:
    """[TCP-7] Whichever is open first, alone or with others, is played to its end before the other begins."""
    private = "three-card-poker-progressive"  # a table of one's own; its game is that of the live one
    anna = Player(pit, TCP, 1)
    guest = Guest(pit.house, Random(1))
    guest.token, guest.id = anna.token, anna.id
    guest.sit(private)
    opened = guest.bet(private, [{"ante": 500}])
    pit.tick(TCP)
    refuse("hand at another table", anna.bet)
    guest.choose(opened, "fold")
    anna.bet()
    refuse("hand at another table", lambda: guest.bet(private, [{"ante": 500}]))
    anna.bet({})
    guest.choose(guest.bet(private, [{"ante": 500}]), "fold")


def test_who_has_cards_stays_seated_until_the_round_is_over(pit: Pit) -> None:
    """[TCP-8] [TCP-41] Leaving withdraws nothing; the hand is folded when the time is over, and the seat kept."""
    anna = Player(pit, TCP, 2)
    had = anna.balance
    to_cards(pit, TCP, anna)
    anna.leave()
    refuse("somebody sits in seat 2", lambda: Player(pit, TCP, 2))
    pit.tick(TCP, SETTINGS[TCP].decision + SETTINGS[TCP].grace)
    assert (pit.view(TCP).phase, pit.view(TCP).automatic, anna.balance) == (CLOSED, [1], had - 1500)


def test_three_cards_each_from_seat_one_upwards_then_the_dealer(pit: Pit) -> None:
    """[TCP-14] [TCP-42] And nobody sees another's, nor the dealer's, before the showdown. [TCP-15]"""
    players = {seat: Player(pit, TCP, seat) for seat in (7, 1, 4)}
    to_cards(pit, TCP, *players.values())
    dealt = [event.seat or event.at for event in events(pit, TCP) if event.kind == "dealt"]
    assert dealt == [1, 1, 1, 4, 4, 4, 7, 7, 7, "dealer", "dealer", "dealer"]
    for reader in (None, 1, 4, 7):
        seen = {event.seat for event in events(pit, TCP, reader) if event.kind == "dealt" and event.card is not None}
        assert seen == ({reader} if reader else set())


def test_play_equals_the_ante_and_a_fold_forfeits_both(pit: Pit) -> None:
    """[TCP-16] [TCP-17] [TCP-18] Asked in the order of the seats; nobody acts for another."""
    anna, bert = Player(pit, TCP, 1), Player(pit, TCP, 2)
    had = anna.balance, bert.balance
    to_cards(pit, TCP, anna, bert)
    refuse("it is the turn of seat 1", lambda: bert.choose(0, "play"))
    anna.choose(0, "play")
    assert anna.balance == had[0] - 1500 - 1000
    bert.choose(1, "fold")
    pit.tick(TCP)
    result = pit.view(TCP).seats[1].result or {}
    assert {name: bet["returned"] for name, bet in result.items()} == {"ante": 0, "pairplus": 0}
    assert bert.balance == had[1] - 1500


def test_a_wrong_number_of_cards_is_a_total_misdeal(pit: Pit) -> None:
    """[TCP-38] [TCP-43] [PV3-22] [BJ-34] [NSB-44] [LP-44] Called with the number; the whole table is void."""
    for table in (TCP, BLACKJACK, BACCARAT, PAIRE, PAIR):
        anna, bert = Player(pit, table), Player(pit, table)
        had = anna.balance, bert.balance
        close_betting(pit, table, anna, bert)
        pit.house.do(partial(pit.floor.void, by="carla", table_id=table, reason="misdeal", cards=4))
        assert (anna.balance, bert.balance, pit.view(table).void) == (*had, "misdeal")
        assert pit.last_entry(table).cards == 4
        pit.tick(table, 10_000)


def test_an_exposed_card_is_no_misdeal(pit: Pit) -> None:
    """[TCP-39] [TCP-43] It is public from then on, and the round goes on with it where it lies."""
    anna, bert = Player(pit, TCP, 1), Player(pit, TCP, 2)
    to_cards(pit, TCP, anna, bert)
    pit.house.do(partial(pit.floor.expose, by="carla", table_id=TCP, card=2))
    view = pit.view(TCP, 2)
    assert [event.card is not None for event in view.events if event.kind == "dealt" and event.seat == 1] == [
        False,
        True,
        False,
    ]
    assert (view.exposed, view.phase) == ([2], PLAYING)
    anna.choose(0, "play")


# PAIR and blackjack.


def test_pair_is_settled_from_the_last_seat_to_the_first_before_anyone_plays(pit: Pit) -> None:
    """[PV3-3] [PV3-17] [PV3-21] Counter-clockwise, after the initial deal; then blackjack goes on. [BJ-7] [BJ-33]"""
    anna, bert, carl = (Player(pit, PAIR, seat) for seat in (2, 4, 7))
    pit.tick(PAIR)
    refuse("needs a wager on main", lambda: anna.bet({"pair": 500}))
    to_cards(pit, PAIR, anna, bert, carl)
    told = events(pit, PAIR)
    settled = [place for place, event in enumerate(told) if event.kind == "settled" and event.wager == "pair"]
    assert [told[place].seat for place in settled] == [7, 4, 2]
    dealt = [event.seat for event in told[: settled[0]] if event.kind == "dealt"]
    assert dealt == [2, 4, 7, None, 2, 4, 7, None]
    asked = next((place for place, event in enumerate(told) if event.kind == "offered"), len(told))
    assert settled[-1] < asked


def test_a_winner_of_pair_has_stake_and_winnings_at_once(pit: Pit) -> None:
    """[PV3-17] [PV3-20] Whoever won has it before the hand is played, and the main bet alone stays."""
    anna = Player(pit, PAIR, 1)
    for _ in range(60):
        had = anna.balance
        to_cards(pit, PAIR, anna)
        view = pit.view(PAIR, 1)
        pair = (view.seats[0].result or {})["pair"]
        if view.phase == PLAYING and view.turn is not None and pair["returned"]:
            assert anna.balance == had - 1500 + pair["returned"]
            break
        finish(pit, PAIR)
        pit.tick(PAIR, 10_000)
    else:
        pytest.fail("no pair in sixty rounds")


def test_who_does_not_decide_stands_and_declines_insurance(pit: Pit) -> None:
    """[PV3-19] [BJ-32] Marked as automatic."""
    for table in (PAIR, BLACKJACK):
        anna = Player(pit, table, 1)
        while True:
            to_cards(pit, table, anna)
            if pit.view(table).phase == PLAYING:
                break
            pit.tick(table, 10_000)
        anna.leave()
        finish(pit, table)
        words = {event.choice for event in events(pit, table) if event.kind == "chosen"}
        assert words <= {"stand", "no-insurance"}
        assert pit.view(table).automatic
        pit.tick(table, 10_000)


# Baccarat and La Pair'e.


def test_any_number_of_people_bet_on_one_coup_or_one_deal(pit: Pit) -> None:
    """[NSB-9] [NSB-12] [LP-17] [LP-16] More than the rule book has seats; each slip is settled by itself."""
    for table in (BACCARAT, PAIRE):
        crowd = [Player(pit, table) for _ in range(11)]
        had = [player.balance for player in crowd]
        view = play_round(pit, table, *crowd)
        assert (view.phase, view.bettors) == (CLOSED, 11)
        nets = {player.balance - before for player, before in zip(crowd, had, strict=True)}
        assert len(nets) == 1  # all bet the same on the same cards
        result = view.seats[0].result or {}
        assert nets == {sum((bet["returned"] or 0) - bet["stake"] for bet in result.values())}


def test_player_and_banker_get_their_cards_in_turn_after_the_bets(pit: Pit) -> None:
    """[NSB-11] [NSB-14] First and third to the Player, second and fourth to the Banker."""
    view = play_round(pit, BACCARAT, Player(pit, BACCARAT))
    dealt = [event.at for event in view.events if event.kind == "dealt"]
    assert dealt[:4] == ["Player", "Banker", "Player", "Banker"]


def test_three_cards_face_down_are_turned_and_settled_one_at_a_time(pit: Pit) -> None:
    """[LP-19] [LP-20] [LP-21] [LP-22] [LP-23] A card's wagers are settled before the next card is turned, and all three
    are turned, whatever was bet."""
    anna = Player(pit, PAIRE)
    pit.tick(PAIRE)
    refuse("needs a wager on", lambda: anna.bet({"red": 500}))  # [LP-10]
    told = play_round(pit, PAIRE, anna).events
    kinds = [event.kind for event in told if event.kind in ("dealt", "turned-up", "settled")]
    assert kinds == ["dealt"] * 3 + ["turned-up", "settled", "settled", "turned-up", "settled", "turned-up", "settled"]
    pit.tick(PAIRE)
    anna.bet({"card-7": 500})
    anna.ready()
    pit.tick(PAIRE)
    anna.open_seed()
    pit.tick(PAIRE)
    assert [event.kind for event in pit.view(PAIRE).events].count("turned-up") == 3


def test_chips_are_never_mixed(pit: Pit) -> None:
    """[LP-16] [LP-42] Two bettors on one spot: the table tells whose chips are whose."""
    anna, bert = Player(pit, PAIRE), Player(pit, PAIRE)
    pit.tick(PAIRE)
    anna.bet({"card-7": 500})
    bert.bet({"card-7": 300})
    assert [seat.stakes for seat in pit.view(PAIRE).seats] == [{"card-7": 500}, {"card-7": 300}]
    assert pit.view(PAIRE).totals == {"card-7": 800}


def test_chips_have_one_colour_and_one_value_for_the_sitting(pit: Pit) -> None:
    """[LP-42] Chosen on sitting down, seen by everybody with each bet, kept until one stands up."""
    anna, bert = Player(pit, PAIRE, chip=500), Player(pit, PAIRE)
    pit.tick(PAIRE)
    anna.bet({"card-7": 1500})
    bert.bet({"card-7": 300})
    shown = [(seat.colour, seat.chip) for seat in pit.view(PAIRE).seats]
    assert (shown[0][1], shown[1][1]) == (500, 100)
    assert len({colour for colour, _ in shown}) == 2
    refuse("no whole number of your chips of 5.00", lambda: anna.bet({"card-7": 1200}))
    refuse("for as long as you sit", lambda: anna.do(TakeSeat(**anna.act(seat=None, chip=100))))
    anna.do(TakeSeat(**anna.act(seat=None, chip=500)))
    refuse("is not had at this table; choose 1.00", lambda: Player(pit, PAIRE, chip=700))
    refuse("has its value printed on it", lambda: Player(pit, BACCARAT, chip=500))
    anna.bet({})
    anna.leave()
    anna.do(TakeSeat(**anna.act(seat=None, chip=2500)))
    anna.bet({"card-7": 2500})
    mine = next(seat for seat in pit.view(PAIRE).seats if seat.chip == 2500)
    assert mine.colour == shown[0][0]  # the colour that is free again


def test_chips_of_ones_own_in_a_crowd(pit: Pit) -> None:
    """[LP-42] The same where bets are decided in groups."""
    anna = Player(pit, PAIRE, chip=500)
    pit.tick(PAIRE)
    crowd = CrowdActs(pit.floor, "one")
    bets = [LiveBet(**anna.act(stakes={"card-7": stake}, seed=seed_commitment("x"))) for stake in (1200, 1500)]
    first, second = (pit.house.do(partial(crowd.run, asked=[SessionAct(anna.token, bet)]))[0] for bet in bets)
    assert first.code == "bad-chips"
    assert second[0].seat == anna.seat
    assert pit.view(PAIRE).seats[0].chip == 500


@pytest.mark.parametrize("table", [BACCARAT, PAIRE])
def test_who_leaves_is_dealt_and_paid_and_who_is_late_is_not_in(pit: Pit, table: str) -> None:
    """[NSB-39] [LP-43] Betting closes by the clock when somebody is not ready."""
    anna, bert = Player(pit, table), Player(pit, table)
    had = anna.balance
    pit.tick(table)
    anna.bet()
    anna.leave()
    pit.tick(table, 19_999)
    assert pit.view(table).phase == BETTING
    pit.tick(table, 1)
    refuse("no more bets", bert.bet)
    pit.tick(table, 3_000)
    view = pit.view(table)
    assert view.phase == CLOSED
    result = view.seats[0].result or {}
    assert anna.balance == had + sum((bet["returned"] or 0) - bet["stake"] for bet in result.values())


# Every game.


def test_a_settled_round_is_corrected_by_reversing(pit: Pit) -> None:
    """[TCP-44] [PV3-23] [BJ-35] [NSB-45] [LP-47] Once, for everybody, with the reason; what was written stays."""
    for table in (BACCARAT, PAIRE, TCP, PAIR, BLACKJACK):
        anna = Player(pit, table)
        had = anna.balance
        to_cards(pit, table, anna)
        finish(pit, table)
        view = pit.view(table)
        assert view.phase == CLOSED
        correct = partial(
            correct_round, guard=pit.house.pit.guard, by="carla", round_id=view.round_id, reason="a damaged card"
        )
        pit.house.do(correct)
        assert anna.balance == had
        assert pit.view(table) == view
        refuse("corrected before", partial(pit.house.do, correct))
        pit.tick(table, 10_000)


def test_blackjack_poker_and_pairs_is_one_players_game(tmp_path: Path) -> None:
    """[BPP-51] There is no live table of it."""
    pit = Pit(new_books("sqlite", tmp_path))
    floor: LiveFloor = pit.floor
    make = partial(floor.make_live, by="anna", table_id="blackjack-poker-pairs", settings=LiveSettings(seats=3))
    refuse("a game of one player", lambda: pit.house.do(make))
    pit.house.close()
