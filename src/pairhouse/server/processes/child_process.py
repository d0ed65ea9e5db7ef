"""`python -m pairhouse.server.processes.child_process ...`: a command of ours that ends when its parent ends.

Its standard input is a pipe whose other end only the parent holds. Nothing is ever written to it; the system closes it
when the parent ends, however it ends, and then nobody waits for the answer any more.
"""

import os
import runpy
import sys
import threading

from pairhouse.server.processes.resource_limits import limit_memory

MEMORY_MAX_BYTES = 2 << 30
PARENT_GONE = 3  # the exit status of a command whose parent has ended


def _end_with_parent() -> None:
    # Read from the descriptor: the buffered reader of standard input is closed at the end of a normal run.
    while os.read(0, 4096):
        pass
    os._exit(PARENT_GONE)


def main() -> None:
    """Run the command given, at low priority and within a limit on memory, for as long as somebody waits for it."""
    if hasattr(os, "nice"):
        os.nice(10)
    limit_memory(MEMORY_MAX_BYTES)
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    sys.argv[0] = "pairhouse"
    runpy.run_module("pairhouse", run_name="__main__")


if __name__ == "__main__":
    main()
