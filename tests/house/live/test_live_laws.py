"""Laws of live tables, over random crowds on both databases: people and supervisors at any moment, any clock.

A few examples in every run of the suite; `make test-live-laws` looks at hundreds.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from direct_house import DATABASES, audited, new_books
from live_crowd import PEOPLE, TABLES, LiveCrowd, Step

OFTEN = ["bet", "bet", "ready", "seed", "seed", "choose", "choose", "choose", "tick", "sit"]
SELDOM = ["take back", "leave", "another seed", "two tabs", "another dealer", "expose", "void"]
SELDOM += ["turn", "turn", "turn", "pace", "close betting"]
steps = st.builds(
    Step, st.sampled_from(OFTEN + SELDOM), st.integers(0, PEOPLE - 1), st.integers(0, 11), st.integers(0, 13)
)
openings = st.integers(1, 2**PEOPLE - 1)  # who sits and bets before anything else happens
PROCESS = """
import sys
from live_crowd import LiveFloor, Database
from pairhouse.house.care.guard import Guard
from pairhouse.house.care.policy import NO_POLICY
from pairhouse.house.vault import find_vault
import msgspec
floor = LiveFloor(find_vault(None), Guard(NO_POLICY))
with Database(sys.argv[1]).reading() as tx:
    for table in sys.argv[2:]:
        print(msgspec.json.encode([floor.view(tx, table, seat) for seat in (None, 1, 2, 3)]).decode())
"""


@pytest.fixture(scope="module", params=DATABASES)
def crowd(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveCrowd]:
    made = LiveCrowd(new_books(request.param, tmp_path_factory.mktemp("laws")))
    yield made
    made.close()


def play(crowd: LiveCrowd, table: str, opening: int, tried: list[Step]) -> None:
    crowd.begin(table)
    there = [who for who in range(PEOPLE) if opening >> who & 1]
    acts = [Step(what, who, who, 0) for who in there for what in ("sit", "bet", "ready")]
    for step in [*acts, Step("tick", 0, 0, 0), *(Step("seed", who, 0, 0) for who in there), Step("tick", 0, 0, 0)]:
        crowd.step(table, step)
    for step in [Step("choose", 0, 0, 1), *tried]:
        crowd.step(table, step)


def hold(crowd: LiveCrowd, table: str, examples: int) -> None:
    @settings(max_examples=examples, phases=[Phase.generate, Phase.shrink])
    @given(openings, st.lists(steps, min_size=12, max_size=25))
    def law(opening: int, tried: list[Step]) -> None:
        play(crowd, table, opening, tried)

    law()


@pytest.mark.parametrize("table", TABLES)
def test_laws_hold_whatever_people_try(crowd: LiveCrowd, table: str) -> None:
    """[TCP-38] Money, secrecy, turns and replays after every step; rulings 37 to 39 and 43."""
    hold(crowd, table, 5 if crowd.house.database.is_sqlite else 2)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_laws_hold_for_long(crowd: LiveCrowd, table: str) -> None:
    hold(crowd, table, 150)


def test_the_crowd_has_tried_everything_and_the_books_are_clean(crowd: LiveCrowd) -> None:
    """The audit deals and pays every round again; another process reads the same views."""
    kinds = [*OFTEN, *SELDOM] * 2
    for table in TABLES:  # whatever tests this process has run before
        play(crowd, table, 1, [Step(what, at % PEOPLE, at % 12, at % 14) for at, what in enumerate(kinds)])
    done = {name for name in crowd.count if not name.endswith("refused")}
    assert {"sit", "bet", "ready", "seed", "choose", "tick"} <= done
    assert {"bet refused", "choose refused", "seed refused"} <= set(crowd.count)
    report = audited(crowd.house)
    assert report.clean, report.difference
    url = crowd.house.database.url.render_as_string(hide_password=False)
    command = [sys.executable, "-c", PROCESS, url, *TABLES]
    folder = Path(__file__).parents[2]
    other = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=folder)
    assert other.returncode == 0, other.stderr
    with crowd.house.database.reading() as tx:
        here = [
            msgspec.json.encode([crowd.floor.view(tx, table, s) for s in (None, 1, 2, 3)]).decode() for table in TABLES
        ]
    assert other.stdout.splitlines() == here
