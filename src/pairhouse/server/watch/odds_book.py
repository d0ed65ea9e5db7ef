"""The odds of every table: exact where wagers are counted, from the par sheet where a solver prices them."""

from collections import OrderedDict
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any, NamedTuple

from pairhouse.analysis.protect.evidence import Odds, WagerOdds
from pairhouse.analysis.protect.rule_book import least_net
from pairhouse.analysis.protect.watch import odds_of
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.settlement import largest_return
from pairhouse.server.pricing.price_book import PriceBook

BOOKS_CACHED = 64


class TableOdds(NamedTuple):
    """The odds of a variant, and with which wager each other one is counted: a double with the main bet."""

    odds: Odds
    line_of: Mapping[str, str]
    is_complete: bool


class OddsBook:
    """Odds by rules hash. A wager that is not priced yet, or whose price moves with a meter, is left out."""

    def __init__(self) -> None:
        self._prices = PriceBook()
        self._found: OrderedDict[str, TableOdds] = OrderedDict()

    def of(self, variant: Variant) -> TableOdds:
        """The odds of a variant; asked again for wagers that had no price the last time."""
        found = self._found.get(variant.rules_hash)
        if found is None or not found.is_complete:
            found = self._found[variant.rules_hash] = table_odds(variant, self._prices.sheet(variant))
            if len(self._found) > BOOKS_CACHED:
                self._found.popitem(last=False)
        return found


def table_odds(variant: Variant, sheet: dict[str, Any] | None) -> TableOdds:
    """Counted wagers with exact covariances; solved ones from the par sheet, the error of their price on our side."""
    try:
        counted = odds_of(variant)
    except Refused:  # nothing of this game is counted
        counted = Odds({})
    wagers, between = dict(counted.wagers), dict(counted.covariance)
    missing = False
    for name, wager in variant.wagers.items():
        if any(row.share for row in wager.paytable.rows):
            wagers.pop(name, None)
        elif wager.base is None and name not in wagers:
            solved = _solved(variant, name, (sheet or {}).get("wagers", {}).get(name))
            missing = missing or solved is None
            if solved is not None:
                wagers[name] = solved
    for (one, odds), (other, others) in product(wagers.items(), repeat=2):
        if (one, other) not in between and (other, one) not in between:  # as if they won and lost together
            between[one, other] = Fraction(sqrt(odds.variance * others.variance))
    line_of = {name: wager.base or name for name, wager in variant.wagers.items()}
    return TableOdds(Odds(wagers, between), line_of, not missing)


def _solved(variant: Variant, name: str, record: dict[str, Any] | None) -> WagerOdds | None:
    if record is None or record.get("ev") is None or record.get("variance") is None or record.get("meter") is not None:
        return None
    mean = Fraction(str(record["ev"])) + Fraction(str(record.get("error") or 0))
    units = variant.game.units_max(variant.rules) if variant.wagers[name].opens else 1
    most = Fraction(units) * largest_return(variant.wagers[name])
    return WagerOdds(mean, least_net(variant, name), most, Fraction(str(record["variance"])), chosen=True)
