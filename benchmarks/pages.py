"""Time the pages in a real browser: frames while cards are dealt, and a second visit on a slow line.

`make bench-pages`. A frame takes 16.7 ms at 60 a second; drawing without a GPU and a busy machine cost some, so the
median may take half as long again. Exits 1 where a bound is not met.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from playwright.sync_api import Browser, sync_playwright

from pairhouse.house.house import House
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.processes.one_process import build
from web.conftest import find_chromium, running
from web_table import Felt

FRAME_MS_MAX = 25.0
VISIT_S_MAX = 2.0
SLOW_LINE = {"offline": False, "latency": 100, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
BETS = {
    "blackjack-poker-pairs": "main",
    "three-card-poker": "ante",
    "nepal-super-baccarat": "player",
    "la-paire": "card-A",
}
WATCH = """() => { window.frames_ms = []; let last = performance.now();
    const look = now => { window.frames_ms.push(now - last); last = now; requestAnimationFrame(look); };
    requestAnimationFrame(look); }"""


def frames_of(browser: Browser, url: str, size: str, table: str) -> list[float]:
    """How long each frame took while a game was dealt at normal speed."""
    width, height = SIZES[size]
    page = browser.new_page(viewport={"width": width, "height": height})
    felt = Felt(page, url).enter(speed="normal").sit(table).bet(BETS[table])
    page.evaluate(WATCH)
    felt.press("deal").until("choosing", "after")
    taken: list[float] = page.evaluate("() => window.frames_ms.slice(2)")
    page.close()
    return taken


def second_visit(browser: Browser, url: str) -> float:
    """Seconds from the address to a table that can be played, at 400 kbit/s, for somebody who was here before."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    Felt(page, url).enter()
    page.evaluate("() => navigator.serviceWorker.ready")
    page.reload()  # through the shell, which keeps what it sees
    page.wait_for_load_state("networkidle")
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.emulateNetworkConditions", SLOW_LINE)
    start = time.monotonic()
    page.goto(f"{url}?again#/table/la-paire")
    page.wait_for_selector('.spot[data-wager="card-A"]')
    taken = time.monotonic() - start
    context.close()
    return taken


def main() -> int:
    """Measure, print, and say whether every bound is met."""
    is_met = True
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        app = build(house=House(f"sqlite:///{folder}/house.db"), throttle=Throttle({}))
        browser = play.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        with running(app) as url:
            for size in SIZES:
                for table in BETS:
                    taken = frames_of(browser, url, size, table)
                    middle, late = median(taken), quantiles(taken, n=20)[-1]
                    is_met &= middle <= FRAME_MS_MAX
                    print(f"{table:22} {size:8} {1000 / middle:5.0f} frames/s, 19 of 20 within {late:5.1f} ms")
            seconds = second_visit(browser, url)
            is_met &= seconds <= VISIT_S_MAX
            print(f"a table again at 400 kbit/s: {seconds:.2f} s")
        browser.close()
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
