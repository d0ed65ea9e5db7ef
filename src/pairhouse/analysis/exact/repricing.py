"""What if a row paid something else: prices read anew from a tally that is already counted."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import msgspec

from pairhouse.analysis.exact.prices import Price
from pairhouse.analysis.methods.method import SOLVED, Method
from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.errors import Refused, one_of, shown, unknown
from pairhouse.core.game import Variant
from pairhouse.core.paytable import Paytable, Wager, row

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
        wager = _find_wager(method_of(variant), wager_id.strip())
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


def _find_wager(method: Method, wager_id: str) -> Wager:
    wagers = method.given.wagers
    solved = method.wagers_from(SOLVED)
    accepted = [wager for wager in wagers if wager not in solved]
    if wager_id in solved:
        given = f"{wager_id} depends on how it is played, so its rows are not repriced from a tally"
        instead = "ask `pairhouse par` under other options (`pairhouse games GAME` lists them)"
        raise Refused("bad-row", f"{given}; {instead}, or choose {one_of(accepted)}")
    if wager_id not in wagers:
        raise unknown("wager", wager_id, accepted)
    if any(line.share for line in wagers[wager_id].paytable.rows):
        raise Refused("bad-row", f"{wager_id} pays shares of a meter, which have no fixed price")
    return wagers[wager_id]


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
    before = method_of(variant)
    after = before.repriced(repriced_variant(variant, changes))
    found = {}
    for wager in variant.wagers.values():
        follows = [other for other in changes if wager.id == other or _part_of(before, other) == wager.id]
        if follows and before.source(wager.id) not in (None, SOLVED):
            changed = {name: dict(changes[name]) for name in follows}
            one, other = _figures(before.exact_price(wager.id)), _figures(after.exact_price(wager.id))
            found[wager.id] = Repriced(wager.name, one, other, changed, after.how_played(wager.id))
    return found


def _part_of(method: Method, wager: str) -> str | None:
    """The wager whose price a wager is part of; None where it has a price of its own."""
    return method.wager(wager).base if method.source(wager) is None else None


def _figures(price: Price) -> Figures:
    return Figures(price.ev, -price.ev, price.hit, price.variance)
