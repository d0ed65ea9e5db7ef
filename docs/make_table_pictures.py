"""Take the README's pictures of the tables: a real house, a real browser, and cards chosen to be shown."""

import os
import sys
import tempfile
from io import BytesIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from pairhouse.house import dealer
from pairhouse.house.house import House
from pairhouse.house.vault import KEY_VARIABLE
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.processes.one_process import build
from web.conftest import find_chromium, running
from web.test_pictures import EIGHTS, PAIR, SEVENS, SIXTEEN
from web_table import SERVER_SEED, Felt

PICTURES = Path(__file__).parent / "pictures"
DESKTOP, SHOWN = (1440, 900), (1200, 750)
PHONE, GAP = (390, 844), 22
COUPS = 24


def taken(page: Page) -> Image.Image:
    """What is on screen, once everything has come to rest."""
    page.wait_for_timeout(600)
    return Image.open(BytesIO(page.screenshot())).convert("RGB")


def keep(picture: Image.Image, name: str) -> None:
    picture.save(PICTURES / f"{name}.webp", quality=82, method=6)


def blackjack(felt: Felt) -> Image.Image:
    """Three hands of eights, one of them asked."""
    felt.likes(ownSeed=EIGHTS)
    felt.sit("blackjack-poker-pairs").bet("main", "pairs", "poker").press("deal").until("choosing")
    for hands in (2, 3):
        felt.choose("split")
        felt.page.wait_for_function(f"() => document.querySelectorAll('.main .stack').length === {hands}")
        felt.until("choosing")
    return taken(felt.page)


def pair(felt: Felt) -> Image.Image:
    felt.likes(ownSeed=SIXTEEN)
    felt.sit("pair-v3-6").bet("main", "pair").press("deal").until("choosing")
    return taken(felt.page)


def three_card(felt: Felt) -> Image.Image:
    felt.likes(ownSeed=PAIR)
    felt.sit("three-card-poker").bet("ante", "pairplus").press("deal").until("choosing")
    felt.choose("play").until("after")
    return taken(felt.page)


def baccarat(felt: Felt) -> Image.Image:
    """After some coups, so that there are roads to read."""
    felt.likes()
    felt.sit("nepal-super-baccarat").bet("player", "lucky-6", "player-on-8").press("deal").until("after")
    for _ in range(COUPS):
        felt.again()
    return taken(felt.page)


def la_paire(felt: Felt) -> Image.Image:
    felt.likes(ownSeed=SEVENS)
    felt.sit("la-paire").bet("card-A", "card-7", "red", "any-paire", "poker").press("deal").until("after")
    return taken(felt.page)


SCENES = {
    "blackjack-poker-pairs": blackjack,
    "pair-v3": pair,
    "three-card-poker": three_card,
    "nepal-super-baccarat": baccarat,
    "la-paire": la_paire,
}


def main() -> None:
    os.environ[KEY_VARIABLE] = "ab" * 32
    dealer.new_seed = lambda: SERVER_SEED
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        with running(build(house=House(f"sqlite:///{folder}/house.db"), throttle=Throttle({}))) as url:

            def come(size: tuple[int, int]) -> Felt:
                page = browser.new_page(viewport={"width": size[0], "height": size[1]}, locale="en-GB")
                return Felt(page, url).enter()

            keep(taken(come(DESKTOP).page).resize(SHOWN, Image.Resampling.LANCZOS), "lobby")
            for name, scene in SCENES.items():
                keep(scene(come(DESKTOP)).resize(SHOWN, Image.Resampling.LANCZOS), name)
            phones = [scene(come(PHONE)) for scene in (blackjack, la_paire, baccarat)]
            sheet = Image.new("RGB", (len(phones) * (PHONE[0] + GAP) + GAP, PHONE[1] + 2 * GAP), "#0d0b09")
            for number, picture in enumerate(phones):
                sheet.paste(picture, (GAP + number * (PHONE[0] + GAP), GAP))
            keep(sheet, "phone")
        browser.close()


if __name__ == "__main__":
    main()
