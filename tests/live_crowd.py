"""A crowd at the live tables of a house without a network: whatever people try, with the laws that hold after it."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import func, select

from direct_house import enrich
from pairhouse.core.cards import parse
from pairhouse.core.errors import Refused
from pairhouse.house.bank import HELD, balance_of, player_account
from pairhouse.house.house import House
from pairhouse.house.live.acts import AnyLiveAct, LeaveSeat, LiveBet, LiveChoice, LiveReady, LiveSeed, TakeSeat
from pairhouse.house.live.dealer_lease import LEASE_MS
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.live.payments import read_slips
from pairhouse.house.live.seating import seat_of
from pairhouse.house.live.table_log import read_live_table
from pairhouse.house.people import SESSION_MS, new_guest, person_of
from pairhouse.house.pit_acts import close_betting
from pairhouse.house.store.database import Database, Tx
from pairhouse.house.store.live_schema import live_rounds, live_slips
from pairhouse.house.store.schema import transfers
from pairhouse.house.tokens import hash_of
from pairhouse.machines.events import DOWN, PRIVATE
from pairhouse.rounds.live_pace import PartOfRound
from pairhouse.rounds.live_round import BETTING, CLOSED, PLAYING, SEEDS
from pairhouse.rounds.shared_seeds import seed_commitment
from pairhouse.server.live.moment import read_moment

TABLES = {
    "live-three-card-poker": [{"ante": 1000}, {"ante": 600, "pairplus": 500}, {"pairplus": 200}, {"main": 100}],
    "live-pair-v3": [{"main": 1000, "pair": 500}, {"main": 600}, {"main": 200, "pair": 200}, {"ante": 100}],
    "live-three-card-poker-progressive": [
        {"ante": 1000, "progressive": 100},
        {"ante": 600},
        {"ante": 600, "pairplus": 500, "progressive": 100},
        {"progressive": 100},
    ],
    "live-nepal-super-baccarat": [{"player": 1000}, {"banker": 600, "tie": 500}, {"tie": 200}, {"ante": 100}],
    "live-la-paire": [{"card-7": 1000}, {"card-A": 600, "red": 500}, {"card-K": 200, "poker": 300}, {"ante": 100}],
}
WORDS = ["play", "fold", "stand", "hit", "double", "split", "no-insurance", "insurance"]
PEOPLE = 4
PAUSE_MS = 10_000  # longer than the pause between two rounds

_SLIPS = select(
    live_slips.c.player_id, func.sum(live_slips.c.staked - live_slips.c.returned), func.sum(live_slips.c.decided)
).group_by(live_slips.c.player_id)
_HELD_BY_SLIPS = select(func.sum(live_slips.c.staked - live_slips.c.decided))
_CREDITS = select(func.sum(transfers.c.amount)).where(transfers.c.credit == HELD)
_DEBITS = select(func.sum(transfers.c.amount)).where(transfers.c.debit == HELD)
_SEALED = select(live_rounds.c.id, live_rounds.c.sealed_seed).where(live_rounds.c.state == "open")


class Step(NamedTuple):
    """Somebody tries something: what, who, and two numbers that say how."""

    what: str
    who: int
    how: int
    more: int


class Clock:
    """Stands still until it is moved."""

    now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


class Visitor(NamedTuple):
    token: str
    id: str


class LiveCrowd:
    """People at the live tables of one house, and everything that must hold after each of their steps."""

    def __init__(self, url: str) -> None:
        self.clock = Clock()
        self.house = House(url, clock=self.clock)
        self.floor = LiveFloor(self.house.vault, self.house.pit.guard)
        self.other = Database(url)  # another process would open the books like this
        self.other_floor = LiveFloor(self.house.vault, self.house.pit.guard)  # of another process
        self.keys = count()
        self.had: dict[str, int] = {}
        self._new_people()
        self.dealer = "one"
        self.count: dict[str, int] = {}

    def close(self) -> None:
        self.other.close()
        self.house.close()

    def _new_people(self) -> None:
        """Other people than before: sessions do not last for ever."""
        self.came_at = self.clock.now
        self.people = [self._visitor() for _ in range(PEOPLE)]
        self.had |= {person.id: self.balance(person) for person in self.people}

    def _visitor(self) -> Visitor:
        token: str = hash_of(self.house.do(new_guest))
        found = Visitor(token, self.house.do(lambda tx: person_of(tx, token, tx.now).id))
        enrich(self.house, found.id, 100_000_000)
        return found

    def balance(self, person: Visitor) -> int:
        with self.house.database.reading() as tx:
            return balance_of(tx, player_account(person.id))

    @contextmanager
    def reading(self) -> Iterator[Tx]:
        with self.other.reading() as tx:
            yield tx

    # What people do.

    def begin(self, table: str) -> None:
        """A new round with nobody at the table."""
        self.tick(table, LEASE_MS, takes_over=True)
        for person in self.people:
            self._try(person, LeaveSeat(**self._act(table)))
        if self.phase(table) not in (BETTING, CLOSED) or self.has_bets(table):
            self._supervise(partial(self.floor.void, by="anna", table_id=table, reason="malfunction"))
        self.tick(table, PAUSE_MS)
        if self.clock.now > self.came_at + SESSION_MS // 2:
            self._new_people()
        assert self.phase(table) == BETTING
        assert not self.has_bets(table)

    def phase(self, table: str) -> str:
        with self.reading() as tx:
            here = self.floor.at_table(tx, table)
            return here.live.phase

    def has_bets(self, table: str) -> bool:
        with self.reading() as tx:
            return bool(self.floor.at_table(tx, table).live.bets)

    def tick(self, table: str, ms: int = 0, *, takes_over: bool = False) -> None:
        """Time passes, and the dealer does what is due. A dealer who does not lead the table does nothing."""
        self.clock.now += ms
        self.house.do(lambda tx: self.floor.lead_and_deal(tx, table, self.dealer, takes_over=takes_over))

    def step(self, table: str, step: Step) -> None:
        """Try it; whatever is refused changes nothing, and whatever has to be refused is."""
        person = self._who(table, step)
        before = self._money(table)
        must_fail = self._must_fail(table, person, step)
        error = self._do(table, person, step)
        assert error is not None or not must_fail, f"{step} had to be refused"
        if error is not None:
            assert self._money(table) == before, f"{step} was refused and changed something"
        name = f"{step.what}{' refused' if error is not None else ''}"
        self.count[name] = self.count.get(name, 0) + 1
        self.check(table, error)

    def _who(self, table: str, step: Step) -> Visitor:
        """Mostly whoever's turn it is decides, so that rounds go on."""
        person = self.people[step.who % PEOPLE]
        if step.what in ("choose", "two tabs") and step.more % 3:
            with self.reading() as tx:
                here = self.floor.at_table(tx, table)
                state = self.floor.state(tx, here)
                asked = here.live.asked(state) if state is not None else None
                seats = {seat_of(tx, table, each.id): each for each in self.people}
            return seats.get(asked[0], person) if asked is not None else person
        return person

    def _do(self, table: str, person: Visitor, step: Step) -> str | None:
        """What the house does or a supervisor wants, or what a player does; the words of a refusal, or None."""
        match step.what:
            case "tick":
                self.tick(table, (0, 500, 3_000, 30_000)[step.how % 4])
                return None
            case "another dealer":
                self.clock.now += LEASE_MS if step.how % 2 else 0
                self.dealer = "two" if self.dealer == "one" else "one"
                self.tick(table)
                return None
            case "void":
                void = partial(self.floor.void, by="anna", table_id=table, reason="misdeal", cards=step.how)
                return self._supervise(void)
            case "expose":
                expose = partial(self.floor.expose, by="anna", table_id=table, card=step.how % 9)
                return self._supervise(expose)
            case "turn":
                return self._supervise(partial(self.floor.turn, by="anna", table_id=table))
            case "pace":
                pace = partial(self.floor.set_pace, by="anna", table_id=table, by_hand=bool(step.how % 2))
                return self._supervise(pace)
            case "close betting":
                return self._supervise(partial(close_betting, floor=self.floor, table=table))
            case "two tabs":
                return self._twice(person, self._choice(table, step))
        return self._try(person, self._wish(table, person, step))

    def _wish(self, table: str, person: Visitor, step: Step) -> AnyLiveAct:
        secret = self._secret(person)
        match step.what:
            case "sit":
                return TakeSeat(**self._act(table, seat=step.how % 8 or None))
            case "leave":
                return LeaveSeat(**self._act(table))
            case "bet":
                stakes = TABLES[table][step.how % 4]
                return LiveBet(**self._act(table, stakes=stakes, seed=seed_commitment(secret)))
            case "take back":
                return LiveBet(**self._act(table, stakes={}, seed=seed_commitment(secret)))
            case "ready":
                return LiveReady(**self._act(table))
            case "seed":
                return LiveSeed(**self._act(table, seed=secret))
            case "another seed":
                other = self.people[(step.who + 1) % PEOPLE]
                return LiveSeed(**self._act(table, seed=self._secret(other)))
            case "choose":
                return self._choice(table, step)
        raise AssertionError(step)

    def _choice(self, table: str, step: Step) -> LiveChoice:
        """Now and then whatever comes to mind; otherwise what is offered to whoever is asked."""
        with self.reading() as tx:
            here = self.floor.at_table(tx, table)
            state = self.floor.state(tx, here)
            asked = here.live.asked(state) if state is not None else None
        words = asked[1].options if asked is not None and step.more % 4 else WORDS
        number = len(here.live.choices) - (step.more % 7 == 6)
        return LiveChoice(**self._act(table, number=max(number, 0), word=words[step.how % len(words)]))

    def _secret(self, person: Visitor) -> str:
        return f"seed of {person.id}"[:64]

    def _act(self, table: str, **more: Any) -> dict[str, Any]:
        return {"table": table, "key": f"crowd-{next(self.keys):010}", "body_hash": str(sorted(more.items())), **more}

    def _try(self, person: Visitor, act: AnyLiveAct) -> str | None:
        """The words of the refusal, or None."""
        try:
            self.house.do(lambda tx: self.floor.act(tx, person.token, act))
        except Refused as refused:
            return str(refused)
        return None

    def _twice(self, person: Visitor, act: AnyLiveAct) -> str | None:
        """The same request from two windows: done once, and answered alike."""
        try:
            first = self.house.do(lambda tx: self.floor.act(tx, person.token, act))
        except Refused as refused:
            assert self._try(person, act) is not None
            return str(refused)
        number = self._number(act.table)
        again = self.house.do(lambda tx: self.floor.act(tx, person.token, act))
        assert (again.number, again.balance) == (first.number, first.balance)
        assert self._number(act.table) == number
        return None

    def _supervise(self, act: Any) -> str | None:
        try:
            self.house.do(act)
        except Refused as refused:
            return str(refused)
        return None

    def _number(self, table: str) -> int:
        with self.reading() as tx:
            return read_live_table(tx, table).number

    def _money(self, table: str) -> tuple[int, list[int]]:
        return self._number(table), [self.balance(person) for person in self.people]

    def _must_fail(self, table: str, person: Visitor, step: Step) -> bool:
        """What nobody may do now: bet after the close, open a seed at another time, choose at another's turn."""
        with self.reading() as tx:
            here = self.floor.at_table(tx, table)
            live, state = here.live, self.floor.state(tx, here)
            seat = seat_of(tx, table, person.id)
        is_late = live.phase != BETTING or (live.closes_at is not None and self.clock.now >= live.closes_at)
        match step.what:
            case "bet":
                return is_late or seat is None or step.how % 4 == 3
            case "take back" | "ready":
                return is_late or seat not in live.bets
            case "seed":
                return live.phase != SEEDS or seat not in live.bets
            case "another seed":
                return True
            case "choose" | "two tabs":
                asked = live.asked(state) if state is not None and live.phase == PLAYING else None
                return asked is None or asked[0] != seat
            case "expose":
                return live.phase != PLAYING
            case "turn":
                return not isinstance(state, PartOfRound) or live.phase != PLAYING
        return False

    # What holds after every step.

    def check(self, table: str, error: str | None = None) -> None:
        self._check_money(table)
        self._check_shoe(table)
        self._check_views(table, error)

    def _check_money(self, table: str) -> None:
        """Every balance follows from the replay: what is decided is paid, whatever of the round is still open."""
        with self.reading() as tx:
            here = self.floor.at_table(tx, table)
            state = self.floor.state(tx, here)
            slips = {slip.seat: slip for slip in read_slips(tx, here.table.round_id)} if here.table.round_id else {}
            sums = {player: int(owed) for player, owed, _ in tx.all(_SLIPS, {})}
            held = int(tx.value(_HELD_BY_SLIPS, {}) or 0)
            moved = int(tx.value(_CREDITS, {}) or 0) - int(tx.value(_DEBITS, {}) or 0)
        for person in self.people:
            assert self.balance(person) == self.had[person.id] - sums.get(person.id, 0)
        assert held == moved
        if here.live.voided is not None or state is None:
            return
        for place, seat in enumerate(here.live.seats):
            bets = state.bets[place].values()
            assert slips[seat].staked == sum(bet.stake for bet in bets)
            is_paid = state.meter is None or here.live.closed is not None  # a progressive is paid when the round closes
            assert slips[seat].returned == (sum(bet.returned or 0 for bet in bets) if is_paid else 0)

    def _check_shoe(self, table: str) -> None:
        """No card is dealt that is gone, no coup follows the last one, and roads tell of every coup before."""
        with self.reading() as tx:
            here = self.floor.at_table(tx, table)
            state = self.floor.state(tx, here)
        shoe = here.live.opened.shoe if here.live.opened is not None else None
        if shoe is None:
            return
        seen = self.floor_view_shoe(table)
        decks = here.live.table.variant.pack[0]
        held = Counter([*parse(shoe.gone), *(state.dealt if state is not None else [])])
        assert max(held.values(), default=0) <= decks
        assert len(seen.results) == shoe.coup - 1 + (state is not None and state.is_over)
        assert seen.left <= seen.cards - len(shoe.gone)
        assert shoe.is_last or seen.cards - len(shoe.gone) > seen.cut_card

    def floor_view_shoe(self, table: str) -> Any:
        """The shoe as a spectator sees it."""
        with self.reading() as tx:
            return self.floor.view(tx, table).shoe

    def _check_views(self, table: str, error: str | None) -> None:
        """Two processes read the same, and no byte that a reader gets has a face or a seed they may not see."""
        with self.house.database.reading() as tx, self.reading() as other:
            here = self.floor.at_table(tx, table)
            state = self.floor.state(tx, here)
            secrets = {self.house.vault.open(sealed, round_id).hex() for round_id, sealed in tx.all(_SEALED, {})}
            moment = read_moment(self.other_floor, other, table)
            for reader in [None, *self.people]:
                player = reader.id if reader is not None else None
                seat = seat_of(tx, table, player) if player is not None else None
                news = msgspec.json.encode(moment.news(self.clock(), seat, 0))
                late = msgspec.json.encode(moment.news(self.clock(), seat, here.table.number - 1))
                view = msgspec.json.encode(self.floor.view(tx, table, seat))
                assert view in news
                assert view in late
                told = news + late + (error or "").encode()
                assert not any(secret.encode() in told for secret in secrets)
                for face in self._hidden(here.live, state, seat):
                    assert f'"{face}"'.encode() not in view, f"{face} at seat {seat}"
                    assert f'"{face}"'.encode() not in told, f"{face} at seat {seat}"

    @staticmethod
    def _hidden(live: Any, state: Any, reader: int | None) -> set[str]:
        """The faces on the table that a seat may not see, less those that lie open somewhere else, too."""
        if state is None:
            return set()
        exposed = {entry.card for entry in live.exposed}
        hidden: set[str] = set()
        open_faces: set[str] = set()
        dealt = 0
        for event in state.events:
            if event.card is None:
                continue
            dealt += event.kind == "dealt"
            own = event.seat is not None and live.seats[event.seat - 1] == reader
            is_hidden = event.face == DOWN or (event.face == PRIVATE and not own)
            if event.kind == "dealt" and is_hidden and dealt not in exposed:
                hidden.add(event.card)
            else:
                open_faces.add(event.card)
        return hidden - open_faces
