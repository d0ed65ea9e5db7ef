"""A table with limits opens only if it can pay every stake it allows, and checks every bet."""

from typing import Any

import pytest

from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find
from pairhouse.rounds.table_limits import BETS_CACHED, BettingTable, Limits


def refused(code: str) -> pytest.RaisesExc[Refused]:
    return pytest.RaisesExc(Refused, check=lambda refusal: refusal.code == code)


def test_a_table_opens_only_if_it_pays_exactly() -> None:
    """Or under a rounding rule that it names. [BPP-10] [NSB-13] [BJ-6] [PV3-6] [TCP-13] [LP-18]"""
    odd = Limits(minimum=25, maximum=500, unit=25, chips=(25, 100))
    for game in ("nepal-super-baccarat", "blackjack-poker-pairs", "blackjack", "pair-v3"):
        with pytest.raises(Refused, match="would not always be paid exactly"):
            BettingTable(find(game).variant(), odd)
        BettingTable(find(game).variant({"rounding": "down"}), odd)
    for game in ("three-card-poker", "la-paire"):
        BettingTable(find(game).variant(), odd)
    with refused("bad-table"):
        BettingTable(find("la-paire").variant(), Limits(minimum=100, maximum=50, unit=100))
    with refused("bad-table"):
        BettingTable(find("la-paire").variant(), Limits(chips=(150,)))


def test_what_was_accepted_once_vouches_for_nothing_else() -> None:
    """A table remembers bets it has checked, up to a number of them; True and 100.0 are still no stakes."""
    table = BettingTable(find("la-paire").variant(), Limits(minimum=1, unit=1))
    for stake in range(1, BETS_CACHED + 3):
        assert table.accept([{"card-A": stake}]) == table.accept([{"card-A": stake}]) == [{"card-A": stake}]
    assert len(table._accepted) <= BETS_CACHED
    assert table.accept([{"card-A": 1}]) == [{"card-A": 1}]
    wrong: list[Any] = [{"card-A": True}, {"card-A": 1.0}, {"card-A": "1"}]
    for seat in wrong:
        with refused("bad-stake"):
            table.accept([seat])


def test_a_wager_may_have_a_maximum_of_its_own() -> None:
    """Within the limits of the table and in its steps, or nothing: then it is closed."""
    variant, edges = find("la-paire").variant(), (100, 300, 500)

    def opened(wager: str, most: int) -> BettingTable:
        return BettingTable(variant, Limits(minimum=100, maximum=500, unit=100, wager_maximum={wager: most}))

    for most in edges:
        opened("card-A", most).check_stake("card-A", most)
    with refused("over-limit"):
        opened("card-A", 300).check_stake("card-A", 400)
    opened("card-A", 300).check_stake("card-2", 500)
    with refused("wager-closed"):
        opened("card-A", 0).check_stake("card-A", 100)
    sentence = "a maximum of {} on card-A is not possible; give 0 to close it, or 100 to 500 in steps of 100"
    for most in (-100, 50, 150, 600):
        with pytest.raises(Refused) as wrong:
            opened("card-A", most)
        assert (wrong.value.code, str(wrong.value)) == ("bad-table", sentence.format(most))
    with pytest.raises(Refused, match="card-Z"):
        opened("card-Z", 100)


def test_all_bettors_together_may_stake_what_is_stated_or_what_one_may() -> None:
    """Where they share a shoe; nothing on a wager that is closed. [NSB-42]"""
    limits = Limits(
        maximum=50_000,
        wager_maximum={"tie": 2_000, "lucky-6": 0},
        total_maximum={"tie": 4_000, "player": 900_000, "banker": 100, "lucky-6": 500},
    )
    asked = ("tie", "player", "banker", "lucky-6", "pair")
    assert [limits.most_of_all(wager) for wager in asked] == [4_000, 900_000, 50_000, 0, 50_000]
