"""Pairhouse: casino games, each written once as a rule book that runs.

    >>> import pairhouse as ph
    >>> ph.game("three-card-poker").price("ante").ev
    Fraction(-686689, 20358520)

Everything public is listed in `__all__` and loaded when it is first used: importing the package costs neither numpy nor
the compiler. docs/library.md shows each call.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pairhouse.version import __version__

if TYPE_CHECKING:
    from pairhouse.core.errors import Refused
    from pairhouse.core.game import Game
    from pairhouse.python_api.best_play import BestPlay
    from pairhouse.python_api.chosen_game import ChosenGame, game, list_games, load, settle
    from pairhouse.python_api.dealt_round import DealtRound
    from pairhouse.python_api.par_report import Report
    from pairhouse.python_api.price_table import PriceTable
    from pairhouse.python_api.sample import Sample

_HOME = {  # public name -> the module that defines it
    "BestPlay": "pairhouse.python_api.best_play",
    "ChosenGame": "pairhouse.python_api.chosen_game",
    "DealtRound": "pairhouse.python_api.dealt_round",
    "Game": "pairhouse.core.game",
    "PriceTable": "pairhouse.python_api.price_table",
    "Refused": "pairhouse.core.errors",
    "Report": "pairhouse.python_api.par_report",
    "Sample": "pairhouse.python_api.sample",
    "game": "pairhouse.python_api.chosen_game",
    "list_games": "pairhouse.python_api.chosen_game",
    "load": "pairhouse.python_api.chosen_game",
    "settle": "pairhouse.python_api.chosen_game",
}

__all__ = [
    "BestPlay",
    "ChosenGame",
    "DealtRound",
    "Game",
    "PriceTable",
    "Refused",
    "Report",
    "Sample",
    "__version__",
    "game",
    "list_games",
    "load",
    "settle",
]


def __getattr__(name: str) -> Any:
    """A public name, loaded when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'pairhouse' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
