"""Games from files on the felt of any game: a stranger plays them, at every size, by keyboard, and can prove them."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as TookTooLong

from direct_house import audited
from gallery_games import GALLERY
from pairhouse.core.game import Game
from pairhouse.games.catalogue import load
from pairhouse.house.floor import put_up
from pairhouse.house.house import House
from pairhouse.rounds.verify import first_difference, verify
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.processes.one_process import build
from web.conftest import running
from web.test_access import found_by_axe
from web.test_sizes import CUT, LOOK, OVERFLOW
from web_table import Felt, client_seed

COACH_MS = 32_000  # where many others want the machine
DESKTOP, PHONE, LANDSCAPE = (1440, 900), (390, 844), (844, 390)


@pytest.fixture(scope="module")
def games() -> dict[str, Game]:
    """Files of the gallery."""
    names = ("casino_war", "mississippi_stud", "dragon_tiger", "jacks_or_better", "blackjack_side_bets")
    return {name: load(str(GALLERY / f"{name}.py")) for name in names}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, known_seeds: None, games: dict[str, Game]) -> House:
    """A house with a table for each of them; the server closes it."""
    house = House(f"sqlite:///{tmp_path_factory.mktemp('files') / 'house.db'}")
    for game in games.values():
        house.do(partial(put_up, game_id=game.id))
    return house


@pytest.fixture(scope="module")
def house_url(house: House) -> Iterator[str]:
    """Its address; nothing is priced meanwhile, which takes minutes for some of these games."""
    with running(build(house=house, throttle=Throttle({}), jobs=False)) as address:
        yield address


def tie(cards: list[str]) -> bool:
    return cards[0][:-1] == cards[1][:-1]


def spoken(page: Page) -> str:
    return page.locator('.for-ears[aria-live="polite"]').inner_text()


def coach_prefers(felt: Felt, choice: str) -> None:
    """What the coach calls best. Its first answer compiles the game, which may take more than it may on a busy machine;
    whoever comes back to the round is answered."""
    found = felt.page.locator(f".coach li.best:has-text('{choice}')")
    for _ in range(3):
        try:
            found.wait_for(timeout=COACH_MS)
        except TookTooLong:
            felt.page.reload()
            felt.until("choosing")
        else:
            return
    raise AssertionError(felt.page.inner_text(".coach"))


def test_a_stranger_plays_casino_war_and_proves_it(page: Page, house: House, house_url: str, games: Any) -> None:
    """Led by the felt alone: a first visit, a tie, war; then what it pays, the rules, the history and the proof."""
    seed = client_seed(games["casino_war"].variant(), tie)
    felt = Felt(page, house_url).enter(tour=True, ownSeed=seed).sit("casino-war")
    told = []
    page.wait_for_selector(".tour")
    while page.locator(".tour").count():
        told.append(page.inner_text(".tour p"))
        felt.press("tour-next")
    assert [word for word in ("One card each", "Ante", "Tie", "Surrender or War") if word not in " ".join(told)] == []

    felt.bet("tie")
    assert "Add Ante" in felt.prompt()
    felt.bet("ante").press("deal").until("choosing")
    assert "surrender or war?" in felt.prompt()
    assert "surrender or war?" in spoken(page)
    assert page.locator('[data-place="dealer"] .card').count() == page.locator(".own .card").count() == 1
    page.keyboard.press("w")
    felt.until("after")
    assert page.locator('[data-place="dealer"] .card').count() == 5, "three cards are burnt"
    assert "Tie: tie" in felt.prompt()
    assert felt.status("bet") == 1500

    page.focus(felt.spot("ante"))
    page.keyboard.press("?")
    page.wait_for_selector(".bubble:has-text('higher'):has-text('1 to 1')")
    page.keyboard.press("Escape")
    felt.open("rules")
    page.wait_for_selector("dialog:has-text('Three cards are burnt unseen')")
    felt.close()

    round_id = felt.rounds()[0]["id"]
    page.goto(f"{house_url}#/replay/{round_id}")
    felt.press("verify")
    page.wait_for_selector('[data-verdict="true"]:has-text("Seeds, shuffle and cards hold.")')
    assert "pairhouse verify" in page.inner_text(".proof [role=status]")
    assert page.locator('[data-place="dealer"]').count() == 1
    assert first_difference(verify(felt.api("GET", f"/rounds/{round_id}")[1])) is None
    assert audited(house).difference is None


@pytest.mark.slow
def test_the_coach_knows_a_game_from_a_file(page: Page, house_url: str, games: dict[str, Game]) -> None:
    """Slow, because its first answer compiles the game."""
    seed = client_seed(games["casino_war"].variant(), tie)
    felt = Felt(page, house_url).enter(coach=True, ownSeed=seed).sit("casino-war")
    felt.bet("ante").press("deal").until("choosing")
    coach_prefers(felt, "War")


@pytest.mark.parametrize(
    "size",
    [pytest.param(DESKTOP, marks=pytest.mark.slow), PHONE, LANDSCAPE],
    ids=["desktop", "phone", "landscape"],
)
def test_every_bet_and_choice_is_in_reach(felt: Felt, games: dict[str, Game], size: tuple[int, int]) -> None:
    """Bets as large as a thumb, nothing cut off or sideways, nothing serious for a screen reader; three raises."""
    page = felt.resize(*size).page
    for name in ("mississippi_stud", "blackjack_side_bets"):
        felt.sit(games[name].id)
        seen = page.evaluate(LOOK)
        placed = {wager.id for wager in games[name].variant().wagers.values() if wager.base is None}
        assert {one["wager"] for one in seen} == placed
        assert [one for one in seen if one["least"] < 44 or not one["own"] or not one["inside"]] == []
    felt.sit("mississippi-stud").bet("ante").press("deal")
    for word, raised in (("one", "raise-1"), ("three", "raise-3"), ("two", "raise-2")):
        felt.until("choosing")
        page.wait_for_timeout(350)
        assert (page.evaluate(CUT), page.evaluate(OVERFLOW)) == ([], {"sideways": 0, "down": 0})
        assert "Raise one" in page.inner_text("[data-choice=one]")
        felt.choose(word).page.wait_for_selector(f"{felt.spot(raised)} .stack")
    felt.until("after")
    assert felt.status("bet") == 3500
    assert found_by_axe(felt) == []


def test_dragon_tiger_by_keyboard(felt: Felt, games: dict[str, Game]) -> None:
    """Arrows between the bets, Enter for a chip, Space to deal; the cards and the result are spoken."""
    felt.sit("dragon-tiger").resize(*DESKTOP)
    press = felt.page.keyboard.press
    for key in ("3", "ArrowDown", "ArrowRight", "Enter"):
        press(key)
    assert felt.page.evaluate("document.activeElement.dataset.wager") == "tiger"
    assert [place.inner_text() for place in felt.page.locator("[data-place] h2").all()] == ["Dragon", "Tiger"]
    press("Space")
    felt.until("after")
    felt.page.wait_for_timeout(100)
    assert any(word in spoken(felt.page) for word in ("You win 25", "−25", "−12.50"))
    assert felt.status("bet") == 2500


def test_cards_are_held_by_tap_and_by_digit(felt: Felt, games: dict[str, Game]) -> None:
    """Jacks or Better asks which cards stay: a tap holds one, a digit another, one press draws the rest."""
    page = felt.resize(*PHONE).page
    felt.sit("jacks-or-better").bet("bet").press("deal").until("choosing")
    before = [card.get_attribute("aria-label") for card in page.locator(".own .card").all()]
    page.click('[data-hold="0"]')
    page.click('[data-hold="4"]')
    page.click('[data-hold="4"]')
    page.keyboard.press("3")
    assert [one.get_attribute("aria-pressed") for one in page.locator("[data-hold]").all()] == [
        "true", "false", "true", "false", "false",
    ]  # fmt: skip
    assert "Draw 3 cards" in page.inner_text(".actions")
    page.click("[data-choice]")
    felt.until("after")
    after = [card.get_attribute("aria-label") for card in page.locator(".own .card").all()]
    assert (len(after), after[:5]) == (8, before)
    assert page.locator(".own .dim").count() == 3
    _, round_ = felt.api("GET", f"/rounds/{felt.rounds()[0]['id']}")
    assert round_["choices"] == ["keep-5"]
