"""Keyboard, screen readers, contrast and size."""

import gzip
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from web_table import Felt

WEB = Path(__file__).parents[2] / "web"
PAGES = Path(__file__).parents[2] / "src" / "pairhouse" / "server" / "static"
FIRST_LOAD_BYTES_MAX = 150_000
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


LATER = (  # loaded when somebody asks for them
    "verifier", "de-", "TrainerPage", "StatisticsPage", "HistoryPage", "RulesPage", "Replay", "PitPage", "AnyGame",
)  # fmt: skip


def test_the_first_load_is_small() -> None:
    """All that the lobby and a table need, compressed, with our own type."""
    index = (PAGES / "index.html").read_text(encoding="utf-8")
    assert "http://" not in index
    assert "https://" not in index
    needed = [path for path in PAGES.rglob("*") if path.suffix in {".js", ".css", ".html", ".svg", ".woff2"}]
    size = sum(len(gzip.compress(path.read_bytes())) for path in needed if not path.name.startswith(LATER))
    assert size < FIRST_LOAD_BYTES_MAX


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
