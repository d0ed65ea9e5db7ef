"""A hash of the rule source: two rounds with the same hash were played under the same rules.

It covers the game's own module, the module that settles rounds, and every module these import that is ours or stands
beside the game, as syntax: a comment, a docstring or a line break may change without changing it, anything that could
change a result may not. It is the same under every version of Python that runs us. A game that was defined in an
interactive session has no source file; it is described by its functions (`session_rules.py`).
"""

import ast
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

from pairhouse.core.session_rules import Description, is_from_session, source_file
from pairhouse.core.syntax import syntax_text, tree_of

PACKAGE = __name__.partition(".")[0]
SETTLEMENT = "pairhouse.machines.replay"  # named, not imported: it is not ours to use here, but it moves the money
STANDARD_LIBRARY = Path(json.__file__).parents[1]


def fingerprint(module: str, options: Mapping[str, Any]) -> str:
    """SHA-256 over the rule source of a module and the options, as 64 hex digits."""
    return _with_options(_source_digest(module), options)


def session_fingerprint(game: Any, options: Mapping[str, Any]) -> str:
    """The same for a game that was defined in a session."""
    return _with_options(_description_digest(game), options)


def session_digest(function: Callable[..., Any]) -> str:
    """A hash of a rule that was defined in a session, with all it refers to now; empty for one in a source file."""
    return _description_digest(function).hex() if is_from_session(function) else ""


def rules_digest(function: Callable[..., Any], *others: Any) -> str:
    """A hash of a rule and all it refers to, whatever else its file holds: what a paytable pays does not change it."""
    own = function.__module__
    described = Description([function, *others], frozenset([own]))
    followed = frozenset(name for name in described.modules if name != own and _is_followed(name, own))
    return hashlib.sha256(described.digest.encode() + _text_digest(followed)).hexdigest()


def _with_options(source: bytes, options: Mapping[str, Any]) -> str:
    digest = hashlib.sha256(source)
    digest.update(json.dumps(dict(options), sort_keys=True).encode())
    return digest.hexdigest()


def _description_digest(thing: Any) -> bytes:
    described = Description(thing)
    digest = hashlib.sha256(described.digest.encode())
    digest.update(_text_digest(frozenset(name for name in described.modules if _is_followed(name, ""))))
    return digest.digest()


@lru_cache(maxsize=32)
def _source_digest(module: str) -> bytes:
    return _text_digest(frozenset([module]))


@lru_cache(maxsize=32)
def _text_digest(modules: frozenset[str]) -> bytes:
    """Over the source of modules, of what settles rounds, and of all these import."""
    digest = hashlib.sha256()
    for name in sorted(_with_imports(*modules, SETTLEMENT)):
        digest.update(f"{name}\n{_text_of(_source(name))}\n".encode())
    return digest.digest()


def _source(module: str) -> str:
    file = source_file(module)
    if file is None:
        raise LookupError(f"the source of {module} cannot be found, so its rules cannot be named")
    return file.read_text(encoding="utf-8")


def _with_imports(*modules: str) -> set[str]:
    """Modules and every module they import, directly or not, as far as imports are followed."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _imports(name, _source(name))
    return found


@lru_cache(maxsize=256)
def _imports(module: str, source: str) -> tuple[str, ...]:
    """The modules that the source of a module imports and that belong to the rules."""
    named: list[str] = []
    for node in ast.walk(tree_of(source)):
        if isinstance(node, ast.Import):
            named += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            origin = _origin(module, node)
            named += [origin, *(f"{origin}.{alias.name}" for alias in node.names)]
    return tuple(_followed(module, named))


def _origin(module: str, node: ast.ImportFrom) -> str:
    """The full name of the module that `from ... import` names."""
    if not node.level:
        return node.module or ""
    file = source_file(module)
    package = module if file is not None and file.name == "__init__.py" else module.rpartition(".")[0]
    return resolve_name("." * node.level + (node.module or ""), package)


def _followed(module: str, named: Iterable[str]) -> list[str]:
    return [name for name in named if _is_followed(name, module) and source_file(name) is not None]


def _is_followed(name: str, module: str) -> bool:
    """Ours are; those of a game's own package; and, for a game outside our package, any that are no library."""
    top, own = name.partition(".")[0], module.partition(".")[0]
    if top in (PACKAGE, own) or own == PACKAGE:
        return top in (PACKAGE, own)
    file = source_file(name)
    is_library = file is None or file.is_relative_to(STANDARD_LIBRARY) or "site-packages" in file.parts
    return not is_library


_text_of = lru_cache(maxsize=256)(syntax_text)


def forget_sources() -> None:
    """Read every source anew when it is asked for next: a file has changed."""
    for remembered in (_source_digest, _text_digest):
        remembered.cache_clear()
