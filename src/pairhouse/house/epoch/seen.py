"""What a house has seen of its books, kept in a folder outside the database.

`books.json` says which books they are, and their epoch. Beside it each chain in use has a file with the last event that
anybody was answered for. The file is written after every commit and before its answers, but it is not forced to the
disk: what a process has written outlives its `kill -9`, and whether the machine itself went down is told by the boot
id in it. A chain that was closed in order says so, and that is forced to the disk.
"""

import hashlib
import logging
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec
from sqlalchemy import URL

from pairhouse.core.errors import Refused
from pairhouse.core.places import data_root

if sys.platform != "win32":
    import fcntl

FOLDER_VARIABLE = "PAIRHOUSE_SEEN"
BOOKS_FILE = "books.json"
_CHAIN_ENDING = ".chain"
_BOOT_FILE = Path("/proc/sys/kernel/random/boot_id")
_OPEN, _CLOSED = "open", "closed"

log = logging.getLogger("pairhouse.epoch")


class SeenBooks(msgspec.Struct, frozen=True):
    """Which books a house has seen. `new_epoch`: why the next opening must begin a new epoch, if it must."""

    id: str
    epoch: int
    new_epoch: str = ""


class SeenChain(NamedTuple):
    """The last event of a chain that was answered for. `is_certain`: whether there was surely none after it."""

    chain: str
    number: int
    hash: str
    is_certain: bool


class SeenFolder:
    """The folder of one house. Processes may share it: each writes the files of its own chains only."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._files: dict[str, int] = {}  # of the chains of this process

    # Which books.

    def books(self) -> SeenBooks | None:
        """Which books were seen; None if none were."""
        try:
            return msgspec.json.decode((self.path / BOOKS_FILE).read_bytes(), type=SeenBooks)
        except FileNotFoundError:
            return None
        except msgspec.MsgspecError:
            sentence = f"{self.path / BOOKS_FILE} is damaged; remove {self.path} and tell which books these are"
            raise Refused("bad-seen", f"{sentence}, with `pairhouse epoch --new` or `--current`") from None
        except OSError as error:
            raise Refused("bad-seen", f"{self.path} cannot be read: {error.strerror}") from None

    def prepare(self) -> None:
        """Make the folder if it is not there; refused if nothing can be written to it."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.path):
                pass
        except OSError as error:
            raise self._cannot_write(error) from None

    def _cannot_write(self, error: OSError) -> Refused:
        sentence = f"{self.path}, where a house keeps how new its books are, cannot be written: {error.strerror}"
        return Refused("bad-seen", f"{sentence}; name another folder in {FOLDER_VARIABLE}")

    def remember(self, seen: SeenBooks) -> None:
        """Write down which books they are, on disk before this returns."""
        if self.books() == seen:
            return
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            new = self.path / f"{BOOKS_FILE}.{os.getpid()}"
            with new.open("wb") as file:
                file.write(msgspec.json.encode(seen) + b"\n")
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.path / BOOKS_FILE)
            self._sync_folder()
        except OSError as error:
            raise self._cannot_write(error) from None

    def declare(self, books_id: str, epoch: int, *, is_current: bool) -> None:
        """Somebody says that these books are the newest there are, or that they are a copy."""
        if is_current:
            self.forget(self.chains())
        known = self.books()
        if not is_current and known is not None and known.id == books_id:
            epoch = max(epoch, known.epoch)
        said = "" if is_current else "somebody said that these books are a copy"
        self.remember(SeenBooks(books_id, epoch, said))

    def remember_again(self, seen: SeenBooks | None) -> None:
        """Go back to what was written down before."""
        if seen is not None:
            self.remember(seen)
        else:
            (self.path / BOOKS_FILE).unlink(missing_ok=True)

    def _sync_folder(self) -> None:
        if sys.platform == "win32":
            return  # folders cannot be opened there
        handle = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    # The ends of chains.

    def chains(self) -> list[SeenChain]:
        """The last event seen of every chain, also of other processes."""
        try:
            found = [_read(path) for path in sorted(self.path.glob(f"*{_CHAIN_ENDING}"))]
        except OSError as error:
            raise Refused("bad-seen", f"{self.path} cannot be read: {error.strerror}") from None
        return [chain for chain in found if chain is not None]

    def note(self, chain: str, number: int, hashed: str) -> None:
        """Note the last event of a chain of this process."""
        file = self._files.get(chain)
        try:
            if file is None:
                self._files[chain] = self._new_file(chain, number, hashed)
            else:
                _overwrite(file, _line(number, hashed, _OPEN))
        except OSError as error:  # the commit stands, and its answers are due
            log.error("what was seen cannot be written", extra={"folder": str(self.path), "reason": error.strerror})

    def _new_file(self, chain: str, number: int, hashed: str) -> int:
        path = self.path / f"{chain}{_CHAIN_ENDING}"
        new = path.with_suffix(".new")  # nobody sees a file that is not complete, or not locked
        file = os.open(new, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        _lock(file)
        _overwrite(file, _line(number, hashed, _OPEN))
        os.fsync(file)
        new.replace(path)
        self._sync_folder()
        return file

    def leave(self, chain: str, number: int, hashed: str) -> None:
        """A chain of this process gets no more events."""
        file = self._files.pop(chain, None)
        if file is None:
            return
        try:
            _overwrite(file, _line(number, hashed, _CLOSED))
            os.fsync(file)
        except OSError as error:
            log.error("what was seen cannot be written", extra={"folder": str(self.path), "reason": error.strerror})
        finally:
            os.close(file)

    def forget(self, chains: list[SeenChain]) -> None:
        """Remove the files of chains that nobody uses: newer ones say as much."""
        for chain in chains:
            path = self.path / f"{chain.chain}{_CHAIN_ENDING}"
            if not _is_in_use(path):
                path.unlink(missing_ok=True)

    def replace(self, books: SeenBooks, chains: list[SeenChain]) -> None:
        """A new chain is open, which takes the place of these. Its commit stands, so a failure is only told."""
        try:
            self.remember(books)
            self.forget(chains)
        except (Refused, OSError) as error:
            log.error("what was seen cannot be written", extra={"folder": str(self.path), "reason": str(error)})

    def is_in_use(self) -> bool:
        """Whether a house on this machine has the books open."""
        return any(_is_in_use(path) for path in self.path.glob(f"*{_CHAIN_ENDING}"))


def folder_of(url: URL) -> Path:
    """Where a house keeps what it has seen of a database: in `PAIRHOUSE_SEEN`, else beside the file or in our data."""
    given = os.environ.get(FOLDER_VARIABLE)
    if given:
        return Path(given)
    if url.get_backend_name() == "sqlite":
        path = Path(str(url.database))
        return path.with_name(path.name + ".seen")
    address = f"{url.host or url.query.get('host')}:{url.port or url.query.get('port')}/{url.database}"
    return data_root() / "seen" / f"{url.database}-{hashlib.sha256(address.encode()).hexdigest()[:12]}"


def boot_id() -> str:
    """Which start of the machine this is; without an answer from the system, every start looks the same."""
    with suppress(OSError):
        return _BOOT_FILE.read_text().strip()
    return "unknown"


_BOOT = boot_id()


def _line(number: int, hashed: str, state: str) -> bytes:
    """Always equally long, so that one write replaces it whole."""
    return f"{number:020} {hashed} {_BOOT} {state:6}\n".encode()


def _overwrite(file: int, line: bytes) -> None:
    os.lseek(file, 0, os.SEEK_SET)
    os.write(file, line)


def _read(path: Path) -> SeenChain | None:
    """A chain's file, None if it has just been removed. One that was lost in a power cut tells nothing for certain."""
    try:
        text = path.read_text()
        while (again := path.read_text()) != text:  # its house is writing it
            text = again
    except FileNotFoundError:
        return None
    chain = path.name.removesuffix(_CHAIN_ENDING)
    try:
        number, hashed, boot, state = text.split()
        return SeenChain(chain, int(number), hashed, state == _CLOSED or boot == _BOOT)
    except ValueError:
        return SeenChain(chain, 0, "", False)


def _lock(file: int) -> bool:
    """Lock a file, which says that its chain is in use; False if another process has locked it."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_in_use(path: Path) -> bool:
    try:
        file = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return not _lock(file)
    finally:
        os.close(file)
