"""Run `pairhouse` commands as processes of their own, without loading the program anew for each.

A server process loads the program once and forks for every command: the arguments, the standard files, the working
directory, the environment and the exit status are those of a real process. What is saved is the second that Python
needs to import the compiler. Commands that need a terminal, signals or a fresh interpreter start one themselves.
"""

import atexit
import contextlib
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NoReturn

REQUEST_MAX = 1 << 20


def pairhouse(
    *words: str, given: str = "", timeout: float = 120, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """What `pairhouse WORDS` answers."""
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        stdin.write(given.encode())
        stdin.seek(0)
        request = json.dumps({"words": words, "env": {**os.environ, **(env or {})}, "folder": str(Path.cwd())})
        server = command_server()
        server.settimeout(timeout)
        files = [stdin.fileno(), stdout.fileno(), stderr.fileno()]
        socket.send_fds(server, [request.encode()], files)
        try:
            status = int(server.recv(64))
        except TimeoutError:
            command_server.cache_clear()
            raise subprocess.TimeoutExpired(["pairhouse", *words], timeout) from None
        stdout.seek(0)
        stderr.seek(0)
        return subprocess.CompletedProcess(words, status, stdout.read().decode(), stderr.read().decode())


@cache
def command_server() -> socket.socket:
    """The connection to the server that forks; it ends with this process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, __file__, str(theirs.fileno())]
    server = subprocess.Popen(command, pass_fds=[theirs.fileno()], start_new_session=True)
    theirs.close()

    def stop() -> None:
        ours.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()

    atexit.register(stop)
    return ours


def serve(connection: socket.socket) -> None:
    """Fork for every command that is asked for, one at a time, and answer with its exit status."""
    commands = import_module("pairhouse.cli.command_group").COMMANDS.values()
    for module in (
        "numba",
        "numpy",
        "rich.console",
        "pairhouse.cli.main",
        "pairhouse.house.audit",
        "pairhouse.server.run",
        *{f"pairhouse.cli.{place.partition(':')[0]}" for place in commands},
    ):
        import_module(module)
    gc.freeze()  # the processes that fork from this one need not look through what it has loaded
    while True:
        request, files, _, _ = socket.recv_fds(connection, REQUEST_MAX, 3)
        if not request:
            return
        child = os.fork()
        if child == 0:
            connection.close()
            run(json.loads(request), files)
        for file in files:
            os.close(file)
        _, status = os.waitpid(child, 0)
        connection.send(str(os.waitstatus_to_exitcode(status)).encode())


def run(request: dict[str, object], files: list[int]) -> NoReturn:
    """In the forked process: the command, with the files, environment and folder of who asked."""
    for number, file in enumerate(files):
        os.dup2(file, number)
    status = 1
    try:
        os.environ.clear()
        os.environ.update(request["env"])  # type: ignore[call-overload]
        os.chdir(str(request["folder"]))
        sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
        sys.argv = ["pairhouse", *request["words"]]  # type: ignore[misc]
        import_module("pairhouse.cli.main").main()
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
