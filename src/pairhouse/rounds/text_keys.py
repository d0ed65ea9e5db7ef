"""Which key each text has that is sent, so that a page finds its translation by the key and not by the English words.

A replay belongs to the rules and knows nothing of keys (`rounds/texts.py`). They are put beside its words here, from
the game's own lists: a phrase by its place in them with the numbers said in it, a row by its wager, a hand by its name.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NotRequired, cast

from msgspec.structs import astuple

from pairhouse.core.game import Game, Variant
from pairhouse.machines.events import AwaitingRecord, Event, Hand, View
from pairhouse.rounds.records import game_record
from pairhouse.rounds.texts import game_texts, table_texts

GAP = re.compile(r"\{([01])\}")
SAYING = ("said", "settled")  # kinds of events that have words


class KeyedEvent(Event, frozen=True, omit_defaults=True, gc=False):
    """An event as it is sent: `key` is that of what is said or of the row, `numbers` fill the gaps of a phrase."""

    key: str | None = None
    numbers: list[int] | None = None


class KeyedHand(Hand, omit_defaults=True, gc=False):
    """A hand as it is sent, with the key of its name; one called by a number or by its cards has none."""

    key: str = ""


class KeyedAwaiting(AwaitingRecord):
    """The awaited choice as it is sent, with the key of each warning."""

    warning_keys: NotRequired[dict[str, str]]


class KeyedView(View, frozen=True, omit_defaults=True):
    """What one seat, or a bystander, may know of a round, with the keys of what is said."""

    hands: list[KeyedHand]  # type: ignore[assignment]
    events: list[KeyedEvent]  # type: ignore[assignment]
    awaiting: KeyedAwaiting | None


class TextKeys:
    """The keys of what is said in a game under its options."""

    def __init__(self, variant: Variant) -> None:
        game = variant.game
        known = _known(game)
        self.hands = known.get("hands", {})
        self.groups = known.get("groups", {})
        self.warnings = {action.name: known.get(f"warns/{action.name}", {}) for action in game.actions}
        self._key_said = lru_cache(maxsize=4096)(partial(_key_said, game.id, game.phrases))
        self.rows: dict[str, dict[str, str]] = {}
        for wager in variant.wagers.values():
            keys = known.get(f"rows/{wager.id}", {})
            names = [*(row.name for row in wager.paytable.rows), wager.paytable.otherwise]
            # Options that only together bring a row: it is named by its place, so that every row has a key.
            self.rows[wager.id] = {name: f"{game.id}/rows/{wager.id}/own-{at}" for at, name in enumerate(names)} | {
                name: keys[name] for name in names if name in keys
            }

    def events(self, events: Sequence[Event]) -> list[KeyedEvent]:
        """Events with their keys. Those without words have none and stay as they are, since they are sent alike."""
        return [
            KeyedEvent(*astuple(event), *self._key_of(event)) if event.kind in SAYING else event  # type: ignore[call-arg, misc]
            for event in events
        ]

    def _key_of(self, event: Event) -> tuple[str | None, list[int] | None]:
        """The key of what an event says or of its row, and the numbers in it."""
        if event.kind == "settled":
            return self.rows.get(event.wager or "", {}).get(event.row or ""), None
        return self._key_said(event.text or "")

    def named(self, hands: Sequence[Hand]) -> list[KeyedHand]:
        """Hands with the keys of their names. Those without one stay as they are, since they are sent alike."""
        keys = self.hands
        return [
            KeyedHand(*astuple(hand), keys[hand.name]) if hand.name in keys else hand  # type: ignore[call-arg, misc]
            for hand in hands
        ]

    def awaiting(self, record: AwaitingRecord | None) -> KeyedAwaiting | None:
        """The awaited choice with the keys of its warnings."""
        if record is None:
            return None
        if "warnings" not in record:
            return cast("KeyedAwaiting", record)
        known = self.warnings
        keys = {word: known[word][text] for word, text in record["warnings"].items() if text in known.get(word, {})}
        return KeyedAwaiting(**record, warning_keys=keys)

    def view(self, view: View) -> KeyedView:
        """A view with its keys."""
        hands, events, awaiting = self.named(view.hands), self.events(view.events), self.awaiting(view.awaiting)
        return KeyedView(view.game, view.seat, hands, events, view.wagers, awaiting)


@lru_cache(maxsize=256)
def keys_of(variant: Variant) -> TextKeys:
    """The keys of a game under its options, worked out once."""
    return TextKeys(variant)


@lru_cache(maxsize=64)
def _known(game: Game) -> dict[str, dict[str, str]]:
    """The keys of a game by what they name ("hands", "rows/ante") and then by the text."""
    found: dict[str, dict[str, str]] = {}
    for key, text in game_texts(game).items():
        found.setdefault(key.partition("/")[2].rpartition("/")[0], {})[text] = key
    return found


def _key_said(game_id: str, phrases: tuple[str, ...], text: str) -> tuple[str | None, list[int] | None]:
    """The key of a phrase of a game that was said, and the numbers in it."""
    found = phrase_said(phrases, text)
    if found is None:
        return None, None
    number, numbers = found
    return f"{game_id}/says/{number}", list(numbers) or None


def phrase_said(phrases: tuple[str, ...], text: str) -> tuple[int, tuple[int, ...]] | None:
    """Which of a game's phrases was said, as its number, and with which numbers in it; None for none of them."""
    for number, phrase in enumerate(phrases):
        said = _form(phrase).fullmatch(text)
        if said is not None:
            gaps = {int(name[1:]): int(value) for name, value in said.groupdict().items()}
            return number, tuple(gaps.get(gap, 0) for gap in range(max(gaps, default=-1) + 1))
    return None


@lru_cache(maxsize=1024)
def _form(phrase: str) -> re.Pattern[str]:
    """A phrase with any numbers in its gaps, the same one wherever a gap comes twice."""
    pieces, seen = [], set()
    for at, piece in enumerate(GAP.split(phrase)):
        is_gap = at % 2 == 1
        if not is_gap:
            pieces.append(re.escape(piece))
        else:
            pieces.append(f"(?P=n{piece})" if piece in seen else rf"(?P<n{piece}>-?\d+)")
            seen.add(piece)
    return re.compile("".join(pieces))


def keyed_game(variant: Variant) -> dict[str, Any]:
    """The record of a game with the keys of its rows and of its groups of wagers."""
    keys, record = keys_of(variant), game_record(variant)
    wagers = []
    for wager in record["wagers"]:
        rows = keys.rows[wager["id"]]
        group = {"group_key": keys.groups[wager["group"]]} if wager["group"] in keys.groups else {}
        keyed_rows = [{**row, "key": rows[row["name"]]} for row in wager["rows"]]
        wagers.append({**wager, **group, "rows": keyed_rows, "otherwise_key": rows[wager["otherwise"]]})
    return {**record, "wagers": wagers}


def table_keys(name: str, label: str) -> Mapping[str, str]:
    """The keys of a table's name and label; a table that an operator has named otherwise is called as it is named."""
    keys = _table_names().get(name, {})
    if label == name and "name_key" in keys:
        return {**keys, "label_key": keys["name_key"]}
    return keys


@lru_cache(maxsize=1)
def _table_names() -> dict[str, dict[str, str]]:
    """The keys of the tables of a new house, by their names."""
    texts = table_texts()
    found: dict[str, dict[str, str]] = {}
    for key, name in texts.items():
        if not key.endswith("/label"):
            label = {"label_key": f"{key}/label"} if f"{key}/label" in texts else {}
            found.setdefault(name, {"name_key": key, **label})
    return found
