"""A house with live tables, a dealer and a clock that tests move, and people who play there without HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from typing import Any

from direct_house import audited, enrich
from pairhouse.core.errors import Refused
from pairhouse.house.bank import balance_of, player_account
from pairhouse.house.floor import read_table
from pairhouse.house.house import House
from pairhouse.house.live.acts import (
    AnyLiveAct,
    LeaveSeat,
    LiveBet,
    LiveChoice,
    LiveDone,
    LiveReady,
    LiveSeed,
    TakeSeat,
)
from pairhouse.house.live.dealer_lease import take_lease
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.live.table_log import entries_after, read_live_table
from pairhouse.house.people import new_guest, person_of
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.live_round import CLOSED, SEEDS, LiveSettings
from pairhouse.rounds.live_view import LiveView
from pairhouse.rounds.shared_seeds import seed_commitment

TCP, PAIR, BACCARAT, PAIRE = "three-card-poker", "pair-v3-8", "nepal-super-baccarat", "la-paire"
SETTINGS = {TCP: LiveSettings(seats=7), PAIR: LiveSettings(seats=7), BACCARAT: LiveSettings(seats=None)}
STAKES: dict[str, dict[str, int]] = {
    TCP: {"ante": 1000, "pairplus": 500},
    PAIR: {"main": 1000, "pair": 500},
    BACCARAT: {"player": 1000, "tie": 200},
    "live-blackjack": {"main": 1000},
    PAIRE: {"card-7": 500, "red": 1000, "any-paire": 200, "poker": 300},
}


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


class Pit:
    """A house with live tables, a dealer, and a clock that tests move."""

    def __init__(self, url: str, round_ms_min: int | None = 0, *, is_new: bool = True) -> None:
        self.clock = Clock()
        self.house = House(url, clock=self.clock)
        self.floor = LiveFloor(self.house.vault, self.house.pit.guard, round_ms_min)
        for table, settings in SETTINGS.items() if is_new else ():
            self.house.do(partial(self.floor.make_live, by="anna", table_id=table, settings=settings))
        self.keys = count()
        self.fences: dict[tuple[str, str], int] = {}
        self.players: list[Player] = []

    def lead(self, table: str, dealer: str = "one") -> bool:
        taken = self.house.do(lambda tx: take_lease(tx, read_live_table(tx, table), dealer))
        if taken is not None:
            self.fences[table, dealer] = taken.fence
        return taken is not None

    def tick(self, table: str, ms: int = 0, dealer: str = "one") -> int | None:
        self.clock.now += ms
        self.lead(table, dealer)
        fence = self.fences[table, dealer]
        due: int | None = self.house.do(lambda tx: self.floor.deal_on(tx, table, dealer, fence))
        return due

    def view(self, table: str, seat: int | None = None) -> LiveView:
        with self.house.database.reading() as tx:
            return self.floor.view(tx, table, seat)

    def last_entry(self, table: str) -> Any:
        """The newest entry of a table."""
        with self.house.database.reading() as tx:
            number = read_live_table(tx, table).number
            return entries_after(tx, table, number - 1)[-1][1]

    def has_bets(self, table: str) -> bool:
        """Whether a round with bets is not over yet."""
        with self.house.database.reading() as tx:
            live = self.floor.at_table(tx, table).live
            return bool(live.bets) and live.phase != CLOSED

    def clear(self, table: str) -> None:
        """Whatever is open there is played to its end by the clock, and everybody leaves."""
        while self.has_bets(table):
            self.tick(table, 60_000)
        for player in [player for player in self.players if player.table == table]:
            with suppress(Refused):
                player.leave()
            self.players.remove(player)
        self.tick(table, 60_000)


@contextmanager
def audited_pit(url: str) -> Iterator[Pit]:
    """A pit over these books, which are audited in the end."""
    made = Pit(url)
    yield made
    report = audited(made.house)
    assert report.clean, report.difference
    made.house.close()


def game_of(pit: Pit, table: str) -> str:
    """The table of the floor plan whose stakes are bet at a table of the same game."""
    with pit.house.database.reading() as tx:
        game = read_table(tx, table).betting.variant.game.id
    return table if table in STAKES else next(known for known in STAKES if known.startswith(game))


class Player:
    """Somebody at a live table, without HTTP."""

    def __init__(self, pit: Pit, table: str, seat: int | None = None, chip: int | None = None) -> None:
        self.pit, self.table = pit, table
        self.token: str = hash_of(pit.house.do(new_guest))
        self.id: str = pit.house.do(lambda tx: person_of(tx, self.token, tx.now).id)
        enrich(pit.house, self.id)
        self.secret = f"seed of {self.id}"[:64]
        self.seat = self.do(TakeSeat(**self.act(seat=seat, chip=chip))).seat or 0
        pit.players.append(self)

    def do(self, act: AnyLiveAct) -> LiveDone:
        done: LiveDone = self.pit.house.do(lambda tx: self.pit.floor.act(tx, self.token, act))
        return done

    def act(self, **more: Any) -> dict[str, Any]:
        key = more.pop("key", None) or f"live-key-{next(self.pit.keys):08}"
        return {"table": self.table, "key": key, "body_hash": str(sorted(more.items())), **more}

    def bet(self, stakes: dict[str, int] | None = None, key: str | None = None) -> LiveDone:
        given = STAKES[game_of(self.pit, self.table)] if stakes is None else stakes
        return self.do(LiveBet(**self.act(stakes=given, seed=seed_commitment(self.secret), key=key)))

    def ready(self) -> None:
        self.do(LiveReady(**self.act()))

    def open_seed(self) -> None:
        self.do(LiveSeed(**self.act(seed=self.secret)))

    def choose(self, number: int, word: str, key: str | None = None) -> LiveDone:
        return self.do(LiveChoice(**self.act(number=number, word=word, key=key)))

    def leave(self) -> None:
        self.do(LeaveSeat(**self.act()))

    @property
    def balance(self) -> int:
        with self.pit.house.database.reading() as tx:
            return balance_of(tx, player_account(self.id))


def to_cards(pit: Pit, table: str, *players: Player) -> None:
    pit.tick(table)
    for player in players:
        player.bet()
        player.ready()
    pit.tick(table)
    assert pit.view(table).phase == SEEDS
    for player in players:
        player.open_seed()
    pit.tick(table)


def play_round(pit: Pit, table: str, *players: Player) -> LiveView:
    """One round where nobody decides anything, and the table as it is then."""
    to_cards(pit, table, *players)
    view = pit.view(table)
    pit.tick(table, 10_000)
    return view
