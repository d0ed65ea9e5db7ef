"""A closed house with a little of everything in its books, and a thief who can write its database and has no key."""

import random
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec

from direct_house import Guest, deal_from_shoe, new_database, outside_of
from live_pit import BACCARAT, TCP, Pit, Player, play_round, to_cards
from pairhouse.house.audit import Audit, audit
from pairhouse.house.care.changes import SetLimit, TakeBreak, change_care
from pairhouse.house.commands import RoundBet
from pairhouse.house.corrections import correct_round
from pairhouse.house.free_bets import FreeBetTerms, grant, withdraw
from pairhouse.house.house import House
from pairhouse.house.people import new_key, outside_player, register, revoke_key
from pairhouse.house.restrictions import restrict
from pairhouse.house.seal.chain_keys import ChainKey
from pairhouse.house.seal.keys import PrivateKey
from pairhouse.house.staff import add_member, begin_shift
from pairhouse.house.store.chain import GENESIS, event_hash
from pairhouse.house.store.database import Tx
from pairhouse.house.tokens import digest_of
from pairhouse.house.wallet_calls import Purse, add_bet, bet_refused, open_purse
from pairhouse.house.watch_log import WatchFinding, WatchRow, lift_step, read_cursor, save_look

THIEF = PrivateKey(b"t" * 32)
PASSWORD = "$argon2id$v=19$m=64,t=1,p=1$c2FsdA$aGFzaA"


@cache
def closed_house(kind: str, folder: Path) -> House:
    """A house that was opened twice and closed, where a little of everything is in the books."""
    house = House(new_database(kind, folder))
    deal_from_shoe(house)
    rng = random.Random(7)
    guests = [Guest(house, rng) for _ in range(2)]
    for guest in guests:
        for table in ("la-paire", "three-card-poker-progressive", "nepal-super-baccarat"):
            guest.sit(table)
        guest.play("la-paire")
        guest.play("three-card-poker-progressive", [{"ante": 200, "progressive": 100}])
        guest.play("nepal-super-baccarat")
    for _ in range(150):
        guests[0].bet("la-paire", [{"card-2": 200}])
    house.do(lambda tx: register(tx, "somebody", PASSWORD))
    house.do(lambda tx: new_key(tx, "desk", "operator"))
    house.do(lambda tx: revoke_key(tx, new_key(tx, "gone", "operator")[0]))
    terms = FreeBetTerms(guests[0].id, 5_000, 7)
    free_bet = house.do(lambda tx: grant(tx, "office", "welcome-1", terms)).id
    for number in range(2):
        bet = RoundBet(
            table="la-paire", seats=[{"card-2": 500}], client_seed="free", key=f"free-bet-{number}", body_hash="free",
            free_bet=free_bet,
        )  # fmt: skip
        house.do(partial(house.pit.open_round, token_hash=guests[0].token, bet=bet))
    house.do(lambda tx: withdraw(tx, "office", grant(tx, "office", "welcome-2", terms).id))
    house.do(lambda tx: add_member(tx, "Anna", "supervisor", PASSWORD))
    house.do(lambda tx: begin_shift(tx, "Anna", digest_of(PASSWORD)))
    wrong = guests[1].play("la-paire").id
    house.do(lambda tx: correct_round(tx, house.pit.guard, "Anna", wrong, "the deck was short"))
    guests[1].rotate("la-paire")
    house.do(lambda tx: change_care(tx, house.pit.guard.policy, guests[1].id, SetLimit("loss", "day", 50_000)))
    house.do(lambda tx: change_care(tx, house.pit.guard.policy, guests[1].id, TakeBreak(48)))
    house.do(lambda tx: restrict(tx, "office", guests[1].id, "la-paire", 500))
    house.close()
    again = House(str(house.database.url.render_as_string(hide_password=False)))
    player = again.do(lambda tx: outside_player(tx, "acme", "alice", b"sealed")[1])
    again.do(lambda tx: open_purse(tx, player, Purse(5_000, "EUR", 2)))
    bet = again.do(lambda tx: add_bet(tx, player, "R" * 26, "la-paire", 500, "key-00000001", "hash")).transaction
    again.do(lambda tx: bet_refused(tx, bet))
    last = Guest(again, rng)
    last.sit("three-card-poker")
    while last.bet("three-card-poker").state != "open":
        pass
    again.close()
    return again


@cache
def live_house(kind: str, folder: Path) -> House:
    """A closed house with live tables, one of them with a shoe and a round that is open, and what its watch has done."""
    pit = Pit(new_database(kind, folder))
    deal_from_shoe(pit.house, BACCARAT)
    anna, bert, carl = Player(pit, TCP, 2), Player(pit, TCP, 5), Player(pit, BACCARAT)
    for _ in range(2):
        play_round(pit, BACCARAT, carl)
    to_cards(pit, TCP, anna, bert)
    anna.choose(0, "play")
    bert.choose(1, "fold")
    wrong = pit.view(TCP).round_id
    pit.tick(TCP)
    pit.house.do(lambda tx: correct_round(tx, pit.house.pit.guard, "Anna", wrong, "the deck was short"))
    pit.tick(TCP, 10_000)
    to_cards(pit, TCP, anna, bert)
    for number, player in enumerate((anna.id, bert.id)):
        step = pit.house.do(partial(watch_step, player=player, number=number))
    pit.house.do(lambda tx: lift_step(tx, "desk", step))
    pit.house.close()
    return pit.house


def watch_step(tx: Any, player: str, number: int) -> str:
    """The watch has read this far, and lowers what a player may stake; the id of the step."""
    found = WatchFinding(TCP, player, "", "lower limits", "wins", {"rounds": 7, "z": 9.5})
    row = WatchRow(TCP, player, "", 1e9, "lower limits", b"record")
    taken = save_look(tx, read_cursor(tx).revision, {tx.chain.id: 5 + number}, [row], [found], "limit")
    assert taken
    return taken[0].id


class Thief:
    """Somebody with all rights in the database, in a transaction that is undone in the end."""

    def __init__(self, house: House) -> None:
        self.house, self.kind = house, house.database.kind
        self.connection = house.database.connect()
        self.tx = Tx(house.database.cursor(self.connection), self.kind)
        self.outside = outside_of(house)
        self.connection.execute("BEGIN")

    def sql(self, *statements: str) -> list[Any]:
        for statement in statements:
            cursor = self.connection.execute(statement)
        return list(cursor.fetchall()) if cursor.description else []

    def one(self, statement: str) -> Any:
        return self.sql(statement)[0][0]

    @property
    def chains(self) -> list[str]:
        """The oldest first; the last one is the newest."""
        rows = self.sql("SELECT chain FROM events WHERE number = 1 ORDER BY at, chain")
        return [chain for (chain,) in rows]

    def add_event(self, chain: str, kind: str, body: Any) -> str:
        """Add an event to a chain, rightly sealed."""
        rows = self.sql(f"SELECT number, hash FROM events WHERE chain = '{chain}' ORDER BY number DESC LIMIT 1")
        number, before = rows[0] if rows else (0, GENESIS)
        text = msgspec.json.encode(body, order="deterministic").decode()
        seal = event_hash(before, chain, number + 1, 5, kind, text)
        self.sql(f"INSERT INTO events VALUES ('{chain}', {number + 1}, 5, '{kind}', '{text}', '{seal}')")
        return seal

    def reseal(self, chain: str) -> tuple[int, str]:
        """Seal a chain anew; the number and the seal of its last event."""
        before, number = GENESIS, 0
        rows = self.sql(f"SELECT number, at, kind, body FROM events WHERE chain = '{chain}' ORDER BY number")
        for number, at, kind, body in rows:
            before = event_hash(before, chain, number, at, kind, body)
            self.sql(f"UPDATE events SET hash = '{before}' WHERE chain = '{chain}' AND number = {number}")
        return number, before

    def mint(self, chain: str) -> None:
        """Give a player a million, with transfer, balance and event."""
        account = self.one("SELECT min(id) FROM accounts")
        move = ["play-money", "mint", account, 100_000_000]
        player = account.removeprefix("player:")
        self.add_event(chain, "play-money", {"player": player, "key": "gift", "transfers": [move]})
        self.sql(
            f"INSERT INTO transfers VALUES ('gift:0', NULL, 'play-money', 'mint', '{account}', 100000000, 5)",
            f"UPDATE accounts SET balance = balance + 100000000 WHERE id = '{account}'",
        )

    def open_chain(self, chain: str) -> None:
        """Open a chain as writers do: it names the newest one, and the table of ties says so."""
        newest = self.chains[-1]
        number, seal = self.sql(
            f"SELECT number, hash FROM events WHERE chain = '{newest}' ORDER BY number DESC LIMIT 1"
        )[0]
        self.add_event(chain, "checkpoint", {"heads": [[newest, number, seal]]})
        self.sql(
            f"INSERT INTO ties VALUES ('{chain}', 0)", f"UPDATE ties SET number = {number} WHERE chain = '{newest}'"
        )

    def certify(self, chain: str) -> None:
        """Certify and sign a chain with a key of one's own."""
        number, seal = self.sql(
            f"SELECT number, hash FROM events WHERE chain = '{chain}' ORDER BY number DESC LIMIT 1"
        )[0]
        key = ChainKey(THIEF, self.house.log.books, 1, chain)
        certificate, end = key.certificate, key.sign_end(number, seal)
        values = f"'{certificate.public_key.hex()}', '{certificate.signature.hex()}', {number}, '{seal}', '{end.signature.hex()}'"
        self.sql(
            f"DELETE FROM chain_ends WHERE chain = '{chain}'",
            f"INSERT INTO chain_ends VALUES ('{chain}', 1, {values})",
        )

    def audit(self) -> Audit:
        return audit(self.tx, self.house.vault, outside=self.outside)

    def close(self) -> None:
        self.connection.execute("ROLLBACK")
        self.connection.close()
        self.house.database.close()
