"""The FREE chip in a real browser: it shows what remains, pays a bet, and leaves the balance alone."""

from playwright.sync_api import Page

from pairhouse.house.free_bets import FreeBetTerms, grant
from pairhouse.house.house import House
from web_table import PATIENCE_MS, Felt


def test_a_free_bet_is_staked_with_its_chip(page: Page, uk_house: tuple[str, House]) -> None:
    url, house = uk_house
    felt = Felt(page, url).enter()
    _, me = felt.api("GET", "/players/me")
    house.do(lambda tx: grant(tx, "office", "browser-offer", FreeBetTerms(me["id"], 5_000, 7)))
    page.reload()
    felt.sit("la-paire")
    chip = page.locator('[data-command="free"]')
    assert "50 left" in str(chip.get_attribute("aria-label", timeout=PATIENCE_MS))
    before = felt.status("balance")
    chip.click()
    felt.bet("card-A")
    assert felt.status("balance") == before
    felt.press("deal")
    felt.until("after")
    _, me = felt.api("GET", "/players/me")
    assert me["session"]["staked"] == 0
    assert me["balance"] >= before
    assert me["free_bets"][0]["remaining"] < 5_000 or felt.rounds()[0]["free"]["given_back"]
