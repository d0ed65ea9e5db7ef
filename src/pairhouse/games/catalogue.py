"""Every game of the house, by id."""

from pairhouse.core.errors import unknown
from pairhouse.core.game import Game
from pairhouse.games import (
    blackjack_poker_pairs,
    la_paire,
    nepal_super_baccarat,
    pair_v3,
    standard_blackjack,
    three_card_poker,
)

GAMES: dict[str, Game] = {
    module.GAME.id: module.GAME
    for module in (
        three_card_poker,
        nepal_super_baccarat,
        la_paire,
        blackjack_poker_pairs,
        pair_v3,
        standard_blackjack,
    )
}


def find(game_id: str) -> Game:
    """A game by its id."""
    if game_id not in GAMES:
        raise unknown("game", game_id, GAMES)
    return GAMES[game_id]
