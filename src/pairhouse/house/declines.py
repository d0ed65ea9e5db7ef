"""Offers that a player declines with the bet: the house answers them with the deal, in the same transaction.

An offer is declined by the choice whose name is `no-` and that of the offer: insurance by no-insurance. Such an answer
is a choice like any other in the log, so the round replays as it was played. Its key begins with `auto:`, which no
player's key can, and marks it as automatic in the books and in the sealed event.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, select

from pairhouse.core.errors import Refused, shown
from pairhouse.core.game import Game
from pairhouse.core.meter import Meter
from pairhouse.house.booking import Act, book_act
from pairhouse.house.commands import RoundBet, RoundChoice
from pairhouse.house.free_bets import FreeStake
from pairhouse.house.store.database import Row, Tx
from pairhouse.house.store.schema import acts
from pairhouse.house.store.transaction import WriteTx
from pairhouse.machines.events import Replay

DECLINED = "no-"  # what the word of an answer begins with, before that of the offer
AUTOMATIC = "auto:"
_LAST_AUTOMATIC = (
    select(acts.c.number, acts.c.balance, acts.c.at)
    .where(acts.c.round_id == bindparam("round"), acts.c.key.startswith(AUTOMATIC, autoescape=True))
    .order_by(acts.c.number.desc())
    .limit(1)
)


class Declined(NamedTuple):
    """An offer that was declined, and the round after it."""

    word: str
    state: Replay


def answers_to(offers: Collection[str], game: Game) -> list[str]:
    """The words that decline these offers, or a refusal that names what can be declined in this game."""
    if not offers:
        return []
    words = {action.name for action in game.actions}
    declinable = {word.removeprefix(DECLINED) for word in words if word.startswith(DECLINED)} & words
    for offer in offers:
        if offer not in declinable:
            accepted = f"what can be declined is {', '.join(sorted(declinable))}" if declinable else "nothing can be"
            raise Refused("unknown-offer", f"{game.name} makes no offer {shown(offer)} to decline; {accepted}")
    return [DECLINED + offer for offer in offers]


def decline_offers(answers: Collection[str], dealt: Replay, play: Callable[[Sequence[str]], Replay]) -> list[Declined]:
    """Give these answers for as long as the round asks for them; `play` replays it with the choices so far."""
    declined: list[Declined] = []
    state = dealt
    while state.awaiting is not None:
        word = next((word for word in answers if word in state.awaiting.options), None)
        if word is None:
            break
        state = play([*(earlier.word for earlier in declined), word])
        declined.append(Declined(word, state))
    return declined


def book_declines(
    tx: WriteTx,
    opened: Act,
    bet: RoundBet,
    declined: Sequence[Declined],
    meter: Meter | None,
    balance: int,
    free: FreeStake | None = None,
) -> int:
    """Write each automatic answer down as an act after the bet; the balance after the last."""
    for number, (word, state) in enumerate(declined, start=1):
        key = f"{AUTOMATIC}{opened.round_id}:{number}"
        choice = RoundChoice(
            round_id=opened.round_id,
            word=word,
            number=number - 1,
            key=key,
            body_hash="",
            operator_balance=bet.operator_balance,
        )
        act = Act(opened.round_id, number, opened.person, choice, "choice", word, balance)
        balance = book_act(tx, act, bet.table, meter, state, 0, free=free)
    return balance


def last_automatic(tx: Tx, round_id: str) -> Row | None:
    """The last automatic act of a round: its number, the balance after it and its time."""
    return tx.one(_LAST_AUTOMATIC, {"round": round_id})
