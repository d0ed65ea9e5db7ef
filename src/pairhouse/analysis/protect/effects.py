"""Effects of removal: how much the price of a wager changes when one card is gone from a fresh pack, exactly.

An effect is the price with one such card gone less the price of the whole pack, as a fraction of one stake. A card
drawn blindly and put aside changes no price, so the effects of all cards of the pack add up to 0. Where a wager is
played, each price is that of the best play for the cards that are left; knowing the card then gains a little, and the
sum is what it gains. Everything is a fraction.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pairhouse.analysis.exact.prices import nets
from pairhouse.analysis.generic.budget import progress
from pairhouse.analysis.methods.method import Method
from pairhouse.analysis.methods.records import Removal, Value
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.parts import Part, parts_of
from pairhouse.core.cards import FACES, JOKER, RANK_NAMES, Card, pack, rank
from pairhouse.core.errors import Refused, unknown
from pairhouse.core.game import Variant
from pairhouse.core.tally import Story

JOKER_NAME = "joker"
SUITS = 4
Expectations = dict[str, Value]


@dataclass(frozen=True, eq=False)
class Effects:
    """The effects of one wager, for each face of a deck in the order of the pack; `error` bounds each, 0 where exact.

    `as_played` holds the effects when nobody changes their play for the card that is gone; None where the wager is
    not played, or where that is not worked out.
    """

    wager: str
    price: Value
    by_face: tuple[Value, ...]
    held: tuple[Fraction, ...]  # how many cards of each face the pack holds that the card is taken from
    error: float = 0.0
    as_played: tuple[Value, ...] | None = None

    @property
    def by_rank(self) -> dict[str, Value]:
        """By rank, and for Jokers: where suits matter, of a card of that rank whose suit is not known."""
        return {name: _mean([self.by_face[face] for face in faces]) for name, faces in self.ranks.items()}

    @property
    def by_card(self) -> dict[str, Value]:
        """By card, as people write them."""
        return {FACES[face]: effect for face, effect in enumerate(self.by_face)}

    @property
    def ranks(self) -> dict[str, list[Card]]:
        """The faces of each rank."""
        return faces_by_rank(len(self.by_face))

    @property
    def suits_matter(self) -> bool:
        """Whether cards of one rank have different effects."""
        return any(
            abs(float(self.by_face[face] - self.by_face[faces[0]])) > 2 * self.error
            for faces in self.ranks.values()
            for face in faces
        )

    @property
    def held_by_rank(self) -> dict[str, Fraction]:
        """How many cards of each rank the pack holds."""
        return {name: sum((self.held[face] for face in faces), Fraction(0)) for name, faces in self.ranks.items()}

    @property
    def mean(self) -> Value:
        """What a card put aside unseen changes on average: 0, or what playing by the card that is gone gains."""
        whole = sum((held * effect for held, effect in zip(self.held, self.by_face, strict=True)), Fraction(0))
        return whole / sum(self.held, Fraction(0))

    @property
    def untouched(self) -> bool:
        """Whether no single card changes the price, so that no count of single cards can follow it."""
        return all(abs(float(effect)) <= 2 * self.error for effect in self.by_face)


def faces_by_rank(faces: int) -> dict[str, list[Card]]:
    """The faces of each rank of a deck with so many faces; Jokers are a rank of their own."""
    found: dict[str, list[Card]] = {name: [] for name in RANK_NAMES}
    for face in range(faces):
        found.setdefault(JOKER_NAME if face >= JOKER else RANK_NAMES[rank(face)], []).append(face)
    return found


def _mean(values: Sequence[Value]) -> Value:
    return sum(values, Fraction(0)) / len(values)


def wagers_of(variant: Variant, chosen: Iterable[str] | None = None) -> list[str]:
    """The wagers that can be followed through a shoe, or those chosen; an unknown one is refused by name."""
    left_out = left_out_of(variant)
    followed = [wager for wager in variant.wagers if wager not in left_out]
    for wager in chosen or ():
        if wager in left_out:
            raise Refused("not-priced", f"{wager} cannot be followed: {left_out[wager]}")
        if wager not in followed:
            raise unknown("wager", wager, followed)
    return [wager for wager in followed if chosen is None or wager in set(chosen)]


def left_out_of(variant: Variant) -> dict[str, str]:
    """The wagers that cannot be followed through a shoe, each with the reason."""
    method = method_of(variant)
    reasons = {wager: method.unfollowed(wager) for wager in variant.wagers}
    return {wager: reason for wager, reason in reasons.items() if reason is not None}


def effects(variant: Variant, chosen: Iterable[str] | None = None) -> dict[str, Effects]:
    """The effects of every wager with a price, or of those chosen, in the order of the layout."""
    wagers, found = wagers_of(variant, chosen), dict[str, Effects]()
    for part in parts_of(variant, wagers):
        removals = {wager: part.method.removal(wager) for wager in part.wagers}
        found |= {wager: _from_removal(part, wager, each) for wager, each in removals.items() if each is not None}
        counted = [wager for wager, each in removals.items() if each is None]
        if counted:
            found |= _counted_effects(part, counted)
    return {wager: found[wager] for wager in wagers}


def _from_prices(
    method: Method, wager: str, fresh: Value, without: Mapping[Card, Value], error: float = 0.0
) -> Effects:
    changes = tuple(without[face] - fresh for face in range(len(without)))
    return Effects(wager, fresh, changes, held_by(method), error)


def held_by(method: Method) -> tuple[Fraction, ...]:
    """How many cards of each face a fresh pack holds."""
    decks, jokers = method.variant.pack
    return (Fraction(decks),) * (52 + jokers)


def _counted_effects(part: Part, wagers: Sequence[str]) -> dict[str, Effects]:
    """Counted anew with one card gone, for each class of cards that the count tells apart."""
    method, class_of, told = part.method, part.class_of, progress.get()
    decks, jokers = method.variant.pack
    whole = pack(decks, jokers)
    faces = 52 + jokers
    fresh = method.tally()
    net = {wager: nets(fresh, wager) for wager in wagers}
    prices = {wager: expectation(net[wager], fresh.stories, fresh.total) for wager in wagers}
    by_class: dict[int, dict[str, Fraction]] = {}
    classes = len({class_of(face) for face in range(faces)})
    for face in range(faces):
        if class_of(face) not in by_class:
            told(f"card {len(by_class) + 1} of {classes} gone")
            left = list(whole)
            left.remove(face)
            tally = method.tally(left)
            for wager in wagers:
                net[wager] |= nets(tally, wager) if tally.stories.keys() - net[wager].keys() else {}
            by_class[class_of(face)] = {wager: expectation(net[wager], tally.stories, tally.total) for wager in wagers}
    return {
        wager: _from_prices(
            method, wager, prices[wager], {face: by_class[class_of(face)][wager] for face in range(faces)}
        )
        for wager in wagers
    }


def expectation(net: Mapping[Story, Fraction], stories: Mapping[Story, int], total: int) -> Fraction:
    """The mean of a wager's net over stories: added up in whole numbers for each net result."""
    ways: dict[Fraction, int] = {}
    for story, number in stories.items():
        won = net[story]
        ways[won] = ways.get(won, 0) + number
    return sum((won * number for won, number in ways.items()), Fraction(0)) / total


def _from_removal(part: Part, wager: str, found: Removal) -> Effects:
    """What a method says of one card gone, for every face."""
    changes = tuple(found.without[rank(face)] - found.price for face in range(JOKER))
    held = tuple(
        number - Fraction(found.up.get(rank(face), 0), SUITS) for face, number in enumerate(held_by(part.method))
    )
    before = found.as_before
    as_played = None if before is None else tuple(before[rank(face)] - found.price for face in range(JOKER))
    return Effects(wager, found.price, changes, held, found.error, as_played)
