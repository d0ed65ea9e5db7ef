"""Everything the books know about a choice that arrives, read for many choices at once by two queries."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Select, select

from pairhouse.core.errors import Refused
from pairhouse.house.bank import PLAYER
from pairhouse.house.care.records import CARE_COLUMNS, CareRecord, care_in
from pairhouse.house.commands import RoundChoice
from pairhouse.house.dealer import STREAM_COLUMNS, StreamRow
from pairhouse.house.free_bets import FREE_STAKE_COLUMNS, FreeStake, free_stake_in
from pairhouse.house.people import SESSION_COLUMNS, Person, person_in
from pairhouse.house.recall import ROUND_COLUMNS, StoredRound, no_such_round
from pairhouse.house.store.database import Row
from pairhouse.house.store.free_bet_schema import free_bets, free_stakes
from pairhouse.house.store.schema import accounts, acts, care, players, rounds, seated, sessions, streams
from pairhouse.house.store.statements import ForEach, slices_of
from pairhouse.house.store.transaction import WriteTx
from pairhouse.rounds.round_view import OPEN

_PLAYER_COLUMNS = (accounts.c.balance, acts.c.round_id)
_GROUPS = (SESSION_COLUMNS, ROUND_COLUMNS, STREAM_COLUMNS, _PLAYER_COLUMNS, CARE_COLUMNS, FREE_STAKE_COLUMNS)
_SESSION, _ROUND, _STREAM, _PLAYER, _CARE, _FREE = slices_of(*_GROUPS)
CHOICE_PLAYER_ID = _SESSION.start  # where a row has the id of its player, or None


def _contexts(choices: Any) -> Select[Any]:
    """A row for each choice, with whatever of it exists. A round of another player is not found."""
    joined = (
        choices.outerjoin(sessions, sessions.c.token_hash == choices.c.token)
        .outerjoin(players, players.c.id == sessions.c.player_id)
        .outerjoin(seated, (seated.c.player_id == players.c.id) & (seated.c.round_id == choices.c.at_round))
        .outerjoin(rounds, rounds.c.id == seated.c.round_id)
        .outerjoin(streams, streams.c.id == rounds.c.stream_id)
        .outerjoin(accounts, accounts.c.id == PLAYER + players.c.id)
        .outerjoin(acts, (acts.c.player_id == players.c.id) & (acts.c.key == choices.c.act_key))
        .outerjoin(care, care.c.player_id == players.c.id)
        .outerjoin(free_stakes, free_stakes.c.round_id == rounds.c.id)
        .outerjoin(free_bets, free_bets.c.id == free_stakes.c.free_bet)
    )
    return select(choices.c.place, *(column for group in _GROUPS for column in group)).select_from(joined)


def _words(choices: Any) -> Select[Any]:
    made = choices.join(acts, (acts.c.round_id == choices.c.at_round) & (acts.c.kind == "choice"))
    return select(choices.c.place, acts.c.word).select_from(made).order_by(choices.c.place, acts.c.number)


_CONTEXTS = ForEach(("token", "at_round", "act_key"), _contexts)
_WORDS = ForEach(("at_round",), _words)


class ChoiceContext(NamedTuple):
    """What must be known to accept a choice: the player, the round with its stream, and the choices before."""

    person: Person
    round_id: str
    found: tuple[StoredRound, StreamRow] | None
    choices: list[str]
    balance: int
    known_key: bool
    care: CareRecord
    free: FreeStake | None

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

    def check(self, choice: RoundChoice) -> None:
        """The round is open, and this is the choice it waits for."""
        if self.stored.state != OPEN:
            raise Refused("round-closed", f"the round is {self.stored.state}; it asks nothing any more")
        if choice.number != len(self.choices):
            given = f"choice number {choice.number} was given, but {len(self.choices)} choices were made so far"
            raise Refused("out-of-turn", f"{given}; look at the round again, then choose")


def read_choice_contexts(tx: WriteTx, commands: Sequence[tuple[str, RoundChoice]]) -> list[tuple[Row, list[str]]]:
    """For each choice (with the hash of its player's token): a row of the books, and the choices made before it."""
    words: list[list[str]] = [[] for _ in commands]
    for place, word in tx.all(_WORDS, {"items": _json([(choice.round_id,) for _, choice in commands])}):
        words[place].append(word)
    rows: list[Row] = [()] * len(words)
    keys = [(token_hash, choice.round_id, choice.key) for token_hash, choice in commands]
    for row in tx.all(_CONTEXTS, {"items": _json(keys)}):
        rows[row[0]] = row
    return list(zip(rows, words, strict=True))


def choice_context_in(tx: WriteTx, row: Row, words: list[str], token_hash: str, choice: RoundChoice) -> ChoiceContext:
    """The context in a row, if the session has not ended and the player may play."""
    person = person_in(tx, row[_SESSION] if row[CHOICE_PLAYER_ID] is not None else None, token_hash, tx.now)
    found = None
    if row[_ROUND.start] is not None:
        found = StoredRound._make(row[_ROUND]), StreamRow(*row[_STREAM])
    balance, act = row[_PLAYER]
    cared, free = care_in(row[_CARE]), free_stake_in(row[_FREE])
    return ChoiceContext(person, choice.round_id, found, words, balance or 0, act is not None, cared, free)


def choice_context(tx: WriteTx, token_hash: str, choice: RoundChoice) -> ChoiceContext:
    """The context of a single choice."""
    row, words = read_choice_contexts(tx, [(token_hash, choice)])[0]
    return choice_context_in(tx, row, words, token_hash, choice)


def _json(items: object) -> str:
    return msgspec.json.encode(items).decode()
