"""The commands of players: a bet that opens a round, or a choice in it; and the refusals both share.

Each command has a key of its own, so that it is carried out once however often it arrives.
"""

from typing import TYPE_CHECKING

import msgspec

from pairhouse.core.errors import Refused

if TYPE_CHECKING:  # HTTP workers import commands, and nothing of the database
    from pairhouse.house.dealer import StreamRow


class RoundBet(msgspec.Struct, frozen=True, kw_only=True):
    """A bet that opens a round at a table.

    `decline` names offers that the house is to decline for the player with the deal. `free_bet` is the free bet that
    pays these stakes, if they are not the player's own money.
    For money that an operator keeps, `round_id` and `operator_balance` are known from asking the operator's wallet.
    """

    table: str
    seats: list[dict[str, int]]
    client_seed: str
    key: str
    body_hash: str
    commitment: str | None = None
    game: str | None = None
    decline: tuple[str, ...] = ()
    free_bet: str | None = None
    round_id: str | None = None
    operator_balance: int | None = None


class RoundChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A choice in a round that waits for one. `number` counts the choices before it, so none is taken for another."""

    round_id: str
    word: str
    number: int
    key: str
    body_hash: str
    operator_balance: int | None = None


BetOrChoice = RoundBet | RoundChoice


class RoundOpen(Refused):
    """The player has a round open at this table already; its id is given, so that the player can finish it."""

    def __init__(self, round_id: str) -> None:
        super().__init__("round-open", "a round is open at this table; play it to its end first")
        self.round_id = round_id


class MoneyElsewhere(Refused):
    """An operator keeps this player's money: the operator's wallet must be asked first."""

    def __init__(self, wallet: str) -> None:
        super().__init__("money-elsewhere", f"the money of this player is kept by {wallet}, which must be asked first")
        self.wallet = wallet


def key_reused() -> Refused:
    return Refused("key-reused", "this key was used for another request; give each request a key of its own")


def check_commitment(bet: RoundBet, stream: "StreamRow") -> None:
    """A bet may name the commitment it was made on; under another one it is refused."""
    if bet.commitment is not None and bet.commitment != stream.commitment:
        sentence = f"the bet was made on commitment {bet.commitment[:12]}; in force is {stream.commitment}"
        raise Refused("other-commitment", sentence)
