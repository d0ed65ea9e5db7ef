"""`pairhouse solve`: the best strategy of the games with decisions, and the value of any hand."""

from typing import Annotated, Any

import typer

from pairhouse.cli.arguments import Json, OptionWords, read_options, write
from pairhouse.core.cards import Card, parse
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import find
from pairhouse.rounds.records import to_json

LETTERS = {"stand": "S", "hit": "H", "double": "D", "split": "P", "surrender": "R"}
COLOURS = {"stand": "red", "hit": "green", "double": "blue", "split": "yellow", "surrender": "magenta"}


def solve_command(
    game: str,
    options: dict[str, Any],
    hand: str | None,
    up: str | None,
    seen: str | None,
) -> tuple[dict[str, Any], Variant]:
    """The record that answers the command, and the variant it is about."""
    variant = find(game).variant(options)
    cards = parse(hand.split()) if hand else []
    if game == "three-card-poker":
        return three_card_record(variant, cards), variant
    if "main" not in variant.wagers:
        raise Refused("no-decision", f"{variant.game.name} has no decision to solve; `pairhouse par {game}` prices it")
    if hand is None:
        from pairhouse.analysis.blackjack.report import solved_game

        return solved_game(variant), variant
    if up is None:
        raise Refused("no-up-card", "give the dealer's up card too, such as --up 10h")
    from pairhouse.analysis.blackjack.report import advise

    (up_card,) = parse([up])
    return advise(variant, cards, up_card, parse(seen.split()) if seen else []), variant


def three_card_record(variant: Variant, cards: list[Card]) -> dict[str, Any]:
    """Three Card Poker: the weakest hand to play, or the value of playing one hand."""
    from pairhouse.analysis.exact.counts import three_card
    from pairhouse.analysis.exact.prices import price
    from pairhouse.core.cards import check_from
    from pairhouse.games.three_card_poker import FOLD, PLAY

    counted = three_card(variant)
    if cards:
        if len(cards) != 3:
            raise Refused("bad-hand", f"{len(cards)} cards were given; a hand has three")
        check_from(cards, *variant.pack)
        values = {name: counted.value_of_hand(action, cards) for name, action in (("play", PLAY), ("fold", FOLD))}
        return {"actions": values, "best": max(values, key=lambda name: values[name])}
    weakest = min(height for height in counted.ways[PLAY] if counted.best(height) == PLAY)
    names = {11: "J", 12: "Q", 13: "K", 14: "A"}
    heights = [weakest // 256 % 16, weakest // 16 % 16, weakest % 16]
    ante = price(counted.under(counted.best), "ante")
    return {
        "game": variant.game.id,
        "options": variant.options,
        "rules_hash": variant.rules_hash,
        "play": "-".join(names.get(height, str(height)) for height in heights) + " or better",
        "ev": ante.ev,
        "element_of_risk": ante.element_of_risk,
        "strategy_class": "best play given the three cards held; other seats' cards are not seen",
    }


def solve(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Three Card Poker or a blackjack game.")],
    option: OptionWords = None,
    hand: Annotated[str | None, typer.Option("--hand", help='A hand, such as "8s 8d".')] = None,
    up: Annotated[str | None, typer.Option("--up", help="The dealer's up card.")] = None,
    seen: Annotated[str | None, typer.Option("--seen", help="Other cards that have been seen.")] = None,
    json: Json = False,
) -> None:
    """The best strategy, or the value of every action with one hand."""
    record, variant = solve_command(game, read_options(option), hand, up, seen)
    if json:
        write(to_json(record))
        return
    show(record, variant)


def show(record: dict[str, Any], variant: Variant) -> None:
    """The record for a person."""
    from rich.console import Console

    console = Console(highlight=False)
    if "actions" in record:
        for name, number in record["actions"].items():
            console.print(f"  {name:12} {float(number):+.6f}", style="bold" if name == record["best"] else "")
        if "insurance" in record:
            console.print(f"  {'insurance':12} {record['insurance']:+.6f}", style="dim")
        return
    console.print(f"[bold]{variant.game.name}[/]  {float(record['ev']):+.6%} per unit staked at first")
    if "chart" in record:
        show_chart(console, record)
    else:
        console.print(f"Play {record['play']}; fold the rest. Exactly {record['ev']} per ante.")
    console.print(f"Strategy class: {record['strategy_class']}.", style="dim")


def show_chart(console: Any, record: dict[str, Any]) -> None:
    """The chart people know: rows of totals, columns of up cards, a colour for each action."""
    from rich.table import Table

    for kind, rows in record["chart"].items():
        table = Table(box=None, pad_edge=False, title=kind, title_justify="left")
        table.add_column("")
        for column in record["columns"]:
            table.add_column(column, justify="center")
        for name, cells in rows.items():
            table.add_row(name, *(f"[{COLOURS[cell]}]{LETTERS[cell]}[/]" for cell in cells))
        console.print(table)
    console.print("S stand, H hit, D double (else hit or stand), P split, R surrender (else hit)", style="dim")
    cost = record["basic_strategy_cost"]
    console.print(f"Played by this chart {record['basic_strategy_ev']:+.6%}; it costs {cost:.6%} against best play,")
    console.print(f"which differs on {len(record['exceptions'])} two-card hands (see --json).")
