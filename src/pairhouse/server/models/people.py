"""Players: who they are, how they come in, what they have."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pairhouse.server.models.words import END, Given, Id, Key

Password = Annotated[str, Meta(min_length=10, max_length=128)]


class Credentials(Given):
    """A name and a password."""

    name: Annotated[str, Meta(min_length=3, max_length=32, pattern=rf"^[A-Za-z0-9][A-Za-z0-9_.-]*{END}")]
    password: Password


class NewPassword(Given):
    """The password in force, and the one to be stored."""

    password: Password
    new_password: Password


class OutsideLogin(Given):
    """A player of an operator's, with the token the operator gave them."""

    token: Annotated[str, Meta(min_length=1, max_length=512)]


class OpenRound(msgspec.Struct):
    """A round that waits for its player."""

    id: str
    table: str
    game: str
    opened_at: str
    staked: int


class SessionTotals(msgspec.Struct):
    """What this session has come to. It ends at `ends_at`, or after `idle_s` without a request."""

    started_at: str
    rounds: int
    staked: int
    returned: int
    net: int
    ends_at: str
    idle_s: int


class NoticeRecord(msgspec.Struct):
    """A round of the player's that was called off, or corrected after it was settled, in a sentence."""

    round: str
    table: str
    game: str
    reason: str
    at: str
    returned: int
    kind: Literal["called-off", "corrected"]
    says: str


class Notices(msgspec.Struct):
    """The last rounds that were called off or corrected, newest first."""

    notices: list[NoticeRecord]


class NewFreeBet(Given):
    """A free bet for a player: how much, for how many days, and the tables, games and wagers it is good for.

    What is not named is not restricted. With `stake_returned`, a win returns the free stake too, in money.
    """

    player: Id
    amount: Annotated[int, Meta(ge=1, le=10**15)]
    days: Annotated[int, Meta(ge=1, le=366)] = 30
    tables: Annotated[tuple[Id, ...], Meta(max_length=64)] = ()
    games: Annotated[tuple[Id, ...], Meta(max_length=64)] = ()
    wagers: Annotated[tuple[Id, ...], Meta(max_length=64)] = ()
    stake_returned: bool = False
    idempotency_key: Key | None = None


class FreeBetRecord(msgspec.Struct, kw_only=True):
    """A free bet: what was granted and what remains of it, where it is good, and until when."""

    id: str
    player: str
    granted: int
    remaining: int
    tables: list[str]
    games: list[str]
    wagers: list[str]
    stake_returned: bool
    granted_at: str
    expires_at: str
    withdrawn_at: str | None


class Me(msgspec.Struct, kw_only=True):
    """The player who asks. `free_bets` can be staked, the one that expires first before others."""

    id: str
    name: str
    guest: bool
    currency: str
    balance: int
    held: int
    open_rounds: list[OpenRound]
    free_bets: list[FreeBetRecord]
    session: SessionTotals


class SignedIn(msgspec.Struct):
    """A new session. The token is also set as a cookie."""

    token: str
    expires_at: str
    player: Me
