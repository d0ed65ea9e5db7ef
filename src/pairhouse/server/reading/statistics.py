"""A player's closed rounds as figures: sums by game and wager, luck against expectation, streaks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.house.history import ClosedRound
from pairhouse.house.recall import variant_of
from pairhouse.server.models import GameStatistics, LuckPoint, Statistics, Streaks, WagerStatistics
from pairhouse.server.pricing.hold import Sum, add_round, counted_with
from pairhouse.server.pricing.price_book import PriceBook

POINTS_MAX = 120


class Odds(NamedTuple):
    """A wager per unit of its first stake. The variance of a solved wager is near where its rounds can be split."""

    ev: Fraction
    variance: Fraction
    is_exact: bool


class Book(NamedTuple):
    """What the rounds of one variant are counted with: prices, and how two wagers of a seat move together."""

    line_of: dict[str, str]
    odds: Mapping[str, Odds]
    between: Mapping[tuple[str, str], float]

    def variance(self, stakes: Mapping[str, int], is_one_seat: bool) -> tuple[float, bool]:
        """Of a round, and whether it is exact: where a covariance is not counted, two wagers win and lose together."""
        found, is_exact = 0.0, is_one_seat
        before: list[tuple[str, int]] = []
        for name, stake in stakes.items():
            own = float(self.odds[name].variance)
            is_exact = is_exact and self.odds[name].is_exact
            found += own * stake * stake
            for other, other_stake in before:
                known = self.between.get((name, other)) if is_one_seat else None
                is_exact = is_exact and known is not None
                shared = sqrt(own * float(self.odds[other].variance)) if known is None else known
                found += 2 * stake * other_stake * shared
            before.append((name, stake))
        return max(0.0, found), is_exact


def statistics_of(rounds: list[ClosedRound], prices: PriceBook, is_all: bool) -> Statistics:
    """The figures of these rounds, which are given oldest first."""
    games: dict[str, _Game] = {}
    books: dict[tuple[str, str, str], Book] = {}
    for one in rounds:
        key = (one.game, one.options, one.rules_hash)
        if key not in books:
            books[key] = _book(prices, one)
        games.setdefault(one.game, _Game(one.game)).add(one, books[key])
    return Statistics(
        rounds=len(rounds),
        staked=sum(one.staked for one in rounds),
        returned=sum(one.returned for one in rounds),
        is_all=is_all,
        games=[game.record() for game in games.values()],
    )


def _book(prices: PriceBook, one: ClosedRound) -> Book:
    """How wagers are counted and priced; without prices where the rules of a round are no longer in force."""
    try:
        variant: Variant = variant_of(one.game, one.options)
    except Refused:
        return Book({}, {}, {})
    if variant.rules_hash != one.rules_hash:
        return Book({}, {}, {})
    sheet = prices.sheet(variant) or {}
    return Book(
        counted_with(variant), dict(_odds(sheet.get("wagers", {}))), dict(_between(sheet.get("together") or {}))
    )


def _odds(wagers: Mapping[str, dict[str, Any]]) -> Iterable[tuple[str, Odds]]:
    for name, priced in wagers.items():
        if priced.get("ev") is not None and priced.get("meter") is None:
            exact = not priced.get("rows_error")
            yield name, Odds(Fraction(str(priced["ev"])), Fraction(str(priced["variance"])), exact)


def _between(together: Mapping[str, list[Any]]) -> Iterable[tuple[tuple[str, str], float]]:
    """The covariances of a par sheet, per unit on each, for every pair in either order."""
    names = together.get("wagers", [])
    for name, line in zip(names, together.get("covariance", []), strict=True):
        for other, value in zip(names, line, strict=False):
            covariance = float(Fraction(str(value)))
            yield (name, other), covariance
            yield (other, name), covariance


@dataclass
class _Game:
    """The rounds of one game, as they are added."""

    game: str
    rounds: int = 0
    staked: int = 0
    returned: int = 0
    sums: dict[str, Sum] = field(default_factory=dict)
    expected: dict[str, Fraction] = field(default_factory=dict)
    variance: dict[str, float] = field(default_factory=dict)
    unpriced: set[str] = field(default_factory=set)
    luck: list[tuple[int, float, float]] = field(default_factory=list)  # net, expectation and variance of a round
    is_exact: bool = True  # all these variances
    run: int = 0  # rounds won in a row, or lost below zero
    won: int = 0
    lost: int = 0
    best: tuple[int, str | None] = (0, None)
    worst: tuple[int, str | None] = (0, None)

    def add(self, one: ClosedRound, book: Book) -> None:
        net = one.returned - one.staked
        self.rounds += 1
        self.staked += one.staked
        self.returned += one.returned
        if one.state == "void":
            return  # nothing was won or lost, and no chance was taken
        self._count_streaks(one.id, net)
        sums: dict[str, Sum] = {}
        result, seats = msgspec.json.decode(one.result), msgspec.json.decode(one.seats)
        line_of = book.line_of or {name: name for bets in result for name in bets}
        add_round(sums, line_of, result, seats)
        expectation = 0.0
        for name, part in sums.items():
            _add(self.sums.setdefault(name, Sum()), part)
            odds = book.odds.get(name)
            if odds is None:
                self.unpriced.add(name)
                continue
            self.expected[name] = self.expected.get(name, Fraction()) + odds.ev * part.first
            self.variance[name] = self.variance.get(name, 0.0) + float(odds.variance) * part.squares
            expectation += float(odds.ev) * part.first
        if all(name in book.odds for name in sums):
            stakes = {name: part.first for name, part in sums.items()}
            variance, is_exact = book.variance(stakes, is_one_seat=len(seats) == 1)
            self.is_exact = self.is_exact and is_exact
            self.luck.append((net, expectation, variance))

    def _count_streaks(self, round_id: str, net: int) -> None:
        if net > 0:
            self.run = max(self.run, 0) + 1
            self.won = max(self.won, self.run)
        elif net < 0:
            self.run = min(self.run, 0) - 1
            self.lost = max(self.lost, -self.run)
        if net > self.best[0]:
            self.best = (net, round_id)
        if net < self.worst[0]:
            self.worst = (net, round_id)

    def record(self) -> GameStatistics:
        return GameStatistics(
            game=self.game,
            rounds=self.rounds,
            staked=self.staked,
            returned=self.returned,
            priced=len(self.luck),
            is_exact=self.is_exact,
            points=self._points(),
            wagers=[self._wager(name) for name in self.sums],
            streaks=Streaks(
                won=self.won,
                lost=self.lost,
                best=self.best[0],
                worst=self.worst[0],
                best_round=self.best[1],
                worst_round=self.worst[1],
            ),
        )

    def _wager(self, name: str) -> WagerStatistics:
        total, is_priced = self.sums[name], name not in self.unpriced
        return WagerStatistics(
            wager=name,
            bets=total.rounds,
            staked=total.staked,
            returned=total.staked - total.kept,
            expected=round(self.expected[name]) if is_priced else None,
            deviation=round(sqrt(self.variance[name])) if is_priced else None,
        )

    def _points(self) -> list[LuckPoint]:
        """The running figures, as many as a picture needs; the last is always among them."""
        points: list[LuckPoint] = []
        net, expected, variance, count = 0, 0.0, 0.0, len(self.luck)
        for number, (won, expectation, spread) in enumerate(self.luck, start=1):
            net, expected, variance = net + won, expected + expectation, variance + spread
            if number * POINTS_MAX // count != (number - 1) * POINTS_MAX // count:
                points.append(LuckPoint(number, net, round(expected), round(sqrt(variance))))
        return points


def _add(total: Sum, part: Sum) -> None:
    total.rounds += part.rounds
    total.staked += part.staked
    total.first += part.first
    total.squares += part.squares
    total.kept += part.kept
