"""Names for rows: made anywhere without asking, in order of time, and not to be guessed."""

import os
import secrets
from functools import lru_cache

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_WRITTEN = _LETTERS.encode() * 8  # a letter for each byte; as many bytes for each letter
_AT_ONCE = 64
_unused: list[str] = []  # the system is asked for the random letters of many names at once
os.register_at_fork(after_in_child=_unused.clear)


def new_id(now_ms: int) -> str:
    """26 letters: 48 bits of time, then 80 random bits (the form called ULID)."""
    try:
        return _time(now_ms) + _unused.pop()
    except IndexError:
        letters = secrets.token_bytes(16 * _AT_ONCE).translate(_WRITTEN).decode()
        _unused.extend([letters[first : first + 16] for first in range(0, len(letters), 16)])
        return new_id(now_ms)


def first_id(now_ms: int) -> str:
    """Before every id made from this millisecond on."""
    return _time(now_ms) + "0" * 16


@lru_cache(maxsize=8)
def _time(now_ms: int) -> str:
    return "".join([_LETTERS[now_ms >> shift & 31] for shift in range(45, -1, -5)])
