"""Checks of the event chains: seals, numbers and checkpoints. What the events say is noted for the other checks."""

from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import bindparam, select, tuple_

from pairhouse.games.floor_plan import EVERY_ROUND, SHOE
from pairhouse.house.audit.care_checks import note_care_changed, note_deposit, note_exclusion_added
from pairhouse.house.audit.epoch_checks import note_epoch
from pairhouse.house.audit.free_bet_checks import note_ended, note_granted, note_withdrawn
from pairhouse.house.audit.key_checks import note_key_changed
from pairhouse.house.audit.live_checks import note_live_clock, note_live_entry, note_live_seat, note_live_table
from pairhouse.house.audit.notebook import Differs, Notebook, check_equal, text
from pairhouse.house.audit.pit_checks import note_correction, note_shift, note_staff_added, note_staff_changed
from pairhouse.house.audit.watch_checks import note_watch_lifted, note_watch_step
from pairhouse.house.people import REFILL
from pairhouse.house.store.chain import GENESIS, event_hash
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import events, ties

PAGE = 5_000
ACT_KINDS = frozenset(("open", "choice", "void"))
ACTS_TOLD = "acts that events tell of"
_EVENTS = (
    select(events.c.chain, events.c.number, events.c.at, events.c.kind, events.c.body, events.c.hash)
    .where(tuple_(events.c.chain, events.c.number) > tuple_(bindparam("after_chain"), bindparam("after_number")))
    .order_by(events.c.chain, events.c.number)
    .limit(PAGE)
)
_this_event = (events.c.chain == bindparam("of_chain"), events.c.number == bindparam("at_number"))
_SEAL = select(events.c.hash).where(*_this_event)
_CHECKPOINTED = select(ties.c.chain, ties.c.number).order_by(ties.c.chain)
Body = dict[str, Any]  # what an event says


def check_chains(tx: Tx, notebook: Notebook, on_events: Callable[[int], None]) -> dict[str, tuple[int, str]]:
    """Check every chain; the last event of each (its number and seal), by chain."""
    heads: dict[str, tuple[int, str]] = {}
    chain, number, acts_told = "", 0, 0
    while rows := tx.all(_EVENTS, {"after_chain": chain, "after_number": number}):
        for chain, number, at, kind, body, seal in rows:
            last, before = heads.get(chain, (0, GENESIS))
            if number != last + 1:
                where = f"event {number} of chain {chain}"
                raise Differs(f"{where} follows event {last}; event {last + 1} is missing")
            if event_hash(before, chain, number, at, kind, body) != seal:
                where = f"event {number} of chain {chain}"
                raise Differs(f"{where} ({kind}) does not match its seal: it, or the event before it, was altered")
            heads[chain] = (number, seal)
            if kind in ACT_KINDS and number > 1:
                acts_told += 1  # each act names its event: they are compared round by round
                continue
            if number == 1 and kind != "checkpoint":
                raise Differs(f"event 1 of chain {chain} is {kind!r}; a chain begins with a checkpoint")
            _note(notebook, f"{chain} {number}", at, kind, body)
        on_events(len(rows))
    notebook.add(ACTS_TOLD, acts_told)
    _check_heads(tx, notebook)
    _check_checkpointed(tx, notebook, heads)
    return heads


def _check_heads(tx: Tx, notebook: Notebook) -> None:
    """Every event that a checkpoint names exists and has the seal it names."""
    for named, says in notebook.all("head"):
        chain, number = named.split()
        found = tx.value(_SEAL, {"of_chain": chain, "at_number": int(number)})
        seal, where = says.split(" ", 1)
        if found is None:
            raise Differs(f"the checkpoint in event {where} names event {int(number)} of chain {chain}; it is missing")
        check_equal(f"the checkpoint in event {where}", f"the seal of event {int(number)} of {chain}", seal, found)


def _check_checkpointed(tx: Tx, notebook: Notebook, heads: dict[str, tuple[int, str]]) -> None:
    """Every chain but the first names another one when it opens, and is checkpointed as far as the table `ties` says.

    A chain that no longer grows is named with its last event by the chain that opened next, so its end cannot be cut
    off unnoticed. If a whole chain, or a checkpoint at the end of one, was removed, `ties` still says otherwise.
    """
    named: dict[str, int] = {}
    for name, _ in notebook.all("head"):  # in order: the last one stays
        chain, number = name.split()
        named[chain] = int(number)
    checkpointed = {chain: int(number) for chain, number in tx.all(_CHECKPOINTED, {})}
    for chain in sorted(heads.keys() | checkpointed.keys()):
        if chain not in checkpointed:
            raise Differs(f"chain {chain} has {heads[chain][0]} events; the books do not say that it was opened")
        if chain not in heads:
            raise Differs(f"chain {chain} is missing; the books say that it was opened")
        says = "the last event that a checkpoint is said to name"
        check_equal(f"chain {chain}", says, checkpointed[chain], named.get(chain, 0))
    alone = [chain for chain, _ in notebook.all("alone")]
    if len(alone) > 1:
        raise Differs(f"chains {alone[0]} and {alone[1]} name no other when they open; only the first of all may")


def _note(notebook: Notebook, place: str, at: int, kind: str, body_text: str) -> None:
    """Note what an event says. Kinds that change no row of their own need no note."""
    noter = _NOTERS.get(kind)
    if noter is not None:
        try:
            noter(notebook, place, at, msgspec.json.decode(body_text))
        except (msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
            raise Differs(f"event {place} ({kind}) cannot be read: {error!r}") from error


def _checkpoint(notebook: Notebook, place: str, at: int, body: Body) -> None:
    opened, _, position = place.partition(" ")
    if position == "1" and not body["heads"]:
        notebook.note("alone", opened, place)
    for chain, number, seal in body["heads"]:
        says, name = f"{seal} {place}", f"{chain} {number:012}"
        earlier = notebook.noted("head", name)
        if earlier is not None and not earlier.startswith(seal):
            raise Differs(
                f"the checkpoint in event {place} and that in event {earlier.split(' ', 1)[1]} name other heads"
            )
        notebook.note_largest("head", name, says)


def _transfers_outside_rounds(notebook: Notebook, key: str, at: int, body: Body) -> None:
    for number, move in enumerate(body["transfers"]):
        notebook.note("transfer", f"{key}:{number}", text([at, *move]))


def _play_money(notebook: Notebook, place: str, at: int, body: Body) -> None:
    _transfers_outside_rounds(notebook, body["key"], at, body)
    if body["key"].startswith(REFILL):
        note_deposit(notebook, at, body["player"], sum(amount for _, _, _, amount in body["transfers"]))


def _meter_opened(notebook: Notebook, place: str, at: int, body: Body) -> None:
    _transfers_outside_rounds(notebook, f"meter:{body['table']}", at, body)
    reserve = sum(amount for _, _, _, amount in body["transfers"]) - body["amount"]
    notebook.note("meter", body["table"], f"{body['amount']} {reserve}")


def _player_added(notebook: Notebook, place: str, at: int, body: Body) -> None:
    notebook.note("player", body["player"], text([body["name"], int(body["guest"]), body["wallet"], at]))
    if "password" in body:
        _password_set(notebook, body["player"], body["password"])


def _player_named(notebook: Notebook, place: str, at: int, body: Body) -> None:
    notebook.note("named", body["player"], text([body["before"], body["after"]]))
    _password_set(notebook, body["player"], body["password"])


def _password_changed(notebook: Notebook, place: str, at: int, body: Body) -> None:
    _password_set(notebook, body["player"], body["after"])
    notebook.note_same("password left", f"{body['player']}:{body['before']}", "")


def _password_set(notebook: Notebook, player_id: str, sealed: str) -> None:
    """A password is in force from the event that sets it until one that leaves it; none comes back."""
    notebook.note_same("has password", player_id, "")
    notebook.note_same("password", f"{player_id}:{sealed}", "")


def _seed_committed(notebook: Notebook, place: str, at: int, body: Body) -> None:
    notebook.note("stream", body["stream"], text([body["player"], body["table"], body["commitment"], at]))


def _seed_revealed(notebook: Notebook, place: str, at: int, body: Body) -> None:
    notebook.note("reveal", body["stream"], text([body["nonces"], at]))


def _key_added(notebook: Notebook, place: str, at: int, body: Body) -> None:
    notebook.note("key", body["key"], text([body["name"], body["scope"], at]))
    if "hash" in body:
        notebook.note_same("key hash", body["key"], body["hash"])


def _signed_in(notebook: Notebook, place: str, at: int, body: Body) -> None:
    notebook.note_same("session", body["session"], "")


def _secrets_sealed(notebook: Notebook, place: str, at: int, body: Body) -> None:
    for player_id, sealed in body.get("passwords", {}).items():
        _password_set(notebook, player_id, sealed)
    for key_id, sealed in body.get("keys", {}).items():
        notebook.note_same("key hash", key_id, sealed)
    for session in body.get("sessions", []):
        notebook.note_same("session", session, "")


def _purse_opened(notebook: Notebook, place: str, at: int, body: Body) -> None:
    notebook.note_same("purse", body["player"], text([body["currency"], body["exponent"]]))


def _key_revoked(notebook: Notebook, place: str, at: int, body: Body) -> None:
    notebook.note_largest("revoked", body["key"], f"{at:015}")


def _wallet_call(notebook: Notebook, place: str, at: int, body: Body) -> None:
    says = text([body["kind"], body["round"], body["player"], body["amount"]])
    notebook.note("call", f"{body['call']}:{body['state']}", says)
    if body["state"] in ("sent", "due"):
        notebook.note("call made", body["call"], says)
        if "message" in body:
            more = [body["wallet"], body["message"]["reference"], body["key"], body["body"], at, place]
            notebook.note("call sealed", body["call"], text(more))


CHANGES = ("version", "name", "options", "limits", "advice", "status", "shuffle", "round_ms_min")


def noted_version(notebook: Notebook, table: str, version: int, subject: str = "table version") -> Body | None:
    """A table at a version as the events tell it.

    Older events do not speak of shuffle, pace and options: then a game with a cut card was dealt from a shoe, at any
    pace, and by the options with which the table was put up.
    """
    noted = notebook.noted(subject, f"{table}:{version}")
    if noted is None:
        return None
    options = msgspec.json.decode(notebook.noted("table", table) or '["",""]')[1]
    shuffle = SHOE if '"cut_card"' in options else EVERY_ROUND
    return {"shuffle": shuffle, "round_ms_min": 0, "options": options, **msgspec.json.decode(noted)}


def _table_added(notebook: Notebook, place: str, at: int, body: Body) -> None:
    notebook.note("table", body["id"], text([body["game"], body["options"], body["position"]]))
    notebook.note("table version", f"{body['id']}:1", text({name: body[name] for name in CHANGES if name in body}))


def _table_changed(notebook: Notebook, place: str, at: int, body: Body) -> None:
    name = f"{body['table']}:{body['after']['version']}"
    notebook.note("table version", name, text(body["after"]))
    notebook.note("table before", name, text(body["before"]))


def _status_changed(subject: str) -> "Noter":
    """In whatever order changes come, each status is entered as often as it is left, except the first and the last."""

    def note(notebook: Notebook, place: str, at: int, body: Body) -> None:
        notebook.add(f"status:{subject}:{body[subject]}:{body['after']['status']}", 1)
        notebook.add(f"status:{subject}:{body[subject]}:{body['before']['status']}", -1)

    return note


def _player_restricted(notebook: Notebook, place: str, at: int, body: Body) -> None:
    for maximum, times in ((body["after"], 1), (body["before"], -1)):
        if maximum is not None:
            notebook.add(f"restriction:{body['player']} {body['table']} {maximum}", times)


Noter = Callable[[Notebook, str, int, Body], None]
_NOTERS: dict[str, Noter] = {
    "checkpoint": _checkpoint,
    "play-money": _play_money,
    "meter-opened": _meter_opened,
    "player-added": _player_added,
    "player-named": _player_named,
    "password-changed": _password_changed,
    "player-changed": _status_changed("player"),
    "game-changed": _status_changed("game"),
    "seed-committed": _seed_committed,
    "seed-revealed": _seed_revealed,
    "key-added": _key_added,
    "key-revoked": _key_revoked,
    "signed-in": _signed_in,
    "secrets-sealed": _secrets_sealed,
    "purse-opened": _purse_opened,
    "table-added": _table_added,
    "table-changed": _table_changed,
    "wallet-call": _wallet_call,
    "live-entry": note_live_entry,
    "live-table": note_live_table,
    "live-clock": note_live_clock,
    "live-seat": note_live_seat,
    "care-changed": note_care_changed,
    "exclusion-added": note_exclusion_added,
    "player-restricted": _player_restricted,
    "epoch-begun": note_epoch,
    "sealing-key-changed": note_key_changed,
    "free-bet-granted": note_granted,
    "free-bet-withdrawn": note_withdrawn,
    "free-bet-ended": note_ended,
    "staff-added": note_staff_added,
    "staff-changed": note_staff_changed,
    "staff-signed-in": note_shift,
    "correction": note_correction,
    "watch-step": note_watch_step,
    "watch-lifted": note_watch_lifted,
}
