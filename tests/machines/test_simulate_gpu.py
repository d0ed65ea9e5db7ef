"""The GPU's kernel without a GPU: numba's simulator runs it, and where the tools are there it is compiled for one."""

import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from command_line import pairhouse
from pairhouse.machines.simulate import gpu_deal
from pairhouse.machines.simulate.deal import ROUND_CARDS_MAX, deal_more
from pairhouse.machines.simulate.stream import ShoeShape, Stream

SIMULATED = """
import sys
from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.games.catalogue import find
from pairhouse.machines.simulate import gpu
gpu.SAMPLE_ROUNDS, gpu.THREADS = 200, 8
game, rounds = sys.argv[1], int(sys.argv[2])
simulation = Sampling.of(find(game).variant(), "best", ["main"] if game == "blackjack" else None).simulation
device = gpu.Gpu(simulation)
assert (device.rounds(7, 3, rounds) == simulation.block(7, 3, rounds)).all(), game
"""

COMPILED = """
import re
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
from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.games.catalogue import find
from pairhouse.machines.simulate import gpu
dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=(9, 0))
nvrtc.get_supported_ccs, cuda_paths._get_nvrtc_path = lambda: [(9, 0)], lambda: None  # a compiler of C++: not needed
whole = types.int64
row = lambda of_type: types.Array(of_type, 1, "C")
game, called = sys.argv[1], int(sys.argv[2])
simulation = Sampling.of(find(game).variant(), "best", ["main"] if game == "blackjack" else None).simulation
tables = types.Tuple(tuple(row(types.int64 if t.itemsize == 8 else types.uint8) for t in simulation.tables))
shape = types.void(*[whole] * 4, row(whole), tables, whole, row(types.int32), row(whole), row(whole))
ptx, _ = cuda.compile(gpu.linked_kernel(simulation), shape, cc=(9, 0), output="ptx", device=False, abi="numba")
assert ".target sm_90" in ptx
functions = set(re.findall(r"call\\S*\\s+\\(\\w+\\),\\s+(\\w+)", ptx))
assert len(functions) == called, f"not laid into the loop: {functions}"
assert all("further" in function for function in functions)
"""


def run(code: str, *words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "ignore", "-c", code, *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, **environment}
    )


@pytest.mark.parametrize(
    ("game", "rounds"),
    [
        ("nepal-super-baccarat", 300),
        pytest.param("three-card-poker", 40, marks=pytest.mark.slow),
        pytest.param("blackjack", 60, marks=pytest.mark.slow),
    ],
)
def test_the_kernel_gives_the_tally_of_the_cpu(game: str, rounds: int) -> None:
    """Run by numba's simulator of a GPU, thread by thread in plain Python."""
    done = run(SIMULATED, game, rounds, NUMBA_ENABLE_CUDASIM="1")
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize(
    ("game", "called"), [("nepal-super-baccarat", 0), pytest.param("blackjack", 1, marks=pytest.mark.slow)]
)
def test_the_kernel_compiles_for_a_gpu(game: str, called: int) -> None:
    """To PTX, with every rule laid into one loop; this needs NVIDIA's compiler, which `make test` installs on Linux, but no
    GPU."""
    done = run(COMPILED, game, called)
    if done.returncode == 3:
        pytest.skip(f"NVIDIA's compiler is not installed; it is to be had for Linux only: {done.stdout.strip()}")
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize(("decks", "jokers"), [(8, 0), (1, 0), (1, 2)])
def test_piles_hold_the_cards_that_a_cpu_deals(monkeypatch: pytest.MonkeyPatch, decks: int, jokers: int) -> None:
    """Pile after pile, in plain Python, against the positions that the CPU finds in the same bits."""
    local = SimpleNamespace(array=np.zeros)
    monkeypatch.setattr(gpu_deal, "cuda", SimpleNamespace(local=local))
    monkeypatch.setattr(gpu_deal, "stay_apart", lambda: None)
    faces = 52 + jokers
    shoe = ShoeShape(decks * faces, faces, 6)
    deals = gpu_deal.dealing(shoe, lambda function: function)
    for number in range(400):
        positions = np.zeros(ROUND_CARDS_MAX, np.uint16)
        deal_more(Stream(11, 12, 5), shoe.size, number, 0, 0, 0, 18, positions)
        want = [int(position) % faces for position in positions[:18]]
        which = gpu_deal.Round(*(np.uint32(word) for word in (number, 5, 11, 12)))
        ahead = int(deals.ahead(which))
        assert [ahead >> gpu_deal.CARD_BITS * k & gpu_deal.CARD_MASK for k in range(6)] == want[:6]
        piles = [deals.first(which), *(deals.further(which, group) for group in range(1, 4))]
        dealt = [card for pile in piles for card in cards_on(pile)]
        assert dealt[:18] == want[: len(dealt)]
        assert len(dealt) >= 12


def cards_on(pile: int) -> list[int]:
    """From the top."""
    cards = []
    while pile > gpu_deal.END:
        cards.append(int(pile) & gpu_deal.CARD_MASK)
        pile >>= gpu_deal.CARD_BITS
    return cards


def test_without_a_gpu_a_sentence_says_so() -> None:
    words = ["simulate", "la-paire", "--device", "cuda", "--rounds", "1000"]
    done = pairhouse(*words)
    if done.returncode == 0:
        pytest.skip("there is a GPU here")
    assert "GPU" in done.stderr
    assert "Traceback" not in done.stderr
