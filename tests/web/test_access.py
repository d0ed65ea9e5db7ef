"""Keyboard, screen readers, contrast and size."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

from web.test_sizes import BPP, SIZES
from web_table import PATIENCE_MS, Felt, client_seed

WEB = Path(__file__).parents[2] / "web"
PAGES = Path(__file__).parents[2] / "src" / "pairhouse" / "server" / "static"
FIRST_BYTES_MAX, ANSWERS_BYTES_MAX = 150_000, 50_000
# On a phone a bet between two values is no target of its own: a press opens its neighbourhood, 44 px and more each.
FIND = """async () => (await axe.run({ exclude: innerWidth < 900 ? [['.between']] : [] }, { resultTypes: ['violations'],
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }))
    .violations.map(one => [one.impact, one.id, one.nodes.slice(0, 3).map(node => node.target.join(' '))])"""
TABLES = ("blackjack-poker-pairs", "three-card-poker-progressive", "nepal-super-baccarat", "la-paire")
OPENER = {"three-card-poker-progressive": "ante", "nepal-super-baccarat": "player", "la-paire": "card-A"}


def found_by_axe(felt: Felt) -> list[object]:
    """What axe finds wrong, however slight."""
    if not felt.page.evaluate("() => 'axe' in window"):
        felt.page.evaluate((WEB / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    found: list[object] = felt.page.evaluate(FIND)
    return found


AXE_SIZES = [pytest.param(size, "", marks=() if size == "phone" else pytest.mark.slow, id=size) for size in SIZES]
AXE_LARGE = [
    pytest.param(size, language, marks=pytest.mark.slow, id=f"{size}-large-{language}")
    for size, language in (("small", "en"), ("phone", "en"), ("phone", "de"), ("desktop", "de"))
]


@pytest.mark.parametrize(("size", "large_in"), [*AXE_SIZES, *AXE_LARGE])
def test_axe_finds_nothing(felt: Felt, size: str, large_in: str) -> None:
    """The lobby, each table while betting and after the deal, every sheet, every other page and a shared round; in
    large text also in German."""
    if large_in:
        felt.likes(largeText=True, language=large_in)
    felt.resize(*SIZES[size])
    found = {"lobby": found_by_axe(felt)}
    felt.page.click('[data-open="account"]')
    found["account"] = found_by_axe(felt)
    felt.close()
    for table in TABLES:
        felt.sit(table).bet(OPENER.get(table, "main"))
        felt.page.wait_for_timeout(250)
        found[table] = found_by_axe(felt)
        felt.press("deal")
        felt.until("choosing", "after")
        felt.page.wait_for_timeout(600)
        found[f"{table}, dealt"] = found_by_axe(felt)
    for sheet in ("tour", "options", "fairness", "layouts", "rules", "history"):
        felt.open(sheet)
        found[sheet] = found_by_axe(felt)
        felt.close()
    pages = {"statistics": "[data-totals]", "trainer": "[data-train]", "trainer/three-card-poker": "[data-drill]"}
    for page, ready in (*pages.items(), ("history", "li [data-round]")):
        felt.page.goto(f"{felt.url}#/{page}")
        felt.page.wait_for_selector(ready, timeout=60_000)
        found[page] = found_by_axe(felt)
    felt.page.click("li a[href*=replay]")
    felt.page.wait_for_selector(".mark")
    found["replay"] = found_by_axe(felt)
    closed = next(one["id"] for one in felt.rounds() if one["state"] == "settled")
    felt.page.goto(f"{felt.url}share/{closed}")
    found["share"] = found_by_axe(felt)
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


def test_the_up_card_the_question_and_the_result_are_spoken(felt: Felt) -> None:
    """The live region says each card as it falls, what is asked, and what came of it."""
    felt.likes(ownSeed=client_seed(BPP, lambda c: {c[0][:-1], c[2][:-1]} == {"10", "6"} and c[1] == "9h"))
    felt.sit("blackjack-poker-pairs").bet("main")
    felt.page.evaluate("""() => { const region = document.querySelector('.for-ears[aria-live="polite"]'); window.heard = [];
        new MutationObserver(() => window.heard.push(region.textContent)).observe(region,
            { childList: true, characterData: true, subtree: true }); }""")
    felt.press("deal").until("choosing")
    heard = " | ".join(felt.page.evaluate("() => window.heard"))
    assert "Dealer: 9 of hearts." in heard
    assert re.search(r"You: (10|6) of \w+, (10|6) of \w+\.", heard)
    assert "Your 16 against a 9 hit, stand or double?" in heard
    felt.play_out("stand")
    felt.page.wait_for_function("() => /You win|−|stakes/.test(window.heard.at(-1))")


SHOWN = """new MutationObserver((_, watch) => { if (document.querySelector('.spot') === null) return;
    window.shown_s = Date.now() / 1000; watch.disconnect(); }).observe(document, { childList: true, subtree: true });"""


def received(
    context: BrowserContext, url: str, table: str = "la-paire", pause_ms: int | None = None
) -> tuple[int, int]:
    """Bytes asked for before the spots of the first table are there: files named by their content, and the rest.

    By the table's address, or with a pause from the lobby, where somebody reads that long before they sit down.
    """
    page = context.new_page()
    page.add_init_script(SHOWN)
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    asked: dict[str, tuple[str, float]] = {}
    sizes: dict[str, float] = {}

    def ask(event: dict[str, Any]) -> None:
        asked[event["requestId"]] = (event["request"]["url"], event["wallTime"])

    wire.on("Network.requestWillBeSent", ask)
    wire.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    if pause_ms is None:
        page.goto(f"{url}#/table/{table}")
    else:
        page.goto(url)
        page.wait_for_selector(f'a[data-table="{table}"]', timeout=PATIENCE_MS)
        page.wait_for_timeout(pause_ms)
        page.click(f'a[data-table="{table}"]')
    page.wait_for_selector(".spot", timeout=PATIENCE_MS)
    page.wait_for_load_state("networkidle")
    wire.detach()
    shown = page.evaluate("() => window.shown_s")
    before = [(address, sizes.get(name, 0)) for name, (address, at) in asked.items() if at <= shown]
    files = sum(size for address, size in before if "/assets/" in address)
    return round(files), round(sum(size for _, size in before) - files)


@pytest.mark.parametrize("table", ["la-paire", *(pytest.param(one, marks=pytest.mark.slow) for one in TABLES[:-1])])
@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_the_first_table_is_small_also_from_the_lobby(
    chromium: Browser, house_url: str, office: Callable[..., Any], language: str, table: str
) -> None:
    """All that is sent before somebody can bet for the first time, also to one who reads the lobby before."""
    while any(one["prices"] is None for one in office("GET", "/tables", None)["tables"]):
        time.sleep(0.2)  # a new house is still counting: a lobby asks again
    phone: Any = {"viewport": {"width": 390, "height": 844}, "locale": language}
    context = chromium.new_context(**phone, service_workers="block")
    assert sum(received(context, house_url, table, pause_ms=1500)) < FIRST_BYTES_MAX
    context.close()


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_the_first_table_is_small_and_the_second_visit_smaller(
    chromium: Browser, house_url: str, language: str
) -> None:
    """Scripts, styles, our own type and the answers of the house; later only the answers, a second at 400 kbit/s."""
    phone: Any = {"viewport": {"width": 390, "height": 844}, "locale": language}
    first = chromium.new_context(**phone, service_workers="block")
    files, answers = received(first, house_url)
    assert files + answers < FIRST_BYTES_MAX
    first.close()
    second = chromium.new_context(**phone)
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
