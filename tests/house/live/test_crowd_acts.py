"""Many acts at once: groups of them at tables of any kind, every slip paid from one deal, and what was undone."""

import secrets
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from direct_house import DATABASES, audited, new_books
from pairhouse.core.errors import Refused
from pairhouse.games.floor_plan import SHARED_SHOE
from pairhouse.house.bank import balance_of, player_account
from pairhouse.house.house import House
from pairhouse.house.live.acts import LiveBet, LiveChoice, LiveReady, LiveSeed, TakeSeat
from pairhouse.house.live.crowd_acts import CrowdAct, CrowdActs, SessionAct
from pairhouse.house.live.dealer_lease import DealerTurn
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.live.payments import CHANGE_SLIP
from pairhouse.house.people import new_guest, person_of
from pairhouse.house.store.statements import update_from_json
from pairhouse.house.store.writer import Batched
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.live_round import BETTING, CLOSED, PLAYING, SEEDS, LiveSettings
from pairhouse.rounds.live_view import SHOWN_MAX, LiveView
from pairhouse.rounds.shared_seeds import seed_commitment

TABLE, SEATED = "nepal-super-baccarat", "three-card-poker"


class Coup:
    """A house with one baccarat table for any number of people, and a clock that tests move."""

    def __init__(self, url: str) -> None:
        self.now = 1_700_000_000_000
        self.house = House(url, clock=lambda: self.now)
        self.floor = LiveFloor(self.house.vault, self.house.pit.guard)
        self.acts = CrowdActs(self.floor, "dealer")
        for table, seats in ((TABLE, None), (SEATED, 7)):
            settings = LiveSettings(seats=seats)
            self.house.do(partial(self.floor.make_live, by="anna", table_id=table, settings=settings))
            self.deal(0, table)

    def deal(self, ms: int, table: str = TABLE) -> DealerTurn:
        self.now += ms
        dealt: DealerTurn = self.house.do(lambda tx: self.floor.lead_and_deal(tx, table, "dealer"))
        return dealt

    def people(self, count: int, table: str = TABLE) -> list[str]:
        tokens = [hash_of(self.house.do(new_guest)) for _ in range(count)]
        for token in tokens:
            sit = TakeSeat(table=table, key=secrets.token_hex(8), body_hash="sit")
            self.house.do(partial(self.floor.act, token_hash=token, act=sit))
        return tokens

    def act(self, asked: list[tuple[str, CrowdAct]]) -> list[Any]:
        """Everything at once, as one group of a writer; the answer or the refusal of each."""
        futures = [self.house.writers.submit(Batched(self.acts.run, SessionAct(*each))) for each in asked]
        return [future.exception() or future.result()[0] for future in futures]

    def view(self, seat: int | None = None, table: str = TABLE) -> LiveView:
        with self.house.database.reading() as tx:
            return self.floor.view(tx, table, seat)

    def balance(self, token: str) -> int:
        with self.house.database.reading() as tx:
            return balance_of(tx, player_account(person_of(tx, token, self.now).id))


def bet(token: str, stakes: dict[str, int], key: str = "", table: str = TABLE) -> tuple[str, CrowdAct]:
    names: dict[str, Any] = {"table": table, "key": key or secrets.token_hex(8), "body_hash": str(stakes)}
    return token, LiveBet(stakes=stakes, seed=seed_commitment(token[:60]), **names)


def ready(token: str, table: str = TABLE) -> tuple[str, CrowdAct]:
    return token, LiveReady(table=table, key=secrets.token_hex(8), body_hash="")


def seed(token: str, opened: str = "", table: str = TABLE) -> tuple[str, CrowdAct]:
    return token, LiveSeed(table=table, key=secrets.token_hex(8), body_hash="", seed=opened or token[:60])


def choose(token: str, number: int, word: str) -> tuple[str, CrowdAct]:
    return token, LiveChoice(table=SEATED, key=secrets.token_hex(8), body_hash="", number=number, word=word)


@pytest.fixture(params=DATABASES)
def coup(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Coup]:
    made = Coup(new_books(request.param, tmp_path))
    yield made
    made.house.close()


def test_betting_closes_when_everybody_who_sits_there_is_ready(coup: Coup) -> None:
    """The last who says so closes it at once, in the same group or a later one; nobody waits for the clock."""
    first, second = coup.people(2)
    coup.act([bet(first, {"player": 1_000}), bet(second, {"banker": 2_000})])
    coup.act([ready(first)])
    assert coup.view().phase == BETTING
    coup.act([ready(second)])
    assert coup.view().phase == SEEDS


def test_every_slip_of_a_crowd_is_paid_from_one_deal(coup: Coup) -> None:
    """[NSB-12] More people than the rule book has seats: each is paid what their own slip wins, and the books agree."""
    count = SHOWN_MAX + 10
    people = coup.people(count)
    before = [coup.balance(token) for token in people]
    wagers: list[Callable[[int], dict[str, int]]] = [
        lambda n: {"player": 100 * (n + 1)},
        lambda n: {"banker": 2000, "tie": 100 * (n + 1)},
        lambda n: {"banker": 1000},
    ]
    stakes = [wagers[n % 3](n) for n in range(count)]
    assert all(done.seat for done in coup.act([bet(token, stakes[n]) for n, token in enumerate(people)]))
    view = coup.view()
    assert (view.bettors, len(view.seats)) == (count, SHOWN_MAX)
    assert view.totals["banker"] == sum(each.get("banker", 0) for each in stakes)
    coup.deal(20_000)
    assert coup.view().phase == SEEDS
    coup.act([seed(token) for token in people[1:]])
    coup.deal(3_000)
    for number, token in enumerate(people):
        view = coup.view(number + 1)
        assert (view.phase, view.seat, view.withheld) == (CLOSED, number + 1, [1])
        mine = next(seat for seat in view.seats if seat.seat == number + 1)
        assert mine.result is not None
        assert {name: record["stake"] for name, record in mine.result.items()} == stakes[number]
        returned = sum(record["returned"] or 0 for record in mine.result.values())
        assert coup.balance(token) == before[number] - sum(stakes[number].values()) + returned
        told = [event for event in view.events if event.kind == "settled" and event.seat == number + 1]
        assert sum(event.returned or 0 for event in told) == returned
    found = audited(coup.house)
    assert found.clean, found.difference


def test_a_refusal_in_a_group_concerns_one_alone(coup: Coup) -> None:
    people = coup.people(6)
    stranger = hash_of(coup.house.do(new_guest))
    before = coup.balance(people[0])
    answers = coup.act(
        [
            bet(people[0], {"player": 1000}, key="once-and-twice"),
            bet(people[1], {"player": 10**9}),
            bet(people[2], {"red": 100}),
            bet(stranger, {"player": 1000}),
            bet("nobody", {"player": 1000}),
            bet(people[3], {"tie": 500}),
            bet(people[0], {"player": 1000}, key="once-and-twice"),
            bet(people[3], {"tie": 700}),
            bet(people[4], {}),
            bet(people[5], {"player": 1000}, table="la-paire"),
        ]
    )
    codes = [each.code if isinstance(each, Refused) else None for each in answers]
    refused = ["over-limit", "unknown-wager", "not-seated", "not-signed-in"]
    assert codes == [None, *refused, None, None, None, "no-bets", "not-live"]
    assert answers[0] == answers[6]
    assert coup.balance(people[0]) == before - 1000
    assert coup.view().totals == {"player": 1000, "tie": 700}
    again = coup.act([bet(people[0], {"player": 2000}, key="once-and-twice")])
    assert again[0].code == "key-reused"
    taken_back = coup.act([bet(people[0], {}), bet(people[3], {"tie": 100})])
    assert [each.balance for each in taken_back] == [before, before - 100]
    coup.act([(people[3], LiveReady(table=TABLE, key="ready-now", body_hash=""))])
    assert coup.view().phase == BETTING, "others still sit there and may bet"
    coup.deal(20_000)
    assert coup.view().phase == SEEDS
    wrong = coup.act([seed(people[3], "another"), seed(people[0])])
    assert [each.code for each in wrong] == ["bad-seed", "no-bets"]
    coup.act([seed(people[3])])
    assert coup.view().phase == CLOSED
    assert audited(coup.house).clean


def test_a_table_with_seats_takes_the_same_acts(coup: Coup) -> None:
    """A round of seven with a fold and a play among them, many acts at once; out of turn is refused for one alone."""
    people = coup.people(7, SEATED)
    before = [coup.balance(token) for token in people]
    answers = coup.act([bet(token, {"ante": 1000, "pairplus": 500}, table=SEATED) for token in people])
    assert [each.seat for each in answers] == [1, 2, 3, 4, 5, 6, 7]
    coup.act([ready(token, SEATED) for token in people])
    coup.act([seed(token, table=SEATED) for token in people])
    assert coup.view(None, SEATED).phase == PLAYING
    words = ["play", "fold", "play", "play", "fold", "play", "play"]
    both = coup.act([choose(people[1], 1, "fold"), choose(people[0], 0, "play"), choose(people[0], 0, "play")])
    assert [isinstance(each, Refused) for each in both] == [True, False, True]
    assert both[1].balance == before[0] - 1500 - 1000
    for number, token in list(enumerate(people))[1:]:
        done = coup.act([choose(token, number, words[number])])[0]
    view = coup.view(None, SEATED)
    assert view.phase == CLOSED
    for number, token in enumerate(people):
        result = (view.seats[number].result or {}).values()
        assert coup.balance(token) == before[number] + sum((bet["returned"] or 0) - bet["stake"] for bet in result)
    assert done.balance == coup.balance(people[6])
    assert audited(coup.house).clean


def test_one_hand_is_kept_to_where_many_bet_at_once(coup: Coup) -> None:
    """[TCP-7] At two tables of a game in one group: the second bet of a player is refused, the others' stand."""
    other = "live-three-card-poker"
    coup.deal(0, other)
    people = coup.people(3, SEATED)
    for token in people:
        coup.house.do(partial(coup.floor.act, token_hash=token, act=TakeSeat(table=other, key=token, body_hash="sit")))
    asked = [bet(people[0], {"ante": 500}, table=SEATED), bet(people[0], {"ante": 500}, table=other)]
    asked += [bet(people[1], {"ante": 500}, table=other), bet(people[2], {"ante": 500}, table=SEATED)]
    codes = [each.code if isinstance(each, Refused) else None for each in coup.act(asked)]
    assert codes == [None, "hand-elsewhere", None, None]
    later = coup.act([bet(people[1], {"ante": 700}, table=SEATED), bet(people[1], {"ante": 700}, table=other)])
    assert [isinstance(each, Refused) for each in later] == [True, False]
    assert audited(coup.house).clean


def test_what_a_transaction_undid_is_never_kept(coup: Coup) -> None:
    """A bet that was rolled back after it was read, and another of the same number in its place."""
    anna, bert = coup.people(2)

    def fails(tx: Any) -> None:
        for token in (anna, bert):
            coup.floor.act(tx, token, bet(token, {"player": 5000})[1])
        assert coup.floor.at_table(tx, TABLE).live.bets.keys() == {1, 2}
        raise Refused("no", "all of it is undone")

    with pytest.raises(Refused, match="undone"):
        coup.house.do(fails)
    assert coup.act([bet(bert, {"tie": 300})])[0].number == 2
    bets = coup.house.do(lambda tx: {n: b.stakes for n, b in coup.floor.at_table(tx, TABLE).live.bets.items()})
    assert bets == {2: {"tie": 300}}
    assert audited(coup.house).clean


def test_where_somebody_decides_seats_are_counted(coup: Coup) -> None:
    for table, seats in (("three-card-poker-progressive", None), ("la-paire", 9)):
        with pytest.raises(Refused, match="1 to"):
            coup.house.do(partial(coup.floor.make_live, by="a", table_id=table, settings=LiveSettings(seats=seats)))


def test_a_crowd_of_counters_shares_one_limit_however_they_come(coup: Coup) -> None:
    """[NSB-42] Thirty at once on a long shot of a shared shoe: what all have there is what the table states."""
    table = SHARED_SHOE.id
    coup.deal(0, table)
    people = coup.people(30, table)
    asked = [bet(token, {"tie-on-0": 300}, table=table) for token in people]
    done = coup.act(asked)
    refused = [each for each in done if isinstance(each, Refused)]
    most = SHARED_SHOE.total_maximum["tie-on-0"]
    assert len(done) - len(refused) == most // 300
    assert {each.code for each in refused} == {"over-limit"}
    with coup.house.database.reading() as tx:
        assert coup.floor.view(tx, table).totals == {"tie-on-0": most // 300 * 300}
    first = next(token for (token, _), each in zip(asked, done, strict=True) if not isinstance(each, Refused))
    later = coup.act([bet(first, {}, table=table), bet(people[-1], {"tie-on-0": 400}, table=table)])
    assert not any(isinstance(each, Refused) for each in later)
    assert audited(coup.house).clean


def test_postgresql_finds_each_slip_by_itself(tmp_path: Path) -> None:
    """By an index of its own, of which there is one: by the round alone, all slips of a coup were read for each."""
    house = House(new_books("postgresql", tmp_path))
    update = update_from_json(CHANGE_SLIP)
    assert update is not None
    with house.database.reading() as tx:
        for plan in ("seqscan", "hashjoin", "mergejoin"):  # as writers have it
            tx.raw(f"SET LOCAL enable_{plan} = off")
        tx._cursor.execute(f"EXPLAIN {update.text}", {"rows": "[]"})
        plan = "\n".join(line for (line,) in tx._cursor.fetchall())
    house.close()
    assert "Index Cond: ((round_id = (given.round)::text) AND (seat = given.at))" in plan, plan
    assert "Filter" not in plan
