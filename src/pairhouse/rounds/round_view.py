"""A round as its player sees it: the view, the money, and what is needed to verify it."""

from datetime import UTC, datetime
from functools import lru_cache

import msgspec

from pairhouse.core.game import Variant
from pairhouse.core.meter import Meter
from pairhouse.machines.events import BetRecord, Replay
from pairhouse.rounds.fairness import Proof
from pairhouse.rounds.round_log import MeterReading, RoundLog, faces
from pairhouse.rounds.text_keys import KeyedView, keys_of

OPEN, SETTLED, VOID = "open", "settled", "void"


class ShoeState(msgspec.Struct, frozen=True):
    """How far a shoe is dealt. `number` is its nonce; the cut card lies in front of the last `cut_card` cards."""

    number: int
    cards: int
    dealt: int
    cut_card: int
    last_round: bool
    finished: bool


class FreeBetUse(msgspec.Struct, frozen=True):
    """The part of a free bet in a round: what it staked, and once the round is closed what went back to it and what
    the round paid in money."""

    staked: int
    given_back: int | None
    paid: int | None


class RoundView(msgspec.Struct, frozen=True):
    """A round as its player may see it now. `log` is set once the round is closed.

    `staked` and `returned` are those of the rule book. With a free bet (`free`), `net` is that of the player's money.
    `automatic` has the numbers of the choices that were made when the player's time was over.
    """

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
    view: KeyedView
    proof: Proof
    meter: MeterReading | None = None
    shoe: ShoeState | None = None
    log: RoundLog | None = None
    replay: bool = False
    free: FreeBetUse | msgspec.UnsetType = msgspec.UNSET
    automatic: list[int] = []


class RoundSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A round as a line of a player's history; `live` if it was played at a table with others.

    With a free bet (`free`), `net` is that of the player's money.
    """

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
    free: FreeBetUse | msgspec.UnsetType = msgspec.UNSET
    live: bool | msgspec.UnsetType = msgspec.UNSET


@lru_cache(maxsize=1024)
def at_text(ms: int) -> str:
    """A time as text: ISO 8601, UTC, to the millisecond."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def log_of(
    variant: Variant, choices: list[str], state: Replay, meter: Meter | None, void: str | None = None
) -> RoundLog | None:
    """The log of a round that is over, with the cards that were dealt; None while it is open."""
    if not state.is_over:
        return None
    reading = MeterReading(meter.amount, meter.reserve) if meter is not None else None
    dealt, options = faces(state.dealt), dict(variant.options)
    return RoundLog(variant.game.id, dealt, list(state.stakes), options, choices, variant.rules_hash, reading, void)


def view_of(
    opened_at: int,
    round_id: str,
    table_id: str,
    state: Replay,
    log: RoundLog | None,
    balance: int,
    proof: Proof,
    *,
    closed_at: int | None = None,
    choices: list[str] | None = None,
    shoe: ShoeState | None = None,
) -> RoundView:
    """The view of a round for its player, from its replay."""
    is_over, meter, staked = state.is_over, state.meter, state.staked
    returned = state.returned if is_over else None
    closed = closed_at if closed_at is not None else opened_at
    return RoundView(
        round_id,
        state.variant.game.id,
        table_id,
        SETTLED if is_over else OPEN,
        at_text(opened_at),
        at_text(closed) if is_over else None,
        choices or [],
        staked,
        returned,
        returned - staked if returned is not None else None,
        balance,
        keys_of(state.variant).view(state.view(1)),
        proof,
        MeterReading(meter.amount, meter.reserve) if meter is not None and is_over else None,
        shoe,
        log,
    )
