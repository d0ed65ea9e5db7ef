"""A hash of the rule source: two rounds with the same hash were played under the same rules.

It covers the game's own module, the module that settles rounds, and every module of ours that these import, as syntax:
a comment, a docstring or a line break may change without changing it, anything that could change a result may not. It
is the same under every version of Python that runs us.
"""

import ast
import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

SETTLEMENT = "pairhouse.machines.replay"  # named, not imported: it is not ours to use here, but it moves the money


def fingerprint(module: str, options: Mapping[str, Any]) -> str:
    """SHA-256 over the rule source of a module and the options, as 64 hex digits."""
    digest = hashlib.sha256(_source_digest(module))
    digest.update(json.dumps(dict(options), sort_keys=True).encode())
    return digest.hexdigest()


@lru_cache(maxsize=32)
def _source_digest(module: str) -> bytes:
    digest = hashlib.sha256()
    for name in sorted(_with_imports(module, SETTLEMENT)):
        digest.update(f"{name}\n{_text_of(_source(name))}\n".encode())
    return digest.digest()


def _source(module: str) -> str:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise LookupError(f"the source of {module} cannot be found, so its rules cannot be named")
    return Path(spec.origin).read_text(encoding="utf-8")


def _with_imports(*modules: str) -> set[str]:
    """Modules and every module of this package they import, directly or not."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        waiting += _imports(name.partition(".")[0] + ".", _source(name))
    return found


@lru_cache(maxsize=256)
def _imports(package: str, source: str) -> tuple[str, ...]:
    """The modules of a package that a source file imports."""
    found: list[str] = []
    for node in ast.walk(_tree(source)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(package):
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            found += [node.module, *(name for name in inner if _is_module(name))]
    return tuple(found)


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def source_text(source: str) -> str:
    """The syntax of a source file as text: its tree without docstrings, places and empty fields."""
    words: list[str] = []
    _write(_tree(source), words)
    return " ".join(words)


_text_of = lru_cache(maxsize=256)(source_text)
_tree = lru_cache(maxsize=256)(ast.parse)


def _write(node: Any, words: list[str]) -> None:
    if isinstance(node, ast.AST):
        words.append(f"({type(node).__name__}")
        for name, value in ast.iter_fields(node):
            if value is not None and value != [] and name not in ("kind", "type_comment"):
                words.append(f"{name}=")
                _write(_without_docstring(node, value) if name == "body" else value, words)
        words.append(")")
    elif isinstance(node, list):
        for item in node:
            _write(item, words)
    else:
        words.append(repr(node))


def _without_docstring(node: ast.AST, body: Any) -> Any:
    documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    if not documented or not body or not isinstance(body[0], ast.Expr):
        return body
    first = body[0].value
    return body[1:] if isinstance(first, ast.Constant) and isinstance(first.value, str) else body
