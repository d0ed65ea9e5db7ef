"""A progressive meter: what players have paid in stands on it until a hand wins it. No unit is ever lost."""

from dataclasses import dataclass, replace
from fractions import Fraction

from pairhouse.core.money import DOWN, winnings


@dataclass(frozen=True, slots=True)
class Meter:
    """Amounts in minor units. `reserve` is what came in above the ceiling; it joins the next seed."""

    amount: int
    seed: int
    contribution: Fraction
    ceiling: int
    reserve: int = 0

    def fed(self, stake: int) -> "Meter":
        """The meter after a stake's contribution; what the ceiling turns away goes to the reserve. [TCP-31] [TCP-32]"""
        total = self.amount + winnings(stake, self.contribution)
        kept = min(total, max(self.ceiling, self.amount))
        return replace(self, amount=kept, reserve=self.reserve + total - kept)

    def award(self, share: Fraction) -> tuple[int, "Meter"]:
        """What a share of the meter pays now, and the meter after it; a full award restarts it at the seed.

        [TCP-34] [TCP-36]
        """
        paid = winnings(self.amount, share, DOWN)
        if share == 1:
            refilled = self.seed + self.reserve
            amount = min(refilled, self.ceiling)
            return paid, replace(self, amount=amount, reserve=refilled - amount)
        return paid, replace(self, amount=self.amount - paid)
