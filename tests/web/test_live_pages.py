"""Live tables in real browsers: people at one felt, on desks and on a phone, and somebody who watches."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from api_house import Open, served
from pairhouse.games.catalogue import find
from pairhouse.house.live import round_opening
from web_live import BACCARAT, CLOCK, DESK, PAIR, PAIRE, PHONE, POKER, Person
from web_table import PATIENCE_MS, SERVER_SEED, client_seed

HURRIED = {**CLOCK, "decision": 10_000}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Open]:
    """A house with live tables, dealt by a real server, whose secret seeds are known here."""
    patch = pytest.MonkeyPatch()
    patch.setattr(round_opening, "new_seed", lambda: SERVER_SEED)
    with served(f"sqlite:///{tmp_path_factory.mktemp('live') / 'house.db'}", deals=True) as house:
        for table, seats in ((POKER, 7), (BACCARAT, None), (PAIR, 7), (PAIRE, None)):
            clock = {"seats": seats, **(HURRIED if table == PAIR else CLOCK)}
            answer = house.client.put(f"/admin/tables/{table}/live", json=clock, headers=house.office().headers)
            assert answer.status_code == 200, answer.text
        yield house
    patch.undo()


@pytest.fixture
def person(live: Open, chromium: Browser) -> Iterator[Any]:
    """People who come in; they leave their seats and the house after the test."""
    came: list[Person] = []

    def come(size: tuple[int, int] = DESK, **likes: Any) -> Person:
        came.append(Person(chromium, str(live.client.base_url), size, **likes))
        return came[-1]

    yield come
    for each in came:
        each.stand_up()
        each.close()


def play_rounds(players: list[Person], watcher: Person, rounds: int, shots: Path | None = None) -> None:
    """Everybody bets; the second folds, the others play; nobody is ever sent a face that is not theirs."""
    for number in range(rounds):
        for each in players:
            each.at("betting")
            each.bet("ante", "pairplus")
        begun = {each: len(each.wire) for each in (*players, watcher)}
        for each in players:
            each.press("deal")
        players[0].at("choosing", "dealing", "after")
        round_id, sent, pages = decide(players, watcher, begun, shots if number == 0 else None)
        for each in begun:
            each.settled(round_id)
        check_round(players, round_id, sent, pages)
        for other in (players[0], *players[2:], watcher):
            told = since(other, begun[other])
            assert not [face for face in players[1].own_cards(round_id) if f'"{face}"' in told], (
                "a folded hand was sent"
            )
    for each in (*players, watcher):
        assert each.wire.since(0).count("\ndata: {") >= 5 * rounds, "the bytes of the stream can be read"


def decide(
    players: list[Person], watcher: Person, begun: dict[Person, int], shots: Path | None
) -> tuple[str, dict[Person, str], dict[Person, str]]:
    """One after another; the round, and what each was sent and had on the page before any hand was shown."""
    sent: dict[Person, str] = {}
    pages = dict.fromkeys((*players, watcher), "")
    round_id = ""
    for each in players:
        round_id = each.at("choosing")
        pages = {reader: before + reader.on_page() for reader, before in pages.items()}
        if shots is not None:
            each.page.screenshot(path=shots / f"live-poker-turn-{players.index(each)}.png")
        if each is players[-1]:  # this choice ends the round
            sent = {reader: since(reader, begun[reader]) for reader in pages}
        each.choose("fold" if each is players[1] else "play")
    return round_id, sent, pages


def check_round(players: list[Person], round_id: str, sent: dict[Person, str], pages: dict[Person, str]) -> None:
    """Nobody had another's cards before they were shown; every view keeps to it, too."""
    for owner in players:
        cards = owner.own_cards(round_id)
        assert None not in cards
        assert f'aria-label="{in_words(cards[0])}"' in pages[owner], "a card is found where it lies"
        assert f'"{cards[0]}"' in sent[owner], "and where it was sent"
        for other, page in pages.items():
            if other is not owner:
                check_unknown(cards, sent[other], page)
    for reader in pages:
        assert reader.news(round_id)
        for view in reader.news(round_id):
            check_hidden(view)


def since(reader: Person, begun: int) -> str:
    """Every byte that a browser was sent since then: answers of all kinds, and streams."""
    reader.page.wait_for_timeout(50)
    return reader.wire.since(begun)


def check_unknown(cards: list[str], sent: str, page: str) -> None:
    """Nothing that was sent, shown or kept names one of these cards. The pack has each only once."""
    assert sent
    for face in cards:
        assert f'"{face}"' not in sent, f"{face} was sent to somebody else"
        assert f'aria-label="{in_words(face)}"' not in page, f"{face} lies on another's page"
        assert f'"{face}"' not in page, f"{face} is kept by another's page"


def in_words(face: str) -> str:
    """A card as the page says it to those who cannot see it."""
    ranks = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
    suits = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
    return f"{ranks.get(face[:-1], face[:-1])} of {suits[face[-1]]}"


def check_hidden(view: dict[str, Any]) -> None:
    """Before a hand is turned up for everybody, only its owner is told its faces."""
    shown = {event.get("seat") for event in view.get("events", ()) if event["event"] == "turned-up"}
    for event in view.get("events", ()):
        if event["event"] == "dealt" and event.get("seat") not in {None, view["seat"]} | shown:
            assert event.get("card") is None, event


def three_and_a_watcher(person: Any) -> tuple[list[Person], Person]:
    players = [person(), person(PHONE), person()]
    watcher = person()
    for each in (*players, watcher):
        each.sit(POKER)
    for seat, each in zip((2, 3, 5), players, strict=True):
        each.take(seat)
    return players, watcher


def test_three_people_play_and_a_fourth_watches(person: Any, artefacts: Path) -> None:
    """One on a phone; a reload in the middle of a round leads back to the same moment."""
    players, watcher = three_and_a_watcher(person)
    play_rounds(players, watcher, 1, artefacts)
    first = players[0].closed()
    anna, bert, carla = players
    for each in players:
        each.at("betting")
        each.bet("ante").press("deal")
    round_id = anna.at("choosing")
    before = anna.page.locator("[data-own] .card").all_inner_texts()
    anna.page.reload()
    assert anna.at("choosing") == round_id
    assert anna.page.locator("[data-own] .card").all_inner_texts() == before
    assert watcher.page.locator('[data-plate="2"].turn').count() == 1
    anna.page.keyboard.press("p")
    bert.at("choosing")
    bert.choose("play")
    carla.at("choosing")
    assert anna.page.inner_text("[data-watching]") == "1 watching"
    carla.choose("fold")
    anna.closed(after=first)
    anna.open("fairness")
    anna.page.locator("[data-seed-of]").nth(2).wait_for()
    assert anna.page.locator("li.withheld").count() == 0


def test_a_result_is_seen_although_the_next_round_has_begun(person: Any) -> None:
    """At the usual speed the cards are shown for longer than the pause between two rounds; own seat first on a phone."""
    anna, bert = person(PHONE, speed="normal"), person()
    for seat, each in ((2, anna), (6, bert)):
        each.sit(POKER)
        each.take(seat)
        each.bet("ante")
    anna.press("deal")
    bert.press("deal")
    assert anna.page.locator(".seats [data-plate]").first.get_attribute("data-plate") == "2"
    round_id = anna.at("choosing")
    anna.choose("play")
    bert.at("choosing")
    bert.choose("play")
    bert.closed()
    anna.page.wait_for_selector(f'.table[data-round="{round_id}"][data-phase="after"]', timeout=PATIENCE_MS)
    assert '"phase":"betting"' in anna.heard[-1], "the next round is open"
    anna.page.wait_for_timeout(1_000)
    assert anna.at("after") == round_id
    anna.at("betting")
    assert "The round before" in anna.prompt()


@pytest.mark.slow
def test_ten_rounds_of_three_people(person: Any) -> None:
    players, watcher = three_and_a_watcher(person)
    play_rounds(players, watcher, 10)


def test_two_people_bet_on_one_coup(person: Any, artefacts: Path) -> None:
    """One deal for both; each sees the other's chips, and a lone bettor waits for nobody."""
    anna, bert = person(), person(PHONE)
    for each in (anna, bert):
        each.sit(BACCARAT)
    anna.bet("player", "tie")
    anna.page.wait_for_selector('[data-chips-of], [data-plate="1"]')
    bert.page.wait_for_selector('[data-wager="player"] [data-chips-of="1"]')
    bert.bet("banker", "player")
    anna.page.wait_for_selector('[data-wager="banker"] [data-chips-of="2"]')
    for size, each in (("desk", anna), ("phone", bert)):
        each.page.screenshot(path=artefacts / f"live-baccarat-{size}.png")
    anna.press("deal")
    bert.press("deal")
    first = anna.closed()
    assert bert.closed() == first
    hands = [[hand["cards"] for hand in each.news(first)[-1]["hands"]] for each in (anna, bert)]
    assert hands[0] == hands[1]
    anna.at("betting")
    assert anna.page.locator(".bead svg text").count() == 1
    late = person(PHONE)  # the roads are the table's, not what a browser has seen
    late.sit(BACCARAT)
    late.page.wait_for_selector(".big svg circle, .big svg path")
    assert roads(late) == roads(anna)
    bert.press("leave-seat")
    anna.press("rebet").press("deal")
    assert anna.closed(after=first) != first
    anna.at("betting")
    _, me = anna.api("GET", "/players/me")
    assert anna.status("balance") == me["balance"]


def roads(person: Person) -> list[str]:
    """What the tallies say; the big road beside them is drawn from the same coups."""
    return [" ".join(text.split()) for text in person.page.locator(".tally").all_inner_texts()]


def test_everybody_has_the_roads_of_the_shoe(person: Any, live: Open, artefacts: Path) -> None:
    """Dealt from a shoe: who comes late, and who was away for a coup, sees every coup of it and what is left."""
    office = live.office()
    change = {"shuffle": "shoe", "round_ms_min": 0}
    assert office.ask("PATCH", "/admin/tables/nepal-super-baccarat-6", json=change).status_code == 200
    table = "nepal-super-baccarat-6"
    assert office.ask("PUT", f"/admin/tables/{table}/live", json={"seats": None, **CLOCK}).status_code == 200
    anna, bert = person(), person(PHONE)
    for each in (anna, bert):
        each.sit(table)
    anna.at("betting")
    anna.bet("player").press("deal")
    first = anna.closed()
    anna.at("betting")
    bert.context.set_offline(offline=True)
    anna.press("rebet").press("deal")
    second = anna.closed(after=first)
    anna.at("betting")
    bert.context.set_offline(offline=False)
    late = person((844, 390))
    late.sit(table)
    for each in (bert, late):
        each.page.wait_for_function(COUPS_SHOWN, arg=2, timeout=PATIENCE_MS)
        assert roads(each)[0] == roads(anna)[0]
    shoe = anna.news(second)[-1]["shoe"]
    assert len(shoe["results"]) == 2
    assert f"{312 - shoe['left']} of 312" in anna.page.inner_text(".shoe-bar")
    for name, each in (("desk", anna), ("phone", bert), ("landscape", late)):
        each.page.screenshot(path=artefacts / f"live-shoe-{name}.png")


# Player, Banker and Tie together.
COUPS_SHOWN = """many => (document.querySelector('.tally')?.textContent.match(/\\d+/g) ?? [])
    .reduce((sum, text) => sum + Number(text), 0) === many"""


def test_pair_is_paid_before_the_hand_is_played(person: Any, artefacts: Path) -> None:
    """Seven seats on the desk, one's own on the phone; what PAIR wins is in the balance at the first question."""
    anna, bert = person(), person(PHONE)
    anna.sit(PAIR)
    assert [plate.get_attribute("data-take") for plate in anna.page.locator("[data-take]").all()] == list("7654321")
    seed = client_seed(find("pair-v3").variant({"decks": 6}), is_pair_of_fives)
    anna.likes(ownSeed=seed)
    anna.take(4)
    anna.bet("main", "pair", seat=4)
    bert.sit(PAIR)
    bert.page.wait_for_selector('[data-plate="4"]')
    anna.press("deal")
    round_id = anna.at("choosing")
    anna.page.wait_for_function("() => document.querySelector('[data-status=balance]').textContent === '1,010.00'")
    for name, each in (("desk", anna), ("phone", bert)):
        each.page.screenshot(path=artefacts / f"live-pair-{name}.png")
    asked = next(view for view in anna.news(round_id) if view.get("turn"))
    assert asked["seats"][0]["result"]["main"]["returned"] is None
    anna.page.wait_for_selector("text=Your time ran out: Stand", timeout=PATIENCE_MS)
    bert.page.wait_for_selector("text=time ran out: Stand")
    anna.closed()
    anna.press("leave-seat")


def is_pair_of_fives(cards: list[str]) -> bool:
    """The player has two fives, the dealer shows something else and no ace."""
    return cards[0][:-1] == cards[2][:-1] == "5" and cards[0] != cards[2] and cards[1][:-1] not in ("5", "A")


def test_everybody_is_told_of_a_void_at_once(person: Any, live: Open, artefacts: Path) -> None:
    """La Pair'e: chips in one's own colour; a misdeal is told in a sentence, and the money is back."""
    anna, bert = person(), person((844, 390))
    for each in (anna, bert):
        each.sit(PAIRE)
    anna.bet("card-7", "red")
    bert.page.wait_for_selector('[data-wager="card-7"] [data-chips-of="1"]')
    bert.bet("card-7")
    anna.page.wait_for_selector('[data-wager="card-7"] [data-chips-of="2"]')
    for size, each in (("desk", anna), ("landscape", bert)):
        each.page.screenshot(path=artefacts / f"live-paire-{size}.png")
    void = {"reason": "misdeal", "cards": 4}
    answer = live.client.post(f"/admin/tables/{PAIRE}/live/void", json=void, headers=live.office().headers)
    assert answer.status_code == 200, answer.text
    for each in (anna, bert):
        each.page.wait_for_selector("text=Misdeal: 4 cards dealt", timeout=PATIENCE_MS)
        each.at("betting")
        each.page.wait_for_function("() => document.querySelector('[data-status=balance]').textContent === '1,000.00'")


def test_the_lobby_has_live_tables_in_a_group_of_their_own(person: Any, artefacts: Path) -> None:
    anna = person()
    listed = {line.get_attribute("data-live-table") for line in anna.page.locator("[data-live-table]").all()}
    assert listed >= {POKER, BACCARAT, PAIR, PAIRE}
    assert anna.page.locator(f'article [data-table="{POKER}"]').count() == 0
    seated = int(anna.page.get_attribute(f'[data-live-table="{POKER}"] [data-seated]', "data-seated") or 0)
    anna.page.click(f'[data-live-table="{POKER}"]')
    anna.at("betting")
    anna.take(1)
    anna.page.goto(f"{anna.url}#/")
    anna.page.wait_for_selector(f'[data-live-table="{POKER}"] [data-seated="{seated + 1}"]')
    anna.page.screenshot(path=artefacts / "live-lobby.png", full_page=True)
    anna.sit(POKER)
    anna.press("leave-seat")
    anna.page.wait_for_selector('.live[data-seat=""]')


def test_a_table_for_friends_by_its_link(person: Any) -> None:
    """It is in nobody's lobby; who has the link sits down, and a lone player waits for nobody."""
    anna, bert = person(), person((320, 640))
    anna.context.grant_permissions(["clipboard-read", "clipboard-write"])
    anna.page.click(f'[data-friends="{POKER}"]')
    anna.at("betting")
    anna.press("copy-link")
    link = anna.page.evaluate("() => navigator.clipboard.readText()")
    bert.page.reload()
    bert.page.wait_for_selector("[data-live-table]")
    assert link.rpartition("/")[2] not in {
        line.get_attribute("data-live-table") for line in bert.page.locator("[data-live-table]").all()
    }
    bert.page.goto(link)
    bert.at("betting")
    bert.take(7)
    bert.bet("ante", "pairplus")
    anna.page.wait_for_selector('[data-plate="7"] .sum:text-is("10")')
    bert.page.reload()  # the bet and the seed outlast it
    bert.at("betting")
    bert.page.wait_for_selector('[data-status="bet"]:text-is("10.00")')
    bert.press("deal")
    round_id = bert.at("choosing")
    anna.page.wait_for_selector('[data-plate="7"].turn')
    tab = bert.context.new_page()  # a second window is at the same moment
    tab.goto(link)
    tab.wait_for_selector(f'.table[data-round="{round_id}"] [data-choice="play"]')
    bert.context.set_offline(offline=True)
    bert.page.wait_for_selector("text=No connection", timeout=PATIENCE_MS)
    bert.context.set_offline(offline=False)
    tab.click('[data-choice="play"]')
    assert bert.closed() == round_id
    assert bert.news(round_id)[-1].get("withheld", []) == []


def test_whoever_asks_gets_the_seat_of_who_went_without_a_word(person: Any, live: Open) -> None:
    """All seats are taken, and no round is played: the page says how to come to one."""
    there = [live.guest() for _ in range(7)]
    seat = f"/tables/{POKER}/live/seat"
    assert [guest.ask("POST", seat, "sit-down-1", json={}).status_code for guest in there] == [200] * 7
    anna = person(PHONE)
    anna.sit(POKER).press("ask-seat")
    anna.page.wait_for_selector("text=Every seat is taken. You can watch, or choose another table.")
    live.clock.pass_minutes(4)
    anna.press("ask-seat")
    anna.page.wait_for_selector('.live[data-seat="1"]')
    assert anna.page.locator('[data-command="ask-seat"]').count() == 0
    for guest in there[1:]:
        guest.ask("DELETE", seat, "stand-up-1")
