"""What requests and answers have in common: the limits of words and amounts, an empty body, a problem."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pairhouse.core.money import STAKE_MAX

END = r"$(?!\n)"  # in Python `$` also stands before a line break at the end
Id = Annotated[str, Meta(min_length=1, max_length=64, pattern=rf"^[A-Za-z0-9_-]+{END}")]
Key = Annotated[str, Meta(min_length=8, max_length=64, pattern=rf"^[A-Za-z0-9_-]+{END}")]
Word = Annotated[str, Meta(min_length=1, max_length=32)]
Stake = Annotated[int, Meta(gt=0, le=STAKE_MAX)]
Stakes = Annotated[dict[Annotated[str, Meta(max_length=64)], Stake], Meta(min_length=1, max_length=64)]
Cents = Annotated[int, Meta(ge=0, le=STAKE_MAX)]
OptionValue = Annotated[str, Meta(max_length=64)] | Annotated[int, Meta(ge=-STAKE_MAX, le=STAKE_MAX)] | bool
Name = Annotated[str, Meta(min_length=1, max_length=64, pattern=rf"^[^\x00-\x1f\x7f]+{END}")]


class Given(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a caller sends: nothing beside what is named is accepted."""


class Nothing(Given):
    """An empty body."""


class Keyed(Given):
    """A body that holds a key only."""

    idempotency_key: Key | None = None


class Problem(msgspec.Struct, omit_defaults=True):
    """What is wrong: a stable code for programs and a sentence for people.

    `retry_ms`: the same request can be accepted after so many milliseconds. `until_at`: when a break or
    an exclusion ends.
    """

    code: str
    error: str
    round: str | None = None
    retry_ms: int | None = None
    until_at: str | None = None


class Health(msgspec.Struct):
    """The house is open."""

    status: str
    version: str
    database: str
