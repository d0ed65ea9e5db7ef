"""The counting bot is as good as the ceiling says: at a deep shoe it wins, at a fresh shuffle it finds no bet at all."""

import pytest

from counting_bot import Chooser, CountingBot, LocalTable, greedy, slow, team
from pairhouse.analysis.protect.ceiling import table_limits
from pairhouse.games.catalogue import find

pytestmark = pytest.mark.slow  # `make test-protect`

BACCARAT = find("nepal-super-baccarat").variant()
LIMITS = table_limits(BACCARAT, 50_000, waiting=100)


def test_a_team_of_six_expects_what_the_ceiling_says() -> None:
    """Six private shoes down to 14 cards: about 119.00 a round, a bet in 34 % of all rounds."""
    bots = team(BACCARAT, LIMITS, [LocalTable(BACCARAT, 14, seed).bet for seed in range(6)])
    for bot in bots:
        bot.play(420)
    rounds = sum(bot.rounds for bot in bots)
    assert 0.28 < sum(bot.bet_rounds for bot in bots) / rounds < 0.42
    assert 6_000 < sum(bot.expected for bot in bots) / rounds < 24_000


@pytest.mark.parametrize("how", [greedy, slow])
def test_with_a_fresh_shuffle_no_bot_finds_a_bet(how: Chooser) -> None:
    bot = CountingBot(BACCARAT, LIMITS, LocalTable(BACCARAT, 14, 1, fresh=True).bet, how)
    bot.play(100)
    assert bot.bet_rounds == 0
    assert bot.expected < 0
    assert bot.staked == 100 * 100
