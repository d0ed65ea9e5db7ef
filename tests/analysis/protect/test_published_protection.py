"""Figures about clever players that others have published, matched to their digits or refuted with the reason.

Sources: wizardofodds.com (Lucky Ladies, effects of removal), apheat.net and 888casino.com/blog by Eliot Jacobson (Dragon 7, Panda 8, 21+3,
Over/Under 13, edge sorting), discountgambling.net (Dragon 7), excelpunks.com (first card of a coup),
advancedadvantageplay.com (21+3), blackjacktheforum.com and blackjackincolor.com (insurance, Lucky Ladies with Hi-Lo).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pairhouse.analysis.blackjack.hands import Reals
from pairhouse.analysis.blackjack.solve import fresh_shoe
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.effects import Effects, effects
from pairhouse.analysis.protect.followed_shoes import Following, RoundPrices, counted_prices, follow
from pairhouse.analysis.protect.known_cards import next_card
from pairhouse.analysis.protect.measures import cut_wins, turning_point
from pairhouse.analysis.protect.parts import dealt_by, part_of
from pairhouse.analysis.protect.published_counts import COUNTS
from pairhouse.analysis.protect.tags import best_counts, by_rank, count_of
from pairhouse.core.cards import RANK_NAMES, pack, rank
from pairhouse.core.game import Variant
from pairhouse.core.paytable import Paytable, Wager, row
from pairhouse.games import nepal_super_baccarat as baccarat
from pairhouse.games.catalogue import given
from pairhouse.machines.dealt_shoe import deal_shoe

GALLERY = Path(__file__).parents[3] / "gallery"
BACCARAT = analyst("nepal-super-baccarat")
EZ, BLACKJACK = GALLERY / "baccarat_side_bets.py", GALLERY / "blackjack_side_bets.py"
LADIES = Path(__file__).with_name("lucky_ladies.py")
PUBLISHED = {count.name: dict(count.tags) for count in COUNTS}


def from_file(path: Path) -> Variant:
    """The game of a file, which is known until the tests of this one are over."""
    return analyst(given(str(path)).id)


def by_name(tags: Sequence[int]) -> dict[str, int]:
    """Tags of ace to ten by the names of ranks; the faces count as the ten does."""
    return dict(zip(RANK_NAMES, (*tags, *[tags[-1]] * 3), strict=True))


def big_tiger() -> Variant:
    """Baccarat with one bet: the Banker wins with a 6 of three cards, 50 to 1."""
    paytable = Paytable("Big Tiger", "", (row("three-card 6", 50, baccarat.six_with(3)),))
    wagers = (Wager("big-tiger", "Big Tiger", paytable, baccarat.Coup, opens=True),)
    return Variant(replace(BACCARAT.game, wagers=lambda _options: wagers), BACCARAT.options)


def won_in_a_shoe(variant: Variant, wager: str, tags: dict[str, int], cut: int, shoes: int) -> tuple[float, float]:
    """What a count and a perfect player win in a shoe, in units."""
    found = effects(variant, [wager])
    wins = cut_wins(
        follow(Following(variant, RoundPrices(variant, found), {wager: tags}, [cut]), shoes, 1), [cut], cut, 0
    )
    return wins.count.win * wins.rounds_a_shoe / 100, wins.ceiling.win * wins.rounds_a_shoe / 100


def follows(found: Effects, name: str) -> float:
    weighted = by_rank(found)
    return count_of(name, [PUBLISHED[name].get(rank, 0) for rank in weighted.names], weighted).correlation


def test_dragon_7_and_panda_8() -> None:
    """Edges of 7.6113 % and 10.1876 %, and the counts that were printed for them."""
    found = effects(from_file(EZ), ["dragon-7", "panda-8"])
    assert round(-100 * float(found["dragon-7"].price), 4) == 7.6113
    assert round(-100 * float(found["panda-8"].price), 4) == 10.1876
    turns = turning_point(found["dragon-7"], PUBLISHED["Dragon 7 count"])
    assert turns is not None
    assert 3 < turns <= 4  # printed: bet from a true count of 4 on
    assert follows(found["dragon-7"], "Dragon 7 count") == pytest.approx(0.964, abs=5e-4)
    best = {count.name: count.correlation for count in best_counts(by_rank(found["panda-8"]))}
    assert follows(found["panda-8"], "Panda 8 count") > best["level 1, balanced"]
    assert max(best.values()) > follows(found["panda-8"], "Panda 8 count")  # level 3 follows closer than its level 4


def with_burnt_cards(shoes: int, cut: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Shoes of eight decks as casinos deal them: a card is shown, and as many as it counts are burnt unseen (a ten: 10).

    Cards that are burnt unseen are as good as cards behind the cut card, so that is where they are put.
    """
    dealt, random = dealt_by(BACCARAT), np.random.default_rng(1)
    assert dealt is not None
    counting = dealt[1]
    orders, starts = [], []
    for _ in range(shoes):
        order = random.permutation(np.array(pack(8), np.int64))
        burnt = min(rank(int(order[0])) + 1, 10)
        order = np.concatenate((order[:1], order[1 + burnt :], order[1 : 1 + burnt]))
        ends = deal_shoe(counting.play, BACCARAT.rules, counting.kinds, order[1:], cut + burnt)[0]
        orders.append(order)
        starts.append(1 + np.concatenate(([0], ends[:-1])))
    return orders, starts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "wager", "tags", "bet_from", "printed"),
    [
        (EZ, "dragon-7", (0, 0, 0, -1, -1, -1, -1, 2, 2, 0), 4, {"a shoe": 0.597}),
        (EZ, "panda-8", (1, 1, -2, -2, -2, -1, -1, -2, 4, 1), 11, {"a shoe": 0.237}),
        (None, "big-tiger", (0, 0, -1, -1, -1, -2, 1, 2, 2, 0), 8,
         {"bets": 0.03536, "edge": 0.07227, "a round": 0.00256}),
    ],
)  # fmt: skip
def test_what_counts_win_where_cards_are_burnt(
    file: Path | None, wager: str, tags: Sequence[int], bet_from: int, printed: Mapping[str, float]
) -> None:
    """Dragon 7, Panda 8 and Big Tiger (50 for a three-card 6) with 14 cards behind the cut card, 10^8 shoes each."""
    variant = from_file(file) if file else big_tiger()
    orders, starts = with_burnt_cards(3000, 14)
    found = effects(variant, [wager])
    following = Following(variant, RoundPrices(variant, found), {wager: by_name(tags)}, [14])
    evs = following.prices.of(orders, starts)[0][:, 0]
    bet = following.true_counts(orders, starts)[:, 0] >= bet_from - 1e-9
    shoe = np.repeat(np.arange(len(starts)), [len(each) for each in starts])
    won, bets, rounds = (np.bincount(shoe, what) for what in (np.where(bet, evs, 0.0), bet, np.ones(len(bet))))
    for name, above, below in (("a shoe", won, np.ones(len(won))), ("bets", bets, rounds), ("edge", won, bets),
                               ("a round", won, rounds)):  # fmt: skip
        if name in printed:
            ours = above.sum() / below.sum()
            error = (above - ours * below).std() * len(above) ** 0.5 / below.sum()
            assert abs(ours - printed[name]) < 4 * error, (name, ours, error)
    assert won.sum() < np.maximum(evs, 0).sum()  # nobody wins more than the ceiling


def test_lucky_ladies() -> None:
    """Six decks: 24.7089 %, from 9,294,695,280 deals by kind; with Hi-Lo it is bet from +7 on."""
    method = method_of(from_file(LADIES))
    price = method.exact_price("ladies")
    printed = {"two ladies and a blackjack": 135360, "two ladies": 2738340, "matched 20": 43105500,
               "suited 20": 193112640, "unsuited 20": 744863040}  # fmt: skip
    total = 9294695280
    assert {line.name: line.probability for line in price.rows if line.name in printed} == {
        name: Fraction(ways, total) for name, ways in printed.items()
    }
    assert round(float(price.ev), 6) == -0.247089
    found = effects(from_file(LADIES))["ladies"]
    assert found.mean == 0
    assert found.suits_matter  # the queen of hearts is worth most
    assert min(found.by_card, key=lambda card: found.by_card[card]) == "Qh"
    turns = turning_point(found, PUBLISHED["Hi-Lo"])
    assert turns is not None
    assert 6 < turns <= 7  # so +7 is the first whole true count at which it is bet


@pytest.mark.slow
def test_over_and_under_13() -> None:
    """Six decks: 6.555 % and 10.067 %; the Crush count (ace and two +2, three +1, nine and ten -1) is called good."""
    found = effects(from_file(BLACKJACK), ["over-13", "under-13"])
    assert round(-100 * float(found["over-13"].price), 3) == 6.555
    assert round(-100 * float(found["under-13"].price), 3) == 10.067
    assert round(follows(found["over-13"], "Crush count"), 3) == 0.948
    assert -follows(found["under-13"], "Crush count") > 0.9
    assert follows(found["over-13"], "Hi-Lo") < 0.8  # and ordinary counts ineffective


@pytest.mark.slow
def test_21_and_3_played_perfectly() -> None:
    """Six decks, 9 to 1: 3.2386 %. With 156 cards gone a bet in 5.241 % of rounds at 1.292 %, with 39 left 31.899 % at
    9.997 % (10,000 shoes); to the last 52 cards a team that counts suits wins 0.178 units per 100 rounds."""
    part = part_of(from_file(BLACKJACK), "21+3")
    assert round(-100 * float(part.method.exact_price("21+3").ev), 4) == 3.2386
    ((prices, _),) = part.shoe_prices
    random, fresh, shoes = np.random.default_rng(1), np.array(pack(6), np.int64), 3000
    orders = [random.permutation(fresh) for _ in range(shoes)]
    evs = counted_prices(prices, orders, [np.array([156, 273])] * shoes)[0][:, prices.wagers.index("21+3")]
    for at, share, edge in ((0, 0.05241, 0.01292), (1, 0.31899, 0.09997)):
        here = evs[at::2]
        error = (share * (1 - share) / shoes) ** 0.5
        assert abs((here > 0).mean() - share) < 4 * error
        assert abs(here[here > 0].mean() - edge) < 4 * here[here > 0].std() / (here > 0).sum() ** 0.5
    _, most = won_in_a_shoe(from_file(BLACKJACK), "21+3", {}, 52, 200)
    assert 100 * most / 53 > 0.178  # nobody wins more than the ceiling


def test_the_first_card_of_a_coup() -> None:
    """Deals won by Player and Banker given the first card, as whole numbers; and 6.765 % for telling 6-7-8-9 apart."""
    found = next_card(BACCARAT, ["player", "tie"])
    deals = 159747170699264 + 189857873692672 + 34887130646784
    for name, player, banker, tie in (
        ("A", 159747170699264, 189857873692672, 34887130646784),
        ("6", 173075882563584, 170168183390208, 41248109084928),
        ("9", 215108869548032, 132334879180800, 37048426309888),
    ):
        assert found["player"].prices[name] == Fraction(player - banker, deals)
        assert found["tie"].prices[name] == Fraction(9 * tie, deals) - 1
    high = {"6", "7", "8", "9"}
    on_player = sum(found["player"].prices[name] for name in high) / 4
    # Banker with 5 % commission wins what Player loses, less a twentieth of its wins; its wins follow from the two.
    wins = {
        name: (1 - (1 + found["tie"].prices[name]) / 9 - found["player"].prices[name]) / 2
        for name in found["tie"].prices
    }
    low = [name for name in wins if name not in high]
    on_banker = sum(Fraction(95, 100) * wins[name] - (wins[name] + found["player"].prices[name]) for name in low) / 9
    assert round(100 * float(Fraction(4, 13) * on_player + Fraction(9, 13) * on_banker), 3) == 6.765


def test_insurance_with_hi_lo() -> None:
    """Printed for two decks, with the dealer's ace in the count: +2.4. The figures of other decks are ours.

    Turning points are counts before the round. The ace takes 1 from the running count, over the decks without it.
    """
    for decks, known in ((1, 1.4), (2, 2.4), (6, 3.0), (8, 3.1)):
        insurance = effects(analyst("blackjack", {"decks": str(decks)}), ["insurance"])["insurance"]
        turns = turning_point(insurance, PUBLISHED["Hi-Lo"])
        assert turns is not None
        assert round(turns - 52 / (52 * decks - 1), 1) == known


def test_effects_of_blackjack_with_six_decks() -> None:
    """Printed in per cent for a table that splits once and doubles after it; surrender is not mentioned.

    They are those with late surrender, within the little by which the printed class plays split hands otherwise.
    Without surrender a five would be worth 0.125, not 0.141.
    """
    ranks = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
    printed = {
        "stand": (0.069, 0.082, 0.110, 0.141, 0.079, 0.041, -0.008, -0.040, -0.091, -0.094),
        "hit": (0.071, 0.086, 0.117, 0.143, 0.084, 0.038, -0.010, -0.045, -0.097, -0.084),
    }
    for soft_17, figures in printed.items():
        rules = analyst("blackjack", {"max_hands": "2", "surrender": "late", "soft_17": soft_17}).rules
        prices = [Solution(rules, left_without(6, gone), 1.5).expectation for gone in (0, *ranks)]
        assert [100 * (price - prices[0]) for price in prices[1:]] == pytest.approx(figures, abs=0.0025)
    unsurrendered = analyst("blackjack", {"max_hands": "2"}).rules
    prices = [Solution(unsurrendered, left_without(6, gone), 1.5).expectation for gone in (0, 5)]
    assert round(100 * (prices[1] - prices[0]), 3) == 0.125


def left_without(decks: int, gone: int) -> Reals:
    """A shoe with a card of one value gone; 0 takes none."""
    left = fresh_shoe(decks)
    left[gone] -= gone > 0
    return left
