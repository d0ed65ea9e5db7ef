"""Advice is worked out in a process of its own: too much memory, time or too many who wait is a 503, and it recovers."""

import asyncio
import gc
import os
import signal
import weakref
from collections.abc import Callable

import msgspec
import pytest
from litestar.testing import TestClient

from guests import Guest
from pairhouse.analysis.blackjack.solve import UpCard, fresh_shoe
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import find
from pairhouse.machines.events import View
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.pricing.solver import Solver, SolverLimits
from pairhouse.server.processes.one_process import build

VARIANT = find("three-card-poker").variant()
VIEW = {
    "game": "three-card-poker",
    "seat": 1,
    "hands": [{"cards": ["Qh", "6d", "4s"], "seat": 1, "hand": 1}, {"cards": [None, None, None], "at": "dealer"}],
    "events": [],
    "wagers": [{"ante": {"stake": 100, "returned": None, "row": None}}],
    "awaiting": {"seat": 1, "hand": 1, "options": ["play", "fold"]},
}


def question() -> tuple[Variant, View]:
    return VARIANT, msgspec.convert(VIEW, View)


async def code_of(solver: Solver) -> str:
    """What a question is refused with; empty where it is answered."""
    try:
        answer = await solver.advise(*question())
    except Refused as refused:
        return refused.code
    assert msgspec.json.decode(answer)["best"] == "play"
    return ""


def test_nothing_of_a_pair_is_kept_once_it_was_advised() -> None:
    """A cached method kept every up card that was ever solved, with 2.2 MB each."""
    variant = find("blackjack").variant()
    solved = UpCard(variant.rules, fresh_shoe(variant.pack[0]), 6)
    assert solved.first_split(8) is solved.first_split(8)
    left = weakref.ref(solved)
    del solved
    gc.collect()
    assert left() is None


def test_limits_on_time_and_on_how_many_wait_and_a_process_that_falls() -> None:
    async def ask() -> None:
        solver = Solver(SolverLimits(waiting=2))
        try:
            assert sorted(await asyncio.gather(*(code_of(solver) for _ in range(3)))) == ["", "", "solver-busy"]
            first = solver.pid
            assert first is not None
            os.kill(first, signal.SIGKILL)
            while solver.pid == first:
                await asyncio.sleep(0.01)
            assert await code_of(solver) == ""
            second = solver.pid
            assert second not in (None, first)
            os.kill(second or 0, signal.SIGSTOP)  # as one that thinks for ever
            solver.limits = SolverLimits(seconds=0.2)
            assert await code_of(solver) == "solver-limit"
            assert solver.pid is None
        finally:
            await solver.close()

    asyncio.run(ask())


def test_a_solver_that_needs_more_memory_than_it_may_have_is_a_503(new_database: Callable[[str], str]) -> None:
    app = build(new_database("sqlite"), throttle=Throttle({}), jobs=False, solver_limits=SolverLimits(40 << 20))
    with TestClient(app) as client:
        guest = Guest(client, client.post("/guests").json()["token"])
        waiting = guest.open("three-card-poker")
        answer = guest.ask("GET", f"/rounds/{waiting['id']}/advice")
        assert (answer.status_code, answer.json()["code"]) == (503, "solver-limit")
        assert int(answer.headers["retry-after"]) >= 1
        assert guest.finish(waiting)["state"] == "settled", "whoever plays is not concerned"


def test_what_the_rules_refuse_is_refused_as_ever() -> None:
    async def ask() -> None:
        solver = Solver()
        try:
            view = msgspec.structs.replace(question()[1], awaiting=None)
            with pytest.raises(Refused, match="asks nothing"):
                await solver.advise(VARIANT, view)
        finally:
            await solver.close()

    asyncio.run(ask())
