"""The same blocks on a real cluster of two worker processes, one of which is killed in mid-run."""

import os
import signal

import pytest
from distributed import LocalCluster

from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find
from pairhouse.machines.simulate.cluster import cluster_workers
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
