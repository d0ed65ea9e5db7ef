"""The library: every example of its page runs as printed, it loads only what is used, and refuses in sentences."""

import doctest
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pairhouse as ph
from session_game import TYPED

ROOT = Path(__file__).parents[2]


def test_every_example_of_the_page_runs_as_printed() -> None:
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    result = doctest.testfile(str(ROOT / "docs/library.md"), module_relative=False, optionflags=flags)
    assert result.attempted > 25
    assert result.failed == 0


@pytest.mark.parametrize(
    "statement",
    [
        "import pairhouse",
        "import pairhouse as ph; ph.game('la-paire').deal({'card-A': 500}, seed=1).net; ph.list_games()",
    ],
)
def test_importing_and_dealing_load_neither_numpy_nor_the_compiler_nor_the_server(statement: str) -> None:
    heavy = "numpy numba litestar uvicorn sqlalchemy pyarrow matplotlib"
    check = f"{statement}; import sys; print([name for name in '{heavy}'.split() if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_importing_the_package_loads_none_of_its_rooms() -> None:
    check = "import pairhouse, sys; print([name for name in sys.modules if name.startswith('pairhouse.')])"
    loaded = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True).stdout
    assert loaded == "['pairhouse.version']\n"


def test_everything_public_is_listed_documented_and_there() -> None:
    assert dir(ph) == sorted(ph.__all__)
    for name in ph.__all__:
        assert getattr(ph, name).__doc__, f"{name} has no docstring"
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        ph.nonsense  # noqa: B018


def test_a_game_says_in_one_line_what_it_is() -> None:
    chosen = repr(ph.game("pair-v3", decks=2))
    assert chosen.startswith("<game('pair-v3', ")
    assert "decks=2" in chosen
    assert "\n" not in repr(ph.game("la-paire"))


def test_what_a_prompt_shows_fits_a_line() -> None:
    for g in (ph.game("three-card-poker"), ph.game("blackjack")):
        sheet, best, opener = g.par(), g.best(), g.wagers[0]
        found: list[object] = [
            g.price(opener),
            g.prices(),
            best,
            *best.charts,
            g.simulate(100),
            sheet,
            sheet.sheet,
            g.agree(5000),
        ]
        r = g.deal({opener: 100}, seed=1)
        found += [r, r.view(seat=1), r.view()]
        assert [line for line in map(repr, found) if len(line) > 120] == []
    advice = ph.game("three-card-poker").best().advise("Qs 6d 4h", seen="2h 3h")
    assert repr(advice) == "<advice: fold -1.000000, play -1.044095>"
    natural = repr(ph.game("blackjack").best().advise("As Kd", up="6h"))
    assert natural == "<advice: A blackjack is paid 3 to 2: there is nothing to decide. worth +1.500000>"
    assert repr(ph.game("three-card-poker").price("ante")) == "<price of ante: -686689/20358520, house edge 3.3730%>"
    assert repr(ph.game("blackjack").price("main")) == "<price of main: -0.004028643428, house edge 0.4029%>"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: ph.game("whist"), "unknown-game"),
        (lambda: ph.game("la-paire", decks=3), "bad-option"),
        (lambda: ph.game("la-paire").price("nonsense"), "unknown-wager"),
        (lambda: ph.game("la-paire").deal(card_B=100), "unknown-wager"),
        (lambda: ph.game("la-paire").deal({"card-A": 100}, seats=[{"card-A": 100}]), "bad-seats"),
        (lambda: ph.game("la-paire").deal({"card-A": 100}).choose("hit"), "no-choice"),
        (lambda: ph.game("la-paire").deal({"card-A": 100}).view(seat=2), "bad-seats"),
        (lambda: ph.game("la-paire").simulate(1e30), "bad-number"),
        (lambda: ph.load(5), "bad-file"),  # type: ignore[arg-type]
        (lambda: ph.load(Path("nowhere.py")), "bad-file"),
        (lambda: ph.game("three-card-poker").deal(ante=100, seed=1).choose("hit"), "illegal-choice"),
        (lambda: ph.game("three-card-poker").simulate(0), "bad-number"),
        (lambda: ph.game("three-card-poker").simulate(float("inf")), "bad-number"),
        (lambda: ph.game("three-card-poker").simulate(1.5), "bad-number"),
        (lambda: ph.game("three-card-poker").simulate(10, seed=-1), "bad-seed"),
        (lambda: ph.game("three-card-poker").par().save("sheet.bmp"), "bad-file"),
        (lambda: ph.game("three-card-poker").simulate(10, seed=1.5), "bad-number"),  # type: ignore[arg-type]
        (lambda: ph.game("three-card-poker").simulate(10, workers=0), "bad-number"),
        (lambda: ph.game("three-card-poker").simulate(10, wagers="ante"), "bad-option"),
        (lambda: ph.game("three-card-poker").simulate(10, wagers=[]), "bad-option"),
        (lambda: ph.game("three-card-poker").par().save(), "bad-file"),
        (lambda: ph.settle("{"), "bad-json"),
        (lambda: ph.settle({"game": "la-paire"}), "bad-round"),
        (lambda: ph.settle(7), "bad-round"),  # type: ignore[arg-type]
        (lambda: ph.game("la-paire").deal("red"), "bad-seats"),  # type: ignore[arg-type]
        (lambda: ph.game("la-paire").deal(seats={"card-A": 100}), "bad-seats"),  # type: ignore[arg-type]
        (lambda: ph.game("la-paire").deal({"card-A": 100}, seed=1.5), "bad-number"),  # type: ignore[arg-type]
        (lambda: ph.game("la-paire").deal({"card-A": 100}).view("1"), "bad-number"),  # type: ignore[arg-type]
        (lambda: ph.game("la-paire").deal({"card-A": 100}, meter=5), "bad-meter"),
        (lambda: ph.game("la-paire").settle(7, [{"card-A": 100}]), "bad-card"),  # type: ignore[arg-type]
        (lambda: ph.game("three-card-poker").settle("As", [{"ante": 100}], "play"), "bad-choices"),
        (lambda: ph.game("three-card-poker").simulate(None), "bad-number"),  # type: ignore[arg-type]
        (lambda: ph.game("three-card-poker", progressive=True).price("progressive", meter=1.5), "bad-number"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_accepted_is_refused_with_a_code(call: object, code: str) -> None:
    with pytest.raises(ph.Refused) as refused:
        call()  # type: ignore[operator]
    assert refused.value.code == code


def test_the_same_seed_deals_the_same_cards_and_another_deals_others() -> None:
    g = ph.game("nepal-super-baccarat")
    first, again, other = (g.deal(player=100, seed=seed).cards for seed in (5, 5, 6))
    assert first == again != other
    assert g.deal(player=100).is_over


def test_two_seats_see_their_own_cards_and_are_settled_apart() -> None:
    r = ph.game("three-card-poker").deal(seats=[{"ante": 100}, {"ante": 200}], seed=4)
    mine = [hand for hand in r.view(seat=1).hands if hand.seat is not None]
    assert [None in hand.cards for hand in mine] == [False, True]
    done = r.choose("fold").choose("fold")
    assert (done.net_of(1), done.net_of(2), done.net) == (-100, -200, -300)


def test_prices_are_a_table_that_prints_and_becomes_records() -> None:
    prices = ph.game("blackjack-poker-pairs").prices()
    assert {"main", "pairs", "poker", "insurance"} <= set(prices)
    assert "house edge" in str(prices)
    assert "<table>" in prices._repr_html_()
    assert repr(prices) == "<Blackjack Poker & Pairs: prices per unit of the first stake: 4 wagers>"
    records = {record["wager"]: record for record in prices.to_records()}
    assert Fraction(records["pairs"]["ev_exact"]) == prices["pairs"].ev  # type: ignore[union-attr]
    assert records["main"]["ev_exact"] is None
    assert 0 < records["main"]["error"] < 1e-9


def test_a_progressive_wager_is_priced_at_a_reading_of_its_meter() -> None:
    g = ph.game("three-card-poker", progressive=True)
    at_seed, higher = g.price("progressive").ev, g.price("progressive", meter=1_000_000).ev
    assert at_seed < higher


def test_a_round_keeps_its_meter_from_log_to_log() -> None:
    seats, meter = [{"ante": 100, "progressive": 100}], {"amount": 700_000, "reserve": 40}
    log: dict[str, Any] = {"game": "three-card-poker", "options": {"progressive": True}, "choices": ["play"]}
    log |= {"cards": ["As", "Ks", "Qs", "2d", "3h", "5s"], "seats": seats, "meter": meter}
    command = [sys.executable, "-m", "pairhouse", "settle", "-"]
    told = subprocess.run(command, input=json.dumps(log), capture_output=True, text=True, check=True).stdout
    r, g = ph.settle(log), ph.game("three-card-poker", progressive=True)
    assert r.net == json.loads(told)["seats"][0]["net"]
    assert r.log["meter"] == meter
    assert ph.settle(r.log).net == r.net
    assert ph.settle({**log, "meter": {"amount": 300_000}}).net != r.net
    assert g.settle(log["cards"], seats, ["play"], meter=700_000).net == r.net
    dealt = g.deal(ante=100, progressive=100, seed=1, meter=700_000).choose("play")
    assert dealt.log["meter"]["amount"] == 700_000
    assert ph.settle(dealt.log).net == dealt.net


@pytest.mark.parametrize("game_id", ["high-red", "nepal-super-baccarat"])
def test_a_game_of_a_session_has_reports_of_its_own_whatever_its_id(game_id: str, tmp_path: Path) -> None:
    source = TYPED.replace('"high-red"', f'"{game_id}"').replace("(1, 0)", '(options["decks"], 0)')
    source = source.replace("),), seats_max", '), Option("decks", 1, (1, 8), "decks")), seats_max')
    scope: dict[str, Any] = {"__name__": "nowhere"}
    exec(source, scope)
    g = ph.game(scope["GAME"])
    sheet = g.par()
    at_decks = {each.decks: (each.offered, each.ev["high"]) for each in sheet.sheet.by_decks}
    assert at_decks[1] == (True, g.price("high").ev)
    assert at_decks[8] == (True, ph.game(scope["GAME"], decks=8).price("high").ev)
    assert at_decks[2][0] is False
    page, record = sheet.save(tmp_path / "sheet.html", tmp_path / "sheet.json")
    assert "High and Red" in page.read_text()
    assert "An eight or more." in page.read_text()
    assert json.loads(record.read_text())["game"] == game_id
    assert "High and Red" in str(sheet)
    assert g.rules().startswith("# High and Red\n\nTwo cards.")


def test_a_sample_is_the_same_as_the_command_gives() -> None:
    command = [sys.executable, "-m", "pairhouse", "simulate", "la-paire", "--rounds", "500", "--seed", "9", "--json"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert f'"ev":{ph.game("la-paire").simulate(500, seed=9)["red"].ev}' in told
