"""Live tables over HTTP: two people and a spectator at one table, streams that resume, and what nobody may see."""

import secrets
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx
import pytest

import verifiers
from api_house import served
from guests import Guest
from live_reader import Reader
from pairhouse.games.floor_plan import FLOOR_PLAN
from pairhouse.house.floor import change_game, change_table
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.store.transaction import WriteTx
from pairhouse.rounds.shared_seeds import seed_commitment
from pairhouse.rounds.verify import first_difference, verify
from pairhouse.server.live.dealing import LOOK_EVERY_S

TABLE = "three-card-poker"
CLOCK = {"seats": 7, "betting": 8_000, "seeds": 1_500, "decision": 5_000, "grace": 200, "pause": 200}


def phase(name: str) -> Any:
    return lambda news: news["view"] is not None and news["view"]["phase"] == name


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with served(f"sqlite:///{tmp_path_factory.mktemp('live')}/house.db", deals=True) as house:
        office = house.office()
        answer = house.client.put(f"/admin/tables/{TABLE}/live", json=CLOCK, headers=office.headers)
        assert answer.status_code == 200, answer.text
        yield house


def act(guest: Guest, method: str, what: str, body: Any = None, key: str | None = None) -> httpx.Response:
    return guest.ask(method, f"/tables/{TABLE}/live/{what}", key=key or secrets.token_hex(8), json=body)


def bet(guest: Guest, seed: str) -> httpx.Response:
    stakes = {"ante": 1000, "pairplus": 500}
    return act(guest, "PUT", "bet", {"stakes": stakes, "seed": seed_commitment(seed)})


def test_two_people_and_a_spectator_at_one_table(house: Any) -> None:
    """Each gets their own cards by push; the spectator none; after the round everybody can verify the seeds."""
    anna, bert = house.guest(), house.guest()
    assert act(anna, "POST", "seat", {"seat": 2}).json()["seat"] == 2
    assert act(bert, "POST", "seat", {}).json()["seat"] == 1
    readers = [
        Reader(str(house.client.base_url), TABLE, anna.token),
        Reader(str(house.client.base_url), TABLE, bert.token),
        Reader(str(house.client.base_url), TABLE),
    ]
    readers[2].until(phase("betting"))
    for guest, seed in ((anna, "seed of anna"), (bert, "seed of bert")):
        done = bet(guest, seed)
        assert done.status_code == 200, done.text
        assert act(guest, "POST", "ready").status_code == 200
    for reader in readers:
        reader.until(phase("seeds"))
    for guest, seed in ((anna, "seed of anna"), (bert, "seed of bert")):
        assert act(guest, "POST", "seed", {"seed": seed}).status_code == 200
    dealt = [reader.until(phase("playing")) for reader in readers]
    hands = [{hand.get("seat"): hand["cards"] for hand in news["view"]["hands"]} for news in dealt]
    assert None not in hands[0][2]
    assert hands[0][1] == [None] * 3
    assert None not in hands[1][1]
    assert hands[2][1] == hands[2][2] == [None] * 3
    assert dealt[1]["view"]["turn"]["options"] == ["play", "fold"]
    late = act(anna, "POST", "choices", {"choice": "play", "number": 0})
    assert (late.status_code, late.json()["code"]) == (409, "out-of-turn")
    assert act(bert, "POST", "choices", {"choice": "fold", "number": 0}).status_code == 200
    assert act(anna, "POST", "choices", {"choice": "play", "number": 1}).status_code == 200
    closed = readers[2].until(phase("closed"))["view"]
    assert closed["seeds"] == [
        {"seat": 2, "commitment": seed_commitment("seed of anna"), "seed": "seed of anna"},
        {"seat": 1, "commitment": seed_commitment("seed of bert"), "seed": "seed of bert"},
    ]
    assert len(closed["server_seed"]) == 64
    records = [guest.ask("GET", f"/live/rounds/{closed['round_id']}").json() for guest in (anna, bert)]
    records.append(httpx.get(f"{house.client.base_url}/live/rounds/{closed['round_id']}").json())
    assert [record["mixed"].get("seat") for record in records] == [2, 1, None]
    for record in records:
        assert first_difference(verify(record)) is None
        assert verifiers.python_says(record) == ""
        assert record["mixed"]["withheld"] == []
    for reader in readers:
        reader.close()
    for face in hands[1][1]:  # bert folded, so nobody else may ever see his cards before the seed is open
        assert f'"{face}"'.encode() not in readers[2].raw.split(b'"phase":"closed"')[0]


def test_nobody_opens_the_seed_of_another(house: Any) -> None:
    """Whoever copies a commitment, or opens another's seed, has no more say in the cards than before."""
    anna, bert, copy = house.guest(), house.guest(), house.guest()
    reader = Reader(str(house.client.base_url), TABLE)
    reader.until(phase("betting"))
    for guest in (anna, bert, copy):
        assert act(guest, "POST", "seat", {}).status_code == 200
    for guest, seed in ((anna, "seed of anna"), (bert, "seed of bert"), (copy, "seed of bert")):
        assert bet(guest, seed).status_code == 200
        early = act(guest, "POST", "seed", {"seed": seed})
        assert (early.status_code, early.json()["code"]) == (422, "bad-seed")
    for guest in (anna, bert, copy):
        act(guest, "POST", "ready")
    round_id = reader.until(phase("seeds"))["view"]["round_id"]
    wrong = act(anna, "POST", "seed", {"seed": "seed of bert"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "bad-seed")
    for guest, seed in ((bert, "seed of bert"), (copy, "seed of bert"), (anna, "seed of anna")):
        assert act(guest, "POST", "seed", {"seed": seed}).status_code == 200
    again = act(bert, "POST", "seed", {"seed": "seed of bert"})
    assert (again.status_code, again.json()["code"]) == (422, "bad-seed")
    for number, guest in enumerate((anna, bert, copy)):
        act(guest, "POST", "choices", {"choice": "fold", "number": number})
    closed = reader.until(lambda news: phase("closed")(news) and news["view"]["round_id"] == round_id)["view"]
    assert sorted(line["seed"] for line in closed["seeds"]) == ["seed of anna", "seed of bert", "seed of bert"]
    record = anna.ask("GET", f"/live/rounds/{round_id}").json()
    assert first_difference(verify(record)) is None
    assert verifiers.python_says(record) == ""
    for guest in (anna, bert, copy):
        act(guest, "DELETE", "seat")
    reader.close()


def test_a_reader_who_was_away_goes_on_where_they_were(house: Any) -> None:
    first = Reader(str(house.client.base_url), TABLE)
    number = first.until(phase("betting"))["number"]
    first.close()
    guest = house.guest()
    act(guest, "POST", "seat", {})
    assert bet(guest, "mine").status_code == 200
    again = Reader(str(house.client.base_url), TABLE, after=str(number))
    news = again.until(lambda news: True)
    assert [entry["entry"] for entry in news["entries"]][-1] == "bet"
    assert news["number"] > number
    again.close()
    act(guest, "PUT", "bet", {"stakes": {}, "seed": seed_commitment("mine")})
    act(guest, "DELETE", "seat")


def test_nobody_plays_alone_at_a_live_table_and_a_private_one_is_not_live(house: Any) -> None:
    guest = house.guest()
    answer = guest.ask("GET", "/tables/la-paire/live")
    assert (answer.status_code, answer.json()["code"]) == (404, "not-live")
    assert guest.ask("POST", f"/tables/{TABLE}/sit").status_code == 200
    alone = guest.ask(
        "POST", "/rounds", key="alone-alone", json={"table": TABLE, "wagers": {"ante": 1000}, "client_seed": "x"}
    )
    assert (alone.status_code, alone.json()["code"]) == (409, "table-closed")
    assert "several people play" in alone.json()["error"]
    listed = house.client.get("/live").json()["tables"]
    shipped = {table.id: table.clock.seats for table in FLOOR_PLAN if table.clock is not None}
    assert {line["table"]: line["seats"] for line in listed} == {**shipped, TABLE: 7}
    texts = house.client.get("/texts").json()
    assert all(texts[line["name_key"]] == line["name"] for line in listed)


def test_bad_requests_are_sentences(house: Any) -> None:
    guest = house.guest()
    assert act(guest, "PUT", "bet", {"stakes": {"ante": 1000}, "seed": "x"}).status_code == 400
    assert bet(guest, "x").json()["code"] == "not-seated"
    assert act(guest, "POST", "seat", {"seat": 9}).json()["code"] == "bad-seats"
    no_key = guest.ask("POST", f"/tables/{TABLE}/live/ready")
    assert no_key.json()["code"] == "bad-idempotency-key"
    act(guest, "POST", "seat", {})
    unknown = act(guest, "PUT", "bet", {"stakes": {"jackpot": 100}, "seed": seed_commitment("x")})
    assert unknown.status_code == 422, unknown.text
    act(guest, "DELETE", "seat")


def test_a_supervisor_voids_a_round_and_everybody_is_told(house: Any) -> None:
    guest, office = house.guest(), house.office()
    assert act(guest, "POST", "seat", {}).status_code == 200
    before = guest.balance
    reader = Reader(str(house.client.base_url), TABLE)
    reader.until(phase("betting"))
    bet(guest, "y")
    assert guest.balance == before - 1500
    done = house.client.post(f"/admin/tables/{TABLE}/live/void", json={"reason": "malfunction"}, headers=office.headers)
    assert done.status_code == 200, done.text
    told = reader.until(lambda news: (news["view"] or {}).get("void") == "malfunction")
    assert told["view"]["phase"] == "closed"
    assert guest.balance == before
    reader.close()


@pytest.mark.parametrize("change", ["options", "table", pytest.param("game", marks=pytest.mark.slow)])
def test_who_waits_at_a_quiet_table_is_dealt_to_after_it_was_changed(house: Any, change: str) -> None:
    """A round without bets that made way for a change is followed by the next, though nobody acts at the table."""
    guest, by = house.guest(), house.house
    assert act(guest, "POST", "seat", {}).status_code == 200
    reader = Reader(str(house.client.base_url), TABLE)
    before = reader.until(phase("betting"))["view"]["round_id"]
    if change == "options":
        for pairplus in ("40-30-5-4-1", "40-30-6-3-1"):
            options = {"options": {"pairplus": pairplus}}
            assert house.office().ask("PATCH", f"/admin/tables/{TABLE}", json=options).status_code == 200
    else:  # by hand, from another process
        by.do(partial(set_status, change=change, status="closed"))
        by.do(partial(LiveFloor(by.vault, by.pit.guard).end_empty_round, by="anna", table_id=TABLE))
        time.sleep(1.5 * LOOK_EVERY_S)  # until the dealer has seen that there is nothing to do
        by.do(partial(set_status, change=change, status="open"))
    reader.until(lambda news: phase("betting")(news) and news["view"]["round_id"] != before)
    assert bet(guest, "z").status_code == 200
    reader.close()
    act(guest, "DELETE", "seat")


def set_status(tx: WriteTx, change: str, status: str) -> None:
    if change == "game":
        return change_game(tx, "anna", TABLE, status)
    change_table(tx, "anna", TABLE, {"status": status})
    return None


def coup_in(name: str, coup: int) -> Any:
    return lambda news: phase(name)(news) and news["view"]["shoe"]["coup"] == coup


def test_a_shared_shoe_is_told_and_verified_over_http(house: Any) -> None:
    """[NSB-40] Whoever comes late has the roads of the whole shoe; a record is verified from its first card."""
    table = "live-nepal-super-baccarat"
    here, guest = f"/tables/{table}/live", house.guest()
    assert guest.ask("POST", f"{here}/seat", "sit-at-shoe", json={}).status_code == 200
    reader = Reader(str(house.client.base_url), table)
    rounds = []
    for coup in (1, 2):
        open_view = reader.until(coup_in("betting", coup))
        shoe = open_view["view"]["shoe"]
        assert (len(shoe["results"]), shoe["cut_card"], shoe["cards"]) == (coup - 1, 260, 416)
        body = {"stakes": {"player": 1000}, "seed": seed_commitment(f"coup {coup}")}
        assert guest.ask("PUT", f"{here}/bet", f"bet-on-coup-{coup}", json=body).status_code == 200
        assert guest.ask("POST", f"{here}/ready", f"ready-coup-{coup}").status_code == 200
        opened = guest.ask("POST", f"{here}/seed", f"seed-of-coup-{coup}", json={"seed": f"coup {coup}"})
        assert opened.status_code == 200, opened.text
        view = reader.until(coup_in("closed", coup))["view"]
        assert len(view["shoe"]["results"]) == coup
        rounds.append(view["round_id"])
    late = httpx.get(f"{house.client.base_url}{here}").json()["view"]["shoe"]
    assert [line["winner"] in ("player", "banker", "tie") for line in late["results"]] == [True, True]
    record = guest.ask("GET", f"/live/rounds/{rounds[1]}").json()
    assert [coup["round"] for coup in record["shoe"]["before"]] == rounds[:1]
    assert first_difference(verify(record)) is None
    assert verifiers.python_says(record) == ""
    reader.close()
