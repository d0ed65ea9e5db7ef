"""What lies on the felt, what is said about it and what it costs are always true, and nothing a player did is lost."""

from typing import Any, Literal

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route

from pairhouse.games.catalogue import find
from web_table import Felt, client_seed

BPP = find("blackjack-poker-pairs").variant({})
LA_PAIRE = find("la-paire").variant({})
PHONE = (390, 844)
LANDSCAPE = (844, 390)
DESKTOP = (1440, 900)


def box(place: Locator) -> dict[str, float]:
    """Where something lies."""
    found = place.bounding_box()
    assert found is not None
    return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}


def changed(page: Page, path: str, change: Any) -> None:
    """Let the page see another table than the house has: its own answer, changed."""

    def answer(route: Route) -> None:
        content = route.fetch().json()
        change(content)
        route.fulfill(json=content)

    page.route(path, answer)


def test_the_felt_is_frozen_while_the_bet_is_on_its_way(felt: Felt) -> None:
    """A delayed answer: no chip lands, moves or vanishes; REBET is what the house took."""
    felt.sit("la-paire").bet("card-A", "card-A")
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    felt.page.route("**/rounds", hold)
    felt.press("deal")
    felt.until("dealing")
    felt.page.click(felt.spot("red"))
    felt.page.click(felt.spot("card-A"), button="right")
    for key in "ucxre":
        felt.page.keyboard.press(key)
    assert felt.page.locator('[data-command="undo"], [data-command="deal"]').count() == 0
    assert felt.page.locator(f"{felt.spot('red')} .stack").count() == 0
    assert felt.status("bet") == 1000
    waiting[0].continue_()
    felt.until("after")
    felt.press("rebet")
    assert felt.status("bet") == 1000
    assert felt.page.locator(f"{felt.spot('red')} .stack").count() == 0


def test_a_resumed_game_lies_on_the_seat_it_was_bet_on(felt: Felt) -> None:
    """Seat 3, its answer lost and the page reloaded: the cards and REBET are on seat 3."""
    seed = client_seed(BPP, lambda cards: cards[1][0] in "56789" and cards[0][0] in "56" and cards[2][0] in "789")
    felt.likes(ownSeed=seed)
    felt.sit("blackjack-poker-pairs").bet("main", seat=3)
    felt.page.route("**/rounds", lambda route: (route.fetch(), route.abort()))
    felt.press("deal")
    felt.page.wait_for_selector(".toast.lost")
    felt.page.unroute("**/rounds")
    felt.page.reload()
    felt.until("choosing")
    assert felt.page.locator('section[aria-label="Seat 3"] .card').count() == 2
    assert felt.page.locator('section[aria-label="Seat 1"] .card').count() == 0
    felt.play_out().press("rebet")
    assert felt.page.locator(f"{felt.spot('main', 3)} .stack").count() == 1


def test_rebet_in_another_browser_is_the_last_round_of_the_house(felt: Felt) -> None:
    """What this browser has forgotten the house still knows."""
    felt.sit("la-paire").bet("card-A", "red").press("deal")
    felt.until("after")
    felt.page.evaluate("() => localStorage.clear()")
    felt.likes()
    felt.page.click('[data-command="rebet"]')
    assert felt.status("bet") == 1000


@pytest.mark.parametrize(
    ("table", "side", "seat", "says", "opener"),
    [
        ("la-paire", "red", 1, "Add a First Card bet", "card-A"),
        ("three-card-poker", "pairplus", 1, "Add an Ante", "ante"),
        ("pair-v3-6", "pair", 2, "Add a Blackjack bet at seat 2", "main"),
    ],
)
def test_a_side_bet_alone_is_told_before_deal(
    felt: Felt, table: str, side: str, seat: int, says: str, opener: str
) -> None:
    """In the felt's words, with the spots that are needed lit; taking the main bet back takes the side bet along."""
    felt.sit(table).bet(side, seat=seat)
    assert felt.prompt().startswith(says)
    assert felt.page.locator('[data-command="deal"]').count() == 0
    lit = felt.page.locator(".spot.needed")
    assert set(lit.evaluate_all("all => all.map(one => one.dataset.seat)")) == {str(seat)}
    assert felt.page.locator(f"{felt.spot(opener, seat)}.needed").count() == 1
    felt.page.keyboard.press("Space")
    felt.bet(opener, seat=seat)
    assert lit.count() == 0
    assert felt.page.inner_text('[data-command="deal"]') == "Deal 10.00"
    felt.page.click(felt.spot(opener, seat), button="right")
    assert felt.status("bet") == 0
    assert felt.rounds() == []


def test_a_wrong_address_says_so_in_words_or_leads_to_the_lobby(felt: Felt) -> None:
    for address in ("#/table/no-such-table", "#/table/", "#/table/%E0%A4%A", "#/replay/nothing"):
        felt.page.goto(f"{felt.url}{address}")
        stays = ":is(.middle, .failed)[role=alert]"  # as no toast does
        felt.page.wait_for_selector(f"{stays}, article [data-table]")
        told = " ".join(felt.page.locator("[role=alert]").all_inner_texts())
        assert "Not Allowed" not in told
        assert "pair-v3" not in told


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_prices_lie_on_their_own_boxes(felt: Felt, size: tuple[int, int]) -> None:
    felt.resize(*size)
    price = ".price, .three, small"
    felt.sit("la-paire")
    boxes = {"card-A": "12", "card-joker": "25", "three-2-8-A": "3", "three-7-K-joker": "4"}
    boxes |= {"paire-A": "225", "paire-joker": "1300", "any-paire": "16, Jokers 50"}
    for wager, pays in boxes.items():
        felt.bring(wager)
        assert felt.page.inner_text(f"{felt.spot(wager)} :is({price})") == pays
    felt.sit("nepal-super-baccarat")
    assert "on 6 1 to 2" in felt.page.inner_text(f"{felt.spot('banker')} small")
    assert felt.page.inner_text(f"{felt.spot('lucky-6')} small").split("\n") == ["12 two cards", "20 three cards"]
    felt.sit("three-card-poker")
    assert "queen high" in felt.page.inner_text(".motto")
    assert "Play pushes" in felt.page.inner_text(".motto")


def test_insurance_is_on_the_felt_only_where_it_is_offered(felt: Felt) -> None:
    felt.sit("blackjack-poker-pairs")
    assert "Insurance pays 2 to 1" in (felt.page.text_content(".motto") or "")

    def never(table: Any) -> None:
        table["game"]["wagers"] = [one for one in table["game"]["wagers"] if one["id"] != "insurance"]

    changed(felt.page, "**/tables/blackjack-poker-pairs", never)
    felt.page.reload()
    felt.page.wait_for_selector(".motto")
    assert "Insurance" not in (felt.page.text_content(".motto") or "")


def test_the_poker_hand_is_announced_and_no_marker_stands_beside_the_layout(felt: Felt) -> None:
    """A pair of sevens at a table without the second set: one marker, and the hand in words."""
    felt.likes(ownSeed=client_seed(LA_PAIRE, lambda cards: [card[:-1] for card in cards[:3]] == ["7", "7", "7"]))

    def any_only(table: Any) -> None:
        table["game"]["wagers"] = [one for one in table["game"]["wagers"] if not one["id"].startswith("paire-")]

    changed(felt.page, "**/tables/la-paire", any_only)
    felt.sit("la-paire").bet("card-A").press("deal")
    felt.until("after")
    assert felt.page.locator(".marker").count() == 1
    assert felt.page.locator(f"{felt.spot('card-7')} .marker").count() == 1
    assert "Poker hand: three of a kind" in felt.prompt()


def test_the_lobby_gives_1300_to_the_la_paire_card_bet(felt: Felt) -> None:
    told = felt.page.inner_text("article.la-paire")
    assert "Jokers 1300 to 1" in told
    assert "Two Jokers pay 1300" not in told


def test_a_loss_reads_as_a_loss_and_last_win_is_what_was_won(felt: Felt) -> None:
    """Red wins 5 and the ace loses 25: 10 of 30 come back, and nothing was won."""
    felt.likes(ownSeed=client_seed(LA_PAIRE, lambda cards: cards[0][-1] in "dh" and cards[0][0] in "3456"))
    felt.sit("la-paire").chip(3).bet("card-A").chip(2).bet("red").press("deal")
    felt.until("after")
    assert felt.prompt().startswith("−20 10 of 30 back")
    assert felt.page.locator("[data-prompt].none").count() == 1
    assert felt.status("win") == 0


def test_split_hands_are_told_hand_by_hand(felt: Felt) -> None:
    """Two eights split and stood on: each hand has its stack and its own result; the line asks for one hand at a time."""
    seed = client_seed(
        BPP, lambda cards: [card[:-1] for card in (cards[0], cards[2])] == ["8", "8"] and cards[1][0] in "56"
    )
    felt.likes(ownSeed=seed)
    felt.sit("blackjack-poker-pairs").bet("main").press("deal")
    felt.until("choosing")
    felt.choose("split")
    felt.page.wait_for_function("() => document.querySelectorAll('.main .stack').length === 2")
    felt.until("choosing", "after")
    if felt.page.get_attribute(".table", "data-phase") == "choosing":
        assert felt.prompt().startswith("Hand 1 of 2: your ")
    felt.play_out()
    done = felt.api("GET", f"/rounds/{felt.rounds()[0]['id']}")[1]
    settled = [event for event in done["view"]["events"] if event["event"] == "settled"]
    results = [event["returned"] - event["stake"] for event in settled]
    words = ["Push" if net == 0 else f"+{net // 100}" if net > 0 else f"−{-net // 100}" for net in results]
    told = felt.page.locator('section[aria-label="Seat 1"] .tag').all_inner_texts()
    assert [text.split()[-1] for text in told] == words


def test_the_line_never_mixes_seats(felt: Felt) -> None:
    """With seats 1 and 3 in play every question names the seat that is asked, and nothing said of another."""
    felt.sit("blackjack-poker-pairs").bet("main", seat=1).bet("main", seat=3).press("deal")
    while felt.until("choosing", "after") == "choosing":
        seat = felt.page.locator(".seat.turn").get_attribute("aria-label")
        assert felt.prompt().startswith(str(seat))
        assert felt.prompt().count("Seat") == 1
        choices = felt.page.locator("[data-choice]:not(:disabled)")
        before = felt.prompt()
        choices.filter(has_text="Stand" if felt.page.locator('[data-choice="stand"]').count() else "No").first.click()
        felt.page.wait_for_function(
            "before => document.querySelector('[data-prompt]').innerText.split(/\\s+/).join(' ') !== before", arg=before
        )
    assert "Seat" not in felt.prompt()


def test_bets_survive_the_sheets_over_the_table(felt: Felt) -> None:
    """Opened from the table, kept by a reload, left by Escape and by the back button, and the bets still lie."""
    felt.sit("la-paire").bet("card-A", "red")
    for sheet in ("rules", "history", "fairness", "options"):
        felt.open(sheet)
        assert felt.page.locator(".felt").count() == 1
        felt.close().open(sheet).page.go_back()
        felt.page.wait_for_selector("dialog", state="detached")
        assert felt.status("bet") == 1000
    felt.open("rules").page.reload()
    felt.page.wait_for_selector("dialog[open]")
    felt.close()
    assert felt.page.url.endswith("#/table/la-paire")
    assert felt.status("bet") == 1000
    felt.page.goto(f"{felt.url}#/")
    felt.page.wait_for_selector("article")
    felt.page.go_back()
    felt.page.wait_for_selector(".table")
    assert felt.status("bet") == 1000


def test_a_replay_leads_back_to_the_table_it_was_opened_from(felt: Felt) -> None:
    felt.sit("la-paire").bet("card-A").again("deal")
    felt.open("history").page.click("a[data-round]")
    felt.page.wait_for_selector(".replay")
    felt.page.click(".replay header a")
    felt.page.wait_for_selector("dialog[open] a[data-round]")
    felt.close()
    assert felt.page.url.endswith("#/table/la-paire")


def test_sheets_show_what_is_there_while_the_line_is_down(felt: Felt, context: BrowserContext) -> None:
    """History and rules read before, prices without having read anything, and never an empty page."""
    with felt.page.expect_response("**/assets/Rules-*.js"):  # sheets come a moment after the first table
        felt.sit("la-paire")
    felt.page.wait_for_load_state("networkidle")
    felt.bet("card-A").again("deal")
    felt.open("history").page.wait_for_selector("a[data-round]")
    felt.close()
    context.set_offline(True)
    felt.open("history")
    assert felt.page.locator("a[data-round]").count() == 1
    felt.close().open("rules")
    assert "Prices at this table" in felt.page.inner_text("dialog")
    felt.close().open("fairness")
    assert felt.page.locator("dialog .hex").count() >= 1
    felt.close()
    felt.page.goto(f"{felt.url}#/rules/la-paire")
    felt.page.wait_for_selector("main")
    context.set_offline(False)


def test_a_sheet_that_never_came_says_so(felt: Felt) -> None:
    """Asked for the first time when the line is gone already."""
    felt.page.route("**/assets/*", lambda route: route.abort() if "Layouts" in route.request.url else route.continue_())
    felt.page.reload()
    felt.sit("la-paire").open("layouts")
    assert "No connection" in felt.page.inner_text("dialog [role=alert]")
    felt.close()


def test_notices_are_short_cover_no_card_and_stay_at_their_table(felt: Felt) -> None:
    felt.resize(*PHONE)
    felt.sit("la-paire").chip(5).bet("card-A").bet("card-A")
    toast = felt.page.wait_for_selector(".toast.refused")
    assert toast is not None
    place = toast.bounding_box()
    assert place is not None
    assert place["height"] < 50
    assert place["y"] >= box(felt.page.locator(".felt-room"))["y"] + box(felt.page.locator(".felt-room"))["height"]
    felt.sit("three-card-poker")
    assert felt.page.locator(".toast").count() == 0


def test_reading_about_a_bet_never_moves_a_chip(felt: Felt) -> None:
    """By a held finger, by the i, by a key: the panel stays, has plus and minus, and leaves the focus where it was."""
    felt.sit("la-paire").bet("card-A", "card-A")
    spot = felt.spot("card-A")
    felt.page.dispatch_event(spot, "pointerdown", {"pointerType": "touch"})
    panel = felt.page.locator(".bubble[role=dialog]")
    panel.wait_for()
    felt.page.dispatch_event(spot, "contextmenu")
    felt.page.dispatch_event(spot, "pointerup", {"pointerType": "touch"})
    felt.page.dispatch_event(spot, "click")
    assert felt.status("bet") == 1000
    felt.press("info-minus").press("info-plus").press("info-plus")
    assert felt.status("bet") == 1500
    felt.press("info-close")
    assert panel.count() == 0
    felt.press("info").page.click(felt.spot("red"))
    assert "1 to 1" in panel.inner_text()
    assert felt.status("bet") == 1500
    felt.page.keyboard.press("Escape")
    felt.page.focus(spot)
    felt.page.keyboard.press("?")
    panel.wait_for()
    felt.press("info-plus")
    assert felt.page.evaluate("document.activeElement.dataset.wager") == "card-A"


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESKTOP], ids=["phone", "landscape", "desktop"])
def test_a_panel_never_covers_the_players_hand(felt: Felt, size: tuple[int, int]) -> None:
    felt.resize(*size)
    felt.likes(ownSeed=client_seed(BPP, lambda c: {c[0][:-1], c[2][:-1]} == {"10", "6"} and c[1][0] in "789"))
    felt.sit("blackjack-poker-pairs").bet("main").press("deal")
    felt.until("choosing")
    felt.page.focus(felt.spot("main"))
    felt.page.keyboard.press("?")
    felt.page.wait_for_selector(".bubble[role=dialog]")
    felt.page.wait_for_timeout(250)  # it rises into its place
    panel = box(felt.page.locator(".bubble"))
    for card in felt.page.locator("[data-own] .card").all():
        own = box(card)
        beside = own["x"] + own["width"] <= panel["x"] or panel["x"] + panel["width"] <= own["x"]
        assert beside or own["y"] + own["height"] <= panel["y"] or panel["y"] + panel["height"] <= own["y"]


@pytest.mark.parametrize(
    ("speed", "system", "moves"),
    [("turbo", "no-preference", False), ("normal", "reduce", False), ("normal", "no-preference", True)],
)
def test_turbo_and_less_motion_skip_slides_flips_and_the_marker_and_normal_does_not(
    felt: Felt, speed: str, system: Literal["reduce", "no-preference"], moves: bool
) -> None:
    felt.page.emulate_media(reduced_motion=system)
    felt.likes(speed=speed)
    felt.sit("la-paire").bet("card-A")
    felt.page.evaluate("""() => { window.moved = new Set();
        const look = () => { for (const one of document.getAnimations()) {
            const of = one.effect.target; const name = ['in', 'side', 'marker'].find(word => of?.classList.contains(word));
            if (name && one.effect.getTiming().duration > 0) window.moved.add(name); } requestAnimationFrame(look); };
        look(); }""")
    felt.press("deal")
    felt.until("after")
    found = set(felt.page.evaluate("[...window.moved]"))
    assert found == ({"in", "side", "marker"} if moves else set())


def test_double_rebet_over_the_limit_harms_nothing(felt: Felt) -> None:
    """300 doubled is over the limit of 500: said so, and the finished game still lies there."""
    felt.sit("la-paire").chip(4).bet("card-A", "card-A", "card-A").again("deal")
    round_shown = felt.page.get_attribute(".table", "data-round")
    felt.press("double-rebet")
    felt.page.wait_for_selector(".toast.refused")
    assert felt.until("after") == "after"
    assert felt.page.get_attribute(".table", "data-round") == round_shown
    felt.press("rebet")
    assert felt.status("bet") == 30_000


def test_help_has_contents_and_a_way_to_the_top(felt: Felt) -> None:
    felt.sit("blackjack-poker-pairs").open("rules")
    felt.page.locator("[data-contents]").last.click()
    last = felt.page.locator("dialog .heading:has([data-top])").last
    assert box(last)["y"] < 900
    last.locator("[data-top]").click()
    felt.page.wait_for_function("() => document.querySelector('dialog [data-scroll]').scrollTop < 120")


def test_push_is_said_on_the_spot(felt: Felt) -> None:
    """Player and Banker on a tie."""
    baccarat = find("nepal-super-baccarat").variant({})
    tie = client_seed(
        baccarat, lambda c: {c[0][0], c[1][0]} <= set("89") and c[0][0] == c[1][0] and {c[2][0], c[3][0]} <= set("KQJ")
    )
    felt.likes(ownSeed=tie)
    felt.sit("nepal-super-baccarat").bet("player", "banker").press("deal")
    felt.until("after")
    assert felt.page.inner_text(f"{felt.spot('player')} .sum") == "Push"
    assert felt.page.inner_text(f"{felt.spot('banker')} .sum") == "Push"
