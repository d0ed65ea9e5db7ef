"""Simulated players: each sits at a live table, follows its events and acts as its kind of person would."""

import asyncio
from contextlib import suppress
from random import Random
from typing import ClassVar

from pairhouse.client.house_client import HouseClient, News
from pairhouse.client.live_seat import LiveSeat
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.crowd.journal import Journal
from pairhouse.crowd.strategies import basic_choice, best_choice, some_stakes
from pairhouse.rounds.live_entries import ChoiceMade
from pairhouse.rounds.live_round import BETTING, CLOSED, PLAYING, SEEDS
from pairhouse.rounds.live_view import LiveView, Turn
from pairhouse.rounds.shared_seeds import seed_commitment

FLOOD = 12  # requests at once


class CrowdTable:
    """The table a crowd plays at, as its players need it."""

    def __init__(self, table_id: str, variant: Variant, minimum: int, seats: int | None) -> None:
        self.id = table_id
        self.variant = variant
        self.minimum = minimum
        self.seats = seats


class SimulatedPlayer:
    """Somebody who bets and decides at random. `rounds` is after how many rounds they leave; None is never."""

    kind: ClassVar[str] = "careless"
    is_careful: ClassVar[bool] = False

    def __init__(self, client: HouseClient, table: CrowdTable, journal: Journal, rng: Random, think_s: float) -> None:
        self.client = client
        self.table = table
        self.journal = journal
        self.rng = rng
        self.think_s = think_s
        self.place = LiveSeat(client, table.id)
        self.played = 0
        self.bet_on = ""  # the round of the last bet
        self.opened_on = ""
        self.decided_on = ("", 0)
        self.round_over = ""
        self.is_leaving = asyncio.Event()
        self.seen: LiveView | None = None  # the round as it was last told

    async def visit(self, rounds: int | None) -> None:
        """Come in, sit, play so many rounds, and leave."""
        self.place.balance = await self.client.come_in()
        if not await self.sit():
            return
        async for news in self.client.events(self.table.id):
            self.seen = news.view
            await self.follow(news)
            if self.is_leaving.is_set() or (rounds is not None and self.played >= rounds):
                break
        await self.go()

    @property
    def has_hand(self) -> bool:
        """Whether others would wait for this player's decisions."""
        return self.seen is not None and self.seen.phase in (SEEDS, PLAYING) and self.place.has_bet(self.seen)

    async def go(self) -> None:
        """Take a bet back where that can be done, and stand up."""
        with suppress(Refused):
            if self.seen is not None and self.seen.phase == BETTING and self.bet_on == self.seen.round_id:
                await self.place.take_back()
        with suppress(Refused):
            await self.place.leave()

    async def sit(self) -> bool:
        return await self.journal.asked("seats", self.place.sit()) is not None

    async def follow(self, news: News) -> None:
        """Do what the table waits for from this seat."""
        view = news.view
        if view is None:
            return
        mine = [entry for entry in news.entries if isinstance(entry, ChoiceMade) and entry.seat == self.place.seat]
        self.journal.count["late"] += sum(entry.automatic for entry in mine)
        if view.phase == BETTING and self.bet_on != view.round_id:
            await self.bet(view)
        elif self.place.must_open(view) and self.opened_on != view.round_id:  # news may be older than our last act
            self.opened_on = view.round_id
            await self.open_seed()
        elif view.phase == PLAYING and view.turn is not None and view.turn.options:
            if self.decided_on != (view.round_id, view.turn.number):
                self.decided_on = view.round_id, view.turn.number
                await self.decide(view, view.turn)
        elif view.phase == CLOSED and self.place.has_bet(view) and self.round_over != view.round_id:
            self.round_over = view.round_id
            self.played += 1
            self.journal.rounds.add(view.round_id)

    async def bet(self, view: LiveView) -> None:
        await self.think()
        stakes = some_stakes(self.rng, self.table.variant, self.table.minimum, is_careful=self.is_careful)
        if self.place.balance < 2 * sum(stakes.values()):
            await self.journal.asked("refills", self._refill())
        if await self.journal.asked("bets", self._bet(stakes)):
            self.bet_on = view.round_id
            if self.table.seats is not None:  # elsewhere the others would find the betting closed
                await self.journal.asked("ready", self.place.ready())

    async def open_seed(self) -> None:
        await self.journal.asked("seeds", self.place.open_seed())

    async def decide(self, view: LiveView, turn: Turn) -> None:
        await self.think()
        word = await asyncio.to_thread(self.choice, view)
        if (turn.costs or {}).get(word, 0) > self.place.balance:
            word = self.table.variant.automatic_choice(turn.options or [])
        await self.journal.asked("decisions", self._choose(word, turn.number))

    def choice(self, view: LiveView) -> str:
        """What this player would do."""
        assert view.turn is not None
        return self.rng.choice(view.turn.options or [])

    async def think(self) -> None:
        if self.think_s:
            await asyncio.sleep(self.think_s * self.rng.uniform(0.3, 1.7))

    async def _bet(self, stakes: dict[str, int]) -> bool:
        await self.place.bet(stakes)
        return True

    async def _choose(self, word: str, number: int) -> bool:
        await self.place.choose(word, number)
        return True

    async def _refill(self) -> bool:
        answer = await self.client.ask("POST", "/players/me/play-money", key=f"{self.rng.getrandbits(96):024x}")
        self.place.balance = answer["balance"]
        return True


class BestPlayer(SimulatedPlayer):
    """Decides by the method of the rule book, with every card that was seen."""

    kind = "best"
    is_careful = True

    def choice(self, view: LiveView) -> str:
        return best_choice(self.table.variant, view)


class BasicPlayer(SimulatedPlayer):
    """Decides by the chart: their own cards and the dealer's."""

    kind = "basic"
    is_careful = True

    def choice(self, view: LiveView) -> str:
        return basic_choice(self.table.variant, view)


class SlowPlayer(BasicPlayer):
    """Never says that they are ready, and lets the clock decide now and then."""

    kind = "slow"

    async def bet(self, view: LiveView) -> None:
        stakes = some_stakes(self.rng, self.table.variant, self.table.minimum, is_careful=True)
        await asyncio.sleep(self.rng.uniform(0, 2 * self.think_s + 1))
        if await self.journal.asked("bets", self._bet(stakes)):
            self.bet_on = view.round_id

    async def decide(self, view: LiveView, turn: Turn) -> None:
        if self.rng.random() < 0.5:
            await super().decide(view, turn)

    async def open_seed(self) -> None:
        if self.rng.random() < 0.7:
            await super().open_seed()


class LeavingPlayer(SimulatedPlayer):
    """Stands up in the middle of a round now and then, and comes back for the next."""

    kind = "leaving"

    async def follow(self, news: News) -> None:
        if news.view is not None and news.view.phase == BETTING and self.bet_on != news.view.round_id:
            await self.sit()
        await super().follow(news)
        if news.view is not None and news.view.phase in (BETTING, SEEDS, PLAYING) and self.rng.random() < 0.2:
            await self.journal.asked("left", self._leave())

    async def _leave(self) -> bool:
        seat = self.place.seat
        await self.place.leave()
        self.place.seat = self.place.seat or seat
        return True


class LyingPlayer(SimulatedPlayer):
    """Plays, and tries whatever is not allowed besides: all of it has to be refused."""

    kind = "lying"

    async def sit(self) -> bool:
        news = await self.client.news(self.table.id)
        if news.seated and news.view is not None:
            await self._take_taken_seat(news.seated[0].seat)
        return await super().sit()

    async def _take_taken_seat(self, seat: int) -> None:
        """Where seats are scarce somebody else's is refused; where they are not, one is given another."""
        try:
            given = await self.place.sit(seat)
        except Refused as refused:
            self.journal.count["lies"] += 1
            self.journal.count[f"lie refused: {refused.code}"] += 1
            return
        if given == seat:
            self.journal.count["lies"] += 1
            self.journal.taken.append("sat in another's seat")

    async def follow(self, news: News) -> None:
        view = news.view
        if view is not None and self.rng.random() < 0.5:
            await self._lie(view)
        await super().follow(news)

    async def _lie(self, view: LiveView) -> None:
        """What cannot be right at this moment, whatever else happens meanwhile."""
        tell, act = self.journal.lied, self.client.act
        turn = view.turn
        strange = {"stakes": {"no-such-wager": 100}, "seed": seed_commitment("x")}
        await tell("a wager of another game", act("PUT", self.table.id, "bet", strange))
        if self.place.must_open(view):
            await tell("a wrong opening", act("POST", self.table.id, "seed", {"seed": "another seed than mine"}))
        if view.phase in (PLAYING, CLOSED) and self.bet_on == view.round_id:
            await tell("a late seed", act("POST", self.table.id, "seed", {"seed": self.place.seed or "x"}))
        if view.phase == PLAYING and turn is not None and turn.seat != self.place.seat and self.place.has_bet(view):
            early = {"choice": "no-such-choice", "number": turn.number}
            await tell("a choice at another's turn", act("POST", self.table.id, "choices", early))
        await tell("a choice far ahead", act("POST", self.table.id, "choices", {"choice": "play", "number": 999}))
        if self.rng.random() < 0.2:
            flood = [act("POST", self.table.id, "choices", {"choice": "x", "number": 998}) for _ in range(FLOOD)]
            await asyncio.gather(*(tell("a flood", each) for each in flood))


KINDS: dict[str, type[SimulatedPlayer]] = {
    kind.kind: kind for kind in (BestPlayer, BasicPlayer, SimulatedPlayer, SlowPlayer, LeavingPlayer, LyingPlayer)
}
