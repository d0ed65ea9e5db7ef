"""What sealing and the watch take of a round: `make bench-sealing`. Books alone, without HTTP, in one process.

Rounds are played by direct commands in batches as the bookkeeper runs them. Each part is timed by itself in processor
time, and so are the rounds: signing the ends of chains with each commit, the turns of the log with their heads, and the
watch, which weighs closed rounds in a process of its own and of low priority.
"""

import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

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


def main(url: str) -> None:
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


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(sys.argv[1] if len(sys.argv) > 1 else f"sqlite:///{folder}/house.db")
