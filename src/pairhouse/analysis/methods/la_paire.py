"""La Pair'e: counted."""

from typing import TYPE_CHECKING

from pairhouse.analysis.exact.counts import Counting
from pairhouse.analysis.methods.counted import CountedMethod
from pairhouse.games import la_paire
from pairhouse.machines.classes import Classes

if TYPE_CHECKING:
    from pairhouse.analysis.reports.readings import Reading
    from pairhouse.analysis.second_derivation import Second


class LaPaireMethod(CountedMethod):
    """Three cards, each of which can decide a wager of its own."""

    counting = Counting(la_paire.play, (la_paire.FirstCard, la_paire.Paire, la_paire.Poker), Classes(draws=3))
    small_deck = "Ac Ad Kc Qc X1 X2 2h 3h 4h Jc Qd"

    def second(self) -> "Second":
        from pairhouse.analysis.second_derivation.la_paire import derive

        return derive(self.variant)

    def readings(self) -> "list[Reading]":
        from pairhouse.analysis.methods.la_paire_readings import la_paire_readings

        return list(la_paire_readings(self.variant, self.tally()))
