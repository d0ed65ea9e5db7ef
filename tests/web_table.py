"""A table as someone at the screen uses it, and seeds that deal the hand a test needs."""

import json
from collections.abc import Callable
from itertools import count
from typing import Any

from playwright.sync_api import Page

from pairhouse.core.cards import FACES
from pairhouse.core.game import Variant
from pairhouse.rounds.fairness import Order, WordStream

SERVER_SEED = bytes(range(32))
PATIENCE_MS = 20_000
QUICK = {"speed": "turbo", "sound": False, "coach": False, "tour": False}


def client_seed(
    variant: Variant, wanted: Callable[[list[str]], bool], nonce: int = 0, rules_hash: str | None = None
) -> str:
    """A seed of the player's that deals cards as wanted, from a fresh pack; under other rules where a hash is given."""
    rules_hash = variant.rules_hash if rules_hash is None else rules_hash
    for number in count():
        seed = f"seed-{number}"
        stream = WordStream(SERVER_SEED, variant.game.id, rules_hash, [seed], nonce)
        if wanted([FACES[card] for card in Order(stream, *variant.pack)[:12]]):
            return seed
    raise AssertionError


class Felt:
    """The page, by what can be pressed on it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    def enter(self, **likes: Any) -> "Felt":
        """Come into the lobby, with these options."""
        kept = json.dumps(QUICK | likes)
        self.page.add_init_script(
            f"if (!localStorage.getItem('pairhouse.options')) localStorage.setItem('pairhouse.options', {kept!r})"
        )
        self.page.goto(self.url)
        self.page.wait_for_selector("article [data-table]")
        return self

    def likes(self, **likes: Any) -> None:
        """Change options behind the dialog's back; they hold after the next load."""
        self.page.evaluate("kept => localStorage.setItem('pairhouse.options', kept)", json.dumps(QUICK | likes))
        self.page.reload()

    def resize(self, width: int, height: int) -> "Felt":
        """Another window, once the page has arranged itself for it."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_function(f"() => innerWidth === {width} && innerHeight === {height}")
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return self

    def sit(self, table: str) -> "Felt":
        self.page.goto(f"{self.url}#/table/{table}")
        self.page.wait_for_selector(f'.table[data-table="{table}"] .felt > *', timeout=PATIENCE_MS)
        return self

    def spot(self, wager: str, seat: int = 1) -> str:
        return f'.spot[data-seat="{seat}"][data-wager="{wager}"]'

    def bet(self, *wagers: str, seat: int = 1) -> "Felt":
        """A chip on each, by whatever way leads to it at this size."""
        for wager in wagers:
            self.bring(wager, seat)
            self.page.click(self.spot(wager, seat))
            if self.page.locator(".zoom").count():
                self.page.click(f".zoom {self.spot(wager, seat)}")
                self.press("zoom-close")
        return self

    def bring(self, wager: str, seat: int = 1) -> None:
        """Open the tab a bet lies behind, where the screen is too small for all of them."""
        if self.page.locator(self.spot(wager, seat)).count() == 0:
            tab = wager.partition("-on-")[0] if "-on-" in wager else "second" if wager.startswith("paire-") else "first"
            self.page.click(f'[data-tab="{tab}"]')

    def open(self, sheet: str) -> "Felt":
        """A sheet over the table, from the menu of this size."""
        if self.page.locator('[data-command="menu"]').count():
            self.press("menu")
        self.page.click(f'[data-open="{sheet}"]')
        self.page.wait_for_selector("dialog[open]")
        return self

    def close(self) -> "Felt":
        """Leave the sheet, back to the table."""
        self.page.keyboard.press("Escape")
        self.page.wait_for_selector("dialog", state="detached")
        return self

    def prompt(self) -> str:
        """The line that says what is asked."""
        return " ".join(self.page.inner_text("[data-prompt]").split())

    def again(self, command: str = "rebet-deal") -> "Felt":
        """Play the next round to its end with one press."""
        before = self.page.get_attribute(".table", "data-round")
        self.press(command)
        self.page.wait_for_selector(f'.table[data-phase="after"]:not([data-round="{before}"])', timeout=PATIENCE_MS)
        return self

    def chip(self, number: int) -> "Felt":
        self.page.click(f".rack button:nth-child({number})")
        return self

    def press(self, command: str) -> "Felt":
        self.page.click(f'[data-command="{command}"]')
        return self

    def choose(self, choice: str) -> "Felt":
        self.page.click(f'[data-choice="{choice}"]')
        return self

    def until(self, *phases: str) -> str:
        """Wait until the table is in one of these phases; gives which."""
        self.page.wait_for_selector(", ".join(f'.table[data-phase="{phase}"]' for phase in phases), timeout=PATIENCE_MS)
        return str(self.page.get_attribute(".table", "data-phase"))

    def play_out(self, *preferred: str) -> "Felt":
        """Answer with the first of these words that is offered, until the round is over."""
        while self.until("choosing", "after") == "choosing":
            for choice in (*preferred, "no-insurance", "stand", "play"):
                button = self.page.query_selector(f'[data-choice="{choice}"]:not(:disabled)')
                if button is not None:
                    button.click()
                    break
            self.page.wait_for_selector('.table:not([data-phase="choosing"]), [data-choice]', timeout=PATIENCE_MS)
        return self

    def status(self, name: str) -> int:
        """An amount of the rail, in cents."""
        text = self.page.inner_text(f'[data-status="{name}"]').replace(",", "").replace("−", "-")
        return round(float(text) * 100)

    def api(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """What a script in this page could ask of the server."""
        script = """async ([method, path, body, headers]) => {
            const init = { method, headers: { 'Content-Type': 'application/json', ...headers } };
            if (body !== null) init.body = JSON.stringify(body);
            const answer = await fetch(path, init);
            return [answer.status, await answer.json().catch(() => null)];
        }"""
        status, content = self.page.evaluate(script, [method, path, body, headers])
        return status, content

    def rounds(self) -> list[Any]:
        """The player's history, newest first."""
        _, content = self.api("GET", "/players/me/rounds?limit=100")
        found: list[Any] = content["rounds"]
        return found
