"""The part of the protection report about known cards: a hole card, shared hands, the next card of the shoe."""

from collections.abc import Mapping

from pairhouse.analysis.protect.known_cards import KnownCards
from pairhouse.analysis.protect.protection import Protection
from pairhouse.analysis.reports.render.document import (
    LEFT,
    RIGHT,
    Block,
    DataTable,
    Fact,
    Facts,
    Prose,
    Section,
    percent,
    signed,
)

NEXT_SHOWN = 15


def known_section(found: Protection) -> list[Section]:
    """What known cards are worth."""
    known = found.known_cards
    if known is None or not (known.next_card or known.hole_card or known.shared_hands):
        return []
    blocks = [*seen_blocks(found, known), *shared_blocks(known), *next_blocks(found, known)]
    return [Section("known", "Known cards", blocks)]


def seen_blocks(found: Protection, known: KnownCards) -> list[Block]:
    """A card of the dealer's that is seen, or told from its back."""
    blocks: list[Block] = []
    if known.hole_card is not None:
        seen = known.hole_card
        facts = [
            Fact("The wager", found.wagers[seen.wager].name),
            Fact("Worth to the player", percent(seen.ev, 4)),
            Fact("What seeing the card gains", percent(seen.gain, 4)),
        ]
        if seen.deviation is not None and seen.win_chance is not None:
            facts += [Fact("Deviation", f"{seen.deviation:.4f}"), Fact("Rounds won", percent(seen.win_chance, 4))]
        blocks += [
            Prose("One of the dealer’s face-down cards is seen before the choice, and every hand is played best."),
            Facts(facts),
        ]
        for title, play in seen.how.items():
            blocks += how_blocks(title, play)
    if known.marked_ev is not None:
        text = percent(known.marked_ev, 4)
        blocks.append(Prose(f"When one card of the dealer’s can be told from its back to be {known.marked}: {text}."))
    return blocks


def how_blocks(title: str, play: Mapping[str, object]) -> list[Block]:
    """How the hands are played: by two cards of the dealer's as a square, by one in a sentence."""
    says = f"{title[:1].upper()}{title[1:]}"
    pairs = {tuple(name.split("-")): str(told) for name, told in play.items()}
    if not all(len(pair) == 2 for pair in pairs):
        return [Prose(f"{says}: " + "; ".join(f"{name}: {told}" for name, told in play.items()) + ".")]
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    rows = [[one, *(pairs.get((one, other)) or pairs.get((other, one)) or "–" for other in names)] for one in names]
    return [Prose(f"{says}:"), DataTable(["", *names], [LEFT, *[RIGHT] * len(names)], rows, small=True)]


def shared_blocks(known: KnownCards) -> list[Block]:
    """Hands that the seats show each other."""
    if not known.shared_hands:
        return []
    rows = [
        [f"{each.seats} seats", percent(each.ev, 3), "exact" if each.exact is not None else percent(each.error, 3)]
        for each in known.shared_hands
    ]
    says = "Every seat shows its hand to the others before anyone plays; what an ante is then worth."
    return [Prose(says), DataTable(["", "worth of the ante", "standard error"], [LEFT, RIGHT, RIGHT], rows)]


def next_blocks(found: Protection, known: KnownCards) -> list[Block]:
    """The first card of the round, known before the bets."""
    best = sorted(known.next_card.items(), key=lambda item: -item[1].win)
    shown = [item for item in best if item[1].win > 0][:NEXT_SHOWN]
    if not shown:
        return []
    names = list(shown[0][1].prices)
    rows = [
        [found.wagers[wager].name, *(signed(100 * float(each.prices[name]), 1) for name in names),
         f"{100 * float(each.win):.2f}", each.marked or "", f"{100 * float(each.marked_win):.2f}"]
        for wager, each in shown
    ]  # fmt: skip
    most = f" The {len(shown)} wagers on which most is won." if len(shown) > 1 else ""
    says = (
        "The first card of the round is known before the bets (it was seen, or its back told it): the price in per "
        "cent by that card, and what betting by it wins per 100 rounds. Then the one rank that is worth most to have "
        f"marked, and what that alone wins.{most}"
    )
    titles = ["wager", *(name if name != "joker" else "Jk" for name in names), "wins", "mark", "wins"]
    return [Prose(says), DataTable(titles, [LEFT, *[RIGHT] * (len(titles) - 1)], rows, small=True)]
