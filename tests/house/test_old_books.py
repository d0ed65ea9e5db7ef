"""A house that is opened on older books than it has seen begins a new epoch: what was told since decides no bet."""

import os
import random
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy.engine import make_url

from direct_house import DATABASES, SEED_KEY, Guest, audited, deal_from_shoe, enrich, new_database
from old_books import TABLE, copy_of, jokers_hit, lucky_seeds, move_in, put_back
from pairhouse.core.errors import Refused
from pairhouse.house.bank import balance_of, player_account
from pairhouse.house.epoch import books_epoch, seen
from pairhouse.house.epoch.old_books import OLD, UNCERTAIN, OtherBooks
from pairhouse.house.epoch.seen import SeenFolder, folder_of
from pairhouse.house.house import House
from pairhouse.house.live.acts import LiveBet, TakeSeat
from pairhouse.house.live.dealer_lease import take_lease
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.live.table_log import read_live_table
from pairhouse.house.sealing_key import SealOptions, key_file_of
from pairhouse.house.store.database import Database, StoreFailed
from pairhouse.house.vault import Vault
from pairhouse.rounds.live_round import CLOSED, LiveSettings
from pairhouse.rounds.shared_seeds import seed_commitment

BETS = 8


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return new_database(request.param, tmp_path)


def opened(url: str) -> tuple[House, Guest]:
    house = House(url)
    guest = Guest(house, random.Random(5))
    enrich(house, guest.id)
    guest.sit(TABLE)
    for _ in range(3):
        guest.play(TABLE)
    return house, guest


def epochs(house: House) -> list[dict[str, Any]]:
    """What the events tell of the epochs of the books, the oldest first."""
    with house.database.reading() as tx:
        connection = tx._cursor
        connection.execute("SELECT body FROM events WHERE kind = 'epoch-begun' ORDER BY at, chain, number")
        return [msgspec.json.decode(body) for (body,) in connection.fetchall()]


def epoch_of(house: House) -> int:
    with house.database.reading() as tx:
        found = books_epoch(tx)
    return found.epoch


def reveal(guest: Guest) -> tuple[str, int]:
    """Have the seed in use revealed; the seed, and how many nonces it gave."""
    revealed, _ = guest.house.do(lambda tx: guest.house.dealer.rotate(tx, guest.id, TABLE))
    return revealed.server_seed, revealed.nonces


def test_a_seed_revealed_after_the_copy_decides_nothing_when_the_copy_is_put_back(url: str, tmp_path: Path) -> None:
    house, guest = opened(url)
    house.close()
    copy = copy_of(url, tmp_path)
    house = House(url)
    move_in(guest, house)
    server_seed, nonces = reveal(guest)
    house.close()
    known = lucky_seeds(server_seed, nonces, BETS)

    put_back(copy, url)
    unprotected = House(url, deals=False)
    move_in(guest, unprotected)
    assert jokers_hit(guest, known) == BETS, "the attack works on a house that does not look"
    unprotected.close()

    put_back(copy, url)
    house = House(url)
    move_in(guest, house)
    with pytest.raises(Refused, match="sit down at la-paire first"):
        guest.bet(TABLE, [{"card-joker": 200}], seed=known[0])
    guest.sit(TABLE)
    assert jokers_hit(guest, known) <= 4, (
        "two jokers in 54 cards: five hits of eight by chance come once in 250,000 times"
    )
    with house.database.reading() as tx:
        streams = house.dealer.streams(tx, guest.id, TABLE)
    assert [stream.server_seed for stream in streams][1:] == [server_seed], (
        "the old seed is revealed in these books too"
    )
    told = epochs(house)[-1]
    assert (told["epoch"], told["before"], told["reason"], told["seeds"]) == (2, 1, OLD, 1)
    assert told["missing"], "the audit can name the events that are gone"
    assert audited(house).clean
    house.close()
    again = House(url)
    assert epoch_of(again) == 2, "once is enough"
    again.close()


def test_cards_shown_after_the_copy_are_not_dealt_again(url: str, tmp_path: Path) -> None:
    """Nothing was revealed: the same nonce and client seed would deal the same cards, which the player has seen."""
    house, guest = opened(url)
    house.close()
    copy = copy_of(url, tmp_path)
    house = House(url)
    move_in(guest, house)
    views = [guest.bet(TABLE, [{"card-A": 200}], seed=f"s{n}") for n in range(4)]
    house.close()
    put_back(copy, url)
    for deals in (False, True):
        house = House(url, deals=deals)
        move_in(guest, house)
        guest.sit(TABLE)
        again = [guest.bet(TABLE, [{"card-A": 200}], seed=f"s{n}") for n in range(4)]
        is_same = [view.view.events for view in again] == [view.view.events for view in views]
        assert is_same == (not deals)
        house.close()
        put_back(copy, url)


def test_open_rounds_of_old_books_are_void_and_shoes_end(url: str, tmp_path: Path) -> None:
    house, guest = opened(url)
    deal_from_shoe(house)
    guest.sit("nepal-super-baccarat")
    guest.play("nepal-super-baccarat", [{"banker": 200}])
    guest.sit("blackjack-poker-pairs")
    while (view := guest.bet("blackjack-poker-pairs", [{"main": 200}])).state != "open":
        pass
    balance = view.balance
    house.close()
    copy = copy_of(url, tmp_path)
    house = House(url)
    move_in(guest, house)
    while view.state == "open":
        view = guest.choose(view)
    house.close()
    put_back(copy, url)
    house = House(url)
    move_in(guest, house)
    with house.database.reading() as tx:
        stored = house.pit.find(tx, view.id, guest.id)
    assert stored.state == "void"
    guest.sit("nepal-super-baccarat")
    coup = guest.play("nepal-super-baccarat", [{"banker": 200}])
    assert coup.proof.first_card == 0, "a new shoe"
    assert coup.balance + 200 - (coup.returned or 0) == balance + 200, "the stake of the void round went back, once"
    told = epochs(house)[-1]
    assert (told["rounds"], told["seeds"]) == (1, 3)
    assert audited(house).clean
    house.close()


def test_live_rounds_of_old_books_are_void_too(url: str) -> None:
    house, guest = opened(url)
    table = "three-card-poker"
    floor = LiveFloor(house.vault, house.pit.guard)
    house.do(lambda tx: floor.make_live(tx, "desk", table, LiveSettings(seats=7)))
    sit = TakeSeat(table=table, key="live-key-0", body_hash="", seat=1)
    house.do(lambda tx: floor.act(tx, guest.token, sit))
    fence = house.do(lambda tx: take_lease(tx, read_live_table(tx, table), "dealer")).fence
    house.do(lambda tx: floor.deal_on(tx, table, "dealer", fence))
    bet = LiveBet(table=table, key="live-key-1", body_hash="", stakes={"ante": 1000}, seed=seed_commitment("mine"))
    balance = house.do(lambda tx: floor.act(tx, guest.token, bet)).balance
    with house.database.reading() as tx:
        here = books_epoch(tx)
    house.close()
    SeenFolder(folder_of(make_url(url))).declare(here.id, here.epoch, is_current=False)
    house = House(url)
    with house.database.reading() as tx:
        assert floor.at_table(tx, table).live.phase == CLOSED
        assert balance_of(tx, player_account(guest.id)) == balance + 1000
    assert epochs(house)[-1]["rounds"] == 1
    house.close()


PLAY_AND_WAIT = """
import random, sys, time
sys.path.insert(0, sys.argv[2])
from direct_house import Guest
from pairhouse.house.house import House

house = House(sys.argv[1])
guest = Guest.__new__(Guest)
guest.house, guest.rng, guest.count, guest.token, guest.id = house, random.Random(1), 50, sys.argv[3], sys.argv[4]
guest.bet("la-paire", [{"card-A": 200}])
print("answered", flush=True)
time.sleep(60)
"""
KILLED_BEFORE_THE_NOTE = """
import os, signal
from pairhouse.house.epoch.old_books import EpochKeeper

noted = EpochKeeper.committed
def committed(self, chain):
    if chain.number > 1:
        os.kill(os.getpid(), signal.SIGKILL)
    noted(self, chain)
EpochKeeper.committed = committed
"""


def play_and_be_killed(url: str, guest: Guest, before: str = "") -> str:
    """A process that bets once and is killed with -9 as soon as it has answered, or earlier; what it said."""
    tests = str(Path(__file__).parents[1])
    process = subprocess.Popen(
        [sys.executable, "-c", before + PLAY_AND_WAIT, url, tests, guest.token, guest.id],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PAIRHOUSE_SEED_KEY": SEED_KEY},
    )
    assert process.stdout is not None
    said = process.stdout.readline().strip()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return said


def test_a_copy_that_lacks_one_answered_bet_of_a_killed_house_is_noticed(url: str, tmp_path: Path) -> None:
    house, guest = opened(url)
    house.close()
    copy = copy_of(url, tmp_path)
    assert play_and_be_killed(url, guest) == "answered"
    house = House(url)
    assert epoch_of(house) == 1, "a killed house goes on where it was"
    house.close()
    put_back(copy, url)
    house = House(url)
    assert epoch_of(house) == 2
    assert epochs(house)[-1]["reason"] == OLD
    house.close()


def test_killed_between_the_commit_and_its_note_nothing_was_answered_and_the_house_goes_on(
    url: str, tmp_path: Path
) -> None:
    house, guest = opened(url)
    house.close()
    assert play_and_be_killed(url, guest, KILLED_BEFORE_THE_NOTE) == ""
    house = House(url)
    assert epoch_of(house) == 1
    move_in(guest, house)
    assert guest.bet(TABLE, [{"card-A": 200}], key="key-00000051").state == "settled", (
        "the bet is there, or is made now"
    )
    assert audited(house).clean
    house.close()


def test_after_a_power_cut_the_last_answers_are_not_certain(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not forced to the disk may be lost with the machine; a restored image of its disk looks the same."""
    house, guest = opened(url)
    house.close()
    monkeypatch.setattr(seen, "_BOOT", "another-boot-of-this-machine")
    house = House(url)
    assert epoch_of(house) == 1, "closed in order, and started on a machine that was restarted"
    house.close()
    monkeypatch.undo()
    assert play_and_be_killed(url, guest) == "answered"
    monkeypatch.setattr(seen, "_BOOT", "another-boot-of-this-machine")
    house = House(url)
    assert epoch_of(house) == 2
    assert epochs(house)[-1]["reason"] == UNCERTAIN
    house.close()


def test_a_replica_that_lags_is_noticed_by_a_house_that_stays_open(tmp_path: Path) -> None:
    url = new_database("postgresql", tmp_path)
    house, guest = opened(url)
    copy = copy_of(url, tmp_path)  # ends the connections: the next bet opens a chain
    assert _until_connected(guest).state == "settled"
    put_back(copy, url)
    with pytest.raises(Refused, match="sit down"):
        _until_connected(guest)
    house.database.close()  # readers have lost their connections too
    assert epoch_of(house) == 2
    guest.sit(TABLE)
    assert guest.play(TABLE).state == "settled"
    assert audited(house).clean
    house.close()


def _until_connected(guest: Guest) -> Any:
    """Bet; the first answer after a lost connection says that it is lost."""
    for _ in range(3):
        try:
            return guest.bet(TABLE, [{"card-A": 200}])
        except StoreFailed:
            pass
    raise AssertionError("no connection")


def test_other_books_are_refused(url: str, tmp_path: Path) -> None:
    """Also where both are sealed with the same key."""
    house, _ = opened(url)
    house.close()
    empty = new_database(make_url(url).get_backend_name(), tmp_path)
    copy = copy_of(empty, tmp_path) if not url.startswith("sqlite") else str(tmp_path / "none.db")
    put_back(copy, url)
    with pytest.raises(OtherBooks, match="this database is empty"):
        House(url)
    with closing(Database(url)) as database:
        key = SealOptions(key_file_of(database, SealOptions()))
    other = House(empty, sealing=key)
    Guest(other, random.Random(1)).sit(TABLE)
    other.close()
    put_back(copy_of(empty, tmp_path), url)
    with pytest.raises(OtherBooks, match="belongs to other books"):
        House(url, sealing=key)


def test_another_key_is_refused_at_the_door(url: str) -> None:
    house, _ = opened(url)
    house.close()
    with pytest.raises(OtherBooks, match="the key for seeds is not the one"):
        House(url, vault=Vault(bytes(32)))


def test_books_opened_elsewhere_must_be_told_of(url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    house, _ = opened(url)
    house.close()
    monkeypatch.setenv(seen.FOLDER_VARIABLE, str(tmp_path / "another machine"))
    with pytest.raises(OtherBooks, match="say `pairhouse epoch --current` if they are the newest"):
        House(url)


def test_a_folder_that_cannot_be_written_is_told_before_anything_is_dealt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv(seen.FOLDER_VARIABLE, str(tmp_path / "a file"))
    with pytest.raises(Refused, match="cannot be written"):
        House(new_database("sqlite", tmp_path))


def test_chains_of_the_past_leave_no_files(url: str) -> None:
    for _ in range(4):
        House(url).close()
    folder = SeenFolder(folder_of(make_url(url)))
    assert len(folder.chains()) == 1
    assert not folder.is_in_use()
    house = House(url)
    second = House(url)
    assert folder.is_in_use()
    second.close()
    assert folder.is_in_use()
    house.close()
    assert not folder.is_in_use()


def test_two_houses_share_a_folder_and_neither_takes_the_other_for_a_copy(tmp_path: Path) -> None:
    url = new_database("postgresql", tmp_path)
    first, guest = opened(url)
    for _ in range(3):
        second = House(url)
        guest.play(TABLE)
        other = Guest(second, random.Random(1))
        other.sit(TABLE)
        other.play(TABLE)
        second.close()
    assert epoch_of(first) == 1
    first.close()
