"""Drawings for the terminal: cards, hands, results and paytables; plain text where symbols cannot be printed."""

from collections.abc import Mapping, Sequence

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from pairhouse.core.cards import FACES, SYMBOLS
from pairhouse.core.game import Variant
from pairhouse.core.money import amount_text, price_text
from pairhouse.core.paytable import Paytable, Wager, placed
from pairhouse.machines.events import Bet, Hand, View

SYMBOL_OF = dict(zip(FACES, SYMBOLS, strict=True))
COLOURS = {"♣": "bold", "♦": "bold red", "♥": "bold red", "♠": "bold"}


def symbol(console: Console, face: str | None) -> str:
    """A face as the console can show it: `7♥`, or `7h` where symbols cannot be printed."""
    if face is None:
        return "▒▒" if is_rich(console) else "??"
    if face.startswith("X"):
        return "★" + face[1] if is_rich(console) else face
    return SYMBOL_OF[face] if is_rich(console) else face


def is_rich(console: Console) -> bool:
    """Whether suits and boxes can be printed here."""
    return console.encoding.lower().startswith("utf")


def cards_art(console: Console, faces: Sequence[str | None]) -> Text:
    """Cards side by side, three lines high; one plain line where boxes cannot be printed."""
    if not is_rich(console):
        return Text(" ".join(f"[{symbol(console, face)}]" for face in faces))
    top, middle, bottom = Text(), Text(), Text()
    for face in faces:
        label = symbol(console, face)
        top.append("╭────╮", "dim")
        middle.append("│", "dim").append(f"{label:^4}", COLOURS.get(label[-1], "bold")).append("│", "dim")
        bottom.append("╰────╯", "dim")
    return Text("\n").join([top, middle, bottom])


def hand_title(hand: Hand, many_seats: bool, hands_of_seat: int, numbers: Mapping[int, int | str]) -> str:
    """Whose hand it is; `numbers` maps seats of the round to seats at the table."""
    if hand.at is not None:
        return hand.at[0].upper() + hand.at[1:]
    seat = hand.seat or 0
    title = f"Seat {numbers.get(seat, seat)}" if many_seats else "You"
    return f"{title}, hand {hand.hand}" if hands_of_seat > 1 else title


def table_art(console: Console, view: View, numbers: Mapping[int, int | str]) -> RenderableType:
    """The whole table: the house's cards in a row, the players' hands below, the hand in play marked."""
    many = len({hand.seat for hand in view.hands if hand.seat}) > 1
    rows: list[list[RenderableType]] = [[], []]
    for hand in view.hands:
        count = sum(other.seat == hand.seat for other in view.hands)
        active = view.awaiting is not None and (view.awaiting["seat"], view.awaiting["hand"]) == (hand.seat, hand.hand)
        title = Text().append(hand_title(hand, many, count, numbers), "bold reverse" if active else "bold")
        if hand.name:
            title.append(f"  {hand.name}", "cyan")
        if active:
            title.append("  <", "bold")
        rows[hand.seat is not None].append(Text("\n").join([title, cards_art(console, hand.cards)]))
    return Group(*(Columns(row, padding=(0, 3)) for row in rows if row))


def results_art(bets: Sequence[dict[str, Bet]], numbers: Mapping[int, int | str]) -> Table:
    """What every wager staked and returned."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    many = len(bets) > 1
    for name in ["seat"] * many + ["wager", "result"]:
        table.add_column(name)
    for name in ("staked", "returned", "net"):
        table.add_column(name, justify="right")
    for number, seat in enumerate(bets, 1):
        for name, bet in seat.items():
            net = (bet.returned or 0) - bet.stake
            style = "green" if net > 0 else "" if net == 0 else "dim"
            cells = [name, bet.row or "", amount_text(bet.stake), amount_text(bet.returned or 0), signed(net)]
            table.add_row(*[str(numbers.get(number, number))] * many, *cells, style=style)
    return table


def signed(minor: int) -> str:
    """An amount with its sign: `+5.00`."""
    return f"+{amount_text(minor)}" if minor > 0 else amount_text(minor)


def paytable_line(paytable: Paytable) -> str:
    """A paytable in one line, the way a layout prints it."""
    rows = [line for line in paytable.rows if line.wins or line.pays > -1]
    prices = [f"{line.share} of the meter" if line.share else price_text(line.pays) for line in rows]
    return ", ".join(f"{line.name}: {price}" for line, price in zip(rows, prices, strict=True))


def catalogue_art(variants: Sequence[Variant]) -> Table:
    """The games of the house, one block each."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("game", "seats", "decks", "wagers", "what it is"):
        table.add_column(name, no_wrap=name == "game", justify="left" if name in ("game", "what it is") else "right")
    for variant in variants:
        game = variant.game
        count = str(len(placed(list(variant.wagers.values()))))
        table.add_row(f"[bold]{game.id}[/]", str(game.seats_max), str(variant.pack[0]), count, game.summary)
    return table


def game_art(variant: Variant) -> Group:
    """One game: what it is, its options and its wagers."""
    game = variant.game
    options = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("option", "set to", "accepted", "meaning"):
        options.add_column(name, no_wrap=name == "option")
    for option in game.all_options:
        options.add_row(option.name, option.text(variant.options[option.name]), option.accepted, Text(option.says))
    title = Text(game.name, "bold").append(f"  {game.id}", "dim")
    return Group(
        title,
        game.summary,
        f"rules {variant.rules_hash[:16]}",
        "",
        options,
        "",
        wagers_art(list(variant.wagers.values())),
    )


def wagers_art(wagers: Sequence[Wager]) -> Table:
    """Every bet on the layout with what it pays."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("wager", no_wrap=True)
    table.add_column("pays")
    for wager in wagers:
        note = "" if wager.base is None else " (follows from a choice)"
        table.add_row(wager.id, paytable_line(wager.paytable) + note)
    return table
