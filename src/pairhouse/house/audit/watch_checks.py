"""Checks of what the watch has done: each step and each lifting is as its event says, and none is left out."""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import select

from pairhouse.house.audit.notebook import Differs, Notebook, check_equal, text
from pairhouse.house.store.database import Tx
from pairhouse.house.store.watch_schema import watch_steps
from pairhouse.house.watch_log import read_cursor

STEP, LIFTED = "step of the watch", "lifting of a step"
_STEPS = select(*watch_steps.columns).order_by(watch_steps.c.id)
_NAMES = [column.name for column in watch_steps.columns]
_SEALED = ("table_id", "player_id", "wager", "step", "done", "undo", "figures")


def note_watch_step(notebook: Notebook, place: str, at: int, body: dict[str, Any]) -> None:
    """Note a step, with what it did and the figures it rests on."""
    notebook.note(STEP, body["id"], text([at, *(body[name] for name in _SEALED)]))


def note_watch_lifted(notebook: Notebook, place: str, at: int, body: dict[str, Any]) -> None:
    """Note who lifted a step, and when."""
    notebook.note(LIFTED, body["step"], text([at, body["by"]]))


def check_watch_log(tx: Tx, notebook: Notebook, ends: Mapping[str, tuple[int, str]]) -> None:
    """The steps are those of the events, and the watch has read no further than there is: it would see nothing more."""
    steps = [dict(zip(_NAMES, row, strict=True)) for row in tx.all(_STEPS, {})]
    for row in steps:
        row |= {name: msgspec.json.decode(row[name]) for name in ("undo", "figures")}
        where = f"step {row['id']} of the watch"
        says = text([row["at"], *(row[name] for name in _SEALED)])
        check_equal(where, "what the books say", says, notebook.noted(STEP, row["id"]))
        is_lifted = row["lifted_at"] is not None or row["lifted_by"] is not None
        lifted = text([row["lifted_at"], row["lifted_by"]]) if is_lifted else None
        check_equal(where, "when and by whom it was lifted", lifted, notebook.noted(LIFTED, row["id"]))
    check_equal("steps of the watch", "how many there are", len(steps), notebook.count(STEP))
    for chain, number in read_cursor(tx).read_to.items():
        last = ends.get(chain, (0, ""))[0]
        if number > last:
            raise Differs(f"the watch is said to have read event {number} of chain {chain}, which ends with {last}")
