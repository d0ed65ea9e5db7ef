"""Par sheets: their shape, their exact values, and the files people read."""

import base64
import io
import json
import re
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import openpyxl
import pypdf
import pytest
from rich.console import Console

from command_line import pairhouse
from counting import counted
from pairhouse.analysis.exact.covariance import covariances
from pairhouse.analysis.exact.prices import covariance
from pairhouse.analysis.exact.variants import analyst, at_decks, is_offered
from pairhouse.analysis.reports.par import par_sheet, to_json
from pairhouse.analysis.reports.render.compose import compose
from pairhouse.analysis.reports.render.document import DataTable, one_in, percent, signed
from pairhouse.analysis.reports.render.terminal import as_text, ways_text
from pairhouse.analysis.reports.render.workbook import pages
from pairhouse.core.errors import Refused
from pairhouse.core.money import price_text
from pairhouse.games.catalogue import GAMES

KNOWN = [
    ("nepal-super-baccarat", {}, "player", "-241149546272/19524993263685"),
    ("pair-v3", {"paytable": "2-deck-b"}, "pair", "-190/1751"),
    ("blackjack-poker-pairs", {}, "pairs", "-14/415"),
    ("blackjack-poker-pairs", {}, "insurance", "-31/415"),
    ("three-card-poker", {}, "ante", "-686689/20358520"),
    ("three-card-poker", {}, "pairplus", "-402/5525"),
    ("la-paire", {}, "card-A", "-1/27"),
]


def record(game: str, **options: Any) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(to_json(par_sheet(analyst(game, options)).record()))
    return made


@pytest.mark.parametrize(("game", "options", "wager", "ev"), KNOWN)
def test_known_prices(game: str, options: dict[str, Any], wager: str, ev: str) -> None:
    assert record(game, **options)["wagers"][wager]["ev"] == ev


@pytest.mark.parametrize("game", list(GAMES))
def test_every_sheet_adds_up_as_fractions(game: str) -> None:
    """Probabilities sum to 1, ways to their total, and every figure follows from the rows."""
    sheet = record(game)
    variant = GAMES[game].variant()
    assert {"game", "options", "rules_hash", "version", "wagers"} <= set(sheet)
    assert (sheet["game"], sheet["rules_hash"]) == (game, variant.rules_hash)
    for name, wager in sheet["wagers"].items():
        if name == "main":
            continue
        rows = [(Fraction(row["probability"]), Fraction(row["pays"]), row["ways"]) for row in wager["rows"]]
        ev = sum(chance * pays for chance, pays, _ in rows)
        assert sum(chance for chance, _, _ in rows) == 1
        assert sum(ways for _, _, ways in rows) == wager["total_ways"]
        assert all(chance == Fraction(ways, wager["total_ways"]) for chance, _, ways in rows)
        assert Fraction(wager["ev"]) == ev
        assert Fraction(wager["variance"]) == sum(chance * pays**2 for chance, pays, _ in rows) - ev**2
        assert Fraction(wager["hit"]) == sum(chance for chance, pays, _ in rows if pays > 0)
        assert wager["method"]


def test_an_analyst_may_ask_for_any_decks_and_a_table_may_not() -> None:
    """[PV3-2] [NSB-1]"""
    strange = analyst("pair-v3", {"paytable": "2-deck-a", "decks": "5"})
    assert (strange.pack, is_offered(strange)) == ((5, 0), False)
    assert is_offered(analyst("pair-v3", {"paytable": "2-deck-a"}))
    assert analyst("blackjack-poker-pairs", {"decks": 2}).pack == (2, 0)
    assert analyst("pair-v3", {"decks": 2}).options["paytable"] == "2-deck-a"
    assert list(at_decks(analyst("nepal-super-baccarat", {"cut_card": 300}))) == list(range(1, 9))
    assert list(at_decks(analyst("la-paire"))) == [1]
    refused: list[tuple[str, dict[str, Any], str]] = [
        ("pair-v3", {"decks": 9}, "decks 9 is not possible; it can be 1 to 8"),
        ("three-card-poker", {"decks": 2}, "decks 2 is not possible; it can be 1"),
        ("pair-v3", {"paytable": "shoe-z"}, "paytable 'shoe-z' is not possible"),
        ("nepal-super-baccarat", {"decks": 1, "cut_card": 60}, "cut_card 60 is not possible with 52 cards"),
        ("bingo", {}, "game 'bingo' is unknown"),
    ]
    for game, options, says in refused:
        with pytest.raises(Refused, match=re.escape(says)):
            analyst(game, options)


def test_rows_that_the_decks_cannot_make_are_shown_with_no_ways() -> None:
    """Two decks hold no suited three of a kind. [PV3-10]"""
    rows = {row["name"]: row for row in record("pair-v3", paytable="shoe-b", decks=2)["wagers"]["pair"]["rows"]}
    assert rows["3 of a kind (suited)"]["ways"] == 0
    assert rows["3 of a kind (mixed)"]["ways"] > 0


def test_sensitivity_is_the_price_at_those_decks() -> None:
    sheet = par_sheet(analyst("nepal-super-baccarat"))
    for at in sheet.by_decks:
        there = par_sheet(analyst("nepal-super-baccarat", {"decks": at.decks}))
        assert {wager: each.ev for wager, each in there.wagers.items()} == at.ev
        assert at.offered == (at.decks >= 5)


def test_covariances_are_those_of_pairs_of_wagers() -> None:
    tally = counted(analyst("nepal-super-baccarat"))
    names = ["player", "banker", "tie", "lucky-6"]
    found = covariances(tally, names)
    for (i, one), (j, other) in product(enumerate(names), repeat=2):
        if j <= i:
            assert found.covariance[i][j] == covariance(tally, one, other)
    assert found.between(0, 0) == pytest.approx(1)
    assert found.between(0, 1) == found.between(1, 0) < -0.9


def test_insurance_by_what_the_seat_holds() -> None:
    """[BPP-24] [BJ-10]"""
    assert [(each["tens_held"], each["ev"]) for each in record("blackjack", decks=1)["insurance_by_hand"]] == [
        (0, "-1/49"),
        (1, "-4/49"),
        (2, "-1/7"),
    ]
    assert "insurance" not in record("blackjack", insurance="never")["wagers"]


def test_three_card_strategy_is_found() -> None:
    """[TCP-16]"""
    strategy = record("three-card-poker")["strategy"]
    assert (strategy["weakest"], strategy["is_threshold"]) == ("Q-6-4", True)
    priced = {each["name"]: Fraction(each["ev"]) for each in strategy["strategies"]}
    assert priced["best"] == Fraction(-686689, 20358520)
    assert priced["best"] > priced["queen or better"] > priced["always play"] > priced["never play"] == -1
    near = {each["hand"]: Fraction(each["play"]) for each in strategy["around"]}
    assert near["Q-6-4"] > -1 > near["Q-6-3"]


def test_the_page_asks_the_network_for_nothing(tmp_path: Path) -> None:
    file = tmp_path / "sheet.html"
    done = pairhouse("par", "three-card-poker", "--html", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    page = file.read_text()
    assert "://" not in page
    assert not re.search(r"<(script|link|iframe)", page)
    for anchor in re.findall(r'href="#([^"]+)"', page):
        assert f'id="{anchor}"' in page
    for carried in re.findall(r"data:image/svg\+xml;base64,([^\"]+)", page):
        svg = base64.b64decode(carried).decode()
        assert svg.startswith("<svg")
        assert not re.search(r'(?:href|src)="(?!#)', svg)
    assert "Q-6-4" in page


def test_the_print_has_pages_and_the_workbook_opens(tmp_path: Path) -> None:
    pdf, xlsx = tmp_path / "sheet.pdf", tmp_path / "sheet.xlsx"
    assert pairhouse("par", "pair-v3", "--decks", "8", "--pdf", str(pdf)).returncode == 0
    assert pdf.read_bytes().startswith(b"%PDF")
    pages = pypdf.PdfReader(pdf).pages
    assert len(pages) > 2
    assert "PAIR Version 3" in pages[0].extract_text()
    assert pairhouse("par", "nepal-super-baccarat", "--xlsx", str(xlsx)).returncode == 0
    book = openpyxl.load_workbook(io.BytesIO(xlsx.read_bytes()))
    assert book.sheetnames == ["Summary", "Rows", "Risk", "About", "Decks", "Together"]
    summary = {row[0]: row for row in book["Summary"].iter_rows(min_row=2, values_only=True)}
    assert summary["player"][3] == "-241149546272/19524993263685"
    assert summary["player"][2] == pytest.approx(-241149546272 / 19524993263685)
    risk = {row[:2]: row for row in book["Risk"].iter_rows(min_row=2, values_only=True)}
    assert risk["player-on-8", 100_000][4] == pytest.approx(8.996486526e-207, rel=1e-9)


def test_a_chance_too_small_for_a_float_is_said_to_be_below_it_in_every_format() -> None:
    """Ahead after 100,000 rounds at an edge of a third: about 1e-601, so neither a figure nor a 0."""
    sheet = par_sheet(analyst("la-paire"))
    told = json.loads(to_json(sheet.record()))["wagers"]["split-7-joker"]["ahead"][-1]
    assert told == {"rounds": 100_000, "chance": None, "normal_approximation": None, "below": 1e-300}
    lines = {tuple(line[:2]): line for line in pages(sheet)["Risk"]}
    assert lines["split-7-joker", 100_000][4:] == ["< 1e-300", "< 1e-300"]
    section = next(section for section in compose(sheet, [], []).sections if section.id == "risk")
    table = next(block for block in section.blocks if isinstance(block, DataTable) and "normal" in block.columns)
    assert ["< 0.01\u2009%"] * 2 in [row[-2:] for row in table.rows]


def test_a_blackjack_sheet_holds_the_solved_wager_with_its_error_and_class() -> None:
    main = record("blackjack-poker-pairs")["wagers"]["main"]
    assert main["ev"] == pytest.approx(-0.004363, abs=1e-6)
    assert 0 < main["error"] < 1e-9
    assert main["strategy_class"].startswith("composition-dependent")
    assert sum(row["probability"] for row in main["rows"]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("kind", "library"), [("html", "jinja2"), ("pdf", "typst"), ("xlsx", "xlsxwriter"), ("pdf", "matplotlib")]
)
def test_without_the_extra_a_sentence_says_how_to_get_it(kind: str, library: str, tmp_path: Path) -> None:
    file = tmp_path / f"sheet.{kind}"
    code = f"import sys; sys.modules[{library!r}] = None\nfrom pairhouse.cli.main import main\nmain()"
    command = [sys.executable, "-c", code, "par", "pair-v3", f"--{kind}", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert f"this report needs {library}" in done.stderr
    assert "pip install pairhouse[reports]" in done.stderr
    assert not file.exists()


def test_the_terminal_shows_every_wager() -> None:
    done = pairhouse("par", "pair-v3", "--paytable", "2-deck-b")
    assert (done.returncode, done.stderr) == (0, "")
    assert "-190/1751" in done.stdout


@pytest.mark.parametrize("game", [game for game in GAMES if game != "la-paire"])
def test_no_figure_is_broken_in_a_terminal_of_80_columns(game: str) -> None:
    """Names are wrapped between words; every row keeps its ways, its chance and its payment in one piece."""
    sheet = par_sheet(GAMES[game].variant())
    told = io.StringIO()
    Console(file=told, width=80).print(as_text(sheet))
    lines = told.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert not any("…" in line for line in lines)
    for wager, each in sheet.wagers.items():
        line = next(line for line in lines if line.startswith(f"{wager} "))
        assert all(f" {figure}" in line for figure in (percent(-each.ev), price_text(each.largest.pays))), line
        for row in each.rows:
            figures = (price_text(row.pays), f"{row.ways:,}", one_in(row.probability), signed(float(row.returns), 6))
            assert any(all(f" {figure}" in line for figure in figures) for line in lines), figures
    assert f"about {10**24:.6e}" == ways_text(10**24)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["bingo"], "game 'bingo' is unknown"),
        (["pair-v3", "--decks", "9"], "decks '9' is not possible; it can be 1 to 8"),
        (["pair-v3", "--decks", "many"], "decks 'many' is not possible"),
        (["pair-v3", "--paytable", "shoe-z"], "paytable 'shoe-z' is not possible; it can be 2-deck-a"),
        (["la-paire", "--decks", "2"], "decks '2' is not possible; it can be 1"),
        (["la-paire", "--paytable", "x"], "option 'paytable' is unknown"),
        (["la-paire", "--option", "decks"], "option 'decks' has no value"),
        (["la-paire", "--json", "--html", "x.html"], "give it alone, or --html, --pdf and --xlsx without it"),
        (["la-paire", "--html", "x.pdf"], "--html writes HTML, but x.pdf ends in .pdf; let its name end in .html"),
        (["la-paire", "--xlsx", "x.csv"], "x.csv ends in .csv"),
        (["la-paire", "--html", "/nowhere/x.html"], "/nowhere/x.html cannot be written"),
    ],
)
def test_bad_input_is_a_sentence(words: list[str], says: str, tmp_path: Path) -> None:
    done = pairhouse("par", *words)
    assert done.returncode == 2
    assert done.stderr.startswith("pairhouse: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_cards_removed_from_the_shoe() -> None:
    """A counter's question: what is the Tie worth when a 9 is gone; only a shoe that is dealt down has it. [NSB-7]"""
    plain = record("nepal-super-baccarat")
    fewer = json.loads(pairhouse("par", "nepal-super-baccarat", "--removed", "9c 9d 9h", "--json").stdout)
    assert fewer["removed"] == ["9c", "9d", "9h"]
    total = fewer["wagers"]["tie"]["total_ways"]
    assert total == 413 * 412 * 411 * 410 * 409 * 408
    assert Fraction(fewer["wagers"]["player"]["ev"]) != Fraction(plain["wagers"]["player"]["ev"])
    for game, cards, says in (
        ("la-paire", "9c", "is shuffled for every round"),
        ("nepal-super-baccarat", " ".join(["9c"] * 9), "9c appears 9 times"),
        ("nepal-super-baccarat", "9x", "card 1 is '9x'"),
    ):
        done = pairhouse("par", game, "--removed", cards, "--json")
        assert done.returncode == 2
        assert says in done.stderr


@pytest.mark.parametrize(("rounding", "worth"), [("down", -1), ("up", 1), ("nearest", 1)])
def test_the_return_by_stake_where_payments_are_rounded(rounding: str, worth: int) -> None:
    """[NSB-31] Banker on 6 pays half: an odd stake wins half a minor unit less or more then, an even one what it says."""
    sheet = par_sheet(analyst("nepal-super-baccarat", {"rounding": rounding}))
    banker = sheet.wagers["banker"]
    (half,) = [row for row in banker.rows if row.pays == Fraction(1, 2)]
    assert [(at.stake, at.ev - banker.ev) for at in banker.by_stake] == [(1, worth * half.probability / 2), (2, 0)]
    assert {wager for wager, each in sheet.wagers.items() if each.by_stake} == {"banker"}
    assert not par_sheet(analyst("nepal-super-baccarat")).wagers["banker"].by_stake


def test_the_solved_wager_by_stake() -> None:
    """A blackjack at 3 to 2 on a single minor unit pays 1 when rounded down."""
    main = par_sheet(analyst("blackjack", {"decks": 1, "rounding": "down"})).record()["wagers"]["main"]
    (natural,) = [row["probability"] for row in main["rows"] if row["pays"] == 1.5]
    one, two = main["by_stake"]
    assert one["ev"] - two["ev"] == pytest.approx(-natural / 2, abs=1e-12)
