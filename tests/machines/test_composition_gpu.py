"""The adder of a GPU without a GPU: numba's simulator runs it, thread by thread in plain Python."""

import os
import subprocess
import sys

from command_line import pairhouse

SIMULATED = """
import numpy as np
from pairhouse.analysis.protect.shoe_prices import ShoePrices
from pairhouse.games.catalogue import find
from pairhouse.machines import composition_gpu
composition_gpu.THREADS = 2
prices = ShoePrices(find("pair-v3").variant())
left = np.array([prices.left_of(range(first, 52)) for first in (0, 7, 20)])
for group in prices.groups:
    assert (group.evaluator.ways(left, on_gpu=True) == group.evaluator.ways(left)).all()
assert len(prices.groups) >= 1
"""


def test_a_gpu_adds_up_the_same_whole_numbers() -> None:
    command = [sys.executable, "-W", "ignore", "-c", SIMULATED]
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]


def test_without_a_gpu_a_sentence_says_so() -> None:
    done = pairhouse("protect", "pair-v3", "--wager", "pair", "--shoes", "2", "--device", "cuda")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert "GPU" in done.stderr
