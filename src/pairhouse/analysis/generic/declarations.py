"""What a game declares of itself, held to what it does: each shortcut is tried on many deals before it is used."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from pairhouse.analysis.generic.trial_rounds import TrialTable, actions_of, found_of, random_trial, trial
from pairhouse.core.cards import FACES, Card, pack
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant

TRIES = 500
HANDS = 4000


def signature(variant: Variant, table: TrialTable) -> tuple[Any, ...]:
    """What a round came to: how many cards it took, what was asked, what was settled that decides a wager."""
    asked = [(asked.legal, asked.cards) for asked in table.asked]
    return len(table.drawn), asked, [told for told in table.story if type(told[1]) in variant.decided_by]


def again(variant: Variant, cards: Sequence[Card], table: TrialTable) -> TrialTable:
    """The same choices with other cards; where another thing is offered, the lowest."""

    def answer(at: int, legal: int, _situation: int) -> int:
        taken = table.asked[at].action if at < len(table.asked) else 0
        return taken if legal & taken else legal & -legal

    return trial(variant, cards, answer)


@lru_cache(maxsize=64)
def check_shortcuts(variant: Variant, tries: int = TRIES) -> None:
    """Refuse a game that declares what is not so, with the deal that shows it."""
    for name, sentence in findings(variant, tries):
        raise Refused("bad-shortcut", f"{variant.game.name} declares {name}, but {sentence}")


def findings(variant: Variant, tries: int = TRIES) -> Iterator[tuple[str, str]]:
    """Every shortcut that a deal refutes: its name, and the deal."""
    shortcuts = variant.game.shortcuts
    checks = {
        "same": (shortcuts.same is not None, _same),
        "same_after": (shortcuts.same_after is not None, _same_after),
        "suits_alike": (shortcuts.suits_alike, _suits),
        "any_order": (shortcuts.any_order, _order),
        "one_hand": (shortcuts.one_hand, _one_hand),
        "keeps": (shortcuts.keeps is not None, _keeps),
        "compared": (shortcuts.compared is not None, _compared),
    }
    for name, (declared, check) in checks.items():
        if declared:
            random = Random(f"{name} 1")
            for _ in range(tries):
                found = check(variant, random)
                if found:
                    yield name, found
                    break


def _faces(table: TrialTable) -> str:
    return " ".join(FACES[card] for _, card in table.drawn)


def _compare(variant: Variant, table: TrialTable, cards: Sequence[Card], what: str) -> str:
    """Why another deal is not the same to the rules; empty where it is."""
    other = again(variant, cards, table)
    if signature(variant, other) == signature(variant, table):
        return ""
    return f"{_faces(table)} and {_faces(other)}, which {what}, end differently"


def _dealt(variant: Variant, random: Random) -> tuple[list[Card], TrialTable]:
    cards = list(pack(*variant.pack))
    random.shuffle(cards)
    return cards, random_trial(variant, random, cards)


def _swapped_classes(cards: list[Card], class_of: Any, first: int, random: Random) -> list[Card]:
    """Every card from `first` on changed for any other of its class that lies in the deal."""
    found = cards[:first]
    places: dict[int, list[Card]] = {}
    for card in cards[first:]:
        places.setdefault(class_of(card), []).append(card)
    for each in places.values():
        random.shuffle(each)
    return [*found, *(places[class_of(card)].pop() for card in cards[first:])]


def _same(variant: Variant, random: Random) -> str:
    cards, table = _dealt(variant, random)
    other = _swapped_classes(cards, variant.game.shortcuts.same, 0, random)
    return _compare(variant, table, other, "it says are the same")


def _same_after(variant: Variant, random: Random) -> str:
    cards, table = _dealt(variant, random)
    same_after = variant.game.shortcuts.same_after
    assert same_after is not None
    other = _swapped_classes(cards, lambda card: same_after(card, cards[0]), 1, random)
    return _compare(variant, table, other, "it says are the same")


def _suits(variant: Variant, random: Random) -> str:
    cards, table = _dealt(variant, random)
    change = random.sample(range(4), 4)
    other = [change[card // 13] * 13 + card % 13 if card < 52 else card for card in cards]
    return _compare(variant, table, other, "differ in suits")


def _reordered(variant: Variant, random: Random, *, wide: bool) -> str:
    """The cards before one of the choices (or after the last one) in another order, those of each place or of all."""
    cards, table = _dealt(variant, random)
    number = random.randrange(len(table.asked) + 1)
    is_last = number == len(table.asked)
    last = table.asked[-1].cards if table.asked else 0
    first, end = (last, len(table.drawn)) if is_last else (0, table.asked[number].cards)
    groups: dict[Any, list[int]] = {}
    for at in range(first, end):
        groups.setdefault(0 if wide and not is_last else table.drawn[at][0], []).append(at)
    other = list(cards)
    for places in groups.values():
        for at, to in zip(places, random.sample(places, len(places)), strict=True):
            other[to] = cards[at]
    again_table = again(variant, other, table)
    if _from_choice(variant, again_table, number) == _from_choice(variant, table, number):
        return ""
    return f"{_faces(table)} and {_faces(again_table)}, in another order, end differently"


def _from_choice(variant: Variant, table: TrialTable, number: int) -> tuple[Any, ...]:
    """What a round came to from one of its choices on; the situations too."""
    asked = [(asked.legal, asked.situation, asked.cards) for asked in table.asked[number:]]
    return (len(table.asked), asked, signature(variant, table)[2])


def _order(variant: Variant, random: Random) -> str:
    return _reordered(variant, random, wide=False)


def _one_hand(variant: Variant, random: Random) -> str:
    return _reordered(variant, random, wide=True)


def _keeps(variant: Variant, random: Random) -> str:
    """The cards kept and drawn settle as the same hand does when it is dealt and kept whole."""
    cards, table = _dealt(variant, random)
    keeps = variant.game.shortcuts.keeps
    assert keeps is not None
    if len(table.asked) != 1:
        return "a round asks for more or fewer than one choice"
    (asked,) = table.asked
    drawn = [card for _, card in table.drawn]
    held = [*(drawn[at] for at in keeps(asked.action)), *drawn[asked.cards :]]
    whole = next((bit for bit in actions_of(asked.legal) if len(keeps(bit)) == asked.cards), 0)
    if len(held) != asked.cards or not whole:
        return f"{_faces(table)} ends with {len(held)} cards of {asked.cards}"
    rest = [card for card in cards if card not in held]
    random.shuffle(held)
    other = trial(variant, [*held, *rest], lambda _at, _legal, _situation: whole)
    return "" if other.story == table.story else f"{_faces(table)} settles otherwise than {_faces(other)} kept whole"


def _compared(variant: Variant, random: Random) -> str:
    """Another dealer's hand and another seat's hand of the same numbers settle the same."""
    cards, table = _dealt(variant, random)
    compared = variant.game.shortcuts.compared
    assert compared is not None
    if len(table.asked) != 1:
        return "a round asks for more or fewer than one choice"
    number = compared.__code__.co_argcount
    if found_of(variant).draws != 2 * number:
        return f"it takes {number} cards, and a round of two such hands takes {found_of(variant).draws}"
    if len(table.drawn) != 2 * number:
        return ""  # folded: nothing is compared
    hands = [[card for _, card in table.drawn[:number]], [card for _, card in table.drawn[number:]]]
    change = random.sample(range(4), 4)
    moved = [[change[card // 13] * 13 + card % 13 for card in hand] for hand in hands]
    mixed = [hands[0], moved[1]] if random.random() < 0.5 else [moved[0], hands[1]]
    if [compared(*hand) for hand in mixed] != [compared(*hand) for hand in hands]:
        return "hands of the same ranks get other numbers when suits change places"
    if set(mixed[0]) & set(mixed[1]):
        return ""
    rest = [card for card in cards if card not in mixed[0] and card not in mixed[1]]
    found = _compare(variant, table, [*mixed[0], *mixed[1], *rest], "have the same numbers")
    return found or _unequal(variant, table, random)


def _unequal(variant: Variant, table: TrialTable, random: Random) -> str:
    """Two hands of one number must tie, and settle alike whichever of them either side holds."""
    groups = _hands_of_one_number(variant)
    first: tuple[list[Card], Any] | None = None
    one, other = random.sample(random.choice(groups), 2) if groups else ((), ())
    for own, dealer in ((one, other), (other, one), (one, one), (other, other)):
        change = random.sample(range(4), 4)
        moved = [change[card // 13] * 13 + card % 13 for card in dealer] if own == dealer else dealer
        if set(own) & set(moved):
            continue
        rest = [card for card in pack(*variant.pack) if card not in own and card not in moved]
        dealt = again(variant, [*own, *moved, *rest], table)
        cards = [card for _, card in dealt.drawn]
        if first is None:
            first = cards, signature(variant, dealt)
        elif first[1] != signature(variant, dealt):
            told = (" ".join(FACES[card] for card in each) for each in (first[0], cards))
            return f"{' and '.join(told)}, whose hands all have one number, end differently"
    return ""


@lru_cache(maxsize=8)
def _hands_of_one_number(variant: Variant) -> list[list[tuple[Card, ...]]]:
    """Of many random hands, those that share their number with another."""
    compared, random = variant.game.shortcuts.compared, Random(8)
    assert compared is not None
    groups: dict[Any, list[tuple[Card, ...]]] = {}
    for _ in range(HANDS):
        hand = tuple(random.sample(pack(1), compared.__code__.co_argcount))
        groups.setdefault(compared(*hand), []).append(hand)
    return [group for group in groups.values() if len(group) > 1]
