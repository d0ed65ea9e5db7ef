"""Strategies named or given for any game: priced by the same walk, simulated by the same table, refused in words."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import pairhouse
from gallery_games import GALLERY, gallery
from pairhouse.analysis.exact.prices import price
from pairhouse.analysis.generic.given_play import read_play
from pairhouse.analysis.generic.play_lookup import best_by_hash, by_file, by_hash
from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.errors import Refused

WAR = gallery("casino_war").variant()


def ev(name: str) -> Fraction:
    """What a unit on the ante comes to under a play."""
    tally = method_of(WAR).play(name).tally()
    assert tally is not None
    return price(tally, "ante").ev


def saved(folder: Path, content: Any) -> str:
    (folder / "play.json").write_text(json.dumps(content))
    return str(folder / "play.json")


def test_a_file_is_priced_between_the_plays_it_is_made_of(tmp_path: Path) -> None:
    """War with one rank of thirteen lies a thirteenth of the way; best play written out and read again is the same."""
    war, surrender = ev("always-war"), ev("always-surrender")
    assert surrender == Fraction(-23, 622)
    once = ev(saved(tmp_path, {"play": {"5": "war"}, "otherwise": "surrender"}))
    assert once - surrender == (war - surrender) / 13
    solved = method_of(WAR).best()
    assert len(solved.record["play"]) == 13
    assert ev(saved(tmp_path, {"play": solved.record["play"], "otherwise": "surrender"})) == solved.ev == war


@pytest.mark.slow
def test_one_action_with_every_hand_where_hands_decide(tmp_path: Path) -> None:
    """Five cards kept and five drawn in their place are one and the same; a play by situations has no price there."""
    method = method_of(gallery("jacks_or_better").variant())
    kept, drawn = (method.play(name).tally() for name in ("always-keep-31", "always-keep-0"))
    assert kept is not None
    assert drawn is not None
    assert price(kept, "bet").ev == price(drawn, "bet").ev == Fraction(-15388, 23205)
    given = method.play(saved(tmp_path, {"play": {"5": "keep-0"}, "otherwise": "keep-31"}))
    assert (given.tally(), given.exact()) == (None, {})


@pytest.mark.slow
def test_always_folding_loses_the_ante() -> None:
    tally = method_of(gallery("caribbean_stud").variant()).play("always-fold").tally()
    assert tally is not None
    assert price(tally, "ante").ev == -1


def test_another_play_is_priced_at_the_command_line() -> None:
    file = str(GALLERY / "casino_war.py")
    told = json.loads(pairhouse("solve", file, "--strategy", "always-surrender", "--json").stdout)
    assert told["wagers"] == {"ante": {"ev": "-23/622"}, "tie": {"ev": "-58/311"}}
    assert (
        "ante                 -3.697749%  -23/622" in pairhouse("solve", file, "--strategy", "always-surrender").stdout
    )


def test_the_machine_looks_it_up_alike() -> None:
    """Every situation, offered and not, in the interpreter and by the table."""
    content = {"play": {str(n): ("war", "surrender")[n % 2] for n in (0, 3, 8, 1 << 40)}, "otherwise": "war"}
    given = read_play(WAR, "given", content)
    tables = given.strategy().tables
    for situation in (0, 1, 2, 3, 8, 1 << 40, (1 << 40) + 1):
        for legal in (1, 2, 3, 4):
            with np.errstate(over="ignore"):
                assert by_file(tables, legal, situation) == given.choose(legal, situation)


def test_every_situation_of_best_play_is_found() -> None:
    """Some thousand at random, one number under two offers among them; what does not come up has no action."""
    random = np.random.default_rng(6)
    situations = np.unique(random.integers(0, 1 << 62, 4000))
    pairs = np.column_stack([np.tile([3, 7], len(situations) // 2), situations[: len(situations) // 2 * 2]])
    pairs = np.concatenate([pairs, [[12, pairs[0, 1]]]])
    actions = np.where(pairs[:, 0] == 12, 8, 1 << random.integers(0, 2, len(pairs)))
    tables = best_by_hash(pairs, actions)
    with np.errstate(over="ignore"):
        assert [by_hash(tables, legal, situation) for legal, situation in pairs.tolist()] == actions.tolist()
        assert by_hash(tables, 1 << 40, 5) == 0


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ([], "a strategy of Casino War is"),
        ({"play": {}}, '"otherwise": "ACTION"'),
        ({"otherwise": "hit"}, "an action is surrender or war"),
        ({"otherwise": "war", "play": []}, "an action for each situation"),
        ({"otherwise": "war", "play": {"x": "war"}}, "no whole number"),
        ({"otherwise": "war", "play": {"5": 1}}, "situation 5 says 1"),
        ({"otherwise": "war", "plays": {}}, "a strategy of Casino War is"),
    ],
)
def test_a_file_that_is_wrong_is_told(tmp_path: Path, content: Any, says: str) -> None:
    with pytest.raises(Refused) as refused:
        method_of(WAR).play(saved(tmp_path, content))
    assert says in str(refused.value)


def test_a_strategy_that_is_not_there_is_told() -> None:
    with pytest.raises(Refused, match="choose best, always-surrender or always-war"):
        method_of(WAR).play("never")


@pytest.mark.slow
def test_simulated_rounds_agree_with_the_price(tmp_path: Path) -> None:
    """War with an even rank, surrender with an odd one, dealt a million times."""
    words = saved(tmp_path, {"play": {str(n): "war" for n in range(0, 13, 2)}, "otherwise": "surrender"})
    done = pairhouse(
        "simulate", str(GALLERY / "casino_war.py"), "--strategy", words, "--rounds", "1e6", "--seed", "7", "--json"
    )
    ante = json.loads(done.stdout)["wagers"]["ante"]
    assert ante["exact"] == pytest.approx(float(ev(words)))
    assert abs(ante["z"]) < 4
