"""A way to play any game that somebody names or gives: one action everywhere, or a file with an action a situation.

A file is JSON: `{"play": {"SITUATION": "ACTION", ...}, "otherwise": "ACTION"}`. Situations are the numbers that the
rules hand to `choose`; `pairhouse solve GAME --json` writes those of best play. Where the action is not offered, the
first that is offered is taken.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pairhouse.analysis.generic.play_lookup import by_file, hashed
from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.core.game import Variant
from pairhouse.machines.simulate.simulation import Strategy

SITUATION_MAX = 1 << 62


@dataclass(frozen=True)
class GivenPlay:
    """An action for each situation, and one for all others; actions are bits."""

    name: str
    play: Mapping[int, int]
    otherwise: int

    def choose(self, legal: int, situation: int) -> int:
        """The action here."""
        for action in (self.play.get(situation, self.otherwise), self.otherwise):
            if legal & action:
                return action
        return legal & -legal

    def strategy(self) -> Strategy:
        """The same for the machine."""
        pairs = np.array([[0, situation] for situation in self.play], np.int64).reshape(-1, 2)
        actions = np.array([*self.play.values()], np.int64)
        situations, chosen, size = hashed(pairs, actions)
        return Strategy(self.name, by_file, (situations, chosen, np.append(size, self.otherwise)))


def one_action_play(variant: Variant, name: str) -> GivenPlay | None:
    """`always-ACTION`, where there is such an action."""
    bits = {f"always-{action.name}": bit for action, bit in _bits(variant).values()}
    return GivenPlay(name, {}, bits[name]) if name in bits else None


def read_play(variant: Variant, name: str, content: Any) -> GivenPlay:
    """The play of a strategy file, or a refusal that says what is wrong with it."""
    if not isinstance(content, dict) or set(content) - {"play", "otherwise"} or "otherwise" not in content:
        wanted = '{"play": {"SITUATION": "ACTION"}, "otherwise": "ACTION"}'
        raise Refused("bad-strategy", f"a strategy of {variant.game.name} is {wanted}; this has {shown(content)}")
    play = content.get("play", {})
    if not isinstance(play, dict):
        raise Refused("bad-strategy", f'"play" is {shown(play)}; it gives an action for each situation')
    found = {_situation(key): _action(variant, f"situation {key}", word) for key, word in play.items()}
    return GivenPlay(name, found, _action(variant, '"otherwise"', content["otherwise"]))


def _bits(variant: Variant) -> dict[str, tuple[Any, int]]:
    offered = {action.name for action in variant.actions}
    return {each.name: (each, 1 << bit) for bit, each in enumerate(variant.game.actions) if each.name in offered}


def _situation(key: str) -> int:
    if not (key.isascii() and key.isdecimal() and int(key) < SITUATION_MAX):
        raise Refused("bad-strategy", f"situation {shown(key)} is no whole number from 0")
    return int(key)


def _action(variant: Variant, where: str, word: Any) -> int:
    bits = _bits(variant)
    if not isinstance(word, str) or word not in bits:
        raise Refused("bad-strategy", f"{where} says {shown(word)}; an action is {one_of([*bits])}")
    return bits[word][1]
