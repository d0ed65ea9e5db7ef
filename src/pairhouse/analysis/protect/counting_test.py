"""Does a player's betting follow the cards of the shoe? An exact test, shoe by shoe: a counter is found in a few shoes.

Results alone find a counter late, because luck is large. But the house knows what each stake was worth when it was
placed, given the cards left. For a shoe that has ended, the stakes (which round, which wager, how much) are laid on
other shoes, dealt by the same rules and with the same number of rounds: the *decoys*. If the stakes took no notice of
the cards, the real shoe is just one of them, and each is equally likely to suit these stakes best. The evidence of a
shoe is f(real) / mean of f over the real shoe and all decoys, where f grows with what the stakes were worth. Its
expectation is exactly 1 for a player who does not look at the cards, whatever the stakes, wagers and cut card are. So
the fortune of somebody who bets against this player's innocence is multiplied shoe by shoe, and the chance that it ever
reaches 1/alpha is at most alpha (Ville's inequality, as in `evidence`).

Assumed is only that the stakes depend on the cards of their shoe through nothing but the number of its rounds. Somebody
who doubles after a loss breaks this a little, since results tell something about the cards left; such players are
simulated in the tests.

Measured at baccarat, 8 decks, 1,200 decoys, six bots each: a perfect counter is warned of (at 1 in 10,000) after 4 to
11 shoes with 14 cards behind the cut card (330 to 920 rounds), after 4 to 11 with 104, and after 9 to 17 with 208. One
who bets a tenth of the limits is found just as soon. By results alone neither was found within 8,000 rounds.
"""

from collections.abc import Mapping, Sequence
from math import log2

import msgspec
import numpy as np

from pairhouse.analysis.protect.ceiling import DealtShoes
from pairhouse.analysis.protect.shoe_prices import Decimals
from pairhouse.core.errors import Refused, unknown

STEEPNESS = (1.0, 3.0)  # f = exp(steepness * z): the first for many small bets, the second for a few large ones
BET = 0.5  # the part of a fortune that is bet on each shoe
FEWEST = 20  # with fewer decoys of its length a shoe says nothing

ShoeStakes = Sequence[Mapping[str, int]]  # for each round of a shoe the stakes by wager; empty where nothing was bet


class Decoys:
    """Shoes of one variant and cut card by number of rounds, with every wager's expectation before each round."""

    def __init__(self, shoes: DealtShoes) -> None:
        self.wagers = {name: at for at, name in enumerate(shoes.prices.wagers)}
        by_length: dict[int, list[Decimals]] = {}
        for evs in shoes.evs:
            by_length.setdefault(len(evs), []).append(evs)
        self.by_length = {length: np.array(group, np.float32) for length, group in by_length.items()}

    def worth(self, stakes: ShoeStakes, evs: Decimals) -> tuple[float, Decimals]:
        """What these stakes were worth on the real shoe, and on each decoy with as many rounds."""
        if len(stakes) != len(evs):
            raise Refused("bad-shoe", f"stakes for {len(stakes)} rounds do not fit a shoe of {len(evs)} rounds")
        others = self.by_length.get(len(evs), np.zeros((0, *evs.shape), np.float32))
        real, worth = 0.0, np.zeros(len(others))
        for number, bets in enumerate(stakes):
            for name, stake in bets.items():
                if name not in self.wagers:
                    raise unknown("wager", name, self.wagers)
                real += stake * float(evs[number, self.wagers[name]])
                worth += stake * others[:, number, self.wagers[name]]
        return real, worth

    def evidence(self, stakes: ShoeStakes, evs: Decimals) -> float:
        """The evidence of one shoe: 1 on average for stakes that take no notice of the cards."""
        real, worth = self.worth(stakes, evs)
        if len(worth) < FEWEST:
            return 1.0
        return soft_rank(real, worth)


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


class CountingRecord(msgspec.Struct):
    """One player at one table, shoe after shoe. `advantage` is what all stakes were worth, in minor units."""

    shoes: int = 0
    staked: int = 0
    advantage: float = 0.0
    reserve: float = 1.0
    fortune: float = 0.0
    peak: float = 1.0

    def record(self, staked: int, worth: float, evidence: float) -> None:
        """Add a shoe that has ended."""
        kept = (1 + log2(1 + self.shoes)) / (1 + log2(2 + self.shoes))
        self.shoes += 1
        self.staked += staked
        self.advantage += worth
        self.fortune = min((self.fortune + self.reserve * (1 - kept)) * (1 - BET + BET * evidence), 1e250)
        self.reserve *= kept
        self.peak = max(self.peak, self.fortune + self.reserve)
