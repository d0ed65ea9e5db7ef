"""What players ask for: bets and choices, each with the key that makes it one deed, and why one cannot be done."""

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from pairhouse.core.errors import Refused

if TYPE_CHECKING:  # a door knows deeds, and nothing of the books
    from pairhouse.house.people import Person
    from pairhouse.house.seats import StreamRow


class Bet(msgspec.Struct, frozen=True, kw_only=True):
    """What a player puts down at a table, with the key that makes it one deed however often it arrives."""

    table: str
    seats: list[dict[str, int]]
    client_seed: str
    key: str
    body_hash: str
    commitment: str | None = None
    game: str | None = None
    round_id: str | None = None
    outside_balance: int | None = None


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to what a round asks. `number` counts the choices before it, so that none is taken for another."""

    round_id: str
    word: str
    number: int
    key: str
    body_hash: str
    outside_balance: int | None = None


class Act(NamedTuple):
    """One deed of a player in a round, as it is written down. `balance` is what the player had before it, if here."""

    round_id: str
    number: int
    person: "Person"
    deed: Bet | Choice
    kind: str
    word: str
    balance: int


class RoundOpen(Refused):
    """A round is open already; its id brings the player back to it."""

    def __init__(self, round_id: str) -> None:
        super().__init__("round-open", "a round is open at this table; play it to its end first")
        self.round_id = round_id


class MoneyElsewhere(Refused):
    """The player's money is not here: the wallet it is in must be asked first."""

    def __init__(self, wallet: str) -> None:
        super().__init__("money-elsewhere", f"the money of this player is kept by {wallet}, which must be asked first")
        self.wallet = wallet


def key_reused() -> Refused:
    return Refused("key-reused", "this key was used for another request; give each request a key of its own")


def check_commitment(bet: Bet, stream: "StreamRow") -> None:
    """A bet may name the commitment it was made on; it stands under no other."""
    if bet.commitment is not None and bet.commitment != stream.commitment:
        sentence = f"the bet was made on commitment {bet.commitment[:12]}; in force is {stream.commitment}"
        raise Refused("other-commitment", sentence)
