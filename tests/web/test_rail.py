"""The buttons and options around every table. [BPP-11] to [BPP-20], [BPP-45] to [BPP-47]"""

from itertools import pairwise

from pairhouse.games.catalogue import find
from web_table import Felt, client_seed

BPP = find("blackjack-poker-pairs").variant({})
V3 = find("pair-v3").variant({"decks": 6})


def test_betting_commands(felt: Felt) -> None:
    """UNDO, CLEAR, DOUBLE BET, taking back, and the four commands after a game."""
    felt.sit("la-paire").chip(2).bet("card-A", "card-A", "red")
    assert felt.status("bet") == 1500
    felt.press("undo")
    assert felt.status("bet") == 1000
    felt.press("double")
    assert felt.status("bet") == 2000
    felt.page.click(felt.spot("card-A"), button="right")
    assert felt.status("bet") == 1500
    felt.press("clear")
    assert felt.status("bet") == 0
    felt.press("undo").press("deal")
    felt.until("after")
    felt.press("rebet")
    assert (felt.until("betting"), felt.status("bet")) == ("betting", 1500)
    felt.press("clear").press("rebet").press("deal")
    felt.until("after")
    felt.press("double-rebet")
    assert felt.status("bet") == 3000
    felt.again("deal").again()
    assert [done["staked"] for done in felt.rounds()] == [3000, 3000, 1500, 1500]
    felt.press("new-game")
    assert felt.status("bet") == 0


def test_a_spot_tells_its_price(felt: Felt) -> None:
    """What it pays, the exact edge, the chance to win."""
    felt.sit("la-paire")
    felt.page.wait_for_function("async () => (await (await fetch('/tables/la-paire')).json()).prices !== null")
    felt.sit("nepal-super-baccarat").sit("la-paire")
    felt.page.hover(felt.spot("card-A"))
    bubble = felt.page.wait_for_selector("[role=tooltip]")
    assert bubble is not None
    told = bubble.inner_text()
    assert "12 to 1" in told
    assert "1/27" in told
    assert "7.41%" in told


def test_insurance_is_offered(felt: Felt) -> None:
    """On an ace, for half the main bet."""
    seed = client_seed(BPP, lambda cards: cards[1][0] == "A" and cards[0][0] in "23456" and cards[3][0] in "23456")
    felt.likes(ownSeed=seed)
    felt.sit("blackjack-poker-pairs").bet("main").press("deal")
    felt.page.wait_for_selector('[data-choice="insurance"]')
    felt.choose("insurance").play_out()
    assert felt.rounds()[0]["wagers"][0]["insurance"]["stake"] == 250


def test_insurance_never(felt: Felt) -> None:
    """With `never` the bet declines it, so that no offer is made; the round shows the answer."""
    seed = client_seed(BPP, lambda cards: cards[1][0] == "A" and cards[0][0] in "23456" and cards[3][0] in "234")
    felt.likes(ownSeed=seed, insurance="never")
    felt.sit("blackjack-poker-pairs").bet("main")
    with felt.page.expect_request("**/rounds") as sent:
        felt.press("deal")
    assert (sent.value.post_data_json or {})["decline"] == ["insurance"]
    asked: list[str] = []
    felt.page.on("request", lambda request: asked.append(request.post_data or "") if "choices" in request.url else None)
    felt.page.wait_for_selector('[data-choice="hit"], .table[data-phase="after"]')
    felt.play_out()
    assert all("insurance" not in body for body in asked)
    _, done = felt.api("GET", f"/rounds/{felt.rounds()[0]['id']}")
    assert done["choices"][0] == "no-insurance"


def test_the_safety_net_warns_and_can_be_passed(felt: Felt) -> None:
    """About to hit a hard 17: the page asks once, and the player may hit all the same."""
    seed = client_seed(BPP, lambda cards: {cards[0][:-1], cards[2][:-1]} == {"10", "7"} and cards[1][0] in "56")
    felt.likes(ownSeed=seed)
    felt.sit("blackjack-poker-pairs").bet("main").press("deal")
    felt.until("choosing")
    felt.choose("hit")
    felt.page.wait_for_selector("dialog [data-sure=hit]")
    assert felt.page.locator(".dealer .card").count() == 2
    felt.page.click("dialog [data-sure=hit]")
    felt.play_out()
    _, done = felt.api("GET", f"/rounds/{felt.rounds()[0]['id']}")
    assert done["choices"][0] == "hit"


def test_splits_to_four_hands_without_crowding(felt: Felt) -> None:
    """Three eights in a row: every hand keeps to its seat."""
    seed = client_seed(BPP, lambda cards: [cards[i][0] for i in (0, 2, 4)] == ["8", "8", "8"] and cards[1][0] in "456")
    felt.likes(ownSeed=seed)
    felt.sit("blackjack-poker-pairs").bet("main").press("deal")
    felt.until("choosing")
    for hands in (2, 3):
        felt.choose("split")
        felt.page.wait_for_function(
            f"() => document.querySelectorAll('section[aria-label=\"Seat 1\"] .main .stack').length === {hands}"
        )
        felt.until("choosing")
    box = felt.page.locator('section[aria-label="Seat 1"]').bounding_box()
    assert box is not None
    cards = felt.page.locator('section[aria-label="Seat 1"] .card').all()
    assert len(cards) >= 4
    for card in cards:
        place = card.bounding_box()
        assert place is not None
        assert place["x"] >= box["x"] - 20
        assert place["x"] + place["width"] <= box["x"] + box["width"] + 20


def test_four_hands_lie_apart_on_a_tablet(felt: Felt) -> None:
    """Seats without a bet make room: no card of a hand lies over another hand's, also once each has a second card."""
    seed = client_seed(V3, lambda cards: len({cards[i][:-1] for i in (0, 2, 4, 5)}) == 1 and cards[1][0] in "2345678")
    felt.resize(768, 1024).likes(ownSeed=seed)
    felt.sit("pair-v3-6").bet("main").press("deal")
    for hands in (2, 3, 4):
        felt.until("choosing")
        felt.choose("split")
        felt.page.wait_for_function(f"() => document.querySelectorAll('.main .stack').length === {hands}")
    felt.play_out()
    felt.page.wait_for_timeout(400)  # cards come to rest
    tags = [place for tag in felt.page.locator("[data-own] .tag").all() if (place := tag.bounding_box()) is not None]
    assert len(tags) == 4
    lefts = sorted(tag["x"] + tag["width"] / 2 for tag in tags)
    assert min(right - left for left, right in pairwise(lefts)) >= 110


def test_the_chips_of_split_hands_keep_to_their_spot(felt: Felt) -> None:
    """At a table of five seats on a low window, where spots are smallest."""
    seed = client_seed(V3, lambda cards: [cards[i][0] for i in (0, 2, 4)] == ["8", "8", "8"] and cards[1][0] in "456")
    felt.resize(1440, 800).likes(ownSeed=seed)
    felt.sit("pair-v3-6").bet("main").press("deal")
    for hands in (2, 3):
        felt.until("choosing")
        felt.choose("split")
        felt.page.wait_for_function(f"() => document.querySelectorAll('.main .stack').length === {hands}")
    spot = felt.page.locator(felt.spot("main")).bounding_box()
    assert spot is not None
    for stack in felt.page.locator(f"{felt.spot('main')} .stack").all():
        place = stack.bounding_box()
        assert place is not None
        assert spot["x"] <= place["x"]
        assert place["x"] + place["width"] <= spot["x"] + spot["width"]


def test_options_are_kept(felt: Felt) -> None:
    """Every switch of the dialog, after a reload."""
    felt.sit("la-paire")
    felt.open("options")
    for name in ("sound", "safety", "fourColours", "reducedMotion"):
        felt.page.click(f'dialog input[name="{name}"]')
    felt.page.check('dialog input[name="speed"][value="normal"]')
    felt.page.check('dialog input[name="insurance"][value="never"]')
    felt.close().page.reload()
    felt.page.wait_for_selector(".table")
    felt.open("options")
    assert felt.page.is_checked('dialog input[name="sound"]')
    assert not felt.page.is_checked('dialog input[name="safety"]')
    assert felt.page.is_checked('dialog input[name="fourColours"]')
    assert felt.page.is_checked('dialog input[name="speed"][value="normal"]')
    assert felt.page.is_checked('dialog input[name="insurance"][value="never"]')
    assert felt.page.locator(".still").count() == 1


def test_the_coach_values_choices_and_lights_the_chart(felt: Felt) -> None:
    """The value of each legal action, and what a mistake cost."""
    felt.likes(coach=True, ownSeed=client_seed(BPP, lambda c: {c[0][:-1], c[2][:-1]} == {"10", "6"} and c[1][0] == "5"))
    felt.sit("blackjack-poker-pairs").bet("main").press("deal")
    felt.until("choosing")
    felt.page.wait_for_selector(".coach .best", timeout=60_000)
    assert felt.page.inner_text(".coach .best span").startswith("Stand")
    felt.page.click('[data-open="chart"]')
    felt.page.wait_for_selector("dialog td.lit.stand")
    felt.page.keyboard.press("Escape")
    felt.choose("hit")
    felt.page.wait_for_selector(".coach .verdict:not(.good), .table[data-phase=after]")
    assert "cost" in felt.page.inner_text(".coach .verdict")
