"""Gymnasium's Blackjack-v1: the environment stepped with a simple hit-below-17 policy."""

import json
import sys
import time

sys.path = [path for path in sys.path if not path.endswith("benchmarks/peers")]
import gymnasium

environment = gymnasium.make("Blackjack-v1", sab=True).unwrapped
environment.reset(seed=1)
rounds, start = 0, time.process_time()
while time.process_time() - start < 3:
    for _ in range(200):
        (total, _, _), _ = environment.reset()
        done = False
        while not done:
            (total, _, _), _, done, _, _ = environment.step(int(total < 17))
        rounds += 1
rate = rounds / (time.process_time() - start)
what = "Blackjack-v1, hit below 17, no doubles or splits, infinite deck"
print(json.dumps({"version": gymnasium.__version__, "what": what, "rate": rate}))
