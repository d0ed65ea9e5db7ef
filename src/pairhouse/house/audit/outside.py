"""What an audit holds the books to from outside: the public key of the house, and heads that were kept elsewhere."""

from collections.abc import Sequence
from pathlib import Path

from pairhouse.core.errors import Refused, shown
from pairhouse.house.audit.log_checks import Outside
from pairhouse.house.seal.anchors import read_anchor_file
from pairhouse.house.seal.heads import SignedHead, read_head
from pairhouse.house.sealing_key import SealOptions, anchor_files, find_public_key
from pairhouse.house.store.database import Database


def read_outside(database: Database, options: SealOptions, public_key: str | None, since: Sequence[str]) -> Outside:
    """The public key, and all heads in the anchor files and in `since`. Read them before the books: those go on."""
    heads: list[SignedHead] = []
    for file in anchor_files(database, options):
        if file.exists():
            heads += read_anchor_file(file)
    for given in since:
        heads += _heads_in(given)
    return Outside(find_public_key(database, options, public_key), heads)


def _heads_in(given: str) -> list[SignedHead]:
    """Heads from a file, or from the text of one."""
    if "\n" in given:
        return [read_head(given if given.endswith("\n") else given + "\n")]
    path = Path(given)
    if not path.exists():
        raise Refused("bad-anchor", f"there is no file {shown(given)}; give a file with heads, or the text of one")
    return read_anchor_file(path)
