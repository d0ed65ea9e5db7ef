"""Fill a house with rounds that were really played, without HTTP: `fill.py URL ROUNDS`."""

import secrets
import sys
from concurrent.futures import Future

from pairhouse.house.commands import RoundBet
from pairhouse.house.house import House
from pairhouse.house.people import give_play_money, new_guest, person_of
from pairhouse.house.tokens import hash_of

PLAYERS, BATCH = 64, 128


def main(url: str, rounds: int) -> None:
    house = House(url, round_ms_min=0)
    tokens = [hash_of(house.do(new_guest)) for _ in range(PLAYERS)]
    for token in tokens:
        player = house.do(lambda tx, token=token: person_of(tx, token, tx.now)).id
        house.do(lambda tx, player=player: house.dealer.sit(tx, player, "la-paire"))
        house.do(lambda tx, player=player: give_play_money(tx, player, 10**10, f"fill:{player}"))
    waiting: list[Future] = []
    for number in range(rounds):
        bet = RoundBet(
            table="la-paire", seats=[{"card-A": 100}], client_seed="fill", key=secrets.token_hex(8), body_hash=""
        )
        token = tokens[number % PLAYERS]
        waiting.append(house.writers.submit(house.pit.bet_command(token, bet)))
        if len(waiting) == BATCH:
            for future in waiting:
                future.result()
            waiting = []
    house.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
