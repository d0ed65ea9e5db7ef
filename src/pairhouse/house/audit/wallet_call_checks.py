"""Checks of the calls to operators' wallets: against their events, and round by round against the money moved."""

from typing import NamedTuple

from sqlalchemy import bindparam, select

from pairhouse.house.audit.notebook import Differs, Notebook, check_equal, text
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import calls
from pairhouse.house.wallet_calls import BET, DONE, DUE, REFUSED, ROLLBACK, SENT, UNDONE, UNKNOWN, WIN

PAGE = 5_000
LATER = {SENT: (DONE, REFUSED, UNKNOWN, UNDONE), DUE: (DONE,), DONE: (UNDONE,)}  # what may follow a state
_CALLS = (
    select(
        calls.c.id,
        calls.c.kind,
        calls.c.round_id,
        calls.c.player_id,
        calls.c.amount,
        calls.c.state,
        calls.c.wallet,
        calls.c.reference,
        calls.c.key,
        calls.c.body_hash,
        calls.c.made_at,
        calls.c.chain,
        calls.c.event,
    )
    .where(calls.c.id > bindparam("after"))
    .order_by(calls.c.id)
    .limit(PAGE)
)


class PlayedFor(NamedTuple):
    """What an operator's player staked in a round, what is paid of it so far, and how it stands."""

    round_id: str
    player_id: str
    staked: int
    paid: int
    is_open: bool
    rolled_back: bool


def expect_calls(notebook: Notebook, played: PlayedFor) -> None:
    """Note what the operator must have been asked for: the stakes of a round, its wins when it closed, or all back."""
    name = f"call:{played.round_id} {played.player_id}"
    notebook.add(f"{name} {BET}", -played.staked)
    if played.rolled_back:
        notebook.add(f"{name} {ROLLBACK}", -played.staked)
        return
    notebook.add(f"{name} {WIN}", -played.paid)
    if not played.is_open:
        notebook.add(f"{name} closing", -1)


def check_calls(tx: Tx, notebook: Notebook) -> int:
    """Check every call against its events and against the rounds; how many calls there are."""
    after, count = "", 0
    while rows := tx.all(_CALLS, {"after": after}):
        after = rows[-1][0]
        for call_id, kind, round_id, player_id, amount, state, wallet, *more, chain, event in rows:
            noted = notebook.noted("call", f"{call_id}:{state}")
            if noted is None:
                raise Differs(f"call {call_id} is {state}; no event tells so")
            later = next((one for one in LATER.get(state, ()) if notebook.noted("call", f"{call_id}:{one}")), None)
            if later is not None:
                raise Differs(f"call {call_id} is {state} again; an event tells that it was {later}")
            says = text([kind, round_id, player_id, amount])
            check_equal(f"call {call_id}", "what the books say", says, noted)
            check_equal(f"call {call_id}", "what it was made for", says, notebook.noted("call made", call_id))
            sealed = notebook.noted("call sealed", call_id)
            if sealed is not None:  # an older version sealed no more than the money and whose it is
                check_equal(f"call {call_id}", "what it asks for", text([wallet, *more, f"{chain} {event}"]), sealed)
            _add(notebook, kind, f"call:{round_id} {player_id}", amount, state, is_last=call_id.endswith("W"))
            count += 1
    check_equal("calls to wallets", "how many there are", count, notebook.count("call made"))
    for name, left in notebook.sums("call:"):
        if left:
            round_id, _, what = name.split(" ")
            raise Differs(
                f"round {round_id}: its calls to the wallet ({what}) are {left} more than the books have moved"
            )
    return count


def _add(notebook: Notebook, kind: str, name: str, amount: int, state: str, *, is_last: bool) -> None:
    if kind != BET:
        notebook.add(f"{name} {kind}", amount)
        notebook.add(f"{name} closing", int(kind == WIN and is_last))
    elif state == DONE:
        notebook.add(f"{name} {BET}", amount)
    elif state in (UNKNOWN, UNDONE):  # nobody plays for it: it is rolled back
        notebook.add(f"{name} {ROLLBACK}", -amount)
