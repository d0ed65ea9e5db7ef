"""The odds the watch weighs with: exact where wagers are counted, from the par sheet where they are solved."""

from fractions import Fraction

from pairhouse.analysis.protect.watch import odds_of
from pairhouse.games.catalogue import find
from pairhouse.server.watch.odds_book import table_odds

PAIR = find("pair-v3").variant({"decks": 2})
SHEET = {"wagers": {"main": {"ev": -0.0025, "error": 0.0001, "variance": 1.31}}}


def test_counted_wagers_are_exact_and_all_of_them() -> None:
    variant = find("nepal-super-baccarat").variant()
    found = table_odds(variant, None)
    assert found.is_complete
    assert found.odds.wagers == odds_of(variant).wagers
    assert found.odds.covariance == odds_of(variant).covariance


def test_a_solved_wager_waits_for_its_par_sheet_and_has_its_error_on_the_players_side() -> None:
    waiting = table_odds(PAIR, None)
    assert (set(waiting.odds.wagers), waiting.is_complete) == ({"pair"}, False)
    found = table_odds(PAIR, SHEET)
    main = found.odds.wagers["main"]
    assert (set(found.odds.wagers), found.is_complete) == ({"pair", "main"}, True)
    assert (main.mean, main.chosen) == (Fraction("-0.0024"), True)
    assert main.least <= -8  # four hands, all doubled
    assert found.line_of["insurance"] == "main"
    terms = found.odds.terms((("main", 1_000), ("pair", 500)))
    assert terms.unchosen == frozenset({"pair"})
    assert terms.variance > 1.31 * 1_000**2


def test_a_wager_on_a_meter_is_left_out() -> None:
    variant = find("three-card-poker").variant({"progressive": True})
    assert "progressive" not in table_odds(variant, None).odds.wagers
