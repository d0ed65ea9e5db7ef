"""Players: who they are, how they come in, what they have."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pairhouse.server.models.words import END, Given


class Credentials(Given):
    """A name and a password."""

    name: Annotated[str, Meta(min_length=3, max_length=32, pattern=rf"^[A-Za-z0-9][A-Za-z0-9_.-]*{END}")]
    password: Annotated[str, Meta(min_length=10, max_length=128)]


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
    """What this session has come to."""

    started_at: str
    rounds: int
    staked: int
    returned: int


class Me(msgspec.Struct, kw_only=True):
    """The player who asks."""

    id: str
    name: str
    guest: bool
    currency: str
    balance: int
    held: int
    open_rounds: list[OpenRound]
    session: SessionTotals


class SignedIn(msgspec.Struct):
    """A new session. The token is also set as a cookie."""

    token: str
    expires_at: str
    player: Me
