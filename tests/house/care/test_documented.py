"""docs/responsible-play.md names only tests and files that exist, and every field of a policy."""

import ast
import re
from pathlib import Path

from pairhouse.house.care.policy import Policy, find_policy, shipped_policies

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs/responsible-play.md").read_text()


def test_every_test_it_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)
    assert len(named) >= 20
    for file, name in named:
        tree = ast.parse((ROOT / file).read_text())
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, f"{file} has no {name}"


def test_every_file_it_names_exists() -> None:
    for name in re.findall(r"`((?:web|house|tests)/[\w/.]+)`", TEXT):
        assert (ROOT / name).exists() or (ROOT / "src/pairhouse" / name).exists(), name


def test_every_field_of_a_policy_is_told_with_its_value() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| .*? \| (.+? \| .+? \| .+?) \|", TEXT, re.MULTILINE))
    fields = [name for name in Policy.__struct_fields__ if name not in ("name", "title")]
    assert [name for name in rows if name in fields] == fields
    for number, name in enumerate(["none", "social", "uk"]):
        policy = find_policy(name)
        for field in fields:
            value = getattr(policy, field)
            told = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
            assert rows[field].split(" | ")[number] == told, (name, field)
    assert shipped_policies() == ["none", "social", "uk"]
