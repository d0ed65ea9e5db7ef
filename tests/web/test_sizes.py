"""Every table at every size: each wager can be pressed with a thumb, nothing is cut off, nothing scrolls sideways."""

from typing import Any

import pytest
from playwright.sync_api import Browser

from pairhouse.games.catalogue import find
from web_table import Felt, client_seed

SIZES = {
    "small": (320, 568),
    "phone": (390, 844),
    "landscape": (844, 390),
    "tablet": (768, 1024),
    "desktop": (1440, 900),
    "large": (1920, 1080),
}
BETWEEN = ("tablet", "large")  # what is wrong there alone is found by `make test-long`
TRIED = [pytest.param(size, marks=pytest.mark.slow if size in BETWEEN else ()) for size in SIZES]
GAMES = {
    "blackjack-poker-pairs": "blackjack-poker-pairs",
    "pair-v3-6": "pair-v3",
    "three-card-poker-progressive": "three-card-poker",
    "nepal-super-baccarat": "nepal-super-baccarat",
    "la-paire": "la-paire",
}
BPP = find("blackjack-poker-pairs").variant({})
SIXTEEN = client_seed(BPP, lambda c: {c[0][:-1], c[2][:-1]} == {"10", "6"} and c[1][0] in "789")
THUMB_PX = 44

# For each bet on screen: its size, and whether its middle, once in sight, is its own and inside the window.
LOOK = """() => [...document.querySelectorAll('.spot:not(.follows)')].map(spot => {
    spot.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const box = spot.getBoundingClientRect();
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)?.closest('.spot');
    return { wager: spot.dataset.wager, seat: Number(spot.dataset.seat), least: Math.round(Math.min(box.width, box.height)),
             own: hit === spot, inside: box.left >= -1 && box.right <= innerWidth + 1, between: spot.matches('.between') }; })"""
OVERFLOW = """() => { const room = document.querySelector('.felt-room');
    return { sideways: Math.max(room.scrollWidth - room.clientWidth, document.documentElement.scrollWidth - innerWidth),
             down: room.scrollHeight - room.clientHeight }; }"""
CUT = """() => { const isOver = one => { const text = document.createRange(); text.selectNodeContents(one);
        return one.matches('.press') && text.getBoundingClientRect().width > one.getBoundingClientRect().width; };
    return [...document.querySelectorAll('.press, .spot b, .spot small, h1, [data-status], [data-prompt] .text, .tag')]
    .filter(one => one.offsetParent !== null && (isOver(one) || one.scrollWidth > one.clientWidth + 2 && getComputedStyle(one).overflow !== 'visible'
        || one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().left < -1))
    .map(one => one.className + ': ' + one.textContent.trim()); }"""

# How far the question reaches out of the line that asks it.
ASKED = """() => { const right = of => document.querySelector(of).getBoundingClientRect().right;
    return right('[data-prompt] .text') - right('[data-prompt]'); }"""


def placed(table: str) -> set[str]:
    """The wagers this table takes before the cards."""
    options = {"progressive": True} if table.endswith("progressive") else {}
    return {wager.id for wager in find(GAMES[table]).variant(options).wagers.values() if wager.base is None}


def looked_at(felt: Felt) -> list[dict[str, Any]]:
    """Every bet of the felt, behind whichever tab it lies."""
    seen: list[dict[str, Any]] = []
    for tab in felt.page.locator("[data-tab]").all():
        tab.click()
        seen += felt.page.evaluate(LOOK)
    return seen or list(felt.page.evaluate(LOOK))


@pytest.mark.parametrize("size", TRIED)
def test_every_wager_can_be_pressed(felt: Felt, size: str) -> None:
    """44 px and free to the touch; what lies between La Pair'e's values opens larger on a phone, and is 44 px there."""
    felt.resize(*SIZES[size])
    handheld = size in {"small", "phone", "landscape"}
    for table in GAMES:
        seen = looked_at(felt.sit(table))
        assert {one["wager"] for one in seen} == placed(table)
        assert [one for one in seen if not one["inside"]] == [], table
        opens_larger = [one for one in seen if one["between"] and handheld]
        others = [one for one in seen if one not in opens_larger]
        assert [one for one in others if one["least"] < THUMB_PX or not one["own"]] == [], table
        if opens_larger:
            assert len(opens_larger) == 27
            every_neighbourhood(felt, {one["wager"] for one in opens_larger})
        overflow = felt.page.evaluate(OVERFLOW)
        assert overflow["sideways"] <= 0, table
        assert size != "landscape" or overflow["down"] <= 1, table
        assert felt.page.evaluate(CUT) == [], table


# What people hold besides, and German words at the least and the greatest of the six.
OTHERS = [
    pytest.param("de-DE", SIZES["small"], id="german-small"),
    pytest.param("de-DE", (667, 375), id="german-landscape-short"),
    pytest.param("de-DE", (568, 320), id="german-landscape-lowest"),
    *(
        pytest.param(language, size, id=f"{language[:2]}-{size[0]}x{size[1]}", marks=pytest.mark.slow)
        for language in ("en-GB", "de-DE")
        for size in (
            (640, 360),
            (740, 360),
            (412, 915),
            (360, 640),
            (932, 430),
            (360, 740),
            (1024, 768),
            (1180, 820),
            (1280, 720),
        )
    ),
    pytest.param("en-GB", (667, 375), id="landscape-short", marks=pytest.mark.slow),
    *(
        pytest.param("de-DE", SIZES[size], id=f"german-{size}", marks=pytest.mark.slow)
        for size in SIZES
        if size != "small"
    ),
]


@pytest.mark.parametrize(("language", "size"), OTHERS)
def test_no_window_clips_or_shrinks_a_bet(
    chromium: Browser, house_url: str, language: str, size: tuple[int, int]
) -> None:
    """Nothing scrolls sideways, no word leaves its button, each bet is 44 px or opens larger, and the menu is in sight."""
    context = chromium.new_context(locale=language, service_workers="block")
    felt = Felt(context.new_page(), house_url).enter().resize(*size)
    for table in GAMES:
        seen = looked_at(felt.sit(table))
        handheld = felt.page.locator('[data-screen="phone"], [data-screen="landscape"]').count() == 1
        bets = [one for one in seen if not (handheld and one["between"])]
        assert [one for one in bets if one["least"] < THUMB_PX or not (one["own"] and one["inside"])] == [], table
        overflow = felt.page.evaluate(OVERFLOW)
        assert overflow["sideways"] <= 0, table
        assert overflow["down"] <= 1 or not (handheld and size[0] > size[1]), table
        assert felt.page.evaluate(CUT) == [], table
    felt.likes(ownSeed=SIXTEEN)
    felt.sit("blackjack-poker-pairs").bet("main").press("deal").until("choosing")
    assert felt.page.evaluate(CUT) == []
    assert felt.page.evaluate(ASKED) <= 0
    if felt.page.locator('[data-command="menu"]').count():
        felt.press("menu")
    last = felt.page.locator("nav .press").last.bounding_box()
    assert last is not None
    assert last["y"] + last["height"] <= size[1]
    context.close()


def every_neighbourhood(felt: Felt, wanted: set[str]) -> None:
    """Each bet between values is in an enlarged neighbourhood, large enough for a thumb."""
    felt.page.click('[data-tab="first"]')
    ids = felt.page.locator(".between").evaluate_all("all => all.map(one => one.dataset.wager)")
    found: set[str] = set()
    for heart in (one for one in ids if one.startswith(("three", "corner"))):
        felt.page.click(felt.spot(heart))
        cells = felt.page.locator(".zoom .spot").evaluate_all(
            "all => all.map(one => [one.dataset.wager, one.offsetWidth, one.offsetHeight])"
        )
        assert [cell for cell in cells if min(cell[1:]) < THUMB_PX] == []
        found |= {cell[0] for cell in cells}
        felt.press("zoom-close")
    assert wanted <= found


@pytest.mark.parametrize("size", TRIED)
def test_buttons_and_chips_are_as_large_as_a_thumb(felt: Felt, size: str) -> None:
    """While betting, while choosing and after the game."""
    felt.resize(*SIZES[size])
    felt.likes(ownSeed=SIXTEEN)
    felt.sit("blackjack-poker-pairs").bet("main", "pairs")
    buttons = "button:visible:not(.spot), a.press:visible"
    small: dict[str, list[Any]] = {}
    for phase in ("betting", "choosing", "after"):
        felt.until(phase)
        sizes = felt.page.locator(buttons).evaluate_all(
            "all => all.map(one => [one.className, one.offsetWidth, one.offsetHeight])"
        )
        small[phase] = [one for one in sizes if min(one[1:]) < THUMB_PX]
        assert felt.page.evaluate(CUT) == []
        if phase == "betting":
            felt.press("deal")
        elif phase == "choosing":
            felt.play_out("stand")
    assert small == {"betting": [], "choosing": [], "after": []}


@pytest.mark.parametrize("size", ["small", "phone", "landscape"])
def test_sheets_and_panels_fit_the_screen(felt: Felt, size: str) -> None:
    """An upright phone is as wide as every sheet; what a bet pays can be closed again at every size."""
    felt.resize(*SIZES[size]).sit("blackjack-poker-pairs")
    width = SIZES[size][0]
    for sheet in ("rules", "history", "layouts", "fairness", "options"):
        place = felt.open(sheet).page.locator("dialog[open]").bounding_box()
        assert place is not None
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= width
        assert size == "landscape" or place["width"] == width, sheet
        felt.close()
    felt.press("info").page.click(felt.spot("main"))
    for button in felt.page.locator(".bubble button").all():
        place = button.bounding_box()
        assert place is not None
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= width


# Words and figures of a page that lie beyond the window, at its side.
BEYOND = """() => [...document.querySelectorAll('main :is(b, span, p, h1, h2, button, a, .card)')]
    .filter(one => one.offsetParent !== null && one.closest('.scroll, .for-ears') === null)
    .map(one => [one.textContent.trim().slice(0, 30), one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && (box.right > innerWidth + 1 || box.left < -1)).map(([text]) => text)"""


def test_large_german_words_stay_on_the_smallest_phone(felt: Felt) -> None:
    felt.sit("blackjack-poker-pairs").bet("main").press("deal").play_out()
    felt.likes(largeText=True, language="de")
    felt.resize(*SIZES["small"])
    pages = {"history": "li [data-round]", "statistics": "[data-totals]", "trainer": "[data-train]"}
    for page, ready in {**pages, "trainer/three-card-poker": "[data-drill]"}.items():
        felt.page.goto(f"{felt.url}#/{page}")
        felt.page.wait_for_selector(ready, timeout=60_000)
        assert felt.page.evaluate(BEYOND) == [], page
        wide = "() => document.documentElement.scrollWidth - innerWidth"
        assert felt.page.evaluate(wide) <= 0, page


def test_a_bet_that_wins_out_of_sight_is_brought_into_sight(felt: Felt) -> None:
    """Player and Banker on a small phone, scrolled down to the roads before the deal."""
    felt.resize(*SIZES["small"]).sit("nepal-super-baccarat").bet("player", "banker")
    while True:
        felt.page.evaluate("() => document.querySelector('.felt-room').scrollTo(0, 10_000)")
        felt.again("rebet-deal" if felt.rounds() else "deal")
        if felt.page.locator(".spot.won").count():
            break  # a tie pays neither
    felt.page.wait_for_function("""() => { const box = document.querySelector('.spot.won').getBoundingClientRect();
        const room = document.querySelector('.felt-room').getBoundingClientRect();
        return box.top >= room.top && box.bottom <= room.bottom + 1; }""")


@pytest.mark.parametrize("size", ["small", "phone", "landscape"])
def test_the_hand_in_play_is_the_largest_and_all_hands_are_legible(felt: Felt, size: str) -> None:
    """Three eights split twice: the one asked is in front, the others stay in sight beside it."""
    felt.resize(*SIZES[size])
    felt.likes(ownSeed=client_seed(BPP, lambda c: [c[i][:-1] for i in (0, 2, 4)] == ["8"] * 3 and c[1][0] in "456"))
    felt.sit("blackjack-poker-pairs").bet("main").press("deal")
    for hands in (2, 3):
        felt.until("choosing")
        felt.choose("split")
        felt.page.wait_for_function(f"() => document.querySelectorAll('.main .stack').length === {hands}")
    felt.until("choosing")
    felt.page.wait_for_timeout(400)  # the hands change places
    cards = [card.bounding_box() for card in felt.page.locator("[data-own] .card").all()]
    widths = sorted(round(card["width"]) for card in cards if card is not None)
    assert widths[-1] >= 1.8 * widths[0]
    assert widths[0] >= 22
    room = felt.page.locator(".felt-room").bounding_box()
    assert room is not None
    for card in cards:
        assert card is not None
        assert card["x"] >= 0
        assert card["x"] + card["width"] <= room["x"] + room["width"]
        assert card["y"] + card["height"] <= room["y"] + room["height"]
    assert felt.prompt().startswith("Hand 1 of 3: your ")
    assert not felt.page.locator(".rack").is_visible()


@pytest.mark.parametrize("size", ["small", "phone"])
def test_the_dealers_total_stands_beside_the_last_card(felt: Felt, size: str) -> None:
    """Two tens: 20, at their right and not at the edge of the window."""
    felt.resize(*SIZES[size])
    tens = client_seed(
        BPP, lambda c: [card[:-1] for card in (c[1], c[3])] == ["10", "10"] and c[0][:-1] == c[2][:-1] == "9"
    )
    felt.likes(ownSeed=tens)
    felt.sit("blackjack-poker-pairs").bet("main").press("deal").play_out("stand")
    felt.page.wait_for_timeout(400)  # the total appears once its card has landed
    card = felt.page.locator(".dealer .card").last.bounding_box()
    total = felt.page.locator(".dealer .tag").bounding_box()
    assert card is not None
    assert total is not None
    assert -2 <= total["x"] - card["x"] - card["width"] <= 16
