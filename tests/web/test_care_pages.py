"""Looking after players on the page, under the policy of Great Britain, in a real browser."""

import re
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from api_house import Clock
from guests import new_name
from pairhouse.house.care.changes import SetReminder, change_care
from pairhouse.house.house import House
from web.test_access import found_by_axe
from web_table import PATIENCE_MS, Felt

UkHouse = tuple[str, House]
SIZES = [(1440, 900), (390, 844)]


@pytest.fixture(params=SIZES, ids=["desktop", "phone"])
def uk_felt(page: Page, uk_house: UkHouse, request: pytest.FixtureRequest) -> Felt:
    felt = Felt(page, uk_house[0])
    felt.page.set_viewport_size({"width": request.param[0], "height": request.param[1]})
    return felt.enter()


def picture(felt: Felt, artefacts: Path, name: str) -> None:
    width = felt.page.viewport_size["width"] if felt.page.viewport_size else 0
    felt.page.screenshot(path=artefacts / f"care-{name}-{width}.png")


def test_limits_are_set_raised_late_and_seen(uk_felt: Felt, artefacts: Path) -> None:
    page = uk_felt.page
    page.click('[data-open="care"]')
    page.select_option('[name="kind"]', "loss")
    page.fill('[name="limit"]', "fifty")
    page.click('[data-command="set-limit"]')
    assert "Give an amount" in page.inner_text('form [role="alert"]')
    page.fill('[name="limit"]', "50")
    page.click('[data-command="set-limit"]')
    limit = page.locator('[data-limit="loss-day"]')
    assert "Loss 50.00 a day" in limit.inner_text(timeout=PATIENCE_MS)
    page.fill('[name="limit"]', "80")
    page.click('[data-command="set-limit"]')
    page.wait_for_selector('[data-care="asked"]')
    assert "80.00 can be confirmed from" in limit.inner_text()
    assert "Loss 50.00 a day" in limit.inner_text()
    assert found_by_axe(uk_felt) == []
    picture(uk_felt, artefacts, "limits")


def test_the_operator_and_the_help_line_are_on_every_page(uk_felt: Felt, artefacts: Path) -> None:
    page = uk_felt.page
    for address in ("", "#/rules/la-paire", "#/table/la-paire"):
        page.goto(uk_felt.url + address)
        line = page.locator("[data-operator]").first
        assert "800.522.4700" in line.inner_text(timeout=PATIENCE_MS)
        assert line.locator('a[href="tel:8005224700"]').is_visible()
        assert line.locator('a[href="https://ksgamblinghelp.com"]').is_visible()
        picture(uk_felt, artefacts, f"notice-{address.strip('#/').replace('/', '-') or 'lobby'}")
    assert page.evaluate("() => document.scrollingElement.scrollWidth <= innerWidth")


def test_net_and_time_are_always_in_sight(uk_felt: Felt) -> None:
    page = uk_felt.page
    assert "0.00" in page.inner_text('[data-care="session"]')
    uk_felt.sit("la-paire")
    assert page.locator('[data-status="session"]').is_visible()
    assert page.locator('[data-status="time"]').is_visible()


def test_there_is_no_turbo_and_no_skipping(page: Page, uk_house: UkHouse) -> None:
    felt = Felt(page, uk_house[0]).enter()
    felt.sit("la-paire").open("options")
    assert page.locator('[name="speed"]').count() == 0
    felt.close()
    felt.bet("card-A").press("deal")
    assert page.locator('[data-command="skip"]').is_disabled()
    page.keyboard.press("Enter")  # the key that skips elsewhere
    assert felt.page.get_attribute(".table", "data-phase") == "dealing"


def test_a_new_account_is_offered_limits(page: Page, uk_house: UkHouse) -> None:
    Felt(page, uk_house[0]).enter()
    page.click('[data-open="account"]')
    page.click('[data-tab="sign-up"]')
    page.fill('[name="name"]', f"n{new_name()}")
    page.fill('[name="password"]', "a long sentence")
    page.click('[data-command="account"]')
    page.wait_for_selector('[data-command="not-now"]', timeout=PATIENCE_MS)
    assert "you can set limits for yourself" in page.inner_text("dialog")
    page.click('[data-command="not-now"]')
    assert page.locator("dialog").count() == 0


def test_the_reality_check_comes_and_is_answered(uk_felt: Felt, uk_house: UkHouse, artefacts: Path) -> None:
    page, house = uk_felt.page, uk_house[1]
    uk_felt.sit("la-paire")
    player = uk_felt.api("GET", "/players/me")[1]["id"]
    house.do(partial(change_care, policy=house.pit.guard.policy, player_id=player, change=SetReminder(10)))
    assert isinstance(house.clock, Clock)
    house.clock.pass_minutes(11)
    uk_felt.bet("card-A").press("deal")
    page.wait_for_selector('[data-command="go-on"]', timeout=PATIENCE_MS)
    assert "11 min" in page.inner_text('[data-care="time"]')
    assert page.inner_text('[data-care="net"]') == "0.00"
    assert found_by_axe(uk_felt) == []
    picture(uk_felt, artefacts, "check")
    page.click('[data-command="go-on"]')
    page.wait_for_selector("dialog", state="detached")
    uk_felt.press("deal").until("after")


def test_who_excludes_themselves_is_told_until_when(chromium: Browser, uk_house: UkHouse, artefacts: Path) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    felt = Felt(page, uk_house[0]).enter()
    page.click('[data-open="care"]')
    assert page.locator('[data-command="exclude"]').is_disabled()
    page.check('[name="sure"]')
    page.click('[data-command="exclude"]')
    told = page.inner_text('[data-care="away"]', timeout=PATIENCE_MS)
    assert re.fullmatch(r"You have excluded yourself from play until \d+ \w+ \d{4}, \d\d:\d\d\.", told)
    picture(felt, artefacts, "away")
    page.evaluate("() => fetch('/sessions', {method: 'DELETE', headers: {'X-Pairhouse': '1'}})")
    page.reload()
    page.wait_for_selector('[role="alert"]', timeout=PATIENCE_MS)
    assert told in page.inner_text('[role="alert"]')
    context.close()
