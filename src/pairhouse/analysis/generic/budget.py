"""How long an exact answer may take, and who is told how far it has come."""

import re
from collections.abc import Callable
from contextvars import ContextVar

from pairhouse.core.errors import Refused

budget_s: ContextVar[float | None] = ContextVar("budget_s", default=None)
progress: ContextVar[Callable[[str], object]] = ContextVar("progress", default=lambda _text: None)


def read_budget(text: str) -> float:
    """Seconds from `60s`, `2m` or `90`."""
    found = re.fullmatch(r"(\d{1,6})\s*(s|m|)", text.strip(), re.ASCII)
    if found is None or not int(found[1]):
        raise Refused("bad-budget", f"{text!r} is no time; write it as 60s or 2m")
    return int(found[1]) * (60.0 if found[2] == "m" else 1.0)
