"""Everything that `pairhouse protect` says of a game: effects, counts, what they win, the ceiling and a verdict."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import hypot, sqrt
from typing import Any

import msgspec

from pairhouse.analysis.methods.records import Value
from pairhouse.analysis.protect.effects import Effects, effects, left_out_of
from pairhouse.analysis.protect.followed_shoes import (
    EXACT,
    Following,
    RoundPrices,
    cards_a_round,
    check_following,
    follow,
    has_shoe,
    how_priced,
    usual_cuts,
)
from pairhouse.analysis.protect.known_cards import KnownCards, known_cards
from pairhouse.analysis.protect.measures import (
    HUNDRED,
    AtCount,
    CeilingWins,
    CountWins,
    CutWins,
    SolvedCeiling,
    by_true_count,
    ceiling_error,
    cut_wins,
    slope_of,
    turning_point,
)
from pairhouse.analysis.protect.published_counts import counts_for
from pairhouse.analysis.protect.round_sums import Totals
from pairhouse.analysis.protect.second_order import SecondOrder, second_orders
from pairhouse.analysis.protect.solved_rounds import sample_rounds, solved_ceiling
from pairhouse.analysis.protect.tags import LEVELS, Count, best_counts, by_card, by_rank, published, real_tags
from pairhouse.analysis.protect.teams import Team, teams
from pairhouse.analysis.protect.verdict import AboutWager, Concern, safe_cut, safe_stake, verdict
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.version import __version__

TRUE_COUNT = (
    "true count: the tags of all cards dealt in the shoe before the round, taken from their average, divided by the "
    "decks not yet dealt (exactly, those behind the cut card included); rounds are sorted by it rounded down"
)
LEAST_SHOES = 2
PRICED = {
    EXACT: "exact from the cards that are left",
    "first order": (
        "by first order (the price of the whole pack and the effects of the cards that are gone) with a sample of "
        "rounds that are solved for the cards that are left"
    ),
}


class WagerProtection(msgspec.Struct, frozen=True, kw_only=True):
    """What a clever player could win on one wager; figures are per unit of stake.

    `tags`, `correlation`, `turns_at`, `per_100` and `by_true_count` are those of the count that is followed; `per_100`
    and `ceiling` are with the first of the cut cards, `by_cut` has them all. `second_order` is what two cards gone
    together change beyond what each does by itself, by kind of pair; without shoes only where no card changes anything.
    """

    name: str
    price: Value
    effects_of_removal: dict[str, Value]
    effects_by_card: dict[str, Value] | None
    effects_error: float
    effects_mean: Value
    effects_as_played: dict[str, Value] | None
    untouched: bool
    second_order: dict[str, Fraction] | None
    real_tags: dict[str, float]
    tags: dict[str, int]
    correlation: float
    counts: list[Count]
    counts_by_card: list[Count]
    published: list[Count]
    slope: float
    turns_at: float | None
    priced: str
    by_true_count: list[AtCount]
    per_100: CountWins | None
    ceiling: CeilingWins | None
    by_cut: list[CutWins]
    safe_cut: int | None
    safe_stake: int | None
    verdict: str


class Joint(msgspec.Struct, frozen=True):
    """All wagers of a round together, per 100 rounds and unit on each: who bets all, and who bets the best one only.

    For wagers whose rounds are solved, `bet_share` and `one_bet` go by first-order prices, and `one_bet` is at least
    what is won on any one wager.
    """

    behind_cut: int
    rounds_a_shoe: float
    bet_share: float
    all_bets: float
    error: float
    one_bet: float


class Protection(msgspec.Struct, frozen=True, kw_only=True):
    """The whole report; `left_out` has every wager of the game that cannot be followed, and why."""

    game: str
    name: str
    options: dict[str, Any]
    rules_hash: str
    version: str
    decks: int
    cards: int
    seats: int
    cards_a_round: int | None
    dealt_from_a_shoe: bool
    cuts: list[int]
    shoes: int
    rounds: int
    seed: int
    true_count: str
    concern: Concern
    wagers: dict[str, WagerProtection]
    left_out: dict[str, str]
    joint: list[Joint]
    teams: list[Team]
    known_cards: KnownCards | None


@dataclass(frozen=True, eq=False)
class ShoeSums:
    """What was followed, and the sums over the shoes."""

    following: Following
    totals: Totals

    @property
    def cuts(self) -> list[int]:
        return list(self.following.cuts)

    @property
    def shoes(self) -> int:
        return int(self.totals.shoes[0])

    def rounds_until(self, cut: int) -> int:
        """The rounds of all shoes with the cut card in one of the places."""
        return int(self.totals.rounds[: self.cuts.index(cut) + 1].sum())


class ProtectionRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked: wagers, cut cards, seats, the level of the count that is followed, shoes and their seed."""

    wagers: Sequence[str] | None = None
    cuts: Sequence[int] | None = None
    seats: int = 1
    level: int = 1
    shoes: int = 1000
    seed: int = 1
    workers: int = 2
    on_gpu: bool = False
    known: bool = True
    concern: Concern = Concern()


def followed_count(counts: Iterable[Count], level: int) -> Count | None:
    """The count that is followed: the best of all tags up to a level."""
    allowed = [count for count in counts if count.level <= level]
    return max(allowed, key=lambda count: count.correlation_squared, default=None)


class Preparation:
    """What can be said before any shoe is dealt: effects and counts of each wager."""

    def __init__(self, variant: Variant, asked: ProtectionRequest) -> None:
        if asked.level not in LEVELS:
            raise Refused("bad-option", f"level {asked.level} is not possible; choose 1, 2 or 3")
        asked.concern.check()
        self.variant, self.asked = variant, asked
        given = usual_cuts(variant, asked.seats) if asked.cuts is None else list(dict.fromkeys(asked.cuts))
        self.cuts = given
        self.shoes = asked.shoes if has_shoe(variant, asked.seats) else 0
        if self.shoes:
            check_following(variant, given, asked.shoes, asked.seats)
        self.effects = effects(variant, asked.wagers)
        self.counts = {wager: best_counts(by_rank(each)) for wager, each in self.effects.items()}
        self.followed = {wager: followed_count(found, asked.level) for wager, found in self.counts.items()}

    def following(self) -> Following:
        """What is dealt: the deepest cut card last."""
        tags = {wager: count.tags for wager, count in self.followed.items() if count is not None}
        prices = RoundPrices(self.variant, self.effects, self.asked.on_gpu)
        return Following(self.variant, prices, tags, sorted(self.cuts, reverse=True), self.asked.seats)


def protection(
    variant: Variant,
    asked: ProtectionRequest,
    *,
    prepared: Preparation | None = None,
    begun: Totals | None = None,
    progress: Callable[[int, Totals], None] | None = None,
) -> Protection:
    """The report of a variant."""
    ready = prepared or Preparation(variant, asked)
    dealt: ShoeSums | None = None
    if ready.shoes:
        following = ready.following()
        totals = follow(following, asked.shoes, asked.seed, workers=asked.workers, begun=begun, progress=progress)
        if int(totals.shoes[0]) < LEAST_SHOES:
            raise Refused("stopped", "stopped before two shoes were dealt, so there is nothing to report")
        dealt = ShoeSums(following, totals)
    pairs = second_orders(variant, ready.effects.values(), every=dealt is not None)
    wagers = {wager: _wager(ready, dealt, wager, at, pairs.get(wager)) for at, wager in enumerate(ready.effects)}
    decks, jokers = variant.pack
    return Protection(
        game=variant.game.id,
        name=variant.game.name,
        options=dict(variant.options),
        rules_hash=variant.rules_hash,
        version=__version__,
        decks=decks,
        cards=decks * (52 + jokers),
        seats=asked.seats,
        cards_a_round=cards_a_round(variant, asked.seats),
        dealt_from_a_shoe=variant.game.shoe,
        cuts=ready.cuts,
        shoes=dealt.shoes if dealt else 0,
        rounds=dealt.rounds_until(ready.cuts[0]) if dealt else 0,
        seed=asked.seed,
        true_count=TRUE_COUNT,
        concern=asked.concern,
        wagers=wagers,
        left_out=left_out_of(variant),
        joint=[_joint(dealt, at, list(wagers.values())) for at in range(len(ready.cuts))] if dealt else [],
        teams=teams({wager: best_ceiling(each.by_cut[0]).win for wager, each in wagers.items() if each.by_cut}),
        known_cards=known_cards(variant, list(wagers), asked.seed) if asked.known else None,
    )


def best_ceiling(wins: CutWins) -> CeilingWins | SolvedCeiling:
    """The ceiling by rounds that were solved, where there are such; else by the prices of every round."""
    return wins.solved or wins.ceiling


def _wager(
    ready: Preparation, dealt: "ShoeSums | None", wager: str, at: int, pairs: SecondOrder | None
) -> WagerProtection:
    each, count = ready.effects[wager], ready.followed[wager]
    tags: Mapping[str, int] = count.tags if count is not None else dict.fromkeys(each.by_rank, 0)
    how, concern = how_priced(ready.variant, wager), ready.asked.concern
    weighted = by_rank(each)
    by_cut = _by_cut(ready, dealt, wager, at) if dealt else []
    about = AboutWager(
        price=float(each.price),
        untouched=each.untouched,
        exact=how == EXACT,
        second_order=None if pairs is None else {kind: float(change) for kind, change in pairs.items()},
    )
    at_counts = by_true_count(dealt.totals, dealt.cuts, ready.cuts[0], at) if dealt and count is not None else []
    return WagerProtection(
        name=ready.variant.wagers[wager].name,
        price=each.price,
        effects_of_removal=each.by_rank,
        effects_by_card=each.by_card if each.suits_matter else None,
        effects_error=each.error,
        effects_mean=each.mean,
        effects_as_played=_as_played(each),
        untouched=each.untouched,
        second_order=pairs,
        real_tags=real_tags(weighted),
        tags=dict(tags),
        correlation=count.correlation if count is not None else 0.0,
        counts=ready.counts[wager],
        counts_by_card=best_counts(by_card(each)) if each.suits_matter else [],
        published=published(weighted, counts_for(wager)) if not each.untouched else [],
        slope=float(slope_of(each, tags)),
        turns_at=turning_point(each, tags),
        priced=PRICED[how],
        by_true_count=at_counts,
        per_100=by_cut[0].count if by_cut else None,
        ceiling=by_cut[0].ceiling if by_cut else None,
        by_cut=by_cut,
        safe_cut=safe_cut(by_cut, concern),
        safe_stake=safe_stake(by_cut[0], concern) if by_cut else None,
        verdict=verdict(by_cut, concern, about),
    )


def _by_cut(ready: Preparation, dealt: "ShoeSums", wager: str, at: int) -> list[CutWins]:
    """The wins with each cut card; for a wager priced by first order with the ceiling of rounds that were solved."""
    found = [cut_wins(dealt.totals, dealt.cuts, cut, at) for cut in ready.cuts]
    sample = sample_rounds(dealt.following, wager, dealt.shoes, ready.asked.seed)
    if sample is None:
        return found
    return [
        msgspec.structs.replace(wins, solved=solved_ceiling(sample, dealt.cuts.index(wins.behind_cut), wins))
        for wins in found
    ]


def _as_played(each: Effects) -> dict[str, Value] | None:
    if each.as_played is None:
        return None
    return {name: each.as_played[faces[0]] for name, faces in each.ranks.items()}


def _joint(dealt: "ShoeSums", at: int, wagers: Sequence[WagerProtection]) -> Joint:
    """Sums over the rounds; where rounds of a wager were solved, what that changes of its ceiling is added."""
    by_wager = [each.by_cut[at] for each in wagers]
    cut = by_wager[0].behind_cut
    totals, place = dealt.totals, dealt.cuts.index(cut)
    rounds = dealt.rounds_until(cut)
    solved = [(wins.solved, wins.ceiling) for wins in by_wager if wins.solved is not None]
    all_bets = HUNDRED * float(totals.best_won[: place + 1].sum()) / rounds
    one_bet = HUNDRED * float(totals.one_won[: place + 1].sum()) / rounds
    spread = ceiling_error(totals, place, -1) * HUNDRED
    return Joint(
        behind_cut=cut,
        rounds_a_shoe=rounds / int(totals.shoes[0]),
        bet_share=int(totals.any_bet[: place + 1].sum()) / rounds,
        all_bets=all_bets + sum(best.win - first_order.win for best, first_order in solved),
        error=hypot(spread, *(sqrt(max(best.error**2 - first_order.error**2, 0)) for best, first_order in solved)),
        one_bet=max(one_bet, *(best_ceiling(wins).win for wins in by_wager)),
    )
