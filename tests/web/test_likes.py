"""What a player likes: another language, saved layouts, the left hand, and the pages without a line."""

from playwright.sync_api import Browser, Page

from web_table import Felt


def test_the_pages_speak_the_language_of_the_browser(chromium: Browser, house_url: str) -> None:
    """German words, numbers with their comma, and English again by choice."""
    context = chromium.new_context(locale="de-DE", viewport={"width": 390, "height": 844}, service_workers="block")
    felt = Felt(context.new_page(), house_url).enter()
    assert felt.page.get_attribute("html", "lang") == "de-DE"
    assert "1.000,00" in felt.page.inner_text('[data-status="balance"]')
    felt.sit("three-card-poker").bet("ante").press("deal").until("choosing")
    assert "spielen oder passen?" in felt.prompt()
    felt.choose("fold").until("after")
    felt.page.goto(f"{house_url}#/statistics")
    assert "1 Spiel" in felt.page.inner_text("[data-totals]")
    felt.sit("three-card-poker").open("options").page.select_option("select[name=language]", "en")
    felt.page.wait_for_selector('html[lang="en-GB"]')
    context.close()


def test_a_layout_is_saved_and_laid_again(felt: Felt) -> None:
    page = felt.page
    felt.sit("la-paire").bet("card-A", "red").open("layouts")
    page.fill("input[name=layout]", "lucky ace")
    felt.press("save-layout").close().press("clear")
    assert felt.status("bet") == 0
    felt.open("layouts").page.click('[data-layout="0"]')
    page.wait_for_selector("dialog", state="detached")
    assert felt.status("bet") == 1000
    felt.open("layouts").page.click('[data-remove="0"]')
    assert page.locator("[data-layout]").count() == 0
    felt.close()


def test_the_left_hand_has_the_rail_and_the_felt_its_colour(felt: Felt) -> None:
    felt.likes(leftHand=True, felt="night", back="blue")
    felt.sit("la-paire").resize(844, 390)
    rail = felt.page.locator('[data-command="deal"]').bounding_box()
    assert rail is not None
    assert rail["x"] < 218
    colour = "() => getComputedStyle(document.querySelector('.felt')).getPropertyValue('--felt').trim()"
    assert felt.page.evaluate(colour) == "#23262c"


def test_the_shell_opens_without_a_line_and_answers_are_never_kept(chromium: Browser, house_url: str) -> None:
    """The page and its scripts come from the shell; nothing that the house says is in it."""
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page: Page = context.new_page()
    Felt(page, house_url).enter()
    page.evaluate("() => navigator.serviceWorker.ready")
    page.reload()
    page.wait_for_selector("article [data-table]")
    manifest = page.evaluate("async () => (await (await fetch('/manifest.webmanifest')).json()).display")
    assert manifest == "standalone"
    context.set_offline(True)
    page.reload()
    page.wait_for_selector('[role=alert]:has-text("No connection")')
    kept = page.evaluate(
        "async () => (await (await caches.open('pairhouse-shell-1')).keys()).map(one => new URL(one.url).pathname)"
    )
    assert "/" in kept
    assert all(path in ("/", "/icon.svg", "/manifest.webmanifest") or path.startswith("/assets/") for path in kept)
    context.close()
