"""A player's own figures: results against expectation, streaks, and what choices cost."""

import msgspec

from pairhouse.server.models.advice import AdviceRecord


class WagerStatistics(msgspec.Struct, kw_only=True):
    """Results of a wager. Expectation and deviation follow from its exact price under best play, rounded to a cent.

    They are missing while the price is being worked out, and for a wager on a progressive meter.
    """

    wager: str
    bets: int
    staked: int
    returned: int
    expected: int | None
    deviation: int | None


class Streaks(msgspec.Struct, kw_only=True):
    """The longest runs of rounds won and lost (a push ends none), and the best and worst round."""

    won: int
    lost: int
    best: int
    worst: int
    best_round: str | None
    worst_round: str | None


class LuckPoint(msgspec.Struct, array_like=True):
    """After so many rounds: the net result, what was to be expected, and the deviation at most."""

    rounds: int
    net: int
    expected: int
    deviation: int


class GameStatistics(msgspec.Struct, kw_only=True):
    """Results at a game. `points` are the running figures of the rounds whose wagers all have a price, for a picture.

    `is_exact` says whether their deviation is exact. Where it is not, wagers of one round whose covariance is not
    counted were taken to win and lose together, and the hands of a split to be independent once the dealer's is known.
    """

    game: str
    rounds: int
    staked: int
    returned: int
    priced: int
    is_exact: bool
    points: list[LuckPoint]
    wagers: list[WagerStatistics]
    streaks: Streaks


class Statistics(msgspec.Struct, kw_only=True):
    """Closed rounds of a player, newest first up to a limit; `is_all` says whether that is all of them."""

    rounds: int
    staked: int
    returned: int
    is_all: bool
    games: list[GameStatistics]


class ReviewedChoice(msgspec.Struct, kw_only=True):
    """A choice as it was made, with what each could have been worth in first stakes, and what it cost."""

    number: int
    choice: str
    best: str
    cost: str
    advice: AdviceRecord


class Review(msgspec.Struct):
    """The choices of a closed round."""

    choices: list[ReviewedChoice]
