"""What live tables cost: streams and messages, tables with seats, one coup with thousands of bettors, private rounds.

`make bench-live` runs all of it and prints Markdown with the goals beside the figures; docs/scale.md holds a run and
what follows from it. `python benchmarks/live.py PART ...` runs some of it (streams, tables, hurry, coups, private),
`--on sqlite` or `--on postgresql` one database of those that are compared, and `--short` a tenth. So each piece takes
less than four minutes. The house, the people and the database share the cores of this machine.
"""

import argparse
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from live_house import Took, are_clean, database, do_all, goal, heading, timed
from live_streams import all_streams
from live_tables import all_tables, hurried_tables
from private_rounds import private_rounds

from pairhouse.house.floor import add_table
from pairhouse.house.house import House
from pairhouse.house.live.acts import LiveBet, LiveSeed, TakeSeat
from pairhouse.house.live.crowd_acts import CrowdActs, SessionAct
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.people import new_guest
from pairhouse.house.store.writer import Batched
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.live_round import LiveSettings
from pairhouse.rounds.shared_seeds import seed_commitment

BACCARAT, TCP = "nepal-super-baccarat", "three-card-poker"
SEED = "a seed of the benchmark"
PAID_WITHIN_S = 2.0
PARTS = ("streams", "tables", "hurry", "coups", "private")
DATABASES = ("sqlite", "postgresql")
COUPS = (
    *("database", "bettors", "a bet", "a seed", "last seed to all paid and durable", "books"),
    "goal: paid within 2 s",
)
COUPS_SAY = (
    "Microseconds by the clock (in brackets: of the house's processor) for a bet and a seed; seconds for the deal."
)
PRIVATE = ("compared", "ratio", "goal: not slower")
TOGETHER = 64  # guests who bet at once
PRIVATE_SAYS = "Rounds of guests alone for a second of processor time, taken in turns; the best of each."
NOISE = 0.05  # ratios of the same source tree differ by so much


def did_all(house: House, commands: list[Any]) -> Took:
    """How long these commands took together."""
    with timed() as took:
        do_all(house, commands)
    return took[0]


def coup(kind: str, count: int) -> str:
    """Seat so many, take their bets and seeds, then deal and pay: a row of the table of costs."""
    with database(kind) as new:
        house = House(new.url)
        floor = LiveFloor(house.vault, house.pit.guard)
        acts = CrowdActs(floor, "dealer")
        settings = LiveSettings(seats=None, betting=600_000, seeds=600_000)
        house.do(partial(floor.make_live, by="benchmark", table_id=BACCARAT, settings=settings))
        house.do(partial(floor.lead_and_deal, table_id=BACCARAT, dealer="dealer"))
        tokens = [hash_of(token) for token in do_all(house, [new_guest] * count)]

        def words() -> dict[str, str]:
            return {"table": BACCARAT, "key": secrets.token_hex(8), "body_hash": ""}

        def bet(number: int, token: str) -> Batched:
            mixed = {"banker": 500, "tie": 100 + 100 * (number % 50)}
            stakes = {"player": 100 * (1 + number % 300)} if number % 2 else mixed
            return Batched(acts.run, SessionAct(token, LiveBet(stakes=stakes, seed=seed_commitment(SEED), **words())))

        def seed(token: str) -> Batched:
            return Batched(acts.run, SessionAct(token, LiveSeed(seed=SEED, **words())))

        do_all(house, [partial(floor.act, token_hash=token, act=TakeSeat(**words())) for token in tokens])
        bets = did_all(house, [bet(*each) for each in enumerate(tokens)])
        house.do(partial(close_betting, floor=floor))
        seeds = did_all(house, [seed(token) for token in tokens[:-1]])
        paid = did_all(house, [seed(tokens[-1])])
        with house.database.reading() as tx:
            assert floor.view(tx, BACCARAT).phase == "closed"
        house.close()
        books = "clean" if are_clean(new.url) else "NOT CLEAN"
    each = f"{bets.wall_s / count * 1e6:.0f} ({bets.cpu_s / count * 1e6:.0f})"
    opened = f"{seeds.wall_s / max(count - 1, 1) * 1e6:.0f} ({seeds.cpu_s / max(count - 1, 1) * 1e6:.0f})"
    deal = f"{paid.wall_s:.2f} ({paid.cpu_s:.3f})"
    return f"| {kind} | {count:,} | {each} | {opened} | {deal} | {books} | {goal('so', paid.wall_s < PAID_WITHIN_S)} |"


def close_betting(tx: Any, floor: LiveFloor) -> None:
    """End the betting of a coup now, without waiting for its clock."""
    tx.now += 600_000
    floor.lead_and_deal(tx, BACCARAT, "dealer")


def coups(sizes: list[int], kinds: Sequence[str]) -> None:
    """The whole table."""
    heading("One coup, many bettors", COUPS, COUPS_SAY)
    for kind in kinds:
        for count in sizes:
            print(coup(kind, count), flush=True)


def private(count: int, before: str | None) -> None:
    """Private rounds in a house with live tables against one without, and against an older source tree."""
    heading("Private rounds", PRIVATE, PRIVATE_SAYS)
    rates: dict[str, list[float]] = {"with": [], "without": []}
    for name in ("without", "with", "with", "without"):
        rates[name].append(private_beside(count, 50 if name == "with" else 0))
    told("with 50 live tables in the house, against none", max(rates["with"]) / max(rates["without"]))
    if before is not None:
        with tempfile.TemporaryDirectory() as folder:
            archive = subprocess.run(["git", "archive", before, "src"], check=True, capture_output=True).stdout
            subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
            old, new = Path(folder) / "src", Path(__file__).parents[1] / "src"
            for together in (1, TOGETHER):
                trees = {"old": [old], "new": [new], "unsigned": [new, "unsigned"]}
                found: dict[str, list[float]] = {name: [] for name in trees}
                for name in ("old", "new", "unsigned", "unsigned", "new", "old") * 2:
                    found[name].append(private_of(count, together, *trees[name]))
                what = f"{together} at once: this source tree, against that of {before}"
                told(what, max(found["new"]) / max(found["old"]))
                told("the same without signed ends of chains", max(found["unsigned"]) / max(found["old"]))


def told(what: str, ratio: float) -> None:
    print(f"| {what} | {ratio:.2f} | {goal('so', ratio > 1 - NOISE)} |", flush=True)


def private_beside(count: int, live_tables: int) -> float:
    """The rate in a new house with so many live tables."""
    with database("sqlite") as new:
        house = House(new.url)
        floor, clock = LiveFloor(house.vault, house.pit.guard), LiveSettings(seats=7)
        for number in range(live_tables):
            table = f"live-{number}"
            house.do(partial(add_table, table_id=table, name=table, game=TCP, options={}))
            house.do(partial(floor.make_live, by="b", table_id=table, settings=clock))
            house.do(partial(floor.lead_and_deal, table_id=table, dealer="dealer"))
        rate = private_rounds(house, count)
        house.close()
    return rate


def private_of(count: int, together: int, tree: Path, *words: str) -> float:
    """The rate of a source tree, with so many guests who bet at once."""
    script = Path(__file__).with_name("private_rounds.py")
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, script, str(count), str(together), *words],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def main() -> None:
    """Run what was asked for."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--short", action="store_true", help="a tenth of everything, in a few minutes")
    given.add_argument("--before", metavar="COMMIT", help="compare private rounds with this commit")
    given.add_argument("--on", choices=DATABASES, help="only on this database, where both are measured")
    given.add_argument("parts", nargs="*", metavar="PART", help=f"some of {', '.join(PARTS)}; all without one")
    asked = given.parse_args()
    unknown = set(asked.parts) - set(PARTS)
    if unknown:
        given.error(f"there is no part {', '.join(sorted(unknown))}; give some of {', '.join(PARTS)}")
    os.environ.setdefault("PAIRHOUSE_SEED_KEY", secrets.token_hex(32))  # of databases that are gone afterwards
    parts, small = asked.parts or PARTS, 10 if asked.short else 1
    kinds = (asked.on,) if asked.on else DATABASES
    if "streams" in parts:
        all_streams(small)
    if "tables" in parts:
        all_tables(small, kinds)
    if "hurry" in parts:
        hurried_tables(small, kinds)
    if "coups" in parts:
        coups([10, 10_000 // (4 if asked.short else 1)], kinds)
    if "private" in parts:
        private(2_000 // (4 if asked.short else 1), asked.before)


if __name__ == "__main__":
    main()
