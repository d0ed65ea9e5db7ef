"""What a designer wishes of a paytable, read from words: bands of figures, steps, kept rows, rows that may go."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from pairhouse.analysis.exact.repricing import read_price
from pairhouse.core.errors import Refused, one_of, shown

DIGITS = 6
DECIMALS = 12  # no figure is read with more
_NUMBER = re.compile(r"(-?\d{1,12}(?:\.\d{1,12})?)(?:/(\d{1,12}))?\s*(%?)", re.ASCII)


@dataclass(frozen=True)
class Range:
    """From one figure to another, both allowed; None where a side is open."""

    least: Fraction | None
    most: Fraction | None

    def holds(self, value: Fraction | float) -> bool:
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def away(self, value: Fraction) -> Fraction:
        """How far a figure is outside; 0 where it is not."""
        if self.least is not None and value < self.least:
            return self.least - value
        if self.most is not None and value > self.most:
            return value - self.most
        return Fraction(0)

    def widened(self, by: Fraction) -> "Range":
        return Range(None if self.least is None else self.least - by, None if self.most is None else self.most + by)

    @property
    def middle(self) -> Fraction:
        """The middle of both ends, or the one there is."""
        ends = [end for end in (self.least, self.most) if end is not None]
        return sum(ends, Fraction(0)) / len(ends)

    def text(self, percent: bool = False) -> str:
        """The range as it may be given again: what needs more digits is rounded outwards, so that nothing is lost."""

        def end(value: Fraction | None, rounding: str) -> str:
            if value is None:
                return ""
            return f"{in_digits(100 * value, rounding)}%" if percent else in_digits(value, rounding)

        return f"{end(self.least, ROUND_FLOOR)}..{end(self.most, ROUND_CEILING)}"


@dataclass(frozen=True)
class Wishes:
    """Everything that is wished; what is None is not wished for."""

    edge: Range
    hit: Range | None = None
    variance: Range | None = None
    top: Range | None = None
    countable: Fraction | None = None
    step: Fraction = Fraction(1)
    row_steps: Mapping[str, Fraction] = field(default_factory=dict)
    keep: Mapping[str, Fraction] = field(default_factory=dict)
    drop: tuple[str, ...] = ()
    near: Mapping[str, Range] = field(default_factory=dict)  # what a kept row may pay once that wish is loosened


def in_digits(value: Fraction, rounding: str) -> str:
    """A figure in six digits, rounded down or up where it has more, without an exponent."""
    whole = len(str(abs(int(value)))) if abs(value) >= 1 else 0
    context = Context(prec=max(DIGITS, whole), rounding=rounding)
    short = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    if short.is_finite() and -short.adjusted() > DECIMALS - DIGITS:  # very small: only so many decimals can be read
        short = short.quantize(Decimal(1).scaleb(-DECIMALS), context=Context(prec=2 * DECIMALS, rounding=rounding))
    text = f"{short:f}" if short else "0"
    return text.rstrip("0").rstrip(".") if "." in text else text


def read_figure(text: str, name: str, share: bool) -> Fraction:
    """A figure such as 0.05, 5%, 1/20 or 12; a share above 1 without a sign is meant in per cent."""
    found = _NUMBER.fullmatch(text.strip())
    if found is None or found[2] == "0":
        accepted = "3%, 0.03 or 3/100" if share else "a number such as 12 or 0.5"
        raise Refused("bad-wish", f"{name} {shown(text)} is not a figure; write {accepted}")
    value = Fraction(found[1]) / int(found[2] or 1)
    return value / 100 if found[3] else value


def read_range(text: str, name: str, share: bool = False) -> Range:
    """`A..B`, `A..`, `..B` or a single figure. A share is a part of the stake: 3%..4%, 0.03..0.04, or 3..4 per cent.

    One sign is enough for both ends: 3..4% is 3%..4%.
    """
    low, dots, high = text.partition("..")
    parts = [part.strip() for part in (low, high if dots else low)]
    if share and "%" in text:
        parts = [part if not part or "%" in part or "/" in part else f"{part}%" for part in parts]
    ends = [read_figure(part, name, share) if part else None for part in parts]
    if share and "%" not in text and any(end is not None and abs(end) > 1 for end in ends):
        ends = [None if end is None else end / 100 for end in ends]
    if ends == [None, None]:
        raise Refused("bad-wish", f"{name} {shown(text)} has no end; write it as {name} 3..5, 3.. or ..5")
    least, most = ends
    if least is not None and most is not None and least > most:
        raise Refused("bad-wish", f"{name} {text} is empty: it begins above its end")
    return Range(least, most)


POSSIBLE = {
    "edge": (Range(None, Fraction(1)), "the house keeps at most 100% of a stake"),
    "hit": (Range(Fraction(0), Fraction(1)), "something is paid in 0% to 100% of rounds"),
    "variance": (Range(Fraction(0), None), "a variance is 0 or more"),
    "top": (Range(Fraction(0), None), "a row pays more than 0"),
}


def check_possible(name: str, wished: Range, text: str) -> None:
    """Refuse a band in which no paytable can ever lie."""
    possible, says = POSSIBLE[name]
    ends = wished.least, wished.most
    below = ends[1] is not None and possible.least is not None and ends[1] < possible.least
    above = ends[0] is not None and possible.most is not None and ends[0] > possible.most
    if below or above:
        raise Refused("bad-wish", f"--{name} {text} is not possible; {says}")


def find_row(name: str, rows: Sequence[str]) -> str:
    """A row by its name, whatever its capitals."""
    for known in rows:
        if known.lower() == name.strip().lower():
            return known
    raise Refused("unknown-row", f"row {shown(name.strip())} is unknown; choose {one_of(rows)}")


def read_row_prices(words: Sequence[str], rows: Sequence[str], name: str) -> dict[str, Fraction]:
    """`ROW=NUMBER`, once for each row."""
    found: dict[str, Fraction] = {}
    for text in words:
        row, equals, number = text.rpartition("=")
        if not equals:
            raise Refused("bad-wish", f'{name} {shown(text)} has no price; write it as "ROW=NUMBER"')
        known = find_row(row, rows)
        if known in found:
            raise Refused("bad-wish", f"{name} names {known} twice")
        found[known] = read_price(number)
        if found[known] <= 0:
            raise Refused("bad-wish", f"{name} {shown(text)} is not possible; a row pays more than 0")
    return found


def read_steps(words: Sequence[str], rows: Sequence[str]) -> tuple[Fraction, dict[str, Fraction]]:
    """`N` for every row, or `ROW=N` for one of them."""
    plain = [text for text in words if "=" not in text]
    if len(plain) > 1:
        raise Refused("bad-wish", "--step is given twice for every row; give it once, and ROW=N for single rows")
    step = read_price(plain[0]) if plain else Fraction(1)
    if step <= 0:
        raise Refused("bad-wish", f"a step of {step} is not possible; give a number above 0")
    return step, read_row_prices([text for text in words if "=" in text], rows, "--step")
