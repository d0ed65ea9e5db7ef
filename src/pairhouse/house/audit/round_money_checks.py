"""Checks of the money and the events of a round: transfers follow from its acts, and events say what the rows say."""

from collections import Counter
from typing import Any

import msgspec

from pairhouse.house.audit.chain_checks import digest, read_event
from pairhouse.house.audit.notebook import Differs, Notebook, check_equal, text
from pairhouse.house.audit.round_rows import AuditedRound, Move, transfer_prefix
from pairhouse.house.audit.wallet_call_checks import expect_calls
from pairhouse.house.people import HOUSE_WALLET
from pairhouse.house.store.database import Tx
from pairhouse.house.store.rows import ActRow
from pairhouse.machines.events import Replay
from pairhouse.rounds.round_log import RoundLog
from pairhouse.rounds.round_view import SETTLED


def check_moves(
    notebook: Notebook, accounts: Counter[str], where: str, audited: AuditedRound, state: Replay | None
) -> None:
    """The transfers of a round are those that follow from its acts and its result; they are added to the accounts.

    `state` is its replay, or None if its rules are no longer in force.
    """
    row = audited.row
    check_equal(where, "the sum of its stakes", row.staked, sum(act.staked for act in audited.acts))
    account = f"player:{row.owner}" if row.wallet == HOUSE_WALLET else f"operator:{row.wallet}"
    jackpot = _jackpot_moves(notebook, audited, state)
    expected: dict[str, tuple[Move, int]] = {}
    for act in audited.acts:
        moves: list[Move] = [("stake", account, "held", act.staked)] if act.staked else []
        if act is audited.acts[-1] and row.state == SETTLED:
            moves += [("take", "held", "house", row.staked), *jackpot]
            moves += [("pay", "house", account, row.returned)] if row.returned else []
        if act.kind == "void":
            moves = [("refund", "held", account, row.staked)]
        expected |= {f"{transfer_prefix(act)}:{n}": (move, act.at) for n, move in enumerate(moves)}
    for key, (move, at) in expected.items():
        if key not in audited.moves:
            raise Differs(f"{where}: transfer {key} is missing; it should be {text(move)}")
        check_equal(where, f"transfer {key}", audited.moves[key], (move, at))
    for key in audited.moves:
        if key not in expected:
            raise Differs(f"{where}: transfer {key} follows from nothing in it; there should be none")
    if row.wallet != HOUSE_WALLET:
        expect_calls(notebook, row)
    for (_, debit, credit, amount), _ in audited.moves.values():
        accounts[debit] -= amount
        accounts[credit] += amount


def _jackpot_moves(notebook: Notebook, audited: AuditedRound, state: Replay | None) -> list[Move]:
    """The transfer by which the round fed the meter of its table, or won from it."""
    row = audited.row
    jackpot = f"jackpot:{row.table_id}"
    is_logged = row.state == SETTLED and row.log is not None
    read = msgspec.json.decode(row.log or "", type=RoundLog).meter if is_logged else None
    if state is None:
        moves = [move for move, _ in audited.moves.values() if jackpot in move[1:3]]
        if read is not None:
            fed = sum(amount if credit == jackpot else -amount for _, _, credit, amount in moves)
            _note_sums(notebook, row.table_id, read.amount + read.reserve, fed)
            notebook.add(f"meter by older rules:{row.table_id}", 1)
        return moves
    if state.meter is None or not is_logged:
        return []
    assert read is not None, "a progressive round without a reading of its meter"
    before, after = read.amount + read.reserve, state.meter.amount + state.meter.reserve
    notebook.add(f"meter:{row.table_id}:{state.meter.amount} {state.meter.reserve}", 1)
    notebook.add(f"meter:{row.table_id}:{read.amount} {read.reserve}", -1)
    _note_sums(notebook, row.table_id, before, after - before)
    if after == before:
        return []
    if after > before:
        return [("feed", "house", jackpot, after - before)]
    return [("award", jackpot, "house", before - after)]


def check_events(tx: Tx, notebook: Notebook, where: str, audited: AuditedRound) -> None:
    """Each act is sealed, and the event says what the rows say."""
    row = audited.row
    for act in audited.acts:
        noted = notebook.noted("act", f"{row.id}:{act.number}")
        if noted is None:
            raise Differs(f"{where}, act {act.number}: no event tells of it; every act should be sealed")
        place, _, seal = noted.rpartition(" ")
        prefix = transfer_prefix(act)
        count = sum(1 for key in audited.moves if key.startswith(f"{prefix}:"))
        moves = [list(audited.moves[f"{prefix}:{n}"][0]) for n in range(count)]
        body = _event_body(audited, act, moves)
        if act.kind == "void":
            _, _, event = read_event(tx, place)
            body["by"] = event.get("by")
        if digest(act.at, act.kind, text(body)) != seal:
            _raise_difference(tx, f"{where}, act {act.number}", place, act, body)


def _event_body(audited: AuditedRound, act: ActRow, moves: list[Any]) -> dict[str, Any]:
    """What the event of an act should say, according to the rows."""
    row = audited.row
    body: dict[str, Any] = {"round": row.id, "act": act.number, "player": act.player_id, "balance": act.balance}
    body["transfers"] = moves
    if act.kind == "void":
        return body | {"reason": act.word}
    body |= {"word": act.word, "table": row.table_id, "key": act.key, "body": act.body_hash}
    if act.number == 0:
        body |= {"stream": row.stream_id, "nonce": row.nonce, "first_card": row.first_card, "rules": row.rules_hash}
        body |= {"client_seeds": msgspec.json.decode(row.client_seeds), "seats": msgspec.json.decode(row.seats)}
    if act is audited.acts[-1] and row.state == SETTLED and row.result is not None:
        body["result"] = msgspec.json.decode(row.result)
    return body


def _raise_difference(tx: Tx, where: str, place: str, act: ActRow, body: dict[str, Any]) -> None:
    at, kind, event = read_event(tx, place)
    check_equal(where, "its kind", act.kind, kind)
    check_equal(where, "its time", act.at, at)
    for field in sorted(event.keys() | body.keys()):
        check_equal(f"{where} (event {place})", f"`{field}` in the books", body.get(field), event.get(field))
    raise Differs(f"{where}: event {place} is not written as the house writes it")


def _note_sums(notebook: Notebook, table: str, before: int, fed: int) -> None:
    """Note that a round found `before` on meter and reserve together, and added `fed`."""
    notebook.add(f"meter sum:{table}:{before + fed}", 1)
    notebook.add(f"meter sum:{table}:{before}", -1)
