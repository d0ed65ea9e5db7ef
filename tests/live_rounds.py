"""Closed live rounds as their records: seats or crowds, seeds withheld, played at random without a house."""

import hashlib
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from live_table import ANY_NUMBER, CLOCK, STAKES
from pairhouse.games.catalogue import find
from pairhouse.rounds.fairness import commitment
from pairhouse.rounds.live_entries import RoundOpened, ShoeBefore
from pairhouse.rounds.live_record import live_record
from pairhouse.rounds.live_round import CLOSED, LiveRound
from pairhouse.rounds.live_shoe import ShoeCoup, shoe_after
from pairhouse.rounds.shared_seeds import seed_commitment
from pairhouse.rounds.table_limits import BettingTable


def closed_round(
    game: str,
    people: int,
    withheld: tuple[int, ...] = (),
    number: int = 0,
    shoe: ShoeBefore | None = None,
    options: dict[str, Any] | None = None,
) -> LiveRound:
    """A round that so many people have played at random; seats from 1, some of which withhold their seeds."""
    picks = Random(f"{game} {people} {number}")
    variant = find(game).variant(options)
    seed = hashlib.sha256(f"{game} {people} {number}".encode()).digest()
    live = LiveRound(BettingTable(variant), CLOCK if people <= 7 and variant.game.actions else ANY_NUMBER)
    round_id = f"live-{game}-{people}-{number}"
    live.add(RoundOpened(at=0, round_id=round_id, commitment=commitment(seed), shoe=shoe))
    for seat in range(1, people + 1):
        live.add(live.bet(1, seat, f"player {seat}", STAKES[game], seed_commitment(f"seed {seat} of {number}")))
    entry = live.next_entry(10**6, None)
    assert entry is not None
    live.add(entry)
    for seat in range(1, people + 1):
        if seat not in withheld:
            live.add(live.open_seed(10**6, seat, f"seed {seat} of {number}"))
    entry = live.next_entry(2 * 10**6, None)
    while entry is not None:
        live.add(entry)
        if live.phase == CLOSED:
            break
        state = live.state(live.order(seed, variant.rules_hash))
        asked = live.asked(state)
        if asked is not None:
            entry = live.choose(3 * 10**6, asked[0], len(live.choices), picks.choice(asked[1].options), state)
        else:
            entry = live.next_entry(4 * 10**6, state, seed.hex())
    return live


def record_of(live: LiveRound, seat: int | None = None, before: Sequence[ShoeCoup] = ()) -> Any:
    """The record of a closed round, as it is sent."""
    return msgspec.json.decode(msgspec.json.encode(live_record(live, live.table.variant.rules_hash, seat, before)))


def whole_shoe(people: int = 2, **options: Any) -> list[Any]:
    """The records of every coup of a shoe, each dealt from what the coups before it have left."""
    found: list[Any] = []
    before: list[ShoeCoup] = []
    shoe: ShoeBefore | None = ShoeBefore(1, 1)
    while shoe is not None:
        withheld = (1,) if shoe.coup % 3 == 0 else ()
        live = closed_round("nepal-super-baccarat", people, withheld, shoe.coup, shoe, options)
        assert live.closed is not None
        assert live.opened is not None
        found.append(record_of(live, 1, before))
        seed = live.closed.server_seed
        before.append(ShoeCoup(live.opened.round_id, live.opened.commitment, seed, live.client_seeds))
        dealt = live.state(live.order(bytes.fromhex(seed), live.table.variant.rules_hash)).dealt
        shoe = shoe_after(live.table.variant, shoe, dealt)
    return found


def live_vectors() -> list[dict[str, Any]]:
    """Rounds of every game for several people: all seeds opened, some withheld, all withheld, by root and by path."""
    found = []
    few: list[tuple[int, tuple[int, ...]]] = [(1, ()), (3, (2,)), (4, (1, 2, 3, 4))]
    plans = [(game, people, withheld, 1) for game in STAKES for people, withheld in few]
    plans += [("la-paire", 16, (), 16), ("nepal-super-baccarat", 30, (5, 29), 30), ("la-paire", 1_003, (7,), 1_003)]
    for game, people, withheld, seat in plans:
        name = f"{game}, {people} people, withheld {list(withheld)}, seat {seat}"
        found.append({"name": name, "record": record_of(closed_round(game, people, withheld), seat)})
    shoe = whole_shoe(decks=5, cut_card=200)
    for record in (shoe[1], shoe[-1]):
        name = f"nepal-super-baccarat, coup {record['shoe']['coup']} of {len(shoe)} of a shoe of 5 decks"
        found.append({"name": name, "record": record})
    return found
