"""A run that was stopped, as a file: the sums over the shoes dealt so far, and what they belong to."""

import io
import json
import os
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from pairhouse.analysis.protect.followed_shoes import BLOCK, Following
from pairhouse.analysis.protect.round_sums import Totals
from pairhouse.core.errors import Refused


def belongs_to(following: Following, seed: int) -> dict[str, Any]:
    """What sums depend on: they may be added up only where all of it is the same."""
    return {
        "rules_hash": following.variant.rules_hash,
        "wagers": following.prices.wagers,
        "tags": {wager: dict(tags) for wager, tags in following.tags.items()},
        "cuts": list(following.cuts),
        "seats": following.seats,
        "seed": seed,
        "block": BLOCK,
    }


def save_run(file: Path, following: Following, seed: int, totals: Totals) -> None:
    """Write the file; it is there whole, or as it was before."""
    out = io.BytesIO()
    np.savez(out, about=np.array(json.dumps(belongs_to(following, seed))), **totals.arrays())
    beside = file.with_name(file.name + ".writing")
    try:
        beside.write_bytes(out.getvalue())
        os.replace(beside, file)
    except OSError as error:
        raise Refused("bad-file", f"{file} cannot be written: {error.strerror}") from None


def load_run(file: Path, following: Following, seed: int) -> Totals:
    """The sums of a run that was stopped; refused where they belong to something else."""
    try:
        with np.load(file, allow_pickle=False) as found:
            about = json.loads(str(found["about"]))
            totals = Totals(**{name: found[name] for name in Totals.empty(0, 0).arrays()})
    except FileNotFoundError:
        raise Refused("bad-file", f"{file} is not there; a run that was stopped is kept in it") from None
    except (OSError, ValueError, KeyError, BadZipFile):
        raise Refused("bad-file", f"{file} holds no run that was stopped") from None
    expected = json.loads(json.dumps(belongs_to(following, seed)))
    different = [name.replace("_", " ") for name in expected if about.get(name) != expected[name]]
    if different:
        raise Refused("bad-file", f"{file} belongs to another run; not the same: {', '.join(different)}")
    return totals
