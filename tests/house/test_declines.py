"""Offers declined with the bet: the round never asks, its log says what was answered, and the books agree."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from direct_house import DATABASES, Guest, audited, enrich, new_books
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import GAMES
from pairhouse.house import dealer
from pairhouse.house.commands import RoundBet
from pairhouse.house.declines import answers_to
from pairhouse.house.house import House
from pairhouse.house.store.schema import acts
from pairhouse.rounds.round_view import RoundView

TABLE = "blackjack-poker-pairs"
SEATS = [{"main": 1000}, {"main": 500}, {"main": 200}]
ROUNDS = 60


@pytest.fixture(params=DATABASES)
def house(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr(dealer, "new_seed", lambda: bytes(range(32)))
    opened = House(new_books(request.param, tmp_path))
    yield opened
    opened.close()


def bets(guest: Guest) -> Iterator[tuple[RoundBet, RoundView]]:
    """Rounds that decline insurance, each as it was first answered."""
    for number in range(ROUNDS):
        given: dict[str, Any] = {"table": TABLE, "seats": SEATS, "client_seed": str(number), "key": guest.new_key()}
        bet = RoundBet(**given, body_hash="same", decline=("insurance",))
        yield bet, place(guest, bet)


def place(guest: Guest, bet: RoundBet) -> RoundView:
    view: RoundView = guest.house.do(lambda tx: guest.house.pit.open_round(tx, guest.token, bet))
    return view


def test_no_round_asks_for_what_was_declined_and_the_books_agree(house: House) -> None:
    guest = Guest(house, random.Random(7))
    enrich(house, guest.id)
    guest.sit(TABLE)
    declined = 0
    for bet, dealt in bets(guest):
        view = dealt
        assert view.view.awaiting is None or "insurance" not in view.view.awaiting["options"]
        assert set(view.choices) <= {"no-insurance"}
        assert len(view.choices) in (0, len(SEATS))
        assert place(guest, bet) == view, "asked twice, answered the same"
        declined += bool(view.choices)
        while view.state == "open":
            view = guest.choose(view, "stand")
        assert view.log is not None
        assert view.log.replay().returned == view.returned
        assert place(guest, bet).choices == [word for word in view.choices if word == "no-insurance"]
    assert declined > 0, "an ace was never up"
    assert audited(house).clean
    with house.database.reading() as tx:
        keys = tx.all(acts.select().with_only_columns(acts.c.key).where(acts.c.word == "no-insurance"), {})
    assert len(keys) == declined * len(SEATS)
    assert all(key.startswith("auto:") for (key,) in keys)


def test_without_the_wish_the_round_asks(house: House) -> None:
    guest = Guest(house, random.Random(8))
    enrich(house, guest.id)
    guest.sit(TABLE)
    for _ in range(4 * ROUNDS):
        view = guest.bet(TABLE, SEATS, seed=guest.new_key())
        if view.view.awaiting is not None and "insurance" in view.view.awaiting["options"]:
            assert view.choices == []
            return
        while view.state == "open":
            view = guest.choose(view, "stand")
    pytest.fail("an ace was never up")


@pytest.mark.parametrize(("game", "offer"), [("blackjack", "insurence"), ("three-card-poker", "insurance")])
def test_an_offer_that_a_game_does_not_make_is_refused_by_name(game: str, offer: str) -> None:
    with pytest.raises(Refused, match=f"makes no offer '{offer}' to decline"):
        answers_to([offer], GAMES[game])


def test_an_answer_is_named_after_the_offer_it_declines() -> None:
    assert answers_to(["insurance"], GAMES["pair-v3"]) == ["no-insurance"]
