"""Players whose money an operator keeps, at live tables: every stake asked for, every decision paid, faults in between."""

import secrets
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pairhouse.core.errors import Refused
from pairhouse.house.corrections import correct_round
from pairhouse.house.live.acts import LiveBet
from pairhouse.house.live.operator_money import complete_act, prepare_act
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.shared_seeds import seed_commitment
from pairhouse.server.wallets import operator_client as operators
from postgres import furnished_database
from wallet_pair import START, WalletPair, new_wallet, open_pair

POKER, PAIR, BACCARAT, PAIRE = "live-three-card-poker", "live-pair-v3", "live-nepal-super-baccarat", "live-la-paire"
OWN_SEED = "a seed of my own"


@pytest.fixture(params=["sqlite", "postgresql"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WalletPair]:
    url = f"sqlite:///{tmp_path / 'house.db'}" if request.param == "sqlite" else furnished_database()
    wallet = new_wallet()
    with open_pair(url, wallet) as found:
        found.sign_in()
        found.cashier.house.pit.round_ms_min = 0
        yield found
        found.check_law()
    wallet.stop()


class Seat:
    """A player of the operator's at a live table."""

    def __init__(self, pair: WalletPair, table: str) -> None:
        self.pair, self.table = pair, table
        assert self.act("POST", "seat", {})[0] == 200

    def act(self, method: str, what: str, body: Any = None, key: str | None = None) -> tuple[int, dict[str, Any]]:
        return self.pair.ask(method, f"/tables/{self.table}/live/{what}", body, key or secrets.token_hex(8))

    def bet(self, stakes: dict[str, int], key: str | None = None) -> tuple[int, dict[str, Any]]:
        return self.act("PUT", "bet", {"stakes": stakes, "seed": seed_commitment(OWN_SEED)}, key)

    def to_cards(self, stakes: dict[str, int]) -> dict[str, Any]:
        """A round without the clock: bet, ready, seed; the table after it."""
        self.pair.clock.ahead_ms += 20_000  # the pause is over, and so is the pace of the table
        keeper = self.pair.client.app.state.desk.bookkeeper
        self.pair.house.do(lambda tx: keeper.dealing.deal(tx, self.table))
        status, answer = self.bet(stakes)
        assert status == 200, answer
        for what, body in (("ready", None), ("seed", {"seed": OWN_SEED})):
            status, answer = self.act("POST", what, body)
            assert status == 200, (what, answer)
        return self.view()

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.pair.ask("GET", f"/tables/{self.table}/live")[1]["view"]
        return found

    def choose(self, word: str) -> tuple[int, dict[str, Any]]:
        return self.act("POST", "choices", {"choice": word, "number": self.view()["turn"]["number"]})

    def wins(self) -> list[tuple[int, int]]:
        """What the operator was paid, and whether its round was closed by it."""
        return [(each["change"], each["closes"]) for each in self.pair.wallet.ledger.entries() if each["kind"] == "win"]


def test_a_bet_is_raised_lowered_and_taken_back(pair: WalletPair) -> None:
    """The operator has given what lies on the felt, after every change of it; nobody reads its id for the player."""
    me = Seat(pair, POKER)
    for stakes in ({"ante": 300}, {"ante": 300, "pairplus": 200}, {"ante": 400}, {"ante": 100}, {}, {"ante": 200}):
        status, answer = me.bet(stakes)
        assert status == 200, answer
        assert answer["balance"] == START - sum(stakes.values())
        pair.turn()
        assert pair.balance() == answer["balance"]
    name = me.view()["seats"][0]["name"]
    assert name.startswith("acme-")
    assert "alice" not in name


def test_a_round_with_a_choice_is_paid_and_closed(pair: WalletPair) -> None:
    me = Seat(pair, POKER)
    view = me.to_cards({"ante": 200, "pairplus": 100})
    assert view["turn"]["options"] == ["play", "fold"]
    status, done = me.choose("play")
    assert status == 200
    pair.recover()
    assert pair.balance() == done["balance"]
    ((paid, closes),) = me.wins()
    assert (paid, closes) == (done["balance"] - (START - 500), 1)
    assert pair.ask("GET", "/players/me/rounds")[1]["rounds"][0]["returned"] == paid


def test_what_pair_wins_is_paid_before_the_hand_is_played(pair: WalletPair) -> None:
    """[PV3-20] A win that closes nothing comes first; the last one, which may be nothing, closes the round."""
    me = Seat(pair, PAIR)
    for _ in range(40):
        view = me.to_cards({"main": 100, "pair": 100})
        won = view["seats"][0]["result"]["pair"]["returned"]
        if won and view.get("turn"):
            pair.turn()
            assert (won, 0) in me.wins()
            assert pair.balance() == pair.ask("GET", "/players/me")[1]["balance"]
        while turn := me.view().get("turn"):
            word = "stand" if "stand" in turn["options"] else turn["options"][-1]
            assert me.choose(word)[0] == 200
        if won and view.get("turn"):
            pair.recover()
            assert [closes for _, closes in me.wins()].count(0) == 1
            return
    pytest.fail("no pair in forty rounds")


def test_a_bet_without_end_is_settled_with_those_of_the_house(pair: WalletPair) -> None:
    """Where any number of people bet, an operator's player does so too; the shoe, seeds and limits are the same."""
    for table, stakes in ((BACCARAT, {"player": 1000, "banker": 1000}), (PAIRE, {"card-7": 500, "red": 500})):
        me = Seat(pair, table)
        before = pair.balance()
        me.to_cards(stakes)
        pair.recover()
        line = pair.ask("GET", f"/players/me/rounds?table={table}")[1]["rounds"][0]
        assert (line["state"], line["staked"]) == ("settled", 1000 + 1000 * (table == BACCARAT))
        assert pair.balance() == before + line["net"]


def test_a_void_gives_every_bet_back(pair: WalletPair) -> None:
    me = Seat(pair, POKER)
    me.to_cards({"ante": 200, "pairplus": 100})
    floor = pair.client.app.state.desk.bookkeeper.floor
    pair.house.do(lambda tx: floor.void(tx, "anna", POKER, "misdeal", 4))
    pair.recover()
    assert pair.balance() == START
    assert me.wins() == []


def test_a_settled_round_is_corrected_for_everybody_in_it(pair: WalletPair) -> None:
    """[TCP-44] What is owed is paid to the operator; what its player has won is written off, not taken from there."""
    me = Seat(pair, BACCARAT)
    changes = set()
    for _ in range(30):
        before = pair.balance()
        me.to_cards({"player": 1000})
        pair.recover()
        line = pair.ask("GET", "/players/me/rounds")[1]["rounds"][0]
        pit = pair.house.pit
        done = pair.house.do(partial(correct_round, guard=pit.guard, by="anna", round_id=line["id"], reason="a fault"))
        pair.recover()
        assert done[0].written_off == max(0, line["net"])
        assert pair.balance() == before + max(0, line["net"])
        changes.add(line["net"] > 0)
        if len(changes) == 2:
            return
    pytest.fail("thirty coups with one result")


def test_a_void_after_pair_was_paid_gives_back_what_is_undecided(pair: WalletPair) -> None:
    """[PV3-18] What the side bet won stays paid, what it lost stays lost; the last win says so."""
    me = Seat(pair, PAIR)
    floor = pair.client.app.state.desk.bookkeeper.floor
    while not me.to_cards({"main": 100, "pair": 100}).get("turn"):
        pass
    pair.house.do(lambda tx: floor.void(tx, "anna", PAIR, "malfunction"))
    pair.recover()
    assert me.wins()[-1] == (100, 1)


def test_what_the_operator_refuses_or_does_not_say_changes_nothing(
    pair: WalletPair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operators, "ANSWER_S", 1.0)
    me = Seat(pair, POKER)
    pair.wallet.ledger.add_player("poor", "poor-token", 150)
    for how, code in (("fail-after", 503), ("late", 503), ("garble", 503)):
        pair.wallet.trouble("bet", how)
        assert me.bet({"ante": 200}, "the-same-key")[0] == code
        assert me.view()["seats"] == []
        pair.recover()
        assert pair.balance() == START
    first = me.bet({"ante": 200}, "the-same-key")
    assert first[0] == 200
    assert me.bet({"ante": 200}, "the-same-key") == first
    assert me.bet({"ante": 300}, "the-same-key")[1]["code"] == "key-reused"
    me.act("DELETE", "seat")
    pair.sign_in("poor-token")
    poor = Seat(pair, POKER)
    assert poor.bet({"ante": 200})[1]["code"] == "no-funds"
    assert poor.bet({"ante": 100})[0] == 200
    assert [seat["stakes"] for seat in poor.view()["seats"]] == [{"ante": 200}, {"ante": 100}]


def test_a_house_that_dies_while_it_asks_owes_nothing(pair: WalletPair) -> None:
    """The stake was written down and taken, and nobody came back to play for it: it is rolled back, once."""
    me = Seat(pair, POKER)
    floor = pair.client.app.state.desk.bookkeeper.floor
    act = LiveBet(table=POKER, key="left-behind", body_hash="h", stakes={"ante": 500}, seed=seed_commitment(OWN_SEED))
    token = hash_of(pair.token)
    do = partial(floor.act, token_hash=token, act=act)
    wallets = pair.cashier.operators.settings
    pending = pair.house.do(lambda tx: prepare_act(tx, lambda tx, taken: do(tx, taken=taken), wallets, token, act))
    with pair.client.portal() as portal:
        balance = portal.call(pair.cashier._take, "acme", pending)
    assert pair.balance() == START - 500
    pair.recover()
    assert pair.balance() == START
    assert me.view()["seats"] == []
    with pytest.raises(Refused, match="did not tell in time"):
        pair.house.do(lambda tx: complete_act(tx, lambda tx, taken: do(tx, taken=taken), act, pending, balance))
    assert me.view()["seats"] == []


def test_a_bet_that_is_late_because_of_its_wallet_goes_back(pair: WalletPair) -> None:
    """Betting closes while the wallet is asked: the bet is refused, and rolled back."""
    me = Seat(pair, POKER)
    assert me.bet({"ante": 200})[0] == 200
    taken = pair.cashier._take

    async def slowly(wallet: str, pending: Any) -> int:
        balance = await taken(wallet, pending)
        pair.clock.ahead_ms += 60_000
        return int(balance)

    pair.cashier._take = slowly
    status, answer = me.bet({"ante": 500})
    pair.cashier._take = taken
    assert (status, answer["code"]) == (409, "no-more-bets")
    pair.recover()
    assert pair.balance() == START - 200
    assert pair.states()["bet", "undone"] == 1
