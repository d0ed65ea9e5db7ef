"""The sweep of a GPU without a GPU: numba's simulator runs it, and where the tools are there it is compiled for one."""

import os
import subprocess
import sys

import pytest

SIMULATED = """
import numpy as np
from pairhouse.analysis.generic import gpu_sweep
from pairhouse.analysis.generic.card_sets import SETS, all_hands
from pairhouse.analysis.generic.compared_hands import sweep
assert gpu_sweep.gpu_is_here()
gpu_sweep.THREADS = 4
random = np.random.default_rng(1)
for size, ups in ((3, 1), (3, 52), (5, 52)):
    every = all_hands(3) if size == 3 else np.sort(random.permuted(np.tile(np.arange(52), (50, 1)), axis=1)[:, :5])
    hands = np.ascontiguousarray(every[random.permutation(len(every))[:16]])
    by_class, ends = random.permutation(16), np.array([3, 7, 7, 12, 16])
    own, owners = np.ascontiguousarray(hands[::4]), np.array([0, 0, 1, 2, 3, 3])
    asked = np.array([2, 5, 0, 3, 1, 4])
    queue = np.argsort(asked, kind="stable")
    queue_ends = np.searchsorted(asked[queue], np.arange(6), side="right")
    plain, found = np.zeros((6, ups), np.int32), np.zeros((6, ups), np.int32)
    held = np.zeros(SETS, np.int32)
    up_cards = np.arange(52) if ups > 1 else np.array([-1])
    sweep(hands, by_class, ends, held, own, owners, queue, queue_ends, up_cards, plain)
    gpu_sweep.sweep_on_gpu(hands, by_class, ends, own, owners, queue, queue_ends, found)
    assert plain.any()
    assert (found == plain).all(), (size, ups)
"""

COMPILED = """
import sys
from types import SimpleNamespace
from numba import cuda, types
try:
    import numba_cuda
    from numba.cuda import cuda_paths, dispatcher
    from numba.cuda.cudadrv import nvrtc, nvvm
    nvvm.NVVM()
except Exception as error:
    print("missing", type(error).__name__)
    sys.exit(3)
from pairhouse.analysis.generic import gpu_sweep
dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=(9, 0))
nvrtc.get_supported_ccs, cuda_paths._get_nvrtc_path = lambda: [(9, 0)], lambda: None  # a compiler of C++: not needed
gpu_sweep.cuda_or_refusal = lambda: cuda
count, add = gpu_sweep.kernels()
whole, line = types.int64, types.Array(types.int64, 1, "C")
grid, small = types.Array(types.int64, 2, "C"), types.Array(types.int32, 1, "C")
sets, found = types.Tuple((grid, line)), types.Array(types.int32, 2, "C")
shapes = {count: types.void(sets, grid, line, line, whole, whole, small, found),
          add: types.void(sets, grid, line, whole, whole, small)}
for kernel, shape in shapes.items():
    ptx, _ = cuda.compile(kernel.py_func, shape, cc=(9, 0), output="ptx", device=False, abi="numba")
    assert ".target sm_90" in ptx
"""


def run(code: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-W", "ignore", "-c", code]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, **environment}
    )


def test_a_gpu_counts_the_same_hands() -> None:
    done = run(SIMULATED, NUMBA_ENABLE_CUDASIM="1")
    assert done.returncode == 0, done.stderr[-2000:]


def test_it_can_be_compiled_for_a_gpu() -> None:
    done = run(COMPILED)
    if done.returncode == 3:
        pytest.skip(f"the tools of CUDA are not here: {done.stdout.strip()}")
    assert done.returncode == 0, done.stderr[-2000:]
