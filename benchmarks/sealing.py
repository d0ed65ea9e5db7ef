"""What sealing and the watch take of a round: `make bench-sealing`.

First the books alone, without HTTP, in one process. Rounds are played by direct commands in batches as the bookkeeper
runs them. Each part is timed by itself in processor time, and so are the rounds: signing the ends of chains with each
commit, the turns of the log with their heads, and the watch, which weighs closed rounds in a process of its own and of
low priority.

With `--http` two houses take turns over HTTP, one as it is shipped, and one that signs nothing and is not watched
(`unsealed.py`). A turn is long enough for a head or two, the order changes from turn to turn, and after each turn the
watch is given time to weigh what it left, so that its work is counted with its own rounds.
"""

import argparse
import contextlib
import secrets
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from serve import HERE, Opened, caught_up, children, cpu_ns, players, watch_ns, weighed
from serve import house as open_house

from pairhouse.house.commands import RoundBet
from pairhouse.house.house import House
from pairhouse.house.people import give_play_money, new_guest, person_of
from pairhouse.house.store.database import Database
from pairhouse.house.store.writer import Writer
from pairhouse.house.tokens import hash_of
from pairhouse.house.watch_log import read_cursor
from pairhouse.server.watch.judge import Judge

PLAYERS, BATCH, TURNS, BATCHES_A_TURN = 64, 32, 8, 100


def timed(spent: Counter[str], name: str, work: Callable[..., Any]) -> Callable[..., Any]:
    """The same function; the processor time of its thread is added to what was spent."""

    def run(*words: Any, **named: Any) -> Any:
        started = time.thread_time_ns()
        try:
            return work(*words, **named)
        finally:
            spent[name] += time.thread_time_ns() - started

    return run


def watched_us(url: str, rounds: int) -> float:
    """Microseconds that the watch takes for a round, once it knows the prices."""
    database, judge = Database(url), Judge()
    with database.reading() as tx:
        cursor = read_cursor(tx)
        judge.look(tx, cursor, 0)
        started = time.process_time_ns()
        look = judge.look(tx, cursor, 600)
        spent = time.process_time_ns() - started
    database.close()
    assert look.rounds == rounds
    return spent / rounds / 1000


def books_alone(url: str) -> None:
    spent: Counter[str] = Counter()
    Writer.work = timed(spent, "rounds", Writer.work)  # type: ignore[method-assign]
    Writer._sign_end = timed(spent, "ends", Writer._sign_end)  # type: ignore[method-assign]
    house = House(url, round_ms_min=0)
    tokens = [hash_of(house.do(new_guest)) for _ in range(PLAYERS)]
    for token in tokens:
        player = house.do(lambda tx, token=token: person_of(tx, token, tx.now)).id
        house.do(lambda tx, player=player: house.dealer.sit(tx, player, "la-paire"))
        house.do(lambda tx, player=player: give_play_money(tx, player, 10**10, f"fill:{player}"))
    house.log.turn()
    spent.clear()
    number = 0
    for _ in range(TURNS):
        for _ in range(BATCHES_A_TURN):
            waiting = []
            for _ in range(BATCH):
                key = secrets.token_hex(8)
                bet = RoundBet(table="la-paire", seats=[{"card-A": 100}], client_seed="fill", key=key, body_hash="")
                number += 1
                waiting.append(house.writers.submit(house.pit.bet_command(tokens[number % PLAYERS], bet)))
            for future in waiting:
                future.result()
        timed(spent, "turns", house.log.turn)()
    house.close()
    watch = watched_us(url, number)
    rounds = (spent["rounds"] - spent["ends"]) / number / 1000
    ends, turns = spent["ends"] / number / 1000, spent["turns"] / number / 1000
    print(f"| {number:,} rounds, {TURNS} heads | CPU µs a round | of the round |\n|---|---:|---:|")
    print(f"| the round itself, with its sealed event | {rounds:.1f} | |")
    print(f"| signing the end of its chain, with each commit | {ends:.1f} | {ends / rounds:.1%} |")
    print(f"| into the log, and heads | {turns:.1f} | {turns / rounds:.1%} |")
    print(f"| weighed by the watch, when there is time | {watch:.1f} | {watch / rounds:.1%} |")


SHIPPED, BARE = "signed heads and the watch", "neither"
WEIGHING_S_MAX = 60.0


class Turn(NamedTuple):
    """64 players for a while: rounds a second, and CPU microseconds a round of everything the house runs."""

    rate: float
    cpu_us: float
    cpu_us_with_weighing: float
    left: int


def all_cpu_ns(opened: Opened) -> int:
    """CPU time of the house: the bookkeeper and every process it has started."""
    total, waiting = 0, [opened.pid]
    while waiting:
        pid = waiting.pop()
        with contextlib.suppress(OSError):
            total += cpu_ns(pid)
            waiting += children(pid)
    return total


def one_turn(opened: Opened, seconds: float, is_watched: bool) -> Turn:
    known, before, watched = weighed(opened), all_cpu_ns(opened), watch_ns(opened)
    load = players(opened.port, PLAYERS, seconds, "no-decision")
    assert not load["errors"], load["errors"]
    used, number = all_cpu_ns(opened) - before, load["rounds"]
    left, weighing = 0, 0
    if is_watched:
        left = known + number - weighed(opened)
        during = watch_ns(opened) - watched
        last = time.perf_counter() + WEIGHING_S_MAX
        while weighed(opened) < known + number and time.perf_counter() < last:
            time.sleep(0.25)
        weighing = watch_ns(opened) - watched - during
    return Turn(number / load["seconds"], used / number / 1000, (used + weighing) / number / 1000, left)


def over_http(folder: Path, turns: int, seconds: float) -> None:
    """Two houses in turns, one as it is shipped and one that signs nothing and is not watched."""
    found: dict[str, list[Turn]] = {SHIPPED: [], BARE: []}
    with contextlib.ExitStack() as stack:
        programs = {
            SHIPPED: open_house(f"sqlite:///{folder}/shipped.db"),
            BARE: open_house(
                f"sqlite:///{folder}/bare.db", "--watch-play", "off", program=(str(HERE / "unsealed.py"),)
            ),
        }
        opened = {name: stack.enter_context(program) for name, program in programs.items()}
        for one in opened.values():
            players(one.port, PLAYERS, 3, "no-decision")
        while weighed(opened[SHIPPED]) == 0:
            time.sleep(0.5)
        caught_up(opened[SHIPPED])
        for number in range(turns):
            for name in (SHIPPED, BARE) if number % 2 else (BARE, SHIPPED):
                found[name].append(one_turn(opened[name], seconds, name == SHIPPED))
    what = f"over HTTP, SQLite, {PLAYERS} players, {turns} turns of {seconds:.0f} s each"
    print(f"| {what} | rounds a second | CPU µs a round |")
    print("|---|---:|---:|")
    for name, each in found.items():
        rates = [turn.rate for turn in each]
        cpu = median(turn.cpu_us_with_weighing for turn in each)
        print(f"| {name} | {median(rates):,.0f} ({min(rates):,.0f} to {max(rates):,.0f}) | {cpu:.1f} |")
    pairs = list(zip(found[SHIPPED], found[BARE], strict=True))
    rate = median(ours.rate / bare.rate for ours, bare in pairs)
    medians = median(ours.rate for ours, _ in pairs) / median(bare.rate for _, bare in pairs)
    during = median(ours.cpu_us / bare.cpu_us for ours, bare in pairs)
    whole = median(ours.cpu_us_with_weighing / bare.cpu_us for ours, bare in pairs)
    print(f"| ratio of medians (goal 0.95 or more) | {medians:.3f} | |")
    print(f"| median of the ratios turn by turn | {rate:.3f} | {during:.3f} |")
    print(f"| the same, with what the watch weighs after the players have stopped | | {whole:.3f} |")
    print(f"| rounds not yet weighed when the players stop | {median(ours.left for ours, _ in pairs):,.0f} | |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", nargs="?", help="a new database; without it, an SQLite file that goes away")
    parser.add_argument("--http", action="store_true", help="two houses in turns over HTTP instead")
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=12)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        if given.http:
            over_http(Path(place), given.turns, given.seconds)
        else:
            books_alone(given.url or f"sqlite:///{place}/house.db")
