"""Every table of a new house with several people at it: opened live, dealt through, and found right by the audit."""

from functools import partial
from pathlib import Path
from random import Random

import msgspec
import pytest

from direct_house import audited, new_books
from live_pit import Pit, Player
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.crowd.strategies import some_stakes
from pairhouse.games.catalogue import find
from pairhouse.games.floor_plan import FLOOR_PLAN
from pairhouse.house.corrections import slips_of
from pairhouse.house.floor import LIVE, read_table
from pairhouse.house.live.closed_rounds import live_round_record
from pairhouse.rounds.live_round import CLOSED, PLAYING, LiveSettings
from pairhouse.rounds.verify import first_difference, verify

ALONE = "blackjack-poker-pairs"
PAIR_BETS = {"la-paire-pairs": "any-paire", "la-paire-any": "paire-7"}  # what such a table does not take


def seats_of(variant: Variant) -> int | None:
    """Seven where players decide, any number elsewhere."""
    return variant.game.seats_max if variant.game.actions else None


def play(pit: Pit, table: str, variant: Variant, rng: Random, people: int) -> str:
    """A round from bets to the next one; its id."""
    players = [Player(pit, table) for _ in range(people)]
    pit.tick(table, 60_000)
    if table in PAIR_BETS:
        with pytest.raises(Refused) as refused:
            players[0].bet({"red": 100, PAIR_BETS[table]: 100})
        assert refused.value.code == "unknown-wager"
    for player in players:
        player.bet(some_stakes(rng, variant, 100, is_careful=False))
        player.ready()
    pit.tick(table, 60_000)
    for player in players:
        player.open_seed()
    pit.tick(table)
    while (view := pit.view(table)).phase == PLAYING:
        assert view.turn is not None
        options = pit.view(table, view.turn.seat).turn
        assert options is not None
        assert options.options
        whose = next(player for player in players if player.seat == view.turn.seat)
        whose.choose(view.turn.number, rng.choice(options.options))
        pit.tick(table)
    assert view.phase == CLOSED
    pit.clear(table)
    return view.round_id


def test_every_table_of_the_floor_is_dealt_with_people_at_it(tmp_path: Path) -> None:
    """[PV3-2] [TCP-28] [TCP-29] [NSB-1] [LP-13] Two rounds each; a record of each round is verified as players do it."""
    pit = Pit(new_books("sqlite", tmp_path))
    rng = Random(14)
    for planned in FLOOR_PLAN:
        variant = find(planned.game).variant(planned.options)
        if planned.game == ALONE:
            continue
        with pit.house.database.reading() as tx:
            is_live = read_table(tx, planned.id).status == LIVE
        if not is_live:
            settings = LiveSettings(seats=seats_of(variant))
            pit.house.do(partial(pit.floor.make_live, by="anna", table_id=planned.id, settings=settings))
        for people in (1, 3):
            round_id = play(pit, planned.id, variant, rng, people)
            with pit.house.database.reading() as tx:
                record = live_round_record(tx, round_id)
                assert {slip.state for slip in slips_of(tx, round_id)} == {"settled"}
            assert first_difference(verify(msgspec.to_builtins(record))) is None, planned.id
    found = audited(pit.house)
    assert found.clean, found.difference
    pit.house.close()
