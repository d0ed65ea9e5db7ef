"""Tokens, passwords, keys and seeds stand in no log and in no column; cards stand in no answer before they are up."""

import logging
import re
from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from api_house import Open
from guests import ASKING, BETS, Guest, Office, new_name
from pairhouse.games.catalogue import find
from pairhouse.house.store.schema import metadata
from pairhouse.machines.replay import replay
from pairhouse.rounds.fairness import Order, WordStream

CARD = re.compile(r"(?<![A-Za-z0-9])(?:(?:10|[2-9AJQK])[cdhs]|X\d)(?![A-Za-z0-9])")
TEXT_KEY = re.compile(r"[a-z0-9-]+/(?:hands|warns/[a-z-]+)/[A-Za-z0-9-]+")


def seeds_of(house: Open) -> dict[str, bytes]:
    """Every server seed there is, by the id of its stream: the vault is opened for this."""
    with house.house.database.reading() as tx:
        tx.raw("SELECT id, sealed_seed FROM streams")
        return {row[0]: house.house.vault.open(bytes(row[1]), row[0]) for row in tx._cursor.fetchall()}


def everything_stored(house: Open) -> bytes:
    """Every column of every row, one after another."""
    whole = []
    with house.house.database.reading() as tx:
        for table in metadata.sorted_tables:
            tx.raw(f"SELECT * FROM {table.name}")
            for row in tx._cursor.fetchall():
                whole += [bytes(cell) if isinstance(cell, bytes | memoryview) else str(cell).encode() for cell in row]
    return b"\n".join(whole)


def test_no_secret_stands_in_a_log_or_a_column(own_house: Open, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    house, password = own_house, f"my secret {new_name()}"
    name = f"ada-{new_name()[:8]}"
    made = house.client.post("/players", json={"name": name, "password": password}).json()["token"]
    again = house.client.post("/sessions", json={"name": name, "password": password}).json()["token"]
    wrong = f"a wrong one {new_name()}"
    house.client.post("/sessions", json={"name": name, "password": wrong})
    guest, office = Guest(house.client, again), house.office()
    for table in BETS:
        guest.play(table)
    revealed = guest.ask("POST", "/tables/la-paire/seed").json()["revealed"]["server_seed"]
    guest.ask("POST", "/rounds", new_name(), content=b"{", headers={"Content-Type": "application/json"})
    house.client.get("/players/me", headers={"Authorization": f"Bearer {again}x"})
    break_a_route(house, guest)
    secrets = {
        made,
        again,
        password,
        wrong,
        office.key,
        house.client.cookies.get("pairhouse_session") or made,
        again + "x",
    }
    seeds = seeds_of(house)
    assert bytes.fromhex(revealed) in seeds.values()
    raw = set(seeds.values())
    logged = "\n".join(
        str(record.__dict__) + record.getMessage() + (record.exc_text or "") for record in caplog.records
    )
    stored = everything_stored(house)
    assert made.encode() not in stored
    for secret in secrets | {seed.hex() for seed in raw}:
        assert secret not in logged
        assert secret.encode() not in stored
    for seed in raw:
        assert seed not in stored
    assert b"$argon2id$" in stored
    assert "broken" in logged


def break_a_route(house: Open, guest: Guest) -> None:
    """Something of ours fails in the middle of a request: it is written down, without what the caller sent."""
    whole = house.house.pit.view
    house.house.pit.view = None  # type: ignore[assignment, method-assign]
    answer = guest.ask("GET", f"/rounds/{guest.get('/players/me/rounds')['rounds'][0]['id']}")
    house.house.pit.view = whole  # type: ignore[method-assign]
    assert (answer.status_code, answer.json()["code"]) == (500, "broken")
    assert "Traceback" not in answer.text
    assert "NoneType" not in answer.text


class Watcher:
    """Knows every card of a round from the sealed seed, and checks what an answer shows against it."""

    def __init__(self, house: Open) -> None:
        self.house = house

    def expected(self, view: Any) -> tuple[Counter[str], Counter[str], int]:
        """Faces that may lie open before the round's player, faces in its events, and how many cards lie face down."""
        with self.house.house.database.reading() as tx:
            tx.raw(
                f"SELECT stream_id, nonce, client_seeds, first_card, seats, options FROM rounds WHERE id = '{view['id']}'"
            )
            stream_id, nonce, client_seeds, first, seats, options = tx._cursor.fetchone()
            tx.raw(f"SELECT sealed_seed FROM streams WHERE id = '{stream_id}'")
            seed = self.house.house.vault.open(bytes(tx._cursor.fetchone()[0]), stream_id)
        variant = find(view["game"]).variant(msgspec.json.decode(options))
        stream = WordStream(seed, view["game"], variant.rules_hash, msgspec.json.decode(client_seeds), nonce)
        order = Order(stream, *variant.pack)[first : first + 60]
        known = replay(variant, order, msgspec.json.decode(seats), view["choices"])
        down: list[tuple[str | None, str | None]] = []
        shown: Counter[str] = Counter()
        events: Counter[str] = Counter()
        for event in known.events:
            if event.kind == "dealt" and event.face == "down":
                down.append((event.at, event.card))
                continue
            if event.kind == "turned-up" and (event.at, event.card) in down:
                down.remove((event.at, event.card))
                shown[str(event.card)] += 1
            elif event.kind == "dealt":
                shown[str(event.card)] += 1
            if event.card is not None:
                events[event.card] += 1
        return shown, events, len(down)

    def check(self, view: Any) -> None:
        """A view of an open round shows what lies open, and nothing else anywhere in it."""
        shown, events, down = self.expected(view)
        hands = [card for hand in view["view"]["hands"] for card in hand["cards"]]
        assert Counter(card for card in hands if card is not None) == shown
        assert hands.count(None) == down > 0
        assert all("key" not in hand and "name" not in hand for hand in view["view"]["hands"] if None in hand["cards"])
        assert Counter(event["card"] for event in view["view"]["events"] if event.get("card")) == events
        assert view.get("log") is None
        assert view["proof"]["server_seed"] is None
        rest = {**view, "view": {**view["view"], "hands": None, "events": None}}
        assert cards_in(rest) == []
        told = [event.get("text") for event in view["view"]["events"]] + [
            hand.get("name") for hand in view["view"]["hands"]
        ]
        assert cards_in(told) == []


def cards_in(told: object) -> list[str]:
    """Every face that is written anywhere in an answer but in the keys of texts, which name cards as an example."""
    return CARD.findall(TEXT_KEY.sub("", told if isinstance(told, str) else msgspec.json.encode(told).decode()))


def look_everywhere(
    house: Open, guest: Guest, stranger: Guest, office: Office, view: Any, key: str, first: Any
) -> None:
    """Ask every route about an open round, as its player, as another and as nobody."""
    watcher = Watcher(house)
    path = f"/rounds/{view['id']}"
    watcher.check(guest.get(path))
    watcher.check(guest.sit(view["table"])["round"])
    assert guest.bet(view["table"], first["seats"], key=key).content == first["answer"]
    silent = [
        guest.ask("GET", "/players/me"),
        guest.ask("GET", "/players/me/rounds"),
        guest.ask("GET", "/players/me/seeds"),
    ]
    silent += [guest.ask("GET", path + "/replay"), guest.bet(view["table"], first["seats"])]
    silent += [guest.choose(view["id"], "whistle", len(view["choices"])), guest.choose(view["id"], "stand", 99)]
    silent += [guest.ask("POST", f"/tables/{view['table']}/seed"), house.client.get(path + "/replay")]
    silent += [stranger.ask("GET", path), stranger.ask("GET", path + "/advice"), stranger.ask("GET", path + "/replay")]
    silent += [stranger.choose(view["id"], "stand", 0), stranger.ask("POST", f"/tables/{view['table']}/sit")]
    silent += [office.ask("GET", "/admin/hold"), house.client.get("/metrics")]
    for answer in silent:
        assert cards_in(answer.text) == [], answer.request.url
        assert all(seed.hex() not in answer.text for seed in seeds_of(house).values())


@pytest.mark.parametrize("table", ASKING)
def test_no_answer_shows_a_card_before_it_is_up(house: Open, table: str) -> None:
    random, watcher = Random(table), Watcher(house)
    guest = house.guest()
    guest.sit(table)
    count = (60 if "pair-v3" not in table else 30) if house.house.database.is_sqlite else 10
    for number in range(count):
        if guest.balance < 20_000:
            guest = house.guest()
            guest.sit(table)
        seats = BETS[table] * (random.randint(1, 3) if table == "blackjack-poker-pairs" else 1)
        seats = [dict.fromkeys(seat, 100) for seat in seats]
        key = new_name()
        answer = guest.bet(table, seats, key=key, client_seed=f"round {number}")
        assert answer.status_code == 201, answer.text
        view, first = answer.json(), answer.content
        while view["state"] == "open":
            watcher.check(view)
            if number % 20 == 0:
                assert guest.bet(table, seats, key=key, client_seed=f"round {number}").content == first
            word = random.choice(view["view"]["awaiting"]["options"])
            answer = guest.choose(view["id"], word, len(view["choices"]))
            assert answer.status_code == 200, answer.text
            view = answer.json()


@pytest.mark.parametrize("table", ASKING)
def test_no_route_shows_it_to_anybody(house: Open, table: str) -> None:
    guest, stranger, office = house.guest(), house.guest(), house.office("operator")
    guest.sit(table)
    for _ in range(3):
        key = new_name()
        answer = guest.bet(table, BETS[table], key=key)
        while answer.json()["state"] != "open":
            key = new_name()
            answer = guest.bet(table, BETS[table], key=key)
        first = {"seats": BETS[table], "answer": answer.content}
        look_everywhere(house, guest, stranger, office, answer.json(), key, first)
        guest.finish(answer.json())
    for chain in office.do("GET", "/admin/events")["chains"]:
        told = office.do("GET", "/admin/events", params={"chain": chain["chain"]})["events"]
        assert cards_in([event for event in told if "result" not in event["body"]]) == []


@pytest.mark.parametrize("table", ["la-paire", "nepal-super-baccarat"])
def test_a_game_without_choices_shows_what_was_dealt_and_nothing_of_the_rest(house: Open, table: str) -> None:
    guest = house.guest()
    guest.sit(table)
    for _ in range(60 if house.house.database.is_sqlite else 10):
        if guest.balance < 2_000:
            guest = house.guest()
            guest.sit(table)
        view = guest.bet(table, [dict.fromkeys(BETS[table][0], 100)]).json()
        seen = {card for hand in view["view"]["hands"] for card in hand["cards"]}
        assert len(view["log"]["cards"]) == view["proof"]["cards_used"]
        assert set(cards_in(view)) == set(view["log"]["cards"]) == seen
        assert view["proof"]["server_seed"] is None
        assert cards_in(guest.get("/players/me/rounds", limit=1)) == []
    assert cards_in(guest.ask("GET", "/players/me/seeds").text) == []
