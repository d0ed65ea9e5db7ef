"""What is known of one player at one table dealt from shoes: the evidence that bets follow the cards, shoe after shoe.

`counting_test` finds the evidence of a shoe. The record needs no compiler: a house that weighs no shoes loads none.
"""

from math import log2

import msgspec

BET = 0.5  # the part of a fortune that is bet on each shoe
DECOYS = 100  # shoes dealt beside each that has ended


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
