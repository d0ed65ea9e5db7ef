"""Checks of the shoes of live tables: each coup finds exactly what the coups before it have left."""

from typing import Any

import msgspec

from pairhouse.house.audit.notebook import Differs, check_equal
from pairhouse.machines.events import Replay
from pairhouse.rounds.live_entries import RoundOpened, ShoeBefore
from pairhouse.rounds.live_round import LiveRound
from pairhouse.rounds.live_shoe import shoe_after


class ShoeCheck:
    """Follows the shoes of one table, round by round."""

    def __init__(self) -> None:
        self.number = 0
        self._before: ShoeBefore | None = None  # of the round before
        self._next: ShoeBefore | None = None  # what the next coup has to find, where that is known
        self._rules = ""

    def open(self, where: str, row: dict[str, Any], entry: RoundOpened) -> None:
        """A round is opened: its shoe goes on from the last one, or is a fresh one where that has ended. [NSB-41]"""
        shoe = entry.shoe
        told = (shoe.number, shoe.coup) if shoe is not None else (None, None)
        check_equal(where, "its shoe, and which coup of it", (row["shoe"], row["coup"]), told)
        if shoe is None:
            return
        if shoe.number == self.number:
            self._check_going_on(where, shoe, row["rules_hash"])
        else:
            check_equal(where, "a fresh shoe", shoe, ShoeBefore(self.number + 1, 1))
            if self._next is not None and self._rules == row["rules_hash"]:
                raise Differs(f"{where}: a fresh shoe was begun, and shoe {self.number} had not ended")
        self.number = shoe.number

    def _check_going_on(self, where: str, shoe: ShoeBefore, rules_hash: str) -> None:
        if self._before is None or self._rules != rules_hash:
            raise Differs(f"{where}: shoe {shoe.number} goes on, although it had ended")
        if self._next is not None:
            check_equal(where, "what its shoe has left behind", shoe, self._next)
        else:  # dealt by rules that are no longer in force: at least nothing came back into the shoe
            kept = shoe.gone[: len(self._before.gone)]
            check_equal(where, "the coup of its shoe", (shoe.coup, kept), (self._before.coup + 1, self._before.gone))

    def end(self, where: str, row: dict[str, Any], live: LiveRound, state: Replay | None) -> None:
        """A round is over, or open still: its row has the seeds of a closed coup, and no others."""
        shoe = live.opened.shoe if live.opened is not None else None
        seeds: tuple[str | None, str | None] = (None, None)
        self._before = self._next = None
        self._rules = row["rules_hash"]
        if shoe is not None and live.closed is not None:
            seeds = (live.closed.server_seed, msgspec.json.encode(live.client_seeds).decode())
            self._before = shoe
            self._next = shoe_after(live.table.variant, shoe, state.dealt) if state is not None else None
            if state is not None and self._next is None:
                self._before = None
        check_equal(where, "the seeds of its coup", (row["server_seed"], row["client_seeds"]), seeds)
