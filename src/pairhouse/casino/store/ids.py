"""Names for rows: made anywhere without asking, in order of time, and not to be guessed."""

import secrets

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = [first + second for first in _LETTERS for second in _LETTERS]
_SHIFTS = range(120, -1, -10)


def new_id(now_ms: int) -> str:
    """26 letters: 48 bits of time, then 80 random bits (the form called ULID)."""
    return _written(now_ms << 80 | secrets.randbits(80))


def first_id(now_ms: int) -> str:
    """Before every id made from this millisecond on."""
    return _written(now_ms << 80)


def _written(number: int) -> str:
    return "".join([_PAIRS[number >> shift & 1023] for shift in _SHIFTS])
