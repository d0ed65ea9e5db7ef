"""Does a player's betting follow the cards of the shoe? An exact test, shoe by shoe: a counter is found in a few shoes.

Results alone find a counter late, because luck is large. But the house knows what each stake was worth when it was
placed, given the cards left. When a shoe has ended, other shoes are dealt by the same rules until some have the same
number of rounds: the *decoys*. The stakes (which round, which wager, how much) are laid on them too. If the stakes took
no notice of the cards, the real shoe is just one of them, and each is equally likely to suit these stakes best. The
evidence of a shoe is f(real) / mean of f over the real shoe and its decoys, where f grows with what the stakes were
worth. Its expectation is exactly 1 for a player who does not look at the cards, whatever the stakes, wagers and cut
card are. So the fortune of somebody who bets against this player's innocence is multiplied shoe by shoe, and the chance
that it ever reaches 1/alpha is at most alpha (Ville's inequality, as in `evidence`).

Every shoe needs decoys of its own, dealt after it has ended: with decoys that are used again, what they happen to lack
would count against a player in every shoe. All players of a shoe can be judged by the same ones.

Assumed is only that the stakes depend on the cards of their shoe through nothing but the number of its rounds. Somebody
who doubles after a loss breaks this a little, since results tell something about the cards left; such players are
simulated in the tests.

Measured at baccarat, 8 decks, 60 to 200 decoys, four bots each: a perfect counter is warned of (at 1 in 10,000) after 3
to 7 shoes with 14 cards behind the cut card (250 to 580 rounds) and after 5 to 9 with 104 (320 to 580 rounds). One who
bets a tenth of the limits is found just as soon. By results alone, of 12 such bots one was warned of within 8,000
rounds. Judging a shoe takes about half a second of one core with 100 decoys.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pairhouse.analysis.protect.ceiling import check_cut, left_before, round_ends
from pairhouse.analysis.protect.counting_record import DECOYS
from pairhouse.analysis.protect.shoe_prices import Decimals, shoe_prices
from pairhouse.core.cards import pack
from pairhouse.core.errors import Refused, unknown
from pairhouse.core.game import Variant

STEEPNESS = (1.0, 3.0)  # f = exp(steepness * z): the first for many small bets, the second for a few large ones
TRIES = 50  # shoes dealt for each decoy; a shoe of unusual length gets fewer decoys, and so less evidence

ShoeStakes = Sequence[Mapping[str, int]]  # for each round of a shoe the stakes by wager; empty where nothing was bet


@dataclass(frozen=True, eq=False)
class Decoys:
    """Shoes with as many rounds as one that has ended: by shoe, round and wager what a unit was worth."""

    wagers: Mapping[str, int]
    evs: Decimals

    def worth(self, stakes: ShoeStakes, evs: Decimals) -> tuple[float, Decimals]:
        """What these stakes were worth on the real shoe, and on each decoy."""
        rounds = self.evs.shape[1]
        if len(stakes) != rounds or len(evs) != rounds:
            given = f"stakes for {len(stakes)} rounds and prices of {len(evs)}"
            raise Refused("bad-shoe", f"{given} do not fit a shoe of {rounds} rounds")
        real, others = 0.0, np.zeros(len(self.evs))
        for number, bets in enumerate(stakes):
            for name, stake in bets.items():
                if name not in self.wagers:
                    raise unknown("wager", name, self.wagers)
                real += stake * float(evs[number, self.wagers[name]])
                others += stake * self.evs[:, number, self.wagers[name]]
        return real, others

    def evidence(self, stakes: ShoeStakes, evs: Decimals) -> float:
        """The evidence of one shoe: 1 on average for stakes that take no notice of the cards."""
        return soft_rank(*self.worth(stakes, evs))


def decoys_for(
    variant: Variant,
    behind_cut: int,
    rounds: Sequence[bool],
    number: int = DECOYS,
    seed: int | None = None,
    *,
    left_early: bool = False,
) -> Decoys:
    """Deal decoys for a shoe that has ended: `rounds` says for each of its rounds whether anything was bet in it.

    Only rounds with bets are priced. Without a seed they are dealt from the operating system's randomness. Of a shoe
    that its player `left_early`, decoys need only have as many rounds as were played.
    """
    prices, random = shoe_prices(variant), np.random.default_rng(seed)
    fresh = np.array(pack(*variant.pack), np.int64)
    check_cut(behind_cut, fresh.size, prices.draws)
    wanted = np.flatnonzero(rounds)
    left = []
    for _ in range(TRIES * number):
        order = random.permutation(fresh)
        ends = round_ends(variant, order, behind_cut, None)
        if len(ends) == len(rounds) or (left_early and len(ends) > len(rounds)):
            left.append(left_before(prices, order, ends)[wanted])
        if len(left) == number:
            break
    evs = np.zeros((len(left), len(rounds), len(prices.wagers)))
    if left and wanted.size:
        evs[:, wanted] = prices.evs(np.concatenate(left)).reshape(len(left), wanted.size, -1)
    return Decoys({name: at for at, name in enumerate(prices.wagers)}, evs)


def soft_rank(real: float, others: Decimals) -> float:
    """How far one value stands out of others that were equally likely to be it: 1 on average, at most their number."""
    values = np.append(others, real)
    spread = float(values.std())
    if spread <= 1e-9 * float(np.abs(values).max(initial=0.0)):
        return 1.0
    z = (values - values.max()) / spread
    found = 0.0
    for steepness in STEEPNESS:
        weights = np.exp(steepness * z)
        found += float(weights[-1] / weights.mean()) / len(STEEPNESS)
    return found
