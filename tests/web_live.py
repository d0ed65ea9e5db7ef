"""People at live tables in real browsers, with everything that their browsers were sent."""

import json
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser

from web_table import PATIENCE_MS, Felt

POKER, BACCARAT, PAIR, PAIRE = "three-card-poker", "nepal-super-baccarat", "pair-v3-6", "la-paire"
CLOCK = {"betting": 20_000, "seeds": 6_000, "decision": 30_000, "grace": 300, "pause": 700}
DESK, PHONE = (1440, 900), (390, 844)


class Wire:
    """A relay between one browser and the house, which notes every byte that the browser is sent."""

    def __init__(self, house: str) -> None:
        address = urlsplit(house)
        self._house = address.hostname or "", address.port or 80
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = []
        self._noted = bytearray()
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._threads: list[threading.Thread] = []
        self._begin(self._accept)

    def _begin(self, work: Callable[..., None], *given: Any) -> None:
        self._threads.append(threading.Thread(target=work, args=given, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._house)
                self._sockets += [near, far]
                self._begin(self._carry, near, far, False)
                self._begin(self._carry, far, near, True)

    def _carry(self, source: socket.socket, target: socket.socket, is_noted: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                if is_noted:
                    self._noted += data
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def __len__(self) -> int:
        return len(self._noted)

    def since(self, number: int) -> str:
        """What the browser was sent after so many bytes."""
        return self._noted[number:].decode("utf-8", "replace")

    def close(self) -> None:
        """Hang up, and wait until nothing is carried any more."""
        for each in (self._listener, *self._sockets):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)
        for each in (self._listener, *self._sockets):
            each.close()


class Person(Felt):
    """Somebody at a live table. `wire` has every byte that came; `heard` the news of the table among them."""

    def __init__(
        self, browser: Browser, url: str, size: tuple[int, int] = DESK, locale: str = "en-GB", **likes: Any
    ) -> None:
        width, height = size
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=locale,
            service_workers="block",
            extra_http_headers={"Accept-Encoding": "identity"},  # so that the bytes can be read
        )
        self.wire = Wire(url)
        super().__init__(self.context.new_page(), self.wire.url + "/")
        self.heard: list[str] = []
        self.broken: list[str] = []
        self.page.on("pageerror", lambda error: self.broken.append(str(error)))
        self.page.on("response", self._keep)
        network = self.context.new_cdp_session(self.page)
        network.send("Network.enable")
        network.on("Network.eventSourceMessageReceived", lambda event: self.heard.append(event["data"]))
        self.enter(**likes)

    def _keep(self, answer: Any) -> None:
        if answer.url.endswith("/live") and "/tables/" in answer.url and answer.status == 200:
            self.heard.append(answer.text())

    def on_page(self) -> str:
        """Everything the page shows and keeps: its document, spoken names of cards included, and its stores."""
        found: str = self.page.evaluate(
            """() => [document.documentElement.outerHTML, JSON.stringify({ ...localStorage }),
                JSON.stringify({ ...sessionStorage }), document.cookie].join('\\n')"""
        )
        return found

    def news(self, round_id: str) -> list[dict[str, Any]]:
        """What this browser was told of a round."""
        told = [json.loads(text) for text in self.heard if f'"round_id":"{round_id}"' in text and '"view"' in text]
        return [each["view"] for each in told if each["view"] and each["view"]["round_id"] == round_id]

    def take(self, seat: int) -> "Person":
        self.page.click(f'[data-take="{seat}"]')
        self.page.wait_for_selector(f'.live[data-seat="{seat}"]')
        return self

    def at(self, *phases: str, round_id: str = "") -> str:
        """Wait until the felt shows one of these phases, of a round where one is named; the round."""
        which = f'[data-round="{round_id}"]' if round_id else ""
        self.page.wait_for_selector(
            ", ".join(f'.table{which}[data-phase="{phase}"]' for phase in phases), timeout=PATIENCE_MS
        )
        return str(self.page.get_attribute(".table", "data-round"))

    def own_cards(self, round_id: str) -> list[str]:
        view = next(view for view in reversed(self.news(round_id)) if view.get("hands"))
        return next(hand["cards"] for hand in view["hands"] if hand.get("seat") == view["seat"])

    def closed(self, after: str = "") -> str:
        """The next round that is over, as this browser is told; its number."""
        for _ in range(PATIENCE_MS // 50):
            views = [json.loads(text)["view"] for text in self.heard]
            found = [view["round_id"] for view in views if view and view["phase"] == "closed"]
            if found and found[-1] != after:
                return str(found[-1])
            self.page.wait_for_timeout(50)
        raise AssertionError(self.heard[-1])

    def settled(self, round_id: str) -> None:
        """The round is over, for this browser too."""
        self.page.wait_for_selector(
            f'.table[data-round="{round_id}"][data-phase="after"], .table:not([data-round="{round_id}"])',
            timeout=PATIENCE_MS,
        )

    def balance_is(self, text: str) -> None:
        self.page.wait_for_function(
            "text => document.querySelector('[data-status=balance]').textContent === text", arg=text
        )

    def stand_up(self) -> None:
        """Leave the seat, if there is one."""
        self.page.evaluate("() => document.querySelector('[data-command=leave-seat]')?.click()")
        self.page.wait_for_timeout(100)

    def close(self) -> "Person":
        self.context.close()
        self.wire.close()
        assert self.broken == []
        return self
