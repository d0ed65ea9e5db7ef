"""No cache grows for ever: each has a size, or lives and dies with one call or one object."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "pairhouse"

# Caches without a size: "file:function they stand in" and why they cannot grow.
ALLOWED = {
    "analysis/blackjack/splits.py:_up_to_hands": "a few numbers, gone when the function returns",
    "analysis/blackjack/readings.py:bust_takes_side_bets": "550 pairs of values and an up card, gone when it returns",
    "analysis/three_card/counts.py:three_card": "the stories of one tally, gone when the function returns",
    "analysis/blackjack/exact_main.py:split": "how many hands a pair becomes, gone when the function returns",
    "analysis/blackjack/exact_main.py:split_value": "how many hands a pair becomes, gone when the function returns",
    "analysis/blackjack/exact.py:__init__": "the hands of one up card, gone with the object",
}


def name_of(node: ast.expr) -> str:
    """`cache` for `cache`, `functools.cache` and calls of them."""
    if isinstance(node, ast.Call):
        return name_of(node.func)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def has_no_size(node: ast.expr) -> bool:
    """Whether this makes a cache that keeps everything."""
    if name_of(node) == "cache":
        return True
    if name_of(node) != "lru_cache" or not isinstance(node, ast.Call):
        return False
    sizes = [*node.args[:1], *(word.value for word in node.keywords if word.arg == "maxsize")]
    return any(isinstance(size, ast.Constant) and size.value is None for size in sizes)


def unbounded(tree: ast.Module) -> tuple[set[str], set[str]]:
    """The functions that hold a cache without a size, and the methods that are cached with their object."""
    found: set[str] = set()
    methods: set[str] = set()

    def walk(node: ast.AST, inside: str, is_class: bool) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            cached = [one for one in node.decorator_list if name_of(one) in ("cache", "lru_cache")]
            if is_class and cached:
                methods.add(node.name)
            found.update(inside or node.name for one in cached if has_no_size(one))
            inside = node.name
            parts: list[ast.AST] = [*node.body]
        else:
            if isinstance(node, ast.Call) and has_no_size(node):
                found.add(inside)
            parts = [*ast.iter_child_nodes(node)]
        for part in parts:
            walk(part, inside, isinstance(node, ast.ClassDef))

    walk(tree, "", False)
    return found, methods


def test_every_cache_has_a_size() -> None:
    found = set()
    for path in SOURCE.rglob("*.py"):
        without, methods = unbounded(ast.parse(path.read_text()))
        assert not methods, f"{path}: {methods} keep every object they were ever called on; keep what is found on it"
        found |= {f"{path.relative_to(SOURCE).as_posix()}:{name}" for name in without}
    assert found == set(ALLOWED), "give these caches a size, or say why they cannot grow"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@cache\ndef f(): ...", ({"f"}, set())),
        ("@functools.lru_cache(None)\ndef f(): ...", ({"f"}, set())),
        ("@lru_cache(maxsize=None)\ndef f(): ...", ({"f"}, set())),
        ("@lru_cache(maxsize=8)\ndef f(): ...", (set(), set())),
        ("@lru_cache\ndef f(): ...", (set(), set())),
        ("def g():\n    @cache\n    def f(): ...", ({"g"}, set())),
        ("def g():\n    f = cache(h)", ({"g"}, set())),
        ("class C:\n    @lru_cache(maxsize=8)\n    def f(self): ...", (set(), {"f"})),
    ],
)
def test_it_finds_them(text: str, expected: tuple[set[str], set[str]]) -> None:
    assert unbounded(ast.parse(text)) == expected
