"""`protect` and `design` as people and programs use them: JSON, documents, stopped runs, bad input."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pypdf
import pytest

from command_line import pairhouse
from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.protect.protection import Preparation, ProtectionRequest
from pairhouse.analysis.protect.stopped_run import load_run
from pairhouse.cli.protect import followed, protect
from pairhouse.core.errors import Refused


def answer(*words: str) -> Any:
    done = pairhouse(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_protect_answers_as_programs_expect() -> None:
    found = answer("protect", "la-paire", "--wager", "card-A", "--wager", "any-paire", "--shoes", "50", "--cut", "5")
    card, pair = found["wagers"]["card-A"], found["wagers"]["any-paire"]
    expected = {"effects_of_removal", "correlation", "tags", "turns_at", "per_100", "ceiling", "verdict"}
    assert expected <= set(card)
    assert Fraction(card["effects_of_removal"]["A"]) == Fraction(3, 53) * 13 - Fraction(4, 54) * 13
    assert card["tags"] == {name: -1 if name == "A" else 0 for name in card["effects_of_removal"]}
    assert card["correlation"] == 1
    assert 0 < card["per_100"]["win"] <= card["ceiling"]["win"]
    assert pair["untouched"]
    assert pair["turns_at"] is None
    assert set(pair["second_order"]) == {"one rank", "one suit", "neither"}
    assert "No single card changes its price" in pair["verdict"]
    assert found["left_out"] == {}
    ante = answer("protect", "three-card-poker", "--wager", "ante", "--shoes", "0")
    assert list(ante["wagers"]) == ["ante"]
    reason = "it follows from ante and is part of the price of ante"
    assert ante["left_out"] == {"play": reason, "ante-bonus": reason}


def test_a_game_without_a_second_round_says_so() -> None:
    """Andar Bahar can take nearly the whole pack, so no shoe is dealt, and that is said."""
    done = pairhouse("protect", str(Path(__file__).parents[2] / "gallery" / "andar_bahar.py"))
    assert done.returncode == 0, done.stderr
    assert "No shoes were dealt: none were asked for, or two rounds do not fit in the pack." in " ".join(
        done.stdout.split()
    )


def test_protect_writes_documents(tmp_path: Path) -> None:
    html, pdf = tmp_path / "report.html", tmp_path / "report.pdf"
    done = pairhouse(
        "protect", "la-paire", "--wager", "card-A", "--wager", "any-paire", "--wager", "poker", "--shoes", "20",
        "--html", str(html), "--pdf", str(pdf),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    page = html.read_text()
    assert "<title>La Pair&#39;e · protection report</title>" in page
    assert page.count("<td") > 60
    assert "://" not in page
    pages = [each.extract_text() for each in pypdf.PdfReader(pdf).pages]
    assert "Effects of removal" in "".join(pages)
    assert pypdf.PdfReader(pdf).metadata.title == "La Pair'e, protection report"  # type: ignore[union-attr]


def test_a_second_interrupt_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends the dealing; when it comes again while the report is worked out, the shoes are kept all the same."""
    kept, variant = tmp_path / "run.npz", analyst("la-paire")
    asked = ProtectionRequest(wagers=["card-A"], cuts=[5], shoes=200, known=False)

    def interrupted(*_given: Any, prepared: Preparation, progress: Callable[..., None], **_more: Any) -> None:
        totals = prepared.following().block(1, 0)
        progress(50, totals)
        totals.add(totals)  # what was being added when the interrupt came is not kept
        raise KeyboardInterrupt

    monkeypatch.setattr("pairhouse.analysis.protect.protection.protection", interrupted)
    with pytest.raises(KeyboardInterrupt):
        followed(variant, asked, kept, resume=False)
    assert int(load_run(kept, Preparation(variant, asked).following(), 1).shoes[0]) == 50


def test_a_gpu_that_is_not_there_is_missed_whatever_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise Refused("no-gpu", "there is no usable NVIDIA GPU here")

    monkeypatch.setattr("pairhouse.machines.simulate.gpu.cuda_or_refusal", missing)
    with pytest.raises(Refused, match="no usable NVIDIA GPU"):
        protect("blackjack", shoes="0", device="cuda")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["la-paire", "--wager", "cards"], "wager 'cards' is unknown"),
        (["la-paire", "--cut", "3"], "3 cards behind the cut card are not possible"),
        (["la-paire", "--seats", "99"], "99 seats were given"),
        (["la-paire", "--level", "4"], "level 4 is not possible; choose 1, 2 or 3"),
        (["la-paire", "--shoes", "many"], "--shoes 'many' is not a number"),
        (["la-paire", "--shoes", "1"], "1 shoe is too few"),
        (["la-paire", "--pace", "0"], "a pace of 0 rounds an hour"),
        (["la-paire", "--sum", "much"], "--sum 'much' is not a sum of money"),
        (["la-paire", "--json", "--pdf", "x.pdf"], "give it alone, or --html and --pdf without it"),
        (["la-paire", "--pdf", "x.html"], "let its name end in .pdf"),
        (["la-paire", "--pdf", "/nowhere/x.pdf"], "/nowhere/x.pdf cannot be written"),
        (["la-paire", "--wager", "red", "--resume", "--state", "/nowhere/x.npz"], "/nowhere/x.npz is not there"),
    ],
)
def test_bad_questions_are_answered_in_a_sentence(words: list[str], says: str) -> None:
    done = pairhouse("protect", *words)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_design_answers_and_saves(tmp_path: Path) -> None:
    file = tmp_path / "my_poker.py"
    wishes = ("--edge", "4%..4.1%", "--top", "30..60", "--step", "5")
    found = answer("design", "la-paire", "poker", *wishes)
    assert found["complete"]
    assert found["number"] == len(found["paytables"]) == 4
    best = found["paytables"][0]
    assert Fraction(4, 100) <= Fraction(best["edge"]["1"]) <= Fraction(41, 1000)
    assert all(pays % 5 == 0 for pays in best["rows"].values())
    done = pairhouse("design", "la-paire", "poker", *wishes, "--save", str(file), "--pick", "2")
    assert done.returncode == 0, done.stderr
    assert "4 paytables fit, and no others" in done.stdout
    par = pairhouse("par", str(file), "--json")
    assert par.returncode == 0, par.stderr
    assert -Fraction(json.loads(par.stdout)["wagers"]["poker"]["ev"]) == Fraction(found["paytables"][1]["edge"]["1"])


def test_design_says_what_to_loosen() -> None:
    found = answer("design", "la-paire", "red", "--edge", "4..5")
    assert found["paytables"] == []
    assert found["complete"]
    edge, step = found["loosenings"]
    assert edge["needed"] == "3.7037%..5%"
    assert (step["wish"], step["needed"]) == ("step", None)  # no tenth of a unit does it either
    assert edge["example"]["rows"] == {"red": 1}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["la-paire", "red", "--edge", "x"], "--edge 'x' is not a figure"),
        (["la-paire", "green", "--edge", "4..5"], "wager 'green' is unknown"),
        (["blackjack", "main", "--edge", "4..5"], "main has no paytable that stands alone"),
        (["la-paire", "red", "--edge", "..5"], "--edge ..5% has no lower end, so pays of any size fit; give both ends"),
        (["la-paire", "red", "--edge", "4..5", "--decks", "9"], "--decks '9' is not possible"),
        (["la-paire", "poker", "--edge", "4..5", "--keep", "pair=3"], "row 'pair' is unknown"),
        (["la-paire", "red", "--edge", "4..5", "--save", "x.txt"], "x.txt cannot hold a game"),
        (["la-paire", "red", "--edge", "4..5", "--limit", "0"], "--limit 0 is not possible"),
        (["la-paire", "red", "--edge", "4..5", "--hit", "200%..300%"], "--hit 200%..300% is not possible"),
        (["la-paire", "red", "--edge", "4..5", "--cut", "9"], "--cut 9 says where shoes end that --countable follows"),
        (["la-paire", "red", "--edge", "4..5", "--save", "none.py"], "nothing fits, so there is nothing to save"),
        (["la-paire", "red", "--edge", "3..4", "--pick", "2", "--save", "none.py"], "only one is listed"),
        (["la-paire", "poker", "--edge=-1000%..1000%"], "more than 2,000,000 paytables fit; narrow a wish"),
    ],
)
def test_bad_wishes_are_answered_in_a_sentence(words: list[str], says: str, tmp_path: Path) -> None:
    done = pairhouse("design", *words)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert not Path("x.txt").exists()
    assert not Path("none.py").exists()
