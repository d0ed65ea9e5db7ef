"""A hash of the rule source: two rounds with the same hash were played under the same rules.

It covers the game's own module and every module of ours that it imports, as tokens: a comment, a docstring or a line
break may change without changing it, anything that could change a result may not.
"""

import ast
import hashlib
import io
import json
import tokenize
from collections.abc import Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}


def fingerprint(module: str, options: Mapping[str, Any]) -> str:
    """SHA-256 over the rule source of a module and the options, as 64 hex digits."""
    digest = hashlib.sha256(_source_digest(module))
    digest.update(json.dumps(dict(options), sort_keys=True).encode())
    return digest.hexdigest()


@lru_cache(maxsize=32)
def _source_digest(module: str) -> bytes:
    digest = hashlib.sha256()
    for name in sorted(_with_imports(module)):
        digest.update(f"\n{name}\n".encode())
        digest.update(_tokens(name).encode())
    return digest.digest()


def _source(module: str) -> str:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise LookupError(f"the source of {module} cannot be found, so its rules cannot be named")
    return Path(spec.origin).read_text(encoding="utf-8")


def _with_imports(module: str) -> set[str]:
    """A module and every module of this package it imports, directly or not."""
    package = module.partition(".")[0] + "."
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        for node in ast.walk(ast.parse(_source(name))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(package):
                inner = [f"{node.module}.{alias.name}" for alias in node.names]
                waiting += [node.module, *(name for name in inner if _is_module(name))]
    return found


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _tokens(module: str) -> str:
    """The source without comments, layout and docstrings (a string that starts a line and stands alone)."""
    kept: list[str] = []
    line_starts = True
    for token in tokenize.generate_tokens(io.StringIO(_source(module)).readline):
        if token.type in _LAYOUT:
            line_starts = line_starts or token.type == tokenize.NEWLINE
            continue
        if not (line_starts and token.type == tokenize.STRING):
            kept.append(token.string)
        line_starts = False
    return " ".join(kept)
