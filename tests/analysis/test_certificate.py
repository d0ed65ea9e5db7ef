"""Certificates: derived twice, made again to the letter, and not to be tampered with."""

import json
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from command_line import pairhouse
from pairhouse.analysis.blackjack import solution_records
from pairhouse.analysis.blackjack.certified import solved_figures
from pairhouse.analysis.blackjack.solve import UpCard
from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.reports.certificate import Certificate, certify, load, save
from pairhouse.analysis.reports.certificate_check import Difference, check, differences, in_words
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import GAMES
from pairhouse.games.pair_v3 import PAYTABLES


def run_certify(*words: str) -> subprocess.CompletedProcess[str]:
    return pairhouse("certify", *words)


@pytest.mark.parametrize("game", list(GAMES))
def test_two_derivations_and_the_oracle_agree(game: str, tmp_path: Path) -> None:
    made = certify(analyst(game))
    assert made.agrees
    assert set(made.derivations.agree) == set(made.figures)
    assert made.derivations.oracle.stories > 10
    save(made, tmp_path)
    assert load(tmp_path) == made
    assert check(tmp_path) == []


@pytest.mark.parametrize(
    ("paytable", "decks"),
    [
        pytest.param(paytable, decks, marks=pytest.mark.slow if number % 2 else ())
        for number, (paytable, decks) in enumerate(zip(PAYTABLES, [1, 2, 8, 8, 2, 1], strict=True))
    ],
)
def test_every_pair_table_is_derived_twice(paytable: str, decks: int) -> None:
    """[PV3-11] [PV3-12] [PV3-13] [PV3-14] [PV3-15] [PV3-16]"""
    assert certify(analyst("pair-v3", {"paytable": paytable, "decks": decks})).agrees


@pytest.mark.parametrize("decks", [1, 6, *(pytest.param(decks, marks=pytest.mark.slow) for decks in (5, 7))])
def test_baccarat_is_derived_twice_at_other_decks(decks: int) -> None:
    assert certify(analyst("nepal-super-baccarat", {"decks": decks})).agrees


def test_the_command_writes_checks_and_names_itself(tmp_path: Path) -> None:
    folder = tmp_path / "certificate"
    done = run_certify("blackjack-poker-pairs", "--decks", "6", "--out", str(folder))
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads((folder / "certificate.json").read_bytes())
    assert told["command"] == "pairhouse certify blackjack-poker-pairs --option decks=6 --out DIR"
    assert told["offered_at_table"] is False
    assert told["not_priced"] == {}
    assert told["solved"]["agree"] is True
    assert told["solved"]["small_shoes"] == {"5x8 7x10": "79/396", "3xA 3x8 6x10": "4679/18480"}
    assert {"python", "numba", "platform"} <= set(told["environment"])
    assert told["figures_sha256"] in (folder / "certificate.md").read_text()
    again = run_certify("--check", str(folder), "--json")
    assert (again.returncode, json.loads(again.stdout)) == (0, {"same": True, "differences": []})


def test_a_solver_that_is_off_does_not_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """A split valued a little too high shows on the small shoes, where the rule book deals."""
    assert solved_figures(analyst("blackjack")).agree
    right = UpCard.split_under
    monkeypatch.setattr(UpCard, "split_under", lambda *of: right(*of) + 1e-9)
    solution_records.solution.cache_clear()
    assert not solved_figures(analyst("blackjack")).agree
    solution_records.solution.cache_clear()


def tamper_ev(told: dict[str, Any]) -> None:
    told["figures"]["pair"]["ev"] = "-1/100"


def tamper_hash(told: dict[str, Any]) -> None:
    told["rules_hash"] = "0" * 64


def tamper_agreement(told: dict[str, Any]) -> None:
    told["derivations"]["agree"]["pair"] = False


def drop_wager(told: dict[str, Any]) -> None:
    del told["figures"]["pair"]


def tamper_row(told: dict[str, Any]) -> None:
    told["figures"]["pair"]["rows"][1]["probability"] = "1/3"


def tamper_type(told: dict[str, Any]) -> None:
    told["offered_at_table"] = not told["offered_at_table"]


@cache
def pair_certificate() -> Certificate:
    """A certificate of PAIR, made once for all tamperings."""
    return certify(analyst("pair-v3"))


@pytest.mark.parametrize(
    ("tamper", "lines"),
    [
        (
            tamper_ev,
            [
                "different: figures.pair.ev: was -1/100, is now -5578/48205",
                "different: figures_sha256: is not that of the figures in the certificate, which is ",
            ],
        ),
        (
            tamper_row,
            [
                "different: figures.pair.rows[3 of a kind (mixed)].probability: was 1/3, is now 243/48205",
                "figures_sha256",
            ],
        ),
        (tamper_hash, [f"different: rules_hash: was {'0' * 64}, is now "]),
        (tamper_agreement, ["different: derivations.agree.pair: was false, is now true"]),
        (tamper_type, ["different: offered_at_table: was false, is now true"]),
        (
            drop_wager,
            [
                "different: figures.pair: is not in the certificate, is now there with ev, variance, hit, total_ways, ",
                "figures_sha256",
            ],
        ),
    ],
)
def test_a_tampered_certificate_is_different_figure_by_figure(
    tamper: Callable[[dict[str, Any]], None], lines: list[str], tmp_path: Path
) -> None:
    save(pair_certificate(), tmp_path)
    file = tmp_path / "certificate.json"
    told = json.loads(file.read_bytes())
    tamper(told)
    file.write_text(json.dumps(told))
    found = [f"different: {line}" for line in in_words(check(tmp_path))]
    for line in lines:
        assert any(line in each for each in found), found
    assert not any("..." in each for each in found)
    if tamper is tamper_ev:  # deriving everything again in another process takes seconds: once is enough
        done = run_certify("--check", str(tmp_path))
        assert (done.returncode, done.stdout.splitlines()) == (1, found)
        told = json.loads(run_certify("--check", str(tmp_path), "--json").stdout)["differences"]
        assert [f"different: {each['path']}: {each['says']}" for each in told] == found


def test_every_figure_that_differs_has_a_path_and_both_values() -> None:
    was = {"a": {"x": "1/3", "gone": 1}, "rows": [{"name": "tie", "ways": 1}, {"name": "pair", "ways": 2}], "yes": True}
    now = {"a": {"x": "1/4", "new": "2"}, "rows": [{"name": "pair", "ways": 3}, {"name": "tie", "ways": 1}], "yes": 1}
    found = {each.path: (each.was, each.now) for each in differences("", was, now)}
    assert {path: found[path] for path in ("a.x", "rows[pair].ways", "yes")} == {
        "a.x": ("1/3", "1/4"),
        "rows[pair].ways": (2, 3),
        "yes": (True, 1),
    }
    assert [str(each) for each in differences("", was, now)] == [
        "a.x: was 1/3, is now 1/4",
        "a.gone: was 1, is not there now",
        "a.new: is not in the certificate, is now 2",
        "rows[pair].ways: was 2, is now 3",
        "rows: was in the order tie, pair, is now in the order pair, tie",
        "yes: was true, is now 1",
    ]
    assert list(differences("", was, was)) == []


def test_a_long_list_is_summed_up_with_its_number() -> None:
    found = [Difference(f"derivations.simulated.z.{number}", "was 1, is now 2") for number in range(59)]
    lines = in_words([*found, Difference("rules_hash", "was 0, is now 1")])
    assert lines[:2] == [str(found[0]), str(found[1])]
    assert lines[10:] == [
        "derivations.simulated.z: 49 more differences of 59; --json has them all",
        "rules_hash: was 0, is now 1",
    ]


def test_a_tampered_text_is_different(tmp_path: Path) -> None:
    save(pair_certificate(), tmp_path)
    text = tmp_path / "certificate.md"
    text.write_text(text.read_text().replace("48205", "48206"))
    assert [str(each) for each in check(tmp_path)] == ["certificate.md: does not tell what certificate.json holds"]
    text.unlink()
    text.mkdir()
    assert [each.path for each in check(tmp_path)] == ["certificate.md"]


def test_without_a_folder_it_is_printed(tmp_path: Path) -> None:
    assert "# Certificate: La Pair'e" in run_certify("la-paire").stdout
    assert json.loads(run_certify("la-paire", "--json").stdout)["figures"]["card-A"]["ev"] == "-1/27"
    save(certify(analyst("la-paire")), tmp_path)
    assert run_certify("--check", str(tmp_path)).stdout == "same\n"


@pytest.mark.parametrize("content", [None, "{", '{"game": "pair-v3"}', "[" * 9999])
def test_what_is_no_certificate_is_refused(content: str | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "certificate.json").write_text(content)
    with pytest.raises(Refused, match=r"certificate\.json (cannot be read|is not a certificate)"):
        check(tmp_path)


def test_bad_words_are_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for words in (
        [],
        ["pair-v3", "--check", str(tmp_path)],
        ["bingo"],
        ["--check", str(tmp_path / "none")],
        ["--check", str(tmp_path), "--decks", "6"],
        ["pair-v3", "--out", str(tmp_path / "file")],
    ):
        done = run_certify(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
