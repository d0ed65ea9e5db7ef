"""Rounds of every table: bets, choices, coming back, history, replays, repeated requests."""

import concurrent.futures
from typing import Any

import pytest

from api_house import Open, open_house
from direct_house import deal_from_shoe
from guests import ASKING, BETS, Guest, dealt_again, new_name
from pairhouse.house.people import PLAY_MONEY
from servers import decided


@pytest.mark.parametrize("table", list(BETS))
def test_a_round_at_every_table(house: Open, table: str) -> None:
    guest = house.guest()
    seat = guest.sit(table)
    assert seat["round"] is None
    done = guest.play(table)
    assert done["state"] == "settled"
    assert done["proof"]["commitment"] == seat["commitment"]
    assert done["proof"]["nonce"] == seat["nonce"] == 0
    assert done["net"] == done["returned"] - done["staked"]
    assert done["balance"] == PLAY_MONEY + done["net"] == guest.balance
    assert done["log"]["cards"]
    assert len(done["log"]["cards"]) == done["proof"]["cards_used"]
    assert guest.get(f"/rounds/{done['id']}") == done


@pytest.mark.parametrize("table", list(BETS))
def test_what_the_house_says_is_sent_with_its_keys(house: Open, table: str) -> None:
    """A round, its replay for anybody and its table: every word of the house has a key of `GET /texts` beside it."""
    guest, texts = house.guest(), house.client.get("/texts").json()
    guest.sit(table)
    done = guest.play(table)
    for view in (done["view"], house.client.get(f"/rounds/{done['id']}/replay").json()["view"]):
        said = [event for event in view["events"] if event["event"] in ("said", "settled")]
        assert said
        for event in said:
            assert texts[event["key"]].format(*event.get("numbers", ())) == event.get("text", event.get("row"))
        assert all(texts[hand["key"]] == hand["name"] for hand in view["hands"] if "key" in hand)
    told = house.client.get(f"/tables/{table}").json()
    assert (texts[told["name_key"]], texts[told["label_key"]]) == (told["name"], told["label"])
    for wager in told["game"]["wagers"]:
        assert texts[wager["otherwise_key"]] == wager["otherwise"]
        assert [texts[row["key"]] for row in wager["rows"]] == [row["name"] for row in wager["rows"]]
        assert texts.get(wager.get("group_key"), "") == wager["group"]


@pytest.mark.parametrize("table", ASKING)
def test_one_open_round_a_table_to_come_back_to(house: Open, table: str) -> None:
    guest = house.guest()
    waiting = guest.open(table)
    other = guest.bet(table)
    assert (other.status_code, other.json()["code"], other.json()["round"]) == (409, "round-open", waiting["id"])
    assert guest.sit(table)["round"] == guest.get(f"/rounds/{waiting['id']}") == waiting
    me = guest.me()
    assert [line["id"] for line in me["open_rounds"]] == [waiting["id"]]
    assert me["held"] == waiting["staked"] - decided(waiting)[0], "what is decided is paid or gone"
    assert guest.ask("POST", f"/tables/{table}/seed").json()["code"] == "round-open"
    done = guest.finish(waiting)
    assert guest.sit(table)["round"] is None
    assert guest.me()["held"] == 0
    assert guest.choose(done["id"], "stand", len(done["choices"])).json()["code"] == "round-closed"


def test_three_seats_of_one_player_and_no_more(house: Open) -> None:
    guest = house.guest()
    done = guest.play("blackjack-poker-pairs", [{"main": 1000}, {"main": 2000, "pairs": 100}, {"main": 500}])
    assert [list(seat) for seat in done["view"]["wagers"]] == [["main"], ["main", "pairs"], ["main"]]
    four = guest.bet("blackjack-poker-pairs", [{"main": 1000}] * 4)
    assert (four.status_code, four.json()["code"]) == (422, "bad-seats")
    assert guest.bet("three-card-poker", [{"ante": 1000}] * 2).json()["code"] == "bad-seats"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"wagers": {"card-A": 500}, "seats": [{"card-A": 500}]}, 422, "bad-seats"),
        ({}, 422, "bad-seats"),
        ({"wagers": {"card-Z": 500}}, 422, "unknown-wager"),
        ({"wagers": {"red": 500}}, 422, "no-opening-wager"),
        ({"wagers": {"card-A": 550}}, 422, "over-limit"),
        ({"wagers": {"card-A": 50_100}}, 422, "over-limit"),
        ({"wagers": {"card-A": 500}, "game": "three-card-poker"}, 422, "other-game"),
        ({"wagers": {"card-A": 500}, "commitment": "0" * 64}, 409, "other-commitment"),
        ({"wagers": {"card-A": 500}, "client_seed": "a\nb"}, 422, "bad-client-seed"),
        ({"wagers": {"card-A": 500}, "client_seed": "é" * 40}, 422, "bad-client-seed"),
        ({"wagers": {"card-A": 500}, "table": "la-pair"}, 404, "unknown-table"),
        ({"wagers": {"card-A": 0}}, 400, "bad-request"),
        ({"wagers": {"card-A": 500}, "spare": 1}, 400, "bad-request"),
    ],
)
def test_bets_that_are_refused_change_nothing(house: Open, body: dict[str, Any], status: int, code: str) -> None:
    guest = house.guest()
    before = guest.sit("la-paire")
    told = {"table": "la-paire", "client_seed": "luck", **body}
    answer = guest.ask("POST", "/rounds", new_name(), json=told)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert len(answer.json()["error"]) > 10
    assert guest.sit("la-paire") == before
    assert guest.get("/players/me/rounds")["rounds"] == []


def test_a_bet_needs_a_key_a_seat_and_the_money(house: Open) -> None:
    guest = house.guest()
    body = {"table": "la-paire", "wagers": {"card-A": 500}, "client_seed": "luck"}
    assert guest.ask("POST", "/rounds", json=body).json()["code"] == "bad-idempotency-key"
    two = guest.ask("POST", "/rounds", "one-key-1", json=body | {"idempotency_key": "two-keys-2"})
    assert two.json()["code"] == "bad-idempotency-key"
    unseated = guest.bet("la-paire")
    assert (unseated.status_code, unseated.json()["code"]) == (409, "not-seated")
    guest.sit("la-paire")
    poor = guest.bet("la-paire", [{"card-A": 50_000, "card-2": 50_000, "card-3": 100}])
    assert (poor.status_code, poor.json()["code"]) == (402, "no-funds")
    assert guest.balance == PLAY_MONEY


def test_a_stake_that_a_choice_brings_is_taken_or_the_choice_is_refused(house: Open) -> None:
    guest = house.guest()
    guest.sit("three-card-poker")
    waiting = guest.bet("three-card-poker", [{"ante": 50_000}]).json()
    guest.sit("la-paire")
    assert guest.bet("la-paire", [{"card-A": 500}]).status_code == 201
    held = guest.balance
    if held < 50_000:
        poor = guest.choose(waiting["id"], "play", 0)
        assert (poor.status_code, poor.json()["code"]) == (402, "no-funds")
        assert guest.balance == held
    assert guest.get(f"/rounds/{waiting['id']}") == waiting
    assert guest.choose(waiting["id"], "fold", 0).json()["state"] == "settled"


def test_choices_come_in_turn_and_from_the_list(house: Open) -> None:
    guest = house.guest()
    waiting = guest.open("three-card-poker")
    late = guest.choose(waiting["id"], "fold", 1)
    assert (late.status_code, late.json()["code"]) == (409, "out-of-turn")
    wrong = guest.choose(waiting["id"], "stand", 0)
    assert (wrong.status_code, wrong.json()["code"]) == (422, "illegal-choice")
    assert guest.get(f"/rounds/{waiting['id']}") == waiting


@pytest.mark.parametrize("table", list(BETS))
def test_a_repeated_bet_is_answered_with_the_same_bytes(house: Open, table: str) -> None:
    guest = house.guest()
    guest.sit(table)
    key = new_name()
    first = guest.bet(table, key=key)
    for _ in range(2):
        assert guest.bet(table, key=key).content == first.content
    guest.play("la-paire")  # the balance is another now
    assert guest.bet(table, key=key).content == first.content
    choice_key, choice = new_name(), None
    if first.json()["state"] == "open":
        awaiting = first.json()["view"]["awaiting"]["options"]
        choice = guest.choose(first.json()["id"], awaiting[0], 0, choice_key)
        assert choice.status_code == 200, choice.text
        guest.finish(choice.json())
    guest.play(table)
    guest.ask("POST", f"/tables/{table}/seed")
    assert guest.bet(table, key=key).content == first.content
    if choice is not None:
        assert guest.choose(first.json()["id"], awaiting[0], 0, choice_key).content == choice.content
    assert len(guest.get("/players/me/rounds", table=table)["rounds"]) >= 2
    other = guest.bet(table, key=key, client_seed="another")
    assert (other.status_code, other.json()["code"]) == (409, "key-reused")


def test_a_key_of_a_bet_is_no_key_for_a_choice(house: Open) -> None:
    guest = house.guest()
    guest.sit("three-card-poker")
    key = new_name()
    waiting = guest.bet("three-card-poker", key=key).json()
    assert guest.choose(waiting["id"], "fold", 0, key).json()["code"] == "key-reused"
    assert guest.get(f"/rounds/{waiting['id']}")["state"] == "open"


def test_a_refused_request_leaves_its_key_free(house: Open) -> None:
    guest = house.guest()
    guest.sit("la-paire")
    key = new_name()
    assert guest.bet("la-paire", [{"card-A": 150}], key=key).json()["code"] == "over-limit"
    assert guest.bet("la-paire", key=key).status_code == 201


def test_keys_of_two_players_do_not_meet(house: Open) -> None:
    one, two = house.guest(), house.guest()
    for guest in (one, two):
        guest.sit("la-paire")
    assert one.bet("la-paire", key="the-same-key").json()["id"] != two.bet("la-paire", key="the-same-key").json()["id"]


def test_the_same_request_from_many_tabs_at_once_is_one_deed(house: Open) -> None:
    guest = house.guest()
    guest.sit("nepal-super-baccarat")
    with concurrent.futures.ThreadPoolExecutor(8) as tabs:
        answers = list(tabs.map(lambda _: guest.bet("nepal-super-baccarat", key="one-deed-1").content, range(16)))
    assert len(set(answers)) == 1
    assert len(guest.get("/players/me/rounds")["rounds"]) == 1


def test_two_choices_at_once_are_one_choice(house: Open) -> None:
    guest = house.guest()
    waiting = guest.open("three-card-poker")
    with concurrent.futures.ThreadPoolExecutor(8) as tabs:
        answers = list(tabs.map(lambda _: guest.choose(waiting["id"], "fold", 0).status_code, range(8)))
    assert sorted(answers) == [200] + [409] * 7


def test_a_seed_of_a_refused_bet_plays_no_part_in_the_next(house: Open) -> None:
    guest = house.guest()
    guest.sit("la-paire")
    for number in range(4):  # on PostgreSQL the writers take turns, and each may remember
        for seed in ("one", "two", "three"):
            assert guest.bet("la-paire", client_seed=seed, commitment="0" * 64).json()["code"] == "other-commitment"
        assert guest.bet("la-paire", client_seed=f"real {number}").status_code == 201
    shown = guest.ask("POST", "/tables/la-paire/seed").json()["revealed"]["server_seed"]
    for line in guest.get("/players/me/rounds")["rounds"]:
        done = guest.get(f"/rounds/{line['id']}")
        assert done["proof"]["server_seed"] == shown
        assert dealt_again(done) == done["log"]["cards"]


def test_history_is_newest_first_in_pages_and_by_game(house: Open) -> None:
    guest = house.guest()
    played = [guest.play(table)["id"] for table in ("la-paire", "three-card-poker", "la-paire", "nepal-super-baccarat")]
    played += [guest.play("la-paire")["id"] for _ in range(3)]
    waiting = guest.open("three-card-poker")
    played = [line["id"] for line in guest.get("/players/me/rounds", limit=100)["rounds"]][::-1]
    pages, before = [], None
    while True:
        page = guest.get("/players/me/rounds", limit=3, **({"before": before} if before else {}))
        pages.append([line["id"] for line in page["rounds"]])
        before = page["next"]
        if before is None:
            break
    assert [one for page in pages for one in page] == played[::-1]
    assert [len(page) for page in pages[:-1]] == [3] * (len(pages) - 1)
    assert len(guest.get("/players/me/rounds", game="la-paire")["rounds"]) == 5
    assert guest.get("/players/me/rounds", table="nepal-super-baccarat")["next"] is None
    assert guest.get("/players/me/rounds", game="la-paire", table="three-card-poker")["rounds"] == []
    newest = guest.get("/players/me/rounds")["rounds"][0]
    assert (newest["id"], newest["state"], newest["returned"]) == (waiting["id"], "open", None)
    for limit in (0, 101, "many"):
        assert guest.ask("GET", "/players/me/rounds", params={"limit": limit}).status_code == 400


def test_a_replay_is_public_once_the_round_is_settled(house: Open) -> None:
    guest = house.guest()
    waiting = guest.open("three-card-poker")
    hidden = house.client.get(f"/rounds/{waiting['id']}/replay")
    assert (hidden.status_code, hidden.json()["code"]) == (404, "unknown-round")
    done = guest.finish(waiting)
    shown = house.client.get(f"/rounds/{waiting['id']}/replay")
    assert shown.status_code == 200
    assert shown.json() == {**done, "replay": True, "balance": 0}


def test_a_round_goes_on_in_another_process(new_database: Any) -> None:
    for kind in ("sqlite", "postgresql"):
        url = new_database(kind)
        first, second = open_house(url), open_house(url)
        here, there = next(first), next(second)
        guest = here.guest()
        waiting = guest.open("blackjack-poker-pairs")
        abroad = Guest(there.client, guest.token)
        assert abroad.get(f"/rounds/{waiting['id']}") == waiting
        assert abroad.finish(waiting)["state"] == "settled"
        assert guest.get(f"/rounds/{waiting['id']}")["state"] == "settled"
        deal_from_shoe(here.house)
        coups = [person.play("nepal-super-baccarat") for person in (guest, abroad, guest, abroad)]
        ends = [coup["proof"]["first_card"] + coup["proof"]["cards_used"] for coup in coups]
        assert [coup["proof"]["first_card"] for coup in coups] == [0, *ends[:-1]]
        assert [coup["round"] for coup in guest.sit("nepal-super-baccarat")["coups"]] == [c["id"] for c in coups]
        for one in (first, second):
            assert next(one, None) is None


def test_a_bet_too_soon_says_when_it_can_be_made_and_is_then_taken(own_house: Open) -> None:
    """With the same key: nothing was done the first time."""
    own_house.house.pit.round_ms_min = 20_000
    guest = own_house.guest()
    done = guest.play("la-paire")
    early = guest.bet("la-paire", key="again-please")
    assert (early.status_code, early.json()["code"]) == (429, "too-soon")
    assert 0 < early.json()["retry_ms"] <= 20_000
    assert early.headers["Retry-After"] == str(-(-early.json()["retry_ms"] // 1000))
    assert guest.balance == done["balance"]
    own_house.clock.pass_minutes(1)
    assert guest.bet("la-paire", key="again-please").status_code == 201
