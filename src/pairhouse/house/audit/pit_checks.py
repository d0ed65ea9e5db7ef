"""Checks of the pit: its staff and their sessions, and corrections of closed rounds."""

from typing import Any

import msgspec
from sqlalchemy import select

from pairhouse.house.audit.notebook import Differs, Notebook, check_equal, text
from pairhouse.house.corrections import Correction, account_of, correcting_moves, correction_key, slips_of
from pairhouse.house.people import HOUSE_WALLET
from pairhouse.house.staff import shift_digest
from pairhouse.house.store.database import Tx
from pairhouse.house.store.pit_schema import corrections, staff, staff_sessions
from pairhouse.house.tokens import digest_of
from pairhouse.house.wallet_calls import WIN
from pairhouse.rounds.round_view import SETTLED

_STAFF = select(*staff.columns).order_by(staff.c.id)
_SESSIONS = select(*staff_sessions.columns)
_CORRECTIONS = select(*corrections.columns).order_by(corrections.c.round_id, corrections.c.player_id)
Body = dict[str, Any]


def note_staff_added(notebook: Notebook, place: str, at: int, body: Body) -> None:
    """Note whom the house took on."""
    notebook.note("staff", body["id"], text([body["name"], body["role"], body["password"], body["created_at"]]))
    notebook.add(f"staff status:{body['id']}:{body['status']}", 1)


def note_staff_changed(notebook: Notebook, place: str, at: int, body: Body) -> None:
    """Note who may work and who may not any more."""
    notebook.add(f"staff status:{body['staff']}:{body['before']['status']}", -1)
    notebook.add(f"staff status:{body['staff']}:{body['after']['status']}", 1)


def note_shift(notebook: Notebook, place: str, at: int, body: Body) -> None:
    """Note a session of the staff."""
    notebook.note_same("shift", body["session"], "")


def note_correction(notebook: Notebook, place: str, at: int, body: Body) -> None:
    """Note a correction and its transfers."""
    found = Correction._make(body[name] for name in Correction._fields)
    notebook.note("correction", f"{found.round_id} {found.player_id}", text(list(found)))
    for number, move in enumerate(body["transfers"]):
        notebook.note("transfer", f"{correction_key(found)}:{number}", text([at, *move]))
    wallet = body.get("wallet", HOUSE_WALLET)
    moves = correcting_moves(found, account_of(found.player_id, wallet))
    check_equal(f"event {place}", "its transfers", text(body["transfers"]), text(moves))
    if wallet != HOUSE_WALLET:
        notebook.add(f"call:{found.round_id} {found.player_id} {WIN}", -found.change)


def check_pit(tx: Tx, notebook: Notebook) -> None:
    """Staff, sessions and corrections are as the events say, and corrections reverse what their rounds moved."""
    members = tx.all(_STAFF, {})
    for member_id, name, role, password, status, created_at in members:
        where = f"{name} of the staff"
        says = text([name, role, digest_of(password), created_at])
        check_equal(where, "what the books say", says, notebook.noted("staff", member_id))
        check_equal(where, f"whether it is {status}", notebook.total(f"staff status:{member_id}:{status}"), 1)
    check_equal("the staff", "how many there are", len(members), notebook.count("staff"))
    for values in tx.all(_SESSIONS, {}):
        if notebook.noted("shift", shift_digest(*values)) is None:
            raise Differs(f"a session of member {values[1]} of the staff: no event tells of it")
    _check_corrections(tx, notebook)


def _check_corrections(tx: Tx, notebook: Notebook) -> None:
    found = [Correction._make(row) for row in tx.all(_CORRECTIONS, {})]
    for each in found:
        where = f"the correction of round {each.round_id}"
        noted = notebook.noted("correction", f"{each.round_id} {each.player_id}")
        check_equal(where, "what the books say", text(list(each)), noted)
        slip = next((slip for slip in slips_of(tx, each.round_id) if slip.player_id == each.player_id), None)
        if slip is None:
            raise Differs(f"{where}: player {each.player_id} had nothing in it")
        expected = (SETTLED, each.table_id, each.game, each.player_id, each.staked, each.returned)
        check_equal(where, "what the round says", msgspec.json.decode(text(list(slip))), list(expected))
    check_equal("corrections", "how many there are", len(found), notebook.count("correction"))
