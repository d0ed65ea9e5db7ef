"""The pit in a real browser: a supervisor leads the floor, and players at their own pages are told at once."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from api_house import Open, served
from command_line import pairhouse
from web.test_access import found_by_axe
from web_live import CLOCK, PAIRE, PHONE, POKER, Person
from web_table import PATIENCE_MS, Felt

PASSWORD = "a long sentence"
SLOW = {**CLOCK, "betting": 600_000, "decision": 600_000}
SIZES = {"phone": PHONE, "landscape": (844, 390), "desk": (1440, 900)}


class Supervisor:
    """Somebody of the staff at the page of the pit."""

    def __init__(self, browser: Browser, url: str, locale: str = "en-GB") -> None:
        self.context = browser.new_context(
            viewport={"width": 1440, "height": 900}, locale=locale, service_workers="block"
        )
        self.page: Page = self.context.new_page()
        self.broken: list[str] = []
        self.page.on("pageerror", lambda error: self.broken.append(str(error)))
        self.page.goto(f"{url}/#/pit")

    def sign_in(self, name: str = "Anna", password: str = PASSWORD) -> "Supervisor":
        self.page.fill('[name="name"]', name)
        self.page.fill('[name="password"]', password)
        self.page.click('button[type="submit"]')
        return self

    def at(self, table: str) -> Any:
        return self.page.locator(f'article[data-table="{table}"]')

    def begin(self, where: Any, act: str, **fields: str) -> "Supervisor":
        """Press the button of an act and fill in what it asks for."""
        where.locator(f'[data-act="{act}"]').first.click()
        for name, value in fields.items():
            field = self.page.locator(f'dialog [name="{name}"]')
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        return self

    def confirm(self) -> "Supervisor":
        self.page.click('dialog button[type="submit"]')
        return self

    def do(self, where: Any, act: str, reason: str, **fields: str) -> str:
        """Do an act, with a reason; what the page says came of it."""
        self.begin(where, act, reason=reason, **fields).confirm()
        self.page.wait_for_selector("dialog", state="detached")
        return self.page.inner_text(".says")

    def shows(self, where: Any, text: str) -> None:
        expect(where).to_contain_text(text, timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Open]:
    """A house with two live tables that wait for everybody, and a supervisor made by the command."""
    url = f"sqlite:///{tmp_path_factory.mktemp('pit') / 'house.db'}"
    with served(url, deals=True) as house:
        for table, seats in ((POKER, 7), (PAIRE, None)):
            clock = {"seats": seats, **SLOW}
            answer = house.client.put(f"/admin/tables/{table}/live", json=clock, headers=house.office().headers)
            assert answer.status_code == 200, answer.text
        added = pairhouse("staff", "add", "Anna", "--db", url, given=f"{PASSWORD}\n")
        assert added.returncode == 0, added.stderr
        yield house


@pytest.fixture
def anna(live: Open, chromium: Browser) -> Iterator[Supervisor]:
    came = Supervisor(chromium, str(live.client.base_url))
    yield came.sign_in()
    came.context.close()
    assert came.broken == []


@pytest.fixture
def bert(live: Open, chromium: Browser) -> Iterator[Person]:
    came = Person(chromium, str(live.client.base_url), PHONE)
    yield came
    came.stand_up()
    came.close()


def sealed(house: Open) -> list[dict[str, Any]]:
    """The acts of the pit in the sealed log."""
    with house.house.database.reading() as tx:
        tx.raw("SELECT body FROM events WHERE kind = 'pit-act' ORDER BY number")
        return [msgspec.json.decode(row[0]) for row in tx._cursor.fetchall()]


def told(person: Person, words: str) -> None:
    person.page.wait_for_selector(f"text={words}", timeout=PATIENCE_MS)


def test_a_round_is_led_from_the_pit(live: Open, anna: Supervisor, bert: Person, artefacts: Path) -> None:
    """Close the betting, show a card, call a misdeal with its count; the player hears of each in a sentence."""
    bert.sit(POKER)
    bert.take(3)
    bert.bet("ante", "pairplus")
    table = anna.at(POKER)
    anna.shows(table, "10.00 staked")
    assert anna.do(table, "close-betting", "the shift ends") == "No more bets."
    bert.at("choosing")
    anna.shows(table, "cards dealt")
    picture(anna, artefacts, "playing")
    anna.do(table, "expose-card", "it fell off the table", card="1")
    told(bert, "A card was exposed")
    anna.begin(table, "misdeal", cards="0", reason="a fourth card").confirm()
    assert anna.page.locator('dialog [name="cards"]').evaluate("field => !field.validity.valid")
    anna.page.fill('dialog [name="cards"]', "99")
    anna.confirm()
    anna.shows(
        anna.page.locator("dialog [role=alert]"), "A misdeal names how many cards a hand had, 1 to 52; 99 was given."
    )
    anna.page.fill('dialog [name="cards"]', "4")
    anna.confirm()
    told(bert, "Misdeal: 4 cards dealt. The round is void")
    anna.page.wait_for_selector("dialog", state="detached")
    bert.at("betting")
    bert.balance_is("1,000.00")
    acts = [(one["act"], one["by"], one["reason"], one.get("cards")) for one in sealed(live)[-3:]]
    assert acts == [
        ("close-betting", "Anna", "the shift ends", None),
        ("expose-card", "Anna", "it fell off the table", None),
        ("void-table", "Anna", "a fourth card", 4),
    ]


def test_a_round_is_void_and_another_is_corrected(live: Open, anna: Supervisor, bert: Person) -> None:
    """Whoever has bet is told at once, and the money is as if it had not been."""
    bert.sit(POKER)
    bert.take(5)
    bert.bet("ante").press("deal")
    voided = bert.at("choosing")
    table = anna.at(POKER)
    anna.shows(table, "cards dealt")
    anna.do(table, "void-table", "the shoe jammed", cause="malfunction")
    told(bert, "The round is called off: a malfunction")
    bert.at("betting")
    bert.balance_is("1,000.00")
    bert.bet("ante").press("deal")
    bert.at("choosing")
    bert.choose("fold")
    round_id = bert.closed(after=voided)
    bert.balance_is("995.00")
    line = anna.page.locator(f'[data-round="{round_id}"]')
    anna.shows(line, "settled")
    anna.do(line, "correct-round", "the deck was short")
    told(bert, "The house has corrected an earlier round")
    bert.balance_is("1,000.00")
    anna.shows(line, "corrected")
    anna.shows(anna.page.locator(f'[data-correction="{round_id}"]'), "Anna: the deck was short 5.00 given back")
    assert [one["act"] for one in sealed(live)[-2:]] == ["void-table", "correct-round"]


def test_an_act_that_comes_late_concerns_no_other_round(live: Open, anna: Supervisor, bert: Person) -> None:
    """While the reason is written the round is settled, and the next one has bets: these stay."""
    bert.sit(POKER)
    bert.take(1)
    bert.bet("ante").press("deal")
    bert.at("choosing")
    table = anna.at(POKER)
    anna.shows(table, "cards dealt")
    anna.begin(table, "misdeal", cards="4", reason="a fourth card")
    bert.choose("fold")
    bert.at("betting")
    bert.bet("ante")
    anna.shows(table, "5.00 staked")
    anna.confirm()
    anna.shows(anna.page.locator("dialog [role=alert]"), "The table has gone on since you looked")
    anna.page.keyboard.press("Escape")
    bert.balance_is("990.00")
    bert.press("clear")


def test_a_table_is_paced_by_hand(live: Open, anna: Supervisor, bert: Person, artefacts: Path) -> None:
    """La Pair'e: the supervisor closes the betting and turns card by card; then the clock has the table again."""
    bert.sit(PAIRE)
    bert.bet("card-7")
    table = anna.at(PAIRE)
    anna.shows(table, "5.00 staked")
    anna.do(table, "set-pace", "a slow evening")
    anna.shows(table, "by hand")
    anna.do(table, "void-table", "begin anew", cause="cancelled")
    voided = bert.closed()
    bert.at("betting")
    told(bert, "Bets are open")
    bert.bet("card-7", "red").press("deal")
    anna.shows(table, "10.00 staked")
    anna.do(table, "close-betting", "all have bet")
    told(bert, "Next card by hand")
    bert.page.screenshot(path=artefacts / "live-by-hand.png")
    for left in ("2 cards to turn", "1 card to turn"):
        table.locator('[data-act="next-card"]').click()
        anna.shows(table, left)
    bert.page.wait_for_function("() => document.querySelectorAll('.felt .card.up').length === 2")
    table.locator('[data-act="next-card"]').click()
    bert.closed(after=voided)
    anna.do(table, "set-pace", "the rush begins")
    acts = [one["act"] for one in sealed(live)]
    assert acts[-5:] == ["close-betting", "next-card", "next-card", "next-card", "set-pace"]


def pairplus(live: Open) -> str:
    """The paytable of Pairplus that is in force."""
    options = live.client.get(f"/tables/{POKER}").json()["game"]["options"]
    return next(str(one["value"]) for one in options if one["name"] == "pairplus")


def test_options_are_switched_and_a_table_closes_and_opens(live: Open, anna: Supervisor, bert: Person) -> None:
    """While nobody has bet; with bets on the table the page says what to do instead."""
    live.office().do("PATCH", f"/admin/tables/{POKER}", json={"status": "open"})  # if this is tried once more
    bert.sit(POKER)
    bert.take(2)
    anna.page.click('[data-show="all"]')
    table = anna.at(POKER)
    before = pairplus(live)
    other = "40-30-5-4-1" if before != "40-30-5-4-1" else "40-30-6-3-1"
    said = anna.do(table, "switch-options", "as the manager said", pairplus=other)
    assert said == "The table deals by the new options from the next round on."
    bert.at("betting")
    assert pairplus(live) == other
    bert.bet("ante")
    anna.shows(table, "5.00 staked")
    anna.begin(table, "switch-options", pairplus=before, reason="back again").confirm()
    anna.shows(anna.page.locator("dialog [role=alert]"), "A round is open at this table")
    anna.page.keyboard.press("Escape")
    anna.do(table, "void-table", "to switch", cause="cancelled")
    bert.at("betting")
    anna.do(table, "close-table", "the night is over")
    anna.shows(table, "closed")
    bert.bet("ante")
    told(bert, "This table is closed")
    anna.do(table, "open-table", "the day begins")
    expect(table.locator('[data-act="close-table"]')).to_be_visible()
    bert.bet("ante")
    anna.shows(table, "5.00 staked")
    bert.press("clear")


def test_a_player_is_disabled_and_enabled(live: Open, anna: Supervisor, bert: Person) -> None:
    bert.sit(POKER)
    bert.take(6)
    _, me = bert.api("GET", "/players/me")
    table = anna.at(POKER)
    table.locator(f'[data-person="{me["id"]}"]').click()
    anna.page.fill('dialog [name="reason"]', "shouts at others")
    anna.confirm()
    line = anna.page.locator(f'[data-disabled="{me["id"]}"]')
    anna.shows(line, "Guest")
    bert.bet("ante")
    told(bert, "This account is disabled")
    anna.do(line, "enable-player", "has apologised")
    expect(line).to_have_count(0)
    bert.page.reload()
    bert.at("betting")
    bert.bet("ante")
    anna.shows(table, "5.00 staked")
    bert.press("clear")
    assert [(one["act"], one["reason"]) for one in sealed(live)[-2:]] == [
        ("disable-player", "shouts at others"),
        ("enable-player", "has apologised"),
    ]


def test_a_dealer_is_offered_what_a_dealer_may_do(live: Open, chromium: Browser, bert: Person) -> None:
    """Made by the same command with another role; money, tables and players are the supervisor's."""
    added = pairhouse("staff", "add", "Carl", "--role", "dealer", "--db", live.url, given=f"{PASSWORD}\n")
    assert added.returncode == 0, added.stderr
    carl = Supervisor(chromium, str(live.client.base_url)).sign_in("Carl")
    bert.sit(POKER)
    bert.take(3).bet("ante")
    table = carl.at(POKER)
    table.locator('[data-act="close-betting"]').wait_for(timeout=PATIENCE_MS)
    assert {each.get_attribute("data-act") for each in carl.page.locator("[data-act]").all()} == {"close-betting"}
    assert table.locator("[data-person]").first.is_disabled()
    assert carl.do(table, "close-betting", "everybody has bet") == "No more bets."
    bert.at("choosing")
    bert.choose("fold")
    carl.context.close()
    assert carl.broken == []


def test_the_door_and_the_way_out(live: Open, chromium: Browser) -> None:
    """A wrong password is a sentence; a session that ended leads to the door; signing out clears its own key alone."""
    came = Supervisor(chromium, str(live.client.base_url))
    came.sign_in(password="not this one at all")
    came.shows(came.page.locator("[role=alert]"), "password")
    came.page.evaluate("() => sessionStorage.setItem('kept', 'by another page')")
    came.sign_in()
    came.page.wait_for_selector(".top")
    came.page.click('[data-command="sign-out"]')
    came.page.wait_for_selector(".door")
    assert came.page.evaluate("() => ({ ...sessionStorage })") == {"kept": "by another page"}
    came.page.reload()
    came.page.wait_for_selector(".door [name=password]")
    came.sign_in()
    came.page.wait_for_selector(".top")
    assert pairhouse("staff", "disable", "Anna", "--db", live.url).returncode == 0
    came.page.wait_for_selector(".door [name=password]", timeout=PATIENCE_MS)
    assert pairhouse("staff", "enable", "Anna", "--db", live.url).returncode == 0
    came.context.close()
    assert came.broken == []


def test_the_pit_speaks_german(live: Open, chromium: Browser) -> None:
    came = Supervisor(chromium, str(live.client.base_url), "de-DE")
    came.shows(came.page.locator("h1"), "Die Aufsicht")
    came.sign_in()
    came.page.wait_for_selector("text=Letzte Runden")
    came.page.click('[data-show="all"]')
    assert found_by_axe(Felt(came.page, "")) == []
    table = came.at(POKER)
    came.begin(table, "close-table", reason="Feierabend").confirm()
    came.shows(came.page.locator(".says"), "Der Tisch schließt nach dieser Runde.")
    came.do(table, "open-table", "weiter")
    came.context.close()
    assert came.broken == []


def test_a_followed_shoe_is_on_the_page(live: Open, anna: Supervisor, artefacts: Path) -> None:
    """The price of every wager from the cards left, once the solver has begun."""
    baccarat, guest = "nepal-super-baccarat", live.guest()
    change = {"shuffle": "shoe", "round_ms_min": 0}
    assert live.office().ask("PATCH", f"/admin/tables/{baccarat}", json=change).status_code == 200
    guest.play(baccarat)
    shoe = anna.page.locator(f'[data-shoe="{baccarat}"]')
    expect(shoe).to_contain_text("of 416 cards dealt in 1 round", timeout=150_000)  # its prices are compiled first
    shoe.locator("summary").click()
    assert shoe.locator("[data-price]").count() == 34
    picture(anna, artefacts, "shoes")
    anna.page.route("**/pit/shoes", a_bet_has_turned)
    expect(shoe.get_by_role("alert")).to_contain_text("20.00", timeout=30_000)
    expect(shoe.locator(".tag")).to_have_class(re.compile(r"\bgood\b"))
    picture(anna, artefacts, "alert")


def a_bet_has_turned(route: Route) -> None:
    """What the house answers, with one bet that is worth more than it costs and four times as much on it as before."""
    answer = route.fetch()
    told = answer.json()
    shoe = next(one for one in told["shoes"] if one["table"] == "nepal-super-baccarat")
    shoe["wagers"][0] |= {"price": "1/50", "alert": True, "staked": 2_000, "usual": 500}
    route.fulfill(response=answer, json=told)


def picture(anna: Supervisor, artefacts: Path, name: str) -> None:
    """The page at every size: nothing wider than the screen, all to press large enough for a thumb, nothing for axe to say."""
    for size, (width, height) in SIZES.items():
        anna.page.set_viewport_size({"width": width, "height": height})
        anna.page.screenshot(path=artefacts / f"pit-{name}-{size}.png", full_page=True)
        assert anna.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), size
        small = anna.page.evaluate(
            """() => [...document.querySelectorAll('button, summary')].filter(one => one.offsetHeight > 0)
                .filter(one => one.offsetHeight < 44 || one.offsetWidth < 44).map(one => one.textContent)"""
        )
        assert small == [], size
        assert found_by_axe(Felt(anna.page, "")) == [], size
    anna.page.set_viewport_size({"width": 1440, "height": 900})


def test_of_a_crowd_the_first_are_listed_and_others_are_found_by_name(live: Open, anna: Supervisor) -> None:
    people = [live.guest() for _ in range(103)]
    for number, guest in enumerate(people):
        assert guest.ask("POST", f"/tables/{PAIRE}/live/seat", f"sit-down-{number:03}", json={}).status_code == 200
    anna.page.click('[data-show="all"]')
    table, name = anna.at(PAIRE), f"Guest {people[-1].me()['name'][-3:].upper()}"  # as the page calls a guest
    expect(table.locator("[data-seated]")).to_contain_text("100 of", timeout=PATIENCE_MS)
    expect(table.locator("[data-person]")).to_have_count(100)
    anna.page.fill("[data-find]", name)
    expect(table.locator("[data-person]")).to_have_count(1, timeout=PATIENCE_MS)
    anna.shows(table, name)
    anna.page.fill("[data-find]", "nobody is called so")
    anna.shows(anna.page.locator("section.tables"), "Nobody at a live table is called that.")
