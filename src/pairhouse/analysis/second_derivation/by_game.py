"""Which second derivation belongs to which game."""

from collections.abc import Callable, Mapping
from typing import Any

from pairhouse.analysis.second_derivation import Second, baccarat, la_paire, side_bets, three_card
from pairhouse.core.game import Variant
from pairhouse.games import blackjack, three_card_poker
from pairhouse.games import la_paire as la_paire_rules
from pairhouse.games import nepal_super_baccarat as baccarat_rules

SECOND: Mapping[Callable[..., Any], Callable[[Variant], Second]] = {
    baccarat_rules.play: baccarat.derive,
    la_paire_rules.play: la_paire.derive,
    blackjack.play: side_bets.derive,
    three_card_poker.play: three_card.derive,
}
