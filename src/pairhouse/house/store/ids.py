"""Ids of rows: made without asking the database, sorted by time, and impossible to guess."""

import os
import secrets
from functools import lru_cache

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LETTER_OF_BYTE = _LETTERS.encode() * 8  # a translation table: each letter stands for eight of the 256 bytes
_RANDOM_LETTERS = 16
_MADE_AT_ONCE = 64  # one call for the randomness of many ids costs less than one call each
_random_parts: list[str] = []
os.register_at_fork(after_in_child=_random_parts.clear)  # a child process must not use the same randomness


def new_id(now_ms: int) -> str:
    """A ULID: 26 letters, 48 bits of time and then 80 random bits."""
    try:
        return _time_part(now_ms) + _random_parts.pop()
    except IndexError:
        letters = secrets.token_bytes(_RANDOM_LETTERS * _MADE_AT_ONCE).translate(_LETTER_OF_BYTE).decode()
        starts = range(0, len(letters), _RANDOM_LETTERS)
        _random_parts.extend([letters[start : start + _RANDOM_LETTERS] for start in starts])
        return new_id(now_ms)


def first_id(now_ms: int) -> str:
    """The smallest id of this millisecond: every id made from now on is greater or equal."""
    return _time_part(now_ms) + "0" * _RANDOM_LETTERS


@lru_cache(maxsize=8)
def _time_part(now_ms: int) -> str:
    return "".join([_LETTERS[now_ms >> shift & 31] for shift in range(45, -1, -5)])
