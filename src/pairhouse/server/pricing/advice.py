"""What each legal action is worth at this moment, from the exact solvers."""

from pairhouse.core.cards import Card, parse
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.machines.events import View
from pairhouse.server.models import ActionValue, Advice, ChartCell
from pairhouse.server.routes.charts import blackjack_cell, three_card_cell

THREE_CARD = "three-card-poker"
DECIMALS = 12
ROUNDED = 0.5 * 10**-DECIMALS  # what writing a value down adds to its error


def advice_for(variant: Variant, view: View) -> Advice:
    """The values of the awaited choice, given every card this player has seen."""
    if view.awaiting is None:
        raise Refused("nothing-asked", "the round asks nothing now, so there is nothing to advise")
    if variant.game.id == THREE_CARD:
        return _three_card(variant, view)
    return _blackjack(variant, view)


def _told(values: dict[str, float], error: str, strategy: str, cell: ChartCell | None) -> Advice:
    ordered = sorted(values.items(), key=lambda item: -item[1])
    options = {word: ActionValue(f"{value:+.{DECIMALS}f}", error) for word, value in ordered}
    return Advice(options, ordered[0][0], strategy, cell)


def _three_card(variant: Variant, view: View) -> Advice:
    from pairhouse.analysis.exact.counts import three_card
    from pairhouse.games.three_card_poker import FOLD, PLAY

    assert view.awaiting is not None
    cards = next(hand.cards for hand in view.hands if hand.seat == view.awaiting["seat"])
    counted = three_card(variant)
    held = parse([card for card in cards if card is not None])
    values = {"play": float(counted.value_of_hand(PLAY, held)), "fold": float(counted.value_of_hand(FOLD, held))}
    return _told(
        values,
        f"{2 * ROUNDED:.0e}",
        "best play given the three cards held; per unit of the ante",
        three_card_cell(held),
    )


def _blackjack(variant: Variant, view: View) -> Advice:
    from pairhouse.analysis.blackjack.report import ERROR, advise

    assert view.awaiting is not None
    seat, number = view.awaiting["seat"], view.awaiting["hand"]
    held: list[Card] = []
    seen: list[Card] = []
    up: Card | None = None
    for hand in view.hands:
        cards = parse([card for card in hand.cards if card is not None])
        if hand.seat is None:
            up, seen = (cards[0], [*seen, *cards[1:]]) if up is None else (up, [*seen, *cards])
        elif (hand.seat, hand.hand) == (seat, number):
            held = cards
        else:
            seen += cards
    assert up is not None
    record, error = advise(variant, held, up, seen), f"{ERROR + ROUNDED:.1e}"
    values = {name: value for name, value in record["actions"].items() if name in view.awaiting["options"]}
    if "insurance" in view.awaiting["options"]:
        values = {"insurance": record["insurance"], "no-insurance": 0.0}
        return _told(values, error, str(record["strategy_class"]), None)
    cell = blackjack_cell(held, up, "split" in view.awaiting["options"])
    return _told(values, error, str(record["strategy_class"]), cell)
