"""Checks of what players have set for themselves, and of exclusions, against the events that describe them."""

from typing import Any

from sqlalchemy import bindparam, select

from pairhouse.house.audit.notebook import Differs, Notebook, check_equal, text
from pairhouse.house.care.records import care_in
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import care, exclusions

PAGE = 5_000
_CARE = select(care).where(care.c.player_id > bindparam("after")).order_by(care.c.player_id).limit(PAGE)
_EXCLUSIONS = select(exclusions).where(exclusions.c.id > bindparam("after")).order_by(exclusions.c.id).limit(PAGE)
_NAMES = [column.name for column in exclusions.columns]


def note_care_changed(notebook: Notebook, place: str, at: int, body: dict[str, Any]) -> None:
    """Note one change of what a player has set; the changes of a player are numbered."""
    name = f"{body['player']}:{body['version']}"
    notebook.note("care", name, body["after"])
    notebook.note("care before", name, body["before"])


def note_exclusion_added(notebook: Notebook, place: str, at: int, body: dict[str, Any]) -> None:
    """Note a break or an exclusion."""
    notebook.note("exclusion", body["id"], text(body))


def check_care(tx: Tx, notebook: Notebook) -> None:
    """What each player has set is what the last of their changes says, and each change follows the one before."""
    changes, after = 0, ""
    while rows := tx.all(_CARE, {"after": after}):
        for player, *columns in rows:
            record = care_in(tuple(columns))
            version = record.settings.version
            where = f"what player {player} has set"
            if version:
                check_equal(where, "its settings", columns[0], notebook.noted("care", f"{player}:{version}"))
            for later in range(2, version + 1):
                before = notebook.noted("care before", f"{player}:{later}")
                check_equal(where, "what it was before", before, notebook.noted("care", f"{player}:{later - 1}"))
            changes += version
        after = rows[-1][0]
    if notebook.count("care") != changes:
        raise Differs(f"the events tell of {notebook.count('care')} changes of players' limits; the books of {changes}")
    _check_exclusions(tx, notebook)


def _check_exclusions(tx: Tx, notebook: Notebook) -> None:
    count, after = 0, ""
    while rows := tx.all(_EXCLUSIONS, {"after": after}):
        for row in rows:
            says = text(dict(zip(_NAMES, row, strict=True)))
            check_equal(f"exclusion {row[0]}", "what the books say", says, notebook.noted("exclusion", row[0]))
            count += 1
        after = rows[-1][0]
    if notebook.count("exclusion") != count:
        raise Differs(f"the events tell of {notebook.count('exclusion')} exclusions; the books hold {count}")
