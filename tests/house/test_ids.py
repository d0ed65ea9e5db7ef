"""Ids sort by time and are never given twice."""

import os
import subprocess
import sys
from pathlib import Path

from pairhouse.house.store.ids import first_id, new_id

SOURCE = Path(__file__).parents[2] / "src"
FORKED = """
import os
from pairhouse.house.store.ids import new_id

new_id(5)  # the parent now has random letters in store
child = os.fork()
ids = [new_id(5) for _ in range(100)]
if child:
    os.waitpid(child, 0)  # the child prints first
print(*ids, flush=True)
"""


def test_ids_sort_by_time_and_are_unique() -> None:
    ids = [new_id(now) for now in range(1_000, 1_200) for _ in range(3)]
    assert len(set(ids)) == len(ids)
    assert {len(one) for one in ids} == {26}
    assert [one[:10] for one in ids] == sorted(one[:10] for one in ids)
    assert all(one < first_id(1_100) for one in ids[:300])
    assert all(first_id(1_100) <= one for one in ids[300:])


def test_a_forked_process_does_not_repeat_the_ids_of_its_parent() -> None:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, check=True, env=environment)
    ids = done.stdout.split()
    assert len(ids) == len(set(ids)) == 200
