"""The line from a terminal to a live table: its news as they come, and requests that wait for their answer.

The line lives on a thread of its own, so that news arrive while somebody thinks at the keyboard. It opens the seed of
a bet by itself as soon as there are no more bets.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from pairhouse.client.house_client import HouseClient, ListedTable, News
from pairhouse.client.live_seat import LivePlayer
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import find
from pairhouse.rounds.live_view import LiveView

T = TypeVar("T")
ANSWER_S = 120.0
SEATED_PATIENCE_S = 90.0  # a house that is started again needs some seconds; the seat and the bets are still there


class LiveLine:
    """A visitor's connection to one live table. `tell` is called with all news, on the line's own thread."""

    def __init__(self, house: str, tell: Callable[[News], None]) -> None:
        self.client = HouseClient(house)
        self.tell = tell
        self.news: News | None = None
        self.ahead_ms = 0.0  # by how much the house's clock is ahead of ours
        self.failed: Refused | None = None
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._watching: Any = None
        self._place: LivePlayer | None = None

    def ask(self, act: Coroutine[Any, Any, T]) -> T:
        """Do something at the house and wait for what comes of it."""
        return asyncio.run_coroutine_threadsafe(act, self._loop).result(ANSWER_S)

    def sit(self, word: str, seat: int | None) -> tuple[ListedTable, LivePlayer]:
        """Come in, find the table, sit down, and listen from then on."""
        line = self.ask(self.client.find_live_table(word))
        balance = self.ask(self.client.come_in())
        place = LivePlayer(self.client, line.table)
        place.balance = balance
        self.ask(place.sit(seat))
        self._place = place
        self.client.patience_s = SEATED_PATIENCE_S
        self._watching = asyncio.run_coroutine_threadsafe(self._watch(line.table, place), self._loop)
        return line, place

    def variant(self, table: str) -> Variant:
        """The game of a table under the options it deals by."""
        game = self.ask(self.client.ask("GET", f"/tables/{table}"))["game"]
        return find(game["id"]).variant({option["name"]: option["value"] for option in game["options"]})

    def wait_for(self, holds: Callable[[LiveView], bool]) -> LiveView:
        """The view of the table after our last act, as soon as this holds of it."""
        assert self._place is not None
        with self._changed:
            while True:
                if self.failed is not None:
                    raise self.failed
                news = self.news
                view = news.view if news is not None and news.number >= self._place.number else None
                if view is not None and holds(view):
                    return view
                self._changed.wait(1.0)

    def is_at(self, round_id: str, phase: str, number: int | None = None) -> bool:
        """Whether the table is still in this phase of a round, and at the decision with this number."""
        if self.failed is not None:
            raise self.failed
        view = self.news.view if self.news is not None else None
        if view is None or view.round_id != round_id or view.phase != phase:
            return False
        return number is None or (view.turn is not None and view.turn.number == number)

    def has_lost_seat(self, view: LiveView) -> bool:
        """Whether the seat is another's since our last act there."""
        assert self._place is not None
        return view.seat is None and self.news is not None and self.news.number > self._place.number

    def seconds_until(self, at_ms: int | None) -> int | None:
        """How long it is until a moment of the house's clock."""
        if at_ms is None:
            return None
        return max(0, round((at_ms - self.ahead_ms) / 1000 - time.time()))

    def close(self) -> None:
        """Hang up."""
        if self._watching is not None:
            self._watching.cancel()
        self.ask(self.client.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        if not self._thread.is_alive():
            self._loop.close()

    async def _watch(self, table: str, place: LivePlayer) -> None:
        try:
            async for news in self.client.events(table):
                self.ahead_ms = news.now - time.time() * 1000
                self.tell(news)
                with self._changed:
                    self.news = news
                    self._changed.notify_all()
                if news.view is not None and place.must_open(news.view):
                    await self._open_seed(place)
        except Refused as refused:
            with self._changed:
                self.failed = refused
                self._changed.notify_all()

    @staticmethod
    async def _open_seed(place: LivePlayer) -> None:
        try:
            await place.open_seed()
        except Refused as refused:
            if refused.code != "bad-seed":  # it is open already, or it is too late: the round shows it as left out
                raise
