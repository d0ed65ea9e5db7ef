"""`pairhouse check`: the laws every game keeps, and what its author should be told, each with the line it is about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from pairhouse.analysis.exact.prices import Price
from pairhouse.analysis.generic.declarations import findings
from pairhouse.analysis.generic.trial_rounds import Answer, TrialTable, actions_of, random_trial
from pairhouse.analysis.methods.method import COUNTED
from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.cards import FACES, Card, pack
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.paytable import Wager, placed
from pairhouse.core.session_rules import source_file
from pairhouse.core.verbs import HANDS_PER_SEAT, Place
from pairhouse.machines.events import Replay
from pairhouse.machines.replay import replay

ROUNDS, SHUFFLES = 300, 4
BROKEN, NOTE = "broken", "note"


class Remark(msgspec.Struct, frozen=True):
    """One thing to say: how serious it is, the line of the file, what is so, and what to do about it."""

    grade: str
    line: int
    what: str
    do: str


class Source:
    """The file of a game, to find the line that something is about."""

    def __init__(self, variant: Variant) -> None:
        file = source_file(variant.game.module)
        self.name = file.name if file is not None else variant.game.module
        self.lines = file.read_text(encoding="utf-8").splitlines() if isinstance(file, Path) else []

    def line(self, *words: str) -> int:
        """The first line that holds one of these words, tried in this order; 1 where none does."""
        for word in words:
            for number, text in enumerate(self.lines, 1):
                if word in text:
                    return number
        return 1


@dataclass
class FaceDownTable(TrialTable):
    """A table as live play has it: a face-down card is dealt, and a rule that looks at it gets away with it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.seen: list[int] = []  # places in the pack whose cards the seat may know
        self.places: list[tuple[Place, Card]] = []
        self.peeks: list[bool] = []  # what the dealer's looks under a card have told

    def _take(self, place: Place, *, open_to_seat: bool) -> Card:
        if len(self.places) == len(self.cards):
            raise Refused("too-few-cards", f"a round took all {len(self.cards)} cards and asked for another")
        at = len(self.places)
        self.places.append((place, self.cards[at]))
        self.drawn.append((place, self.cards[at]))
        if open_to_seat:
            self.seen.append(at)
        return self.cards[at]

    def draw(self, place: Place) -> Card:
        return self._take(place, open_to_seat=True)

    def draw_private(self, place: Place) -> Card:
        return self._take(place, open_to_seat=place >= HANDS_PER_SEAT)

    def draw_down(self, place: Place) -> Card:
        return self._take(place, open_to_seat=False)

    def turn_up(self, place: Place, hidden: Card) -> Card:
        self.seen += [at for at, (_, card) in enumerate(self.places) if card == hidden and at not in self.seen][:1]
        return hidden

    def peek(self, place: Place, hidden: Card, lowest: int, highest: int) -> bool:
        self.peeks.append(lowest <= hidden % 13 <= highest)
        return self.peeks[-1]

    def choose(self, place: Place, legal: int, situation: int) -> int:
        self.known_at_choice.append((list(self.seen), list(self.peeks)))
        return super().choose(place, legal, situation)

    @property
    def known_at_choice(self) -> list[tuple[list[int], list[bool]]]:
        known: list[tuple[list[int], list[bool]]] = self.__dict__.setdefault("known", [])
        return known


@dataclass
class BlindTable(FaceDownTable):
    """A table that gives a face-down card as another number, and the card itself only when it is turned up."""

    names: Random = field(default_factory=Random)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.beneath: dict[int, Card] = {}

    def draw_down(self, place: Place) -> Card:
        name = self.names.choice([card for card in range(52) if card not in self.beneath])
        self.beneath[name] = super().draw_down(place)
        return name

    def turn_up(self, place: Place, hidden: Card) -> Card:
        return super().turn_up(place, self.beneath.pop(hidden, hidden))

    def peek(self, place: Place, hidden: Card, lowest: int, highest: int) -> bool:
        return super().peek(place, self.beneath.get(hidden, hidden), lowest, highest)


class FaceDown(int):
    """A face-down card as the exact machines give it: all are one number. It knows its card."""

    card: Card


@dataclass
class AlikeTable(FaceDownTable):
    """A table whose face-down cards all look alike."""

    def draw_down(self, place: Place) -> Card:
        hidden = FaceDown(-1)
        hidden.card = super().draw_down(place)
        return hidden

    def turn_up(self, place: Place, hidden: Card) -> Card:
        return super().turn_up(place, getattr(hidden, "card", hidden))

    def peek(self, place: Place, hidden: Card, lowest: int, highest: int) -> bool:
        return super().peek(place, getattr(hidden, "card", hidden), lowest, highest)


def check_game(variant: Variant) -> tuple[str, list[Remark]]:
    """The file's name, and everything found, the broken laws first."""
    source = Source(variant)
    found: list[Remark] = []
    for look in (_hidden, _shortcuts, _peeking, _settling, _rows, _prices, _situations, _words):
        if look is _rows and any(finding.grade == BROKEN for finding in found):
            what = "rows, prices and best play were not looked at: they mean nothing before the rest is mended"
            found.append(Remark(NOTE, 1, what, "mend what is broken, and check again"))
            break
        try:
            found += look(variant, source)
        except Refused as refused:
            found.append(Remark(NOTE, 1, f"not looked into further: {refused}", "see what the sentence says"))
            break
    return source.name, sorted(found, key=lambda finding: (finding.grade != BROKEN, finding.line))


def _shortcuts(variant: Variant, source: Source) -> Iterator[Remark]:
    """Declarations that a deal refutes."""
    if variant.game.host is None:
        for name, sentence in findings(variant):
            line = source.line(f"{name}=", "shortcuts")
            yield Remark(BROKEN, line, f"it declares {name}, but {sentence}", f"take {name} out of Shortcuts")


def _hidden(variant: Variant, source: Source) -> Iterator[Remark]:
    """What draw_down gives may only be turned up or peeked at: named otherwise, the round must end the same."""
    random = Random(4)
    for number in range(ROUNDS):
        cards = random.sample(pack(*variant.pack), len(pack(*variant.pack)))
        rounds = []
        for name in range(3):
            chosen = Random(number)
            answer: Answer = lambda _at, legal, _s, r=chosen: r.choice(actions_of(legal))  # type: ignore[misc] # noqa: E731
            named = BlindTable(cards, answer, names=Random(f"{number} {name}"))
            table = AlikeTable(cards, answer) if name == 2 else named
            variant.game.play(table, variant.rules)
            rounds.append((table.story, [(asked.legal, asked.situation) for asked in table.asked], len(table.drawn)))
        if rounds[0] != rounds[1] or rounds[0] != rounds[2]:
            what = "the round depends on a face-down card before it is turned up"
            do = "hand what draw_down gave to turn_up, and use what that gives"
            yield Remark(BROKEN, source.line("draw_down(table"), what, do)
            return


def _peeking(variant: Variant, source: Source) -> Iterator[Remark]:
    """A choice may not depend on cards the seat has not seen: they are shuffled, and everything asked must stay."""
    random = Random(11)
    for _ in range(ROUNDS if variant.actions else 0):
        cards = random.sample(pack(*variant.pack), len(pack(*variant.pack)))
        table = FaceDownTable(cards, lambda _at, legal, _s: random.choice(actions_of(legal)))
        variant.game.play(table, variant.rules)
        for number, asked in enumerate(table.asked):
            known, peeks = table.known_at_choice[number]
            for _ in range(SHUFFLES):
                other = _asked_again(variant, _unseen_shuffled(cards, known, random), table, number)
                if other.peeks[: len(peeks)] != peeks:
                    continue  # a look under a card went otherwise, and everybody has seen that
                changed = other.asked[number] if number < len(other.asked) else None
                if changed is None or (changed.legal, changed.situation) != (asked.legal, asked.situation):
                    shown = " ".join(FACES[cards[at]] for at in known)
                    what = f"choice {number + 1} after {shown} depends on cards that the seat has not seen"
                    do = "leave what draw_down gave out of the situation and of what is legal until it is turned up"
                    yield Remark(BROKEN, source.line("choose(table"), what, do)
                    return


def _unseen_shuffled(cards: Sequence[Card], known: Sequence[int], random: Random) -> list[Card]:
    hidden = [at for at in range(len(cards)) if at not in set(known)]
    other = list(cards)
    for at, to in zip(hidden, random.sample(hidden, len(hidden)), strict=True):
        other[to] = cards[at]
    return other


def _asked_again(variant: Variant, cards: Sequence[Card], table: FaceDownTable, number: int) -> FaceDownTable:
    """The same round with other cards, answered alike."""

    def answer(at: int, legal: int, _situation: int) -> int:
        taken = table.asked[at].action if at < len(table.asked) else 0
        return taken if legal & taken else legal & -legal

    other = FaceDownTable(cards, answer)
    variant.game.play(other, variant.rules)
    return other


def _settling(variant: Variant, source: Source) -> Iterator[Remark]:
    """Every stake that is taken is decided, once, at every seat; and a round stakes no more than is reserved for it."""
    random = Random(5)
    stakes = {
        wager.id: 2 * variant.steps[wager.id] for wager in placed(list(variant.wagers.values())) if wager.fixed is None
    }
    for number in range(ROUNDS // 3):
        seats = [stakes] * (variant.game.seats_max if number % 4 == 0 else 1)
        try:
            _play_out(variant, seats, random)
        except AssertionError as error:
            do = "settle each wager's happening once in every round and for every seat, whatever is chosen"
            yield Remark(BROKEN, source.line("settle(table", "def play"), f"a stake is not decided once: {error}", do)
            return
    for wager in variant.wagers.values() if variant.actions else ():
        if wager.opens and wager.id in stakes:
            yield from _reserved(variant, wager, source, random)


def _play_out(variant: Variant, seats: list[dict[str, int]], random: Random) -> Replay:
    """A round with any legal choices, as it is settled at a table."""
    cards = random.sample(pack(*variant.pack), len(pack(*variant.pack)))
    choices: list[str] = []
    state = replay(variant, cards, seats, choices)
    while state.awaiting is not None:
        choices.append(random.choice(state.awaiting.options))
        state = replay(variant, cards, seats, choices)
    return state


def _reserved(variant: Variant, wager: Wager, source: Source, random: Random) -> Iterator[Remark]:
    """What a table can have to pay is reckoned with `units_max`, and with each stake that follows taken once."""
    stake = 2 * variant.steps[wager.id]
    follow = sum((other.multiple for other in variant.wagers.values() if other.base == wager.id), Fraction(0))
    most = variant.game.units_max(variant.rules) + follow
    staked = max(Fraction(_play_out(variant, [{wager.id: stake}], random).staked, stake) for _ in range(ROUNDS // 3))
    if staked > most:
        what = f"a round stakes {staked} times the first stake on {wager.id}, and units_max allows for {most}"
        line = source.line("units_max=", "actions=")
        yield Remark(BROKEN, line, what, f"say units_max=lambda _rules: {ceil(staked)}, or whatever is the most")


def _stories(variant: Variant) -> list[Any]:
    """What can happen, as far as random rounds and an exact count show."""
    random = Random(2)
    stories: list[Any] = [random_trial(variant, random).story for _ in range(5000)]
    method = method_of(variant)
    if method.wagers_from(COUNTED):
        stories += method.tally().stories
    return [told for _, told in dict.fromkeys((type(told), told) for story in stories for _, told in story)]


def _rows(variant: Variant, source: Source) -> Iterator[Remark]:
    """Rows that are never paid: because another comes first, or because they never hold."""
    theirs = set(variant.game.host.variant().wagers) if variant.game.host is not None else set()
    happened = _stories(variant)
    for wager in variant.wagers.values():
        if wager.id not in theirs:
            yield from _rows_of(wager, [each for each in happened if isinstance(each, wager.decided_by)], source)


def _rows_of(wager: Wager, happened: list[Any], source: Source) -> Iterator[Remark]:
    if not happened:
        do = f"settle a {wager.decided_by.__name__} in play, or take the wager out"
        yield Remark(
            BROKEN, source.line(f'Wager("{wager.id}"', f'"{wager.id}"'), f"nothing ever decides {wager.id}", do
        )
        return
    paid = {id(wager.paytable.paid(each)) for each in happened}
    for row in wager.paytable.rows:
        if id(row) in paid:
            continue
        line = source.line(f'"{row.name}"', f'Wager("{wager.id}"', wager.name)
        holds = next((each for each in happened if row.when(each)), None)
        if holds is not None:
            first = wager.paytable.paid(holds).name
            what = f'{wager.id}: the row "{row.name}" is never paid, because "{first}" above it holds whenever it does'
            yield Remark(BROKEN, line, what, f'put "{row.name}" above "{first}"')
        else:
            what = f'{wager.id}: the row "{row.name}" never holds in any deal that was found'
            yield Remark(NOTE, line, what, "see that its condition can be met with these decks")


def _prices(variant: Variant, source: Source) -> Iterator[Remark]:
    """Wagers that return more than they cost, and stakes that cannot be any number of cents."""
    method = method_of(variant)
    theirs = set(variant.game.host.variant().wagers) if variant.game.host is not None else set()
    for wager in method.wagers_from(COUNTED):
        price = method.price(wager)
        line = source.line(f'Wager("{wager}"', f'"{wager}"', variant.wagers[wager].name)
        if isinstance(price, Price) and price.ev > 0:
            what = f"{wager} returns more than it costs: {float(price.ev):+.4%} to the player"
            yield Remark(BROKEN, line, what, "lower what it pays")
        step = variant.steps.get(wager, 1)
        if step > 1 and wager not in theirs:
            what = f"{wager} is staked in steps of {step} minor units, so that every payment is whole"
            yield Remark(NOTE, line, what, "nothing, or choose the option rounding at the table")


def _situations(variant: Variant, source: Source) -> Iterator[Remark]:
    """One number for histories that are best played differently."""
    method = method_of(variant)
    solved = getattr(method, "solved", None)
    if solved is None or not variant.actions or variant.game.host is not None:
        return
    found = solved()
    line = source.line("choose(table")
    if found.forgetful:
        what = f"{len(found.forgetful)} situations are best answered in two ways, by what came before in the round"
        do = "put the number of the choice, what was chosen before, and the cards of other hands into the situation"
        yield Remark(BROKEN, line, what, do)
    lost = [number for number, answers in enumerate(found.answers, 1) if answers.forgets]
    for number in lost:
        what = f"choice {number}: hands that are best played differently have one situation"
        do = "put into the situation what tells them apart, unless the player shall not know it"
        yield Remark(NOTE, line, what, do)


def _words(variant: Variant, source: Source) -> Iterator[Remark]:
    """Phrases never said and actions never offered."""
    random = Random(8)
    said: set[str] = set()
    offered = 0
    for _ in range(4 * ROUNDS):
        table = random_trial(variant, random)
        said |= set(table.shown)
        for asked in table.asked:
            offered |= asked.legal
    if variant.game.host is None:
        for number, phrase in enumerate(variant.game.phrases):
            if str(number) not in said:
                yield Remark(
                    NOTE, source.line(phrase), f'the phrase "{phrase}" was never said', "say it, or take it out"
                )
        for bit, action in enumerate(variant.game.actions):
            if action in variant.actions and not offered >> bit & 1:
                line = source.line(f'"{action.name}"')
                yield Remark(NOTE, line, f"{action.name} was never offered", "make it legal somewhere, or take it out")
