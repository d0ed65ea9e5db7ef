"""The coups of a baccarat shoe, as its roads show them."""

from typing import Any

from pairhouse.games.nepal_super_baccarat import BANKER, PLAYER, Coup
from pairhouse.rounds.round_log import read_round

WINNERS = {PLAYER: "player", BANKER: "banker"}


def coups_of(logs: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """Each coup of these rounds, in order; a round that was called off shows nothing."""
    found = []
    for round_id, log in logs:
        state = read_round(log).replay()
        coup = next(happened for _, happened in state.happened if isinstance(happened, Coup))
        hands = {hand.at: hand for hand in state.view().hands}
        found.append(
            {
                "round": round_id,
                "winner": WINNERS.get(coup.winner, "tie"),
                "player_total": int(hands["Player"].name),
                "banker_total": int(hands["Banker"].name),
                "player_pair": bool(coup.player_pair),
                "banker_pair": bool(coup.banker_pair),
                "player_cards": len(hands["Player"].cards),
                "banker_cards": len(hands["Banker"].cards),
            }
        )
    return found
