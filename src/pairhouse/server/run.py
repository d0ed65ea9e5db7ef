"""Run the house: the bookkeeper in this process, HTTP workers beside it; SIGTERM or Ctrl-C stops it gracefully."""

import asyncio
import ipaddress
import logging
import os
import re
import signal
import socket
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pairhouse.core.errors import Refused, shown
from pairhouse.games.catalogue import SOURCES
from pairhouse.house.care.policy import NO_POLICY, Policy, find_notice, find_policy
from pairhouse.house.floor import put_up
from pairhouse.house.house import House, round_ms_of
from pairhouse.house.sealing_key import SealOptions
from pairhouse.house.store.database import StoreFailed
from pairhouse.house.watch_log import OFF, check_watch
from pairhouse.server.bookkeeping.bookkeeper import Bookkeeper
from pairhouse.server.logs import set_up_logs
from pairhouse.server.processes.process_setup import freeze_gc, loop_factory
from pairhouse.server.processes.protocol import WorkerSettings
from pairhouse.server.processes.supervisor import STOP_LIMIT_S, Supervisor, Worker, start_worker
from pairhouse.server.wallets.operator_client import Operators, read_settings

STANDARD_ERROR = 2  # the last of the three file numbers that every process has
BACKLOG = 2048


class ServeOptions(NamedTuple):
    """What `pairhouse serve` was told."""

    url: str | None
    host: str
    port: int
    is_secure: bool = False
    is_throttled: bool = True
    wallets: Sequence[str] = ()
    workers: int | None = None
    trusted_proxies: Sequence[str] = ()
    allowed_hosts: Sequence[str] = ()
    games: Sequence[str] = ()  # ids of games from files, which were loaded at the command line
    sealing: SealOptions = SealOptions()
    policy: str = NO_POLICY.name
    notice: str | None = None
    help_line: str | None = None
    min_round_time: str | None = None
    watch: str = OFF


def worker_count(given: int | None) -> int:
    """As many HTTP workers as were asked for; else one for every two cores, up to four, and none for one core."""
    if os.name != "posix":
        if given:
            raise Refused("no-workers", "HTTP workers need a system that passes sockets on; give --workers 0")
        return 0
    if given is not None:
        return given
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(4, cores // 2)


def open_books(
    url: str | None,
    sealing: SealOptions | None = None,
    policy: Policy = NO_POLICY,
    round_ms_min: int | None = None,
    *,
    deals: bool = True,
) -> House:
    """The house over a database, or one sentence that says why it cannot be opened."""
    try:
        return House(url, sealing=sealing, policy=policy, round_ms_min=round_ms_min, deals=deals)
    except StoreFailed as failed:
        raise Refused("bad-database", str(failed).partition("\n")[0].rstrip(".")) from None


def read_proxies(given: Sequence[str]) -> list[str]:
    """Addresses and networks of proxies, from lists with commas."""
    found = [part.strip() for text in given for part in text.split(",")]
    for part in found:
        try:
            ipaddress.ip_network(part)
        except ValueError:
            accepted = "give IP addresses or networks, such as 127.0.0.1 or 10.0.0.0/8, with commas between them"
            raise Refused("bad-proxy", f"{shown(part)} is no address of a proxy; {accepted}") from None
    return found


def read_hosts(given: Sequence[str], bound: str) -> list[str] | None:
    """The names this house may be called by, from lists with commas; None for any (`*`).

    Addresses in figures and `localhost` need no mention, nor the name it listens on or that of this machine.
    """
    found = [part.strip() for text in given for part in text.split(",")]
    if "*" in found:
        return None
    for part in found:
        if not re.fullmatch(r"[A-Za-z\d._-]{1,253}", part, re.ASCII):
            accepted = "give names such as casino.example, with commas between them, or * for any"
            raise Refused("bad-host", f"{shown(part)} is no name of a host; {accepted}")
    return [*found, bound, socket.gethostname()]


def fill_standard_files() -> None:
    """Open nothing for input, output and errors that are closed: their numbers cannot be passed on to a worker."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= STANDARD_ERROR:
        pass
    os.close(opened)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, or a sentence that says why there is none."""
    try:
        return socket.create_server((host, port), reuse_port=False, backlog=BACKLOG)
    except OSError as error:
        reason = str(error.strerror).partition(" (while")[0]  # what follows names the address once more
        raise Refused(
            "bad-port", f"{host}:{port} cannot be listened on: {reason}; give another --host or --port"
        ) from None


def run(options: ServeOptions) -> None:
    """Listen first, so that a port in use is told before anything else happens."""
    fill_standard_files()
    is_person = set_up_logs()
    operators = Operators(read_settings(options.wallets))
    proxies = read_proxies(options.trusted_proxies)
    hosts = read_hosts(options.allowed_hosts, options.host)
    policy, notice = find_policy(options.policy), find_notice(options.notice, options.help_line)
    round_ms_min, watch = round_ms_of(options.min_round_time), check_watch(options.watch)
    count = worker_count(options.workers)
    listener = listen(options.host, options.port)
    with tempfile.TemporaryDirectory(prefix="pairhouse-metrics-") as folder:
        workers = [start_worker(Path(folder)) for _ in range(count)]
        try:
            house = open_books(options.url, options.sealing, policy, round_ms_min)
            for game in options.games:
                house.do(partial(put_up, game_id=game))
            _announce(house, options, is_person)
            url = house.database.url.render_as_string(hide_password=False)
            sealing_key, epoch = house.log.key.public_key.hex(), house.log.epoch
            settings = WorkerSettings(
                url, options.is_secure, options.is_throttled, proxies, hosts, policy, notice, sealing_key, epoch
            )
            if workers:
                _run_with_workers(house, listener, operators, settings, workers, Path(folder), watch)
            else:
                _run_alone(house, listener, operators, settings, watch)
        finally:
            for worker in workers:  # they have ended, unless the house could not be opened
                worker.process.kill()
                worker.process.wait()


def _run_with_workers(
    house: House,
    listener: socket.socket,
    operators: Operators,
    settings: WorkerSettings,
    workers: Sequence[Worker],
    metrics_folder: Path,
    watch: str,
) -> None:
    freeze_gc()
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        keeper = Bookkeeper(house, operators=operators, worker_settings=settings, watch=watch)
        runner.run(_serve(keeper, listener, workers, metrics_folder))


def _run_alone(
    house: House, listener: socket.socket, operators: Operators, settings: WorkerSettings, watch: str
) -> None:
    from pairhouse.server.processes.one_process import serve_alone  # noqa: PLC0415 (workers load the framework, this may not)

    serve_alone(house, listener, operators, settings, watch)


def _announce(house: House, options: ServeOptions, is_person: bool) -> None:
    where = house.database.url.render_as_string(hide_password=True)
    address = f"http://{options.host}:{options.port}"
    logging.getLogger("pairhouse").info("open", extra={"address": address, "books": where})
    if is_person:
        sys.stderr.write(f"Pairhouse is open at {address}  (play money; Ctrl-C closes it)\nBooks: {where}\n")
    for game in options.games:
        source = SOURCES.get(game, game)
        logging.getLogger("pairhouse").info("code was run", extra={"game": game, "source": source})
        if is_person:
            sys.stderr.write(f"{game}: {address}/#/table/{game}, whose code was run from {source}\n")


async def _serve(keeper: Bookkeeper, listener: socket.socket, workers: Sequence[Worker], folder: Path) -> None:
    """Do the workers' commands; when told to stop, stop the workers, then close the books."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for word in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(word, stop.set)
    keeper.start_jobs()
    supervisor = Supervisor(keeper, listener, folder)
    running, stopping = asyncio.create_task(supervisor.run(workers)), asyncio.create_task(stop.wait())
    await asyncio.wait((running, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    supervisor.stop()
    loop.add_signal_handler(signal.SIGINT, supervisor.kill)  # who asks a second time will not wait
    await asyncio.wait((running,), timeout=STOP_LIMIT_S)
    supervisor.kill()
    await asyncio.wait((running,))
    await keeper.close()
    await running  # raises what kept it from running, now that the books are closed
