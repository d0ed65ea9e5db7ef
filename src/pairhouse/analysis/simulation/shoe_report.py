"""What a shoe that is dealt down does to prices: every wager by depth, or by a card counter's count."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec

from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.simulation.sampling import Estimate, Sampling, check_seed, estimate
from pairhouse.core.cards import RANK_NAMES
from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.core.game import Variant
from pairhouse.machines.simulate.shoes import DEPTH, RUNNING, TRUE, Bins, ShoeSimulation

KINDS = {"depth": DEPTH, "running": RUNNING, "true": TRUE}
HI_LO = "A=-1,2=1,3=1,4=1,5=1,6=1,10=-1,J=-1,Q=-1,K=-1"
SHOES_A_PART = 2000
COUNT_BINS = {RUNNING: (-24, 2, 25), TRUE: (-10, 1, 21)}


class Bin(msgspec.Struct, frozen=True):
    """Rounds that began alike: from `least` up to below the next bin's, and every wager in them."""

    least: int
    rounds: int
    wagers: dict[str, Estimate]


class ShoeReport(msgspec.Struct, frozen=True):
    """Every wager by depth (cards gone) or count; z is against the price from a fresh shoe."""

    game: str
    rules_hash: str
    strategy: str
    by: str
    tags: dict[str, int]
    shoes: int
    rounds: int
    seed: int
    cards_behind_cut: int
    bins: list[Bin]
    all: dict[str, Estimate]


def read_tags(text: str) -> tuple[int, ...]:
    """`A=-1,2=1,...` as a number for each rank; ranks not named count nothing."""
    tags = dict.fromkeys(RANK_NAMES, 0)
    for part in text.split(","):
        name, _, number = part.strip().partition("=")
        if name not in tags or not number.lstrip("+-").isdecimal() or abs(int(number)) > 100:
            raise Refused("bad-tags", f"{shown(part)} is not a tag; write RANK=NUMBER with a rank {one_of(RANK_NAMES)}")
        tags[name] = int(number)
    return tuple(tags.values())


def shoe_report(
    variant: Variant,
    shoes: int,
    seed: int,
    *,
    by: str = "depth",
    tags: str = HI_LO,
    strategy: str = "best",
    wagers: Sequence[str] | None = None,
    behind_cut: int | None = None,
    workers: int | None = None,
) -> ShoeReport:
    """Deal so many shoes down and sort the rounds; the strategy is that of a fresh shoe."""
    if by not in KINDS:
        raise Refused("bad-option", f"by {shown(by)} is not possible; choose {one_of(KINDS)}")
    sampling = Sampling.of(variant, strategy, wagers)
    simulation = _simulation(sampling, KINDS[by], read_tags(tags), behind_cut)
    check_seed(seed)
    _ = simulation.shoes(seed, 0, 1)  # compiled before threads start
    parts = [(first, min(SHOES_A_PART, shoes - first)) for first in range(0, shoes, SHOES_A_PART)]
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        counts = sum(pool.map(lambda part: simulation.shoes(seed, *part), parts))
    bins = simulation.bins
    found = []
    for number, row in enumerate(counts):  # type: ignore[arg-type]
        if row.sum():
            spreads = sampling.score.spreads(row)
            estimates = {name: estimate(spreads[name], sampling.exact.get(name)) for name in sampling.score.wagers}
            found.append(Bin(bins.least + number * bins.width, int(row.sum()), estimates))
    whole = counts.sum(axis=0)  # type: ignore[union-attr]
    return ShoeReport(
        game=variant.game.id,
        rules_hash=variant.rules_hash,
        strategy=sampling.way.name,
        by=by,
        tags=dict(zip(RANK_NAMES, simulation.tags, strict=True)),
        shoes=shoes,
        rounds=int(whole.sum()),
        seed=seed,
        cards_behind_cut=simulation.dealing.behind_cut,
        bins=found,
        all=sampling.estimates(whole),
    )


def _simulation(sampling: Sampling, kind: int, tags: tuple[int, ...], behind_cut: int | None) -> ShoeSimulation:
    variant, score = sampling.variant, sampling.score
    size = sampling.simulation.shoe.size
    dealing = method_of(variant).shoe_dealing(behind_cut)
    cut = dealing.behind_cut
    if not 0 <= cut < size - dealing.round_cards:
        limit = size - dealing.round_cards - 1
        raise Refused("bad-option", f"{cut} cards behind the cut card are not possible; give 0 to {limit}")
    least, width, number = (0, 52, -(-size // 52)) if kind == DEPTH else COUNT_BINS[kind]
    bins = Bins(kind, least, width, number)
    return ShoeSimulation(variant, score.scoring, dealing, bins, tags, sampling.way.strategy)
