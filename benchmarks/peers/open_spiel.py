"""OpenSpiel's blackjack (C++ behind Python): states played out with random chance and a hit-below-17 policy."""

import json
import random
import sys
import time
from importlib.metadata import version

sys.path = [path for path in sys.path if not path.endswith("benchmarks/peers")]
import pyspiel

game = pyspiel.load_game("blackjack")
pick = random.Random(1)
rounds, start = 0, time.process_time()
while time.process_time() - start < 3:
    for _ in range(50):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions = state.legal_actions()
                state.apply_action(actions[pick.randrange(len(actions))])
            else:
                state.apply_action(pick.choice(state.legal_actions()))
        rounds += 1
rate = rounds / (time.process_time() - start)
what = "blackjack, random legal actions, no splits"
print(json.dumps({"version": version("open_spiel"), "what": what, "rate": rate}))
