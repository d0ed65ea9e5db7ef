"""Rounds of guests alone, for a second of processor time: `python benchmarks/private_rounds.py ROUNDS [TOGETHER]`.

It uses what every release of the house has, so that `benchmarks/live.py private --before COMMIT` can run it over an
older source tree. TOGETHER guests bet at once, and their rounds share commits. With `unsigned` as a further word the
house signs no ends of chains (`unsealed.py`), so that what live tables cost is told apart from what signing does.
"""

import inspect
import os
import secrets
import sys
import tempfile
import time
from functools import partial

from pairhouse.house.commands import RoundBet
from pairhouse.house.floor import add_table
from pairhouse.house.house import House
from pairhouse.house.people import new_guest, person_of
from pairhouse.house.tokens import hash_of


def private_rounds(house: House, count: int, together: int = 1) -> float:
    """So many rounds, of so many guests who bet at once; how many of them a second of processor time makes."""
    pace = {"round_ms_min": 0} if "round_ms_min" in inspect.signature(add_table).parameters else {}
    house.do(partial(add_table, table_id="alone", name="Alone", game="la-paire", options={}, **pace))
    tokens = [hash_of(house.do(new_guest)) for _ in range(together)]
    for token in tokens:
        player_id = house.do(lambda tx, token=token: person_of(tx, token, tx.now).id)
        house.do(lambda tx, player_id=player_id: house.dealer.sit(tx, player_id, "alone"))

    def bet_together() -> None:
        asked = [house.writers.submit(house.pit.bet_command(token, bet())) for token in tokens]
        for each in asked:
            each.result()

    for _ in range(max(2, 20 // together)):
        bet_together()
    began, turns = time.process_time(), max(1, count // together)
    for _ in range(turns):
        bet_together()
    return turns * together / (time.process_time() - began)


def bet() -> RoundBet:
    """One bet of somebody, with a key of its own."""
    return RoundBet(table="alone", seats=[{"card-7": 100}], client_seed="mine", key=secrets.token_hex(8), body_hash="")


if __name__ == "__main__":
    os.environ.setdefault("PAIRHOUSE_SEED_KEY", secrets.token_hex(32))
    if "unsigned" in sys.argv:
        import unsealed  # noqa: F401
    with tempfile.TemporaryDirectory() as folder:
        opened = House(f"sqlite:///{folder}/house.db")
        numbers = [int(word) for word in sys.argv[1:] if word.isdecimal()]
        print(private_rounds(opened, *numbers))
        opened.close()
