"""Lines of the log: JSON for programs, words for somebody who watches. Their size and their number are limited."""

import logging
import sys
import time
from collections import OrderedDict
from collections.abc import Callable

import msgspec

_FIELDS = logging.LogRecord("", 0, "", 0, "", None, None).__dict__.keys() | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}
VALUE_MAX = 1_000  # characters of a value
TRACE_MAX = 8_000
LINES_AT_ONCE, LINES_EACH_S = 50, 1.0  # of one kind
KINDS_KEPT = 1_000


def shortened(text: str, most: int = VALUE_MAX) -> str:
    """A text, its middle left out where it is too long."""
    if len(text) <= most:
        return text
    return f"{text[: most // 2]} ... ({len(text) - most} characters left out) ... {text[-(most // 2) :]}"


class Enough(logging.Filter):
    """Lets so many lines of one kind pass, then one a second; a line that passes says how many were left out.

    A kind is a place in the source: whatever callers send, they cannot make new ones.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._monotonic = monotonic
        self._kinds: OrderedDict[tuple[str, int], tuple[float, float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        kind, now = (record.pathname, record.lineno), self._monotonic()
        left, then, left_out = self._kinds.get(kind, (float(LINES_AT_ONCE), now, 0))
        left = min(LINES_AT_ONCE, left + (now - then) * LINES_EACH_S)
        passes = left >= 1
        self._kinds[kind] = (left - 1, now, 0) if passes else (left, now, left_out + 1)
        self._kinds.move_to_end(kind)
        if len(self._kinds) > KINDS_KEPT:
            self._kinds.popitem(last=False)
        if passes and left_out:
            record.left_out = left_out
        return passes


class Lines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": self.formatTime(record),
            "level": record.levelname,
            "what": shortened(record.getMessage()),
            "of": record.name,
        }
        line |= {name: shortened(str(value)) for name, value in record.__dict__.items() if name not in _FIELDS}
        if record.exc_info:
            line["trace"] = shortened(self.formatException(record.exc_info), TRACE_MAX)
        return msgspec.json.encode(line).decode()


class Words(logging.Formatter):
    """For somebody who watches: the line, and what belongs to it."""

    def format(self, record: logging.LogRecord) -> str:
        more = [f"{name}={shortened(str(value))}" for name, value in record.__dict__.items() if name not in _FIELDS]
        return " ".join([shortened(super().format(record), TRACE_MAX), *more])


def set_up_logs() -> bool:
    """Log to standard error; whether somebody watches it."""
    is_person = sys.stderr is not None and sys.stderr.isatty()
    handler = logging.StreamHandler()
    handler.setFormatter(Words("%(levelname)s %(message)s") if is_person else Lines())
    handler.addFilter(Enough())
    logging.basicConfig(level=logging.WARNING if is_person else logging.INFO, handlers=[handler], force=True)
    for library in ("alembic", "uvicorn"):
        logging.getLogger(library).setLevel(logging.WARNING)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # calls to wallets are told by our own lines
    return is_person
