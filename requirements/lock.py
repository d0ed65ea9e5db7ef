"""Write the lock files: every dependency with its version and hashes, and no download address."""

import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = tomllib.loads((HERE.parent / "pyproject.toml").read_text())
HEADER = "# Written by `make lock`: names, versions and hashes, no addresses.\n"


def lock(name: str, wanted: list[str], *, within: Path | None = None) -> Path:
    """Resolve for Python 3.11 and newer on every platform, within an earlier lock where one is given."""
    target = HERE / f"{name}.txt"
    command = [sys.executable, "-m", "uv", "pip", "compile", "-", "--quiet", "--universal", "--python-version", "3.11"]
    command += ["--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate"]
    if within is not None:
        command += ["--constraint", str(within)]
    done = subprocess.run(command, input="\n".join(wanted), text=True, capture_output=True, check=True)
    target.write_text(HEADER + done.stdout)
    return target


if __name__ == "__main__":
    # hatchling builds the package itself, so both locks hold it.
    needed = [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["server"]]
    play = lock("play", [*needed, *PROJECT["build-system"]["requires"]])
    lock("dev", [*needed, *PROJECT["dependency-groups"]["dev"]], within=play)
