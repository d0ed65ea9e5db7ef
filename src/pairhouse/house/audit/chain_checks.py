"""Every chain from its first event: seals, numbers, what checkpoints tie together; and what the events tell."""

import hashlib
from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import bindparam, select, tuple_

from pairhouse.house.audit.notebook import Differs, Notebook, same, text
from pairhouse.house.store.chain import GENESIS, event_hash
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import events, ties

PAGE = 5_000
_EVENTS = (
    select(events.c.chain, events.c.number, events.c.at, events.c.kind, events.c.body, events.c.hash)
    .where(tuple_(events.c.chain, events.c.number) > tuple_(bindparam("after_chain"), bindparam("after_number")))
    .order_by(events.c.chain, events.c.number)
    .limit(PAGE)
)
_EVENT = select(events.c.at, events.c.kind, events.c.body, events.c.hash).where(
    events.c.chain == bindparam("of_chain"), events.c.number == bindparam("at_number")
)
_TIES = select(ties.c.chain, ties.c.number).order_by(ties.c.chain)
Told = dict[str, Any]


def check_chains(tx: Tx, notebook: Notebook, step: Callable[[int], None]) -> dict[str, tuple[int, str]]:
    """Walk every chain; the head of each."""
    heads: dict[str, tuple[int, str]] = {}
    chain, number = "", 0
    while rows := tx.all(_EVENTS, {"after_chain": chain, "after_number": number}):
        for chain, number, at, kind, body, seal in rows:
            last, before = heads.get(chain, (0, GENESIS))
            where = f"event {number} of chain {chain}"
            if number != last + 1:
                raise Differs(f"{where} follows event {last}; event {last + 1} is missing")
            if event_hash(before, chain, number, at, kind, body) != seal:
                raise Differs(f"{where} ({kind}) does not match its seal: it, or the event before it, was altered")
            if number == 1 and kind != "checkpoint":
                raise Differs(f"{where} is {kind!r}; a chain begins with a checkpoint")
            _note(notebook, f"{chain} {number}", at, kind, msgspec.json.decode(body), body)
            heads[chain] = (number, seal)
        step(len(rows))
    _check_heads(tx, notebook)
    _check_ties(tx, notebook, heads)
    return heads


def _check_heads(tx: Tx, notebook: Notebook) -> None:
    """Every head that a checkpoint names is an event of that chain."""
    for named, says in notebook.all("head"):
        chain, number = named.split()
        row = tx.one(_EVENT, {"of_chain": chain, "at_number": int(number)})
        seal, where = says.split(" ", 1)
        if row is None:
            raise Differs(f"the checkpoint in event {where} names event {int(number)} of chain {chain}; it is missing")
        same(f"the checkpoint in event {where}", f"the seal of event {int(number)} of {chain}", seal, row[3])


def _check_ties(tx: Tx, notebook: Notebook, heads: dict[str, tuple[int, str]]) -> None:
    """Every chain but the first names another one when it opens, and is named as far as the books say.

    A chain that has come to rest is named with its last event by whoever opened next, so nothing can be cut off it. One
    that was cut as a whole, or lost a checkpoint at its end, is still in the books as opened, or the others as named.
    """
    named: dict[str, int] = {}
    for name, _ in notebook.all("head"):  # in order: the last one stays
        chain, number = name.split()
        named[chain] = int(number)
    tied = {chain: int(number) for chain, number in tx.all(_TIES, {})}
    for chain in sorted(heads.keys() | tied.keys()):
        if chain not in tied:
            raise Differs(f"chain {chain} has {heads[chain][0]} events; the books do not say that it was opened")
        if chain not in heads:
            raise Differs(f"chain {chain} is missing; the books say that it was opened")
        same(f"chain {chain}", "the last event that a checkpoint is said to name", tied[chain], named.get(chain, 0))
    alone = [chain for chain, _ in notebook.all("alone")]
    if len(alone) > 1:
        raise Differs(f"chains {alone[0]} and {alone[1]} name no other when they open; only the first of all may")


def digest(at: int, kind: str, body: str) -> str:
    """What an event says, short."""
    return hashlib.sha256(f"{at}\n{kind}\n{body}".encode()).hexdigest()


def read_event(tx: Tx, place: str) -> tuple[int, str, Told]:
    """An event by its place, `CHAIN NUMBER`: its time, kind and body."""
    chain, number = place.split()
    row = tx.one(_EVENT, {"of_chain": chain, "at_number": int(number)})
    assert row is not None
    return row[0], row[1], msgspec.json.decode(row[2])


def _note(notebook: Notebook, place: str, at: int, kind: str, told: Told, body: str) -> None:
    """Note what an event tells. Kinds that change no row of their own need no note."""
    if kind in ("open", "choice", "void"):
        notebook.note("act", f"{told['round']}:{told['act']}", f"{place} {digest(at, kind, body)}")
        return
    noter = _NOTERS.get(kind)
    if noter is not None:
        noter(notebook, place, at, told)


def _checkpoint(notebook: Notebook, place: str, at: int, told: Told) -> None:
    opened, _, position = place.partition(" ")
    if position == "1" and not told["heads"]:
        notebook.note("alone", opened, place)
    for chain, number, seal in told["heads"]:
        says, name = f"{seal} {place}", f"{chain} {number:012}"
        earlier = notebook.said("head", name)
        if earlier is not None and not earlier.startswith(seal):
            raise Differs(
                f"the checkpoint in event {place} and that in event {earlier.split(' ', 1)[1]} name other heads"
            )
        notebook.note_again("head", name, says)


def _free_transfers(notebook: Notebook, key: str, at: int, told: Told) -> None:
    for number, move in enumerate(told["transfers"]):
        notebook.note("transfer", f"{key}:{number}", text([at, *move]))


def _play_money(notebook: Notebook, place: str, at: int, told: Told) -> None:
    _free_transfers(notebook, told["key"], at, told)


def _meter_opened(notebook: Notebook, place: str, at: int, told: Told) -> None:
    _free_transfers(notebook, f"meter:{told['table']}", at, told)
    reserve = sum(move[3] for move in told["transfers"]) - told["amount"]
    notebook.note("meter", told["table"], f"{told['amount']} {reserve}")


def _player_added(notebook: Notebook, place: str, at: int, told: Told) -> None:
    notebook.note("player", told["player"], text([told["name"], int(told["guest"]), told["wallet"], at]))


def _seed_committed(notebook: Notebook, place: str, at: int, told: Told) -> None:
    notebook.note("stream", told["stream"], text([told["player"], told["table"], told["commitment"], at]))


def _seed_revealed(notebook: Notebook, place: str, at: int, told: Told) -> None:
    notebook.note("reveal", told["stream"], text([told["nonces"], at]))


def _key_added(notebook: Notebook, place: str, at: int, told: Told) -> None:
    notebook.note("key", told["key"], text([told["name"], told["scope"], at]))


def _key_revoked(notebook: Notebook, place: str, at: int, told: Told) -> None:
    notebook.note_again("revoked", told["key"], f"{at:015}")


def _wallet_call(notebook: Notebook, place: str, at: int, told: Told) -> None:
    says = text([told["kind"], told["round"], told["player"], told["amount"]])
    notebook.note("call", f"{told['call']}:{told['state']}", says)
    if told["state"] in ("sent", "due"):
        notebook.note("call made", told["call"], says)


CHANGES = ("version", "name", "limits", "advice", "status")


def _table_added(notebook: Notebook, place: str, at: int, told: Told) -> None:
    notebook.note("table", told["id"], text([told["game"], told["options"], told["position"]]))
    notebook.note("table version", f"{told['id']}:1", text({name: told[name] for name in CHANGES}))


def _table_changed(notebook: Notebook, place: str, at: int, told: Told) -> None:
    name = f"{told['table']}:{told['after']['version']}"
    notebook.note("table version", name, text(told["after"]))
    notebook.note("table before", name, text(told["before"]))


def _status_changed(subject: str) -> "Noter":
    """However the changes were ordered, each status is left as often as it was come to, but for first and last."""

    def note(notebook: Notebook, place: str, at: int, told: Told) -> None:
        notebook.add(f"status:{subject}:{told[subject]}:{told['after']['status']}", 1)
        notebook.add(f"status:{subject}:{told[subject]}:{told['before']['status']}", -1)

    return note


Noter = Callable[[Notebook, str, int, Told], None]
_NOTERS: dict[str, Noter] = {
    "checkpoint": _checkpoint,
    "play-money": _play_money,
    "meter-opened": _meter_opened,
    "player-added": _player_added,
    "player-changed": _status_changed("player"),
    "game-changed": _status_changed("game"),
    "seed-committed": _seed_committed,
    "seed-revealed": _seed_revealed,
    "key-added": _key_added,
    "key-revoked": _key_revoked,
    "table-added": _table_added,
    "table-changed": _table_changed,
    "wallet-call": _wallet_call,
}
