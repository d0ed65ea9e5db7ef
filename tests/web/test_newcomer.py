"""The first five minutes: how to play is shown on the felt, and a guest may have an account."""

from playwright.sync_api import Page

from web_table import Felt

TABLES = ("blackjack-poker-pairs", "pair-v3-6", "three-card-poker", "nepal-super-baccarat", "la-paire")
INSIDE = """() => { const box = document.querySelector('.tour .panel').getBoundingClientRect();
    return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight; }"""


def test_a_first_visit_shows_how_to_play(page: Page, house_url: str) -> None:
    """Step by step on a phone, each in sight; once finished it is not shown again, and it can be called back."""
    felt = Felt(page, house_url).enter(tour=True).resize(390, 844)
    for table in TABLES:
        felt.sit(table).page.wait_for_selector(".tour .panel")
        steps = 0
        while page.locator(".tour").count():
            assert page.evaluate(INSIDE)
            assert page.inner_text(".tour p")
            felt.press("tour-next")
            steps += 1
        assert 5 <= steps <= 8
    page.reload()
    page.wait_for_selector(".table")
    assert page.locator(".tour").count() == 0
    felt.press("menu").page.click('[data-open="tour"]')
    felt.press("tour-skip").page.wait_for_selector(".tour", state="detached")
    assert page.url.endswith(f"#/table/{TABLES[-1]}")


def test_the_rules_begin_with_how_to_play(felt: Felt) -> None:
    felt.sit("la-paire").open("rules")
    felt.page.click('dialog [data-open="tour"]')
    felt.page.wait_for_selector(".tour")
    felt.close()


def test_an_account_is_made_left_and_entered_again(felt: Felt) -> None:
    """What is typed wrongly is said in words; the account's money and history are its own."""
    page = felt.page
    page.click('[data-open="account"]')
    page.click('[data-tab="sign-up"]')
    name = f"newcomer-{page.evaluate('() => Date.now()')}"
    for typed, password, says in (("x", "long enough password", "3 to 32"), (name, "short", "at least 10")):
        page.fill("input[name=name]", typed)
        page.fill("input[name=password]", password)
        felt.press("account")
        assert says in page.inner_text("form [role=alert]")
    page.fill("input[name=password]", "long enough password")
    felt.press("account")
    page.wait_for_selector(f'[data-open="account"]:has-text("{name}")')
    felt.sit("la-paire").bet("card-A").again("deal")
    staked = felt.rounds()[0]["staked"]
    page.goto(f"{felt.url}#/")
    page.click('[data-open="account"]')
    felt.press("sign-out").page.wait_for_selector("dialog", state="detached")
    assert felt.rounds() == []
    page.click('[data-open="account"]')
    page.fill("input[name=name]", name)
    page.fill("input[name=password]", "a wrong password")
    felt.press("account")
    page.wait_for_selector("form [role=alert]")
    assert "do not go together" in page.inner_text("form [role=alert]")
    page.fill("input[name=password]", "long enough password")
    felt.press("account")
    page.wait_for_selector(f'[data-open="account"]:has-text("{name}")')
    assert [done["staked"] for done in felt.rounds()] == [staked]
