"""The betting slip: a player's bets before the deal, and the commands that change them, each whole or not at all."""

from dataclasses import dataclass, field

from pairhouse.core.errors import Refused
from pairhouse.core.money import amount_text
from pairhouse.rounds.table_limits import BettingTable

Bets = dict[tuple[int, str], int]  # (seat, wager) -> stake; seats count from 1


@dataclass
class Slip:
    """The bets of one player, seat by seat, with their undo history."""

    table: BettingTable
    bets: Bets = field(default_factory=dict)
    last_bets: Bets = field(default_factory=dict)
    _history: list[Bets] = field(default_factory=list)

    @property
    def total(self) -> int:
        """The sum of all bets."""
        return sum(self.bets.values())

    def place(self, seat: int, wager: str, amount: int, balance: int) -> None:
        """Add chips to a bet square. [BPP-11]"""
        self.table.variant.check_wager(wager)
        most = self.table.variant.game.seats_per_player
        if not 1 <= seat <= most:
            raise Refused(
                "bad-seats", f"seat {seat} is not open to you; {self.table.variant.game.name} gives 1 to {most}"
            )
        self._change({**self.bets, (seat, wager): self.bets.get((seat, wager), 0) + amount}, balance)

    def undo(self) -> None:
        """Undo the last change. [BPP-18]"""
        if not self._history:
            raise Refused("no-bets", "there is nothing to take back")
        self.bets = self._history.pop()

    def clear(self) -> None:
        """Take every bet off the table. [BPP-17]"""
        self._replace({})

    def double(self, balance: int) -> None:
        """Double every bet on the table. [BPP-13]"""
        if not self.bets:
            raise Refused("no-bets", "there is no bet to double")
        self._change({square: self._times(2, square, stake) for square, stake in self.bets.items()}, balance)

    def rebet(self, balance: int, times: int = 1) -> None:
        """Place the bets of the last game again, or `times` as much. [BPP-14] [BPP-15] [BPP-19]"""
        if not self.last_bets:
            raise Refused("no-bets", "no game has been played yet, so there is nothing to bet again")
        self._change({square: self._times(times, square, stake) for square, stake in self.last_bets.items()}, balance)

    def _times(self, times: int, square: tuple[int, str], stake: int) -> int:
        """A multiple of a stake; a wager with a fixed stake keeps it."""
        return stake if self.table.variant.wagers[square[1]].fixed is not None else times * stake

    def new_game(self) -> None:
        """Clear the table for the next game. [BPP-16]"""
        self.bets = {}
        self._history = []

    @property
    def seats(self) -> list[int]:
        """The seats that hold bets, in order."""
        return sorted({seat for seat, _ in self.bets})

    def wagers(self) -> list[dict[str, int]]:
        """The wagers of the round, seat by seat, if they are enough to begin. [BPP-12]"""
        if not self.bets:
            raise Refused("no-bets", "place a bet first")
        bets = [{wager: stake for (at, wager), stake in self.bets.items() if at == seat} for seat in self.seats]
        return self.table.accept(bets)

    def deal(self) -> list[dict[str, int]]:
        """Move the bets into the round: they leave the slip, and `rebet` can place them again. [BPP-12]"""
        accepted = self.wagers()
        self.last_bets = dict(self.bets)
        self.new_game()
        return accepted

    def _change(self, bets: Bets, balance: int) -> None:
        """Change the bets to these, or refuse and change nothing. [BPP-20]"""
        for (_, wager), stake in bets.items():
            self.table.check_stake(wager, stake)
        total = sum(bets.values())
        if total > balance:
            sentence = f"bets of {amount_text(total)} are more than your balance of {amount_text(balance)}"
            raise Refused("no-funds", sentence)
        self._replace(bets)

    def _replace(self, bets: Bets) -> None:
        self._history.append(self.bets)
        self.bets = bets
