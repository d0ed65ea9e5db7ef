"""How a live table stands at one number: read once from the books, and told to every reader from their own seat."""

from collections.abc import Sequence

from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.live.seating import count_seated, first_seated
from pairhouse.house.live.table_log import entries_after
from pairhouse.house.store.database import Tx
from pairhouse.machines.events import Replay
from pairhouse.rounds.live_entries import AnyEntry, BetPlaced, BetTakenBack, SeatReady, SeedOpened
from pairhouse.rounds.live_results import LiveResults
from pairhouse.rounds.live_round import LiveRound
from pairhouse.rounds.live_view import SHOWN_MAX, LiveView, bettor_view, live_view
from pairhouse.server.models.live import LiveNews, SeatedPerson

ENTRIES_MAX = 200
OfOne = BetPlaced | BetTakenBack | SeatReady | SeedOpened
Numbered = tuple[int, AnyEntry]


class Moment:
    """A table at one number. It is never changed, and needs the books no more."""

    def __init__(
        self,
        number: int,
        live: LiveRound | None,
        state: Replay | None,
        seated: list[SeatedPerson],
        seats: dict[str, int],
        entries: Sequence[Numbered],
        seated_count: int,
        table_seats: int | None,
    ) -> None:
        self.number = number
        self.entries = entries
        self.messages: dict[int, bytes] = {}  # for spectators, by the number they have seen
        self._live = live
        self._state = state
        self._seated = seated
        self._seats = seats
        self._seated_count = seated_count
        self.knows_all_seats = seated_count <= len(seated)
        self._table_seats = table_seats
        self.watching = 0  # people who read this table here without a seat
        self._is_open_to_all = live is not None and live.settings.seats is None
        self._results = LiveResults(live, state) if live is not None and state is not None else None
        self._shared = live_view(live, state) if live is not None else None

    def seat_of(self, player_id: str) -> int | None:
        """The seat of a player, as far as it is known here; people who have not bet in a crowd are not."""
        return self._seats.get(player_id)

    def told_from(self, after: int) -> int:
        """The number from which on is told whoever says that they have seen everything up to `after`.

        Readers say any number, and what spectators are sent is kept: once for each from which something else is told.
        """
        first = self.entries[0][0] if self.entries else self.number + 1
        return min(max(after, first - 1), self.number)

    def view(self, seat: int | None) -> LiveView | None:
        """The round as a seat sees it, or a spectator."""
        if seat is None or self._live is None or self._shared is None:
            return self._shared
        if self._is_open_to_all:
            return bettor_view(self._shared, self._results, self._live, seat)
        return live_view(self._live, self._state, seat)

    def news(self, now: int, seat: int | None, after: int) -> LiveNews:
        """What a reader is told who has seen everything up to a number."""
        entries = [entry for number, entry in self.entries if number > after]
        if self._shared is not None and self._shared.bettors > SHOWN_MAX:
            entries = [entry for entry in entries if not isinstance(entry, OfOne)]
        view, count = self.view(seat), self._seated_count
        return LiveNews(self.number, now, self._seated, entries, view, count, self._table_seats, self.watching)


def read_moment(floor: LiveFloor, tx: Tx, table_id: str, known: Sequence[Numbered] = ()) -> Moment:
    """A table as it is now. `known` are entries that were read before."""
    here = floor.at_table(tx, table_id)
    number, table_seats = here.table.number, here.table.settings.seats
    after = max(known[-1][0] if known else 0, number - ENTRIES_MAX)
    entries = [*known, *entries_after(tx, table_id, after)][-ENTRIES_MAX:]
    first = first_seated(tx, table_id, SHOWN_MAX)
    seats = {each.player_id: each.seat for each in first}
    count = len(first) if len(first) < SHOWN_MAX else count_seated(tx, table_id)
    seats |= here.known.seats if here.table.settings.seats is None else {}
    seated = [SeatedPerson(each.seat, each.name, each.colour, each.chip) for each in first]
    if not here.table.round_id:
        return Moment(number, None, None, seated, seats, entries, count, table_seats)
    return Moment(number, here.live.copy(), floor.state(tx, here), seated, seats, entries, count, table_seats)
