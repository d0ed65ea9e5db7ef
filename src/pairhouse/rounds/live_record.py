"""The record of a closed live round, which anybody can verify: who bet what, the seeds, the cards, and every payment.

It has the form of any closed round, and the seeds of all beside it. Where any number of people bet, it lists the wagers
of the reader, or of the first few: the cards do not depend on how many bet.
"""

from collections.abc import Sequence

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.machines.events import BetRecord
from pairhouse.rounds.fairness import Proof, proof_record
from pairhouse.rounds.live_results import LiveResults
from pairhouse.rounds.live_round import LiveRound
from pairhouse.rounds.live_shoe import ShoeCoup, ShoeProof
from pairhouse.rounds.round_log import RoundLog, faces
from pairhouse.rounds.round_view import SETTLED
from pairhouse.rounds.shared_seeds import MixedSeeds, mixed_for


class LiveWagers(msgspec.Struct, frozen=True):
    """What every wager of each listed seat came to."""

    wagers: list[dict[str, BetRecord]]


class LiveRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A closed live round. `pairhouse verify` and the verifiers that share no code with the house read it.

    `shoe` has the seeds of the coups before it, so that it can be dealt again from the first card of its shoe.
    """

    id: str
    state: str
    proof: Proof
    log: RoundLog
    view: LiveWagers
    staked: int
    returned: int
    mixed: MixedSeeds
    shoe: ShoeProof | None = None


def live_record(
    live: LiveRound, rules_hash: str, seat: int | None = None, before: Sequence[ShoeCoup] = ()
) -> LiveRecord:
    """The record of a round that is closed and paid, for the holder of a seat or for anybody.

    `before` are the coups dealt from its shoe before it.
    """
    if live.opened is None or live.closed is None:
        raise Refused("round-open", "the round is not closed, or was called off; a round is checked once it is paid")
    variant, seed = live.table.variant, bytes.fromhex(live.closed.server_seed)
    game, mixed = variant.game.id, live.client_seeds
    state = live.state(live.order(seed, rules_hash))
    shoe = live.opened.shoe
    results = LiveResults(live, state)
    mine = seat if seat in live.bets else None
    seats = live.replayed_seats if mine is None or results.is_replayed(mine) else [mine]
    sums = [results.money(each) for each in seats]
    return LiveRecord(
        id=live.opened.round_id,
        state=SETTLED,
        proof=proof_record(game, rules_hash, seed, mixed, 0, cards_used=state.cards_used, revealed=True),
        log=RoundLog(
            game=game,
            cards=faces(state.dealt),
            seats=[dict(live.bets[each].stakes) for each in seats],
            options=dict(variant.options),
            choices=[choice.word for choice in live.choices],
            rules=rules_hash,
            meter=live.closed.meter,
        ),
        view=LiveWagers([results.wagers(each) for each in seats]),
        staked=sum(staked for staked, _, _ in sums),
        returned=sum(returned for _, _, returned in sums),
        mixed=mixed_for(list(live.seeds.values()), seats, mine),
        shoe=ShoeProof(shoe.number, shoe.coup, shoe.gone, list(before)) if shoe is not None else None,
    )
