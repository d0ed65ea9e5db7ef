"""The first five minutes: how to play is shown on the felt, and a guest may have an account."""

from collections.abc import Callable
from typing import Any

import httpx
from playwright.sync_api import Page

from pairhouse.house.house import House
from pairhouse.house.people import password_hash
from pairhouse.house.staff import add_member
from web_table import Felt

PASSWORD, BETTER = "long enough password", "an even longer password"
TABLES = ("blackjack-poker-pairs", "pair-v3-6", "three-card-poker", "nepal-super-baccarat", "la-paire")
INSIDE = """() => { const box = document.querySelector('.tour .panel').getBoundingClientRect();
    return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight; }"""


def test_a_first_visit_shows_how_to_play(page: Page, house_url: str) -> None:
    """Step by step on a phone, each in sight; once finished it is not shown again, and it can be called back."""
    felt = Felt(page, house_url).enter(tour=True).resize(390, 844)
    for table in TABLES:
        felt.sit(table).page.wait_for_selector(".tour .panel")
        steps = 0
        while page.locator(".tour").count():
            assert page.evaluate(INSIDE)
            assert page.inner_text(".tour p")
            felt.press("tour-next")
            steps += 1
        assert 5 <= steps <= 8
    page.reload()
    page.wait_for_selector(".table")
    assert page.locator(".tour").count() == 0
    felt.press("menu").page.click('[data-open="tour"]')
    felt.press("tour-skip").page.wait_for_selector(".tour", state="detached")
    assert page.url.endswith(f"#/table/{TABLES[-1]}")


def test_the_rules_begin_with_how_to_play(felt: Felt) -> None:
    felt.sit("la-paire").open("rules")
    felt.page.click('dialog [data-open="tour"]')
    felt.page.wait_for_selector(".tour")
    felt.close()


def test_a_guest_becomes_an_account_that_is_left_and_entered_again(felt: Felt) -> None:
    """What is typed wrongly is said in words; money and history come along; the password can be changed."""
    page = felt.page
    felt.sit("la-paire").bet("card-A").again("deal")
    (played,) = felt.rounds()
    page.goto(f"{felt.url}#/")
    page.wait_for_selector("article [data-table]")
    balance = felt.status("balance")
    page.click('[data-open="account"]')
    page.click('[data-tab="sign-up"]')
    name = f"newcomer-{page.evaluate('() => Date.now()')}"
    for typed, password, says in (("x", PASSWORD, "3 to 32"), (name, "short", "at least 10")):
        fill(felt, typed, password)
        assert says in page.inner_text("form [role=alert]")
    fill(felt, name, PASSWORD)
    page.wait_for_selector(f'[data-open="account"]:has-text("{name}")')
    assert (felt.status("balance"), felt.rounds()) == (balance, [played])
    page.click('[data-open="account"]')
    page.click('[data-open="password"]')
    for now, says in (("not the password", "not your password"), (PASSWORD, "")):
        page.fill("input[name=password]", now)
        page.fill("input[name=new-password]", BETTER)
        felt.press("password")
        if says:
            page.wait_for_selector(f'form [role=alert]:has-text("{says}")')
    page.wait_for_selector("dialog", state="detached")
    page.click('[data-open="account"]')
    felt.press("sign-out").page.wait_for_selector("dialog", state="detached")
    assert felt.rounds() == []
    page.click('[data-open="account"]')
    fill(felt, name, PASSWORD)
    page.wait_for_selector('form [role=alert]:has-text("do not go together")')
    fill(felt, name, BETTER)
    page.wait_for_selector(f'[data-open="account"]:has-text("{name}")')
    assert felt.rounds() == [played]


def fill(felt: Felt, name: str, password: str) -> None:
    """Type a name and a password, and send them."""
    felt.page.fill("input[name=name]", name)
    felt.page.fill("input[name=password]", password)
    felt.press("account")


def test_an_idle_session_warns_ends_and_the_open_game_is_found_again(felt: Felt) -> None:
    """The warning comes before the end and can be answered; after the end, signing in leads back to the game."""
    page = felt.page
    name = f"sleeper-{page.evaluate('() => Date.now()')}"
    page.click('[data-open="account"]')
    page.click('[data-tab="sign-up"]')
    fill(felt, name, PASSWORD)
    page.wait_for_selector("dialog", state="detached")
    page.clock.install()
    felt.sit("three-card-poker").bet("ante").press("deal").until("choosing")
    waiting = page.get_attribute(".table", "data-round")
    page.clock.fast_forward("28:30")
    page.wait_for_selector('dialog:has-text("Still there?")')
    felt.press("stay").page.wait_for_selector("dialog", state="detached")
    felt.api("DELETE", "/sessions", **{"X-Pairhouse": "1"})
    page.clock.fast_forward("30:10")
    page.wait_for_selector('dialog:has-text("Your session has ended")')
    fill(felt, name, PASSWORD)
    page.wait_for_selector(f'.table[data-phase="choosing"][data-round="{waiting}"]')


def test_games_called_off_and_corrected_are_told_once(felt: Felt, house: House, office: Callable[..., Any]) -> None:
    """A malfunction while a choice was asked; a settled game that the pit reversed. Both in words, and once."""
    page = felt.page
    felt.sit("la-paire").bet("card-A").again("deal")
    settled = felt.rounds()[0]["id"]
    felt.sit("three-card-poker").bet("ante").press("deal").until("choosing")
    waiting = page.get_attribute(".table", "data-round")
    office("POST", f"/admin/rounds/{waiting}/void", {"reason": "malfunction"})
    correct(felt, house, settled, by="Anna")
    page.goto(f"{felt.url}#/")
    page.reload()
    for round_id, game, why in (
        (waiting, "Three Card Poker", "A malfunction voids the game"),
        (settled, "La Pair'e", "Your stakes of 5.00 are back"),
    ):
        told = page.wait_for_selector(f'[data-called-off="{round_id}"]')
        assert told is not None
        assert game in told.inner_text()
        assert why in told.inner_text()
    felt.press("told").page.reload()
    page.wait_for_selector("article [data-table]")
    page.wait_for_load_state("networkidle")
    assert page.locator("[data-called-off]").count() == 0


def correct(felt: Felt, house: House, round_id: str, by: str) -> None:
    """A new supervisor reverses a settled game."""
    house.do(lambda tx: add_member(tx, by, "supervisor", password_hash(PASSWORD)))
    shift = httpx.post(f"{felt.url}pit/sessions", json={"name": by, "password": PASSWORD}).json()["token"]
    act = {"act": "correct-round", "round": round_id, "reason": "the deck was short"}
    assert httpx.post(f"{felt.url}pit/acts", json=act, headers={"Authorization": f"Bearer {shift}"}).is_success


def test_who_plays_on_is_told_of_a_correction_at_the_table(felt: Felt, house: House) -> None:
    """After the next game, when a minute has passed: nobody has to come in again to hear of it."""
    felt.page.clock.install()
    felt.sit("la-paire").bet("card-A").again("deal")
    settled = felt.rounds()[0]["id"]
    correct(felt, house, settled, by="Berta")
    felt.page.clock.fast_forward("01:01")
    felt.again()
    felt.page.wait_for_selector(f'[data-called-off="{settled}"]')
    assert felt.page.url.endswith("#/table/la-paire")
