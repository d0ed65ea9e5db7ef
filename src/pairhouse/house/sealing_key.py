"""Where the sealing key and the anchors of a house are: given by options or the environment, or files beside the books.

For an SQLite file `house.db` the key is `house.db.seal`; for a PostgreSQL database it is NAME.seal in the data folder.
The heads of the log are written to the file of that name with `.heads` at its end, unless other anchors are given.
"""

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pairhouse.core.errors import Refused, shown
from pairhouse.core.places import data_root
from pairhouse.house.seal.anchors import (
    Anchor,
    FileAnchor,
    HttpAnchor,
    OutputAnchor,
    ProveGrowth,
    WitnessAnchor,
)
from pairhouse.house.seal.heads import SignedHead, WitnessKey
from pairhouse.house.seal.keys import (
    KEY_BYTES,
    PrivateKey,
    Signer,
    SigningProcess,
    fsync_folder,
    read_key,
    read_or_make_key,
)
from pairhouse.house.store.database import Database

KEY_VARIABLE, SIGNER_VARIABLE, ANCHORS_VARIABLE = "PAIRHOUSE_SEALING_KEY", "PAIRHOUSE_SIGNER", "PAIRHOUSE_ANCHORS"
ANCHOR_FORMS = "file:PATH, stdout, http://..., https://... or witness:NAME+ID+KEY@URL"


class SealOptions(NamedTuple):
    """What an operator says about sealing; whatever is left out has a default."""

    key_file: Path | None = None
    signer: str | None = None
    anchors: Sequence[str] = ()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "SealOptions":
        """The options for a command that takes none of its own."""
        key_file = environment.get(KEY_VARIABLE)
        anchors = environment.get(ANCHORS_VARIABLE, "").split()
        return cls(Path(key_file) if key_file else None, environment.get(SIGNER_VARIABLE) or None, anchors)


def key_file_of(database: Database, options: SealOptions) -> Path:
    """The file of the sealing key."""
    if options.key_file is not None:
        return options.key_file
    name = str(database.url.database)
    return Path(name + ".seal") if database.is_sqlite else data_root() / f"{Path(name).name}.seal"


def next_key_file(key_file: Path) -> Path:
    """Where the next sealing key waits until the books are under it."""
    return key_file.with_name(key_file.name + ".next")


def take_next_key(key_file: Path) -> Path:
    """Use the next key from now on; where the old one is kept. It can be cut off after either of its steps."""
    old = key_file.with_name(f"{key_file.name}.until-{datetime.now(UTC):%Y%m%dT%H%M%S}")
    if key_file.exists():
        key_file.rename(old)
    next_key_file(key_file).rename(key_file)
    fsync_folder(key_file.parent)
    return old


def waiting_key(database: Database, options: SealOptions, public_key: str | None) -> PrivateKey | None:
    """The key these books are under, if a change of keys was cut off after it was made and before it was taken."""
    if options.signer is not None or public_key is None:
        return None
    key_file = key_file_of(database, options)
    if not next_key_file(key_file).exists():
        return None
    waiting = read_key(next_key_file(key_file))
    if waiting.public_key.hex() != public_key:
        return None
    take_next_key(key_file)
    return waiting


def heads_file_of(database: Database, options: SealOptions) -> Path:
    """The file that heads are written to where no other anchor is given."""
    key_file = key_file_of(database, options)
    return key_file.with_name(key_file.name + ".heads")


def handovers_file_of(database: Database, options: SealOptions) -> Path:
    """The file with every head that changed the sealing key, to be published."""
    key_file = key_file_of(database, options)
    return key_file.with_name(key_file.name + ".handovers")


def note_handover(file: Path, signed: SignedHead) -> None:
    """Add a head that changed the sealing key to the file of all of them, once."""
    if file.exists() and signed.head.body.decode() in file.read_text(encoding="utf-8"):
        return
    with file.open("a", encoding="utf-8") as target:
        target.write(signed.text + "\n")


def find_signer(database: Database, options: SealOptions) -> Signer:
    """The sealing key: in a signing process, or in a file that is made on first use."""
    if options.signer is None:
        key_file = key_file_of(database, options)
        if not database.is_sqlite and options.key_file is None:
            key_file.parent.mkdir(parents=True, exist_ok=True)
        return read_or_make_key(key_file)
    if options.key_file is not None:
        raise Refused("bad-sealing-key", "a sealing key and a signer are given; give one of the two")
    try:
        command = shlex.split(options.signer)
    except ValueError:
        command = []
    if not command:
        raise Refused("bad-sealing-key", f"{shown(options.signer)} is no command; give a program and its arguments")
    return SigningProcess(command)


def find_public_key(database: Database, options: SealOptions, given: str | None = None) -> bytes:
    """The public half of the sealing key, for whoever checks the books; no key is made."""
    if given is not None:
        try:
            public_key = bytes.fromhex(given)
        except ValueError:
            public_key = b""
        if len(public_key) != KEY_BYTES:
            raise Refused("bad-key", f"{shown(given)} is no public key; give {2 * KEY_BYTES} hex digits")
        return public_key
    if options.signer is not None:
        signer = find_signer(database, options)
        assert isinstance(signer, SigningProcess)
        signer.close()
        return signer.public_key
    return read_key(key_file_of(database, options)).public_key


def anchor_files(database: Database, options: SealOptions) -> list[Path]:
    """The files among the anchors, in which heads can be looked up again."""
    named = [Path(text.partition(":")[2]) for text in options.anchors if text.startswith("file:")]
    return named if options.anchors else [heads_file_of(database, options)]


def find_anchors(database: Database, options: SealOptions, prove_growth: ProveGrowth) -> list[Anchor]:
    """The places that heads are written to."""
    if not options.anchors:
        return [FileAnchor(heads_file_of(database, options))]
    return [_anchor(text, prove_growth) for text in options.anchors]


def _anchor(text: str, prove_growth: ProveGrowth) -> Anchor:
    kind, _, rest = text.partition(":")
    if kind == "file" and rest:
        return FileAnchor(Path(rest))
    if text == "stdout":
        return OutputAnchor(sys.stdout)
    if kind in ("http", "https"):
        return HttpAnchor(text)
    if kind == "witness":
        key, at, url = rest.partition("@")
        if at:
            return WitnessAnchor(url, WitnessKey.read(key), prove_growth)
    raise Refused("bad-anchor", f"{shown(text)} is no anchor; give {ANCHOR_FORMS}")
