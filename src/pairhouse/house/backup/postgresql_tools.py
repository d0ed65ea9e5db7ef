"""PostgreSQL's own programs for backups, pg_dump and pg_restore."""

import os
import shutil
import subprocess
from collections.abc import Sequence

from sqlalchemy import URL

from pairhouse.core.errors import Refused


def run(program: str, url: URL, words: Sequence[str]) -> None:
    """Run one of the programs on a database; a refusal with what it says if it fails.

    The password is given by the environment: everybody on a machine can read the words of a command.
    """
    found = shutil.which(program)
    if found is None:
        sentence = f"a backup of PostgreSQL needs {program}, which is not installed"
        raise Refused("missing-program", f"{sentence}; Debian's package postgresql-client has it")
    address = url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    environment = {**os.environ, **({"PGPASSWORD": str(url.password)} if url.password else {})}
    done = subprocess.run(
        [found, f"--dbname={address}", "--no-password", *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = "; ".join(done.stderr.strip().splitlines()[:2])
        raise Refused("backup-failed", f"{program} ended with status {done.returncode}: {said}")
