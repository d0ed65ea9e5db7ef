"""For researchers: reproducible rounds, a sample held to its exact price, and a strategy of your own."""

# %% The same seed gives the same rounds on any machine. Try 1e8 rounds, too.
import json
import tempfile
from pathlib import Path

import pairhouse as ph

poker = ph.game("three-card-poker")
sample = poker.simulate(20_000, seed=7)
print(sample)
assert sample["ante"].ev == poker.simulate(20_000, seed=7)["ante"].ev

# %% Every estimate knows how far it lies from the exact price, in standard errors.
for wager, estimate in sample.items():
    print(f"{wager:10} {estimate.ev:+.5f} ± {estimate.stderr:.5f}, exact {estimate.exact:+.5f}, z {estimate.z:+.2f}")

# %% What a strategy costs: play every queen, whatever comes with it.
mine = Path(tempfile.mkdtemp()) / "every-queen.json"
mine.write_text(json.dumps({"play": "Q-3-2"}))
print(poker.simulate(20_000, seed=7, strategy=str(mine)))
