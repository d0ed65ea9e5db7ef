"""Shoes followed by a count and by exact prices: against a slow plain follower, and the count never above the ceiling."""

from fractions import Fraction
from itertools import combinations
from math import floor, sqrt
from pathlib import Path

import numpy as np
import pytest

from counting import counted
from pairhouse.analysis.exact.prices import price
from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.protect.ceiling import DealtShoes, table_limits
from pairhouse.analysis.protect.effects import effects
from pairhouse.analysis.protect.followed_shoes import (
    EXACT,
    Following,
    RoundPrices,
    all_ends,
    cards_a_round,
    follow,
    usual_cuts,
)
from pairhouse.analysis.protect.measures import cut_wins, slope_of, turning_point
from pairhouse.analysis.protect.round_sums import REACH
from pairhouse.analysis.protect.stopped_run import load_run, save_run
from pairhouse.core.cards import RANK_NAMES, pack, rank
from pairhouse.core.errors import Refused
from pairhouse.core.hands import category

LA_PAIRE = analyst("la-paire")
BACCARAT = analyst("nepal-super-baccarat", {"decks": "5"})
TAGS = {"card-A": {"A": -1}, "poker": {"joker": -2, "2": 1}}


def la_paire_following() -> Following:
    found = effects(LA_PAIRE, ["card-A", "poker"])
    return Following(LA_PAIRE, RoundPrices(LA_PAIRE, found), TAGS, [27, 5])


def test_blocks_together() -> None:
    """Blocks priced together, as a GPU does it, give each the sums it has alone; a last block may be short."""
    following = la_paire_following()
    together = following.blocks(7, [(0, 4), (1, 4), (2, 1)])
    for sums, alone in zip(together, [(0, 4), (1, 4), (2, 1)], strict=True):
        for name, values in following.block(7, *alone).arrays().items():
            assert np.array_equal(sums.arrays()[name], values), name


def test_against_a_slow_follower() -> None:
    """Everything anew, in plain Python: cards left, exact prices by recounting, counts, sums."""
    following = la_paire_following()
    totals = following.block(7, 3, 1)
    random = np.random.default_rng([7, 3])
    rounds = {27: 0, 5: 0}
    ceiling = {(cut, wager): 0.0 for cut in rounds for wager in TAGS}
    by_count: dict[tuple[int, str, int], float] = {}
    squares = dict.fromkeys(TAGS, 0.0)
    for _ in range(1):
        order = random.permutation(np.array(pack(1, 2))).tolist()
        for cut in rounds:
            start, last = 0, False
            while True:
                left = order[start:]
                rounds[cut] += 1
                for wager, tags in TAGS.items():
                    ev = price(counted(LA_PAIRE, left), wager).ev
                    names = ["joker" if card >= 52 else RANK_NAMES[rank(card)] for card in order]
                    mean = Fraction(sum(tags.get(name, 0) for name in names), 54)
                    running = sum((tags.get(name, 0) - mean for name in names[:start]), Fraction(0))
                    at = floor(running * 54 / len(left))
                    by_count[cut, wager, at] = by_count.get((cut, wager, at), 0.0) + float(ev)
                    ceiling[cut, wager] += float(max(ev, Fraction(0)))
                    if cut == 5 and ev > 0:
                        squares[wager] += float(price(counted(LA_PAIRE, left), wager).moment(2))
                start += 3
                if last:
                    break
                last = start >= 54 - cut
    for place, cut in enumerate(following.cuts):
        assert int(totals.rounds[: place + 1].sum()) == rounds[cut]
        for at, wager in enumerate(TAGS):
            assert totals.best_won[: place + 1, at].sum() == pytest.approx(ceiling[cut, wager], abs=1e-9)
            won = totals.won[: place + 1, at].sum(axis=0)
            found = {
                bin_at - REACH: won[bin_at] for bin_at in np.flatnonzero(totals.offered[: place + 1, at].sum(axis=0))
            }
            assert found == {
                count: pytest.approx(value, abs=1e-9)
                for (c, w, count), value in by_count.items()
                if (c, w) == (cut, wager)
            }
    assert totals.best_square.sum(axis=0) == pytest.approx(list(squares.values()), abs=1e-9)


def test_the_same_ceiling_as_the_limits_use() -> None:
    found = effects(BACCARAT, ["tie-on-0", "player"])
    following = Following(BACCARAT, RoundPrices(BACCARAT, found), {}, [52, 14])
    totals = follow(following, 50, 1)
    wins = cut_wins(totals, [52, 14], 14, following.prices.wagers.index("tie-on-0"))
    shoes = DealtShoes(BACCARAT, 14, 50, 9)
    other = shoes.ceiling(table_limits(BACCARAT, 1))
    theirs = 100 * other.wagers["tie-on-0"].units_a_round
    assert abs(wins.ceiling.win - theirs) < 4 * sqrt(2) * wins.ceiling.error
    assert wins.rounds_a_shoe == pytest.approx(other.rounds_a_shoe, rel=0.02)


def test_no_count_wins_more_than_the_ceiling_and_workers_change_nothing(tmp_path: Path) -> None:
    following = la_paire_following()
    totals = follow(following, 150, 1, workers=1)
    for cut in following.cuts:
        for at in range(2):
            wins = cut_wins(totals, list(following.cuts), cut, at)
            assert 0 < wins.count.win <= wins.ceiling.win
            assert wins.count.n0 == pytest.approx((1000 / wins.count.desirability) ** 2)
            assert wins.ceiling.edge == pytest.approx(wins.ceiling.win / wins.ceiling.bets)
    begun = follow(following, 100, 1, workers=2)
    save_run(tmp_path / "run.npz", following, 1, begun)
    again = follow(following, 150, 1, workers=2, begun=load_run(tmp_path / "run.npz", following, 1))
    assert all((getattr(again, name) == values).all() for name, values in totals.arrays().items())
    with pytest.raises(Refused, match="belongs to another run; not the same: seed"):
        load_run(tmp_path / "run.npz", following, 2)
    with pytest.raises(Refused, match="is not there"):
        load_run(tmp_path / "none.npz", following, 1)
    (tmp_path / "bad.npz").write_bytes(b"nothing")
    with pytest.raises(Refused, match="holds no run"):
        load_run(tmp_path / "bad.npz", following, 1)


def test_insurance() -> None:
    """Offered when an ace is up, and won by a ten under it, from the cards that are left."""
    variant = analyst("blackjack")
    prices = RoundPrices(variant, effects(variant, ["insurance"]))
    order = np.random.default_rng(5).permutation(np.array(pack(*variant.pack)))
    starts = np.array([0, 100, 250])
    evs, _squares, offered = prices.of([order], [starts])
    for row, start in enumerate(starts):
        left = order[start:]
        tens, aces = int((left % 13 >= 9).sum()), int((left % 13 == 0).sum())
        at = prices.wagers.index("insurance")
        assert evs[row, at] == pytest.approx(3 * tens / (len(left) - 1) - 1)
        assert offered[row, at] == pytest.approx(aces / len(left))


@pytest.mark.slow
def test_played_wagers() -> None:
    """By first order: the price of the whole pack, and the effects of the cards that are gone."""
    variant = analyst("blackjack")
    found = effects(variant, ["main"])
    order = np.random.default_rng(5).permutation(np.array(pack(*variant.pack)))
    evs, *_ = RoundPrices(variant, found).of([order], [np.array([0, 100])])
    assert evs[0, 0] == float(found["main"].price)
    gone = sum(float(found["main"].by_face[card] - found["main"].mean) for card in order[:100])
    assert evs[1, 0] == pytest.approx(float(found["main"].price) + 311 / 212 * gone)


def test_three_card_poker_is_followed_exactly() -> None:
    """Both wagers before every round of a deck dealt down, from the cards that are left and nothing else."""
    variant = analyst("three-card-poker")
    found = effects(variant)
    following = Following(variant, RoundPrices(variant, found), {}, [11])
    assert set(following.prices.how.values()) == {EXACT}
    orders, ends = following.dealt(5, 0, 2)
    starts = [np.concatenate(([0], each[:-1])) for each in ends]
    evs, squares, _ = following.prices.of(orders, starts)
    assert evs[0] == pytest.approx([float(found[wager].price) for wager in following.prices.wagers], abs=1e-12)
    at = following.prices.wagers.index("pairplus")
    pays = {5: 40, 4: 30, 3: 6, 2: 3, 1: 1}
    for row, start in enumerate(starts[0]):
        nets = [pays.get(category(*hand), -1) for hand in combinations(orders[0][start:].tolist(), 3)]
        assert evs[row, at] == pytest.approx(sum(nets) / len(nets), abs=1e-12)
        assert squares[row, at] == pytest.approx(sum(net * net for net in nets) / len(nets), abs=1e-9)


def test_the_turning_point_is_where_the_line_is_nought() -> None:
    found = effects(analyst("blackjack", {"decks": "6"}), ["insurance"])["insurance"]
    tens = dict.fromkeys(("10", "J", "Q", "K"), -1)
    # Insurance pays 2 to 1, so it turns when a third of the cards are tens: exactly a line in the count of tens.
    slope, turn = slope_of(found, tens), turning_point(found, tens)
    assert turn is not None
    left = Fraction(208)
    more = Fraction(turn) * left / 52  # tens more than their share among 208 cards, by the true count
    share = (left * Fraction(96, 311) + more) / left
    assert float(share) == pytest.approx(1 / 3, abs=1e-12)
    assert slope > 0
    hi_lo = {**dict.fromkeys("23456", 1), **dict.fromkeys(("10", "J", "Q", "K", "A"), -1)}
    assert turning_point(found, hi_lo) == pytest.approx(3.2, abs=0.3)  # printed everywhere: insure from +3 on


def test_cut_cards_seats_and_shoes() -> None:
    assert usual_cuts(BACCARAT, 1) == [14, 52, 104, 156, 208]
    assert usual_cuts(analyst("blackjack"), 1) == [78, 9, 52, 104, 156, 208, 260]  # no cut card of its own: a quarter
    assert usual_cuts(analyst("three-card-poker"), 7) == [47]
    assert cards_a_round(BACCARAT, 1) is None
    assert cards_a_round(analyst("three-card-poker"), 7) == 24
    assert cards_a_round(analyst("blackjack"), 1) == 5
    (ends,) = all_ends(analyst("blackjack"), np.arange(52)[None, :], 40, 5)
    assert ends.tolist() == [5, 10, 15, 20]
    with pytest.raises(Refused, match="9 seats were given"):
        cards_a_round(analyst("three-card-poker"), 9)
