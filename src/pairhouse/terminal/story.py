"""A round told in words: one line for each event, in the order a dealer acts."""

from collections.abc import Callable

from pairhouse.core.money import amount_text
from pairhouse.machines.events import DOWN, PRIVATE, Event, Replay


def story(state: Replay) -> str:
    """The whole round in words, with every card's face and what each seat has won or lost."""
    lines = [state.variant.game.name]
    for number, stakes in enumerate(state.stakes, 1):
        bets = ", ".join(f"{name} {amount_text(stake)}" for name, stake in stakes.items())
        lines.append(f"Seat {number} bets {bets}.")
    lines += [f"  {WORDS[event.kind](event)}" for event in state.events if event.kind in WORDS]
    if state.awaiting is not None:
        waits = state.awaiting
        return "\n".join([*lines, f"Seat {waits.seat}, hand {waits.hand} may {', '.join(waits.options)}."])
    for number, bets_of_seat in enumerate(state.bets, 1):
        staked = sum(bet.stake for bet in bets_of_seat.values())
        returned = sum(bet.returned or 0 for bet in bets_of_seat.values())
        lines.append(f"Seat {number} staked {amount_text(staked)} and gets {amount_text(returned)} back.")
    if state.meter is not None:
        lines.append(f"The meter stands at {amount_text(state.meter.amount)}.")
    return "\n".join(lines)


def place(event: Event) -> str:
    """Where an event happens: a seat and hand, or a place of the house."""
    if event.seat is None:
        return event.at or ""
    return f"seat {event.seat}" if event.hand in (None, 1) else f"seat {event.seat}, hand {event.hand}"


def dealt(event: Event) -> str:
    """A card that is dealt."""
    how = {DOWN: " face down", PRIVATE: " in private"}.get(event.face or "", "")
    return f"{event.card} to {place(event)}{how}"


def chosen(event: Event) -> str:
    """A choice, with what it costs."""
    cost = f", staking {amount_text(event.stake)} more" if event.stake else ""
    return f"{place(event)} chooses {event.choice}{cost}"


def settled(event: Event) -> str:
    """A wager that is paid or lost."""
    if not event.returned:
        return f"{place(event)} loses {event.wager} {amount_text(event.stake or 0)}: {event.row}"
    bet = f"{event.wager} {amount_text(event.stake or 0)}"
    return f"{place(event)} is paid on {bet}: {event.row}, {amount_text(event.returned)} back"


WORDS: dict[str, Callable[[Event], str]] = {
    "dealt": dealt,
    "turned-up": lambda event: f"{event.card} is turned up at {place(event)}",
    "peeked": lambda event: "the dealer looks at the hole card",
    "split": lambda event: f"{place(event)} is split, and {event.card} starts the next hand",
    "said": lambda event: f'"{event.text}"' if event.seat is None else f'"{event.text}" ({place(event)})',
    "chosen": chosen,
    "settled": settled,
    "void": lambda event: event.text or "",
}
