"""The parts a printed par sheet is made of: prose, facts, tables, pictures and charts, in sections."""

from fractions import Fraction

import msgspec

from pairhouse.analysis.reports.charts import Chart

LEFT, RIGHT = "left", "right"


class BarFraction(msgspec.Struct, frozen=True):
    """A fraction to print as one, with a bar."""

    sign: str
    above: str
    below: str


class Prose(msgspec.Struct, frozen=True, tag="prose"):
    """A paragraph."""

    text: str
    quiet: bool = False


class Fact(msgspec.Struct, frozen=True):
    """A named figure: as people read it, and exactly."""

    name: str
    value: str
    exact: BarFraction | None = None


class Facts(msgspec.Struct, frozen=True, tag="facts"):
    """Named figures under one another."""

    facts: list[Fact]


class DataTable(msgspec.Struct, frozen=True, tag="table"):
    """Rows under column titles; `faint` columns matter less, `total` marks a last row of sums."""

    columns: list[str]
    align: list[str]
    rows: list[list[str]]
    faint: list[int] = []
    total: bool = False
    small: bool = False


class Picture(msgspec.Struct, frozen=True, tag="picture"):
    """An SVG, with words for those who cannot see it. `wide` takes the whole measure."""

    svg: str
    says: str
    wide: bool = True


class ChartBlock(msgspec.Struct, frozen=True, tag="chart"):
    """A strategy chart."""

    chart: Chart


Block = Prose | Facts | DataTable | Picture | ChartBlock


class Section(msgspec.Struct, frozen=True):
    """A heading and what stands under it; level 2 belongs to the section before it. `whole`: on one page in print."""

    id: str
    title: str
    blocks: list[Block]
    level: int = 1
    aside: str = ""
    whole: bool = False


class Document(msgspec.Struct, frozen=True):
    """The whole sheet."""

    title: str
    subtitle: str
    identity: list[Fact]
    sections: list[Section]
    footer: str


def exact(value: Fraction) -> BarFraction | None:
    """A fraction to print as one; None for a whole number, which the decimal says already."""
    if value.denominator == 1:
        return None
    return BarFraction("−" if value < 0 else "", grouped(abs(value.numerator)), grouped(value.denominator))


def grouped(number: int) -> str:
    """Digits in threes, with thin spaces."""
    return f"{number:,}".replace(",", "\u2009")


def signed(value: float, digits: int) -> str:
    """With a real minus sign, and none for zero."""
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if float(text) else text.replace("-", "")


def percent(value: float | Fraction, digits: int = 4) -> str:
    return f"{signed(100 * float(value), digits)}\u2009%"


def one_in(chance: float | Fraction) -> str:
    """`1 in 13.5`."""
    if not chance:
        return "never"
    rounds = 1 / float(chance)
    return f"1 in {rounds:.2f}" if rounds < 100 else f"1 in {grouped(round(rounds))}"


def significant(value: float, digits: int = 4) -> str:
    """So many significant digits, as a plain decimal; very small ones in powers of ten."""
    if value == 0:
        return "0"
    if abs(value) < 1e-6:
        return f"{value:.1e}".replace("-", "−")
    text = f"{value:.{digits}g}"
    return (f"{value:.8f}".rstrip("0") if "e" in text else text).replace("-", "−")
