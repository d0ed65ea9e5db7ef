"""Lines of the log have a size and a number, whatever callers do."""

import json
import logging
from collections.abc import Iterator

import pytest

from pairhouse.server.logs import KINDS_KEPT, LINES_AT_ONCE, TRACE_MAX, VALUE_MAX, Enough, Lines, Words, shortened


class Lined(logging.Handler):
    """Keeps the lines."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def log() -> Iterator[tuple[logging.Logger, Lined, list[float]]]:
    handler, seconds = Lined(), [0.0]
    handler.setFormatter(Lines())
    handler.addFilter(Enough(lambda: seconds[0]))
    logger = logging.getLogger("pairhouse.tests.log")
    logger.addHandler(handler)
    logger.propagate = False
    yield logger, handler, seconds
    logger.removeHandler(handler)


def test_a_flood_of_one_kind_is_cut_and_counted(log: tuple[logging.Logger, Lined, list[float]]) -> None:
    logger, handler, seconds = log
    for number in range(5_000):
        logger.warning("asked for %d", number)
    assert len(handler.lines) == LINES_AT_ONCE
    logger.warning("of another kind")
    assert len(handler.lines) == LINES_AT_ONCE + 1
    seconds[0] += 2.5
    for _ in range(3):
        for line in handler.lines:
            assert len(line) < 500
        logger.warning("again")
    assert len(handler.lines) == LINES_AT_ONCE + 4


def test_what_was_left_out_is_told(log: tuple[logging.Logger, Lined, list[float]]) -> None:
    logger, handler, seconds = log
    for turn in range(LINES_AT_ONCE + 11):
        if turn == LINES_AT_ONCE + 10:
            seconds[0] += 1
        logger.warning("once more")
    assert json.loads(handler.lines[-1])["left_out"] == "10"


def test_a_line_is_never_long(log: tuple[logging.Logger, Lined, list[float]]) -> None:
    logger, handler, _ = log
    try:
        raise ValueError("x" * 1_000_000)
    except ValueError:
        logger.exception("y" * 1_000_000, extra={"path": "/" + "z" * 1_000_000})
    told = json.loads(handler.lines[0])
    assert len(handler.lines[0]) < TRACE_MAX + 3 * VALUE_MAX
    assert told["trace"].startswith("Traceback")
    assert "characters left out" in told["path"]
    record = logging.LogRecord("of", 30, __file__, 1, "w" * 1_000_000, None, None)
    assert len(Words("%(message)s").format(record)) < TRACE_MAX + VALUE_MAX


def test_kinds_are_kept_up_to_a_number() -> None:
    enough = Enough()
    for line in range(KINDS_KEPT + 5):
        assert enough.filter(logging.LogRecord("of", 30, __file__, line, "what", None, None))
    assert len(enough._kinds) == KINDS_KEPT
    assert shortened("short") == "short"
