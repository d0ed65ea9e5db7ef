"""Recall: stored rounds are shown again by replaying them, up to any of their acts."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, select

from pairhouse.core.errors import Refused, shown
from pairhouse.core.game import AcceptedSeats, Variant
from pairhouse.core.meter import Meter
from pairhouse.core.shoe import Shoe, cut_card_is_out
from pairhouse.games.catalogue import find
from pairhouse.house.dealer import Dealer, StreamRow, has_shoe, stream_of
from pairhouse.house.free_bets import free_stake_of, with_free_stake
from pairhouse.house.meters import read_meter
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import acts, rounds, seated
from pairhouse.machines.events import Replay
from pairhouse.machines.replay import replay
from pairhouse.rounds.fairness import Proof
from pairhouse.rounds.round_log import RoundLog
from pairhouse.rounds.round_view import OPEN, SETTLED, RoundView, ShoeState, view_of

CHOICES = (
    select(acts.c.word).where(acts.c.round_id == bindparam("round"), acts.c.kind == "choice").order_by(acts.c.number)
)
LAST_ACT = (
    select(acts.c.number, acts.c.balance, acts.c.at)
    .where(acts.c.round_id == bindparam("round"))
    .order_by(acts.c.number.desc())
    .limit(1)
)
BY_CLOCK = "clock:"  # how the key of a choice begins that was made for a player who did not; no player's key can
_BY_CLOCK = (
    select(acts.c.number)
    .where(acts.c.round_id == bindparam("round"), acts.c.key.startswith(BY_CLOCK, autoescape=True))
    .order_by(acts.c.number)
)
ROUND_COLUMNS = (
    rounds.c.id,
    rounds.c.table_id,
    rounds.c.game,
    rounds.c.options,
    rounds.c.rules_hash,
    rounds.c.stream_id,
    rounds.c.nonce,
    rounds.c.client_seeds,
    rounds.c.first_card,
    rounds.c.seats,
    rounds.c.state,
    rounds.c.opened_at,
    rounds.c.closed_at,
    rounds.c.staked,
    rounds.c.returned,
    rounds.c.log,
)
ROUND = select(*ROUND_COLUMNS).where(rounds.c.id == bindparam("round"))
_MINE = ROUND.join(seated, (seated.c.round_id == rounds.c.id) & (seated.c.player_id == bindparam("player")))


@lru_cache(maxsize=512)
def variant_of(game: str, options: str) -> Variant:
    """A game under options as they are stored."""
    return find(game).variant(msgspec.json.decode(options))


@lru_cache(maxsize=1024)
def _seats(variant: Variant, written: str) -> AcceptedSeats:
    return variant.accept(msgspec.json.decode(written))


class StoredRound(NamedTuple):
    """A stored round, with all that is needed to replay it."""

    id: str
    table_id: str
    game: str
    options: str
    rules_hash: str
    stream_id: str
    nonce: int
    client_seeds: str
    first_card: int
    seats: str
    state: str
    opened_at: int
    closed_at: int | None
    staked: int
    returned: int | None
    log: str | None

    @property
    def variant(self) -> Variant:
        """The game under the options of this round; refused if its rules have changed since."""
        variant = variant_of(self.game, self.options)
        if variant.rules_hash != self.rules_hash:
            sentence = "this round was dealt under rules that are no longer in force here; it can only be voided"
            raise Refused("other-rules", sentence)
        return variant


class Recall:
    """Shows stored rounds. It holds no state of its own."""

    def __init__(self, dealer: Dealer) -> None:
        self.dealer = dealer

    def find(self, tx: Tx, round_id: str, player_id: str) -> StoredRound:
        """A round of this player; a round of anyone else is refused as unknown."""
        row = tx.one(_MINE, {"round": round_id, "player": player_id})
        if row is None:
            raise no_such_round(round_id)
        return StoredRound._make(row)

    def play_from(
        self,
        stored: StoredRound,
        stream: StreamRow,
        choices: Sequence[str],
        meter: Meter | None,
        void: str | None = None,
    ) -> Replay:
        """Replay a round as far as these choices go."""
        variant, seeds = stored.variant, msgspec.json.decode(stored.client_seeds)
        order = self.dealer.order(stream.id, stream.sealed_seed, variant, stored.rules_hash, seeds, stored.nonce)
        cards = order.after(stored.first_card) if stored.first_card else order
        return replay(variant, cards, _seats(variant, stored.seats), choices, meter=meter, void=void)

    def view(self, tx: Tx, round_id: str, player_id: str) -> RoundView:
        """A round with all of its acts so far, for its player."""
        stored = self.find(tx, round_id, player_id)
        last = tx.one(LAST_ACT, {"round": round_id})
        assert last is not None
        _, balance, at = last
        return self.view_after(tx, stored, None, balance, at)

    def view_after(self, tx: Tx, stored: StoredRound, number: int | None, balance: int, at: int) -> RoundView:
        """A round after its act `number`, or after all of them where that is None."""
        if stored.log is not None and (number is None or stored.state == SETTLED):
            log = msgspec.json.decode(stored.log, type=RoundLog)
            meter = log.meter_before(stored.variant) if log.meter is not None else None
        else:
            log, meter = None, read_meter(tx, stored.table_id, stored.variant) if stored.state == OPEN else None
        choices = log.choices if log is not None else [word for (word,) in tx.all(CHOICES, {"round": stored.id})]
        void = log.void if log is not None and number is None else None
        if number is not None:
            choices = choices[:number]
        stream, is_revealed = stream_of(tx, stored.stream_id)
        state = self.play_from(stored, stream, choices, meter, void=void)
        proof = self.proof(stored, stream, state, is_revealed and number is None)
        shown_log = log if state.is_over else None
        view = view_of(
            stored.opened_at, stored.id, stored.table_id, state, shown_log, balance, proof,
            closed_at=stored.closed_at if number is None else at, choices=list(choices),
            shoe=_shoe_after(tx, stored, state),
        )  # fmt: skip
        free = free_stake_of(tx, stored.id)
        view = with_free_stake(view, free, state) if free is not None else view
        if number is not None:
            return view
        automatic = [at for (at,) in tx.all(_BY_CLOCK, {"round": stored.id})] if state.is_over else []
        return msgspec.structs.replace(view, state=stored.state, automatic=automatic)

    def public_replay(self, tx: Tx, round_id: str) -> RoundView:
        """A closed round for anybody, marked as a replay, without anybody's balance."""
        row = tx.one(ROUND, {"round": round_id})
        stored = StoredRound._make(row) if row is not None else None
        if stored is None or stored.state == OPEN:
            raise no_such_round(round_id)
        view = self.view_after(tx, stored, None, 0, 0)
        return msgspec.structs.replace(view, replay=True)

    def proof(self, stored: StoredRound, stream: StreamRow, state: Replay, is_revealed: bool = False) -> Proof:
        """What a round is verified with; the server seed is in it only if it is revealed.

        An answer that is repeated must be the same as the first time, so it never shows the seed.
        """
        seed = self.dealer.vault.open(stream.sealed_seed, stream.id).hex() if is_revealed else None
        return Proof(
            game=stored.game,
            rules_hash=stored.rules_hash,
            commitment=stream.commitment,
            server_seed=seed,
            client_seeds=msgspec.json.decode(stored.client_seeds),
            nonce=stored.nonce,
            first_card=stored.first_card,
            cards_used=state.cards_used,
        )


def no_such_round(round_id: str) -> Refused:
    return Refused("unknown-round", f"there is no round {shown(round_id)} of yours")


def _shoe_after(tx: Tx, stored: StoredRound, state: Replay) -> ShoeState | None:
    """How far the shoe was dealt after a round of it, computed from where the round began; None without a shoe."""
    if not state.variant.game.shoe or not has_shoe(tx, stored.stream_id, stored.nonce):
        return None
    decks, jokers = state.variant.pack
    size, behind_cut = decks * (52 + jokers), state.variant.options["cut_card"]
    was_last = cut_card_is_out(stored.first_card, size, behind_cut)
    after = Shoe(range(size), behind_cut, stored.first_card, last_round=was_last).after(state.cards_used)
    return ShoeState(stored.nonce, size, after.dealt, behind_cut, after.last_round, after.finished)
