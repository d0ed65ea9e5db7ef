"""Input from a person or a pipe: lines, and single key presses where there is a keyboard."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from select import select

from rich.console import Console

LOOK_EVERY_S = 0.2


class LeftTableError(Exception):
    """The player has left, or the input has ended."""


def _is_always() -> bool:
    return True


def wait_for_line(console: Console, prompt: str, goes_on: Callable[[], bool]) -> bool:
    """Show a prompt until a line is typed; False once what is asked no longer `goes_on`.

    Piped lines are read when their turn comes. A line that is begun by then stays for the next prompt.
    """
    console.print(prompt, end="", markup=False)
    return sys.stdin is None or not sys.stdin.isatty() or _is_typed(console, goes_on)


def _is_typed(console: Console, goes_on: Callable[[], bool]) -> bool:
    while not select([sys.stdin], [], [], LOOK_EVERY_S)[0]:
        if not goes_on():
            console.print()
            return False
    return True


def ask_line(console: Console, prompt: str) -> str:
    """A line of input; piped input is echoed, so that a transcript reads well."""
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


def ask_key(console: Console, prompt: str, goes_on: Callable[[], bool] = _is_always) -> str:
    """One key press, or a whole line where there is no keyboard; "" once what is asked no longer `goes_on`."""
    if sys.stdin is None or not sys.stdin.isatty():
        return ask_line(console, prompt).lower()
    console.print(prompt, end="", markup=False)
    with _one_key_at_a_time():
        if not _is_typed(console, goes_on):
            return ""
        key = _read_key()
    if key in ("", "\x04"):
        raise LeftTableError
    console.print(key if key.isprintable() else "", markup=False)
    return key.lower()


def _read_key() -> str:
    """One key press; `?` for arrows, Home and the like, which arrive as several characters after an escape."""
    descriptor = sys.stdin.fileno()
    key = os.read(descriptor, 32).decode(errors="replace")
    return key[0] if key[:1] != "\x1b" and key else key and "?"


@contextmanager
def _one_key_at_a_time() -> Iterator[None]:
    """Have keys arrive without Enter, where the system can do that."""
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
