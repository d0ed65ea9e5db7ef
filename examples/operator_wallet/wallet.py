"""An operator's wallet, small and complete: it keeps players' money and answers Pairhouse's five calls.

Standard library only. It also misbehaves when told to, so that what a house does with a bad wallet can be tested.
The protocol is told in docs/wallet.md.
"""

import argparse
import hashlib
import hmac
import json
import os
import socket
import sqlite3
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CURRENCY, EXPONENT = "EUR", 2
CLOCKS_DIFFER_MS = 5 * 60_000
CALLS = ("authenticate", "balance", "bet", "win", "rollback")
TROUBLES = {
    "late": "does it, and answers when nobody listens any more",
    "never": "does nothing, and does not answer",
    "fail": "does nothing, and answers 500",
    "fail-after": "does it, and answers 500",
    "lose": "does it, and drops the connection",
    "twice": "does it twice, and answers twice",
    "garble": "does it, and answers something that is no JSON",
    "unsigned": "does it, and signs the answer with another secret",
    "refuse": "refuses it",
}
SCHEMA = """
CREATE TABLE IF NOT EXISTS players (id TEXT PRIMARY KEY, balance INTEGER NOT NULL CHECK (balance >= 0));
CREATE TABLE IF NOT EXISTS sessions (token TEXT PRIMARY KEY, player TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entries (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, player TEXT NOT NULL, round TEXT NOT NULL, reference TEXT,
    change INTEGER NOT NULL, closes INTEGER NOT NULL, body TEXT NOT NULL, answer TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS entries_by_reference ON entries (reference);
CREATE INDEX IF NOT EXISTS entries_by_round ON entries (round);
"""


class TurnDown(Exception):
    """The call is refused, and nothing was changed."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


class Ledger:
    """Players, what they have, and every entry that ever changed it."""

    def __init__(self, path: str = ":memory:") -> None:
        self._lock = threading.Lock()
        self._books = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._books.executescript(SCHEMA)

    def add_player(self, player: str, token: str, balance: int) -> None:
        """A player with money, and the token they come to the house with."""
        with self._lock:
            self._books.execute("INSERT OR IGNORE INTO players VALUES (?, ?)", (player, balance))
            self._books.execute("INSERT OR IGNORE INTO sessions VALUES (?, ?)", (token, player))

    def end_session(self, token: str) -> None:
        with self._lock:
            self._books.execute("DELETE FROM sessions WHERE token = ?", (token,))

    def balance_of(self, player: str) -> int:
        row = self._one("SELECT balance FROM players WHERE id = ?", player)
        if row is None:
            raise TurnDown(404, "unknown-player", f"there is no player {player}")
        return row[0]

    def entries(self) -> list[dict]:
        """Every entry, in order."""
        with self._lock:
            cursor = self._books.execute("SELECT * FROM entries ORDER BY rowid")
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]

    def do(self, call: str, body: bytes) -> dict:
        """Answer a call; everything it changes is changed in one transaction."""
        with self._lock:
            self._books.execute("BEGIN IMMEDIATE")
            try:
                answer = self._answer(call, body)
            except BaseException:
                self._books.execute("ROLLBACK")
                raise
            self._books.execute("COMMIT")
            return answer

    def _answer(self, call: str, body: bytes) -> dict:
        asked = json.loads(body)
        if asked.get("currency") != CURRENCY or asked.get("exponent") != EXPONENT:
            raise TurnDown(400, "currency", f"this wallet keeps {CURRENCY} with {EXPONENT} decimals")
        if call == "authenticate":
            player = self._player_of(asked["token"])
            return {"player": player, **self._money(player)}
        if call == "balance":
            self._check_session(asked)
            return self._money(asked["player"])
        return self._move(call, asked, body)

    def _move(self, kind: str, asked: dict, body: bytes) -> dict:
        """A bet, a win or a rollback. The same one again has the same answer; another under its id is refused."""
        digest = hashlib.sha256(kind.encode() + b"\n" + body).hexdigest()
        before = self._one("SELECT body, answer FROM entries WHERE id = ?", asked["transaction"])
        if before is not None:
            if before[0] != digest:
                raise TurnDown(409, "duplicate", "this transaction is here already, and it was another one")
            return json.loads(before[1])
        change = {"bet": self._bet, "win": self._win, "rollback": self._rollback}[kind](asked)
        self._books.execute("UPDATE players SET balance = balance + ? WHERE id = ?", (change, asked["player"]))
        answer = {"transaction": asked["transaction"], **self._money(asked["player"])}
        entry = (asked["transaction"], kind, asked["player"], asked["round"], asked["reference"], change)
        entry += (int(asked["round_closed"]), digest, json.dumps(answer))
        self._books.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", entry)
        return answer

    def _bet(self, asked: dict) -> int:
        """Only a bet may be refused: no session, no money, its round closed, or rolled back before it came."""
        self._check_session(asked)
        if self._one("SELECT 1 FROM entries WHERE reference = ?", asked["transaction"]):
            raise TurnDown(409, "rolled-back", "this bet was rolled back before it came")
        round_of = "SELECT 1 FROM entries WHERE round = ? AND player = ? AND kind = 'win' AND closes = 1"
        if self._one(round_of, asked["round"], asked["player"]):
            raise TurnDown(409, "round-closed", "this round is closed")
        if asked["amount"] <= 0:
            raise TurnDown(400, "bad-amount", "a bet is more than nothing")
        if self.balance_of(asked["player"]) < asked["amount"]:
            raise TurnDown(402, "insufficient-funds", "your balance does not carry this bet")
        return -asked["amount"]

    def _win(self, asked: dict) -> int:
        return asked["amount"]

    def _rollback(self, asked: dict) -> int:
        """What its bet took, once. Without a bet the entry stays as a tombstone, and the bet will find it."""
        if self._one("SELECT 1 FROM entries WHERE reference = ?", asked["reference"]):
            return 0
        bet = self._one("SELECT change FROM entries WHERE id = ? AND kind = 'bet'", asked["reference"])
        return -bet[0] if bet else 0

    def _check_session(self, asked: dict) -> None:
        if self._player_of(asked["token"]) != asked["player"]:
            raise TurnDown(403, "session", "this session is another player's")

    def _player_of(self, token: str) -> str:
        row = self._one("SELECT player FROM sessions WHERE token = ?", token)
        if row is None:
            raise TurnDown(401, "session", "this session is over")
        return row[0]

    def _money(self, player: str) -> dict:
        return {"balance": self.balance_of(player), "currency": CURRENCY, "exponent": EXPONENT}

    def _one(self, text: str, *values: object) -> tuple | None:
        return self._books.execute(text, values).fetchone()


def sign(secret: bytes, *parts: str | bytes) -> str:
    """HMAC-SHA256 over the parts, a line feed between each two."""
    text = b"\n".join(part if isinstance(part, bytes) else part.encode() for part in parts)
    return hmac.new(secret, text, hashlib.sha256).hexdigest()


class Wallet(ThreadingHTTPServer):
    """The ledger behind HTTP."""

    daemon_threads = True

    def __init__(self, ledger: Ledger, secret: bytes, port: int = 0, is_troubled: bool = False) -> None:
        super().__init__(("127.0.0.1", port), Call)
        self.ledger, self.secret, self.is_troubled = ledger, secret, is_troubled
        self.closing = threading.Event()
        self.seen: list[tuple[str, dict]] = []
        self._connections: set[socket.socket] = set()
        self._troubles: dict[str, deque[str]] = {call: deque() for call in CALLS}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def trouble(self, call: str, how: str, times: int = 1) -> None:
        """Misbehave at the next calls of a kind."""
        if call not in CALLS or how not in TROUBLES:
            raise ValueError(f"there is {', '.join(CALLS)}, and {', '.join(TROUBLES)}")
        self._troubles[call].extend([how] * times)

    def waits_for(self, call: str, count: int) -> bool:
        """Whether so many calls of a kind are still to be troubled."""
        return len(self._troubles[call]) >= count

    def clear_troubles(self) -> None:
        """Behave again, and let go of whoever waits for an answer."""
        for troubles in self._troubles.values():
            troubles.clear()

    def next_trouble(self, call: str) -> str:
        with suppress(IndexError):
            return self._troubles[call].popleft()
        return ""

    def start(self) -> None:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self) -> None:
        """Close, and drop every connection that is kept open."""
        self.closing.set()
        self.shutdown()
        self.server_close()
        for connection in list(self._connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def process_request(self, request: socket.socket, client_address: object) -> None:
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: socket.socket) -> None:
        self._connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        """A caller that left is no error of ours."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class Call(BaseHTTPRequestHandler):
    """One call of a house."""

    server: Wallet
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body leave together
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        call = self.path.rsplit("/", 1)[-1]
        if call == "trouble" and self.server.is_troubled:
            self.server.trouble(**json.loads(body))
            self._send(200, {})
            return
        self._answer(call, body)

    def do_GET(self) -> None:
        if self.path == "/entries" and self.server.is_troubled:
            self._send(200, {"entries": self.server.ledger.entries()})
        else:
            self._send(404, {"code": "unknown-call", "message": "there is nothing here"})

    def _answer(self, call: str, body: bytes) -> None:
        how = self.server.next_trouble(call) if call in CALLS else ""
        if how == "never":
            self._hang_up()
        elif how == "fail":
            self._send(500, {"code": "broken"})
        elif how == "refuse":
            self._send(403, {"code": "blocked", "message": "the operator does not let you play"})
        else:
            status, answer = self._do(call, body)
            if how == "twice":
                self._do(call, body)
                self._send(status, answer)
            self._after(how, status, answer)

    def _after(self, how: str, status: int, answer: dict) -> None:
        """The call is done; what is told of it."""
        if how in ("late", "lose"):
            self._hang_up(is_waiting=how == "late")
        elif how == "fail-after":
            self._send(500, {"code": "broken"})
        elif how == "garble":
            self._send_bytes(200, b"all is well", self.server.secret)
        elif how == "unsigned":
            self._send_bytes(status, json.dumps(answer).encode(), b"another secret")
        else:
            self._send(status, answer)

    def _do(self, call: str, body: bytes) -> tuple[int, dict]:
        try:
            self._check(call, body)
            answer = self.server.ledger.do(call, body)
            self.server.seen.append((call, json.loads(body)))
        except TurnDown as no:
            return no.status, {"code": no.code, "message": str(no)}
        except (ValueError, KeyError, TypeError):
            return 400, {"code": "bad-request", "message": "this call cannot be read"}
        return 200, answer

    def _check(self, call: str, body: bytes) -> None:
        """Only the house can have sent it, to this path, and not long ago."""
        if call not in CALLS:
            raise TurnDown(404, "unknown-call", f"there is {', '.join(CALLS)}")
        at, request = self.headers.get("X-Wallet-Time", "0"), self.headers.get("X-Wallet-Request", "")
        signature = self.headers.get("X-Wallet-Signature", "")
        if not hmac.compare_digest(signature, sign(self.server.secret, at, request, call, body)):
            raise TurnDown(401, "signature", "the signature does not fit")
        if abs(time.time() * 1000 - int(at)) > CLOCKS_DIFFER_MS:
            raise TurnDown(401, "time", "this call is old, or our clocks differ")

    def _hang_up(self, is_waiting: bool = True) -> None:
        if is_waiting:
            self.server.closing.wait(30)
        self.close_connection = True

    def _send(self, status: int, answer: dict) -> None:
        self._send_bytes(status, json.dumps(answer).encode(), self.server.secret)

    def _send_bytes(self, status: int, body: bytes, secret: bytes) -> None:
        request = self.headers.get("X-Wallet-Request", "")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Wallet-Signature", sign(secret, request, str(status), body))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet: a call may hold a session token."""


def main() -> None:
    parser = argparse.ArgumentParser(description="An example of an operator's wallet for Pairhouse.")
    parser.add_argument("--port", type=int, default=8900)
    parser.add_argument("--db", default="wallet.db", help="an SQLite file")
    parser.add_argument("--player", action="append", default=[], metavar="NAME:TOKEN:CENTS")
    parser.add_argument("--trouble", action="store_true", help="let POST /trouble make it misbehave")
    given = parser.parse_args()
    secret = os.environ.get("WALLET_SECRET", "")
    if len(secret) < 32:
        parser.error("give the shared secret, 32 letters or more, in WALLET_SECRET")
    ledger = Ledger(given.db)
    for text in given.player:
        name, token, cents = text.split(":")
        ledger.add_player(name, token, int(cents))
    wallet = Wallet(ledger, secret.encode(), given.port, given.trouble)
    sys.stdout.write(f"{wallet.url}\n")
    sys.stdout.flush()
    with suppress(KeyboardInterrupt):
        wallet.serve_forever()


if __name__ == "__main__":
    main()
