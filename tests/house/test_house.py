"""A house against a simple model of it: whatever players, administrators and time do, money is where it must be."""

import random
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from direct_house import DATABASES, TABLES, Guest, audited, new_books, random_seats
from pairhouse.core.errors import Refused
from pairhouse.house import dealer
from pairhouse.house.bank import balance_of, player_account
from pairhouse.house.commands import BetOrChoice, RoundBet, RoundChoice
from pairhouse.house.floor import change_table
from pairhouse.house.history import open_rounds
from pairhouse.house.house import House
from pairhouse.house.overtime import DECIDE_MAX_MS, OPEN_MAX_MS
from pairhouse.house.people import PLAY_MONEY, new_session, person_of, refill
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.fairness import new_seed
from pairhouse.rounds.round_view import RoundView
from pairhouse.server.bookkeeping.jobs import RoundClock
from pairhouse.server.bookkeeping.sightings import SIGHTINGS_APART_S

DAY_MS = 24 * 3_600_000
numbers = st.integers(0, 10**6)
tables = st.sampled_from(list(TABLES))


def decided(view: RoundView) -> int:
    """What of the stakes of an open round is decided, and so paid or taken already."""
    settled = [event for event in view.view.events if event.kind == "settled"]
    return sum(event.stake or 0 for event in settled) if TABLES[view.table].pays_when_decided else 0


def paid(view: RoundView) -> int:
    """What a round has paid so far."""
    if view.returned is not None:
        return view.returned
    settled = [event for event in view.view.events if event.kind == "settled"]
    return sum(event.returned or 0 for event in settled) if TABLES[view.table].pays_when_decided else 0


class Account:
    """The model of a player: a number, the rounds that wait, and what was answered to each key."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.balance = PLAY_MONEY
        self.open: dict[str, tuple[RoundView, int]] = {}  # by table, with when it was opened
        self.answers: dict[str, tuple[BetOrChoice, RoundView]] = {}

    @property
    def held(self) -> int:
        return sum(view.staked - decided(view) for view, _ in self.open.values())


class HouseMachine(RuleBasedStateMachine):
    """Runs the house and the model side by side."""

    kind = "sqlite"

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_800_000_000_000
        picks = random.Random(self.now)
        setattr(dealer, "new_seed", lambda: picks.randbytes(32))  # noqa: B010 (the same example has the same cards)
        self.folder = tempfile.mkdtemp(prefix="pairhouse-machine-")
        self.url = new_books(self.kind, Path(self.folder))
        self.house = House(self.url, clock=self.clock)
        self.accounts: list[Account] = []
        self.closed: set[str] = set()
        self.filled: set[str] = set()
        self.minted = 0
        self.keys = 0

    def clock(self) -> int:
        self.now += 1
        return self.now

    def account(self, number: int) -> Account:
        """A player, signed in anew: sessions end when time jumps."""
        account = self.accounts[number % len(self.accounts)]
        account.guest.house = self.house
        account.guest.token = hash_of(self.house.do(lambda tx: new_session(tx, account.guest.id)))
        return account

    def tried(self, account: Account, command: BetOrChoice) -> RoundView | str:
        """The answer, or the code of the refusal."""
        pit, token = self.house.pit, account.guest.token

        def do(tx: WriteTx) -> RoundView:
            return (
                pit.open_round(tx, token, command) if isinstance(command, RoundBet) else pit.choose(tx, token, command)
            )

        try:
            view: RoundView = self.house.do(do)
        except Refused as refused:
            return refused.code
        return view

    def booked(self, account: Account, command: BetOrChoice, view: RoundView, staked: int) -> None:
        before = account.open[view.table][0] if view.table in account.open else None
        account.balance += paid(view) - (paid(before) if before is not None else 0) - staked
        assert view.balance == account.balance
        account.answers[command.key] = (command, view)
        if view.state == "open":
            opened = account.open[view.table][1] if view.table in account.open else self.now
            account.open[view.table] = (view, opened)
        else:
            account.open.pop(view.table, None)

    def new_key(self) -> str:
        self.keys += 1
        return f"key-{self.keys:06}"

    @rule()
    @precondition(lambda self: len(self.accounts) < 3)
    def a_guest_comes_in(self) -> None:
        self.accounts.append(Account(Guest(self.house, random.Random(len(self.accounts)))))
        self.minted += PLAY_MONEY

    @rule(who=numbers, table=tables, chance=numbers, times=st.sampled_from([1, 1, 1, 20]))
    @precondition(lambda self: self.accounts)
    def somebody_bets(self, who: int, table: str, chance: int, times: int) -> None:
        account = self.account(who)
        account.guest.sit(table)
        seats = random_seats(random.Random(chance), TABLES[table])
        seats = [
            {name: s if TABLES[table].wagers[name].fixed else s * times for name, s in seat.items()} for seat in seats
        ]
        staked = sum(sum(seat.values()) for seat in seats)
        command = RoundBet(
            table=table, seats=seats, client_seed=f"s{chance}", key=self.new_key(), body_hash=f"{chance}"
        )
        answer = self.tried(account, command)
        if table in self.closed:
            assert answer == "table-closed"
        elif table in account.open:
            assert answer == "round-open"
        elif staked > account.balance:
            assert answer == "no-funds"
        else:
            assert isinstance(answer, RoundView), answer
            assert answer.staked == staked
            self.booked(account, command, answer, staked)

    @rule(who=numbers, chance=numbers)
    @precondition(lambda self: self.accounts)
    def somebody_chooses(self, who: int, chance: int) -> None:
        account = self.account(who)
        if not account.open:
            return
        table = sorted(account.open)[chance % len(account.open)]
        view, _ = account.open[table]
        assert view.view.awaiting is not None
        options, costs = view.view.awaiting["options"], view.view.awaiting.get("costs", {})
        word = options[chance % len(options)]
        key, number = self.new_key(), len(view.choices)
        command = RoundChoice(round_id=view.id, word=word, number=number, key=key, body_hash=f"{chance}")
        answer = self.tried(account, command)
        if costs.get(word, 0) > account.balance:
            assert answer == "no-funds"
            return
        assert isinstance(answer, RoundView), answer
        assert answer.staked == view.staked + costs.get(word, 0)
        self.booked(account, command, answer, costs.get(word, 0))

    @rule(who=numbers, which=numbers, is_other=st.booleans())
    @precondition(lambda self: self.accounts)
    def an_old_request_comes_again(self, who: int, which: int, is_other: bool) -> None:
        """The same has the same answer; another with its key has none. Neither moves anything."""
        account = self.account(who)
        if not account.answers:
            return
        command, first = account.answers[sorted(account.answers)[which % len(account.answers)]]
        if is_other:
            changed: dict[str, Any] = {name: getattr(command, name) for name in command.__struct_fields__}
            assert self.tried(account, type(command)(**{**changed, "body_hash": "other"})) == "key-reused"
            return
        again = self.tried(account, command)
        assert isinstance(again, RoundView), again
        for field in ("id", "state", "staked", "returned", "balance", "choices", "view", "opened_at"):
            assert getattr(again, field) == getattr(first, field), field

    @rule(who=numbers, which=numbers, reason=st.sampled_from(["misdeal", "malfunction", "cancelled"]))
    @precondition(lambda self: self.accounts)
    def a_round_is_called_off(self, who: int, which: int, reason: str) -> None:
        account = self.account(who)
        if not account.open:
            return
        table = sorted(account.open)[which % len(account.open)]
        view, _ = account.open.pop(table)
        self.house.do(lambda tx: self.house.pit.void(tx, "desk", view.id, reason))
        account.balance += view.staked - decided(view)
        with pytest.raises(Refused, match="what is closed stays"):
            self.house.do(lambda tx: self.house.pit.void(tx, "desk", view.id, reason))

    @rule(who=numbers, key=st.sampled_from(["first-key", "second-key", "third-key"]))
    @precondition(lambda self: self.accounts)
    def somebody_asks_for_play_money(self, who: int, key: str) -> None:
        account = self.account(who)
        token, name = account.guest.token, f"refill:{account.guest.id}:{key}"

        def fill(tx: WriteTx) -> int:
            person = person_of(tx, token, tx.now)
            return refill(tx, person, sum(line.staked for line in open_rounds(tx, person.id)), name)

        is_known = name in self.filled
        if is_known or (account.balance < PLAY_MONEY // 10 and not account.held):
            if not is_known:
                self.minted += PLAY_MONEY - account.balance
                account.balance = PLAY_MONEY
                self.filled.add(name)
            assert self.house.do(fill) == account.balance
        else:
            with pytest.raises(Refused, match="play money is filled up once"):
                self.house.do(fill)

    @rule(who=numbers, table=tables)
    @precondition(lambda self: self.accounts)
    def somebody_asks_for_the_seed(self, who: int, table: str) -> None:
        account = self.account(who)
        account.guest.sit(table)
        if table in account.open:
            with pytest.raises(Refused, match="a round is open"):
                account.guest.rotate(table)
        else:
            account.guest.rotate(table)

    @rule(table=tables, is_open=st.booleans())
    def a_table_is_opened_or_closed(self, table: str, is_open: bool) -> None:
        self.house.do(lambda tx: change_table(tx, "desk", table, {"status": "open" if is_open else "closed"}))
        (self.closed.discard if is_open else self.closed.add)(table)

    @rule(days=st.sampled_from([1, 29, 31]))
    def time_passes(self, days: int) -> None:
        """Rounds are finished after a day; those of a game that is void as a whole are called off after 30, no others.

        [BPP-49]
        """
        self.now += days * DAY_MS
        ended: list[tuple[Account, RoundView]] = []
        for account in self.accounts:
            for table, (view, opened) in list(account.open.items()):
                if self.now - opened > (OPEN_MAX_MS if TABLES[table].game.paid_at_end else DECIDE_MAX_MS):
                    ended.append((account, view))
                    del account.open[table]
        clock = RoundClock(self.house, lambda: self.now, iter((0.0, SIGHTINGS_APART_S)).__next__)
        assert (clock.look(), clock.look()) == (0, len(ended))
        for account, view in ended:
            with self.house.database.reading() as tx:
                after = self.house.pit.view(tx, view.id, account.guest.id)
            is_whole = TABLES[view.table].game.paid_at_end
            assert after.state == ("void" if is_whole else "settled")
            assert after.staked == view.staked, "what is decided for a player costs nothing"
            account.balance += view.staked if is_whole else paid(after) - paid(view)

    @rule()
    def the_house_opens_anew(self) -> None:
        self.house.close()
        self.house = House(self.url, clock=self.clock)

    @invariant()
    def balances_are_what_the_model_says(self) -> None:
        with self.house.database.reading() as tx:
            for account in self.accounts:
                assert balance_of(tx, player_account(account.guest.id)) == account.balance
                waiting = {line.id for line in open_rounds(tx, account.guest.id)}
                assert waiting == {view.id for view, _ in account.open.values()}

    def teardown(self) -> None:
        try:
            found = audited(self.house)
            assert found.difference is None
            assert found.accounts["held"] == sum(account.held for account in self.accounts)
            assert found.accounts["players"] == sum(account.balance for account in self.accounts)
            assert found.accounts["mint"] == -self.minted
            assert sum(found.accounts.values()) == 0
        finally:
            setattr(dealer, "new_seed", new_seed)  # noqa: B010
            self.house.close()
            shutil.rmtree(self.folder, ignore_errors=True)


class PostgresMachine(HouseMachine):
    kind = "postgresql"


@pytest.mark.parametrize("kind", DATABASES)
def test_the_house_is_its_model(kind: str) -> None:
    machine, examples = (HouseMachine, 8) if kind == "sqlite" else (PostgresMachine, 3)
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=45))
