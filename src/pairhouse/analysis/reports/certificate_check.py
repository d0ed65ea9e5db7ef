"""The check of a certificate: everything derived again, and what differs, figure by figure."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.reports.certificate import JSON_FILE, TEXT_FILE, Certificate, as_text, certify, digest, load
from pairhouse.core.errors import Refused, shown
from pairhouse.games.catalogue import GAMES

LINES_A_LIST = 10  # of a list with more differences than this, people are told how many there are
ABSENT = msgspec.UNSET


class Difference(msgspec.Struct, frozen=True):
    """Where a certificate differs, in words, and where a figure does: what it `was` there and what it is `now`."""

    path: str
    says: str
    was: Any = ABSENT
    now: Any = ABSENT

    def __str__(self) -> str:
        return f"{self.path}: {self.says}"


def check(folder: Path, game: str | None = None) -> list[Difference]:
    """Derive everything again; what differs. Nothing is left out but the environment."""
    given = load(folder)
    if game not in (None, given.game):
        raise Refused("bad-certificate", f"{folder} certifies {shown(given.game)}, not {game}")
    if given.game not in GAMES:
        sentence = f"{folder} certifies {shown(given.game)}, which is no game of ours"
        raise Refused("unknown-game", f"{sentence}; name its file too, such as my_game.py --check {folder}")
    made = certify(analyst(given.game, given.options))
    found = list(differences("", _record(given), _record(made)))
    own = digest(given.figures)
    if own != given.figures_sha256:
        found.append(Difference("figures_sha256", f"is not that of the figures in the certificate, which is {own}"))
    if not made.agrees:
        found.append(Difference("derivations", "do not agree with each other now"))
    if not _tells(folder / TEXT_FILE, given):
        found.append(Difference(TEXT_FILE, f"does not tell what {JSON_FILE} holds"))
    return found


def _record(certificate: Certificate) -> dict[str, Any]:
    record: dict[str, Any] = msgspec.to_builtins(certificate)
    del record["environment"]
    return record


def _tells(file: Path, certificate: Certificate) -> bool:
    """Whether a text is that of the certificate."""
    try:
        return file.read_text(encoding="utf-8", errors="replace") == as_text(certificate)
    except OSError:
        return False


def differences(path: str, was: Any, now: Any) -> Iterator[Difference]:
    """Every figure that differs between two records, by its path such as `figures.pair.rows[any pair].ways`."""
    if isinstance(was, list) and isinstance(now, list):
        yield from _in_lists(path, was, now)
    elif isinstance(was, dict) and isinstance(now, dict):
        for name in dict.fromkeys([*was, *now]):
            inner = f"{path}.{name}" if path else name
            yield from differences(inner, was.get(name, ABSENT), now.get(name, ABSENT))
    elif type(was) is not type(now) or was != now:
        if was is ABSENT:
            says = f"is not in the certificate, is now {_words(now)}"
        elif now is ABSENT:
            says = f"was {_words(was)}, is not there now"
        else:
            says = f"was {_words(was)}, is now {_words(now)}"
        yield Difference(path, says, was, now)


def _in_lists(path: str, was: list[Any], now: list[Any]) -> Iterator[Difference]:
    """Rows are compared by their names, other entries by their places."""
    old, new = _by_name(was), _by_name(now)
    for name in dict.fromkeys([*old, *new]):
        yield from differences(f"{path}[{name}]", old.get(name, ABSENT), new.get(name, ABSENT))
    if sorted(old) == sorted(new) and list(old) != list(new):
        order = ", ".join(old), ", ".join(new)
        yield Difference(path, f"was in the order {order[0]}, is now in the order {order[1]}", was, now)


def _by_name(entries: list[Any]) -> dict[str, Any]:
    named = {str(entry["name"]): entry for entry in entries if isinstance(entry, dict) and "name" in entry}
    return named if len(named) == len(entries) else {str(place): entry for place, entry in enumerate(entries)}


def _words(value: Any) -> str:
    """A figure in full; of a record the names of what it holds."""
    if isinstance(value, Mapping):
        return f"there with {', '.join(map(str, value))}" if value else "empty"
    if isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()


def in_words(found: Sequence[Difference]) -> list[str]:
    """A line for every difference; of long lists the first lines, and how many more there are."""
    lists: dict[str, list[Difference]] = {}
    for each in found:
        lists.setdefault(_list_of(each.path), []).append(each)
    lines = []
    for path, inside in lists.items():
        lines += [str(each) for each in inside[:LINES_A_LIST]]
        if len(inside) > LINES_A_LIST:
            lines.append(f"{path}: {len(inside) - LINES_A_LIST} more differences of {len(inside)}; --json has them all")
    return lines


def _list_of(path: str) -> str:
    """The list or record that a path leads into."""
    outer, bracket, _ = path.partition("[")
    return outer if bracket else path.rpartition(".")[0] or path
