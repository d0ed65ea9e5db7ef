"""What operators and administrators do: tables, limits, closing, voiding, hold, events; and the 30-day clock."""

from typing import Any

import pytest

from api_house import Open
from guests import BETS, new_name
from pairhouse.house.people import revoke_key
from pairhouse.house.store.chain import GENESIS, event_hash
from pairhouse.server.bookkeeping.jobs import RoundClock
from pairhouse.server.bookkeeping.sightings import SIGHTINGS_APART_S
from watched import be_watched


def new_table(house: Open, **what: Any) -> str:
    table = f"table-{new_name()}"
    body = {"id": table, "name": "A table of the tests", "game": "la-paire", **what}
    assert house.office().do("POST", "/admin/tables", json=body)["id"] == table
    return table


def test_a_table_is_put_on_the_floor_with_its_own_limits(house: Open) -> None:
    limits = {"minimum": 500, "maximum": 2000, "unit": 500, "chips": [500], "round_maximum": 3000}
    table = new_table(house, limits=limits | {"payout_maximum": 60_000}, advice=False)
    told = house.client.get(f"/tables/{table}").json()
    assert told["limits"] == limits | {"payout_maximum": 60_000, "wager_maximum": {}, "total_maximum": {}}
    assert (told["open"], told["advice"]) == (True, False)
    guest = house.guest()
    guest.sit(table)
    for stakes, fits in [
        ({"card-A": 500}, True),
        ({"card-A": 400}, False),
        ({"card-A": 2500}, False),
        ({"card-A": 750}, False),
        ({"card-A": 2000, "card-2": 1500}, False),
        ({"card-A": 2000, "card-2": 500}, True),
        ({"card-A": 500, "poker": 2000}, False),
    ]:
        answer = guest.bet(table, [stakes])
        assert (answer.status_code == 201) is fits, (stakes, answer.text)
        if not fits:
            assert answer.json()["code"] == "over-limit"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"id": "la-paire"}, 409, "table-exists"),
        ({"game": "whist"}, 404, "unknown-game"),
        ({"options": {"decks": 3}}, 422, "bad-option"),
        ({"options": {"colour": "red"}}, 422, "unknown-option"),
        ({"limits": {"minimum": 0}}, 422, "bad-table"),
        ({"limits": {"minimum": 150, "unit": 100}}, 422, "bad-table"),
        ({"name": "a\x00b"}, 400, "bad-request"),
        ({"name": ""}, 400, "bad-request"),
        ({"id": "with space"}, 400, "bad-request"),
    ],
)
def test_tables_that_cannot_be(house: Open, body: dict[str, Any], status: int, code: str) -> None:
    whole = {"id": f"t-{new_name()}", "name": "Wrong", "game": "la-paire", **body}
    answer = house.office().ask("POST", "/admin/tables", json=whole)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text


def test_a_closed_table_takes_no_bets_and_its_open_rounds_go_on(house: Open) -> None:
    table = new_table(house, game="three-card-poker")
    guest, office = house.guest(), house.office()
    waiting = guest.open(table, BETS["three-card-poker"])
    done = guest.play("la-paire", key="a-key-of-before")
    assert office.do("PATCH", f"/admin/tables/{table}", json={"status": "closed"})["open"] is False
    assert guest.finish(waiting)["state"] == "settled"
    refused = guest.bet(table, BETS["three-card-poker"])
    assert (refused.status_code, refused.json()["code"]) == (409, "table-closed")
    assert office.do("PATCH", f"/admin/tables/{table}", json={"status": "open", "name": "Anew"})["name"] == "Anew"
    assert guest.bet(table, BETS["three-card-poker"]).status_code == 201
    assert done["state"] == "settled"


def test_a_closed_game_closes_every_table_of_it(own_house: Open) -> None:
    guest, office = own_house.guest(), own_house.office()
    first = guest.play("la-paire", key="before-it-closed")
    assert office.do("PATCH", "/admin/games/la-paire", json={"status": "closed"}) == {"status": "closed"}
    assert guest.bet("la-paire").json()["code"] == "table-closed"
    assert guest.bet("la-paire", key="before-it-closed").json() == first
    assert own_house.client.get("/tables/la-paire").json()["open"] is False
    assert guest.play("three-card-poker")["state"] == "settled"
    office.do("PATCH", "/admin/games/la-paire", json={"status": "open"})
    assert guest.bet("la-paire").status_code == 201
    assert office.ask("PATCH", "/admin/games/whist", json={"status": "open"}).status_code == 404


def test_a_disabled_player_may_do_nothing(house: Open) -> None:
    guest, office = house.guest(), house.office("operator")
    waiting = guest.open("three-card-poker")
    player = guest.me()["id"]
    office.do("PATCH", f"/admin/players/{player}", json={"status": "disabled"})
    for answer in (guest.ask("GET", "/players/me"), guest.bet("la-paire"), guest.choose(waiting["id"], "fold", 0)):
        assert (answer.status_code, answer.json()["code"]) == (403, "player-disabled")
    office.do("PATCH", f"/admin/players/{player}", json={"status": "active"})
    assert guest.get(f"/rounds/{waiting['id']}") == waiting
    assert office.ask("PATCH", "/admin/players/nobody", json={"status": "active"}).json()["code"] == "unknown-player"


@pytest.mark.parametrize("reason", ["misdeal", "malfunction", "cancelled"])
def test_a_voided_round_gives_every_stake_back_once(house: Open, reason: str) -> None:
    guest, office = house.guest(), house.office("operator")
    guest.sit("blackjack-poker-pairs")
    key = new_name()
    first = guest.bet("blackjack-poker-pairs", key=key)
    while first.json()["state"] != "open":
        key = new_name()
        first = guest.bet("blackjack-poker-pairs", key=key)
    round_id, before = first.json()["id"], guest.balance
    path = f"/admin/rounds/{round_id}/void"
    assert office.do("POST", path, json={"reason": reason})["player"] == guest.me()["id"]
    assert guest.balance == before + first.json()["staked"]
    again = office.ask("POST", path, json={"reason": reason})
    assert (again.status_code, again.json()["code"]) == (409, "round-closed")
    done = guest.get(f"/rounds/{round_id}")
    assert (done["state"], done["net"], done["log"]["void"]) == ("void", 0, reason)
    assert all(bet["row"] == "void" for bet in done["view"]["wagers"][0].values())
    assert guest.sit("blackjack-poker-pairs")["round"] is None
    assert guest.bet("blackjack-poker-pairs", key=key).content == first.content
    assert guest.choose(round_id, "stand", 0).json()["code"] == "round-closed"
    assert house.client.get(f"/rounds/{round_id}/replay").json()["state"] == "void"
    assert guest.balance == before + first.json()["staked"]


def test_rounds_open_for_more_than_thirty_days_are_called_off(own_house: Open) -> None:
    guests = [own_house.guest() for _ in range(3)]
    old = [guest.open("blackjack-poker-pairs") for guest in guests]
    own_house.clock.pass_minutes(29 * 24 * 60)
    late = own_house.guest()
    young = late.open("blackjack-poker-pairs")
    seconds = [0.0]
    clock = RoundClock(own_house.house, own_house.clock, lambda: seconds[0])
    assert clock.look() == 0
    own_house.clock.pass_minutes(24 * 60 + 1)
    assert clock.look() == 0, "they were found too old once"
    seconds[0] += SIGHTINGS_APART_S
    assert clock.look() == 3
    with own_house.house.database.reading() as tx:
        tx.raw("SELECT balance FROM accounts WHERE kind = 'player'")
        balances = sorted(row[0] for row in tx._cursor.fetchall())
    assert balances == sorted([*(view["balance"] + view["staked"] for view in old), young["balance"]])
    seconds[0] += SIGHTINGS_APART_S
    assert clock.look() == 0


def test_hold_adds_up_what_the_house_kept(own_house: Open) -> None:
    guest = own_house.guest()
    rounds = [guest.play("la-paire") for _ in range(10)]
    waiting = guest.open("three-card-poker")
    told = own_house.office("operator").do("GET", "/admin/hold")
    kept = {line["wager"]: line for line in told["lines"] if line["table"] == "la-paire"}
    assert set(kept) == {"card-A", "red"}
    assert sum(line["kept"] for line in kept.values()) == -sum(one["net"] for one in rounds)
    assert kept["red"]["rounds"] == 10
    assert told["in_open_rounds"] == waiting["staked"]


def test_every_deed_is_a_sealed_event(own_house: Open) -> None:
    guest, office = own_house.guest(), own_house.office()
    round_id = guest.play("la-paire")["id"]
    office.do("PATCH", "/admin/tables/la-paire", json={"limits": {"maximum": 10_000}})
    told = office.do("GET", "/admin/events")
    assert told["events"] == []
    found = []
    for chain in told["chains"]:
        after, seal = 0, GENESIS
        while page := office.do("GET", "/admin/events", params={"chain": chain["chain"], "after": after})["events"]:
            for event in page:
                assert event["number"] == after + 1
                after = event["number"]
                seal = event_hash(seal, chain["chain"], after, event["at"], event["kind"], event["body"])
                assert event["hash"] == seal
            found += page
        assert (after, seal) == (chain["events"], chain["head"])
    kinds = {event["kind"] for event in found}
    assert {
        "player-added",
        "play-money",
        "seed-committed",
        "open",
        "table-changed",
        "key-added",
        "table-added",
    } <= kinds
    assert any(round_id in event["body"] for event in found if event["kind"] == "open")
    assert any(office.key_id in event["body"] for event in found if event["kind"] == "table-changed")
    assert len(office.do("GET", "/admin/events", params={"chain": "0" * 16})["events"]) == 0


def test_scopes_and_revoked_keys(own_house: Open) -> None:
    operator, admin = own_house.office("operator"), own_house.office("admin")
    for method, path, body in [
        ("POST", "/admin/tables", {"id": "t", "name": "t", "game": "la-paire"}),
        ("PATCH", "/admin/tables/la-paire", {"advice": True}),
        ("PATCH", "/admin/games/la-paire", {"status": "open"}),
    ]:
        answer = operator.ask(method, path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed")
        assert admin.ask(method, path, json=body).is_success
    own_house.house.do(lambda tx: revoke_key(tx, admin.key_id))
    answer = admin.ask("GET", "/admin/tables")
    assert (answer.status_code, answer.json()["code"]) == (401, "bad-key")


def test_what_the_watch_found_is_listed_and_lifted(own_house: Open) -> None:
    guest, table = own_house.guest(), "nepal-super-baccarat"
    guest.sit(table)
    player = guest.me()["id"]
    assert own_house.office().do("GET", "/admin/watch") == {"looked_at": None, "steps": [], "records": []}
    be_watched(own_house.house, player)
    found = own_house.office("operator").do("GET", "/admin/watch")
    (step,), (record,) = found["steps"], found["records"]
    assert (step["player"], step["wager"], step["step"], step["why"]) == (player, None, "lower limits", "wins")
    assert (step["done"], record["step"], record["figures"]) == ("player limited", "lower limits", step["figures"])
    assert (record["figures"]["rounds"], record["figures"]["net"]) == (300, 300_000)
    refused = guest.bet(table, [{"player": 200}])
    assert (refused.status_code, refused.json()["code"]) == (403, "restricted")
    path = f"/admin/watch/{step['id']}/lift"
    assert own_house.office("operator").ask("POST", path).status_code == 403
    lifted = own_house.office().do("POST", path)
    assert lifted["lifted_by"] == own_house.office().key_id
    assert own_house.office().ask("POST", path).json()["code"] == "step-lifted"
    assert own_house.office().ask("POST", f"/admin/watch/{'0' * 26}/lift").status_code == 404
    assert guest.bet(table, [{"player": 200}]).status_code == 201
    assert own_house.office().do("GET", "/admin/watch")["records"] == []


def test_a_table_is_given_a_shoe_a_pace_and_limits_of_single_wagers(house: Open) -> None:
    settings = {"shuffle": "shoe", "round_ms_min": 20_000, "limits": {"wager_maximum": {"tie-on-0": 500, "tie": 0}}}
    table = new_table(house, game="nepal-super-baccarat", options={"cut_card": 208}, **settings)
    told = house.client.get(f"/tables/{table}").json()
    assert (told["shuffle"], told["round_ms_min"]) == ("shoe", 20_000)
    assert told["limits"]["wager_maximum"] == {"tie-on-0": 500, "tie": 0}
    change = {"shuffle": "every-round", "round_ms_min": 0}
    told = house.office().do("PATCH", f"/admin/tables/{table}", json=change)
    assert (told["shuffle"], told["round_ms_min"]) == ("every-round", 0)
    refused = house.office().ask(
        "POST", "/admin/tables", json={"id": "x", "name": "x", "game": "la-paire", "shuffle": "shoe"}
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-shuffle")
    guest = house.guest()
    guest.sit(table)
    closed = guest.bet(table, [{"tie": 100}])
    assert (closed.status_code, closed.json()["code"]) == (409, "wager-closed")
