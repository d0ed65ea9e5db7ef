"""Checks of the money and the events of a round: transfers follow from its acts, and events say what the rows say."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NoReturn

import msgspec

from pairhouse.core.meter import Meter
from pairhouse.house.audit.free_bet_checks import check_free_stake, free_moves_of
from pairhouse.house.audit.notebook import Differs, Notebook, check_equal, text
from pairhouse.house.audit.round_rows import ActEvent, AuditedRound, Move, transfer_prefix
from pairhouse.house.audit.wallet_call_checks import PlayedFor, expect_calls
from pairhouse.house.free_bets import OwnMoney
from pairhouse.house.people import HOUSE_WALLET
from pairhouse.house.store.rows import ActRow
from pairhouse.machines.events import Replay
from pairhouse.rounds.round_log import MeterReading, RoundLog
from pairhouse.rounds.round_view import OPEN, SETTLED, VOID

TEXTS_KEPT = 4_096


@lru_cache(maxsize=TEXTS_KEPT)
def decoded(stored: str) -> Any:
    """What a stored text says, to be read and never changed: wagers, seeds and results mostly come again."""
    return msgspec.json.decode(stored)


def check_moves(
    notebook: Notebook, accounts: Counter[str], where: str, audited: AuditedRound, state: Replay | None
) -> tuple[int, list[list[Move]]]:
    """The transfers of a round are those that follow from its acts and its result; they are added to the accounts.

    `state` is its replay, or None if its rules are no longer in force: then they must add up. What is still held, and
    the transfers of each act.
    """
    row = audited.row
    check_equal(where, "the sum of its stakes", row.staked, sum([act.staked for act in audited.acts]))
    account = f"player:{row.owner}" if row.wallet == HOUSE_WALLET else f"operator:{row.wallet}"
    jackpot = _jackpot_moves(notebook, audited, state)
    free = check_free_stake(where, audited)
    decided = _decided_by_acts(audited, account, state, free[1] if free is not None else None)
    own_staked = free[1].staked if free is not None else row.staked
    expected: dict[str, tuple[Move, int]] = {}
    by_act: list[list[Move]] = []
    for act, (taken, paid) in zip(audited.acts, decided, strict=True):
        cost = 0 if free is not None and act.number == 0 else act.staked
        moves: list[Move] = [("stake", account, "held", cost)] if cost else []
        if act.kind == "void":
            undecided = own_staked - sum(taken for taken, _ in decided)
            moves += [("refund", "held", account, undecided)] if undecided else []
        moves += [("take", "held", "house", taken)] if taken else []
        moves += jackpot if act is audited.acts[-1] and row.state == SETTLED else []
        moves += [("pay", "house", account, paid)] if paid else []
        if free is not None:
            moves += free_moves_of(*free, act.number == 0, act is audited.acts[-1] and row.state != OPEN)
        by_act.append(moves)
        prefix, at = transfer_prefix(act), act.at
        for number, move in enumerate(moves):
            expected[f"{prefix}:{number}"] = (move, at)
            accounts[move[1]] -= move[3]
            accounts[move[2]] += move[3]
    if expected != audited.moves:
        _raise_other_moves(where, audited.moves, expected)
    if row.wallet != HOUSE_WALLET:
        is_open = row.state == OPEN
        rolled_back = row.state == VOID and not any(taken for taken, _ in decided)
        paid = 0 if is_open else row.returned or 0
        expect_calls(notebook, PlayedFor(row.id, row.owner or "", row.staked, paid, is_open, rolled_back))
    held = own_staked - sum(taken for taken, _ in decided) if row.state == OPEN else 0
    return held, by_act


def _raise_other_moves(
    where: str, found: dict[str, tuple[Move, int]], expected: dict[str, tuple[Move, int]]
) -> NoReturn:
    """Name the first transfer that is missing, another one, or too many."""
    for key, move in expected.items():
        if key not in found:
            raise Differs(f"{where}: transfer {key} is missing; it should be {text(move[0])}")
        check_equal(where, f"transfer {key}", found[key], move)
    key = next(key for key in found if key not in expected)
    raise Differs(f"{where}: transfer {key} follows from nothing in it; there should be none")


def _decided_by_acts(
    audited: AuditedRound, account: str, state: Replay | None, own: OwnMoney | None
) -> list[tuple[int, int]]:
    """What each act of a round has decided: the stakes taken, and what was paid.

    By rules no longer in force it is what the transfers say, as long as they come to what the round says. A round on a
    free bet is paid when it is over: `own` is what of it is the player's own.
    """
    row, count = audited.row, len(audited.acts)
    if own is not None:
        is_decided = row.state == SETTLED or (row.state == VOID and own.returned != own.staked)
        return [*[(0, 0)] * (count - 1), (own.staked, own.returned) if is_decided else (0, 0)]
    if state is None:
        told = [_told(audited, act, account) for act in audited.acts]
        taken, paid = (sum(each[part] for each in told) for part in (0, 1))
        refunded = row.staked - taken if row.state == VOID else 0
        if row.state == SETTLED:
            check_equal(f"round {row.id}", "what was taken in it", taken, row.staked)
        if row.returned is not None:
            check_equal(f"round {row.id}", "what was paid in it", paid + refunded, row.returned)
        return told
    if row.wallet == HOUSE_WALLET and state.variant.pays_when_decided:
        return _decided_between_choices(state, count)
    if row.state == SETTLED:
        return [*[(0, 0)] * (count - 1), (row.staked, row.returned or 0)]
    if row.state == VOID:
        undecided, _ = state.last_decided()
        return [*[(0, 0)] * (count - 1), (row.staked - undecided, (row.returned or 0) - undecided)]
    return [(0, 0)] * count


def _told(audited: AuditedRound, act: ActRow, account: str) -> tuple[int, int]:
    moves = [move for key, (move, _) in audited.moves.items() if key.startswith(f"{transfer_prefix(act)}:")]
    taken = sum(amount for kind, debit, credit, amount in moves if (kind, debit, credit) == ("take", "held", "house"))
    paid = sum(amount for kind, debit, credit, amount in moves if (kind, debit, credit) == ("pay", "house", account))
    return taken, paid


def _decided_between_choices(state: Replay, count: int) -> list[tuple[int, int]]:
    """What was decided with the deal and after each choice; a void decides nothing."""
    decided = [[0, 0]]
    for event in state.events:
        if event.kind == "chosen":
            decided.append([0, 0])
        elif event.kind == "settled":
            decided[-1][0] += event.stake or 0
            decided[-1][1] += event.returned or 0
        elif event.kind == "void":
            break
    return [(taken, paid) for taken, paid in decided] + [(0, 0)] * (count - len(decided))


def _jackpot_moves(notebook: Notebook, audited: AuditedRound, state: Replay | None) -> list[Move]:
    """The transfer by which the round fed the meter of its table, or won from it."""
    row = audited.row
    if state is not None and state.meter is None:
        return []
    jackpot = f"jackpot:{row.table_id}"
    is_logged = row.state == SETTLED and row.log is not None
    read = msgspec.json.decode(row.log or "", type=RoundLog).meter if is_logged else None
    if state is None:
        moves = [move for move, _ in audited.moves.values() if jackpot in move[1:3]]
        if read is not None:
            note_older_meter(notebook, row.table_id, read, moves)
        return moves
    if state.meter is None or not is_logged:
        return []
    assert read is not None, "a progressive round without a reading of its meter"
    return meter_moves(notebook, row.table_id, read, state.meter)


def meter_moves(notebook: Notebook, table: str, read: MeterReading, meter: Meter | None) -> list[Move]:
    """Note that a round found a reading and left another; the transfer to or from the jackpot that follows from it."""
    assert meter is not None, "a round with a reading of a meter that its game does not have"
    jackpot = f"jackpot:{table}"
    before, after = read.amount + read.reserve, meter.amount + meter.reserve
    notebook.add(f"meter:{table}:{meter.amount} {meter.reserve}", 1)
    notebook.add(f"meter:{table}:{read.amount} {read.reserve}", -1)
    _note_sums(notebook, table, before, after - before)
    if after == before:
        return []
    if after > before:
        return [("feed", "house", jackpot, after - before)]
    return [("award", jackpot, "house", before - after)]


def note_older_meter(notebook: Notebook, table: str, read: MeterReading, moves: Iterable[Sequence[Any]]) -> None:
    """The same for a round by rules no longer in force, from the transfers it made."""
    jackpot = f"jackpot:{table}"
    moved = [move for move in moves if jackpot in move[1:3]]
    fed = sum(amount if credit == jackpot else -amount for _, _, credit, amount in moved)
    _note_sums(notebook, table, read.amount + read.reserve, fed)
    notebook.add(f"meter by older rules:{table}", 1)


def check_events(where: str, audited: AuditedRound, moves: list[list[Move]]) -> None:
    """Each act is sealed, and the event says what the rows say; `moves` are the transfers of each act."""
    for act, (at, kind, event), moved in zip(audited.acts, audited.events, moves, strict=True):
        if event is None:
            raise Differs(f"{where}, act {act.number}: no event tells of it; every act should be sealed")
        body = _event_body(audited, act, moved)
        if act.kind == "void":
            body["by"] = msgspec.json.decode(event).get("by")
        if (at, kind) != (act.at, act.kind) or text(body) != event:
            _raise_difference(f"{where}, act {act.number}", act, body, audited.events[act.number])


def _event_body(audited: AuditedRound, act: ActRow, moves: list[Move]) -> dict[str, Any]:
    """What the event of an act should say, according to the rows."""
    row = audited.row
    body: dict[str, Any] = {"round": row.id, "act": act.number, "player": act.player_id, "balance": act.balance}
    body["transfers"] = moves
    if act.kind == "void":
        return body | {"reason": act.word}
    body |= {"word": act.word, "table": row.table_id, "key": act.key, "body": act.body_hash}
    if act.number == 0:
        body |= {"stream": row.stream_id, "nonce": row.nonce, "first_card": row.first_card, "rules": row.rules_hash}
        body |= {"client_seeds": decoded(row.client_seeds), "seats": decoded(row.seats)}
        if row.free_bet is not None:
            body["free_bet"] = row.free_bet
    if act is audited.acts[-1] and row.state == SETTLED and row.result is not None:
        body["result"] = decoded(row.result)
    return body


def _raise_difference(where: str, act: ActRow, body: dict[str, Any], told: ActEvent) -> None:
    check_equal(where, "its kind", act.kind, told.kind)
    check_equal(where, "its time", act.at, told.at)
    event, body = msgspec.json.decode(str(told.body)), msgspec.json.decode(text(body))
    place = f"{where} (event {act.chain} {act.event})"
    for field in sorted(event.keys() | body.keys()):
        check_equal(place, f"`{field}` in the books", body.get(field), event.get(field))
    raise Differs(f"{where}: event {act.chain} {act.event} is not written as the house writes it")


def _note_sums(notebook: Notebook, table: str, before: int, fed: int) -> None:
    """Note that a round found `before` on meter and reserve together, and added `fed`."""
    notebook.add(f"meter sum:{table}:{before + fed}", 1)
    notebook.add(f"meter sum:{table}:{before}", -1)
