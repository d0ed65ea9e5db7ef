"""icepool: player, banker and tie of baccarat, eight decks, written as its users would: six cards in a row, mapped."""

import json
import sys
import time

sys.path = [path for path in sys.path if not path.endswith("benchmarks/peers")]
import icepool

SHOE = {0: 128} | dict.fromkeys(range(1, 10), 32)


def coup(cards):
    """Who wins the coup that these six cards make, in the order in which they are dealt."""
    player, banker, third = (cards[0] + cards[2]) % 10, (cards[1] + cards[3]) % 10, None
    if max(player, banker) < 8:
        rest = 4
        if player <= 5:
            third, rest = cards[4], 5
            player = (player + third) % 10
        if third is None:
            draws = banker <= 5
        else:
            highest = {3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 4: range(2, 8), 5: range(4, 8), 6: (6, 7)}
            draws = banker <= 2 or third in highest.get(banker, ())
        if draws:
            banker = (banker + cards[rest]) % 10
    return "player" if player > banker else "banker" if banker > player else "tie"


start, clock = time.process_time(), time.perf_counter()
found = icepool.Deck(SHOE).sequence(6).map(coup, star=False)
chances = {name: str(found.probability(name)) for name in ("player", "banker", "tie")}
figures = {"seconds": time.perf_counter() - clock, "processor_s": time.process_time() - start}
print(json.dumps({"version": icepool.__version__, "what": "player, banker, tie of baccarat", **figures, **chances}))
