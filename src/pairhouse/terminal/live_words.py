"""What happens at a live table, in the words a dealer would use."""

from collections.abc import Iterator

from pairhouse.client.house_client import News
from pairhouse.core.money import amount_text
from pairhouse.rounds.live_entries import (
    AnyEntry,
    BetPlaced,
    BetTakenBack,
    BettingClosed,
    CardExposed,
    CardsDealt,
    CardTurned,
    ChoiceMade,
    RoundClosed,
    RoundCorrected,
    RoundOpened,
    RoundVoided,
)
from pairhouse.rounds.live_view import LiveView

DEALER_SAYS: dict[type, str] = {  # the same at every table
    BettingClosed: "No more bets.",
    CardsDealt: "The cards are dealt.",
    CardTurned: "The next card is turned.",
    CardExposed: "A card was exposed; everybody may see it, and the round goes on.",
    RoundClosed: "The round is over.",
}


def stakes_text(stakes: dict[str, int]) -> str:
    """`ante 10.00, pairplus 5.00`"""
    return ", ".join(f"{wager} {amount_text(stake)}" for wager, stake in stakes.items())


def seat_text(seat: int, mine: int | None) -> str:
    return "You" if seat == mine else f"Seat {seat}"


def entry_words(entry: AnyEntry, mine: int | None) -> str:
    """An entry as a line, or empty where there is nothing to say."""
    match entry:
        case RoundOpened():
            shoe = entry.shoe
            return f"Shoe {shoe.number}, coup {shoe.coup}. Place your bets." if shoe is not None else "Place your bets."
        case BetPlaced():
            verb = "bet" if entry.seat == mine else f"({entry.name}) bets"
            return f"{seat_text(entry.seat, mine)} {verb} {stakes_text(entry.stakes)}."
        case BetTakenBack():
            return f"{seat_text(entry.seat, mine)} {'take' if entry.seat == mine else 'takes'} the bet back."
        case ChoiceMade():
            late = " (time ran out)" if entry.automatic else ""
            return f"{seat_text(entry.seat, mine)}: {entry.word}{late}."
        case RoundVoided():
            count = f": {entry.cards} card{'s' * (entry.cards != 1)} dealt" if entry.cards is not None else ""
            return f"The round is void ({entry.reason}{count}): every stake that was not decided goes back."
        case RoundCorrected():
            return f"The house has corrected an earlier round ({entry.reason}): its stakes are back, its pays are void."
        case _:
            return DEALER_SAYS.get(type(entry), "")


class Telling:
    """Tells the news of a table, each thing once: what people did, and what the dealer said."""

    def __init__(self) -> None:
        self.round_id = ""
        self.told = 0

    def lines(self, news: News, mine: int | None) -> Iterator[str]:
        """What is new."""
        for entry in news.entries:
            if words := entry_words(entry, mine):
                yield words
        if news.view is not None:
            yield from self._said(news.view, mine)

    def _said(self, view: LiveView, mine: int | None) -> Iterator[str]:
        if view.round_id != self.round_id:
            self.round_id, self.told = view.round_id, 0
        for event in view.events[self.told :]:
            where = f"{seat_text(event.seat, mine)}: " if event.seat is not None else ""
            if event.kind == "said" and event.text:
                yield f"{where}{event.text}"
            elif event.kind == "settled" and event.returned:
                yield f"{where}{event.wager} returns {amount_text(event.returned)} ({event.row})."
        self.told = len(view.events)
