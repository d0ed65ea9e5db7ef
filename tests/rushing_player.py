"""A player in a hurry, for servers that are told to stop meanwhile."""

import http.client
import json
import threading
from typing import Any

from guests import new_name


class Rush(threading.Thread):
    """A player on one line who bets again as soon as there is an answer, until the line is closed between two bets."""

    def __init__(self, address: tuple[str, int], token: str) -> None:
        super().__init__(daemon=True)
        self.line = http.client.HTTPConnection(*address, timeout=20)
        self.token = token
        self.answered = 0
        self.fault: str | None = None
        self.ended_by: type[Exception] | None = None

    def ask(self, method: str, path: str, body: Any) -> tuple[int, bytes]:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        self.line.request(method, path, json.dumps(body), {**headers, "Idempotency-Key": new_name()})
        answer = self.line.getresponse()
        return answer.status, answer.read()

    def run(self) -> None:
        self.ask("POST", "/tables/la-paire/sit", {})
        bet = {"table": "la-paire", "wagers": {"card-A": 100}, "client_seed": "rush"}
        while self.fault is None:
            try:
                status, text = self.ask("POST", "/rounds", bet)
            except (http.client.RemoteDisconnected, ConnectionError) as ended:  # before the first byte of an answer
                self.ended_by = type(ended)
                return
            except http.client.HTTPException as broken:
                self.fault = f"an answer broken off: {broken!r}"
                return
            self.answered += 1
            if status != 201 or json.loads(text)["state"] != "settled":
                self.fault = f"{status} {text[:200]!r}"
