"""What if a row paid something else: prices read anew from a tally that is already counted."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import msgspec

from pairhouse.analysis.exact.counts import Counted, counted
from pairhouse.analysis.exact.insurance import insurance_price
from pairhouse.analysis.exact.prices import Price, prices
from pairhouse.analysis.exact.three_card import hand_name, solve_three_card
from pairhouse.core.errors import Refused, one_of, shown, unknown
from pairhouse.core.game import Variant
from pairhouse.core.paytable import Paytable, Wager, row
from pairhouse.games import three_card_poker
from pairhouse.games.three_card_poker import PLAY

_NUMBER = r"\d{1,9}(?:\.\d{1,9})?"
_PRICE = re.compile(rf"(-?{_NUMBER})(?:\s*(?:/|:|\bto\b)\s*({_NUMBER}))?", re.ASCII)

Changes = Mapping[str, Mapping[str, Fraction]]  # wager -> row -> what it pays to 1


class Figures(msgspec.Struct, frozen=True):
    """The price of a wager before or after a change; `edge` is what the house keeps."""

    ev: Fraction
    edge: Fraction
    hit: Fraction
    variance: Fraction


class Repriced(msgspec.Struct, frozen=True):
    """A wager before and after, and the rows that were changed (by the wager they stand in)."""

    name: str
    before: Figures
    after: Figures
    changed: dict[str, dict[str, Fraction]]
    note: str = ""


def read_price(words: str) -> Fraction:
    """What a unit wins: `12`, `3/2`, `3:2`, `3 to 2` or `1.5`."""
    text = words.strip()
    found = _PRICE.fullmatch(text)
    if found is None or not Fraction(found[2] or 1):
        accepted = "write what a unit wins, such as 12, 3/2, 3:2, 3 to 2 or 1.5"
        hyphen = "; with a hyphen it could be odds or a minus" if re.fullmatch(r"\d+\s*-\s*\d+", text) else ""
        raise Refused("bad-price", f"{shown(text)} is not a price{hyphen}; {accepted}")
    pays = Fraction(found[1]) / Fraction(found[2] or 1)
    if pays < -1:
        raise Refused("bad-price", f"a price of {pays} is not possible; a bet can lose no more than its stake, -1")
    return pays


def read_changes(variant: Variant, words: Sequence[str]) -> dict[str, dict[str, Fraction]]:
    """`wager: name=pays, name=pays`, once for each wager."""
    changes: dict[str, dict[str, Fraction]] = {}
    for text in words:
        wager_id, colon, rest = text.partition(":")
        if not colon or "=" in wager_id:  # the colon of a price such as 9:2 names no wager
            example = 'such as "pair: any pair=3"'
            raise Refused(
                "bad-row", f'{text!r} names no wager; write a change as "WAGER: ROW=PRICE, ROW=PRICE", {example}'
            )
        wager = _find_wager(variant, wager_id.strip())
        for part in rest.split(","):
            name, equals, pays = part.rpartition("=")
            if not equals:
                raise Refused(
                    "bad-row", f"{part.strip()!r} has no price; write it as ROW=PRICE, such as {_example(wager)}"
                )
            found, priced = _find_row(wager, name.strip()), changes.setdefault(wager.id, {})
            if found in priced:
                raise Refused("bad-row", f"{found} of {wager.id} is given two prices; name every row once")
            priced[found] = read_price(pays)
    if not changes:
        raise Refused("bad-row", 'nothing to change was given; use --row "WAGER: ROW=PRICE, ROW=PRICE"')
    return changes


def _find_wager(variant: Variant, wager_id: str) -> Wager:
    solved = [wager for wager in variant.wagers.values() if wager.decided_by.__name__ == "HandDone"]
    accepted = [wager.id for wager in variant.wagers.values() if wager not in solved]
    if wager_id in {wager.id for wager in solved}:
        raise Refused(
            "bad-row", f"{wager_id} depends on how it is played, so it has no stored tally; choose {one_of(accepted)}"
        )
    if wager_id not in accepted:
        raise unknown("wager", wager_id, accepted)
    wager = variant.wagers[wager_id]
    if any(line.share for line in wager.paytable.rows):
        raise Refused("bad-row", f"{wager_id} pays shares of a meter, which have no fixed price")
    return wager


def _find_row(wager: Wager, name: str) -> str:
    accepted = [*(line.name for line in wager.paytable.rows), wager.paytable.otherwise]
    for known in accepted:
        if known.lower() == name.lower():
            return known
    raise unknown("row", name, accepted)


def _example(wager: Wager) -> str:
    line = wager.paytable.rows[0]
    return f"{line.name}={line.pays}"


def repriced_variant(variant: Variant, changes: Changes) -> Variant:
    """The variant with other prices on some rows; what is dealt stays the same."""
    wagers = tuple(_with_prices(wager, changes.get(wager.id, {})) for wager in variant.wagers.values())
    return Variant(replace(variant.game, wagers=lambda _options: wagers), variant.options)


def _with_prices(wager: Wager, pays: Mapping[str, Fraction]) -> Wager:
    old = wager.paytable
    rows = [replace(line, pays=pays.get(line.name, line.pays)) for line in old.rows]
    if old.otherwise in pays:
        rows.append(row(old.otherwise, pays[old.otherwise]))
    return replace(wager, paytable=Paytable(old.name, old.cites, tuple(rows), old.otherwise))


def reprice(variant: Variant, changes: Changes) -> dict[str, Repriced]:
    """Every wager that the changes touch, before and after. A bonus is part of the wager it follows from."""
    new = repriced_variant(variant, changes)
    tally, note = _recounted(variant, new)
    before, after = prices(counted(variant)), prices(tally)
    found = {}
    for wager in variant.wagers.values():
        follows = [other for other in changes if wager.id == other or variant.wagers[other].base == wager.id]
        if not follows or wager.id not in {*before, "insurance"}:
            continue
        one, other = _price_of(variant, before, wager.id), _price_of(new, after, wager.id)
        changed = {name: dict(changes[name]) for name in follows}
        found[wager.id] = Repriced(
            wager.name, _figures(one), _figures(other), changed, note if wager.id == "ante" else ""
        )
    return found


def _price_of(variant: Variant, found: Mapping[str, Price], wager: str) -> Price:
    price = found.get(wager) or insurance_price(variant)
    if price is None:
        raise LookupError(f"{wager} has no price here")
    return price


def _figures(price: Price) -> Figures:
    return Figures(price.ev, -price.ev, price.hit, price.variance)


def _recounted(old: Variant, new: Variant) -> tuple[Counted, str]:
    """The same deals under the new prices; where there is a choice, each hand is played best under them."""
    if old.game.play is not three_card_poker.play:
        return replace(counted(old), variant=new), ""
    solved = solve_three_card(new, counted_as=old)
    played = [strength for strength in sorted(solved.values) if solved.best(strength) == PLAY]
    note = f"with best play, from {hand_name(played[0])} up" if played else "with best play, which never plays"
    return solved.under(solved.best), note
