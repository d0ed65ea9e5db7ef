"""A table with limits opens only if it can pay every stake it allows, and checks every bet."""

from typing import Any

import pytest

from pairhouse.core.errors import Refused
from pairhouse.core.money import amount_text
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
    wrong = {
        Limits(
            minimum=100, maximum=50, unit=100, chips=()
        ): "limits of unit 100, minimum 100, maximum 50 are not possible",
        Limits(
            minimum=0, unit=0, chips=()
        ): "limits of unit 0, minimum 0, maximum 50000 are not possible; each must be",
        Limits(minimum=150, unit=100, chips=()): "a minimum is not a multiple of the unit, 100",
        Limits(chips=(100, 150)): "a chip of 150 is not a multiple of the unit, 100",
    }
    for limits, says in wrong.items():
        with pytest.raises(Refused, match=f"^{says}") as refusal:
            BettingTable(find("la-paire").variant(), limits)
        assert refusal.value.code == "bad-table"
    BettingTable(find("la-paire").variant(), Limits(minimum=100, maximum=100))


def test_what_would_not_be_paid_exactly_is_named() -> None:
    """The unit, the minimum or a chip, and the wager."""
    wrong = {
        Limits(minimum=25, unit=25, chips=()): r"a unit \(25\)",
        Limits(minimum=25, maximum=500, unit=5, chips=()): r"a unit \(5\)",
    }
    for limits, says in wrong.items():
        with pytest.raises(
            Refused, match=rf"^{says} would not always be paid exactly on \S+; use multiples"
        ) as refusal:
            BettingTable(find("blackjack").variant(), limits)
        assert refusal.value.code == "bad-table"


def test_a_stake_is_within_the_limits_and_in_steps() -> None:
    table = BettingTable(find("three-card-poker").variant({"progressive": True}), Limits(minimum=500, maximum=1_000))
    for wager, stake in (("ante", 500), ("ante", 600), ("ante", 1_000), ("progressive", 100)):
        table.check_stake(wager, stake)
    takes = {"ante": "5.00 to 10.00 in steps of 1.00", "progressive": "1.00 only"}
    for wager, stake in (("ante", 400), ("ante", 550), ("ante", 1_100), ("progressive", 500), ("progressive", 200)):
        with pytest.raises(Refused) as wrong:
            table.check_stake(wager, stake)
        says = f"{amount_text(stake)} on {wager} is not possible at this table; it takes {takes[wager]}"
        assert (wrong.value.code, str(wrong.value)) == ("over-limit", says)


def test_a_round_stakes_and_pays_no_more_than_the_table_allows() -> None:
    variant, bets = find("la-paire").variant(), [{"card-A": 500, "card-2": 300}]
    most = BettingTable(variant).liability(bets)
    BettingTable(variant, Limits(round_maximum=800, payout_maximum=most)).accept(bets)
    wrong = {
        Limits(round_maximum=799): "8.00 in one round is not possible at this table; it takes up to 7.99",
        Limits(payout_maximum=most - 1): f"these bets could pay {amount_text(most)}, more than this table pays in one "
        f"round, {amount_text(most - 1)}; bet less",
    }
    for limits, says in wrong.items():
        with pytest.raises(Refused) as refusal:
            BettingTable(variant, limits).accept(bets)
        assert (refusal.value.code, str(refusal.value)) == ("over-limit", says)


def test_what_was_accepted_once_vouches_for_nothing_else() -> None:
    """A table remembers bets it has checked, up to a number of them; True and 100.0 are still no stakes."""
    table = BettingTable(find("la-paire").variant(), Limits(minimum=1, unit=1))
    for stake in range(1, BETS_CACHED + 3):
        accepted = table.accept([{"card-A": stake}])
        assert accepted == [{"card-A": stake}]
        assert table.accept([{"card-A": stake}]) is accepted
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
    with pytest.raises(Refused, match=r"^card-A is closed at this table; bet on another wager$") as closed:
        opened("card-A", 0).check_stake("card-A", 100)
    assert closed.value.code == "wager-closed"
    sentence = "a maximum of {} on card-A is not possible; give 0 to close it, or 100 to 500 in steps of 100"
    for most in (-100, 50, 150, 600):
        with pytest.raises(Refused) as wrong:
            opened("card-A", most)
        assert (wrong.value.code, str(wrong.value)) == ("bad-table", sentence.format(most))
    with pytest.raises(Refused, match=r"^wager 'card-Z' is unknown"):
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
