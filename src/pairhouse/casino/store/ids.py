"""Names for rows: made anywhere without asking, in order of time, and not to be guessed."""

import secrets

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_id(now_ms: int) -> str:
    """26 letters: 48 bits of time, then 80 random bits (the form called ULID)."""
    number = now_ms << 80 | secrets.randbits(80)
    return "".join([_LETTERS[number >> shift & 31] for shift in range(125, -1, -5)])


def first_id(now_ms: int) -> str:
    """Before every id made from this millisecond on."""
    number = now_ms << 80
    return "".join([_LETTERS[number >> shift & 31] for shift in range(125, -1, -5)])
