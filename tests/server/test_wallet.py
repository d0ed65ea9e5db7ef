"""Players whose money an operator keeps, on both databases: five games, refusals, and every way a wallet fails."""

import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pairhouse.core.errors import Refused
from pairhouse.house.people import new_key
from pairhouse.server.wallets import cashier
from pairhouse.server.wallets import operator_client as operators
from pairhouse.server.wallets.operator_client import read_settings
from postgres import furnished_database
from wallet_pair import SEATS, SECRET, START, WalletPair, new_wallet, open_pair

BACCARAT, POKER = "nepal-super-baccarat", "three-card-poker"


@pytest.fixture(params=["sqlite", "postgresql"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WalletPair]:
    url = f"sqlite:///{tmp_path / 'house.db'}" if request.param == "sqlite" else furnished_database()
    wallet = new_wallet()
    with open_pair(url, wallet) as found:
        found.sign_in()
        yield found
        found.check_law()
    wallet.stop()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "ANSWER_S", 1.0)
    monkeypatch.setattr(cashier, "WIN_PATIENCE_S", 0.1)


def test_five_games_with_an_operators_money(pair: WalletPair, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    pick = random.Random(5)
    for table in SEATS:
        pair.sit(table)
        for _ in range(4):
            status, view = pair.bet(table)
            assert status == 201, view
            while view["state"] == "open":
                status, view = pair.choose(view, pick.choice(view["view"]["awaiting"]["options"]))
                assert status == 200, view
            assert view["balance"] == pair.balance(), "the round shows what the operator has"
    assert pair.states().keys() == {("bet", "done"), ("win", "done")}
    assert pair.states()["win", "done"] == 20, "one for each round, for nothing too"
    status, me = pair.ask("GET", "/players/me")
    assert (me["balance"], me["currency"], me["name"]) == (pair.balance(), "EUR", "acme:alice")
    wins = [body for call, body in pair.wallet.seen if call == "win"]
    assert all(body["round_closed"] and "token" not in body for body in wins)
    told = "".join(str(record.__dict__) for record in caplog.records)
    assert "alice-token" not in told
    assert SECRET not in told


def test_a_refused_bet_deals_nothing_and_uses_no_nonce(pair: WalletPair) -> None:
    seat = pair.sit(BACCARAT)
    pair.wallet.trouble("bet", "refuse")
    status, problem = pair.bet(BACCARAT, "the-same-key")
    assert (status, problem["code"]) == (402, "wallet-refused")
    pair.wallet.ledger.add_player("bob", "bob-token", 50)
    alice, pair.token = pair.token, ""
    pair.sign_in("bob-token")
    pair.sit(BACCARAT)
    status, problem = pair.bet(BACCARAT)
    assert (status, problem["code"]) == (402, "no-funds")
    pair.token = alice
    assert pair.sit(BACCARAT)["nonce"] == seat["nonce"] == 0
    assert pair.ask("GET", "/players/me/rounds")[1]["rounds"] == []
    assert pair.bet(BACCARAT, "the-same-key")[0] == 201, "the key may try again"


def test_a_bet_of_unknown_outcome_is_rolled_back(pair: WalletPair, impatient: None) -> None:
    pair.sit(BACCARAT)
    troubles = [("late", "lose"), ("never", "late"), ("fail", "fail"), ("fail-after", "fail-after")]
    troubles += [("lose", "twice"), ("garble", "garble"), ("unsigned", "unsigned")]
    for number, (how, how_back) in enumerate(troubles, 1):
        pair.wallet.trouble("bet", how)
        pair.wallet.trouble("rollback", how_back)
        status, problem = pair.bet(BACCARAT, "the-same-key")
        assert (status, problem["code"]) == (503, "wallet-unknown"), how
        assert pair.ask("GET", "/players/me/rounds")[1]["rounds"] == []
        pair.recover()
        assert pair.balance() == START, how
        assert pair.states() == {("bet", "unknown"): number, ("rollback", "done"): number}
    assert pair.bet(BACCARAT, "the-same-key")[0] == 201


def test_a_win_is_told_until_it_is_acknowledged(pair: WalletPair, impatient: None) -> None:
    pair.sit(BACCARAT)
    for how in ("late", "fail", "fail-after", "lose", "garble", "unsigned", "refuse", "twice"):
        before = pair.balance()
        pair.wallet.trouble("win", how, 2)
        status, view = pair.bet(BACCARAT, seats=[{"player": 100, "banker": 100, "tie": 100}])
        assert status == 201
        assert view["balance"] == before - 300 + view["returned"]
        pair.recover()
        assert pair.balance() == view["balance"], how
    assert pair.states() == {("bet", "done"): 8, ("win", "done"): 8}


def test_a_wallet_that_answers_twice_is_heard_once(pair: WalletPair) -> None:
    pair.sit(BACCARAT)
    for call in ("bet", "win", "bet", "win"):
        pair.wallet.trouble(call, "twice", 2)
    for _ in range(12):  # each answer too many may spoil the next call, whose bet is then given up
        assert pair.bet(BACCARAT)[0] in (201, 503)
    pair.recover()
    assert pair.states()["bet", "done"] >= 4


def test_a_wallet_that_is_down_breaks_no_looking(pair: WalletPair) -> None:
    pair.sit(POKER)
    view = pair.open_until(POKER, "fold")
    pair.recover()
    known = pair.balance()
    port, ledger = pair.wallet.server_port, pair.wallet.ledger
    pair.wallet.stop()
    assert pair.ask("GET", f"/rounds/{view['id']}")[1]["balance"] == known
    assert pair.ask("GET", "/players/me")[1]["balance"] == known
    assert pair.sit(POKER)["round"]["id"] == view["id"]
    status, problem = pair.choose(view, "play")
    assert (status, problem["code"]) == (503, "wallet-unknown"), "a choice that costs money needs the wallet"
    status, closed = pair.choose(view, "fold")
    assert (status, closed["state"]) == (200, "settled"), "one that costs nothing does not"
    pair.turn()
    assert pair.states()["win", "due"] == 1
    metrics = pair.client.get("/metrics").text
    assert 'pairhouse_wallet_calls_due{wallet="acme"} 2.0' in metrics
    _, key = pair.house.do(lambda tx: new_key(tx, "watch", "operator"))
    found = pair.client.get("/admin/wallet-calls", headers={"Authorization": f"Bearer {key}"}).json()["calls"]
    assert [call["kind"] for call in found] == ["rollback", "win"]
    pair.wallet = new_wallet(port, ledger)
    pair.recover()
    assert pair.balance() == closed["balance"]


def test_a_choice_of_unknown_outcome_leaves_the_round_as_it_was(pair: WalletPair) -> None:
    pair.sit(POKER)
    view = pair.open_until(POKER, "play")
    before = pair.balance()
    pair.wallet.trouble("bet", "fail-after")
    assert pair.choose(view, "play")[0] == 503
    again = pair.ask("GET", f"/rounds/{view['id']}")[1]
    assert (again["state"], again["choices"], again["staked"]) == ("open", [], view["staked"])
    pair.recover()
    assert pair.balance() == before
    status, closed = pair.choose(again, "play")
    assert (status, closed["state"]) == (200, "settled")


def test_the_same_key_again_has_the_same_answer(pair: WalletPair) -> None:
    pair.sit(BACCARAT)
    first, second = pair.bet(BACCARAT, "the-same-key"), pair.bet(BACCARAT, "the-same-key")
    assert first[0] == second[0] == 201
    assert first[1]["id"] == second[1]["id"]
    assert first[1]["balance"] == second[1]["balance"]
    status, problem = pair.bet(BACCARAT, "the-same-key", [{"banker": 100}])
    assert (status, problem["code"]) == (409, "key-reused")
    assert pair.states()["bet", "done"] == 1


def test_while_a_bet_is_on_its_way_its_key_waits(pair: WalletPair, impatient: None) -> None:
    pair.sit(BACCARAT)
    pair.wallet.trouble("bet", "late")
    answers: list[tuple[int, dict[str, Any]]] = []
    first = threading.Thread(target=lambda: answers.append(pair.bet(BACCARAT, "the-same-key")))
    first.start()
    while not pair.states()["bet", "sent"]:
        pass
    status, problem = pair.bet(BACCARAT, "the-same-key")
    assert (status, problem["code"]) == (409, "in-progress")
    status, problem = pair.bet(BACCARAT, "the-same-key", [{"banker": 100}])
    assert (status, problem["code"]) == (409, "key-reused")
    first.join()
    assert answers[0][0] == 503


def test_two_tabs_open_one_round(pair: WalletPair) -> None:
    pair.sit(POKER)
    answers: list[tuple[int, dict[str, Any]]] = []
    tabs = [threading.Thread(target=lambda: answers.append(pair.bet(POKER))) for _ in range(4)]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert sorted(status for status, _ in answers) == [201, 409, 409, 409]
    view = next(view for status, view in answers if status == 201)
    assert {problem["round"] for status, problem in answers if status == 409} == {view["id"]}
    pair.recover()
    assert pair.balance() == START - view["staked"]
    assert pair.choose(view, "fold")[0] == 200


def test_a_round_called_off_gives_every_bet_back(pair: WalletPair) -> None:
    pair.sit("blackjack-poker-pairs")
    view = {"state": "none"}
    while view["state"] != "open":  # the other seat may have a blackjack, and then it is over
        view = pair.choose(pair.open_until("blackjack-poker-pairs", "double"), "double")[1]
    lines = pair.ask("GET", "/players/me/rounds?limit=100")[1]["rounds"]
    before = START + sum(line["net"] for line in lines if line["net"] is not None)
    assert pair.balance() == before - view["staked"]
    pair.house.do(lambda tx: pair.house.pit.void(tx, "clock", view["id"], "cancelled"))
    assert pair.ask("GET", f"/rounds/{view['id']}")[1]["balance"] == before
    pair.recover()
    assert pair.balance() == before
    bets = [body for call, body in pair.wallet.seen if call == "bet" and body["round"] == view["id"]]
    assert pair.states()["rollback", "done"] == len(bets) >= 2


def test_a_session_that_ended_at_the_operators_stops_bets_but_no_win(pair: WalletPair) -> None:
    pair.sit(POKER)
    view = pair.open_until(POKER, "play")
    pair.wallet.ledger.end_session("alice-token")
    status, problem = pair.choose(view, "play")
    assert (status, problem["code"]) == (402, "wallet-refused")
    assert pair.choose(view, "fold")[0] == 200
    assert pair.states()["win", "done"] >= 1


def test_nobody_comes_in_without_the_operators_word(pair: WalletPair) -> None:
    sent = pair.client.post("/wallets/acme/sessions", json={"token": "forged"})
    assert (sent.status_code, sent.json()["code"]) == (401, "bad-login")
    sent = pair.client.post("/wallets/nobody/sessions", json={"token": "alice-token"})
    assert (sent.status_code, sent.json()["code"]) == (404, "unknown-wallet")
    pair.wallet.trouble("authenticate", "unsigned")
    sent = pair.client.post("/wallets/acme/sessions", json={"token": "alice-token"})
    assert (sent.status_code, sent.json()["code"]) == (503, "wallet-unknown")


@pytest.mark.parametrize(
    ("given", "secret", "currency"),
    [
        ("acme", "s" * 32, "EUR"),
        ("house=https://wallet.example", "s" * 32, "EUR"),
        ("Acme=https://wallet.example", "s" * 32, "EUR"),
        ("acme=http://wallet.example", "s" * 32, "EUR"),
        ("acme=https://name:word@wallet.example", "s" * 32, "EUR"),
        ("acme=https://wallet.example:port", "s" * 32, "EUR"),
        ("acme=https://wallet.example", "short", "EUR"),
        ("acme=https://wallet.example", "", "EUR"),
        ("acme=https://wallet.example", "s" * 32, "euro"),
    ],
)
def test_settings_that_cannot_be_used_are_refused_with_a_sentence(given: str, secret: str, currency: str) -> None:
    environment = {"PAIRHOUSE_WALLET_SECRET_ACME": secret, "PAIRHOUSE_WALLET_SECRET_HOUSE": secret}
    environment["PAIRHOUSE_WALLET_CURRENCY_ACME"] = currency
    with pytest.raises(Refused) as refused:
        read_settings([given], environment)
    assert refused.value.code == "bad-wallet"
    assert "s" * 32 not in str(refused.value)


def test_settings_hold_their_secret_to_themselves() -> None:
    found = read_settings(["my-acme=https://wallet.example/v1/"], {"PAIRHOUSE_WALLET_SECRET_MY_ACME": "s" * 32})
    assert found["my-acme"].url == "https://wallet.example/v1"
    assert "sss" not in repr(found)
    with pytest.raises(Refused):
        read_settings(["acme=https://a.example"] * 2, {"PAIRHOUSE_WALLET_SECRET_ACME": "s" * 32})
