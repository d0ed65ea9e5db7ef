"""Which key each text has that is sent, so that a page finds its translation by the key and not by the English words.

A phrase has its key from where it is said (`machines/replay.py`), with the numbers in it. The others are put beside the
words here, from the game's own lists: a row by its wager, a hand and a warning by what the game calls them.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NotRequired, cast

from msgspec import structs

from pairhouse.core.game import Game, Variant
from pairhouse.machines.events import AwaitingRecord, Event, Hand, View
from pairhouse.rounds.records import game_record
from pairhouse.rounds.texts import game_texts, table_texts


class KeyedHand(Hand, omit_defaults=True, gc=False):
    """A hand as it is sent, with the key of its name; one called by a number or by its cards has none."""

    key: str = ""


class KeyedAwaiting(AwaitingRecord):
    """The awaited choice as it is sent, with the key of each warning."""

    warning_keys: NotRequired[dict[str, str]]


class KeyedView(View, frozen=True, omit_defaults=True):
    """What one seat, or a bystander, may know of a round, with the keys of what is said."""

    hands: list[KeyedHand]  # type: ignore[assignment]
    awaiting: KeyedAwaiting | None


class TextKeys:
    """The keys of what is said in a game under its options."""

    def __init__(self, variant: Variant) -> None:
        game = variant.game
        known = _known(game)
        self.hands = known.get("hands", {})
        self.groups = known.get("groups", {})
        self.warnings = {action.name: known.get(f"warns/{action.name}", {}) for action in game.actions}
        self.rows: dict[str, dict[str, str]] = {}
        for wager in variant.wagers.values():
            keys = known.get(f"rows/{wager.id}", {})
            names = [*(row.name for row in wager.paytable.rows), wager.paytable.otherwise]
            # Options that only together bring a row: it is named by its place, so that every row has a key.
            self.rows[wager.id] = {name: f"{game.id}/rows/{wager.id}/own-{at}" for at, name in enumerate(names)} | {
                name: keys[name] for name in names if name in keys
            }

    def events(self, events: Sequence[Event]) -> list[Event]:
        """Events with the keys of the rows that bets were paid by; phrases have had theirs since they were said."""
        return [structs.replace(event, key=self._row_of(event)) if event.row else event for event in events]

    def _row_of(self, event: Event) -> str | None:
        """The key of the row that a bet was paid by."""
        return self.rows.get(event.wager or "", {}).get(event.row or "")

    def named(self, hands: Sequence[Hand]) -> list[KeyedHand]:
        """Hands with the keys of their names. Those without one stay as they are, since they are sent alike."""
        keys = self.hands
        return [
            KeyedHand(*structs.astuple(hand), keys[hand.name]) if hand.name in keys else hand  # type: ignore[call-arg, misc]
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
