"""What is written down of a round at a live table, in order: the entries are the round, and nothing else is kept.

Times are milliseconds since 1970. A seat is a number at the table; where any number of people may bet, it is the
number a bettor was given. Entries hold nothing that anybody at the table may not see; the cards are not among them.
"""

import msgspec

from pairhouse.rounds.round_log import MeterReading


class ShoeBefore(msgspec.Struct, frozen=True, omit_defaults=True):
    """The shoe a coup is dealt from: which of the table's it is, which coup, and the cards gone in the coups before.

    The cards are in the order they were dealt. In the last coup of a shoe the cut card is out.
    """

    number: int
    coup: int
    gone: list[str] = []
    is_last: bool = False


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="entry"):
    """One entry, and when it was written."""

    at: int


class RoundOpened(Entry, frozen=True, kw_only=True, tag="open"):
    """The table is open for bets. The house has committed to its seed.

    `shoe` is what the round is dealt from; without one, a pack shuffled for it alone. `not_before` is until when the
    pace of the table keeps betting open. With `by_hand` a supervisor closes the betting and turns the cards. `meter` is
    what the progressive shows.
    """

    round_id: str
    commitment: str
    shoe: ShoeBefore | None = None
    not_before: int = 0
    by_hand: bool = False
    meter: MeterReading | None = None


class SeatTaken(Entry, frozen=True, kw_only=True, tag="sit"):
    """Somebody sits down."""

    seat: int
    name: str


class SeatLeft(Entry, frozen=True, kw_only=True, tag="leave"):
    """Somebody leaves; with a bet in the round, once it is over."""

    seat: int


class BetPlaced(Entry, frozen=True, kw_only=True, tag="bet"):
    """A bet, in place of any earlier one of this seat; its money is held. `closes_at` is when betting closes.

    Where players have chips of their own: which colour these are, and what each of them is worth.
    """

    seat: int
    name: str
    stakes: dict[str, int]
    seed: str  # the commitment to the seed
    closes_at: int
    colour: int = 0
    chip: int = 0


class BetTakenBack(Entry, frozen=True, kw_only=True, tag="take-back"):
    """A seat takes its bet back, and the money goes with it."""

    seat: int


class SeatReady(Entry, frozen=True, kw_only=True, tag="ready"):
    """A seat has bet what it wants to bet. When all have, nobody waits for the clock."""

    seat: int


class BettingClosed(Entry, frozen=True, kw_only=True, tag="no-more-bets"):
    """No more bets. Seeds are opened until `seeds_until`."""

    seeds_until: int


class SeedOpened(Entry, frozen=True, kw_only=True, tag="seed"):
    """The seed that a seat has committed to."""

    seat: int
    seed: str


class CardsDealt(Entry, frozen=True, kw_only=True, tag="deal"):
    """The cards are dealt: they follow from the seeds. `decide_by` is until when the first question waits."""

    decide_by: int | None = None


class CardTurned(Entry, frozen=True, kw_only=True, tag="turn"):
    """At a table paced by hand: the next card is turned up. Without a name, because nobody came to do it."""

    by: str = ""


class ChoiceMade(Entry, frozen=True, kw_only=True, tag="choice"):
    """A seat has chosen, or its time has run out. `decide_by` is until when the next question waits."""

    seat: int
    word: str
    automatic: bool = False
    decide_by: int | None = None


class CardExposed(Entry, frozen=True, kw_only=True, tag="exposed"):
    """A card was seen that should not have been: everybody may see it now, and the round goes on."""

    by: str
    card: int  # the number of the card in the order it was dealt, from 1
    reason: str = ""


class RoundVoided(Entry, frozen=True, kw_only=True, tag="void"):
    """The whole round is void, by whom and why."""

    by: str
    reason: str
    cards: int | None = None  # at a misdeal, the wrong number of cards


class RoundClosed(Entry, frozen=True, kw_only=True, tag="close"):
    """Everything is paid. The house's seed is open now. `meter` is what a progressive showed before the round."""

    server_seed: str
    meter: MeterReading | None = None


class RoundCorrected(Entry, frozen=True, kw_only=True, tag="corrected"):
    """A round that was closed before has been corrected: all its plays and pays are void, by whom and why."""

    round_id: str
    by: str
    reason: str


AnyEntry = (
    RoundOpened
    | SeatTaken
    | SeatLeft
    | BetPlaced
    | BetTakenBack
    | SeatReady
    | BettingClosed
    | SeedOpened
    | CardsDealt
    | CardTurned
    | ChoiceMade
    | CardExposed
    | RoundVoided
    | RoundClosed
    | RoundCorrected
)
