"""The style is a test: rules and citations match, files and functions stay readable, locks hold no address."""

import ast
import itertools
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from pairhouse.games.catalogue import GAMES
from pairhouse.rounds.rulebook import numbered_rules, read_book

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src/pairhouse"
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
KNOWN_CARDS = {"hole_card"}  # what `protect` knows of a dealer's hand has it too
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
LOOKED_UP = {"get", "pop", "setdefault", "index", "count"}  # methods that look for what they are given
ONE_OF_THEM = re.compile(r"\b(choice|chosen|actions?(\[\d+\])?|wager)(\.name|\.id)?$")
LISTS_OF_CHOICES = re.compile(r"\b(options|choices|actions|legal|offered)\b")


def is_module(name: str) -> bool:
    place = ROOT / "src" / name.replace(".", "/")
    return place.is_dir() or place.with_suffix(".py").exists()


def modules_imported(tree: ast.Module) -> set[str]:
    """Every module of ours that a file imports, by whatever form; a relative import is told as it stands."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level:
            found.add(f"pairhouse.games ({ast.unparse(node)})")
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name for name in inner if is_module(name)} or {node.module}
    return found


def in_a_room(module: str) -> bool:
    return any(module.startswith(f"pairhouse.{room.replace('/', '.')}") for room in ROOMS_OF_GAMES)


@cache
def words_of_games() -> set[str]:
    """The names of choices, wagers, options and rules that no other part of the house has a use for."""
    words = set(fields_of_rules())
    for game in GAMES.values():
        words |= {*(action.name for action in game.actions), *(option.name for option in game.options)}
        words |= {*game.variant().wagers}
    return words - ORDINARY


@cache
def groups_of_wagers() -> set[str]:
    """What the names of a game's wagers begin with: `card-`, `tie-on-`."""
    parts = [name.split("-") for game in GAMES.values() for name in game.variant().wagers]
    return {"-".join(words[:most]) + "-" for words in parts for most in range(1, len(words))}


@cache
def choices_of_games() -> set[str]:
    return {action.name for game in GAMES.values() for action in game.actions}


@cache
def words_told_apart() -> set[str]:
    """Names of choices and wagers, the ordinary ones too: compared with one of them, they tell a game."""
    return choices_of_games() | {name for game in GAMES.values() for name in game.variant().wagers}


@cache
def fields_of_rules() -> set[str]:
    """What only the rules of some game have."""
    return {field for game in GAMES.values() for field in getattr(game.variant().rules, "_fields", ())}


@cache
def names_of_games() -> re.Pattern[str]:
    """Any name of a game, or as much of it as tells it from others: `three card`, `baccarat`, `TCP-5`."""
    parts = set[str]()
    for game in GAMES.values():
        for name in (game.id, game.name, game.module.rpartition(".")[2]):
            words = re.findall(r"[\w']+", name.lower().replace("_", " "))
            parts |= {"[^a-z]?".join(two) for two in itertools.pairwise(words)}
            parts |= {word for word in words if len(word) >= len("baccarat")} - {"standard"}
    cites = "|".join(sorted({game.cites for game in GAMES.values()}))
    return re.compile(rf"(?i:{'|'.join(sorted(parts))})|\b(?:{cites})\b")


def texts_read(tree: ast.Module) -> set[str]:
    """The texts of a file that are no docstrings."""
    docstrings = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, HAS_DOCSTRING)}
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return texts - docstrings


def names_used(tree: ast.Module) -> set[str]:
    """Names of values and their parts: `BlackjackMethod`, `methods.la_paire`."""
    plain = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return plain | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


HAS_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def is_play(node: ast.AST) -> bool:
    """`game.play`, or what follows from it: `game.play.__name__`."""
    while isinstance(node, ast.Attribute):
        if node.attr == "play":
            return True
        node = node.value
    return False


def of(node: ast.Attribute) -> str | None:
    """The last name before an attribute: `game` in `variant.game.id`."""
    return getattr(node.value, "attr", getattr(node.value, "id", None))


def is_id(node: ast.AST) -> bool:
    """`game.id`, `variant.game.module`."""
    return isinstance(node, ast.Attribute) and node.attr in ("id", "name", "cites", "module") and of(node) == "game"


def is_first_of(node: ast.AST) -> bool:
    """`list(GAMES)[0]`, `next(iter(GAMES))`, `game.id[:2]`: a place in the catalogue, or a part of a name."""
    if isinstance(node, ast.Subscript):
        by_place = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)
        return is_id(node.value) or (by_place and "GAMES" in ast.unparse(node.value))
    return isinstance(node, ast.Call) and of_name(node.func) == "next" and "GAMES" in ast.unparse(node)


def of_name(node: ast.AST) -> str | None:
    return node.id if isinstance(node, ast.Name) else None


def is_told_apart(side: ast.AST, other: ast.AST) -> bool:
    """`variant.game is ...`, `variant.rules_hash == "6fc7"`, `action.name == "split"`."""
    told = ast.unparse(side)
    if not isinstance(other, ast.Constant):
        return told.endswith("variant.game") and not ast.unparse(other).endswith(".game")
    if told.endswith("rules_hash"):
        return isinstance(other.value, str)
    return other.value in words_told_apart() and bool(ONE_OF_THEM.search(told))


def asks_which(node: ast.AST) -> bool:
    """Whether a piece of code tells one game from another by its rules, its choices, or its place in a table."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        member = isinstance(node.ops[0], ast.In | ast.NotIn)
        word = node.left.value if isinstance(node.left, ast.Constant) else None
        offered = word in choices_of_games() and LISTS_OF_CHOICES.search(ast.unparse(node.comparators[0]))
        listed = {one.value for one in ast.walk(node.comparators[0]) if isinstance(one, ast.Constant)}
        one_of = ONE_OF_THEM.search(ast.unparse(node.left)) and listed & words_told_apart()
        if any(map(is_play, sides)) or (member and (is_id(node.left) or bool(offered) or bool(one_of))):
            return True
        return any(is_told_apart(one, other) for one, other in itertools.permutations(sides, 2)) and not member
    if isinstance(node, ast.MatchValue):
        return isinstance(node.value, ast.Constant) and node.value.value in words_told_apart()
    if is_first_of(node):
        return True
    if isinstance(node, ast.Subscript):
        named = isinstance(node.slice, ast.Constant) and node.slice.value in choices_of_games()
        return is_play(node.slice) or (named and bool(LISTS_OF_CHOICES.search(ast.unparse(node.value))))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in ("startswith", "endswith"):
            asked = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)]
            return bool(groups_of_wagers().intersection(asked))
        return node.func.attr in LOOKED_UP and any(is_play(given) for given in node.args)
    if not isinstance(node, ast.Attribute) or node.attr not in fields_of_rules():
        return False
    return of(node) == "rules" or node.attr not in ORDINARY | KNOWN_CARDS


def knows_a_game(file: Path, names_choices: bool = False) -> list[str]:
    """What shows that a file knows one game from another; some may name choices and wagers, and nothing else."""
    tree = ast.parse(file.read_text())
    found = [name for name in modules_imported(tree) if in_a_room(name) and name not in FOR_EVERYBODY]
    texts = texts_read(tree)
    found += [repr(text) for text in texts if names_of_games().search(text)]
    found += [name for name in names_used(tree) if names_of_games().search(name)]
    if not names_choices:
        found += [repr(text) for text in texts & words_of_games()]
    return found + [ast.unparse(node) for node in ast.walk(tree) if asks_which(node)]


def test_only_the_rooms_of_games_know_which_game_it_is() -> None:
    outside = [file for file in SOURCES if not any(file.is_relative_to(PACKAGE / room) for room in ROOMS_OF_GAMES)]
    assert len(outside) > 100
    names = {file: str(file.relative_to(PACKAGE)) for file in outside}
    found = {name: knows_a_game(file, name in NAMES_CHOICES) for file, name in names.items()}
    assert {file: told for file, told in found.items() if told} == {}


@pytest.mark.parametrize(
    "line",
    [
        "from pairhouse.games import blackjack",
        "from pairhouse.games.three_card_poker import PLAY",
        "import pairhouse.games.la_paire",
        "from pairhouse.analysis.methods.baccarat import BaccaratMethod",
        "from pairhouse.analysis.blackjack.solution_records import solution",
        "from ..games import blackjack",
        "from pairhouse import games",
        "from pairhouse.games import *",
        'import_module("pairhouse.games.blackjack")',
        'variant.game.id == "three-card-poker"',
        'variant.game.name == "Three Card Poker"',
        'variant.game.id.startswith("three-card")',
        '"baccarat" in variant.game.id',
        'variant.game.module.endswith("la_paire")',
        'rule.startswith("TCP-")',
        "match variant.game.id:\n    case 'la-paire':\n        pass",
        'READERS = {"la-paire": 1}',
        "variant.game.id in WITH_CHIPS",
        "variant.game.play is play",
        "READERS.get(variant.game.play)",
        "READERS[variant.game.play]",
        'game.play.__name__ == "coup"',
        'type(method).__name__ == "BlackjackMethod"',
        "variant.rules.hole_card",
        'wager.startswith("tie-on-")',
        '"insurance" in options',
        '"hit" in view.awaiting.options',
        'found.actions["double"]',
        "isinstance(method, registry.BlackjackMethod)",
        "variant.game is FIRST",
        'variant.rules_hash == "6fc73eccb59a"',
        'action.name == "split"',
        'choice == "hit"',
        'wager == "player"',
        'getattr(variant.rules, "hits_soft_17")',
        "known = variant.rules\nknown.hits_soft_17",
        'match choice:\n    case "split":\n        pass',
        'choice in ("hit", "split")',
        'wager.id not in {"player", "red"}',
        'game.actions[0].name == "fold"',
        "list(GAMES)[0]",
        "next(iter(GAMES.values()))",
        'game.id[:2] == "la"',
    ],
)
def test_whoever_knows_a_game_is_found(line: str, tmp_path: Path) -> None:
    (tmp_path / "file.py").write_text(f"{line}\n")
    assert knows_a_game(tmp_path / "file.py")


def test_who_may_name_choices_may_still_name_no_game(tmp_path: Path) -> None:
    file = tmp_path / "file.py"
    file.write_text('COLOURS = {"stand": "red", "insurance": "blue"}\n')
    assert knows_a_game(file, names_choices=True) == []
    file.write_text('if variant.game.id == "la-paire" or variant.rules.hole_card:\n    pass\n')
    assert len(knows_a_game(file, names_choices=True)) == 2


# The pages draw the felts of our own games by hand, and every other game from its record.
PAGES_OF_GAMES = {
    "live/shared.css",
    "pages/Lobby.svelte",  # colours of the felts in the lobby
    "pages/TablePage.svelte",  # where the roads of baccarat lie
    "parts/Emblem.svelte",
    "parts/Prompt.svelte",
    "parts/Shoe.svelte",
    "state/coups.ts",
}


def test_only_felts_and_what_belongs_to_them_name_a_game_on_the_pages() -> None:
    pages = ROOT / "web" / "src"
    named = re.compile("|".join(game for game in GAMES if "-" in game))
    files = {file.relative_to(pages) for suffix in ("ts", "svelte", "css") for file in pages.rglob(f"*.{suffix}")}
    told = {file.as_posix() for file in files if named.search((pages / file).read_text())}
    assert "tables/felts.ts" in told
    assert {name for name in told if not name.startswith(("tables/", "texts/"))} == PAGES_OF_GAMES


# Words for requests, workers and batches that only we understood; the map of the project has the ordinary ones.
GIVEN_UP = {"arrivals", "deed", "deeds", "door", "doors", "reception", "swept", "tied"}


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_names_that_were_given_up_stay_away(file: Path) -> None:
    named = [node.name for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, HAS_DOCSTRING[1:])]
    words = {word.lower() for name in [file.stem, *named] for word in re.findall("[A-Z]?[a-z]+", name)}
    assert file.parent.name == "versions" or not words & GIVEN_UP


def test_no_two_classes_share_a_name() -> None:
    """Each game calls what its options come to its `Rules`; any other name leads to one class."""
    places = Counter[str]()
    for file in SOURCES:
        found = {node.name for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.ClassDef)}
        places.update(name for name in found if not name.startswith("_"))
    assert [name for name, times in places.items() if times > 1] == ["Rules"]


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


def modules_of_row(cell: str) -> set[str]:
    """What the first cell of a row names: a name without a folder stands in the folder, or the room, named before it."""
    named: set[str] = set()
    folder = room = ""
    for name in re.findall(r"`([^`]+)`", cell):
        if (PACKAGE / name).exists():
            full = name
        else:
            full = next((each for each in (f"{folder}{name}", f"{room}/{name}") if (PACKAGE / each).exists()), "")
        assert full, f"tests/README.md names {name}, which does not exist"
        folder, room = full[: full.rfind("/") + 1], full.partition("/")[0]
        here = PACKAGE / full
        named |= {str(file.relative_to(PACKAGE)) for file in (here.rglob("*.py") if here.is_dir() else [here])}
    return named


def test_the_test_of_every_module_is_found_by_its_name_or_in_the_index() -> None:
    table = (ROOT / "tests/README.md").read_text().partition("## Where modules")[2].partition("\n## ")[0]
    named = set[str]().union(*(modules_of_row(line.split("|")[1]) for line in table.splitlines() if line[:3] == "| `"))
    by_room = {room.name: {file.stem for file in room.rglob("test_*.py")} for room in (ROOT / "tests").iterdir()}
    missing = []
    for file in PACKAGE.rglob("*.py"):
        module = str(file.relative_to(PACKAGE))
        tests = by_room.get(module.partition("/")[0], set())
        is_known = file.stem.startswith("__") or "migrations" in module or module in named
        if not is_known and not any(f"{test}_".startswith(f"test_{file.stem}_") for test in tests):
            missing.append(module)
    assert sorted(missing) == []


def test_the_map_of_the_project_names_only_what_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    named = set(re.findall(r"`((?:[a-z_]+/)+[a-z_]*(?:\.py)?|[a-z_]+\.py)`", text))
    roots = [ROOT, ROOT / "src/pairhouse", *(ROOT / "src/pairhouse").iterdir()]
    missing = [name for name in sorted(named) if not any((root / name).exists() for root in roots)]
    assert missing == []
    rooms = {f"{room.name}/" for room in (ROOT / "src/pairhouse").iterdir() if (room / "__init__.py").exists()}
    assert rooms <= named, "a room is not on the map"
