"""Optional parts of the package: what is missing is said in a sentence that names how to get it."""

import sys
from importlib.util import find_spec

from pairhouse.core.errors import Refused

# extra -> packages that show whether it is installed
PACKAGES = {"fast": ("numba", "numpy"), "server": ("sqlalchemy", "litestar", "uvicorn", "argon2", "cryptography")}


def need(extra: str, what: str) -> None:
    """Refuse where the packages of an extra are not installed; `what` begins the sentence, as in `prices need`."""
    for package in PACKAGES[extra]:
        if not _is_installed(package):
            raise Refused("missing-extra", f"{what} `pip install pairhouse[{extra}]`; {package} is not installed here")


def _is_installed(package: str) -> bool:
    if package in sys.modules:
        return True
    try:
        return find_spec(package) is not None
    except ImportError:
        return False
