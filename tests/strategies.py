"""Hypothesis strategies: any game, under any options, with any wagers, any shuffle and any legal choices."""

from typing import Any

from hypothesis import strategies as st

from pairhouse.core.cards import pack
from pairhouse.core.errors import Refused
from pairhouse.core.game import Game, Variant
from pairhouse.core.paytable import Wager, placed
from pairhouse.games.catalogue import GAMES
from pairhouse.machines.events import Replay
from pairhouse.rounds.round_log import RoundLog, faces, play_on

games = st.sampled_from(list(GAMES.values()))


@st.composite
def variants(draw: st.DrawFn, game: st.SearchStrategy[Game] = games) -> Variant:
    """A game under options drawn at random; pairings the rules refuse are drawn again."""
    chosen = draw(game)
    options = {option.name: draw(st.sampled_from(option.choices)) for option in chosen.all_options}
    try:
        return chosen.variant(options)
    except Refused:
        named = {name: value for name, value in options.items() if name not in ("decks", "cut_card")}
        return chosen.variant(named)


@st.composite
def seats(draw: st.DrawFn, variant: Variant, most: int = 8) -> list[dict[str, int]]:
    """Wagers for one seat or more, each seat with at least one that opens the game."""
    offered = placed(list(variant.wagers.values()))
    openers = [wager for wager in offered if wager.opens]

    def stake(wager: Wager) -> st.SearchStrategy[int]:
        if wager.fixed is not None:
            return st.just(wager.fixed)
        step = variant.steps[wager.id] if variant.rounding == "exact" else 1
        return st.integers(2, 500).map(lambda steps: steps * step)

    def seat() -> dict[str, int]:
        chosen = draw(st.lists(st.sampled_from(offered), max_size=6, unique_by=lambda w: w.id))
        opener = draw(st.sampled_from(openers))
        return {wager.id: draw(stake(wager)) for wager in {w.id: w for w in [opener, *chosen]}.values()}

    return [seat() for _ in range(draw(st.integers(1, min(most, variant.game.seats_max))))]


@st.composite
def rounds(draw: st.DrawFn, game: st.SearchStrategy[Game] = games, most_seats: int = 8) -> tuple[RoundLog, Replay]:
    """A whole round with its outcome: any shuffle, any legal choices."""
    variant = draw(variants(game))
    random = draw(st.randoms(use_true_random=False))
    cards = list(pack(*variant.pack))
    random.shuffle(cards)
    log = RoundLog(variant.game.id, faces(cards), draw(seats(variant, most_seats)), dict(variant.options))
    return log, play_on(log, random.choice)


def same_round(log: RoundLog, **changes: Any) -> RoundLog:
    """A copy of a round with some parts changed."""
    parts = {name: getattr(log, name) for name in RoundLog.__struct_fields__}
    return RoundLog(**(parts | changes))
