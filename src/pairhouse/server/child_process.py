"""`python -m pairhouse.server.child_process ...`: a command of ours that ends when the process that asked for it ends.

Its standard input is a pipe whose other end only that process holds. Nothing is ever written to it; the system closes
it when the process ends, however it ends, and then nobody waits for the answer any more.
"""

import os
import runpy
import sys
import threading

ALONE = 3  # the exit status of a command whose asker is gone


def _end_with_asker() -> None:
    # Read from the descriptor: the buffered reader of standard input is closed at the end of a normal run.
    while os.read(0, 4096):
        pass
    os._exit(ALONE)


def main() -> None:
    """Run the command given, behind all other work, for as long as somebody waits for it."""
    if hasattr(os, "nice"):
        os.nice(10)
    threading.Thread(target=_end_with_asker, name="asker", daemon=True).start()
    sys.argv[0] = "pairhouse"
    runpy.run_module("pairhouse", run_name="__main__")


if __name__ == "__main__":
    main()
