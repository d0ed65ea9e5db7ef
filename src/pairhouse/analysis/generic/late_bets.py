"""Side bets that are decided after choices: priced over the hands a host can end with, under a way to play it."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from pairhouse.analysis.exact.prices import Price, PricedRow
from pairhouse.analysis.methods.records import Calls, Priced, SolvedPrice
from pairhouse.core.errors import Refused
from pairhouse.core.paytable import Wager
from pairhouse.core.tally import net_of

if TYPE_CHECKING:
    from pairhouse.analysis.reports.render.document import Section

Rule = Callable[..., Any]
Row = tuple[str, Fraction]  # the name of a row of the paytable, and what it wins
Chance = TypeVar("Chance", Fraction, float)
ROUNDED = 1e-12  # what decimals are off at most, for each unit that can be won


class LookTable:
    """A table at which a side bet only looks at what it is given, and settles."""

    def __init__(self) -> None:
        self.settled: list[Any] = []

    def settle(self, _place: int, happened: Any) -> None:
        self.settled.append(happened)

    def __getattr__(self, verb: str) -> NoReturn:
        raise Refused("looks-further", f"it asks the table to {verb}, beyond the hand it is given")


def settled_by(look: Rule, given: tuple[int, ...]) -> list[Any]:
    """What a side bet makes of the arguments of its moment."""
    table = LookTable()
    look(table, *given)
    return table.settled


def happenings(look: Rule, every: Iterable[tuple[int, ...]]) -> dict[Any, None]:
    """Everything that a side bet can settle at its moment."""
    return dict.fromkeys(happened for given in every for happened in settled_by(look, given))


def late_price(wager: Wager, look: Rule, calls: Calls) -> Priced:
    """The price of a bet that is decided at a late moment: as fractions where the chances are, else in decimals."""
    exact: dict[Row, Fraction] = {}
    decimal: dict[Row, float] = {}
    for given, chance in calls.chances.items():
        decided = [happened for happened in settled_by(look, given) if type(happened) is wager.decided_by]
        if len(decided) != 1:
            given_words = f"{wager.id} is decided {len(decided)} times when {look.__name__} is called"
            raise Refused("bad-side-bet", f"{given_words}; settle one {wager.decided_by.__name__} there, always")
        key = wager.decide(decided[0])[0].name, net_of(wager, decided[0])
        if isinstance(chance, Fraction):
            exact[key] = exact.get(key, Fraction(0)) + chance
        else:
            decimal[key] = decimal.get(key, 0.0) + chance
    return _exact_price(wager, exact, calls) if exact else _decimal_price(wager, decimal, calls)


def _exact_price(wager: Wager, rows: Mapping[Row, Fraction], calls: Calls) -> Price:
    """Every row as a number of all the deals, in the smallest numbers that tell it."""
    total = lcm(*(chance.denominator for chance in rows.values()))
    priced = [PricedRow(name, int(chance * total), chance, net) for (name, net), chance in _ordered(rows)]
    return Price(wager.id, tuple(priced), total, Fraction(1), f"{calls.method}; {calls.strategy_class}")


def _decimal_price(wager: Wager, rows: Mapping[Row, float], calls: Calls) -> SolvedPrice:
    """With a bound on the error."""
    nets = [net for _, net in rows]
    ev = sum(chance * float(net) for (_, net), chance in rows.items())
    square = sum(chance * float(net) ** 2 for (_, net), chance in rows.items())
    return SolvedPrice(
        wager=wager.id,
        ev=ev,
        error=calls.missing * float(max(nets) - min(nets)) + ROUNDED * max(1.0, float(max(nets))),
        variance=square - ev * ev,
        hit=sum(chance for (_, net), chance in rows.items() if net > 0),
        rows=[{"name": name, "pays": float(net), "probability": chance} for (name, net), chance in _ordered(rows)],
        rows_error=calls.missing + ROUNDED,
        method=calls.method,
        strategy_class=calls.strategy_class,
        details={},
    )


def _ordered(rows: Mapping[Row, Chance]) -> list[tuple[Row, Chance]]:
    return sorted(rows.items(), key=lambda item: (-item[0][1], item[0][0]))


def late_section(name: str, price: SolvedPrice) -> "Section":
    """The bet in a printed par sheet: its figures and its rows."""
    from pairhouse.analysis.reports.render.document import LEFT, RIGHT, DataTable, Facts, Prose, Section, one_in, signed
    from pairhouse.analysis.reports.render.solved import solved_facts

    rows = [
        [row["name"], signed(row["pays"], 1), signed(row["probability"], 10), one_in(row["probability"])]
        for row in price.rows
    ]
    table = DataTable(["row", "net, units", "probability", "comes"], [LEFT, RIGHT, RIGHT, RIGHT], rows, faint=[3])
    says = f"It is decided after choices, so its price is that of one way to play: {price.strategy_class}."
    return Section(price.wager, name, [Prose(says), Facts(solved_facts(price)), table])
