"""What the house answers about a round: its view, its money, and what is needed to verify it."""

from datetime import UTC, datetime

import msgspec

from pairhouse.casino.fairness import Proof
from pairhouse.casino.rounds import Reading, Round
from pairhouse.machines.events import BetRecord, Replay, View

OPEN, SETTLED, VOID = "open", "settled", "void"


class ShoeState(msgspec.Struct, frozen=True):
    """How far a shoe is dealt. `number` is its nonce; the cut card lies before the last `cut_card` cards."""

    number: int
    cards: int
    dealt: int
    cut_card: int
    last_round: bool
    finished: bool


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A round as its player may see it now. `log` is there once it is closed."""

    id: str
    game: str
    table: str
    state: str
    opened_at: str
    closed_at: str | None
    choices: list[str]
    staked: int
    returned: int | None
    net: int | None
    balance: int
    view: View
    proof: Proof
    meter: Reading | None = None
    shoe: ShoeState | None = None
    log: Round | None = None
    replay: bool = False


class RoundSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a player's history."""

    id: str
    game: str
    table: str
    state: str
    opened_at: str
    closed_at: str | None
    staked: int
    returned: int | None
    net: int | None
    wagers: list[dict[str, BetRecord]]


def at_text(ms: int) -> str:
    """A time for people and programs: ISO 8601, UTC, to the millisecond."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def staked_in(state: Replay) -> int:
    """All that was staked in a round so far."""
    return sum(bet.stake for bets in state.bets for bet in bets.values())


def returned_in(state: Replay) -> int:
    """All that came back in a round."""
    return sum(bet.returned or 0 for bets in state.bets for bet in bets.values())
