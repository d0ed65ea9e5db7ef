"""Each game played through by clicking, with every wager it takes."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pairhouse.games.catalogue import find
from web_table import Felt

TABLES = {
    "blackjack-poker-pairs": "blackjack-poker-pairs",
    "pair-v3-2": "pair-v3",
    "pair-v3-6": "pair-v3",
    "pair-v3-8": "pair-v3",
    "three-card-poker-progressive": "three-card-poker",
    "nepal-super-baccarat": "nepal-super-baccarat",
    "la-paire": "la-paire",
}


SAME_FELT = ("pair-v3-6", "pair-v3-8")  # as that of two decks


@pytest.mark.parametrize(
    "table", [pytest.param(table, marks=pytest.mark.slow if table in SAME_FELT else ()) for table in TABLES]
)
def test_every_wager_is_placed_and_settled(felt: Felt, width: int, table: str, artefacts: Path) -> None:
    """What lies on the felt is what the server took, and what comes back is what the page says."""
    felt.resize(width, 900)
    felt.sit(table).chip(1)
    options = {"progressive": True} if table == "three-card-poker-progressive" else {}
    wagers = [wager.id for wager in find(TABLES[table]).variant(options).wagers.values() if wager.base is None]
    felt.bet(*wagers)
    felt.page.screenshot(path=artefacts / f"{table}-{width}-bets.png")
    assert felt.status("bet") == 100 * len(wagers)
    felt.press("deal").play_out()
    felt.page.wait_for_timeout(300)
    felt.page.screenshot(path=artefacts / f"{table}-{width}-settled.png")
    done = felt.rounds()[0]
    assert done["state"] == "settled"
    assert set(wagers) <= set(done["wagers"][0])
    assert felt.status("win") == max(0, done["net"])
    _, me = felt.api("GET", "/players/me")
    assert felt.status("balance") == me["balance"] == 100_000 + done["net"]


def test_three_seats_are_played_in_order(felt: Felt) -> None:
    """Seats left empty stay empty, and the cards lie at the seats that bet."""
    felt.sit("blackjack-poker-pairs").bet("main", seat=1).bet("main", seat=3).press("deal")
    felt.until("choosing", "after")
    assert felt.page.locator('section[aria-label="Seat 1"] .card').count() >= 2
    assert felt.page.locator('section[aria-label="Seat 2"] .card').count() == 0
    assert felt.page.locator('section[aria-label="Seat 3"] .card').count() >= 2
    felt.play_out()
    assert len(felt.rounds()[0]["wagers"]) == 2


def test_the_roads_grow_coup_by_coup(felt: Felt) -> None:
    """One mark of the bead plate for each coup."""
    felt.sit("nepal-super-baccarat").bet("player").press("deal").play_out()
    for _ in range(3):
        felt.again()
    felt.page.locator(".bead svg text").nth(3).wait_for()
    _, seat = felt.api("POST", "/tables/nepal-super-baccarat/sit", {}, **{"X-Pairhouse": "1"})
    totals = [coup[f"{coup['winner'] if coup['winner'] != 'tie' else 'player'}_total"] for coup in seat["coups"]]
    assert [int(text) for text in felt.page.locator(".bead svg text").all_text_contents()] == totals


def test_any_past_round_is_replayed_and_verified_in_the_page(felt: Felt) -> None:
    """Marked as a replay, as it was played; the seeds and the rule book come to the same."""
    felt.sit("blackjack-poker-pairs").bet("main", "pairs", "poker").press("deal").play_out()
    felt.page.goto(f"{felt.url}#/history")
    felt.page.click("a[data-round]")
    felt.page.wait_for_selector(".mark")
    felt.page.click('[data-command="verify"]')
    felt.page.wait_for_selector('[data-verdict="true"]')
    assert felt.page.locator(".proof li").count() == 5


def test_a_stranger_reads_a_shared_round_and_is_told_who_can_open_its_seed(felt: Felt, chromium: Browser) -> None:
    """Sealed, there is nothing a stranger could press; once its player has taken a new seed, everything is checked."""
    felt.sit("la-paire").bet("card-A").again("deal")
    round_id = felt.rounds()[0]["id"]
    stranger = chromium.new_context(viewport={"width": 390, "height": 844}, locale="en-GB", service_workers="block")
    page = stranger.new_page()
    page.goto(f"{felt.url}share/{round_id}")
    page.click("a.watch")
    page.wait_for_selector(".proof")
    assert "still sealed" in page.inner_text(".proof")
    assert page.locator('[data-command="verify"]').count() == 0
    assert felt.api("POST", "/tables/la-paire/seed", {}, **{"X-Pairhouse": "1"})[0] in (200, 201)
    page.reload()
    page.click('[data-command="verify"]')
    page.wait_for_selector('[data-verdict="true"]')
    stranger.close()
