"""Side bets with facts of their own: more wagers on a game that is already there."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.core.game import Game
from pairhouse.core.options import Options
from pairhouse.core.paytable import Wager
from pairhouse.core.rule import is_rule, with_rules

Rule = Callable[..., Any]


def with_side_bets(
    host: Game,
    *,
    id: str,  # noqa: A002 (as in Game)
    name: str,
    summary: str,
    module: str,
    at: Mapping[Rule, Rule],
    wagers: tuple[Wager, ...],
    **changes: Any,
) -> Game:
    """The host with more wagers. `at` maps a moment of the host (a rule that does nothing) to what looks at its cards.

    The rule that looks takes the same arguments as the moment, and settles happenings of its own.
    """
    for moment, looks in at.items():
        for each in (moment, looks):
            if not is_rule(each):
                raise Refused(
                    "bad-side-bet", f"{shown(getattr(each, '__name__', each))} is no rule; mark it with @rule"
                )
        if moment.__code__.co_argcount != looks.__code__.co_argcount:
            wanted = moment.__code__.co_varnames[: moment.__code__.co_argcount]
            given = f"{looks.__name__} takes {looks.__code__.co_argcount} arguments"
            raise Refused("bad-side-bet", f"{given}; at {moment.__name__} it is given {one_of(wanted)}")

    def all_wagers(options: Options) -> tuple[Wager, ...]:
        return (*host.wagers(options), *wagers)

    return replace(
        host,
        id=id,
        name=name,
        summary=summary,
        module=module,
        play=with_rules(host.play, at, module),
        wagers=all_wagers,
        host=host,
        at=tuple(at.items()),
        **changes,
    )
