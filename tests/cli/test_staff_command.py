"""`pairhouse staff`: the first supervisor is made by a command."""

import json
from pathlib import Path

from command_line import pairhouse
from direct_house import new_database


def test_staff_is_added_listed_and_let_in_or_not(tmp_path: Path) -> None:
    db = ("--db", new_database("sqlite", tmp_path))
    assert pairhouse("staff", "list", *db).returncode != 0, "there are no books yet"
    added = pairhouse("staff", "add", "Anna", *db, given="a long sentence\n")
    assert (added.returncode, added.stdout.strip()) == (0, "Anna may sign in at /#/pit as supervisor."), added.stderr
    for words, given, sentence in (
        (("Anna",), "a long sentence\n", "somebody called 'Anna'"),
        (("Berta",), "short\n", "a password has 10 to 128 characters; 5 were given"),
        (("Berta", "--role", "king"), "a long sentence\n", "'king' is no role; it can be supervisor"),
    ):
        refused = pairhouse("staff", "add", *words, *db, given=given)
        assert refused.returncode != 0
        assert sentence in refused.stderr
    assert pairhouse("staff", "disable", "Anna", *db).returncode == 0
    found = json.loads(pairhouse("staff", "list", "--json", *db).stdout)
    assert [(one["name"], one["role"], one["status"]) for one in found] == [("Anna", "supervisor", "disabled")]
    assert pairhouse("staff", "enable", "Anna", *db).returncode == 0
    nobody = pairhouse("staff", "enable", "Cora", *db)
    assert nobody.returncode != 0
    assert "the staff has nobody called 'Cora'" in nobody.stderr
