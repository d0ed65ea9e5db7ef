"""A live table in German on a phone: seats, the dealer's words, questions and notices are whole and nowhere English."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from api_house import Open, served
from guests import Guest
from pairhouse.house.people import password_hash
from pairhouse.house.staff import add_member
from web.test_sizes import CUT, OVERFLOW
from web_live import CLOCK, PAIRE, PHONE, POKER, Person
from web_table import PATIENCE_MS

PASSWORD = "a long sentence"
ENGLISH = re.compile(
    r"\b(the|your|you|and|is|are|of|bets?|seats?|ready|turn|waiting|dealer|watching|void|place)\b", re.I
)
# What people read: neither scripts, nor names of people, nor what is only spoken of in stylesheets.
READ = """() => { const copy = document.body.cloneNode(true);
    copy.querySelectorAll('script, style').forEach(one => one.remove());
    return copy.textContent.replace(/Gast [A-Z0-9]{3}/g, 'Gast'); }"""
# What the dealer says, buttons and notices of which a part is not to be seen, or that lie over what is beside them.
HALF_SEEN = """() => { const half = [...document.querySelectorAll('.says b, .press, .toast')].filter(one => one.offsetParent !== null
        && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)).map(one => one.textContent);
    const said = Math.max(...[...document.querySelector('.says').children].map(one => one.getBoundingClientRect().right));
    const about = document.querySelector('.about').firstElementChild;
    return [...half, ...about !== null && said > about.getBoundingClientRect().left ? ['.about'] : []]; }"""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """A house with two live tables, and somebody of its staff."""
    with served(f"sqlite:///{tmp_path_factory.mktemp('german') / 'house.db'}", deals=True) as house:
        for table, seats in ((POKER, 7), (PAIRE, None)):
            answer = house.office().ask("PUT", f"/admin/tables/{table}/live", json={"seats": seats, **CLOCK})
            assert answer.status_code == 200, answer.text
        house.house.do(lambda tx: add_member(tx, "Anna", "supervisor", password_hash(PASSWORD)))
        yield house


@pytest.fixture
def person(live: Open, chromium: Browser) -> Iterator[Any]:
    came: list[Person] = []

    def come() -> Person:
        came.append(Person(chromium, str(live.client.base_url), PHONE, "de-DE"))
        return came[-1]

    yield come
    for each in came:
        each.stand_up()
        each.close()


def act(live: Open, **what: str | int) -> None:
    """Somebody of the staff acts in the pit."""
    shift = live.client.post("/pit/sessions", json={"name": "Anna", "password": PASSWORD}).json()
    answer = Guest(live.client, shift["token"]).ask("POST", "/pit/acts", json={"reason": "wie besprochen", **what})
    assert answer.status_code == 200, answer.text


def look(person: Person, shots: Path, name: str, *says: str) -> None:
    """The page says this, in words that are whole, within the window, and German."""
    for sentence in says:
        expect(person.page.locator("body")).to_contain_text(sentence, timeout=PATIENCE_MS)
    person.page.screenshot(path=shots / f"live-german-{name}.png")
    assert person.page.evaluate(CUT) == [], name
    assert person.page.evaluate(HALF_SEEN) == [], name
    assert person.page.evaluate(OVERFLOW)["sideways"] <= 0, name
    assert ENGLISH.findall(person.page.evaluate(READ)) == [], name


def test_two_people_play_poker(person: Any, live: Open, artefacts: Path) -> None:
    """Before and after taking a seat, betting, waiting, one's own turn and another's, the result; then it is corrected."""
    anna, bert = person(), person()
    for each in (anna, bert):
        each.sit(POKER)
    anna.at("betting")
    look(anna, artefacts, "watching", "Tippe auf einen freien Platz", "Freier Platz")
    for seat, each in ((2, anna), (6, bert)):
        each.take(seat)
        each.bet("ante", "pairplus")
    look(anna, artefacts, "betting", "Bereit")
    anna.press("deal")
    look(anna, artefacts, "ready", "Es fehlen noch: Gast")
    bert.press("deal")
    round_id = anna.at("choosing")
    look(anna, artefacts, "turn", "Spielen", "Passen")
    look(bert, artefacts, "other", "ist dran")
    anna.choose("play")
    bert.at("choosing")
    bert.choose("fold")
    anna.settled(round_id)
    look(anna, artefacts, "result", "Geber")
    anna.closed()
    anna.at("betting")
    act(live, act="correct-round", round=round_id)
    for each in (anna, bert):
        look(each, artefacts, "corrected", "Das Haus hat eine frühere Runde berichtigt.")


def test_a_misdeal_is_told(person: Any, live: Open, artefacts: Path) -> None:
    anna, bert = person(), person()
    for each in (anna, bert):
        each.sit(PAIRE)
        each.at("betting")
    anna.bet("card-7", "red")
    anna.page.wait_for_selector('[data-watching="1"]')
    look(anna, artefacts, "paire", "Noch setzen:", "Deine Chips", "1 sieht zu")
    bert.bet("card-7", "red")
    act(live, act="void-table", table=PAIRE, cause="misdeal", cards=4)
    for each in (anna, bert):
        look(each, artefacts, "misdeal", "Fehlgabe: 4 Karten ausgegeben. Die Runde ist ungültig")
