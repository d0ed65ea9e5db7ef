"""Run the application: one process, stopped gracefully by SIGTERM or Ctrl-C."""

import gc
import logging
import socket
import sys
from collections.abc import Sequence

import msgspec
import uvicorn

from pairhouse.casino.house import House
from pairhouse.casino.store.database import StoreFailed
from pairhouse.core.errors import Refused
from pairhouse.server.app import build
from pairhouse.server.operators import Operators, read_settings
from pairhouse.server.stopping import PoliteServer
from pairhouse.server.throttle import Throttle

KEEP_ALIVE_S = 75  # longer than proxies keep a connection, so that they never write to one that is just being closed
_FIELDS = logging.LogRecord("", 0, "", 0, "", None, None).__dict__.keys() | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}


class Lines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": self.formatTime(record),
            "level": record.levelname,
            "what": record.getMessage(),
            "of": record.name,
        }
        line |= {name: str(value) for name, value in record.__dict__.items() if name not in _FIELDS}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


class Words(logging.Formatter):
    """For somebody who watches: the line, and what belongs to it."""

    def format(self, record: logging.LogRecord) -> str:
        more = [f"{name}={value}" for name, value in record.__dict__.items() if name not in _FIELDS]
        return " ".join([super().format(record), *more])


def settle_memory() -> None:
    """What was loaded stays for good: looking through it for refuse again and again made some answers late."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def open_books(url: str | None) -> House:
    """The house over a database, or one sentence that says why it cannot be opened."""
    try:
        return House(url)
    except StoreFailed as failed:
        raise Refused("bad-database", str(failed).partition("\n")[0].rstrip(".")) from None


def run(
    url: str | None, host: str, port: int, *, is_secure: bool, is_throttled: bool, wallets: Sequence[str] = ()
) -> None:
    """Listen first, so that a port in use is told before anything else happens."""
    is_person = sys.stderr.isatty()
    handler = logging.StreamHandler()
    handler.setFormatter(Words("%(levelname)s %(message)s") if is_person else Lines())
    logging.basicConfig(level=logging.WARNING if is_person else logging.INFO, handlers=[handler], force=True)
    for library in ("alembic", "uvicorn"):
        logging.getLogger(library).setLevel(logging.WARNING)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # calls to wallets are told by our own lines
    operators = Operators(read_settings(wallets))
    try:
        listener = socket.create_server((host, port), reuse_port=False, backlog=2048)
    except OSError as error:
        raise Refused(
            "bad-port", f"{host}:{port} cannot be listened on: {error.strerror}; give another --port"
        ) from None
    house = open_books(url)
    where = house.database.url.render_as_string(hide_password=True)
    logging.getLogger("pairhouse").info("open", extra={"address": f"http://{host}:{port}", "books": where})
    if is_person:
        sys.stderr.write(f"Pairhouse is open at http://{host}:{port}  (play money; Ctrl-C closes it)\nBooks: {where}\n")
    limits = None if is_throttled else Throttle({})
    app = build(house=house, is_secure=is_secure, throttle=limits, operators=operators)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="on",
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=10,
    )
    settle_memory()
    PoliteServer(config).run(sockets=[listener])
