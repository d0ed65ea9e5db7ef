"""Write the lock files: every dependency with its version and hashes, and no download address."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = tomllib.loads((HERE.parent / "pyproject.toml").read_text())
HEADER = "# Written by `make lock`: names, versions and hashes, no addresses.\n"


def expanded(wanted: list[str]) -> list[str]:
    """Requirements in which our own extras (`pairhouse[fast]`) are replaced by what is in them."""
    found: list[str] = []
    for line in wanted:
        ours = re.fullmatch(r"pairhouse\[([a-z]+)\]", line)
        found += expanded(PROJECT["project"]["optional-dependencies"][ours[1]]) if ours else [line]
    return found


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
    # hatchling builds the package itself, so both locks hold it. A GPU's own libraries are large and stay out of them.
    core, build = PROJECT["project"]["dependencies"], PROJECT["build-system"]["requires"]
    extras = [f"pairhouse[{name}]" for name in PROJECT["project"]["optional-dependencies"] if name != "gpu"]
    groups = PROJECT["dependency-groups"]
    everything = expanded([*core, *extras, *build, *groups["dev"]])
    dev = lock("dev", everything)
    lock("mutate", [*everything, *groups["mutate"]], within=dev)  # in an environment of its own
    lock("play", expanded([*core, "pairhouse[server]", *build]), within=dev)
