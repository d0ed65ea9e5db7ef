"""Reading from a person or from a pipe: lines, and single keys where there is a keyboard."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console


class LeftTableError(Exception):
    """The input has ended: the player has left."""


def ask_line(console: Console, prompt: str) -> str:
    """A line of input; what was piped in is shown, so that a transcript reads well."""
    console.print(prompt, end="", markup=False)
    if sys.stdin is None:
        raise LeftTableError
    if sys.stdin.isatty():
        try:
            return input()
        except EOFError:
            raise LeftTableError from None
    line = sys.stdin.readline()
    if not line:
        console.print()
        raise LeftTableError
    console.print(line.rstrip("\n"), markup=False)
    return line.strip()


def ask_key(console: Console, prompt: str) -> str:
    """One key press, or a whole line where there is no keyboard."""
    if sys.stdin is None or not sys.stdin.isatty():
        return ask_line(console, prompt).lower()
    console.print(prompt, end="", markup=False)
    with _one_key_at_a_time():
        key = _read_key()
    if key in ("", "\x04"):
        raise LeftTableError
    console.print(key if key.isprintable() else "", markup=False)
    return key.lower()


def _read_key() -> str:
    """One key. Arrows, Home and the like arrive as several characters after an escape; they are no answer."""
    descriptor = sys.stdin.fileno()
    key = os.read(descriptor, 32).decode(errors="replace")
    return key[0] if key[:1] != "\x1b" and key else key and "?"


@contextmanager
def _one_key_at_a_time() -> Iterator[None]:
    """Keys arrive without Enter; where the system cannot do that, they arrive with it."""
    try:
        import termios  # noqa: PLC0415 (not on every system)
        import tty  # noqa: PLC0415
    except ImportError:
        yield
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
