"""A visitor's place at a live table: what they do there, with the seed of each bet kept until it is opened."""

import secrets
from collections.abc import Mapping

from pairhouse.client.house_client import Done, HouseClient
from pairhouse.rounds.live_round import SEEDS
from pairhouse.rounds.live_view import LiveView
from pairhouse.rounds.shared_seeds import seed_commitment


class LivePlayer:
    """Somebody at a live table."""

    def __init__(self, client: HouseClient, table: str) -> None:
        self.client = client
        self.table = table
        self.seat: int | None = None
        self.balance = 0
        self.number = 0  # the newest entry when we last acted
        self.seed = ""

    async def sit(self, seat: int | None = None) -> int:
        """Sit down, in a seat of one's choice or in any."""
        done = self._after(await self.client.act("POST", self.table, "seat", {} if seat is None else {"seat": seat}))
        assert done.seat is not None
        return done.seat

    async def leave(self) -> None:
        """Stand up; with a bet in the round, once it is over."""
        self._after(await self.client.act("DELETE", self.table, "seat"))

    async def bet(self, stakes: Mapping[str, int]) -> None:
        """Bet on the coming round, in place of an earlier bet.

        The seed is the same until it is opened: whenever the betting closes, the one that was committed to is known.
        """
        self.seed = self.seed or secrets.token_hex(16)
        body = {"stakes": dict(stakes), "seed": seed_commitment(self.seed)}
        self._after(await self.client.act("PUT", self.table, "bet", body))

    async def take_back(self) -> None:
        """Take the bet back."""
        body = {"stakes": {}, "seed": seed_commitment("nothing")}
        self._after(await self.client.act("PUT", self.table, "bet", body))

    async def ready(self) -> None:
        self._after(await self.client.act("POST", self.table, "ready"))

    async def open_seed(self) -> None:
        seed, self.seed = self.seed, ""
        self._after(await self.client.act("POST", self.table, "seed", {"seed": seed}))

    async def choose(self, word: str, number: int) -> None:
        body = {"choice": word, "number": number}
        self._after(await self.client.act("POST", self.table, "choices", body))

    def has_bet(self, view: LiveView) -> bool:
        """Whether this seat is in the round."""
        return any(each.seat == self.seat for each in view.seats)

    def must_open(self, view: LiveView) -> bool:
        """Whether the seed of this seat is waited for; of a view that is older than our opening it, no more."""
        return (
            bool(self.seed)
            and view.phase == SEEDS
            and any(each.seat == self.seat and each.seed is None for each in view.seeds)
        )

    def _after(self, done: Done) -> Done:
        self.number, self.balance, self.seat = done.number, done.balance, done.seat
        return done
