"""Nepal Super Baccarat: counted."""

from typing import TYPE_CHECKING

from pairhouse.analysis.exact.counts import Counting
from pairhouse.analysis.methods.counted import CountedMethod
from pairhouse.core.cards import rank
from pairhouse.games import nepal_super_baccarat as baccarat
from pairhouse.machines.classes import Classes

if TYPE_CHECKING:
    from pairhouse.analysis.reports.readings import Reading
    from pairhouse.analysis.second_derivation import Second


class BaccaratMethod(CountedMethod):
    """Ranks matter for pairs, in the first four cards; after that only points do. A hand's first two are a set."""

    counting = Counting(
        baccarat.play,
        (baccarat.Coup,),
        Classes(draws=6, swaps=((0, 2), (1, 3)), of=rank, late=lambda card: min(rank(card), 9), late_from=4),
    )
    small_deck = "Ac Ac 3d 4h 6s 9c Kd 2h"

    def second(self) -> "Second":
        from pairhouse.analysis.second_derivation.baccarat import derive

        return derive(self.variant)

    def readings(self) -> "list[Reading]":
        from pairhouse.analysis.methods.baccarat_readings import baccarat_readings

        return list(baccarat_readings(self.variant, self.tally()))
