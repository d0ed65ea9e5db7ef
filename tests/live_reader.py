"""Somebody who watches a live table over HTTP and keeps every byte."""

import contextlib
import json
import threading
from typing import Any

import httpx


class Reader(threading.Thread):
    """Somebody who watches a table's events, and keeps every byte."""

    def __init__(
        self, url: str, table: str, token: str | None = None, after: str | None = None, verify: Any = True
    ) -> None:
        super().__init__(daemon=True)
        self.table = table
        self.raw = b""
        self.news: list[dict[str, Any]] = []
        self.moved = threading.Condition()
        self._client = httpx.Client(base_url=url, timeout=30, verify=verify)
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        if after is not None:
            self._headers["Last-Event-ID"] = after
        self.start()

    def run(self) -> None:
        with (
            contextlib.suppress(httpx.HTTPError),
            self._client.stream("GET", f"/tables/{self.table}/events", headers=self._headers) as stream,
        ):
            assert stream.headers["content-type"].startswith("text/event-stream")
            for line in stream.iter_lines():
                self.raw += line.encode() + b"\n"
                if line.startswith("data: "):
                    with self.moved:
                        self.news.append(json.loads(line[6:]))
                        self.moved.notify_all()

    def until(self, holds: Any) -> dict[str, Any]:
        """The first news of which this holds."""
        with self.moved:
            assert self.moved.wait_for(lambda: any(map(holds, self.news)), 20), self.news[-1:]
            return next(each for each in reversed(self.news) if holds(each))

    def close(self) -> None:
        self._client.close()
