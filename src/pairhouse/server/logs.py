"""Lines of the log: JSON for programs, words for somebody who watches."""

import logging
import sys

import msgspec

_FIELDS = logging.LogRecord("", 0, "", 0, "", None, None).__dict__.keys() | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}


class Lines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": self.formatTime(record),
            "level": record.levelname,
            "what": record.getMessage(),
            "of": record.name,
        }
        line |= {name: str(value) for name, value in record.__dict__.items() if name not in _FIELDS}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


class Words(logging.Formatter):
    """For somebody who watches: the line, and what belongs to it."""

    def format(self, record: logging.LogRecord) -> str:
        more = [f"{name}={value}" for name, value in record.__dict__.items() if name not in _FIELDS]
        return " ".join([super().format(record), *more])


def set_up_logs() -> bool:
    """Log to standard error; whether somebody watches it."""
    is_person = sys.stderr is not None and sys.stderr.isatty()
    handler = logging.StreamHandler()
    handler.setFormatter(Words("%(levelname)s %(message)s") if is_person else Lines())
    logging.basicConfig(level=logging.WARNING if is_person else logging.INFO, handlers=[handler], force=True)
    for library in ("alembic", "uvicorn"):
        logging.getLogger(library).setLevel(logging.WARNING)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # calls to wallets are told by our own lines
    return is_person
