"""A live round as one reader may see it: the holder of a seat, or anybody who watches.

It is made from the entries and from the replay seen from the reader's seat. Spectators all see the same, so their view
is made once. No face that a reader may not see is in it.
"""

from bisect import bisect_left

import msgspec
from msgspec import structs

from pairhouse.machines.events import DOWN, PRIVATE, BetRecord, Event, Replay, hands_of
from pairhouse.rounds.live_results import LiveResults
from pairhouse.rounds.live_round import BETTING, PLAYING, SEEDS, LiveRound
from pairhouse.rounds.live_shoe import LiveShoe, live_shoe
from pairhouse.rounds.round_log import MeterReading
from pairhouse.rounds.shared_seeds import SharedSeed, withheld
from pairhouse.rounds.text_keys import KeyedHand, keys_of

SHOWN_MAX = 50
SAID = {  # what the dealer says while the phase lasts
    BETTING: "Place your bets.",
    SEEDS: "No more bets.",
}


class LiveSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat with a bet, as everybody sees it; the stakes of two seats are never put together. [LP-16] [LP-42]

    `colour` and `chip` (what one is worth) where players have chips of their own.
    """

    seat: int
    name: str
    stakes: dict[str, int]
    is_ready: bool = False
    colour: int = 0
    chip: int = 0
    result: dict[str, BetRecord] | None = None


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whose turn it is and until when. Only the seat itself is told what it can do and what that costs."""

    seat: int
    hand: int
    number: int
    decide_by: int | None = None
    options: list[str] | None = None
    costs: dict[str, int] | None = None


class LiveView(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Everything a reader may know of a live round.

    Where any number of people bet, `bettors` counts them and `totals` sums their stakes by wager; of more than
    `SHOWN_MAX` only the first and the reader are listed, with their seeds. `shoe` is what the round is dealt from, with
    the coups before it; `by_hand` says that a supervisor turns the cards; `meter` is what the progressive shows.
    """

    round_id: str
    game: str
    phase: str
    seat: int | None
    commitment: str
    seats: list[LiveSeat]
    says: str = ""
    closes_at: int | None = None
    seeds_until: int | None = None
    turn: Turn | None = None
    hands: list[KeyedHand] = []
    events: list[Event] = []
    seeds: list[SharedSeed] = []
    withheld: list[int] = []
    automatic: list[int] = []
    bettors: int = 0
    totals: dict[str, int] = {}
    exposed: list[int] = []
    void: str | None = None
    server_seed: str | None = None
    shoe: LiveShoe | None = None
    by_hand: bool = False
    meter: MeterReading | None = None


def live_view(live: LiveRound, state: Replay | None, seat: int | None = None) -> LiveView:
    """The round as the holder of a seat sees it, or a spectator. `state` is the replay once cards are dealt."""
    assert live.opened is not None
    reader = bisect_left(live.seats, seat) + 1 if seat is not None and seat in live.bets else None
    results = LiveResults(live, state) if state is not None else None
    events = seen_events(live, state, reader) if state is not None else []
    if results is not None and reader is not None and reader > len(live.replayed_seats):
        assert seat is not None
        events = _own_events(results, seat)
    shown, keys = shown_seats(live, seat), keys_of(live.table.variant)
    seeds = [live.seeds[each] for each in shown] if len(shown) < len(live.seeds) else list(live.seeds.values())
    return LiveView(
        round_id=live.opened.round_id,
        game=live.table.variant.game.id,
        phase=live.phase,
        seat=seat,
        commitment=live.opened.commitment,
        seats=_seats(live, results, shown),
        says=SAID.get(live.phase, ""),
        closes_at=live.closes_at if live.phase == BETTING else None,
        seeds_until=live.betting_closed.seeds_until if live.betting_closed and live.phase == SEEDS else None,
        turn=_turn(live, state, seat) if state is not None and live.phase == PLAYING else None,
        hands=keys.named(hands_of(events, live.table.variant)),
        events=keys.events(events),
        seeds=seeds if live.betting_closed is not None else [],
        withheld=withheld(list(live.seeds.values())) if live.dealt is not None else [],
        bettors=len(live.bets) if live.settings.seats is None else 0,
        totals=dict(live.totals) if live.settings.seats is None else {},
        automatic=[number for number, choice in enumerate(live.choices, 1) if choice.automatic],
        exposed=[exposed.card for exposed in live.exposed],
        void=live.voided.reason if live.voided is not None else None,
        server_seed=live.closed.server_seed if live.closed is not None else None,
        shoe=live_shoe(live.table.variant, live.opened.shoe, state) if live.opened.shoe is not None else None,
        by_hand=live.by_hand,
        meter=_meter(live, state),
    )


def bettor_view(shared: LiveView, results: LiveResults | None, live: LiveRound, seat: int | None) -> LiveView:
    """Where any number of people bet, nobody has private cards: the view of one of them, made from that of all."""
    view = structs.replace(shared, seat=seat)
    if seat is None or seat not in live.bets:
        return view
    if all(each.seat != seat for each in shared.seats):
        mine, seeds = _seats(live, results, [seat]), [live.seeds[seat]] if shared.seeds else []
        view = structs.replace(view, seats=[*shared.seats, *mine], seeds=[*shared.seeds, *seeds])
    if results is not None and not results.is_replayed(seat):
        keys = keys_of(live.table.variant)
        view = structs.replace(view, events=keys.events(_own_events(results, seat)))
    return view


def _own_events(results: LiveResults, seat: int) -> list[Event]:
    return [structs.replace(each, seat=seat) if each.seat else each for each in results.events(seat)]


def seen_events(live: LiveRound, state: Replay, reader: int | None) -> list[Event]:
    """The events without the faces a reader may not see, with the table's seat numbers. Exposed cards are seen."""
    exposed = {entry.card for entry in live.exposed}
    seen: list[Event] = []
    dealt, seats = 0, live.replayed_seats
    for event in state.events:
        dealt += event.kind == "dealt"
        shown = event
        if event.face in (DOWN, PRIVATE) and not (event.kind == "dealt" and dealt in exposed):
            shown = event.seen_by(reader)
        if shown.seat is not None:
            shown = structs.replace(shown, seat=seats[shown.seat - 1])
        if shown.options is not None and event.seat != reader:
            shown = structs.replace(shown, options=None)
        seen.append(shown)
    return seen


def shown_seats(live: LiveRound, seat: int | None) -> list[int]:
    """The seats that a reader sees one by one: the first, and their own."""
    seats = live.seats
    shown = seats[:SHOWN_MAX]
    return [*shown, seat] if seat is not None and seat in live.bets and seat not in shown else shown


def _meter(live: LiveRound, state: Replay | None) -> MeterReading | None:
    """What the progressive shows: as the round found it, and once it is closed as it left it."""
    assert live.opened is not None
    if live.closed is None or state is None or state.meter is None:
        return live.opened.meter
    return MeterReading(state.meter.amount, state.meter.reserve)


def _seats(live: LiveRound, results: LiveResults | None, shown: list[int]) -> list[LiveSeat]:
    found = []
    for seat in shown:
        bet = live.bets[seat]
        result = results.wagers(seat) if results is not None else None
        is_ready = seat in live.ready
        found.append(LiveSeat(seat, bet.name, bet.stakes, is_ready, bet.colour, bet.chip, result))
    return found


def _turn(live: LiveRound, state: Replay, seat: int | None) -> Turn | None:
    asked = live.asked(state)
    if asked is None:
        return None
    at, question = asked
    turn = Turn(at, question.hand, len(live.choices), live.decide_by)
    if at != seat:
        return turn
    return structs.replace(turn, options=question.options, costs=question.costs or None)
