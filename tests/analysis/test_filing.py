"""The filing pack: every row with a round that was really dealt, and one document that a person can read."""

import json

import pytest

from gallery_games import gallery
from pairhouse.analysis.reports.filing import dealing, examples, filing_pack
from pairhouse.core.cards import parse
from pairhouse.core.game import Game
from pairhouse.core.paytable import placed
from pairhouse.games.catalogue import register
from pairhouse.machines.replay import replay


@pytest.mark.parametrize("name", ["dragon_tiger", "red_dog", "let_it_ride", "caribbean_stud"])
def test_every_row_has_a_round_that_ends_so(name: str) -> None:
    """A royal flush too; settled again, each example comes to what it says."""
    variant = gallery(name).variant()
    shown = examples(variant)
    for wager in placed(list(variant.wagers.values())):
        missing = [row.name for row in wager.paytable.rows if row.name not in shown[wager.id]]
        assert missing == [], wager.id
        for row, example in shown[wager.id].items():
            cards, seats, choices = (example[part] for part in ("cards", "seats", "choices"))
            events = replay(variant, parse(cards), seats, choices).events  # type: ignore[arg-type]
            settled = [(e.row, e.stake, e.returned) for e in events if e.kind == "settled" and e.wager == wager.id]
            assert (row, example["staked"], example["returned"]) in settled


def test_the_procedure_is_told_in_words() -> None:
    """Cards are named as they are printed everywhere, and nothing is called by the name of an event."""
    variant = gallery("caribbean_stud").variant()
    acts = dealing(variant, examples(variant))
    turned = [act for act in acts if act.endswith("is turned up at dealer")]
    assert len(turned) == 4
    assert all(parse([act.split()[0]]) for act in turned)
    assert not any("turned-up" in act for act in acts)


def test_the_pack_is_one_document_with_its_sources() -> None:
    game: Game = gallery("dragon_tiger")
    with register(game):
        files = filing_pack(game.variant())
    assert files["filing.pdf"].startswith(b"%PDF")
    page = files["filing.html"].decode()
    for words in ("Rules", "Layout", "Dealing procedure", "Rack card", "Examples", "suited tie", "50 to 1", "3.7349"):
        assert words in page, words
    assert b"def play" in files["source/dragon_tiger.py"]
    assert json.loads(files["examples.json"])["tie"]["tie"]["returned"] == 18
