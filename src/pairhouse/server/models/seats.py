"""A place at a table: its shoe, and the seeds its cards come from."""

import msgspec

from pairhouse.rounds.round_log import MeterReading
from pairhouse.rounds.round_view import RoundView


class ShoeRecord(msgspec.Struct, kw_only=True):
    """The shoe in use, at a table that is dealt from one."""

    number: int
    cards: int
    dealt: int
    cut_card: int
    last_round: bool
    finished: bool


class Seat(msgspec.Struct, kw_only=True):
    """A player's place at a table: the commitment for the next cards, and the round to come back to.

    `coups` holds what the game shows of each round dealt from the shoe, in order; where every round is shuffled, of the
    last rounds under this commitment.
    """

    table: str
    balance: int
    commitment: str
    nonce: int
    last_client_seed: str | None
    meter: MeterReading | None
    shoe: ShoeRecord | None
    coups: list[dict[str, str | int | bool]]
    round: RoundView | None


class RevealedSeed(msgspec.Struct):
    """A server seed that is used up, and how many nonces it dealt."""

    commitment: str
    server_seed: str
    rounds: int


class Rotation(msgspec.Struct):
    """The seed that was in use, shown, and the commitment to the next."""

    revealed: RevealedSeed
    commitment: str


class SeedRecord(msgspec.Struct):
    """A commitment made to a player; its seed is null until it is revealed."""

    table: str
    commitment: str
    server_seed: str | None
    nonces: int
    opened_at: str
    revealed_at: str | None


class Seeds(msgspec.Struct):
    """The commitments made to a player, newest first."""

    seeds: list[SeedRecord]
