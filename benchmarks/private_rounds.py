"""Rounds of one guest alone at a table, for a second of processor time: `python benchmarks/private_rounds.py ROUNDS`.

It uses what every release of the house has, so that `benchmarks/live.py private --before COMMIT` can run it over an
older source tree. With `unsigned` as a second word the house signs no ends of chains (`unsealed.py`), so that what live
tables cost is told apart from what signing does.
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


def private_rounds(house: House, count: int) -> float:
    """So many rounds; how many of them a second of processor time makes."""
    pace = {"round_ms_min": 0} if "round_ms_min" in inspect.signature(add_table).parameters else {}
    house.do(partial(add_table, table_id="alone", name="Alone", game="la-paire", options={}, **pace))
    token = hash_of(house.do(new_guest))
    player_id = house.do(lambda tx: person_of(tx, token, tx.now)).id
    house.do(lambda tx: house.dealer.sit(tx, player_id, "alone"))
    bets = [
        RoundBet(table="alone", seats=[{"card-7": 100}], client_seed="mine", key=secrets.token_hex(8), body_hash="")
        for _ in range(count + 20)
    ]
    for bet in bets[:20]:
        house.do(house.pit.bet_command(token, bet))
    began = time.process_time()
    for bet in bets[20:]:
        house.do(house.pit.bet_command(token, bet))
    return count / (time.process_time() - began)


if __name__ == "__main__":
    os.environ.setdefault("PAIRHOUSE_SEED_KEY", secrets.token_hex(32))
    if "unsigned" in sys.argv:
        import unsealed  # noqa: F401
    with tempfile.TemporaryDirectory() as folder:
        opened = House(f"sqlite:///{folder}/house.db")
        print(private_rounds(opened, int(sys.argv[1])))
        opened.close()
