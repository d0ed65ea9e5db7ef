"""The filing pack: everything a regulator is sent about a game, made from the game alone."""

import csv
import html
import io
from random import Random

from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.reports.certificate import JSON_FILE, TEXT_FILE, as_text, certify
from pairhouse.analysis.reports.files import FORMATS
from pairhouse.analysis.reports.par import par_sheet, to_json
from pairhouse.core.cards import FACES, pack
from pairhouse.core.game import Variant
from pairhouse.core.paytable import placed
from pairhouse.core.session_rules import source_file
from pairhouse.machines.replay import replay
from pairhouse.rounds.rulebook import read_book

EXAMPLE_ROUNDS = 20_000


class Example(dict[str, object]):
    """A round that was really dealt and settled, as `pairhouse settle` reads it, with the row it shows."""


def examples(variant: Variant, rounds: int = EXAMPLE_ROUNDS) -> dict[str, dict[str, Example]]:
    """For each wager and each way it can end, a round that ends so; rare rows may not be among so many deals."""
    random, found = Random(1), dict[str, dict[str, Example]]()
    stakes = {
        wager.id: 2 * variant.steps[wager.id] for wager in placed(list(variant.wagers.values())) if wager.fixed is None
    }
    cards = list(pack(*variant.pack))
    for _ in range(rounds):
        random.shuffle(cards)
        choices: list[str] = []
        state = replay(variant, cards, [stakes], choices)
        while state.awaiting is not None:
            choices.append(random.choice(state.awaiting.options))
            state = replay(variant, cards, [stakes], choices)
        for event in state.events:
            if event.kind != "settled" or event.wager is None:
                continue
            shown = found.setdefault(event.wager, {})
            if event.row not in shown:
                shown[str(event.row)] = Example(
                    game=variant.game.id,
                    cards=[FACES[card] for card in state.dealt],
                    seats=[stakes],
                    options=dict(variant.options),
                    choices=choices,
                    staked=event.stake,
                    returned=event.returned,
                )
    return found


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


def rack_card(variant: Variant) -> bytes:
    """What a player reads at the table: how to play in a sentence, the choices, what each wager pays."""
    game = variant.game
    lines = [f"# {game.name}", "", game.summary, ""]
    if variant.actions:
        lines += ["Choices: " + ", ".join(action.name for action in variant.actions) + ".", ""]
    for wager in variant.wagers.values():
        lines += [f"## {wager.name}", ""]
        lines += [f"- {row.name}: {row.pays} to 1" for row in wager.paytable.rows if row.pays > 0]
        lines += [f"- {row.name}: push" for row in wager.paytable.rows if row.pays == 0]
        lines.append("")
    return "\n".join(lines).encode()


def dealing_procedure(variant: Variant) -> bytes:
    """One round as the dealer deals it, told act by act."""
    decks, jokers = variant.pack
    shuffled = "once for every shoe" if variant.game.shoe else "for every round"
    lines = [
        f"# Dealing {variant.game.name}", "",
        f"{decks} deck(s){f' with {jokers} Jokers each' if jokers else ''}, shuffled {shuffled}.",
        f"Places of the house: {', '.join(variant.game.places)}. Seats: 1 to {variant.game.seats_max}.", "",
        "A round, act by act:", "",
    ]  # fmt: skip
    shown = examples(variant, 1)
    example = next(iter(next(iter(shown.values())).values()))
    stakes: list[dict[str, int]] = example["seats"]  # type: ignore[assignment]
    cards = [FACES.index(face) for face in example["cards"]]  # type: ignore[attr-defined]
    for event in replay(variant, cards, stakes, example["choices"]).events:  # type: ignore[arg-type]
        where = event.at or (f"seat {event.seat}" if event.seat is not None else "")
        what = " ".join(str(part) for part in (event.card, event.face, event.text, event.choice, event.row) if part)
        lines.append(f"1. {event.kind} {where} {what}".rstrip())
    return "\n".join(lines).encode()


def filing_pack(variant: Variant) -> dict[str, bytes]:
    """Every file of the pack by its path in the folder."""
    method_of(variant)
    sheet = par_sheet(variant, with_readings=True)
    certificate = certify(variant)
    shown = examples(variant)
    pack_files = {
        "rules.md": read_book(variant.game.id).encode(),
        "dealing-procedure.md": dealing_procedure(variant),
        "rack-card.md": rack_card(variant),
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
    return {"index.html": index(variant, pack_files, shown), **pack_files}


def index(variant: Variant, pack_files: dict[str, bytes], shown: dict[str, dict[str, Example]]) -> bytes:
    """A page that leads to every file and says which rows have an example."""
    items = "".join(f'<li><a href="{html.escape(name)}">{html.escape(name)}</a></li>' for name in pack_files)
    rows = []
    for wager in variant.wagers.values():
        for name in [*(row.name for row in wager.paytable.rows), wager.paytable.otherwise]:
            there = shown.get(wager.id, {}).get(name)
            cards = " ".join(there["cards"]) if there else f"too rare for {EXAMPLE_ROUNDS:,} deals"  # type: ignore[arg-type]
            rows.append(f"<tr><td>{html.escape(wager.name)}<td>{html.escape(name)}<td>{html.escape(str(cards))}</tr>")
    title = html.escape(f"{variant.game.name}: filing pack")
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><h1>{title}</h1>'
    examples_table = f"<h2>Examples</h2><table><tr><th>wager<th>row<th>cards</tr>{''.join(rows)}</table>"
    return f"{head}<p>Rules hash {variant.rules_hash}</p><ul>{items}</ul>{examples_table}</html>".encode()
