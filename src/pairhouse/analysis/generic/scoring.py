"""How simulated rounds of any game are counted: by classes of happenings that pay alike."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.exact.prices import stands_alone
from pairhouse.analysis.simulation.scoring import Numbers, Score, Spread
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.paytable import Wager
from pairhouse.core.tally import Story, net_of
from pairhouse.machines.simulate.score import Scoring, code_bits, code_of, make_room

if TYPE_CHECKING:
    from pairhouse.analysis.simulation.strategies import Way

CODES_MAX = 1 << 24
CELLS_MAX = 1 << 24


@dataclass(frozen=True, eq=False)
class ClassScore:
    """For each kind the classes of its happenings, by what the wagers win in them.

    A kind that is settled once at most adds the number of its class to the cell, and 0 stands for none settled. One
    that is settled more often, as for the hands of a split pair, adds one to a digit of its class.
    """

    variant: Variant
    wagers: tuple[str, ...]
    happenings: tuple[tuple[type, tuple[Any, ...]], ...]
    most: tuple[int, ...]  # how often each kind is settled in one round
    draws: int
    counted_together: bool = True  # whether a tally knows all of them at once

    @classmethod
    def of(
        cls, tally: Counted, wagers: tuple[str, ...], draws: int, kinds: tuple[type, ...] | None = None
    ) -> "ClassScore":
        """A score for everything that an exact tally says can happen."""
        known: dict[type, dict[Any, None]] = {}
        most = Counter[type]()
        for story in tally.stories:
            most |= Counter(type(happened) for _, happened in story)
            for _, happened in story:
                if kinds is None or type(happened) in kinds:
                    known.setdefault(type(happened), {})[happened] = None
        happenings = tuple((kind, tuple(sorted(found))) for kind, found in known.items())
        for kind, found in happenings:
            make_room(kind, [tuple(map(int, happened)) for happened in found])
            if 1 << code_bits(kind) > CODES_MAX:
                raise Refused("too-wide", f"{kind.__name__} holds too many or too large numbers to be simulated")
        often = tuple(most[kind] for kind, _ in happenings)
        return cls(tally.variant, wagers, happenings, often, draws if draws <= 8 else 0)

    def _bets(self, kind: type) -> list[Wager]:
        return [wager for wager in self.variant.wagers.values() if wager.decided_by is kind]

    @cached_property
    def classes(self) -> tuple[tuple[tuple[Any, ...], ...], ...]:
        """For each kind, what its wagers can win together."""
        return tuple(
            tuple(sorted({tuple(net_of(bet, each) for bet in self._bets(kind)) for each in found}))
            for kind, found in self.happenings
        )

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """For each kind, how many numbers its classes can add up to."""
        return tuple(
            len(classes) + 1 if most == 1 else (most + 1) ** len(classes)
            for classes, most in zip(self.classes, self.most, strict=True)
        )

    @cached_property
    def added(self) -> tuple[dict[tuple[Any, ...], int], ...]:
        """For each kind, what each of its classes adds."""
        return tuple(
            {pays: at + 1 if most == 1 else (most + 1) ** at for at, pays in enumerate(classes)}
            for classes, most in zip(self.classes, self.most, strict=True)
        )

    def settled(self, kind: int, number: int) -> list[tuple[Any, ...]]:
        """The classes that add up to a number."""
        classes, most = self.classes[kind], self.most[kind]
        if most == 1:
            return [classes[number - 1]] if number else []
        return [pays for at, pays in enumerate(classes) for _ in range(number // (most + 1) ** at % (most + 1))]

    @cached_property
    def scoring(self) -> Scoring:
        starts: list[int] = []
        parts: list[Numbers] = []
        step = 1
        for (kind, found), number, size in zip(self.happenings, self.added, self.sizes, strict=True):
            part = np.zeros(1 << code_bits(kind), np.int64)
            for each in found:
                part[code_of(each)] = step * number[tuple(net_of(bet, each) for bet in self._bets(kind))]
            starts.append(sum(map(len, parts)))
            parts.append(part)
            step *= size
        if step > CELLS_MAX:
            raise Refused("too-wide", "the wagers can end in too many ways together to be simulated at once")
        kinds = tuple(kind for kind, _ in self.happenings)
        offsets = np.concatenate(parts) if parts else np.zeros(1, np.int64)
        return Scoring(kinds, (-1,) * len(kinds), tuple(starts), offsets, step)

    def _cells(self, counts: Numbers) -> "list[tuple[tuple[int, ...], int]]":
        found = []
        for cell in np.flatnonzero(counts).tolist():
            ids, rest = [], cell
            for size in self.sizes:
                rest, each = divmod(rest, size)
                ids.append(each)
            found.append((tuple(ids), int(counts[cell])))
        return found

    def spreads(self, counts: Numbers) -> dict[str, Spread]:
        """What each wager won or lost with all that follows from it, and how often."""
        cells = self._cells(counts)
        return {wager: self._spread(wager, cells) for wager in self.wagers}

    def _spread(self, wager: str, cells: "list[tuple[tuple[int, ...], int]]") -> Spread:
        group = {wager} | {
            other.id
            for other in self.variant.wagers.values()
            if other.base == wager and not stands_alone(self.variant, other)
        }
        nets = [
            [sum(self._won(kind, pays, group) for pays in self.settled(at, number)) for number in range(size)]
            for at, ((kind, _), size) in enumerate(zip(self.happenings, self.sizes, strict=True))
        ]
        spread: Spread = {}
        for ids, number in cells:
            net = sum(each[at] for each, at in zip(nets, ids, strict=True))
            spread[net] = spread.get(net, 0) + number
        return spread

    def _won(self, kind: type, pays: tuple[Any, ...], group: set[str]) -> Any:
        """What the wagers of a group win in a class."""
        return sum(net for bet, net in zip(self._bets(kind), pays, strict=True) if bet.id in group)

    def joint_counts(self, counts: Numbers) -> dict[Hashable, int]:
        """How often all wagers came to the same together."""
        return dict(self._cells(counts))

    def joint_chances(self, way: "Way") -> dict[Hashable, float] | None:
        exact = way.tally() if self.counted_together else None
        if exact is None:
            return None
        chances: dict[Hashable, float] = {}
        for story, ways in exact.stories.items():
            ids = self._ids(story)
            chances[ids] = chances.get(ids, 0.0) + ways / exact.total
        return chances

    def _ids(self, story: Story) -> tuple[int, ...]:
        ids = [0] * len(self.happenings)
        for _, happened in story:
            for at, (kind, _) in enumerate(self.happenings):
                if type(happened) is kind:
                    pays = tuple(net_of(bet, happened) for bet in self._bets(kind))
                    ids[at] += self.added[at][pays]
        return tuple(ids)


@dataclass(frozen=True, eq=False)
class BesideScore:
    """The cells of a host's own score beside those of its side bets."""

    host: Score
    side: ClassScore

    @property
    def wagers(self) -> tuple[str, ...]:
        return (*self.host.wagers, *self.side.wagers)

    @property
    def draws(self) -> int:
        return self.host.draws

    @cached_property
    def scoring(self) -> Scoring:
        one, other = self.host.scoring, self.side.scoring
        moved = tuple(start + len(one.offsets) for start in other.starts)
        offsets = np.concatenate([one.offsets, other.offsets * one.cells])
        shifts = (*one.shifts, *other.shifts)
        return Scoring(
            (*one.kinds, *other.kinds), shifts, (*one.starts, *moved), offsets, one.cells * other.cells, one.zero
        )

    def _box(self, counts: Numbers) -> Numbers:
        return counts.reshape(self.side.scoring.cells, self.host.scoring.cells)

    def spreads(self, counts: Numbers) -> dict[str, Spread]:
        box = self._box(counts)
        return self.host.spreads(box.sum(axis=0)) | self.side.spreads(box.sum(axis=1))

    def joint_counts(self, counts: Numbers) -> dict[Hashable, int]:
        return self.side.joint_counts(self._box(counts).sum(axis=1))

    def joint_chances(self, way: "Way") -> dict[Hashable, float] | None:
        return self.side.joint_chances(way)
