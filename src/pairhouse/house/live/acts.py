"""What players and supervisors do at live tables, as records. They need nothing of the database."""

import msgspec

from pairhouse.rounds.live_round import LiveSettings


class LiveAct(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What a player does at a live table. `key` makes sure that it is done once."""

    table: str
    key: str
    body_hash: str


class TakeSeat(LiveAct, frozen=True, kw_only=True):
    """Sit down, in a seat of one's choice or in any; where chips are one's own, with a value of them."""

    seat: int | None = None
    chip: int | None = None


class LeaveSeat(LiveAct, frozen=True, kw_only=True):
    """Stand up, once the round is over where one has a bet in it."""


class LiveReady(LiveAct, frozen=True, kw_only=True):
    """Everything is bet; the cards may come."""


class LiveBet(LiveAct, frozen=True, kw_only=True):
    """Stakes for the coming round with the commitment to a seed, in place of an earlier bet; none takes it back."""

    stakes: dict[str, int]
    seed: str


class LiveChoice(LiveAct, frozen=True, kw_only=True):
    """A decision; `number` counts those before it in this round."""

    number: int
    word: str


class LiveSeed(LiveAct, frozen=True, kw_only=True):
    """The seed that was committed to with the bet."""

    seed: str


AnyLiveAct = TakeSeat | LeaveSeat | LiveBet | LiveReady | LiveSeed | LiveChoice


class LiveDone(msgspec.Struct, frozen=True):
    """What came of an act: the newest entry of the table then, the player's balance after it, and their seat."""

    number: int
    balance: int
    seat: int | None = None


class MakeLive(msgspec.Struct, frozen=True, tag=True):
    """Make a table one at which several people play."""

    settings: LiveSettings


class VoidLive(msgspec.Struct, frozen=True, tag=True):
    """Call the round off; at a misdeal with the wrong number of cards."""

    reason: str
    cards: int | None = None


class ExposeCard(msgspec.Struct, frozen=True, tag=True):
    """Mark a card that everybody has seen, by its number in the order of the deal."""

    card: int
    reason: str = ""


SupervisorAct = MakeLive | VoidLive | ExposeCard
