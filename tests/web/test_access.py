"""Keyboard, screen readers, contrast and size."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

from web_table import PATIENCE_MS, Felt

WEB = Path(__file__).parents[2] / "web"
PAGES = Path(__file__).parents[2] / "src" / "pairhouse" / "server" / "static"
FILES_BYTES_MAX, ANSWERS_BYTES_MAX = 150_000, 50_000
SEVERE = {"serious", "critical"}
FIND = """async () => (await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }))
    .violations.map(one => [one.impact, one.id, one.nodes.slice(0, 3).map(node => node.target.join(' '))])"""
TABLES = ("blackjack-poker-pairs", "pair-v3-6", "three-card-poker", "nepal-super-baccarat", "la-paire")
OPENER = {"three-card-poker": "ante", "nepal-super-baccarat": "player", "la-paire": "card-A"}


def severe(felt: Felt) -> list[object]:
    """What axe finds that is serious."""
    felt.page.evaluate((WEB / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    return [found for found in felt.page.evaluate(FIND) if found[0] in SEVERE]


def test_axe_finds_nothing_serious(felt: Felt, width: int) -> None:
    """The lobby, each table while betting and after the deal, and the other pages."""
    felt.resize(width, 900)
    found = {"lobby": severe(felt)}
    felt.page.click('[data-open="account"]')
    found["account"] = severe(felt)
    felt.close()
    for table in TABLES:
        felt.sit(table).bet(OPENER.get(table, "main"))
        felt.page.wait_for_timeout(250)
        found[table] = severe(felt)
        felt.press("deal")
        felt.until("choosing", "after")
        felt.page.wait_for_timeout(600)
        found[f"{table}, dealt"] = severe(felt)
    for page in ("tour", "options", "fairness"):
        felt.open(page)
        found[page] = severe(felt)
        felt.close()
    for page, ready in (("rules/la-paire", "table"), ("history", "a[data-round]")):
        felt.page.goto(f"{felt.url}#/{page}")
        felt.page.wait_for_selector(ready)
        found[page] = severe(felt)
    assert {name: list(all_of) for name, all_of in found.items() if all_of} == {}


def test_a_game_by_keyboard_alone(felt: Felt) -> None:
    """Chips by digits, spots by arrows and Enter, Space to deal, letters to choose, R for the same again."""
    felt.sit("blackjack-poker-pairs")
    press = felt.page.keyboard.press
    press("3")
    press("ArrowDown")
    for _ in range(3):
        if felt.page.evaluate("document.activeElement.dataset.wager") == "main":
            break
        press("ArrowRight")
    press("Enter")
    assert felt.status("bet") == 2500
    press("Backspace")
    assert felt.status("bet") == 0
    press("Enter")
    press("x")
    assert felt.status("bet") == 5000
    press("u")
    assert felt.status("bet") == 2500
    press("Space")
    for _ in range(2):
        while felt.until("choosing", "after") == "choosing":
            press("o" if felt.page.query_selector('[data-choice="no-insurance"]') else "s")
            felt.page.wait_for_timeout(60)
        before = felt.page.get_attribute(".table", "data-round")
        press("r")
        felt.page.wait_for_selector(f'.table:not([data-round="{before}"], [data-round=""])')
    felt.play_out()
    assert [done["staked"] for done in felt.rounds()] == [2500, 2500, 2500]


def test_results_are_spoken(felt: Felt) -> None:
    """The live region ends with the result in words."""
    felt.sit("la-paire").bet("card-A").press("deal")
    felt.until("after")
    felt.page.wait_for_timeout(100)
    told = felt.page.locator('.for-ears[aria-live="polite"]').inner_text()
    assert re.search(r"You win|−|stakes", told)


def received(context: BrowserContext, url: str) -> tuple[int, int]:
    """Bytes on the wire until a spot of the first table can be pressed: files named by their content, and the rest."""
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    asked: dict[str, str] = {}
    sizes = {True: 0.0, False: 0.0}
    wire.on("Network.requestWillBeSent", lambda event: asked.update({event["requestId"]: event["request"]["url"]}))

    def count(event: dict[str, Any]) -> None:
        sizes["/assets/" in asked.get(event["requestId"], "")] += event["encodedDataLength"]

    wire.on("Network.loadingFinished", count)
    page.goto(f"{url}#/table/la-paire")
    page.wait_for_selector('.spot[data-wager="card-A"]', timeout=PATIENCE_MS)
    wire.detach()
    return round(sizes[True]), round(sizes[False])


def test_the_first_table_is_small_and_the_second_visit_smaller(chromium: Browser, house_url: str) -> None:
    """Scripts, styles, our own type and the answers of the house; later only the answers, a second at 400 kbit/s."""
    first = chromium.new_context(viewport={"width": 390, "height": 844}, service_workers="block")
    files, answers = received(first, house_url)
    assert files < FILES_BYTES_MAX
    assert answers < ANSWERS_BYTES_MAX
    first.close()
    second = chromium.new_context(viewport={"width": 390, "height": 844})
    received(second, house_url)
    second.pages[0].evaluate("() => navigator.serviceWorker.ready")
    second.pages[0].reload()  # through the shell, which keeps what it sees
    second.pages[0].wait_for_selector(".spot")
    files, answers = received(second, house_url)
    assert files + answers < ANSWERS_BYTES_MAX
    second.close()
    index = (PAGES / "index.html").read_text(encoding="utf-8")
    assert "http://" not in index
    assert "https://" not in index


@pytest.mark.parametrize("table", ["blackjack-poker-pairs", "nepal-super-baccarat"])
def test_dealing_shifts_nothing(chromium: Browser, house_url: str, table: str) -> None:
    """Cards and chips move by transforms alone: no layout shift while they fall."""
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    felt = Felt(page, house_url).enter(speed="normal").sit(table)
    page.evaluate("() => document.fonts.ready")
    page.wait_for_timeout(500)
    page.evaluate("""() => { window.shifts = 0;
        new PerformanceObserver(list => list.getEntries().forEach(one => { window.shifts += one.value; }))
            .observe({ type: 'layout-shift' }); }""")
    felt.bet(OPENER.get(table, "main")).press("deal")
    felt.until("choosing", "after")
    shifts = page.evaluate("() => window.shifts")
    page.close()
    assert shifts < 0.01
