"""RLCard's blackjack: the environment stepped with a simple hit-below-17 policy."""

import json
import sys
import time

sys.path = [path for path in sys.path if not path.endswith("benchmarks/peers")]
import rlcard

environment = rlcard.make("blackjack", config={"seed": 1})
rounds, start = 0, time.process_time()
while time.process_time() - start < 3:
    for _ in range(50):
        state, _ = environment.reset()
        while not environment.is_over():
            state, _ = environment.step(0 if state["obs"][0] < 17 else 1)
        rounds += 1
rate = rounds / (time.process_time() - start)
what = "blackjack, hit below 17, no doubles or splits"
print(json.dumps({"version": rlcard.__version__, "what": what, "rate": rate}))
