"""Side bets that are decided after choices: priced under a named play, met by simulated rounds, refused in words."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gallery_games import written
from pairhouse.analysis.generic.hosted import HostedMethod
from pairhouse.analysis.methods.method import SOLVED
from pairhouse.analysis.methods.records import SolvedPrice
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.effects import effects, left_out_of, wagers_of
from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.core.errors import Refused
from pairhouse.machines.stored import stored_tallies

TEXT = '''
from typing import NamedTuple

from pairhouse.games import blackjack, standard_blackjack
from pairhouse.games.blackjack_hand import is_bust, size, total
from pairhouse.kit import EVERY_SEAT, Paytable, Wager, felt, row, rule, settle, with_side_bets


class Dealer(NamedTuple):
    cards: int


class Own(NamedTuple):
    points: int
    cards: int


@rule
def dealer_busts(table, dealer):
    """How many cards it took the dealer to bust."""
    settle(table, EVERY_SEAT, Dealer(size(dealer) if is_bust(dealer) else 0))


@rule
def own_hand(table, place, hand):
    """What the first hand came to."""
    LOOKS
    settle(table, place, Own(total(hand), size(hand)))


BUSTER = Paytable("Buster", "", (
    row("six or more", 15, lambda d: d.cards >= 6),
    row("five", 4, lambda d: d.cards == 5),
    row("three or four", 2, lambda d: d.cards >= 3),
))
LONG_21 = Paytable("Long 21", "", (row("21 with three or more", 6, lambda o: o.points == 21 and o.cards > 2),))
GAME = with_side_bets(
    standard_blackjack.GAME, id="late-bets", name="Late bets", summary="Bets on how it ends.", module=__name__,
    at={blackjack.dealer_over: dealer_busts, blackjack.seat_over: own_hand},
    wagers=(Wager("buster", "Buster", BUSTER, Dealer), Wager("long-21", "Long 21", LONG_21, Own)),
)
'''
BETS = ("buster", "long-21")


@contextmanager
def method_for(folder: Path, name: str, looks: str = "pass") -> Iterator[HostedMethod]:
    with written(folder, name, TEXT.replace("LOOKS", looks)) as game:
        method = method_of(game.variant({"decks": 6}))
        assert isinstance(method, HostedMethod)
        yield method


def held_to_rounds(method: HostedMethod, strategy: str, blocks: int) -> None:
    """A million rounds a block under the same play lie where the price says."""
    sampling = Sampling.of(method.variant, strategy, BETS)
    counts = sampling.simulation.block(5, 0)
    for block in range(1, blocks):
        counts += sampling.simulation.block(5, block)
    for wager, found in sampling.estimates(counts).items():
        assert found.exact == pytest.approx(float(method.late_price(wager, strategy).ev), abs=1e-15)
        assert found.z is not None
        assert abs(found.z) < 4.5, wager


@pytest.mark.slow
def test_a_play_without_splits_is_met_by_rounds(tmp_path: Path) -> None:
    with method_for(tmp_path, "late_plain") as method, stored_tallies():
        assert [method.source(wager) for wager in BETS] == [SOLVED, SOLVED]
        held_to_rounds(method, "mimic-dealer", 3)


@pytest.mark.slow
def test_best_play_is_met_by_rounds(tmp_path: Path) -> None:
    with method_for(tmp_path, "late_best") as method, stored_tallies():
        held_to_rounds(method, "best", 12)
        price = method.price("buster")
        own = method.exact_price("long-21")
    assert sum(row.probability for row in own.rows) == 1
    assert "strategy best" in own.method
    assert isinstance(price, SolvedPrice)
    assert 0 < price.error < 1e-5
    assert sum(row["probability"] for row in price.rows) == pytest.approx(1, abs=1e-12)
    assert "best" in price.strategy_class


def test_a_bet_that_looks_further_has_no_price_and_says_so(tmp_path: Path) -> None:
    with method_for(tmp_path, "late_further", "hand = felt(table, 0)[place]") as method:
        assert method.source("buster") == SOLVED
        assert method.source("long-21") is None
        assert "more than the one hand" in method.reason("long-21")


def test_a_shoe_is_followed_without_them_and_says_so(tmp_path: Path) -> None:
    """Who asks for all wagers gets those of the host; who asks for a late one is told why not."""
    with method_for(tmp_path, "late_followed") as method:
        left_out = left_out_of(method.variant)
        assert list(left_out) == list(BETS)
        assert wagers_of(method.variant) == ["main", "insurance"]
        assert list(effects(method.variant, ["insurance"])) == ["insurance"]
        with pytest.raises(Refused, match="buster cannot be followed: it is decided after choices"):
            effects(method.variant, ["buster"])
