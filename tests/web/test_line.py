"""What can go wrong between a page and its server: reloads, second windows, lost answers, forged requests."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Route

from pairhouse.games.catalogue import find
from web_table import Felt, client_seed

BPP = find("blackjack-poker-pairs").variant({})
HARD_16 = client_seed(BPP, lambda c: {c[0][:-1], c[2][:-1]} == {"10", "6"} and c[1][0] in "789")
OURS = {"X-Pairhouse": "1"}


def in_mid_hand(felt: Felt) -> Felt:
    """A hard 16 that waits for its player."""
    felt.likes(ownSeed=HARD_16)
    felt.sit("blackjack-poker-pairs").bet("main").press("deal")
    felt.until("choosing")
    return felt


def test_a_reload_in_mid_hand_changes_nothing(felt: Felt) -> None:
    """The same cards, the same stake held, and the round goes on."""
    in_mid_hand(felt)
    before = felt.page.locator(".card").evaluate_all("cards => cards.map(card => card.ariaLabel)")
    felt.page.reload()
    felt.until("choosing")
    assert felt.page.locator(".card").evaluate_all("cards => cards.map(card => card.ariaLabel)") == before
    assert (felt.status("bet"), felt.status("balance")) == (500, 99_500)
    felt.play_out()
    assert len(felt.rounds()) == 1


def test_the_lobby_leads_back_to_an_open_game(felt: Felt) -> None:
    in_mid_hand(felt)
    felt.page.goto(f"{felt.url}#/")
    felt.page.wait_for_selector('a[data-table="blackjack-poker-pairs"]:has-text("Back to your open game")')


def test_two_windows_play_one_round(felt: Felt, context: BrowserContext) -> None:
    """A second window shows the round; what is chosen there is seen here, and nothing is charged twice."""
    in_mid_hand(felt)
    other = Felt(context.new_page(), felt.url).sit("blackjack-poker-pairs")
    assert other.until("choosing") == "choosing"
    other.choose("stand")
    other.until("after")
    felt.until("after")
    assert len(felt.rounds()) == 1
    other.page.close()


def test_a_bet_in_a_second_window_finds_the_open_round(felt: Felt, context: BrowserContext) -> None:
    """Both windows bet: the second is shown the round that is open, and takes no money for its own."""
    felt.page.add_init_script("delete window.BroadcastChannel")  # this window hears of nothing
    felt.likes(ownSeed=HARD_16)
    felt.sit("blackjack-poker-pairs").bet("main")
    other = Felt(context.new_page(), felt.url).sit("blackjack-poker-pairs").bet("main").press("deal")
    other.until("choosing")
    felt.press("deal")
    felt.until("choosing")
    _, me = felt.api("GET", "/players/me")
    assert me["balance"] == 99_500
    other.page.close()


def test_rebet_is_the_round_played_last_wherever_that_was(felt: Felt) -> None:
    """Another device has played meanwhile: REBET is its round, though this browser remembers one of its own."""
    felt.sit("la-paire").bet("card-A").again("deal")
    elsewhere = {"table": "la-paire", "wagers": {"card-K": 1500, "red": 500}, "client_seed": "another device"}
    headers = {"X-Pairhouse": "1", "Idempotency-Key": "another-device-1"}
    assert felt.api("POST", "/rounds", elsewhere, **headers)[0] == 201
    felt.page.reload()
    felt.page.click('[data-command="rebet"]')
    assert felt.status("bet") == 2000
    assert felt.page.locator(f"{felt.spot('card-K')} .stack").count() == 1


def test_a_round_of_another_window_moves_no_card_of_this_one(felt: Felt, context: BrowserContext) -> None:
    """Played on seat 3 here, then a blackjack on seat 1 there: no card here moves to seat 1, and REBET here is seat 1."""
    felt.sit("blackjack-poker-pairs").bet("main", seat=3).press("deal").play_out()
    natural = client_seed(BPP, lambda cards: {cards[0][0], cards[2][0]} == {"A", "K"} and cards[1][0] in "456", nonce=1)
    other = Felt(context.new_page(), felt.url).sit("blackjack-poker-pairs")
    other.likes(ownSeed=natural)
    other.sit("blackjack-poker-pairs").bet("main", seat=1).press("deal")
    felt.page.wait_for_selector('.table[data-phase="betting"]')
    other.page.close()
    assert felt.page.locator(".seat .card").count() == 0
    felt.press("rebet")
    assert felt.page.locator(f"{felt.spot('main', 1)} .stack").count() == 1
    assert felt.page.locator(f"{felt.spot('main', 3)} .stack").count() == 0


def losing_the_first_answer() -> Callable[[Route], None]:
    """The server hears the request and acts; its answer never arrives."""
    lost: list[str] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.request.url)
        route.fetch()
        route.abort()

    return lose


def test_a_lost_answer_is_asked_for_again_and_charged_once(felt: Felt) -> None:
    """Shown, retried with the same key, and the money moved once."""
    felt.sit("la-paire").bet("card-A")
    felt.page.route("**/rounds", losing_the_first_answer())
    felt.press("deal")
    felt.page.wait_for_selector(".toast.lost")
    felt.until("after")
    assert [done["staked"] for done in felt.rounds()] == [500]


def test_a_lost_choice_is_made_once(felt: Felt) -> None:
    in_mid_hand(felt)
    felt.page.route("**/choices", losing_the_first_answer())
    felt.choose("stand")
    felt.page.wait_for_selector(".toast.lost")
    felt.until("after")
    _, done = felt.api("GET", f"/rounds/{felt.rounds()[0]['id']}")
    assert done["choices"] == ["stand"]


def test_a_cut_line_comes_back(felt: Felt, context: BrowserContext) -> None:
    """Offline while dealing is pressed: said so, and dealt when the line is back."""
    felt.sit("la-paire").bet("card-A", "red")
    context.set_offline(True)
    felt.press("deal")
    felt.page.wait_for_selector(".toast.lost")
    context.set_offline(False)
    felt.until("after")
    assert felt.page.locator(".toast.lost").count() == 0
    assert [done["staked"] for done in felt.rounds()] == [1000]


def test_forged_requests_are_refused(felt: Felt) -> None:
    """A page cannot bet what it has not, choose what is not offered, or see what is not its own."""
    in_mid_hand(felt)
    mine = felt.rounds()[0]["id"]
    key = {**OURS, "Idempotency-Key": "forged-request"}
    bet = {"table": "la-paire", "client_seed": "x"}
    forged = [
        felt.api("POST", "/rounds", {**bet, "wagers": {"card-A": -500}}, **key),
        felt.api("POST", "/rounds", {**bet, "wagers": {"no-such-bet": 500}}, **key),
        felt.api("POST", "/rounds", {**bet, "wagers": {"card-A": 10_000_000}}, **key),
        felt.api("POST", "/rounds", {**bet, "wagers": {"card-A": 500}, "cards": ["Ah"]}, **key),
        felt.api("POST", f"/rounds/{mine}/choices", {"choice": "win", "number": 0}, **key),
        felt.api("POST", f"/rounds/{mine}/choices", {"choice": "hit", "number": 7}, **key),
        felt.api(
            "POST", f"/rounds/{mine}/choices", {"choice": "hit", "number": 0}, **{"Idempotency-Key": "no-header-1"}
        ),
        felt.api("GET", f"/rounds/{mine}/replay"),
        felt.api("POST", "/players/me/play-money", {}, **key),
    ]
    assert [status for status, _ in forged if not 400 <= status < 500] == []
    assert all(problem["code"] and problem["error"] for _, problem in forged)
    _, me = felt.api("GET", "/players/me")
    assert me["balance"] == 99_500


def refusing(body: str) -> Callable[[Route], None]:
    """The server says no, in these words."""
    return lambda route: route.fulfill(status=400, body=body)


def test_a_refusal_is_told_in_the_pages_own_words(felt: Felt) -> None:
    """Whatever the server writes to programs, a player reads a sentence without ids, and the bet still lies there."""
    felt.sit("la-paire").bet("card-A")
    for code, error in (
        ("no-opening-wager", "seat 1 needs a wager on card-A, ... or corner-6-7-Q-K"),
        ("bad-request", "key: must match ^[A-Za-z0-9_-]+$"),
        ("http-405", "Method Not Allowed"),
    ):
        felt.page.route("**/rounds", refusing(json.dumps({"code": code, "error": error})))
        felt.press("deal")
        felt.page.wait_for_selector(".toast.refused")
        told = felt.page.inner_text(".toast.refused")
        assert not re.search(r"card-A|corner|\^|Method|seat 1", told), told
        felt.page.unroute("**/rounds")
        felt.until("betting")
        assert felt.status("bet") == 500
    assert felt.rounds() == []
