"""Closed live rounds as their records: seats or crowds, seeds withheld, played at random without a house."""

import hashlib
from random import Random
from typing import Any

import msgspec

from live_table import ANY_NUMBER, CLOCK, STAKES
from pairhouse.games.catalogue import find
from pairhouse.rounds.fairness import Order, WordStream, commitment
from pairhouse.rounds.live_entries import RoundOpened
from pairhouse.rounds.live_record import live_record
from pairhouse.rounds.live_round import CLOSED, LiveRound
from pairhouse.rounds.shared_seeds import seed_commitment
from pairhouse.rounds.table_limits import BettingTable


def closed_round(game: str, people: int, withheld: tuple[int, ...] = (), number: int = 0) -> LiveRound:
    """A round that so many people have played at random; seats from 1, some of which withhold their seeds."""
    picks = Random(f"{game} {people} {number}")
    variant = find(game).variant()
    seed = hashlib.sha256(f"{game} {people} {number}".encode()).digest()
    live = LiveRound(BettingTable(variant), CLOCK if people <= 7 and variant.game.actions else ANY_NUMBER)
    live.add(RoundOpened(at=0, round_id=f"live-{game}-{people}-{number}", commitment=commitment(seed)))
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
        order = Order(WordStream(seed, game, variant.rules_hash, live.client_seeds, 0), *variant.pack)
        state = live.state(order)
        asked = live.asked(state)
        if asked is not None:
            entry = live.choose(3 * 10**6, asked[0], len(live.choices), picks.choice(asked[1].options), state)
        else:
            entry = live.next_entry(4 * 10**6, state, seed.hex())
    return live


def record_of(live: LiveRound, seat: int | None = None) -> Any:
    """The record of a closed round, as it is sent."""
    return msgspec.json.decode(msgspec.json.encode(live_record(live, live.table.variant.rules_hash, seat)))


def live_vectors() -> list[dict[str, Any]]:
    """Rounds of every game for several people: all seeds opened, some withheld, all withheld, by root and by path."""
    found = []
    few: list[tuple[int, tuple[int, ...]]] = [(1, ()), (3, (2,)), (4, (1, 2, 3, 4))]
    plans = [(game, people, withheld, 1) for game in STAKES for people, withheld in few]
    plans += [("la-paire", 16, (), 16), ("nepal-super-baccarat", 30, (5, 29), 30), ("la-paire", 1_003, (7,), 1_003)]
    for game, people, withheld, seat in plans:
        name = f"{game}, {people} people, withheld {list(withheld)}, seat {seat}"
        found.append({"name": name, "record": record_of(closed_round(game, people, withheld), seat)})
    return found
