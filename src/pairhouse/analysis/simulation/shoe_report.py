"""What a shoe that is dealt down does to prices: every wager by depth, or by a card counter's count.

Rounds are sorted by what was known when they began. The running count is the sum of the tags of all cards dealt in
this shoe before; the burnt card was not seen and does not count. The true count is the running count divided by the
decks left (all cards neither dealt nor burnt, those behind the cut card included, in decks, not rounded), rounded down.
"""

import os
import re
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
_TAG = re.compile(r"[+-]?\d{1,2}", re.ASCII)
COUNT_BINS = {RUNNING: (-24, 2, 25), TRUE: (-10, 1, 21)}  # the first bin, its width, how many; the outer ones are open
SHOES_MAX = 10**8
RUNNING_SAYS = "the sum of the tags of all cards dealt in this shoe before the round, the burnt card not among them"
DEFINITIONS = {
    "depth": "cards gone: those dealt or burnt before the round",
    "running": f"running count: {RUNNING_SAYS}",
    "true": f"true count: the running count ({RUNNING_SAYS}) divided by the decks left (every card neither dealt nor "
    "burnt, those behind the cut card included), rounded down",
}


class Bin(msgspec.Struct, frozen=True):
    """Rounds that began alike, from `least` to `most` (null where the bin is open), and every wager in them."""

    label: str
    least: int | None
    most: int | None
    rounds: int
    wagers: dict[str, Estimate]


class ShoeReport(msgspec.Struct, frozen=True):
    """Every wager by depth (cards gone) or count; z is against the price from a fresh shoe.

    `definition` says what rounds are sorted by; `tags` are those of the count, none for depth.
    """

    game: str
    rules_hash: str
    strategy: str
    by: str
    definition: str
    tags: dict[str, int]
    shoes: int
    rounds: int
    seed: int
    cards_behind_cut: int
    bins: list[Bin]
    all: dict[str, Estimate]


def read_tags(text: str) -> tuple[int, ...]:
    """`A=-1,2=1,...` as a number for each rank; ranks not named count nothing."""
    tags: dict[str, int] = {}
    for part in text.split(","):
        name, _, number = (word.strip() for word in part.partition("="))
        if name not in RANK_NAMES or not _TAG.fullmatch(number):
            accepted = f"write RANK=NUMBER with a rank {one_of(RANK_NAMES)} and a whole number from -99 to 99"
            raise Refused("bad-tags", f"{shown(part)} is not a tag; {accepted}")
        if name in tags:
            raise Refused("bad-tags", f"{name} has two tags; name every rank once")
        tags[name] = int(number)
    return tuple(tags.get(name, 0) for name in RANK_NAMES)


def shoe_report(
    variant: Variant,
    shoes: int,
    seed: int,
    *,
    by: str = "depth",
    tags: str | None = None,
    strategy: str = "best",
    wagers: Sequence[str] | None = None,
    behind_cut: int | None = None,
    workers: int | None = None,
) -> ShoeReport:
    """Deal so many shoes down and sort the rounds; the strategy is that of a fresh shoe, the tags are Hi-Lo's."""
    if by not in KINDS:
        raise Refused("bad-option", f"by {shown(by)} is not possible; choose {one_of(KINDS)}")
    if tags is not None and by == "depth":
        raise Refused("bad-option", "tags are for a count, and depth needs none; sort by running or true with them")
    if not 1 <= shoes <= SHOES_MAX:
        raise Refused("bad-number", f"{shoes} shoes are not possible; give 1 to {SHOES_MAX}")
    check_seed(seed)
    sampling = Sampling.of(variant, strategy, wagers)
    rank_tags = read_tags(HI_LO if tags is None else tags)
    simulation = shoe_simulation(sampling, KINDS[by], rank_tags, behind_cut)
    _ = simulation.shoes(seed, 0, 1)  # compiled before threads start
    parts = [(first, min(SHOES_A_PART, shoes - first)) for first in range(0, shoes, SHOES_A_PART)]
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        counts = sum(pool.map(lambda part: simulation.shoes(seed, *part), parts))
    size = sampling.simulation.shoe.size
    found = []
    for number, row in enumerate(counts):  # type: ignore[arg-type]
        if row.sum():
            spreads = sampling.score.spreads(row)
            estimates = {name: estimate(spreads[name], sampling.exact.get(name)) for name in sampling.score.wagers}
            found.append(Bin(*_borders(simulation.bins, number, size), int(row.sum()), estimates))
    whole = counts.sum(axis=0)  # type: ignore[union-attr]
    return ShoeReport(
        game=variant.game.id,
        rules_hash=variant.rules_hash,
        strategy=sampling.way.name,
        by=by,
        definition=DEFINITIONS[by],
        tags={} if by == "depth" else dict(zip(RANK_NAMES, rank_tags, strict=True)),
        shoes=shoes,
        rounds=int(whole.sum()),
        seed=seed,
        cards_behind_cut=simulation.dealing.behind_cut,
        bins=found,
        all=sampling.estimates(whole),
    )


def _borders(bins: Bins, number: int, size: int) -> tuple[str, int | None, int | None]:
    """The label of a bin, and its least and greatest value; the outer bins of a count hold all that lies beyond."""
    least = bins.least + number * bins.width
    most = least + bins.width - 1
    if bins.kind == DEPTH:
        most = min(most, size - 1)
        return f"{least} to {most}", least, most
    if number == 0:
        return f"<= {_signed(most)}", None, most
    if number == bins.number - 1:
        return f">= {_signed(least)}", least, None
    return _signed(least) if least == most else f"{_signed(least)} to {_signed(most)}", least, most


def _signed(count: int) -> str:
    return f"{count:+d}" if count else "0"


def shoe_simulation(
    sampling: Sampling, kind: int, tags: tuple[int, ...], behind_cut: int | None = None
) -> ShoeSimulation:
    """Shoes of a game, dealt down to the cut card: the one given, or the usual one where a round fits before it."""
    variant, score = sampling.variant, sampling.score
    size = sampling.simulation.shoe.size
    dealing = method_of(variant).shoe_dealing(behind_cut)
    limit = size - dealing.round_cards - 1
    cut = min(dealing.behind_cut, limit) if behind_cut is None else behind_cut
    if not 0 <= cut <= limit:
        raise Refused("bad-option", f"{cut} cards behind the cut card are not possible; give 0 to {limit}")
    decks, jokers = variant.pack
    dealing = dealing._replace(behind_cut=cut)
    deck = size // decks
    least, width, number = (0, deck, decks) if kind == DEPTH else COUNT_BINS[kind]
    bins = Bins(kind, least, width, number, deck)
    by_face = (*tags * 4, *[0] * jokers)
    return ShoeSimulation(variant, score.scoring, dealing, bins, by_face, sampling.way.strategy)
