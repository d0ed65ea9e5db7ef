"""Checks of the calls to operators' wallets: against their events, and round by round against the money moved."""

from sqlalchemy import bindparam, select

from pairhouse.house.audit.notebook import Differs, Notebook, check_equal, text
from pairhouse.house.audit.round_rows import JoinedRound
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import calls
from pairhouse.house.wallet_calls import BET, DONE, ROLLBACK, UNDONE, UNKNOWN, WIN
from pairhouse.rounds.round_view import OPEN

PAGE = 5_000
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


def expect_calls(notebook: Notebook, row: JoinedRound, *, rolled_back: bool) -> None:
    """Note what the operator must have been asked for: the stakes of a round, its win when it closed, or all back."""
    notebook.add(f"call:{row.id} {BET}", -row.staked)
    if rolled_back:
        notebook.add(f"call:{row.id} {ROLLBACK}", -row.staked)
    elif row.state != OPEN:
        notebook.add(f"call:{row.id} {WIN}", -(row.returned or 0))
        notebook.add(f"call:{row.id} closing", -1)


def check_calls(tx: Tx, notebook: Notebook) -> int:
    """Check every call against its events and against the rounds; how many calls there are."""
    after, count = "", 0
    while rows := tx.all(_CALLS, {"after": after}):
        after = rows[-1][0]
        for call_id, kind, round_id, player_id, amount, state, wallet, *more, chain, event in rows:
            noted = notebook.noted("call", f"{call_id}:{state}")
            if noted is None:
                raise Differs(f"call {call_id} is {state}; no event tells so")
            says = text([kind, round_id, player_id, amount])
            check_equal(f"call {call_id}", "what the books say", says, noted)
            check_equal(f"call {call_id}", "what it was made for", says, notebook.noted("call made", call_id))
            sealed = notebook.noted("call sealed", call_id)
            if sealed is not None:  # an older version sealed no more than the money and whose it is
                check_equal(f"call {call_id}", "what it asks for", text([wallet, *more, f"{chain} {event}"]), sealed)
            _add(notebook, kind, round_id, amount, state)
            count += 1
    check_equal("calls to wallets", "how many there are", count, notebook.count("call made"))
    for name, left in notebook.sums("call:"):
        if left:
            round_id, _, what = name.partition(" ")
            raise Differs(
                f"round {round_id}: its calls to the wallet ({what}) are {left} more than the books have moved"
            )
    return count


def _add(notebook: Notebook, kind: str, round_id: str, amount: int, state: str) -> None:
    if kind != BET:
        notebook.add(f"call:{round_id} {kind}", amount)
        notebook.add(f"call:{round_id} closing", int(kind == WIN))
    elif state == DONE:
        notebook.add(f"call:{round_id} {BET}", amount)
    elif state in (UNKNOWN, UNDONE):  # nobody plays for it: it is rolled back
        notebook.add(f"call:{round_id} {ROLLBACK}", -amount)
