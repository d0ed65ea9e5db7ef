"""The audit finds whatever is changed in the books, and says where; a house left alone is clean."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from direct_house import DATABASES, TABLES, Guest, audited, deal_from_shoe, deal_without_shoe, enrich, new_books
from pairhouse.core.errors import Refused
from pairhouse.house.audit import Audit, audit, audit_books, open_books
from pairhouse.house.audit.log_checks import Outside
from pairhouse.house.audit.notebook import AuditFailed
from pairhouse.house.floor import change_game, change_table
from pairhouse.house.house import House
from pairhouse.house.people import change_player, new_key, revoke_key
from pairhouse.house.store.chain import GENESIS, event_hash
from pairhouse.house.store.database import Tx


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("audit")


@cache
def busy_house(kind: str, folder: Path) -> House:
    """A house where a little of everything has happened."""
    house = House(new_books(kind, folder))
    rng = random.Random(11)
    guests = [Guest(house, rng) for _ in range(3)]
    for guest in guests:
        enrich(house, guest.id)
        for table in TABLES:
            guest.sit(table)
    deal_from_shoe(house)
    for table in TABLES:
        for guest in guests:
            for _ in range(2):
                guest.play(table)
    while (guests[2].play("three-card-poker", [{"ante": 200}]).returned or 0) == 0:
        pass  # until a hand is played and wins something
    for _ in range(2):
        guests[2].play("three-card-poker-progressive", [{"ante": 200, "progressive": 100}])
    for _ in range(90):  # through the cut card
        guests[0].play("nepal-super-baccarat", [{"banker": 200}])
    deal_without_shoe(house)
    guests[0].play("nepal-super-baccarat", [{"banker": 200}])
    waiting = [open_round(guest, "blackjack-poker-pairs") for guest in guests]
    house.do(lambda tx: house.pit.void(tx, "desk", waiting[0], "malfunction"))
    guests[1].rotate("la-paire")
    guests[1].play("la-paire")
    for command in (
        lambda tx: new_key(tx, "desk", "admin"),
        lambda tx: revoke_key(tx, new_key(tx, "gone", "operator")[0]),
        lambda tx: change_player(tx, "desk", guests[0].id, "disabled"),
        lambda tx: change_table(tx, "desk", "la-paire", {"status": "closed"}),
        lambda tx: change_table(tx, "desk", "la-paire", {"limits": {"maximum": 10_000}}),
        lambda tx: change_game(tx, "desk", "la-paire", "closed"),
    ):
        house.do(command)
    return house


def open_round(guest: Guest, table: str) -> str:
    while (view := guest.bet(table)).state != "open":
        pass
    return view.id


@pytest.fixture(params=DATABASES)
def house(request: pytest.FixtureRequest, folder: Path) -> House:
    return busy_house(request.param, folder)


class Books:
    """The books in a transaction that is undone in the end, for somebody who changes them by hand."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.kind = house.database.kind
        self.connection = house.database.connect()
        self.tx = Tx(house.database.cursor(self.connection), self.kind)
        self.tx.raw("BEGIN")

    def sql(self, text: str) -> list[Any]:
        cursor = self.connection.execute(text)
        return list(cursor.fetchall()) if cursor.description else []

    def one(self, text: str) -> Any:
        return self.sql(text)[0][0]

    def reseal(self, chain: str) -> None:
        """Seal a chain anew after an event of it was changed."""
        before = GENESIS
        for number, at, kind, body in self.sql(
            f"SELECT number, at, kind, body FROM events WHERE chain = '{chain}' ORDER BY number"
        ):
            before = event_hash(before, chain, number, at, kind, body)
            self.sql(f"UPDATE events SET hash = '{before}' WHERE chain = '{chain}' AND number = {number}")

    def reword(self, where: str, change: Callable[[dict[str, Any]], None]) -> None:
        """Change what an event says and seal its chain anew."""
        chain, number, body = self.sql(
            f"SELECT chain, number, body FROM events WHERE {where} ORDER BY chain, number LIMIT 1"
        )[0]
        event = msgspec.json.decode(body)
        change(event)
        text = msgspec.json.encode(event, order="deterministic").decode().replace("'", "''")
        self.sql(f"UPDATE events SET body = '{text}' WHERE chain = '{chain}' AND number = {number}")
        self.reseal(chain)

    def audit(self) -> Audit:
        return audit(self.tx, self.house.vault)

    def close(self) -> None:
        self.tx.raw("ROLLBACK")
        self.connection.close()


@pytest.fixture
def books(house: House) -> Iterator[Books]:
    books = Books(house)
    yield books
    books.close()


def test_a_house_left_alone_is_clean(house: House) -> None:
    found = audited(house)
    assert found.difference is None
    assert found.rounds == found.replayed >= 140
    assert found.open_rounds == 2
    assert sum(found.accounts.values()) == 0
    assert found.accounts["mint"] == -3 * 10_100_000
    assert found.accounts["jackpots"] > 0 < found.accounts["held"]


SETTLED = (
    "(SELECT min(id) FROM rounds WHERE state = 'settled' AND table_id = 'three-card-poker' AND returned > 0"
    " AND id IN (SELECT round_id FROM acts WHERE number = 1))"
)
WAITING = "(SELECT min(id) FROM rounds WHERE state = 'open')"
COUP = "(SELECT min(id) FROM rounds WHERE game = 'nepal-super-baccarat' AND first_card > 0 AND nonce = 0)"
SHOE = "stream_id = (SELECT min(stream_id) FROM shoes)"
CHOSEN = f"round_id = {SETTLED} AND number = 1"
DELETED = "DELETE FROM transfers WHERE round_id = {0}; DELETE FROM acts WHERE round_id = {0}; DELETE FROM seated WHERE round_id = {0}; DELETE FROM rounds WHERE id = {0}"

TAMPERINGS = {
    "a balance": ("UPDATE accounts SET balance = balance + 1 WHERE id = (SELECT min(id) FROM accounts)", "the balance is"),
    "two balances": ("UPDATE accounts SET balance = balance + CASE WHEN id = (SELECT min(id) FROM accounts) THEN 1 ELSE -1 END", "the balance is"),
    "an account too many": ("INSERT INTO accounts VALUES ('player:X', 'player', 0)", "accounts: how many"),
    "an account too few": ("DELETE FROM accounts WHERE id = (SELECT min(id) FROM accounts)", "the kind of account is None"),
    "the amount of a payment": (f"UPDATE transfers SET amount = amount + 1 WHERE kind = 'pay' AND round_id = {SETTLED}", "transfer"),
    "who was paid": (f"UPDATE transfers SET credit = 'player:X' WHERE kind = 'pay' AND round_id = {SETTLED}", "transfer"),
    "when it was paid": (f"UPDATE transfers SET at = at + 1 WHERE kind = 'pay' AND round_id = {SETTLED}", "transfer"),
    "play money": ("UPDATE transfers SET amount = amount + 1 WHERE key = (SELECT min(key) FROM transfers WHERE kind = 'play-money')", "what the books say"),
    "the round of a transfer": (f"UPDATE transfers SET round_id = {WAITING} WHERE kind = 'pay' AND round_id = {SETTLED}", ": transfer "),
    "a transfer of a round deleted": (f"DELETE FROM transfers WHERE kind = 'take' AND round_id = {SETTLED}", "is missing; it should be"),
    "play money deleted": ("DELETE FROM transfers WHERE key = (SELECT min(key) FROM transfers WHERE kind = 'play-money')", "is missing; an event tells"),
    "a transfer from nowhere": ("INSERT INTO transfers SELECT 'gift:0', NULL, 'play-money', 'mint', min(id), 5, 5 FROM accounts", "transfer gift:0: no event"),
    "a transfer of no round": ("INSERT INTO transfers SELECT 'gift:0', 'NONE', 'pay', 'house', min(id), 5, 5 FROM accounts", "there is no such round"),
    "a transfer far beyond those of its act": (f"INSERT INTO transfers SELECT {SETTLED} || ':0:99', {SETTLED}, 'pay', 'house', min(id), 5, 5 FROM accounts", "transfers: how many there are"),
    "a transfer more in a round": (f"INSERT INTO transfers SELECT {SETTLED} || ':0:4', {SETTLED}, 'pay', 'house', min(id), 5, 5 FROM accounts", "follows from nothing"),
    "a result": (f"UPDATE rounds SET result = replace(result, '\"returned\":', '\"returned\":1') WHERE id = {SETTLED}", "its result is"),
    "what was returned": (f"UPDATE rounds SET returned = returned + 100 WHERE id = {SETTLED}", "what was returned is"),
    "what was staked": (f"UPDATE rounds SET staked = staked + 100 WHERE id = {SETTLED}", "what was staked is"),
    "a state": (f"UPDATE rounds SET state = 'void' WHERE id = {SETTLED}", "is void, and its last act is"),
    "a card of a log": ("UPDATE rounds SET log = replace(replace(replace(log, '\"Ah\"', '\"XX\"'), '\"2h\"', '\"Ah\"'), '\"XX\"', '\"2h\"') WHERE id IN (SELECT id FROM rounds WHERE log LIKE '%\"Ah\"%')", "`cards` in its log"),
    "a reading of a meter": ("UPDATE rounds SET log = replace(log, '\"meter\":{\"amount\":', '\"meter\":{\"amount\":1') WHERE table_id = 'three-card-poker-progressive'", "round"),
    "choices of a log": ("UPDATE rounds SET log = replace(log, '\"play\"', '\"fold\"') WHERE id IN (SELECT id FROM rounds WHERE log LIKE '%\"play\"%')", "`choices` in its log"),
    "no log": (f"UPDATE rounds SET log = NULL WHERE id = {SETTLED}", "its log is None"),
    "not even JSON": (f"UPDATE rounds SET log = 'x' WHERE id = {SETTLED}", "cannot be read"),
    "stakes of an open round": (f"UPDATE rounds SET seats = replace(seats, '\"main\":', '\"main\":1') WHERE id = {WAITING}", "round"),
    "a client seed": (f"UPDATE rounds SET client_seeds = '[\"other\"]' WHERE id = {SETTLED}", "round"),
    "a nonce": (f"UPDATE rounds SET nonce = nonce + 7 WHERE id = {SETTLED}", "nonce is"),
    "a first card": (f"UPDATE rounds SET first_card = first_card + 1 WHERE id = {COUP}", "its first card"),
    "the rules": (f"UPDATE rounds SET rules_hash = 'x' WHERE id = {SETTLED}", "`rules` in the books"),
    "the options": (f"UPDATE rounds SET options = '{{}}' WHERE id = {SETTLED}", "its options"),
    "the version of a table": (f"UPDATE rounds SET table_version = 9 WHERE id = {SETTLED}", "which no event tells"),
    "when a round closed": (f"UPDATE rounds SET closed_at = closed_at + 1 WHERE id = {SETTLED}", "when it was closed"),
    "when a round opened": (f"UPDATE rounds SET opened_at = opened_at + 1 WHERE id = {SETTLED}", "when it was opened"),
    "the stream of a round": (f"UPDATE rounds SET stream_id = 'X' WHERE id = {SETTLED}", "nonce is"),
    "a round deleted": (f"DELETE FROM rounds WHERE id = {SETTLED}", "nonce"),
    "a round deleted with all of it": (DELETED.format("'LAST'"), "nonces and has no round"),
    "a word": (f"UPDATE acts SET word = CASE word WHEN 'play' THEN 'fold' ELSE 'play' END WHERE {CHOSEN}", "round"),
    "an act deleted": (f"DELETE FROM acts WHERE {CHOSEN}", "round"),
    "an act of nobody": ("INSERT INTO acts VALUES ('X', 0, 'X', 'X', '', 'open', '', 1, 1, 1, NULL, NULL)", "acts: how many"),
    "a key": (f"UPDATE acts SET key = 'another-key' WHERE {CHOSEN}", "`key` in the books"),
    "a body": (f"UPDATE acts SET body_hash = 'x' WHERE {CHOSEN}", "`body` in the books"),
    "the balance of an answer": (f"UPDATE acts SET balance = balance + 1 WHERE {CHOSEN}", "`balance` in the books"),
    "the stake of an act": (f"UPDATE acts SET staked = staked + 1 WHERE {CHOSEN}", "its stake is"),
    "whose act it is": (f"UPDATE acts SET player_id = 'X' WHERE {CHOSEN}", "its player"),
    "the kind of an act": (f"UPDATE acts SET kind = 'void' WHERE {CHOSEN}", "its last act is 'void'"),
    "a seat": (f"DELETE FROM seated WHERE round_id = {SETTLED}", "has nobody seated"),
    "a seat of another": (f"INSERT INTO seated SELECT 'X', {SETTLED}, '[1]', game FROM rounds WHERE id = {SETTLED}", "seats taken in rounds"),
    "a sitting": (f"DELETE FROM sittings WHERE round_id = {WAITING}", "its sitting is"),
    "a sitting too many": (f"INSERT INTO sittings VALUES ('X', 'la-paire', {SETTLED})", "its sitting is"),
    "a commitment": ("UPDATE streams SET commitment = 'x' WHERE id = (SELECT min(id) FROM streams)", "what the books say"),
    "a sealed seed": ("UPDATE streams SET sealed_seed = (SELECT sealed_seed FROM streams ORDER BY id DESC LIMIT 1) WHERE id = (SELECT min(id) FROM streams)", "does not open"),
    "a count of nonces": ("UPDATE streams SET nonce = nonce + 1 WHERE id = (SELECT min(stream_id) FROM rounds WHERE game = 'pair-v3')", "its next nonce is"),
    "a stream hidden again": ("UPDATE streams SET revealed_at = NULL, table_id = 'x' WHERE revealed_at IS NOT NULL", "what the books say"),
    "a stream deleted": ("DELETE FROM streams WHERE id = (SELECT max(id) FROM streams)", "the events tell of"),
    "a shoe": (f"UPDATE shoes SET dealt = dealt + 4 WHERE {SHOE}", "the number of cards dealt"),
    "the end of a shoe": (f"UPDATE shoes SET finished = 1 - finished WHERE {SHOE}", "its end is"),
    "a shoe deleted": (f"DELETE FROM shoes WHERE {SHOE}", "there is no such shoe"),
    "a shoe too many": ("INSERT INTO shoes VALUES ('X', 0, 'x', 'x', 0, 0, 0)", "shoes: how many"),
    "a meter": ("UPDATE meters SET amount = amount + 1", "account jackpot:"),
    "a meter and its reserve": ("UPDATE meters SET amount = amount - 1, reserve = reserve + 1", "the meter of table"),
    "limits": ("UPDATE tables SET limits = replace(limits, '50000', '90000') WHERE id = 'pair-v3-2'", "what the books say"),
    "a table opened": ("UPDATE tables SET status = 'open' WHERE id = 'la-paire'", "what the books say"),
    "a table deleted": ("DELETE FROM tables WHERE id = 'pair-v3-2'", "table pair-v3-2 is gone"),
    "a game opened": ("UPDATE games SET status = 'open'", "its status is 'open'"),
    "a player enabled": ("UPDATE players SET status = 'active'", "the status is 'active'"),
    "a player renamed": ("UPDATE players SET name = 'x' WHERE id = (SELECT min(id) FROM players)", "what the books say"),
    "a key restored": ("UPDATE api_keys SET revoked_at = NULL", "when it was revoked"),
    "a key with more rights": ("UPDATE api_keys SET scope = 'admin'", "what the books say"),
    "a key too many": ("INSERT INTO api_keys VALUES ('X', 'x', 'x', 'admin', 1, NULL)", "no event tells of it"),
    "a key deleted": ("DELETE FROM api_keys WHERE name = 'desk'", "of kind key; the books hold 1"),
    "the body of an event": ("UPDATE events SET body = replace(body, '\"act\":1', '\"act\":2')", "does not match its seal"),
    "the time of an event": ("UPDATE events SET at = at + 1 WHERE number = 3", "does not match its seal"),
    "an event deleted": ("DELETE FROM events WHERE number = 3", "event 3 is missing"),
    "events exchanged": ("UPDATE events SET number = CASE number WHEN 3 THEN -4 ELSE -3 END WHERE number IN (3, 4); UPDATE events SET number = -number WHERE number < 0", "does not match its seal"),
    "a chain deleted": ("DELETE FROM events WHERE chain = (SELECT min(chain) FROM events)", ""),
    "the last event of a chain": ("DELETE FROM events WHERE number = (SELECT max(number) FROM events) AND chain = (SELECT chain FROM events ORDER BY number DESC LIMIT 1)", ""),
}  # fmt: skip


@pytest.mark.parametrize("tampering", list(TAMPERINGS))
def test_what_is_changed_in_the_books_is_found(books: Books, tampering: str) -> None:
    statements, says = TAMPERINGS[tampering]
    if "'LAST'" in statements:
        last = books.one("SELECT max(id) FROM rounds WHERE nonce = 0 AND table_id = 'la-paire'")
        statements = statements.replace("'LAST'", f"'{last}'")
    for statement in statements.split("; "):
        books.sql(statement)
    found = books.audit()
    assert not found.clean
    assert says in str(found.difference), found.difference


def test_an_event_reworded_and_sealed_anew_does_not_fit_the_rows(books: Books) -> None:
    books.reword(
        "kind = 'choice' AND body LIKE '%\"result\"%'", lambda event: event.update(balance=event["balance"] + 1)
    )
    assert "`balance` in the books" in str(books.audit().difference)


def test_a_payment_changed_everywhere_but_in_the_cards(books: Books) -> None:
    """Balance, transfer, result and event agree with one another; the seed of the round does not."""
    chosen, paid = books.sql("SELECT round_id, amount FROM transfers WHERE kind = 'pay' ORDER BY key LIMIT 1")[0]
    owner = books.one(f"SELECT player_id FROM acts WHERE round_id = '{chosen}' AND number = 0")
    books.sql(f"UPDATE transfers SET amount = amount + 500 WHERE kind = 'pay' AND round_id = '{chosen}'")
    books.sql(f"UPDATE accounts SET balance = balance + 500 WHERE id = 'player:{owner}'")
    books.sql(f"UPDATE rounds SET returned = returned + 500 WHERE id = '{chosen}'")
    books.reword(
        f"body LIKE '%{chosen}%' AND body LIKE '%\"pay\"%'",
        lambda event: event["transfers"][-1].__setitem__(3, paid + 500),
    )
    assert f"round {chosen}: what was returned is" in str(books.audit().difference)


def test_a_forged_checkpoint(books: Books) -> None:
    """A chain of its own, rightly sealed, that claims another head for a chain that is there."""
    chain = books.one("SELECT min(chain) FROM events")
    body = f'{{"heads":[["{chain}",2,"{"f" * 64}"]]}}'
    seal = event_hash(GENESIS, "zz", 1, 5, "checkpoint", body)
    books.sql(f"INSERT INTO events VALUES ('zz', 1, 5, 'checkpoint', '{body}', '{seal}')")
    assert "the checkpoint in event zz 1" in str(books.audit().difference)


def test_an_event_told_twice(books: Books) -> None:
    at, body = books.sql("SELECT at, body FROM events WHERE kind = 'open' ORDER BY chain, number LIMIT 1")[0]
    chain, number, seal = books.sql("SELECT chain, number, hash FROM events ORDER BY number DESC LIMIT 1")[0]
    again = event_hash(seal, chain, number + 1, at, "open", body)
    quoted = body.replace("'", "''")
    books.sql(f"INSERT INTO events VALUES ('{chain}', {number + 1}, {at}, 'open', '{quoted}', '{again}')")
    assert "is told by two events" in str(books.audit().difference)


def test_a_round_under_other_rules_is_counted_and_its_money_checked(books: Books) -> None:
    """The house has changed its rule book since: the round cannot be replayed, its money still adds up."""
    chosen = books.one(
        "SELECT min(id) FROM rounds WHERE state = 'settled' AND table_id = 'three-card-poker' AND returned > 0"
    )
    books.sql(f"UPDATE rounds SET rules_hash = 'older' WHERE id = '{chosen}'")
    books.reword(f"kind = 'open' AND body LIKE '%\"{chosen}\"%'", lambda event: event.update(rules="older"))
    found = books.audit()
    assert (found.difference, found.other_rules) == (None, 1)
    assert found.replayed == found.rounds - 1
    books.sql(f"UPDATE transfers SET amount = amount + 1 WHERE kind = 'pay' AND round_id = '{chosen}'")
    assert f"round {chosen}: what was paid in it is" in str(books.audit().difference)


def test_a_meter_of_older_rules_has_every_cent(books: Books) -> None:
    """What its rounds left on the meter and what in the reserve is not known any more; the sum of both is."""
    for (chosen,) in books.sql("SELECT round_id FROM transfers WHERE kind = 'feed' AND round_id > '' ORDER BY 1")[:2]:
        books.sql(f"UPDATE rounds SET rules_hash = 'older' WHERE id = '{chosen}'")
        books.reword(f"kind = 'open' AND body LIKE '%\"{chosen}\"%'", lambda event: event.update(rules="older"))
    assert (books.audit().difference, books.audit().other_rules) == (None, 2)
    books.sql("UPDATE meters SET amount = amount - 7, reserve = reserve + 7")
    assert books.audit().difference is None
    log = books.one(f"SELECT log FROM rounds WHERE id = '{chosen}'")
    reading = msgspec.json.decode(log)["meter"]["amount"]
    books.sql(f"UPDATE rounds SET log = replace(log, '{reading}', '{reading + 1}') WHERE id = '{chosen}'")
    assert "amount and reserve together" in str(books.audit().difference)


def test_books_that_are_not_there_are_not_made(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there are no books at"):
        open_books(f"sqlite:///{tmp_path}/none.db")
    assert list(tmp_path.iterdir()) == []


def broken(*_: Any, **__: Any) -> Any:
    raise KeyError("a mistake of ours")


@pytest.mark.parametrize(
    ("module", "function", "where"),
    [("round_checks", "replay", "at round "), ("__init__", "check_accounts", "at a check of the books as a whole")],
)
def test_a_mistake_of_the_audit_is_not_blamed_on_the_books(
    folder: Path, monkeypatch: pytest.MonkeyPatch, module: str, function: str, where: str
) -> None:
    """Whatever the program does wrong: it says that it failed, and not that the books differ."""
    house = busy_house("sqlite", folder)
    name = "pairhouse.house.audit" + (f".{module}" if module != "__init__" else "")
    monkeypatch.setattr(f"{name}.{function}", broken)
    with house.database.reading() as tx, pytest.raises(AuditFailed, match=f"the audit itself failed {where}"):
        audit(tx, house.vault)


def test_processes_tell_of_their_own_mistakes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that made the mistake may be another one than the one that reports it."""
    house = busy_house("sqlite", folder)
    monkeypatch.setattr("pairhouse.house.audit.round_checks.replay", broken)
    outside = Outside(house.log.key.public_key)
    with pytest.raises(AuditFailed, match="the audit itself failed at round "):
        audit_books(house.database, house.vault, outside, processes=2)
