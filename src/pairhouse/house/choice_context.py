"""Whose turn it is: all that a choice must ask of the books, found for many at once, in two readings."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Select, select

from pairhouse.core.errors import Refused
from pairhouse.house.bank import PLAYER
from pairhouse.house.commands import Choice
from pairhouse.house.people import SESSION_COLUMNS, Person, person_in
from pairhouse.house.recall import ROUND_COLUMNS, StoredRound, no_such_round
from pairhouse.house.seats import STREAM_COLUMNS, StreamRow
from pairhouse.house.store.database import ForEach, Row
from pairhouse.house.store.schema import accounts, acts, players, rounds, seated, sessions, streams
from pairhouse.house.store.transaction import WriteTx
from pairhouse.rounds.round_view import OPEN

_OF_SESSION, _OF_ROUND, _OF_STREAM = len(SESSION_COLUMNS), len(ROUND_COLUMNS), len(STREAM_COLUMNS)


def _turns(asked: Any) -> Select[Any]:
    """A row for each that is asked, whatever of it exists. A round of somebody else does not exist."""
    found = (
        asked.outerjoin(sessions, sessions.c.token_hash == asked.c.token)
        .outerjoin(players, players.c.id == sessions.c.player_id)
        .outerjoin(seated, (seated.c.player_id == players.c.id) & (seated.c.round_id == asked.c.at_round))
        .outerjoin(rounds, rounds.c.id == seated.c.round_id)
        .outerjoin(streams, streams.c.id == rounds.c.stream_id)
        .outerjoin(accounts, accounts.c.id == PLAYER + players.c.id)
        .outerjoin(acts, (acts.c.player_id == players.c.id) & (acts.c.key == asked.c.act_key))
    )
    rest = (accounts.c.balance, acts.c.round_id)
    return select(asked.c.place, *SESSION_COLUMNS, *ROUND_COLUMNS, *STREAM_COLUMNS, *rest).select_from(found)


def _choices(asked: Any) -> Select[Any]:
    made = asked.join(acts, (acts.c.round_id == asked.c.at_round) & (acts.c.kind == "choice"))
    return select(asked.c.place, acts.c.word).select_from(made).order_by(asked.c.place, acts.c.number)


_TURNS = ForEach(("token", "at_round", "act_key"), _turns)
_CHOICES = ForEach(("at_round",), _choices)


class ChoiceContext(NamedTuple):
    """A player who comes to a round of theirs to choose."""

    person: Person
    round_id: str
    found: tuple[StoredRound, StreamRow] | None
    choices: list[str]
    balance: int
    known_key: bool

    @property
    def stored(self) -> StoredRound:
        if self.found is None:
            raise no_such_round(self.round_id)
        return self.found[0]

    @property
    def stream(self) -> StreamRow:
        if self.found is None:
            raise no_such_round(self.round_id)
        return self.found[1]

    def check(self, choice: Choice) -> None:
        """The round is open, and this is the choice it asks for now."""
        if self.stored.state != OPEN:
            raise Refused("round-closed", f"the round is {self.stored.state}; it asks nothing any more")
        if choice.number != len(self.choices):
            given = f"choice number {choice.number} was given, but {len(self.choices)} choices were made so far"
            raise Refused("out-of-turn", f"{given}; look at the round again, then choose")


def read_choice_contexts(tx: WriteTx, asked: Sequence[tuple[str, Choice]]) -> list[tuple[Row, list[str]]]:
    """What the books know of each choice, by the hash of its player's token: a row, and the choices made before."""
    named = [(token_hash, choice.round_id, choice.key) for token_hash, choice in asked]
    made: list[list[str]] = [[] for _ in asked]
    for place, word in tx.all(_CHOICES, {"asked": _listed([(choice.round_id,) for _, choice in asked])}):
        made[place].append(word)
    rows: list[Row] = [()] * len(made)
    for row in tx.all(_TURNS, {"asked": _listed(named)}):
        rows[row[0]] = row
    return list(zip(rows, made, strict=True))


def choice_context_in(tx: WriteTx, found: tuple[Row, list[str]], token_hash: str, choice: Choice) -> ChoiceContext:
    """The turn in what was found, if the session is alive and the player may play."""
    row, choices = found
    of_round = 1 + _OF_SESSION
    of_stream = of_round + _OF_ROUND
    rest = of_stream + _OF_STREAM
    person = person_in(tx, row[1:of_round] if row[1] is not None else None, token_hash, tx.now)
    mine = None
    if row[of_round] is not None:
        mine = StoredRound._make(row[of_round:of_stream]), StreamRow._make(row[of_stream:rest])
    balance, act = row[rest:]
    return ChoiceContext(person, choice.round_id, mine, choices, balance or 0, act is not None)


def choice_context(tx: WriteTx, token_hash: str, choice: Choice) -> ChoiceContext:
    """One player who comes to choose."""
    return choice_context_in(tx, read_choice_contexts(tx, [(token_hash, choice)])[0], token_hash, choice)


def _listed(asked: object) -> str:
    return msgspec.json.encode(asked).decode()
