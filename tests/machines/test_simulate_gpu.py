"""The GPU's kernel without a GPU: numba's simulator runs it, and where the tools are there it is compiled for one."""

import os
import subprocess
import sys

import pytest

SIMULATED = """
import numpy as np
from pairhouse.analysis.sampling import Sampling
from pairhouse.games.catalogue import find
from pairhouse.machines.simulate import gpu
gpu.SAMPLE_ROUNDS, gpu.THREADS = 200, 8
for game, rounds in (("nepal-super-baccarat", 300), ("three-card-poker", 40)):
    simulation = Sampling.of(find(game).variant()).simulation
    device = gpu.Gpu(simulation)
    assert (device.rounds(7, 3, rounds) == simulation.block(7, 3, rounds)).all(), game
"""

COMPILED = """
import sys
from types import SimpleNamespace
import numpy as np
from numba import cuda, types
try:
    import numba_cuda
    from numba.cuda import dispatcher
    from numba.cuda.cudadrv import nvvm
    nvvm.NVVM()
except Exception as error:
    print("missing", type(error).__name__)
    sys.exit(3)
from pairhouse.analysis.sampling import Sampling
from pairhouse.games.catalogue import find
from pairhouse.machines.simulate import gpu
dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=(9, 0))
simulation = Sampling.of(find("nepal-super-baccarat").variant()).simulation
whole = types.int64
row = lambda of_type: types.Array(of_type, 1, "C")
tables = types.Tuple(tuple(row(types.uint8) for _ in simulation.tables))
shape = types.void(whole, whole, types.UniTuple(whole, 4), row(whole), tables, whole, row(types.int32), row(whole), row(whole))
ptx, _ = cuda.compile(gpu.linked_kernel(simulation), shape, cc=(9, 0), output="ptx", device=False, abi="numba")
assert ".target sm_90" in ptx
assert "call" not in ptx, "a rule was not laid into the loop"
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "ignore", "-c", code]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, **environment}
    )


def test_the_kernel_gives_the_tally_of_the_cpu() -> None:
    """Run by numba's simulator of a GPU, thread by thread in plain Python."""
    done = run(SIMULATED, NUMBA_ENABLE_CUDASIM="1")
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_kernel_compiles_for_a_gpu() -> None:
    """To PTX, with every rule laid into one loop; this needs the compiler of the gpu extra, but no GPU."""
    done = run(COMPILED)
    if done.returncode == 3:
        pytest.skip(f"the compiler of pairhouse[gpu] is not installed: {done.stdout.strip()}")
    assert done.returncode == 0, done.stderr[-2000:]


def test_without_a_gpu_a_sentence_says_so() -> None:
    words = ["simulate", "la-paire", "--device", "cuda", "--rounds", "1000"]
    done = subprocess.run([sys.executable, "-m", "pairhouse", *words], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        pytest.skip("there is a GPU here")
    assert "GPU" in done.stderr
    assert "Traceback" not in done.stderr
