"""A settled round is corrected by reversing entries, once, and what was written stays. [BPP-48] [BPP-52]"""

import random
from collections.abc import Iterator
from functools import partial

import pytest

from direct_house import DATABASES, Guest, audited, new_books
from pairhouse.core.errors import Refused
from pairhouse.house.bank import Transfer, balance_of, change_balance, player_account, record
from pairhouse.house.care.changes import SetLimit, change_care
from pairhouse.house.care.records import counters_from_books, read_care
from pairhouse.house.commands import RoundBet
from pairhouse.house.corrections import correct_round, corrections_in, corrections_of
from pairhouse.house.free_bets import FreeBetTerms, grant
from pairhouse.house.house import House
from pairhouse.house.store.transaction import WriteTx
from pairhouse.rounds.round_view import RoundView


@pytest.fixture(scope="module", params=DATABASES)
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    opened = House(new_books(request.param, tmp_path_factory.mktemp("corrections")))
    yield opened
    assert audited(opened).difference is None
    opened.close()


def balance(house: House, guest: Guest) -> int:
    with house.database.reading() as tx:
        return balance_of(tx, player_account(guest.id))


def played(guest: Guest, *, won: bool) -> RoundView:
    guest.sit("la-paire")
    while True:
        view = guest.play("la-paire", [{"card-A": 200, "red": 400}])
        if view.net is not None and (view.net > 0) == won:
            return view


@pytest.mark.parametrize("won", [True, False])
def test_all_plays_and_pays_are_reversed_once(house: House, won: bool) -> None:
    guest = Guest(house, random.Random(int(won)))
    view = played(guest, won=won)
    before = balance(house, guest)
    found = house.do(lambda tx: correct_round(tx, house.pit.guard, "anna", view.id, "the shoe was short"))
    assert [each.written_off for each in found] == [0]
    assert balance(house, guest) == before - (view.net or 0)
    with pytest.raises(Refused, match="corrected before"):
        house.do(lambda tx: correct_round(tx, house.pit.guard, "anna", view.id, "again"))
    with house.database.reading() as tx:
        after = house.pit.view(tx, view.id, guest.id)
        assert (after.state, after.returned, after.log) == (view.state, view.returned, view.log), "it stays as dealt"
        assert corrections_in(tx, view.id) == corrections_of(tx, guest.id, 5) == found
    assert "corrected this round (the shoe was short): your stakes of 6.00 are back" in found[0].in_words()


@pytest.mark.parametrize("won", [True, False])
def test_what_is_corrected_counts_towards_the_players_limits(house: House, won: bool) -> None:
    """Stakes that came back are not lost, a win that was taken back is not won; the audit of the books counts alike."""
    guest = Guest(house, random.Random(int(won)))
    limit = SetLimit("loss", "day", 10_000_000)
    house.do(lambda tx: change_care(tx, house.pit.guard.policy, guest.id, limit))
    view = played(guest, won=won)

    def lost() -> tuple[int, int]:
        with house.database.reading() as tx:
            kept, counted = read_care(tx, guest.id), counters_from_books(tx, guest.id, house.clock())
        return kept.counters.day.loss, counted.day.loss

    before = lost()[0]
    house.do(lambda tx: correct_round(tx, house.pit.guard, "anna", view.id, "the shoe was short"))
    assert lost() == (before + (view.net or 0),) * 2
    assert audited(house).difference is None


def test_a_round_that_a_free_bet_paid_for_is_corrected(house: House) -> None:
    """A stake that was never the player's does not come back as money; what was won with it is taken back."""
    guest = Guest(house, random.Random(5))
    guest.sit("la-paire")
    before, results = balance(house, guest), set[bool]()
    while len(results) < 2:
        terms, key = FreeBetTerms(guest.id, 500, 7), guest.new_key()
        free_bet = house.do(partial(grant, by="office", key=f"{guest.id}{key}", terms=terms)).id
        bet = RoundBet(
            table="la-paire", seats=[{"card-2": 500}], client_seed="free", key=key, body_hash="", free_bet=free_bet
        )
        view = house.do(partial(house.pit.open_round, token_hash=guest.token, bet=bet))
        results.add(view.returned > 0)
        house.do(
            partial(correct_round, guard=house.pit.guard, by="anna", round_id=view.id, reason="a card was missing")
        )
        assert balance(house, guest) == before
    assert audited(house).difference is None


def test_what_a_balance_cannot_give_back_is_written_off(house: House) -> None:
    guest = Guest(house, random.Random(3))
    view = played(guest, won=True)
    assert view.net is not None
    spent = balance(house, guest) - 100

    def spend(tx: WriteTx) -> None:
        """As if the player had lost nearly all since."""
        moves = [Transfer("play-money", player_account(guest.id), "mint", spent)]
        change_balance(tx, player_account(guest.id), spent, -spent)
        record(tx, f"spent:{guest.id}", None, moves)
        tx.seal("play-money", {"player": guest.id, "key": f"spent:{guest.id}", "transfers": moves})

    house.do(spend)
    found = house.do(lambda tx: correct_round(tx, house.pit.guard, "anna", view.id, "a card was missing"))[0]
    assert (found.written_off, balance(house, guest)) == (view.net - 100, 0)
    assert "you no longer had is written off" in found.in_words()
    assert audited(house).accounts["written-off"] == -found.written_off


def test_only_a_settled_round_is_corrected(house: House) -> None:
    guest = Guest(house, random.Random(4))
    guest.sit("three-card-poker")
    view = guest.bet("three-card-poker", [{"ante": 200}])
    for round_id, sentence in ((view.id, "the round is open"), ("01NOSUCHROUND", "there is no round")):
        with pytest.raises(Refused, match=sentence):
            house.do(partial(correct_round, guard=house.pit.guard, by="anna", round_id=round_id, reason="why"))
