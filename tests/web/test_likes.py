"""What a player likes: another language, saved layouts, the left hand, and the pages without a line."""

import re
from typing import Any

from playwright.sync_api import Browser, Page, Route

from web.test_sizes import CUT
from web_table import Felt

# Words that German does not have, and names that it leaves as they are.
ENGLISH = re.compile(
    r"\b(the|your?|and|with|bets?|deal(er|s|t)?|cards?|wins?|won|loses?|pays?|house|of|is|are|for|from|against|stand|hit"
    r"|fold|high|each|table|decks?|seed|rules?|game|choose|straight|suited|mixed|three|queen|king|jack|soft|hard)\b"
)
NAMES = re.compile(
    r"First Card|La Pair'e Card|Three Card Poker|Straight Flush|Royal Flush|`[^`]*`|[a-z]+-[a-z0-9-]+|Even money|Card \d+|Card [AJQK]\b"
)

# All words of the page but those of programs.
READ = r"""() => { const page = document.body.cloneNode(true);
    page.querySelectorAll('noscript, script, style, code, pre').forEach(one => one.remove());
    return page.textContent.replace(/\s+/g, ' '); }"""


def left_in_english(felt: Felt) -> list[str]:
    """English words on the page, with those around them; also what is only heard."""
    text = NAMES.sub("", felt.page.evaluate(READ))
    return [text[max(0, found.start() - 30) : found.end() + 30] for found in ENGLISH.finditer(text)]


OTHER_WORDS = "the house says it in other words"
KEYED = {  # what is said, and where its key is
    "text": "key",
    "row": "key",
    "name": "key",
    "otherwise": "otherwise_key",
    "group": "group_key",
    "label": "label_key",
}


def in_other_words(told: Any) -> Any:
    """An answer of a house whose English is another, for whatever it sends a key with."""
    if isinstance(told, list):
        return [in_other_words(each) for each in told]
    if not isinstance(told, dict):
        return told
    found = {name: in_other_words(value) for name, value in told.items()}
    found |= {name: OTHER_WORDS for name, key in KEYED.items() if name in told and key in told}
    if "name_key" in told:
        found["name"] = OTHER_WORDS
    if "warning_keys" in told:
        found["warnings"] = dict.fromkeys(told["warning_keys"], OTHER_WORDS)
    return found


def answer_in_other_words(route: Route) -> None:
    """Let a request through, and change the words of the answer."""
    answer = route.fetch()
    if answer.headers.get("content-type", "").startswith("application/json"):
        route.fulfill(response=answer, json=in_other_words(answer.json()))
    else:
        route.fulfill(response=answer)


def test_the_pages_speak_the_language_of_the_browser(chromium: Browser, house_url: str) -> None:
    """German on every page, numbers with their comma, whatever words the house has; and English again by choice."""
    context = chromium.new_context(locale="de-DE", viewport={"width": 390, "height": 844}, service_workers="block")
    context.route(re.compile(r"/(tables|games|rounds|live)(/(?!.*events)[^.]*)?$"), answer_in_other_words)
    context.route("**/texts", lambda route: route.abort())  # nothing is looked up in the list of English texts
    felt = Felt(context.new_page(), house_url).enter()
    page, left = felt.page, {}
    assert page.get_attribute("html", "lang") == "de-DE"
    assert "1.000,00" in page.inner_text('[data-status="balance"]')
    left["lobby"] = left_in_english(felt)
    page.click('[data-open="account"]')
    left["account"] = left_in_english(felt)
    felt.resize(320, 568)
    assert page.evaluate(CUT) == []
    felt.close()
    assert page.evaluate(CUT) == []
    felt.resize(390, 844)
    for table, bets in (
        ("la-paire", ["card-A", "red", "poker"]),
        ("nepal-super-baccarat", ["player", "player-on-8"]),
        ("blackjack-poker-pairs", ["main", "pairs"]),
        ("three-card-poker", ["ante", "pairplus"]),
    ):
        felt.sit(table).bet(*bets)
        felt.press("info").page.click(felt.spot(bets[-1]))
        left[f"{table}, a bet"] = left_in_english(felt)
        page.keyboard.press("Escape")
        felt.press("deal").until("choosing", "after")
        left[f"{table}, dealt"] = left_in_english(felt)
        if table == "three-card-poker":
            assert felt.prompt().endswith("spielen oder passen?")
        felt.play_out()
        left[f"{table}, over"] = left_in_english(felt)
        felt.open("rules").page.wait_for_selector("dialog [data-contents]")
        left[f"{table}, rules"] = left_in_english(felt)
        felt.close()
    for sheet in ("history", "fairness", "layouts", "options", "tour"):
        felt.open(sheet)
        left[sheet] = left_in_english(felt)
        felt.close()
    page.goto(f"{house_url}#/statistics")
    page.wait_for_selector("[data-totals]")
    assert "4 Spiele" in page.inner_text("[data-totals]")
    left["statistics"] = left_in_english(felt)
    page.goto(f"{house_url}#/trainer")
    page.wait_for_selector("[data-train]")
    left["trainer"] = left_in_english(felt)
    page.goto(f"{house_url}#/history")
    page.click("a[data-round]")
    page.click('[data-command="verify"]')
    page.wait_for_selector('[data-verdict="true"]')
    left["replay"] = left_in_english(felt)
    assert {name: found for name, found in left.items() if found} == {}
    felt.sit("three-card-poker").open("options").page.select_option("select[name=language]", "en")
    page.wait_for_selector('html[lang="en-GB"]')
    felt.sit("three-card-poker")
    assert OTHER_WORDS in page.inner_text(".board").lower()  # in English the house speaks for itself
    context.unroute_all(behavior="ignoreErrors")
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


def test_a_damaged_store_is_no_reason_not_to_play(felt: Felt) -> None:
    """Options and last games of another shape, as another version may have left them: the table deals all the same."""
    felt.sit("la-paire").bet("card-A").again("deal")
    felt.page.evaluate("""() => { for (const key of Object.keys(localStorage)) localStorage.setItem(key,
        key.startsWith('pairhouse.last') ? '{"last": 5, "round": "", "seats": null, "numbers": "x"}'
        : key === 'pairhouse.options' ? '{"volume": "loud", "sound": true, "felt": 7, "speed": "fast", "tour": false}' : '7');
        for (const key of Object.keys(sessionStorage)) sessionStorage.setItem(key, '{"1/nothing": -5}'); }""")
    felt.page.reload()
    felt.page.wait_for_selector(".spot")
    felt.press("rebet").again("deal")
    assert [done["staked"] for done in felt.rounds()] == [500, 500]


def test_the_left_hand_has_the_rail_the_felt_its_colour_and_sheets_large_words(felt: Felt) -> None:
    felt.likes(leftHand=True, felt="night", back="blue", largeText=True)
    felt.sit("la-paire").resize(844, 390)
    rail = felt.page.locator('[data-command="deal"]').bounding_box()
    assert rail is not None
    assert rail["x"] < 218
    colour = "() => getComputedStyle(document.querySelector('.felt')).getPropertyValue('--felt').trim()"
    assert felt.page.evaluate(colour) == "#23262c"
    felt.open("rules")
    assert felt.page.evaluate("() => getComputedStyle(document.querySelector('dialog .body')).zoom") == "1.18"


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
