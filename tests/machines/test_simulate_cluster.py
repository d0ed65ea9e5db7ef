"""The same blocks on a real cluster of two worker processes, one of which is killed in mid-run."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from distributed import LocalCluster

from gallery_games import GALLERY
from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find, load
from pairhouse.machines.simulate.cluster import cluster_workers, run_remote
from pairhouse.machines.simulate.run import Progress, go_on, threads
from pairhouse.machines.simulate.simulation import BLOCK_ROUNDS

BLOCKS = 40


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_same_tally_though_a_worker_dies() -> None:
    sampling = Sampling.of(find("nepal-super-baccarat").variant())
    rounds = BLOCKS * BLOCK_ROUNDS + 999
    with threads(sampling.simulation, 2) as crew:
        alone = go_on(crew, sampling.begin(6), rounds).tally
    killed: list[int] = []
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        cluster_workers(sampling.recipe, cluster.scheduler_address, stride=3) as hired,
    ):
        assert hired.count == 2

        def kill_one(progress: Progress) -> bool:
            if progress.blocks == 3:
                pid = hired.client.run(os.getpid).popitem()[1]
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
            return False

        together = go_on(hired, sampling.begin(6), rounds, stop=kill_one).tally
    assert len(killed) == 1
    assert (together == alone).all()


def test_a_dead_address_is_answered_by_a_sentence() -> None:
    sampling = Sampling.of(find("la-paire").variant())
    with (
        pytest.raises(Refused, match="no scheduler answers at 'tcp://127"),
        cluster_workers(sampling.recipe, "tcp://127.0.0.1:9", connect_s=2),
    ):
        pass


def test_a_worker_loads_the_file_of_a_game_and_refuses_another_one(tmp_path: Path) -> None:
    """What a worker does with a recipe, in a process that has never seen the file; then under another hash."""
    file = tmp_path / "dragon_tiger_for_a_worker.py"
    file.write_text((GALLERY / "dragon_tiger.py").read_text())
    sampling = Sampling.of(load(str(file)).variant())
    alone = sampling.simulation.block(6, 0, 5000)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as worker:
        assert (worker.submit(run_remote, sampling.recipe, 6, 0, 5000).result() == alone).all()
        make, given = sampling.recipe
        other = make, (*given[:-1], "another hash")
        with pytest.raises(Refused, match="has other rules on a worker"):
            worker.submit(run_remote, other, 6, 0, 5000).result()
