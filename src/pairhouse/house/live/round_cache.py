"""Rounds of live tables that were read before, so that a bet costs the same however many came before it.

It is only a cache. What is kept is compared with the number and the hash in the table's row after the newer entries are
added to it; if it differs, because a transaction was undone, everything is read again.
"""

import threading
from collections import OrderedDict

from pairhouse.house.live.table_log import LiveTable, decode_entry, entry_rows, next_digest
from pairhouse.house.store.database import Tx
from pairhouse.machines.events import Replay
from pairhouse.rounds.live_entries import AnyEntry, BetPlaced, BetTakenBack
from pairhouse.rounds.live_round import LiveRound
from pairhouse.rounds.table_limits import BettingTable

ROUNDS_MAX = 1_024  # of tables, for each thread that reads


class KnownRound:
    """A round as far as its entries were read, which player has bet in which seat, and its replay if it was played."""

    def __init__(self, table: LiveTable, betting: BettingTable) -> None:
        self.number = table.round_from - 1
        self.round_from = table.round_from
        self.digest = ""
        self.live = LiveRound(betting, table.settings)
        self.seats: dict[str, int] = {}
        self.state: Replay | None = None
        self._expected: tuple[AnyEntry, Replay] | None = None

    def expect(self, entry: AnyEntry, state: Replay) -> None:
        """What the replay will be once this entry stands, so that it is not played again then."""
        self._expected = entry, state

    def add(self, entry: AnyEntry, number: int, digest: str, player_id: str | None) -> None:
        """One more entry, with its number and the hash over the round up to it."""
        self.live.add(entry)
        self.number, self.digest = number, digest
        expected, self._expected = self._expected, None
        self.state = expected[1] if expected is not None and expected[0] is entry else None
        if isinstance(entry, BetPlaced) and player_id is not None:
            self.seats[player_id] = entry.seat
        elif isinstance(entry, BetTakenBack) and player_id is not None:
            self.seats.pop(player_id, None)  # they may leave, and somebody else sit there

    def read_on(self, tx: Tx, table: LiveTable) -> bool:
        """Read what came since; whether it is the round that the table's row tells of.

        Where nothing came, nothing is read: on PostgreSQL a reading of the newest entries conflicts with every other
        house that writes next to them.
        """
        if self.number == table.number:
            return self.digest == table.digest
        for number, body, player_id in entry_rows(tx, table.id, self.number):
            self.add(decode_entry(body), number, next_digest(self.digest, body), player_id)
        return (self.number, self.digest) == (table.number, table.digest)


class RoundCache:
    """The rounds that each thread has read. They are read on at every look, so keep none of them between two."""

    def __init__(self) -> None:
        self._here = threading.local()

    def read(self, tx: Tx, table: LiveTable, betting: BettingTable) -> KnownRound:
        """The round in progress at a table."""
        known: OrderedDict[str, KnownRound] | None = getattr(self._here, "known", None)
        if known is None:
            known = self._here.known = OrderedDict()
        found = known.pop(table.id, None)
        if not _is_read_on(found, tx, table):
            found = KnownRound(table, betting)
            found.read_on(tx, table)
        assert found is not None
        found.live.table, found.live.settings = betting, table.settings
        known[table.id] = found
        if len(known) > ROUNDS_MAX:
            known.popitem(last=False)
        return found


def _is_read_on(found: KnownRound | None, tx: Tx, table: LiveTable) -> bool:
    if found is None or found.round_from != table.round_from or found.number > table.number:
        return False
    try:
        return found.read_on(tx, table)
    except KeyError:  # an entry that does not follow from what is kept
        return False
