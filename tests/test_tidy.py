"""The style is a test: rules and citations match, files and functions stay readable, locks hold no address."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from pairhouse.games.catalogue import GAMES
from pairhouse.rounds.rulebook import numbered_rules, read_book

ROOT = Path(__file__).parents[1]
CITATION = re.compile(r"\[([A-Z0-9]+-\d+)\]")
SOURCES = sorted((ROOT / "src").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def cited_in(files: list[Path]) -> set[str]:
    return {number for file in files for number in CITATION.findall(file.read_text())}


@pytest.mark.parametrize("game", list(GAMES))
def test_every_rule_is_cited_by_code_and_by_a_test(game: str) -> None:
    numbers = [rule.id for rule in numbered_rules(read_book(game))]
    prefix = GAMES[game].cites
    assert numbers == [f"{prefix}-{n}" for n in range(1, len(numbers) + 1)]
    assert set(numbers) - cited_in(SOURCES) == set(), "cited by no rule code"
    assert set(numbers) - cited_in(TESTS) == set(), "cited by no test"


def test_no_citation_leads_nowhere() -> None:
    known = {rule.id for game in GAMES for rule in numbered_rules(read_book(game))}
    assert cited_in(SOURCES) | cited_in(TESTS) <= known


def test_every_ruling_stands_in_a_book() -> None:
    books = "".join(read_book(game) for game in GAMES)
    assert {int(n) for n in re.findall(r"\(ruling (\d+)\)", books)} == {*range(1, 45)}


@pytest.mark.parametrize("file", SOURCES + TESTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_files_and_functions_stay_readable(file: Path) -> None:
    text = file.read_text()
    assert text.count("\n") <= 450, "two jobs in one file?"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, f"{node.name} does not fit a screen"


def test_every_rule_function_says_what_the_book_says() -> None:
    for file in (ROOT / "src/pairhouse/games").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef) and node.decorator_list:
                assert ast.get_docstring(node), f"{file.name}: {node.name} has no docstring"


# Everything else takes any game: it asks the catalogue for games and `method_of` for their mathematics.
ROOMS_OF_GAMES = (
    "games",
    "analysis/methods",
    "analysis/blackjack",
    "analysis/three_card",
    "analysis/second_derivation",
)
# Words of the games that mean something else elsewhere, or are options that any game may have.
ORDINARY = {"player", "play", "hit", "split", "double", "red", "fold", "decks", "cut_card", "paytable"}
NAMES_CHOICES = {  # colours by the name of a choice; counts by the bets they were published for
    "cli/solve.py",
    "analysis/protect/published_counts.py",
}
FOR_EVERYBODY = {
    "pairhouse.games.catalogue",
    "pairhouse.games.floor_plan",
    "pairhouse.analysis.methods.counted",
    "pairhouse.analysis.methods.method",
    "pairhouse.analysis.methods.records",
    "pairhouse.analysis.methods.registry",
    "pairhouse.analysis.second_derivation",
}


def modules_imported(tree: ast.Module) -> set[str]:
    """Every module of ours that a file imports, by whatever form."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {name for name in inner if (ROOT / "src" / f"{name.replace('.', '/')}.py").exists()}
            found |= modules or {node.module}
    return found


def in_a_room(module: str) -> bool:
    return any(module.startswith(f"pairhouse.{room.replace('/', '.')}") for room in ROOMS_OF_GAMES)


@cache
def words_of_games() -> set[str]:
    """The names of choices, wagers and options that no other part of the house has a use for."""
    words = set[str]()
    for game in GAMES.values():
        words |= {*(action.name for action in game.actions), *(option.name for option in game.options)}
        words |= {*game.variant().wagers}
    return words - ORDINARY


def knows_a_game(file: Path) -> list[str]:
    """What shows that a file knows one game from another."""
    tree = ast.parse(file.read_text())
    found = [name for name in modules_imported(tree) if in_a_room(name) and name not in FOR_EVERYBODY]
    ids = {*GAMES, *(game.cites for game in GAMES.values()), *words_of_games()}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in ids:
            found.append(repr(node.value))
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            found += [ast.unparse(node) for side in sides if isinstance(side, ast.Attribute) and side.attr == "play"]
    return found


def test_only_the_rooms_of_games_know_which_game_it_is() -> None:
    package = ROOT / "src/pairhouse"
    outside = [file for file in SOURCES if not any(file.is_relative_to(package / room) for room in ROOMS_OF_GAMES)]
    assert len(outside) > 100
    outside = [file for file in outside if str(file.relative_to(package)) not in NAMES_CHOICES]
    found = {str(file.relative_to(package)): knows_a_game(file) for file in outside}
    assert {file: told for file, told in found.items() if told} == {}


@pytest.mark.parametrize(
    "line",
    [
        "from pairhouse.games import blackjack",
        "from pairhouse.games.three_card_poker import PLAY",
        "import pairhouse.games.la_paire",
        "from pairhouse.analysis.methods.baccarat import BaccaratMethod",
        "from pairhouse.analysis.blackjack.report import solution",
        'variant.game.id == "three-card-poker"',
        'READERS = {"la-paire": 1}',
        "variant.game.play is play",
        '"insurance" in options',
    ],
)
def test_whoever_knows_a_game_is_found(line: str, tmp_path: Path) -> None:
    (tmp_path / "file.py").write_text(f"{line}\n")
    assert knows_a_game(tmp_path / "file.py")


@pytest.mark.parametrize("lock", ["play", "dev"])
def test_locks_hold_versions_and_hashes_but_no_address(lock: str) -> None:
    text = (ROOT / f"requirements/{lock}.txt").read_text()
    assert "://" not in text
    pinned = Counter(re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE))
    assert {"msgspec", "numba", "numpy", "rich", "typer", "hatchling"} <= set(pinned)
    for requirement in re.split(r"\n(?=[a-z0-9])", text)[1:]:
        assert "--hash=sha256:" in requirement


def test_the_index_of_the_tests_names_every_helper_and_folder() -> None:
    index = (ROOT / "tests/README.md").read_text()
    helpers = [file.name for file in (ROOT / "tests").glob("*.py")]
    folders = [f"{file.name}/" for file in (ROOT / "tests").iterdir() if file.is_dir() and file.name != "__pycache__"]
    assert [name for name in sorted(helpers + folders) if f"`{name}`" not in index] == []
    for name in re.findall(r"`((?:[a-z]+/)?\w+\.py)`", index):
        places = (ROOT / "tests" / name, ROOT / "src/pairhouse" / name)
        found = any(place.exists() for place in places) or any((ROOT / "src/pairhouse").rglob(Path(name).name))
        assert found, f"tests/README.md names {name}, which does not exist"


def test_the_map_of_the_project_names_only_what_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    named = set(re.findall(r"`((?:[a-z_]+/)+[a-z_]*(?:\.py)?|[a-z_]+\.py)`", text))
    roots = [ROOT, ROOT / "src/pairhouse", *(ROOT / "src/pairhouse").iterdir()]
    missing = [name for name in sorted(named) if not any((root / name).exists() for root in roots)]
    assert missing == []
    rooms = {f"{room.name}/" for room in (ROOT / "src/pairhouse").iterdir() if (room / "__init__.py").exists()}
    assert rooms <= named, "a room is not on the map"
