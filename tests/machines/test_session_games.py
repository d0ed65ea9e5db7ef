"""A game typed at a prompt, in a notebook or made by `exec` is settled, counted, simulated, and named by its rules."""

import linecache
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pairhouse.core.errors import Refused
from pairhouse.core.fingerprint import session_digest
from pairhouse.games.catalogue import GAMES
from pairhouse.machines.cache import folder, source_name
from pairhouse.machines.count import walker
from session_game import TYPED, USED

ANSWER = "(350, Fraction(75, 221), Fraction(4, 5), True)"  # settled, counted, the oracle's, simulated


def run(*words: str, typed: str = "", cache: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({"PAIRHOUSE_CACHE": str(cache)} if cache else {})}
    return subprocess.run(
        [sys.executable, *words], input=typed, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def made(source: str = TYPED + USED, name: str = "nowhere", file: str = "<string>") -> dict[str, Any]:
    """The names that some source defines, as `exec` leaves them."""
    scope: dict[str, Any] = {"__name__": name}
    exec(compile(source, file, "exec"), scope)
    return scope


def hash_of(source: str, **where: str) -> str:
    found: str = made(source, **where)["GAME"].variant().rules_hash
    return found


def test_a_game_typed_at_a_prompt() -> None:
    """A real interpreter reads it line by line; then a rule is typed anew, and everything follows."""
    typed = TYPED + USED + "first = answers()\nprint('first', first[1:5])\n"
    typed += "@rule\ndef is_high(card):\n    return rank(card) >= 10\n\n"
    typed += "second = answers()\nprint('second', second[2], second[0] != first[0], second[5] != first[5])\n"
    done = run("-i", "-q", typed=typed)
    assert f"first {ANSWER}" in done.stdout, done.stderr[-3000:]
    two_high, none_high = Fraction(12 * 11, 52 * 51), Fraction(40 * 39, 52 * 51)
    assert f"second {3 * two_high - none_high} True True" in done.stdout


@pytest.mark.slow
def test_a_second_process_finds_the_compiled_loop_and_the_same_hash(tmp_path: Path) -> None:
    """`python -c`, twice: the loop is read back from disk, and the hash names the rules and not the process."""
    program = TYPED + USED + "found = answers()\nprint(found[0], found[1:5])\n"
    program += "from pairhouse.machines.simulate import kernel\n"
    program += "print(sum(sum(loop.stats.cache_hits.values()) for loop in kernel._loops.values()))\n"
    first, second = run("-c", program, cache=tmp_path), run("-c", program, cache=tmp_path)
    assert ANSWER in first.stdout, first.stderr[-3000:]
    assert (first.stdout.splitlines()[-1], second.stdout.splitlines()[-1]) == ("0", "1")
    assert first.stdout.splitlines()[0] == second.stdout.splitlines()[0]


def test_a_game_made_by_exec() -> None:
    scope = made()
    assert str(scope["answers"]()[1:5]) == ANSWER
    scope["LOWEST_HIGH"] = 10  # a constant counts as much as a rule
    changed = scope["answers"]()
    assert changed[0] != made()["GAME"].variant().rules_hash
    assert changed[2] < Fraction(75, 221)


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("rank(card) >= LOWEST_HIGH", "rank(card) > LOWEST_HIGH", False),
        ("LOWEST_HIGH = 7", "LOWEST_HIGH = 8", False),
        ('row("all high", 3', 'row("all high", 4', False),
        ("lambda shown: shown.red)", "lambda shown: not shown.red)", False),
        ('Option("cards", 2, (1, 2)', 'Option("cards", 2, (2, 1)', False),
        ("    red: bool", "    red: int", False),
        ("@rule\ndef is_high", "def is_high", False),
        ("range(rules.cards)", "range(rules.cards + 1)", False),
        ("An eight or more.", "At least an eight.", True),
        ("@rule\ndef is_high", "# a comment\n\n@rule\ndef is_high", True),
        ("LOWEST_HIGH = 7", "LOWEST_HIGH = 7\nUNUSED = 1", True),
    ],
)
@pytest.mark.parametrize("has_source", [False, True], ids=["without source", "in a cell"])
def test_what_could_change_a_result_changes_the_hash(
    before: str, after: str, same: bool, has_source: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = TYPED.replace(before, after)
    assert changed != TYPED
    hashes = []
    for number, source in enumerate((TYPED, changed)):
        file = f"<cell {number}>" if has_source else "<string>"
        if has_source:  # as a notebook does
            monkeypatch.setitem(linecache.cache, file, (len(source), None, source.splitlines(True), file))
        hashes.append(hash_of(source, file=file))
    assert (hashes[0] == hashes[1]) == same


def test_source_that_is_not_that_of_the_code_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an editor shows by now is not what was run."""
    other = TYPED.replace("rank(card) >= LOWEST_HIGH", "rank(card) < LOWEST_HIGH")
    monkeypatch.setitem(linecache.cache, "<cell 7>", (len(other), None, other.splitlines(True), "<cell 7>"))
    is_high = made(TYPED, file="<cell 7>")["is_high"]
    assert session_digest(is_high) == session_digest(made(TYPED)["is_high"])


def test_a_rule_typed_into_a_module_counts() -> None:
    """The file of a module says nothing of what was defined there by `exec`."""
    one, other = (hash_of(text, name=__name__) for text in (TYPED, TYPED.replace("= 7", "= 8")))
    assert one != other


def test_rules_of_the_package_and_options_are_part_of_it() -> None:
    game = made()["GAME"]
    assert game.variant().rules_hash != game.variant({"cards": 1}).rules_hash
    assert game.variant().rules_hash not in {ours.variant().rules_hash for ours in GAMES.values()}


def test_games_with_a_file_are_not_described() -> None:
    for game in GAMES.values():
        assert not game.is_from_session
        assert session_digest(game.play) == ""


def test_what_no_hash_can_name_is_refused_in_a_sentence() -> None:
    source = TYPED.replace("LOWEST_HIGH = 7", "class Any: pass\n\nLOWEST_HIGH = Any()")
    with pytest.raises(Refused, match=r"the rules refer to <nowhere\.Any object .* use numbers, text, tuples"):
        hash_of(source)


def test_caches_follow_a_rule_that_is_typed_anew() -> None:
    scope = made()
    play, kinds = scope["play"], (scope["Shown"],)

    def compiled() -> tuple[object, object]:
        return walker(play, kinds, session_digest(play)), folder(source_name(play))

    before = compiled()
    assert compiled() == before
    exec("@rule\ndef is_high(card):\n    return rank(card) == 3\n", scope)
    after = compiled()
    assert after[0] is not before[0]
    assert after[1] != before[1]
