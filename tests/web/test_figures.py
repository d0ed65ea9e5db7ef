"""What a player looks at afterwards: history with filters and a file, statistics, reviews; and the trainer before."""

import re
from datetime import UTC, datetime, timedelta

from pairhouse.games.catalogue import find
from web_table import Felt, client_seed

TCP = find("three-card-poker").variant({"progressive": False})


def test_history_and_statistics_agree_and_mistakes_are_reviewed(felt: Felt) -> None:
    """A folded pair of aces is a mistake that the review names and prices."""
    page = felt.page
    felt.sit("la-paire").bet("card-5").again("deal").again()
    pair = client_seed(TCP, lambda cards: [card[0] for card in cards[:3]].count("A") == 2)
    felt.likes(ownSeed=pair)
    felt.sit("three-card-poker").bet("ante").press("deal").until("choosing")
    felt.choose("fold").until("after")
    page.goto(f"{felt.url}#/history")
    assert "3 games" in page.inner_text("[data-totals]")
    page.select_option("select[name=game]", "la-paire")
    page.wait_for_selector('[data-totals]:has-text("2 games")')
    assert page.locator("li [data-round]").count() == 2
    with page.expect_download() as saved:
        page.click("a[download]")
    assert len(saved.value.path().read_text().splitlines()) == 3
    page.goto(f"{felt.url}#/statistics")
    page.wait_for_selector('section[data-game="la-paire"] tbody tr')
    assert "3 games" in page.inner_text("[data-totals]")
    told = page.inner_text('section[data-game="la-paire"]')
    assert "2 bets" in told
    assert "deviations" in told or "being worked out" in told, "prices may still be counted on a new machine"
    felt.press("review").page.wait_for_selector('[data-reviewed="1"]', timeout=60_000)
    assert "Fold instead of Play" in page.inner_text('section[data-game="three-card-poker"]')


def test_every_game_with_choices_can_be_practised(felt: Felt) -> None:
    """Also the one that is only dealt live; a hand that went wrong is told with its suits."""
    page = felt.page
    page.goto(f"{felt.url}#/trainer")
    page.wait_for_selector("[data-train]")
    doors = set(page.locator("[data-train]").evaluate_all("all => all.map(one => one.dataset.train)"))
    assert {"blackjack-poker-pairs", "pair-v3-6", "three-card-poker", "nepal-super-baccarat", "live-blackjack"} <= doors
    page.click('[data-train="three-card-poker"]')
    while page.locator("h3 + ul li").count() == 0:
        page.wait_for_selector("[data-drill]", timeout=60_000)
        page.click('[data-choice="fold"]')
        felt.press("next")
    assert re.search(r"[♣♦♥♠]", page.inner_text("h3 + ul li"))


def test_drills_ask_answer_and_are_reviewed(felt: Felt) -> None:
    """Hands are answered rightly and wrongly; the values come at once, and progress outlasts a reload."""
    page = felt.page
    page.goto(f"{felt.url}#/trainer")
    page.click('[data-train="three-card-poker"]')
    for number in range(4):
        page.wait_for_selector("[data-drill]", timeout=60_000)
        page.click('[data-choice="play"]')
        page.wait_for_selector(".values .first")
        best = page.inner_text(".values .first span")
        told = page.inner_text(".verdict")
        assert ("Best." in told) == (best == "Play"), number
        felt.press("next")
    score = page.inner_text("[data-score]")
    assert "of 4 best" in score
    page.reload()
    page.wait_for_selector("[data-drill]")
    assert page.inner_text("[data-score]") == score
    assert page.locator("[data-review]").count() == 1
    felt.press("start-over")
    assert "0 of 0 best" in page.inner_text("[data-score]")


def test_a_count_is_dealt_asked_and_checked(felt: Felt) -> None:
    """The sum of the cards as they were shown is the right answer."""
    page = felt.page
    page.clock.install()
    page.goto(f"{felt.url}#/trainer/nepal-super-baccarat")
    page.wait_for_selector("[data-count-drill]")
    page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=5))
    felt.press("count-deal")
    count = 0
    for _ in range(15):
        word = (page.get_attribute("[data-count-drill] [role=img]", "aria-label") or "").split(" of ")[0]
        count += 1 if word in {"2", "3", "4", "5", "6"} else -1 if word in {"10", "jack", "queen", "king", "ace"} else 0
        page.clock.run_for(900)
    page.wait_for_selector('[data-count-drill="asking"]')
    for _ in range(abs(count)):
        felt.press("more" if count > 0 else "less")
    felt.press("check")
    assert "Right" in page.inner_text("[data-count-drill] [role=status]")
