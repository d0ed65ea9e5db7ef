"""The tables of a new house: what a perfect counter could win there is nothing, and at a shared shoe less than stated."""

from collections import Counter
from itertools import permutations

import pytest

from pairhouse.analysis.protect.ceiling import BetLimits, DealtShoes, table_limits
from pairhouse.analysis.protect.fresh_shuffle import fresh_shuffle_ceiling, house_an_hour
from pairhouse.analysis.protect.rule_book import counted_wagers
from pairhouse.games.catalogue import find
from pairhouse.games.floor_plan import (
    CEILING_AN_HOUR,
    EVERY_ROUND,
    FLOOR_PLAN,
    ROUND_MS_MIN,
    SHARED_SHOE,
    SHOE,
    renamed,
)
from pairhouse.games.pair_v3 import PAYTABLES, decks_for
from pairhouse.rounds.table_limits import BettingTable, Limits

HOUR_MS = 3_600_000
SHARED = BettingTable(
    find(SHARED_SHOE.game).variant(SHARED_SHOE.options),
    Limits(wager_maximum=SHARED_SHOE.wager_maximum, total_maximum=SHARED_SHOE.total_maximum),
)
PACE = HOUR_MS / SHARED_SHOE.round_ms_min


def shared_limits() -> BetLimits:
    """What all bettors of a coup may have on each wager together. [NSB-42]"""
    return BetLimits({name: SHARED.limits.most_of_all(name) for name in counted_wagers(SHARED.variant)})


def test_no_table_for_one_player_can_be_counted() -> None:
    """All are shuffled for every round, and then no wager is worth more than 0; the other games: `fresh_shuffle`.

    The one table with a shoe is shared, and its limits count all bettors together.
    """
    alone = [table for table in FLOOR_PLAN if table is not SHARED_SHOE]
    assert SHARED_SHOE in FLOOR_PLAN
    assert SHARED_SHOE.clock is not None
    assert {table.shuffle for table in alone} == {EVERY_ROUND}
    assert {table.round_ms_min for table in alone} == {ROUND_MS_MIN}
    for table in alone:
        variant = find(table.game).variant(table.options)
        if variant.game.shoe:
            proof = fresh_shuffle_ceiling(variant, table_limits(variant, Limits().maximum))
            assert proof.nothing_to_win
            assert len(proof.expectations) == 34


def test_every_variant_of_the_documents_has_a_table() -> None:
    """[PV3-2] [NSB-1] [LP-13] [TCP-28] [TCP-29] Each once for one player; names say what sets a table apart."""
    alone = [find(table.game).variant(table.options) for table in FLOOR_PLAN if table.clock is None]
    assert len({variant.rules_hash for variant in alone}) == len(alone)
    by_game = Counter(variant.game.id for variant in alone)
    assert by_game == {
        "blackjack-poker-pairs": 1,
        "pair-v3": sum(len(decks_for(paytable)) for paytable in PAYTABLES),
        "three-card-poker": 3 * 2,
        "nepal-super-baccarat": 4,
        "la-paire": 3,
    }
    assert len({table.name for table in FLOOR_PLAN}) == len({table.id for table in FLOOR_PLAN}) == len(FLOOR_PLAN)
    for table in FLOOR_PLAN:
        assert table.name.partition(", ")[0] == find(table.game).name


def test_a_live_table_is_called_after_its_paytable_too() -> None:
    """A live table and the table of one player with the same rules say the same of them, beside the word live."""
    alone = {
        find(table.game).variant(table.options).rules_hash: table.name for table in FLOOR_PLAN if table.clock is None
    }
    for table in FLOOR_PLAN:
        same = alone.get(find(table.game).variant(table.options).rules_hash)
        if table.clock is not None and same is not None:
            assert table.name.replace(", live", "", 1) == same


def test_a_name_stays_true_where_options_are_switched() -> None:
    """From each table of a game to each other one without a change of its meter; another name is left alone."""
    tables = [(table, find(table.game).variant(table.options).options) for table in FLOOR_PLAN if table.clock is None]
    switched = 0
    for (before, was), (after, now) in permutations(tables, 2):
        if before.game == after.game and was.get("progressive") == now.get("progressive"):
            assert renamed(before.name, was, now) == after.name
            assert renamed("Anna's own", was, now) == "Anna's own"
            switched += 1
    assert switched == 10 * 9 + 2 * 3 * 2 + 4 * 3 + 3 * 2


def test_people_play_together_at_every_game_but_one() -> None:
    """[TCP-6] [PV3-5] [NSB-12] [LP-17] Seven seats where hands are dealt to seats; any number of bettors on one coup or one deal."""
    live = {table.game: table.clock.seats for table in FLOOR_PLAN if table.clock is not None}
    assert live == {
        "three-card-poker": 7,
        "pair-v3": 7,
        "blackjack": 7,
        "nepal-super-baccarat": None,
        "la-paire": None,
    }


def test_the_stated_sum_is_less_than_the_house_earns_from_one_player() -> None:
    assert SHARED_SHOE.shuffle == SHOE
    assert house_an_hour(SHARED.variant, {"player": 1_000}, PACE) > CEILING_AN_HOUR


def test_a_shared_shoe_does_not_contradict_its_ceiling() -> None:
    shoes = DealtShoes(SHARED.variant, SHARED_SHOE.options["cut_card"], 150, 3)
    found = shoes.ceiling(shared_limits())
    assert (found.money_a_round - 3 * found.error) * PACE < CEILING_AN_HOUR
    full = shoes.ceiling(table_limits(SHARED.variant, Limits().maximum, Limits().round_maximum))
    assert full.an_hour(PACE) > 3 * CEILING_AN_HOUR  # the limits are needed


@pytest.mark.slow
def test_a_shared_shoe_keeps_a_counter_under_the_ceiling() -> None:
    """With three standard errors on the safe side, from other shoes than those the limits were found with."""
    found = DealtShoes(SHARED.variant, SHARED_SHOE.options["cut_card"], 6_000, 99).ceiling(shared_limits())
    assert found.at_most_an_hour(PACE) <= CEILING_AN_HOUR
