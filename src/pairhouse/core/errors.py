"""What we tell people when something they gave cannot be accepted."""

from collections.abc import Iterable
from difflib import get_close_matches


class Refused(ValueError):
    """A mistake in what was given: nothing was changed. `code` is stable for programs, the text is for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class Undecided(AssertionError):
    """A stake was not decided once: the rule book is broken, and the table stops. `module` is that of the game."""

    def __init__(self, module: str, sentence: str) -> None:
        super().__init__(sentence)
        self.module = module


def shown(given: object) -> str:
    """What was given, short enough for a sentence."""
    try:
        text = repr(given)
    except RecursionError:
        text = "something nested too deeply"
    return text if len(text) <= 60 else f"{text[:50]}...{text[-4:]}"


def one_of(words: Iterable[object]) -> str:
    """`a, b or c`, for sentences that name what would be accepted."""
    listed = [str(word) for word in words]
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} or {listed[-1]}"


def unknown(kind: str, given: object, accepted: Iterable[str]) -> Refused:
    """The refusal for a name that is not in a list, with the nearest names first where the list is long."""
    names = list(accepted)
    same_words = [name for name in names if sorted(name.split("-")) == sorted(str(given).split("-"))]
    near = same_words or get_close_matches(str(given)[:60], names, n=4, cutoff=0.55)
    if len(names) > 12:
        hint = f"did you mean {one_of(near)}? " if near else ""
        listed = f"{hint}there are {len(names)}, from {names[0]} to {names[-1]}"
    else:
        listed = f"choose {one_of(names)}"
    code = f"unknown-{kind.replace(' ', '-')}"
    return Refused(code, f"{kind} {shown(given)} is unknown; {listed}")
