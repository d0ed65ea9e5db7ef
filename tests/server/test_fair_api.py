"""Commitments, seeds, shoes and proofs, over the API."""

import hashlib
from typing import Any

import pytest

from api_house import Open
from direct_house import deal_from_shoe
from guests import BETS, dealt_again
from pairhouse.core.errors import Refused
from pairhouse.rounds.round_log import RoundLog


@pytest.mark.parametrize("table", list(BETS))
def test_rounds_verify_once_their_seed_is_shown(house: Open, table: str) -> None:
    guest = house.guest()
    promised = guest.sit(table)["commitment"]
    played = [guest.play(table, client_seed=f"mein Glück {n} ♠")["id"] for n in range(4)]
    closed = guest.get(f"/rounds/{played[0]}")
    assert closed["proof"]["server_seed"] is None
    rotated = guest.ask("POST", f"/tables/{table}/seed").json()
    assert rotated["revealed"]["commitment"] == promised
    assert hashlib.sha256(bytes.fromhex(rotated["revealed"]["server_seed"])).hexdigest() == promised
    assert rotated["commitment"] == guest.sit(table)["commitment"] != promised
    assert rotated["revealed"]["rounds"] == 4
    for number, round_id in enumerate(played):
        done = guest.get(f"/rounds/{round_id}")
        assert done["proof"]["nonce"] == number
        assert dealt_again(done) == done["log"]["cards"]
        settled = RoundLog(**done["log"]).replay() if "meter" not in done["log"] else None
        if settled is not None:
            assert settled.record()["seats"][0]["wagers"] == done["view"]["wagers"][0]


def test_seeds_are_listed_and_the_one_in_use_stays_secret(house: Open) -> None:
    guest = house.guest()
    for table in ("la-paire", "three-card-poker"):
        guest.play(table)
    guest.ask("POST", "/tables/la-paire/seed")
    listed = guest.get("/players/me/seeds")["seeds"]
    assert [(line["table"], line["nonces"], line["server_seed"] is None) for line in listed] == [
        ("la-paire", 0, True),
        ("three-card-poker", 1, True),
        ("la-paire", 1, False),
    ]
    assert len(guest.get("/players/me/seeds", table="la-paire")["seeds"]) == 2
    unseated = guest.ask("POST", "/tables/pair-v3-2/seed")
    assert (unseated.status_code, unseated.json()["code"]) == (409, "not-seated")


def test_a_bet_names_the_commitment_it_is_made_on(house: Open) -> None:
    guest = house.guest()
    seat = guest.sit("la-paire")
    assert guest.bet("la-paire", commitment=seat["commitment"]).status_code == 201
    guest.ask("POST", "/tables/la-paire/seed")
    stale = guest.bet("la-paire", commitment=seat["commitment"])
    assert (stale.status_code, stale.json()["code"]) == (409, "other-commitment")


def test_a_private_table_is_shuffled_for_every_coup_and_shows_its_last_coups(house: Open) -> None:
    guest = house.guest()
    seat = guest.sit("nepal-super-baccarat")
    assert (seat["shoe"], seat["coups"]) == (None, [])
    coups = [guest.bet("nepal-super-baccarat", [{"player": 100}], client_seed=f"{n}").json() for n in range(75)]
    assert [coup["proof"]["nonce"] for coup in coups] == list(range(75))
    assert {coup["proof"]["first_card"] for coup in coups} == {0}
    assert {coup["shoe"] for coup in coups} == {None}
    seat = guest.sit("nepal-super-baccarat")
    assert seat["shoe"] is None
    assert [line["round"] for line in seat["coups"]] == [coup["id"] for coup in coups[-72:]]
    assert guest.get(f"/rounds/{coups[0]['id']}")["shoe"] is None


def test_a_shoe_is_dealt_down_to_the_cut_card_and_one_coup_more(own_house: Open) -> None:
    house = own_house
    deal_from_shoe(house.house)
    guest = house.guest()
    guest.sit("nepal-super-baccarat")
    coups: list[Any] = []
    while not coups or not coups[-1]["shoe"]["finished"]:
        answer = guest.bet("nepal-super-baccarat", [{"player": 100, "banker": 100}], client_seed=f"coup {len(coups)}")
        coups.append(answer.json())
    last_two = [(coup["shoe"]["last_round"], coup["shoe"]["finished"]) for coup in coups[-2:]]
    assert last_two == [(True, False), (True, True)]
    assert all(not coup["shoe"]["last_round"] for coup in coups[:-2])
    assert coups[-2]["shoe"]["dealt"] >= 416 - 14 > coups[-3]["shoe"]["dealt"]
    assert {tuple(coup["proof"]["client_seeds"]) for coup in coups} == {("coup 0",)}
    ended = guest.sit("nepal-super-baccarat")
    assert [coup["round"] for coup in ended["coups"]] == [coup["id"] for coup in coups]
    assert ended["shoe"]["finished"] is True
    anew = guest.bet("nepal-super-baccarat", [{"player": 100}], client_seed="a new shoe").json()
    assert anew["proof"] | {"rules_hash": "", "commitment": "", "cards_used": 0} == {
        "scheme": "pairhouse/1",
        "game": "nepal-super-baccarat",
        "rules_hash": "",
        "commitment": "",
        "server_seed": None,
        "client_seeds": ["a new shoe"],
        "nonce": 1,
        "first_card": 0,
        "cards_used": 0,
    }
    guest.ask("POST", "/tables/nepal-super-baccarat/seed")
    for coup in coups:
        done = guest.get(f"/rounds/{coup['id']}")
        assert done["shoe"] == coup["shoe"]
        assert dealt_again(done) == done["log"]["cards"]
    after = guest.sit("nepal-super-baccarat")
    assert (after["shoe"], after["nonce"]) == (None, 0)


def test_a_log_cannot_be_told_otherwise(house: Open) -> None:
    done = house.guest().play("la-paire")
    log = done["log"] | {"rules": "0" * 64}
    with pytest.raises(Refused, match="dealt under rules"):
        RoundLog(**log).replay()


def test_the_meter_grows_with_each_bet_and_is_shared_by_all(own_house: Open) -> None:
    one, two = own_house.guest(), own_house.guest()
    table = "three-card-poker-progressive"
    meter = one.sit(table)["meter"]
    waiting = one.open(table)
    assert waiting["meter"] is None  # what it will be is known when the round is over
    first = two.play(table)
    done = one.finish(waiting)
    assert done["log"]["meter"] == first["meter"]
    total = [reading["amount"] + reading["reserve"] for reading in (meter, first["meter"], done["meter"])]
    assert total == sorted(total)
    assert total[0] < total[2]
    assert two.sit(table)["meter"] == done["meter"]
    other = two.bet(table, [{"ante": 1000, "progressive": 200}])
    assert other.json()["code"] == "bad-stake"
