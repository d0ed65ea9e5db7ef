"""Risk over many rounds: the chance to be ahead, however small it is, and ruin."""

from fractions import Fraction
from math import comb, exp, inf, log

import pytest

from pairhouse.analysis.exact.risk import ahead, log_chance_ahead, ruin
from pairhouse.analysis.reports.render.compose import chance_text


def test_the_chance_to_be_ahead_is_that_of_the_sum() -> None:
    """Against plain convolution, as fractions."""
    endings = [(Fraction(1, 2), Fraction(1, 10)), (Fraction(12), Fraction(1, 20)), (Fraction(-1), Fraction(17, 20))]
    total = {Fraction(0): Fraction(1)}
    for _ in range(30):
        summed: dict[Fraction, Fraction] = {}
        for net, chance in total.items():
            for won, likely in endings:
                summed[net + won] = summed.get(net + won, Fraction(0)) + chance * likely
        total = summed
    exact = float(sum(chance for net, chance in total.items() if net > 0))
    ladder = tuple(sorted((net, float(chance)) for net, chance in endings))
    assert exp(log_chance_ahead(ladder, 30)) == pytest.approx(exact, rel=1e-12)
    assert [each.rounds for each in ahead(endings)] == [100, 1000, 10000, 100000]


def test_ruin_is_certain_without_an_edge() -> None:
    assert [each.chance for each in ruin(Fraction(-1, 100), Fraction(1))] == [1, 1]
    assert ruin(Fraction(1, 100), Fraction(1))[0].chance == pytest.approx(0.1353, abs=1e-4)
    assert [(each.chance, each.below) for each in ruin(Fraction(9, 10), Fraction(1, 10))] == [(None, 1e-300)] * 2
    assert [each.chance for each in ruin(Fraction(1), Fraction(0))] == [0.0, 0.0]  # who never loses


@pytest.mark.parametrize(
    ("chance", "digits", "shown"),
    [
        (None, 2, "< 0.01 %"),
        (1e-17, 2, "< 0.01 %"),
        (1e-17, 4, "< 0.0001 %"),
        (0.0, 2, "never"),
        (0.25, 2, "25.00 %"),
        (1 - 1e-9, 2, "> 99.99 %"),
        (1.0, 4, "> 99.9999 %"),
    ],
)
def test_a_chance_is_not_rounded_to_none_or_all(chance: float | None, digits: int, shown: str) -> None:
    assert chance_text(chance, digits).replace("\u2009", " ") == shown


def log_of(number: Fraction) -> float:
    """The logarithm of a fraction that a float could not hold."""
    shift = number.numerator.bit_length() - number.denominator.bit_length()
    return log(number / Fraction(2) ** shift) + shift * log(2)


def exact_log(rounds: int, chance: Fraction, pays: int) -> float:
    """Won more than lost on a wager that pays or loses a unit: the binomial's tail, as an integer."""
    won, of = chance.numerator, chance.denominator
    needed = rounds // (pays + 1) + 1
    term = comb(rounds, needed) * won**needed * (of - won) ** (rounds - needed)
    total = 0
    for wins in range(needed, rounds + 1):
        total += term
        if term * 10**20 < total:
            break
        term = term * (rounds - wins) * won // ((wins + 1) * (of - won))
    return log_of(Fraction(total, of**rounds))


@pytest.mark.parametrize("rounds", [100, 1000, 10_000, 100_000])
@pytest.mark.parametrize(("chance", "pays"), [(Fraction(26, 54), 1), (Fraction(2, 27), 12), (Fraction(1, 9), 5)])
def test_a_rare_chance_has_as_many_digits_as_a_common_one(rounds: int, chance: Fraction, pays: int) -> None:
    """Down to 1e-602, where the noise of a transform would be all there is to see."""
    ladder = ((Fraction(-1), float(1 - chance)), (Fraction(pays), float(chance)))
    assert log_chance_ahead(ladder, rounds) == pytest.approx(exact_log(rounds, chance, pays), abs=1e-9)


def test_the_edge_of_what_can_happen() -> None:
    """Never ahead is 0, ahead only by winning every round is a power, always ahead is 1."""
    never = ahead([(Fraction(0), Fraction(1, 2)), (Fraction(-1), Fraction(1, 2))])
    assert [(each.chance, each.below) for each in never[:2]] == [(0.0, None)] * 2
    assert log_chance_ahead(((Fraction(-1), 0.5), (Fraction(0), 0.5)), 100) == -inf
    every_time = ((Fraction(-99), 0.5), (Fraction(1), 0.5))
    assert log_chance_ahead(every_time, 100) == pytest.approx(100 * log(0.5))
    assert log_chance_ahead(((Fraction(1), 0.5), (Fraction(2), 0.5)), 100) == 0
    sure = ahead([(Fraction(1), Fraction(3, 4)), (Fraction(-1), Fraction(1, 4))])
    assert [each.chance for each in sure[1:]] == [1.0] * 3


def test_a_chance_beyond_floats_says_what_it_is_below() -> None:
    """A figure or a bound, never a 0 that means a small number."""
    told = ahead([(Fraction(5), Fraction(1, 9)), (Fraction(-1), Fraction(8, 9))])[-1]
    assert (told.chance, told.below) == (None, 1e-300)
