"""A shoe dealt by the compiled rule book has the rounds that live play gives it."""

import numpy as np
import pytest

from pairhouse.analysis.protect.rule_book import counting_of
from pairhouse.core.cards import pack
from pairhouse.core.shoe import Shoe
from pairhouse.games.catalogue import find
from pairhouse.machines.dealt_shoe import deal_shoe
from pairhouse.machines.stories import unpack
from pairhouse.rounds.round_log import RoundLog, faces

BACCARAT = find("nepal-super-baccarat").variant()


@pytest.mark.parametrize("behind_cut", [14, 200, 415])
def test_rounds_of_a_shoe_are_those_of_live_play(behind_cut: int) -> None:
    """[NSB-4] [NSB-5]"""
    order = np.random.default_rng(behind_cut).permutation(np.array(pack(*BACCARAT.pack), np.int64))
    counting = counting_of(BACCARAT)
    ends, stories = deal_shoe(counting.play, BACCARAT.rules, counting.kinds, order, behind_cut)
    shoe = Shoe(order.tolist(), behind_cut)
    for end, story in zip(ends, stories, strict=True):
        state = RoundLog(BACCARAT.game.id, faces(shoe.rest), [{"player": 100}], dict(BACCARAT.options)).replay()
        assert [happened for _, happened in state.happened] == [unpack(int(story), counting.kinds)[0][1]]
        assert not shoe.finished
        shoe = shoe.after(state.cards_used)
        assert shoe.dealt == end
    assert shoe.finished
