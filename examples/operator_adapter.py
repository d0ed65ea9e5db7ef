"""An operator's adapter: an account system that exists already, behind Pairhouse's five calls, signed with key pairs.

`Accounts` stands for what an operator has: it knows players and their money, and posts an amount once for each key. The
adapter adds what docs/wallet.md asks: signatures (Ed25519), answers that stay the same when a call comes again, and a
rollback that may arrive before its bet. Without arguments it prints a key pair and how to start it.
"""

import argparse
import hashlib
import json
import secrets
import sqlite3
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

CURRENCY, EXPONENT = "EUR", 2
CLOCKS_DIFFER_MS, BODY_MAX_BYTES = 5 * 60_000, 65_536
PREFIX = "ed25519:"
CALLS = ("authenticate", "balance", "bet", "win", "rollback")
SCHEMA = """
CREATE TABLE IF NOT EXISTS accounts (player TEXT PRIMARY KEY, token TEXT UNIQUE, balance INTEGER CHECK (balance >= 0));
CREATE TABLE IF NOT EXISTS calls (id TEXT PRIMARY KEY, kind TEXT, round TEXT, player TEXT, change INTEGER,
    undone INTEGER DEFAULT 0, body TEXT, answer TEXT);
"""


class Refusal(Exception):
    """The call is refused and nothing was changed."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


class Accounts:
    """What the operator has: players, tokens, balances. Here it is a table; elsewhere it is a service of its own."""

    def __init__(self, books: sqlite3.Connection) -> None:
        self.books = books

    def add_player(self, player: str, token: str, balance: int) -> None:
        self.books.execute("INSERT OR IGNORE INTO accounts VALUES (?, ?, ?)", (player, token, balance))

    def player_of(self, token: str) -> str:
        row = self.books.execute("SELECT player FROM accounts WHERE token = ?", (token,)).fetchone()
        if row is None:
            raise Refusal(401, "bad-token", "nobody has this token")
        return row[0]

    def balance_of(self, player: str) -> int:
        row = self.books.execute("SELECT balance FROM accounts WHERE player = ?", (player,)).fetchone()
        if row is None:
            raise Refusal(404, "unknown-player", "there is no such player")
        return row[0]

    def post(self, player: str, amount: int) -> None:
        if self.balance_of(player) + amount < 0:
            raise Refusal(402, "insufficient-funds", "your balance does not carry this bet")
        self.books.execute("UPDATE accounts SET balance = balance + ? WHERE player = ?", (amount, player))


class Adapter:
    """Answers the calls of a house, each in one transaction."""

    def __init__(self, path: str = ":memory:") -> None:
        self.lock = threading.Lock()
        self.books = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.books.executescript(SCHEMA)
        self.accounts = Accounts(self.books)

    def balance_of(self, player: str) -> int:
        with self.lock:
            return self.accounts.balance_of(player)

    def entries(self) -> list[dict]:
        """Every change of money, with its round and player."""
        with self.lock:
            rows = self.books.execute("SELECT round, player, change FROM calls ORDER BY rowid").fetchall()
        return [dict(zip(("round", "player", "change"), row, strict=True)) for row in rows]

    def do(self, call: str, body: bytes) -> dict:
        with self.lock:
            self.books.execute("BEGIN IMMEDIATE")
            try:
                answer = self.answer(call, json.loads(body), body)
            except BaseException:
                self.books.execute("ROLLBACK")
                raise
            self.books.execute("COMMIT")
            return answer

    def money(self, player: str) -> dict:
        return {"balance": self.accounts.balance_of(player), "currency": CURRENCY, "exponent": EXPONENT}

    def answer(self, call: str, asked: dict, body: bytes) -> dict:
        if (asked["currency"], asked["exponent"]) != (CURRENCY, EXPONENT):
            raise Refusal(400, "currency", f"this operator keeps {CURRENCY} with {EXPONENT} decimals")
        if call == "authenticate":
            player = self.accounts.player_of(asked["token"])
            return {"player": player, **self.money(player)}
        if call == "balance":
            return self.money(asked["player"])
        digest = hashlib.sha256(call.encode() + b"\n" + body).hexdigest()
        known = self.books.execute("SELECT body, answer FROM calls WHERE id = ?", (asked["transaction"],)).fetchone()
        if known is not None:
            if known[0] != digest:
                raise Refusal(409, "duplicate", "this transaction is another one, or was rolled back")
            return json.loads(known[1])
        return self.move(call, asked, digest)

    def move(self, call: str, asked: dict, digest: str) -> dict:
        """A bet takes, a win gives. A rollback gives its bet back, or keeps it from ever being taken."""
        player, change = asked["player"], {"bet": -1, "win": 1, "rollback": 0}[call] * asked["amount"]
        if call == "bet" and self.accounts.player_of(asked["token"]) != player:
            raise Refusal(401, "bad-token", "this token is another player's")
        if call == "rollback":
            bet = self.books.execute("SELECT change FROM calls WHERE id = ?", (asked["reference"],)).fetchone()
            if bet is None:  # a bet that comes after its rollback is refused: its id is taken
                self.note(asked["reference"], "never", asked, 0, "", {})
            else:
                once = "UPDATE calls SET undone = 1 WHERE id = ? AND undone = 0"
                undone = self.books.execute(once, (asked["reference"],))
                change = -bet[0] * undone.rowcount
        self.accounts.post(player, change)
        answer = {"transaction": asked["transaction"], **self.money(player)}
        self.note(asked["transaction"], call, asked, change, digest, answer)
        return answer

    def note(self, call_id: str, kind: str, asked: dict, change: int, digest: str, answer: dict) -> None:
        row = (call_id, kind, asked["round"], asked["player"], change, digest, json.dumps(answer))
        self.books.execute("INSERT INTO calls VALUES (?, ?, ?, ?, ?, 0, ?, ?)", row)


class Handler(BaseHTTPRequestHandler):
    """Checks the house's signature, and signs every answer."""

    server: "Server"
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), BODY_MAX_BYTES))
        call = self.path.rstrip("/").rpartition("/")[2]
        at, request = self.headers.get("X-Wallet-Time", ""), self.headers.get("X-Wallet-Request", "")
        try:
            self.check(at, request, call, body)
            status, answer = 200, self.server.ledger.do(call, body)
        except Refusal as refused:
            status, answer = refused.status, {"code": refused.code, "message": str(refused)}
        except (KeyError, TypeError, ValueError):
            status, answer = 400, {"code": "bad-request", "message": "this cannot be read"}
        content = json.dumps(answer).encode()
        signature = self.server.key.sign(b"\n".join([request.encode(), str(status).encode(), content]))
        self.send_response(status)
        for name, value in (("Content-Length", str(len(content))), ("X-Wallet-Signature", PREFIX + signature.hex())):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def check(self, at: str, request: str, call: str, body: bytes) -> None:
        parts = b"\n".join([at.encode(), request.encode(), call.encode(), body])
        try:
            given = bytes.fromhex(self.headers.get("X-Wallet-Signature", "").removeprefix(PREFIX))
            self.server.house_key.verify(given, parts)
        except (InvalidSignature, ValueError):
            raise Refusal(401, "bad-signature", "the signature does not fit") from None
        if call not in CALLS or abs(time.time() * 1000 - int(at)) > CLOCKS_DIFFER_MS:
            raise Refusal(400, "bad-call", "no such call, or a clock that differs too much")

    def log_message(self, *_: object) -> None: ...  # nothing


class Server(ThreadingHTTPServer):
    """The adapter on a port of this machine."""

    def __init__(self, ledger: Adapter, private_key: str, house_public_key: str, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.ledger, self.key = ledger, Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private_key))
        self.house_key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(house_public_key))
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


if __name__ == "__main__":
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--serve", nargs=3, metavar=("PORT", "OWN_PRIVATE_KEY", "HOUSE_PUBLIC_KEY"))
    given = words.parse_args().serve
    if given:
        adapter = Adapter("operator.db")
        adapter.accounts.add_player("alice", "alice-token", 1_000_000)
        Server(adapter, given[1], given[2], int(given[0])).serve_forever()
    private = secrets.token_bytes(32)
    public = Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw().hex()
    print(
        f"private key  {private.hex()}\npublic key   {public}\nThe house sets PAIRHOUSE_WALLET_THEIR_KEY_NAME={public}"
    )
