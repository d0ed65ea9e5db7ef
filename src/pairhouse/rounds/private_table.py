"""A table for one player with play money, without a house: bets, rounds, balance, shoe and meter."""

from typing import Any

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.core.game import Game
from pairhouse.core.meter import Meter
from pairhouse.core.money import amount_text
from pairhouse.core.shoe import Shoe
from pairhouse.machines.events import Replay
from pairhouse.rounds.round_log import MeterReading, RoundLog, faces
from pairhouse.rounds.shuffle import fresh_cards, fresh_shoe
from pairhouse.rounds.slip import Slip
from pairhouse.rounds.table_limits import BettingTable, Limits


class PrivateTable:
    """One player at one table: the balance, the betting slip, and the last round. The terminal shows it."""

    def __init__(self, game: Game, options: dict[str, Any], balance: int) -> None:
        self.game = game
        self.balance = balance
        self.started_with = balance
        self.options: dict[str, Any] = {}
        self.seat_numbers: dict[int, int] = {}  # seat in the round -> seat the player chose at the table
        self.shoe: Shoe | None = None
        self.meter: Meter | None = None
        self.round: RoundLog | None = None
        self.state: Replay | None = None
        self.open(options)

    def open(self, options: dict[str, Any]) -> None:
        """Open the table under these options. The shoe in use ends; refused while bets are on the table."""
        variant = self.game.variant(options)
        before = getattr(self, "slip", None)
        if before is not None and before.bets:
            raise Refused("bets-down", "take your bets back first (`clear`), then change the options")
        self.betting = BettingTable(variant, Limits())
        self.slip = Slip(self.betting)
        if before is not None:
            self.slip.last_bets = {at: stake for at, stake in before.last_bets.items() if at[1] in variant.wagers}
        self.options = options
        self.shoe = None
        meter = variant.game.meter(variant.options)
        self.meter = (self.meter or meter) if meter is not None else None

    @property
    def is_open(self) -> bool:
        """Whether a round waits for a choice."""
        return self.state is not None and not self.state.is_over

    @property
    def result(self) -> int:
        """What the player has won or lost at this table so far."""
        return self.balance - self.started_with

    def deal(self) -> Replay:
        """Deal a round with the bets of the slip, and take their stakes."""
        seats = self.slip.wagers()
        numbers = self.slip.seats
        variant = self.betting.variant
        shoe = self.shoe
        if self.game.shoe and (shoe is None or shoe.finished):
            shoe = fresh_shoe(variant)
        cards = shoe.rest if shoe is not None else fresh_cards(variant)
        meter = MeterReading(self.meter.amount, self.meter.reserve) if self.meter is not None else None
        options = dict(variant.options)
        log = RoundLog(self.game.id, faces(cards), list(seats), options, rules=variant.rules_hash, meter=meter)
        log.replay()
        self.slip.deal()
        self.seat_numbers = dict(enumerate(numbers, 1))
        self.balance -= sum(stake for seat in seats for stake in seat.values())
        self.shoe = shoe
        return self._replayed(log)

    def choose(self, word: str) -> Replay:
        """Make the awaited choice; one that costs more than the balance is refused and changes nothing."""
        if self.round is None or self.state is None or self.state.awaiting is None:
            raise Refused("no-choice", "nothing is being asked")
        cost = self.state.awaiting.costs.get(word, 0)
        if cost > self.balance:
            sentence = f"{word} costs {amount_text(cost)} and your balance is {amount_text(self.balance)}"
            raise Refused("no-funds", sentence)
        state = self._replayed(msgspec.structs.replace(self.round, choices=[*self.round.choices, word]))
        self.balance -= cost
        return state

    def leave(self) -> list[str]:
        """Leave the table. It withdraws nothing: what is still asked is decided as for who does not decide in time."""
        made: list[str] = []
        while self.round is not None and self.state is not None and self.state.awaiting is not None:
            made.append(self.betting.variant.automatic_choice(self.state.awaiting.options))
            self._replayed(msgspec.structs.replace(self.round, choices=[*self.round.choices, made[-1]]))
        return made

    def _replayed(self, log: RoundLog) -> Replay:
        state = log.replay()
        self.round, self.state = log, state
        if state.variant.pays_when_decided:
            self.balance += state.last_decided()[1]
        if state.is_over:
            self.balance += state.returned if not state.variant.pays_when_decided else 0
            self.meter = state.meter
            if self.shoe is not None:
                self.shoe = self.shoe.after(state.cards_used)
        return state

    @property
    def log(self) -> RoundLog | None:
        """The log of the last round, with only the cards it used once it is over."""
        if self.round is None or self.state is None:
            return None
        cards = self.round.cards if self.is_open else self.round.cards[: self.state.cards_used]
        return msgspec.structs.replace(self.round, cards=cards)
