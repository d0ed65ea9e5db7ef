"""With a fresh shuffle before every round nothing can be won: proven from exact prices, and not where it is untrue."""

from dataclasses import replace
from fractions import Fraction

import pytest

from pairhouse.analysis.protect.ceiling import BetLimits, table_limits
from pairhouse.analysis.protect.fresh_shuffle import fresh_shuffle_ceiling, house_an_hour
from pairhouse.core.errors import Refused
from pairhouse.core.options import Options
from pairhouse.core.paytable import Paytable, Wager, row
from pairhouse.games.catalogue import find

BACCARAT = find("nepal-super-baccarat").variant()


@pytest.mark.parametrize("game", ["nepal-super-baccarat", "la-paire", "blackjack-poker-pairs", "pair-v3"])
def test_no_counted_wager_wins_from_a_fresh_shuffle(game: str) -> None:
    variant = find(game).variant()
    proof = fresh_shuffle_ceiling(variant, table_limits(variant, 50_000))
    assert proof.nothing_to_win
    assert all(ev < 0 for ev in proof.expectations.values())


def test_a_wager_that_is_paid_too_much_is_not_proven_safe() -> None:
    """A tie paid 10 to 1 wins 4.7 % on average: the ceiling says so instead of 0."""

    def generous(options: Options) -> tuple[Wager, ...]:
        ten = Paytable("Tie", "[NSB-32]", (row("tie", 10, lambda coup: coup.winner == 2),))
        wagers = BACCARAT.game.wagers(options)
        return tuple(replace(wager, paytable=ten) if wager.id == "tie" else wager for wager in wagers)

    variant = replace(BACCARAT.game, wagers=generous).variant()
    proof = fresh_shuffle_ceiling(variant, table_limits(variant, 100))
    assert not proof.nothing_to_win
    assert proof.money_a_round == 100 * proof.expectations["tie"] > Fraction(4)


def test_what_has_no_exact_price_is_refused() -> None:
    with pytest.raises(Refused, match="main has no exact price here"):
        fresh_shuffle_ceiling(find("blackjack-poker-pairs").variant(), BetLimits({"main": 100}))


def test_what_the_house_earns_on_ordinary_play() -> None:
    """70 rounds an hour with 100.00 on Player (1.2351 % edge): 86.46 an hour."""
    assert house_an_hour(BACCARAT, {"player": 10_000}, 70) == pytest.approx(8_646, abs=1)
    with pytest.raises(Refused, match="wager 'mian' is unknown"):
        house_an_hour(BACCARAT, {"mian": 1}, 70)
