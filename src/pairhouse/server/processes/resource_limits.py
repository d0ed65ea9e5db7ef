"""What the system may refuse a process of ours: memory beyond a limit, and open files beyond a number."""

import os
import sys
from contextlib import suppress

if sys.platform != "win32":
    import resource

FILES_WANTED = 65_536
YIELDING = 10  # a ninth of the processor time of whoever does not yield


def limit_memory(most_bytes: int) -> None:
    """Let this process hold so much and no more: what asks for more fails, and the machine stays whole."""
    if sys.platform == "win32":
        return
    # Not the address space: compilers and threads reserve much of it and use little.
    _, hardest = resource.getrlimit(resource.RLIMIT_DATA)
    most = most_bytes if hardest == resource.RLIM_INFINITY else min(most_bytes, hardest)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hardest))


def raise_file_limit() -> int:
    """Allow this process as many open files as it may have, up to what we need; how many it has now."""
    if sys.platform == "win32":
        return 512  # what the C library of Windows allows
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(FILES_WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    now = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return FILES_WANTED if now == resource.RLIM_INFINITY else now


def yield_processor() -> None:
    """Let others go first: this thread, and those it starts, take what the rest of the house leaves."""
    if sys.platform == "linux":  # elsewhere that would be said of the whole process
        os.nice(YIELDING)
