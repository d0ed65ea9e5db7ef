"""The filing pack: everything a regulator is sent about a game, made from the game alone."""

import csv
import io
from collections.abc import Iterator, Sequence
from random import Random

from pairhouse.analysis.reports.certificate import JSON_FILE, TEXT_FILE, Certificate, as_text, certify
from pairhouse.analysis.reports.files import FORMATS, without_tables
from pairhouse.analysis.reports.par import ParSheet, par_sheet, to_json
from pairhouse.analysis.reports.render.compose import footer, identity
from pairhouse.analysis.reports.render.document import LEFT, RIGHT, DataTable, Document, Prose, Section, percent
from pairhouse.core.cards import FACES, Card, is_joker, pack, rank, suit
from pairhouse.core.game import Variant
from pairhouse.core.money import price_text
from pairhouse.core.paytable import Wager, placed
from pairhouse.core.session_rules import source_file
from pairhouse.machines.events import Event
from pairhouse.machines.replay import replay
from pairhouse.rounds.rulebook import book_of, numbered_rules

ANY_ORDERS, CHOSEN_ORDERS = 3_000, 9_000
RUN = 5  # ranks in a row


class Example(dict[str, object]):
    """A round that was really dealt and settled, as `pairhouse settle` reads it, with the row it shows."""


def orders(cards: Sequence[Card], random: Random) -> Iterator[list[Card]]:
    """Orders of the pack in which every row comes soon: any at first, then with cards on top that belong together.

    Of one suit, of two ranks, a run of ranks, and a run of one suit.
    """
    dealt = list(cards)
    for number in range(ANY_ORDERS + CHOSEN_ORDERS):
        random.shuffle(dealt)
        if number < ANY_ORDERS:
            yield list(dealt)
            continue
        low, other, one_suit = random.randrange(13), random.randrange(13), random.randrange(4)
        run = {(low + step) % 13 for step in range(RUN)}
        kind = number % 4
        ranks = {low, other} if kind == 1 else run if kind > 1 else set(range(13))
        together = [
            card
            for card in dealt
            if not is_joker(card) and rank(card) in ranks and (kind in (1, 2) or suit(card) == one_suit)
        ]
        first = set(together)
        yield [*together, *(card for card in dealt if card not in first)]


def examples(variant: Variant) -> dict[str, dict[str, Example]]:
    """For each wager and each way it can end, a round that ends so, as far as so many deals show one."""
    random, found = Random(1), dict[str, dict[str, Example]]()
    stakes = {
        wager.id: 2 * variant.steps[wager.id] for wager in placed(list(variant.wagers.values())) if wager.fixed is None
    }
    wanted = {(wager.id, name) for wager in variant.wagers.values() for name, _ in rows_of(wager)}
    for cards in orders(pack(*variant.pack), random):
        choices: list[str] = []
        state = replay(variant, cards, [stakes], choices)
        while state.awaiting is not None:
            choices.append(random.choice(state.awaiting.options))
            state = replay(variant, cards, [stakes], choices)
        for event in state.events:
            if event.kind != "settled" or event.wager is None or event.row in found.get(event.wager, {}):
                continue
            found.setdefault(event.wager, {})[str(event.row)] = Example(
                game=variant.game.id,
                cards=[FACES[card] for card in state.dealt],
                seats=[stakes],
                options=dict(variant.options),
                choices=choices,
                staked=event.stake,
                returned=event.returned,
            )
            wanted.discard((event.wager, str(event.row)))
        if not wanted:
            break
    return found


def rows_of(wager: Wager) -> list[tuple[str, str]]:
    """Every way a wager can end and what it then pays, in words."""
    rows = [(row.name, "a share of the meter" if row.share else price_text(row.pays)) for row in wager.paytable.rows]
    return [*rows, (wager.paytable.otherwise, "loses")]


def payout_schedule(variant: Variant) -> bytes:
    """Every row of every paytable, as CSV."""
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(["wager", "name", "row", "pays to 1"])
    for wager in variant.wagers.values():
        for row in wager.paytable.rows:
            rows.writerow([wager.id, wager.name, row.name, str(row.pays)])
        rows.writerow([wager.id, wager.name, wager.paytable.otherwise, "-1"])
    return text.getvalue().encode()


def told(variant: Variant, event: Event) -> str:
    """What happens in a round, as one would say it."""
    where = event.at or (f"seat {event.seat}" if event.seat is not None else "")
    if event.kind == "settled" and event.wager is not None:
        name = variant.wagers[event.wager].name
        return f"{name} of {where} ends with “{event.row}”: {event.stake} staked, {event.returned} returned"
    if event.kind == "dealt":
        return f"A card to {where}, {event.face}{f': {event.card}' if event.card else ''}"
    if event.kind == "chosen":
        return f"{where} chooses {event.choice}".capitalize()
    if event.kind == "turned-up":
        return f"{event.card} is turned up at {where}"
    if event.kind == "split":
        return f"The hand of {where} is split; {event.card} begins the next"
    if event.kind == "peeked":
        return "The dealer looks at the face-down card"
    return f"The dealer says: {event.text}".rstrip(".") if event.kind == "said" else str(event.text or event.kind)


def dealing(variant: Variant, shown: dict[str, dict[str, Example]]) -> list[str]:
    """One round as the dealer deals it, act by act: the one of the examples with the most acts."""
    every = [example for rows in shown.values() for example in rows.values()]
    rounds = []
    for example in every:
        cards = [FACES.index(face) for face in example["cards"]]  # type: ignore[attr-defined]
        state = replay(variant, cards, example["seats"], example["choices"])  # type: ignore[arg-type]
        rounds.append([told(variant, event) for event in state.events if event.kind != "offered"])
    return max(rounds, key=len)


def filing_document(
    variant: Variant, sheet: ParSheet, certificate: Certificate, shown: dict[str, dict[str, Example]]
) -> Document:
    """The pack as one document: rules, layout, procedure, payouts, examples, prices and what they rest on."""
    game, (decks, jokers) = variant.game, variant.pack
    shuffled = "once for every shoe" if game.shoe else "for every round"
    cards = f"{decks} deck{'s' * (decks > 1)} of 52{f' with {jokers} Jokers each' if jokers else ''}"
    book = [f"{rule.id}: {without_tables(rule.text)}" for rule in numbered_rules(book_of(game))]
    layout = [
        [wager.name, wager.group or ("opens a seat" if wager.opens else "beside it")]
        for wager in placed(list(variant.wagers.values()))
    ]
    layout += [
        [wager.name, f"{wager.multiple} × {variant.wagers[base].name}, by a choice"]
        for base, following in variant.carried.items()
        for wager in following
    ]
    actions = ", ".join(action.name for action in variant.actions)
    rows, cases = [], []
    for wager in variant.wagers.values():
        for name, pays in rows_of(wager):
            rows.append([wager.name, name, pays])
            example = shown.get(wager.id, {}).get(name)
            seen = " ".join(example["cards"]) if example else "none among the deals that were tried"  # type: ignore[arg-type]
            chosen = ", ".join(example["choices"]) if example else ""  # type: ignore[arg-type]
            figures = [str(example["staked"]), str(example["returned"])] if example else ["", ""]
            cases.append([wager.name, name, seen, chosen, *figures])
    prices = [[sheet.names[wager], percent(-each.ev), percent(each.hit, 3)] for wager, each in sheet.wagers.items()]
    prices += [[sheet.names[wager], percent(-each.ev), percent(each.hit, 3)] for wager, each in sheet.solved.items()]
    summary = certificate.summary.replace("**", "")
    seats = "1" if game.seats_max == 1 else f"1 to {game.seats_max}"
    sections = [
        Section("rules", "Rules", [Prose(part) for part in book]),
        Section("layout", "Layout", [
            Prose(f"Places of the house: {', '.join(game.places)}. Seats: {seats}."),
            DataTable(["spot", "kind"], [LEFT, LEFT], layout),
        ]),
        Section("procedure", "Dealing procedure", [
            Prose(f"{cards}, shuffled {shuffled}.{f' Choices: {actions}.' if actions else ''} A round, act by act:"),
            *(Prose(f"{number}. {act}.") for number, act in enumerate(dealing(variant, shown), 1)),
        ]),
        Section("rack-card", "Rack card and payouts", [
            Prose(game.summary), DataTable(["wager", "row", "pays"], [LEFT, LEFT, RIGHT], rows),
        ]),
        Section("examples", "Examples", [
            Prose("Rounds that were really dealt and settled, stakes and returns in minor units; examples.json holds "
                  "each as `pairhouse settle` reads it."),
            DataTable(["wager", "row", "cards in the order dealt", "choices", "staked", "returned"],
                      [LEFT, LEFT, LEFT, LEFT, RIGHT, RIGHT], cases, small=True),
        ]),
        Section("prices", "Prices", [
            DataTable(["wager", "house edge", "hit frequency"], [LEFT, RIGHT, RIGHT], prices),
            Prose(f"These figures were {summary}. First: {certificate.derivations.first}. Second: "
                  f"{certificate.derivations.second}. The par sheet and the certificate have every figure."),
        ]),
    ]  # fmt: skip
    return Document(game.name, "Filing pack", identity(sheet), sections, footer(sheet))


def filing_pack(variant: Variant) -> dict[str, bytes]:
    """Every file of the pack by its path in the folder."""
    from pairhouse.analysis.reports.render.html import as_html  # noqa: PLC0415 (of the reports extra)
    from pairhouse.analysis.reports.render.pdf import as_pdf  # noqa: PLC0415

    sheet = par_sheet(variant, with_readings=True)
    certificate = certify(variant)
    shown = examples(variant)
    document = filing_document(variant, sheet, certificate, shown)
    pack_files = {
        "filing.html": as_html(document).encode(),
        "filing.pdf": as_pdf(document),
        "rules.md": book_of(variant.game).encode(),
        "payout-schedule.csv": payout_schedule(variant),
        "examples.json": to_json(shown),
        "par-sheet.json": to_json(sheet.record()),
        "par-sheet.html": FORMATS[".html"](sheet),
        "par-sheet.pdf": FORMATS[".pdf"](sheet),
        JSON_FILE: to_json(certificate),
        TEXT_FILE: as_text(certificate).encode(),
    }
    file = source_file(variant.game.module)
    if file is not None:
        pack_files[f"source/{file.name}"] = file.read_bytes()
    return pack_files
