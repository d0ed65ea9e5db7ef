"""What each reader of a live round sees: their own cards, everybody's chips, and no face they may not know."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from live_table import STAKES, LiveTable, play_at_random
from pairhouse.core.cards import FACES
from pairhouse.rounds.live_round import CLOSED, PLAYING
from pairhouse.rounds.live_view import LiveView, live_view
from pairhouse.rounds.texts import house_texts


def view(table: LiveTable, seat: int | None) -> LiveView:
    return live_view(table.round, table.state if table.round.dealt else None, seat)


def test_each_sees_their_own_cards_and_nobody_elses() -> None:
    """[TCP-14] Three cards each, seen by their own player alone."""
    table = LiveTable("three-card-poker")
    table.to_cards(2, 5)
    mine, theirs, nobodys = view(table, 2), view(table, 5), view(table, None)
    by_seat = {hand.seat: hand.cards for hand in mine.hands if hand.seat}
    assert None not in by_seat[2]
    assert by_seat[5] == [None] * 3
    assert None not in {hand.seat: hand.cards for hand in theirs.hands}[5]
    assert all(card is None for hand in nobodys.hands for card in hand.cards)
    assert mine.turn is not None
    assert mine.turn.options == ["play", "fold"]
    assert theirs.turn is not None
    assert (theirs.turn.seat, theirs.turn.options, theirs.turn.costs) == (2, None, None)
    assert [(seat.seat, seat.name, seat.stakes) for seat in nobodys.seats] == [
        (2, "player 2", STAKES["three-card-poker"]),
        (5, "player 5", STAKES["three-card-poker"]),
    ]


def test_an_exposed_card_is_seen_by_all() -> None:
    """[TCP-39]"""
    table = LiveTable("three-card-poker")
    table.to_cards(2, 5)
    hidden = view(table, None)
    table.write(table.round.expose(table.now, "anna", 1, table.state))
    shown = view(table, None)
    assert [card for hand in hidden.hands for card in hand.cards if card] == []
    assert [card for hand in shown.hands for card in hand.cards if card] == [FACES[table.cards[0]]]


def test_seeds_are_shown_once_bets_are_closed_and_the_houses_when_the_round_is() -> None:
    table = LiveTable("nepal-super-baccarat")
    table.bet(1)
    assert view(table, None).seeds == []
    assert b"seed 1" not in msgspec.json.encode(view(table, None))
    table.write(table.round.say_ready(table.now, 1))
    table.deal_on()
    assert [shared.seed for shared in view(table, None).seeds] == [None]
    table.now += table.clock.seeds
    table.deal_on()
    assert view(table, None).withheld == [1]
    assert view(table, None).server_seed is None
    table.deal_on()
    assert table.round.phase == CLOSED
    assert view(table, 1).server_seed == "s" * 64


@settings(max_examples=80)
@given(st.sampled_from(sorted(STAKES)), st.integers(0, 2**32).map(Random))
def test_no_byte_a_reader_gets_holds_a_face_they_may_not_see(game: str, picks: Random) -> None:
    table = LiveTable(game, seed=picks.randint(0, 999))
    for _ in play_at_random(table, picks):
        if table.round.phase != PLAYING:
            continue
        state = table.state
        for seat in (None, *table.round.seats):
            text = msgspec.json.encode(view(table, seat)).decode()
            for number, event in enumerate(e for e in state.events if e.kind == "dealt"):
                at = table.round.seats[event.seat - 1] if event.seat else None
                if event.face == "up" or (event.face == "private" and at == seat):
                    continue
                turned = sum(e.card == event.card for e in state.events if e.kind == "turned-up")
                others = sum(e.card == event.card and e.face == "up" for e in state.events if e.kind == "dealt")
                mine = sum(
                    e.card == event.card and e.face == "private" and table.round.seats[(e.seat or 1) - 1] == seat
                    for e in state.events
                )
                if not turned and not others and not mine:
                    assert f'"{event.card}"' not in text, (number, event, seat)


@pytest.mark.parametrize("game", sorted(STAKES))
def test_spectators_are_told_what_happened(game: str) -> None:
    table = LiveTable(game)
    for _ in play_at_random(table, Random(4)):
        pass
    told = view(table, None)
    assert told.phase == CLOSED
    assert all(seat.result for seat in told.seats) or told.void


@pytest.mark.parametrize("game", sorted(STAKES))
def test_every_reader_is_sent_the_keys_of_what_is_said(game: str) -> None:
    table, texts = LiveTable(game), house_texts()
    for _ in play_at_random(table, Random(5)):
        pass
    for seat in (None, *table.round.seats):
        told = msgspec.json.decode(msgspec.json.encode(view(table, seat)), type=LiveView)  # as it is sent
        said = [event for event in told.events if event.text is not None or event.row is not None]
        assert said
        for event in said:
            assert texts[event.key or ""].format(*(event.numbers or ())) == (event.text or event.row)
        assert all(texts[hand.key] == hand.name for hand in told.hands if hand.key)
