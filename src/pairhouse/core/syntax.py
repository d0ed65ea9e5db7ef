"""Python source as syntax: what could change a result is in it; comments, docstrings and layout are not."""

import ast
from functools import lru_cache
from typing import Any

tree_of = lru_cache(maxsize=256)(ast.parse)


def syntax_text(source: str) -> str:
    """The syntax of some source as text: its tree without docstrings, places and empty fields."""
    words: list[str] = []
    _write(tree_of(source), words)
    return " ".join(words)


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
