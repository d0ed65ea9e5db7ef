"""A house that signs nothing, for one comparison: `unsealed.py serve ...`. Never for play: its books pass no audit.

Rounds, money and chains of events are as in any house. What is left out is what `sealing.py --http` measures: signing
the end of a chain with each commit, keeping the seals for the log, the log, its heads and its anchors.
"""

from pairhouse.cli.main import main
from pairhouse.house.log_keeper import LogKeeper
from pairhouse.house.seal.recent import RecentSeals
from pairhouse.house.store.writer import Writer


def leave_out(*_words: object, **_named: object) -> None:
    """Do nothing."""


Writer._sign_end = leave_out  # type: ignore[method-assign]
RecentSeals.add = leave_out  # type: ignore[method-assign]
LogKeeper.look = leave_out  # type: ignore[method-assign]
LogKeeper.sign = leave_out  # type: ignore[method-assign]

if __name__ == "__main__":
    main()
