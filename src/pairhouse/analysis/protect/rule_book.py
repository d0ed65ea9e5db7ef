"""Everything this room asks about a game: what is counted of it, what a story pays, its prices from a fresh shoe."""

from collections.abc import Sequence
from fractions import Fraction

from pairhouse.analysis.exact.counts import Counted, Counting
from pairhouse.analysis.exact.prices import Price, nets, prices
from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.tally import Story


def counting_of(variant: Variant) -> Counting:
    """The part of the rule book that is counted, the kinds it settles and the classes of cards it can tell."""
    found = method_of(variant).counting
    if found is None:
        raise Refused("not-counted", f"{variant.game.name} settles nothing before its first choice; it is not counted")
    return found


def counted_wagers(variant: Variant, counting: Counting | None = None) -> list[str]:
    """The wagers placed before the cards that the counted part of the rule book decides."""
    kinds = (counting or counting_of(variant)).kinds
    return [
        wager.id
        for wager in variant.wagers.values()
        if wager.base is None and wager.decided_by in kinds and not any(line.share for line in wager.paytable.rows)
    ]


def net_in(variant: Variant, wager: str, stories: Sequence[Story]) -> list[Fraction]:
    """What a unit on a wager wins in each of these stories."""
    tally = Counted(variant, dict.fromkeys(stories, 1), len(stories), "")
    return list(nets(tally, wager).values())


def fresh_tally(variant: Variant) -> Counted:
    """Every counted story from a fresh shoe; choices, where there are any, are made best."""
    return method_of(variant).tally()


def fresh_prices(variant: Variant) -> dict[str, Price]:
    """The exact price of every counted wager from a fresh shoe."""
    return prices(fresh_tally(variant))


def is_chosen(variant: Variant, wager: str) -> bool:
    """Whether the player's choices change how a wager ends."""
    counting = method_of(variant).counting
    before_choices = counting is not None and variant.wagers[wager].decided_by in counting.kinds
    return bool(variant.actions) and not before_choices


def least_net(variant: Variant, wager: str) -> Fraction:
    """The most that can be lost per unit of a first stake, however it is played: all that can ever be staked on it."""
    opens = variant.wagers[wager].opens
    units = Fraction(variant.game.units_max(variant.rules) if opens else 1)
    follow = (other.multiple for other in variant.wagers.values() if other.base == wager and not other.bonus)
    return -units - sum(follow, Fraction(0))
