"""Other readings of the Nepal Super Baccarat document that change a price."""

from collections.abc import Iterator

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.exact.prices import price
from pairhouse.analysis.reports.readings import Reading, expectation, hands_of, repriced
from pairhouse.core.cards import Card, pack
from pairhouse.core.game import Variant
from pairhouse.core.paytable import Paytable
from pairhouse.games import nepal_super_baccarat as baccarat


def is_pair_by_points(a: Card, b: Card) -> bool:
    """Two cards of equal points. [NSB-28]"""
    return baccarat.points(a) == baccarat.points(b)


def any_total(variant: Variant, side: str) -> Paytable:
    """The rows of all bets on the totals of a side, as one bet. [NSB-10]"""
    rows = (line for w in variant.wagers.values() if w.id.startswith(f"{side}-on-") for line in w.paytable.rows)
    return Paytable(f"{side.capitalize()} Wins On", "[NSB-10]", tuple(rows))


def baccarat_readings(variant: Variant, tally: Counted) -> Iterator[Reading]:
    """[NSB-10] [NSB-28] [NSB-36]"""
    for side in ("player", "banker", "tie"):
        bets = [price(tally, wager) for wager in variant.wagers if wager.startswith(f"{side}-on-")]
        best = max(bets, key=lambda bet: bet.ev)
        how = f"One {side.capitalize()} bet pays on any winning total, each by its row; ours is the best single total."
        other = repriced(tally, best.wager, any_total(variant, side))
        yield Reading("NSB-10", 16, best.wager, best.ev, other, how)
    shoe = pack(*variant.pack)
    pairs = [is_pair_by_points(*hand) for hand, _ in hands_of(shoe, 2)]
    coups = [baccarat.Coup(baccarat.TIE, 0, 2, paired, paired) for paired in pairs]
    for side, pays in (("player", baccarat.PLAYER_PAIR_PAYS), ("banker", baccarat.BANKER_PAIR_PAYS)):
        wager = f"{side}-pair"
        other = expectation(pays, zip(coups, (ways for _, ways in hands_of(shoe, 2)), strict=True))
        how = "Two cards of equal points are a pair, so that a king and a queen are one."
        yield Reading("NSB-28", 18, wager, price(tally, wager).ev, other, how)
    for line in baccarat.SIX_ROWS:
        how = f"Banker Wins On 6 is two bets, and this one wins with the {line.name} alone."
        other = repriced(tally, "banker-on-6", Paytable("Banker Wins On 6", "[NSB-36]", (line,)))
        yield Reading("NSB-36", 17, "banker-on-6", price(tally, "banker-on-6").ev, other, how)
