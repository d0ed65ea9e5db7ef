"""The pit over HTTP: a supervisor signs in, looks at the floor, and acts with a reason; players are told."""

from collections import Counter
from fractions import Fraction
from typing import Any

import httpx
import msgspec
import pytest

from api_house import Open
from command_line import pairhouse
from pairhouse.analysis.protect.shoe_prices import ShoePrices
from pairhouse.core.cards import pack, parse
from pairhouse.games.catalogue import find
from pairhouse.house.people import password_hash
from pairhouse.house.staff import add_member
from pairhouse.rounds.shared_seeds import seed_commitment
from pairhouse.server.reading.pit_shoes import FollowedShoe, priced_shoe

PASSWORD = "a long sentence"
HASHED = password_hash(PASSWORD)


class Supervisor:
    """Somebody of the staff, signed in."""

    def __init__(self, house: Open, name: str, role: str = "supervisor") -> None:
        self.house = house
        house.house.do(lambda tx: add_member(tx, name, role, HASHED))
        answer = house.client.post("/pit/sessions", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 201, answer.text
        self.headers = {"Authorization": f"Bearer {answer.json()['token']}"}

    def act(self, act: str, reason: str = "as the floor manager said", **what: Any) -> httpx.Response:
        body = {"act": act, "reason": reason, **what}
        answer: httpx.Response = self.house.client.post("/pit/acts", json=body, headers=self.headers)
        return answer

    def done(self, act: str, **what: Any) -> str:
        answer = self.act(act, **what)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["says"])

    def floor(self) -> Any:
        return self.house.client.get("/pit/floor", headers=self.headers).json()

    def shoes(self) -> Any:
        return self.house.client.get("/pit/shoes", headers=self.headers).json()["shoes"]

    def table(self, table: str) -> Any:
        return next(one for one in self.floor()["tables"] if one["id"] == table)


def test_a_wrong_password_waits_like_a_players(own_house: Open) -> None:
    Supervisor(own_house, "Anna")
    codes: list[tuple[int, str]] = []
    while len(codes) < 12 and (429, "locked-out") not in codes:  # a slow machine may wait out the first delay
        wrong = own_house.client.post("/pit/sessions", json={"name": "Anna", "password": "not this one"})
        codes.append((wrong.status_code, wrong.json()["code"]))
    assert codes[:3] == [(401, "bad-login")] * 3
    assert codes[-1] == (429, "locked-out")


def test_a_round_is_corrected_and_its_player_is_told(own_house: Open) -> None:
    anna, guest = Supervisor(own_house, "Anna"), own_house.guest()
    view = guest.play("la-paire")
    before = guest.balance
    line = next(one for one in anna.floor()["rounds"] if one["id"] == view["id"])
    assert (line["state"], line["corrected"], line["staked"]) == ("settled", False, view["staked"])
    says = anna.done("correct-round", round=view["id"], reason="the deck was short")
    assert says.startswith("The round is corrected for 1 player")
    assert guest.balance == before - view["net"]
    notice = guest.get("/players/me/notices")["notices"][0]
    assert (notice["kind"], notice["reason"]) == ("corrected", "the deck was short")
    assert "The house has corrected this round (the deck was short)" in notice["says"]
    again = anna.act("correct-round", round=view["id"])
    assert (again.status_code, again.json()["code"]) == (409, "already-corrected")
    floor = anna.floor()
    assert [one["corrected"] for one in floor["rounds"] if one["id"] == view["id"]] == [True]
    assert [(one["by"], one["reason"]) for one in floor["corrections"]] == [("Anna", "the deck was short")]
    assert guest.get(f"/rounds/{view['id']}")["net"] == view["net"], "the round stays as it was dealt"


def test_tables_close_and_players_are_disabled_with_a_reason(own_house: Open) -> None:
    anna, guest = Supervisor(own_house, "Anna"), own_house.guest()
    guest.sit("la-paire")
    assert anna.done("close-table", table="la-paire") == "The table closes when its round is over."
    assert guest.bet("la-paire").json()["code"] == "table-closed"
    assert anna.table("la-paire")["status"] == "closed"
    anna.done("open-table", table="la-paire")
    assert guest.bet("la-paire").status_code == 201
    waiting = guest.open("three-card-poker")
    assert (anna.table("three-card-poker")["open_rounds"], anna.table("three-card-poker")["staked"]) == (
        1,
        waiting["staked"],
    )
    anna.done("void-round", round=waiting["id"], cause="malfunction")
    anna.done("switch-options", table="three-card-poker", options={"pairplus": "40-30-5-4-1"})
    options = guest.get("/tables/three-card-poker")["game"]["options"]
    assert [one["value"] for one in options if one["name"] == "pairplus"] == ["40-30-5-4-1"]
    player = guest.me()["id"]
    anna.done("disable-player", player=player)
    assert guest.ask("GET", "/players/me").json()["code"] == "player-disabled"
    anna.done("enable-player", player=player)
    assert guest.me()["open_rounds"] == []
    with own_house.house.database.reading() as tx:
        tx.raw("SELECT body FROM events WHERE kind = 'pit-act'")
        told = [msgspec.json.decode(row[0]) for row in tx._cursor.fetchall()]
    assert [one["act"] for one in told] == [
        "close-table",
        "open-table",
        "void-round",
        "switch-options",
        "disable-player",
        "enable-player",
    ]
    assert all(one["by"] == "Anna" and one["reason"] == "as the floor manager said" for one in told)


@pytest.mark.parametrize(
    ("act", "what", "status", "code"),
    [
        ("void-table", {}, 422, "bad-act"),
        ("void-table", {"table": "la-paire", "cause": "misdeal"}, 422, "bad-act"),
        ("close-betting", {"table": "la-paire"}, 404, "not-live"),
        ("void-table", {"table": "live-la-paire", "cause": "misdeal", "cards": 0}, 422, "bad-count"),
        ("void-table", {"table": "live-la-paire", "cause": "misdeal", "cards": 999}, 422, "bad-count"),
        ("void-table", {"table": "live-la-paire", "cause": "malfunction", "cards": 4}, 422, "bad-count"),
        ("switch-options", {"table": "la-paire"}, 422, "bad-act"),
        ("switch-options", {"table": "la-paire", "options": {"pair_bets": "none"}}, 422, "bad-option"),
        ("correct-round", {"round": "nowhere"}, 404, "unknown-round"),
        ("open-table", {"table": "nowhere"}, 404, "unknown-table"),
        ("open-table", {"table": "la-paire", "reason": "   "}, 422, "no-reason"),
        ("dance", {}, 400, "bad-request"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(house: Open, act: str, what: Any, status: int, code: str) -> None:
    """A count belongs to a misdeal: at least one card, and no more than there are. [TCP-38]"""
    anna = Supervisor(house, f"Anna {act} {status} {hash(str(what))}"[:40])
    house.client.get("/tables/live-la-paire/live")
    answer = anna.act(act, **what)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_three_cards_are_turned_from_the_pit(own_house: Open) -> None:
    """[LP-45] The table is paced by hand from its next round on; each turn is sealed with who and why."""
    anna, guest, table = Supervisor(own_house, "Anna"), own_house.guest(), "la-paire"
    clock = {"seats": None, "betting": 600_000, "seeds": 60_000, "pause": 0, "by_hand": True}
    assert own_house.office().ask("PUT", f"/admin/tables/{table}/live", json=clock).status_code == 200
    here = f"/tables/{table}/live"
    assert guest.ask("POST", f"{here}/seat", "sit-down-1", json={}).status_code == 200
    bet = {"stakes": {"card-7": 500, "poker": 100}, "seed": seed_commitment("by hand")}
    assert guest.ask("PUT", f"{here}/bet", "bet-by-hand", json=bet).status_code == 200
    assert guest.ask("POST", f"{here}/ready", "ready-by-hand").status_code == 200
    assert (anna.table(table)["phase"], anna.table(table)["by_hand"]) == ("betting", True)
    early = anna.act("next-card", table=table)
    assert (early.status_code, early.json()["code"]) == (422, "no-card")
    anna.done("close-betting", table=table)
    assert guest.ask("POST", f"{here}/seed", "seed-by-hand", json={"seed": "by hand"}).status_code == 200
    for left in (3, 2, 1):
        assert anna.table(table)["to_turn"] == left
        faces = [card for hand in guest.get(here)["view"]["hands"] for card in hand["cards"]]
        assert faces.count(None) == left
        seen = {"round": anna.table(table)["round"], "to_turn": left}
        assert anna.done("next-card", table=table, **seen) == "The card is turned, and what it decides is paid."
        twice = anna.act("next-card", table=table, **seen)  # pressed twice, or by two at once
        assert (twice.status_code, twice.json()["code"]) == (409, "table-moved")
    assert anna.done("set-pace", table=table, pace="clock").startswith("The clock paces the table")
    wrong = anna.act("set-pace", table=table, pace="whim")
    assert wrong.status_code == 400


def test_a_dealer_deals_and_calls_a_supervisor_for_all_else(own_house: Open) -> None:
    """[LP-45] A dealer closes the betting and turns the cards; money, tables and players are the supervisor's."""
    bert, guest, table = Supervisor(own_house, "Bert", "dealer"), own_house.guest(), "live-la-paire"
    assert bert.floor()["may"] == ["close-betting", "next-card", "expose-card"]
    here, player = f"/tables/{table}/live", guest.me()["id"]
    for act, what in (
        ("set-pace", {"table": table, "pace": "hand"}),
        ("void-table", {"table": table, "cause": "malfunction"}),
        ("switch-options", {"table": table, "options": {"pair_bets": "both"}}),
        ("close-table", {"table": table}),
        ("open-table", {"table": table}),
        ("void-round", {"round": "any", "cause": "malfunction"}),
        ("correct-round", {"round": "any"}),
        ("disable-player", {"player": player}),
        ("enable-player", {"player": player}),
    ):
        refused = bert.act(act, **what)
        assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")
        assert "ask a supervisor" in refused.json()["error"]
    Supervisor(own_house, "Anna").done("set-pace", table=table, pace="hand")
    guest.ask("POST", f"{here}/seat", "sit-down-1", json={})
    bet = {"stakes": {"card-7": 500}, "seed": seed_commitment("mine")}
    assert guest.ask("PUT", f"{here}/bet", "live-bet-1", json=bet).status_code == 200
    assert bert.done("close-betting", table=table) == "No more bets."


def test_a_live_table_is_led_from_the_pit(own_house: Open) -> None:
    """Bets close early, a card is shown, the round is void with the count, and a closed one is corrected at once."""
    anna, guest, table = Supervisor(own_house, "Anna"), own_house.guest(), "pair-v3-6"
    clock = {"seats": 7, "betting": 600_000, "seeds": 60_000, "decision": 600_000, "pause": 0}
    office = own_house.office()
    assert office.ask("PUT", f"/admin/tables/{table}/live", json=clock).status_code == 200
    here = f"/tables/{table}/live"
    assert guest.ask("POST", f"{here}/seat", "sit-down-1", json={}).status_code == 200
    empty = anna.act("close-betting", table=table)
    assert (empty.status_code, empty.json()["code"]) == (422, "no-bets")

    def deal(number: int) -> Any:
        bet = {"stakes": {"main": 1000}, "seed": seed_commitment(f"seed {number}")}
        assert guest.ask("PUT", f"{here}/bet", f"live-bet-{number}", json=bet).status_code == 200
        assert anna.done("close-betting", table=table) == "No more bets."
        seed = {"seed": f"seed {number}"}
        assert guest.ask("POST", f"{here}/seed", f"live-seed-{number}", json=seed).status_code == 200
        return anna.table(table)

    number, before = 0, guest.balance
    seen = deal(number)
    alone = anna.act("void-round", round=seen["round"], cause="malfunction")
    assert (alone.status_code, alone.json()["code"]) == (422, "bad-act"), "a live round is void for its whole table"
    while seen["phase"] != "playing":  # a blackjack ends the round at once
        number += 1
        before = guest.balance
        seen = deal(number)
    assert (seen["cards"], [seat["staked"] for seat in seen["seats"]]) == (4, [1000])
    anna.done("expose-card", table=table, card=4)
    anna.done("void-table", table=table, cause="misdeal", cards=5, round=seen["round"])
    assert guest.balance == before
    number += 1
    late, seen = seen, deal(number)
    for act, more in (
        ("void-table", {"cause": "misdeal", "cards": 5}),
        ("expose-card", {"card": 1}),
        ("close-betting", {}),
    ):
        refused = anna.act(act, table=table, round=late["round"], **more)
        assert (refused.status_code, refused.json()["code"]) == (409, "table-moved"), (
            "it was meant for the round before"
        )
    while seen["phase"] != "playing":
        number += 1
        before = guest.balance
        seen = deal(number)
    round_id, made = seen["round"], 0
    while seen["phase"] == "playing" and seen["round"] == round_id:
        stand = {"choice": "no-insurance", "number": made}
        if guest.ask("POST", f"{here}/choices", f"live-c-{number}-{made}", json=stand).status_code != 200:
            stand["choice"] = "stand"
            answer = guest.ask("POST", f"{here}/choices", f"live-s-{number}-{made}", json=stand)
            assert answer.status_code == 200, answer.text
        made += 1
        seen = anna.table(table)
    assert anna.done("correct-round", round=round_id).startswith("The round is corrected for 1 player")
    assert guest.balance == before, "stakes and winnings are as if it had not been"
    assert guest.get("/players/me/notices")["notices"][0]["kind"] == "corrected"


def test_a_closed_live_table_is_listed_until_its_round_is_over(own_house: Open) -> None:
    """Who has a bet there finds the way back; nobody else is led to a table that takes no bets."""
    anna, guest, table = Supervisor(own_house, "Anna"), own_house.guest(), "live-la-paire"
    here = f"/tables/{table}/live"

    def listed() -> bool:
        return table in {line["table"] for line in own_house.client.get("/live").json()["tables"]}

    assert listed()
    assert guest.ask("POST", f"{here}/seat", "sit-down-1", json={}).status_code == 200
    bet = {"stakes": {"card-7": 500}, "seed": seed_commitment("mine")}
    assert guest.ask("PUT", f"{here}/bet", "live-bet-1", json=bet).status_code == 200
    anna.done("close-table", table=table)
    assert listed()
    anna.done("void-table", table=table, cause="cancelled")
    assert not listed()
    anna.done("open-table", table=table)
    assert listed()


def test_a_quiet_live_table_is_switched_at_once(own_house: Open) -> None:
    """Betting is open all the time; while nobody has bet, the round makes way, and the next deals by the new options."""
    anna, guest, table = Supervisor(own_house, "Anna"), own_house.guest(), "three-card-poker"
    clock = {"seats": 7, "betting": 600_000, "seeds": 60_000, "decision": 600_000, "pause": 0}
    assert own_house.office().ask("PUT", f"/admin/tables/{table}/live", json=clock).status_code == 200
    here = f"/tables/{table}/live"
    assert guest.ask("POST", f"{here}/seat", "sit-down-1", json={}).status_code == 200
    before = guest.get(here)["view"]["round_id"]
    anna.done("switch-options", table=table, options={"pairplus": "40-30-5-4-1"})
    view = guest.get(here)["view"]
    assert (view["phase"], view["round_id"] != before) == ("betting", True)
    bet = {"stakes": {"ante": 1000, "pairplus": 500}, "seed": seed_commitment("mine")}
    assert guest.ask("PUT", f"{here}/bet", "live-bet-1", json=bet).status_code == 200
    refused = anna.act("switch-options", table=table, options={"pairplus": "40-30-6-3-1"})
    assert (refused.status_code, refused.json()["code"]) == (409, "round-open")
    anna.done("void-table", table=table, cause="malfunction")
    assert guest.balance == 100_000
    patched = own_house.office().ask("PATCH", f"/admin/tables/{table}", json={"options": {"pairplus": "40-30-6-3-1"}})
    assert patched.status_code == 200, "an administrator, too"
    done = pairhouse("table", table, "--option", "pairplus=40-30-6-4-1", "--db", own_house.url)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("own_house", ["sqlite"], indirect=True)
def test_what_somebody_who_follows_a_shoe_has_now(own_house: Open) -> None:
    """The exact price of every wager from the cards that are left, as the books have them; nothing of a fresh pack."""
    anna, guest, table = Supervisor(own_house, "Anna"), own_house.guest(), "nepal-super-baccarat"
    assert anna.shoes() == []
    change = {"shuffle": "shoe", "round_ms_min": 0}
    assert own_house.office().ask("PATCH", f"/admin/tables/{table}", json=change).status_code == 200
    seen: list[str] = []
    for _ in range(3):
        hands = guest.play(table)["view"]["hands"]
        seen += [card for hand in hands for card in hand["cards"]]
    (shoe,) = anna.shoes()
    assert (shoe["table"], shoe["cards"], shoe["dealt"], shoe["rounds"]) == (table, 416, len(seen), 3)
    variant = find(table).variant()
    left = Counter(pack(8)) - Counter(parse(seen))
    exact = ShoePrices(variant).exact(sorted(left.elements()))
    assert {one["wager"]: Fraction(one["price"]) for one in shoe["wagers"]} == exact
    assert len(exact) == 34
    prices = [Fraction(one["price"]) for one in shoe["wagers"]]
    assert prices == sorted(prices, reverse=True)


@pytest.mark.parametrize("own_house", ["sqlite"], indirect=True)
def test_a_shared_shoe_is_priced_with_the_bets_that_lie_there(own_house: Open) -> None:
    """What is left is what the coups before have left; the stakes of now are compared with theirs."""
    anna, guest, table = Supervisor(own_house, "Anna"), own_house.guest(), "nepal-super-baccarat"
    office, here = own_house.office(), f"/tables/{table}/live"
    office.ask("PATCH", f"/admin/tables/{table}", json={"shuffle": "shoe", "round_ms_min": 0})
    clock = {"betting": 600_000, "seeds": 60_000, "pause": 0}
    assert office.ask("PUT", f"/admin/tables/{table}/live", json=clock).status_code == 200
    assert guest.ask("POST", f"{here}/seat", "sit-down-1", json={}).status_code == 200

    def bet(number: int, stakes: dict[str, int]) -> None:
        body = {"stakes": stakes, "seed": seed_commitment(f"seed {number}")}
        assert guest.ask("PUT", f"{here}/bet", f"live-bet-{number}", json=body).status_code == 200

    for number in range(3):
        bet(number, {"player": 500})
        assert guest.ask("POST", f"{here}/ready", f"live-ready-{number}").status_code == 200
        seed = {"seed": f"seed {number}"}
        assert guest.ask("POST", f"{here}/seed", f"live-seed-{number}", json=seed).status_code == 200
    bet(3, {"player": 2_000})
    gone = guest.get(here)["view"]["shoe"]
    (shoe,) = anna.shoes()
    assert (shoe["player"], shoe["rounds"], shoe["cards"] - shoe["dealt"]) == (None, 3, gone["left"])
    assert len(shoe["wagers"]) == 34
    player = next(one for one in shoe["wagers"] if one["wager"] == "player")
    assert (player["staked"], player["usual"]) == (2_000, 500)


def test_a_bet_that_turns_while_stakes_rise_is_an_alert() -> None:
    """The prices that count are those when the stakes were laid; the first round of a shoe has no usual stake."""
    variant = find("nepal-super-baccarat").variant()
    shoe = FollowedShoe(
        "t", "Bert", variant, 3, [[0], [1], [2]], [{"tie": 500}, {"tie": 500}, {"tie": 2_000, "player": 100}]
    )
    good, bad = {"tie": "1/50", "player": "-1/50"}, {"tie": "-1/50", "player": "1/50"}

    def alerts(shoe: FollowedShoe, before: dict[str, str]) -> list[str]:
        return [one.wager for one in priced_shoe(shoe, bad, before).wagers if one.alert]

    assert alerts(shoe, good) == ["tie"]
    assert alerts(shoe, bad) == ["player"]
    assert alerts(shoe._replace(stakes=[{"tie": 2_000}] * 3), good) == []
    assert alerts(shoe._replace(stakes=[{"tie": 2_000}]), good) == []
