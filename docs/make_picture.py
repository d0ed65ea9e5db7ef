"""Draw the picture of the README: a terminal table at a decision, from a fixed round."""

from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI

from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find
from pairhouse.rounds.round_log import RoundLog
from pairhouse.terminal.draw import table_art
from pairhouse.terminal.play import TerminalTable

CARDS = ["8h", "Ac", "10s", "6d", "8d", "Kc", "6h", "10c", "3h", "10d", "8s", "2c", "7h", "3s"]
LINES = ("main 10", "pairs 5", "2 main 10", "2 poker 2", "3 main 6")

SVG = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>.{unique_id}-matrix {{ font-family: Menlo, "DejaVu Sans Mono", Consolas, monospace;
font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
{styles}</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>{lines}</defs>
{chrome}<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g></svg>
"""


def picture() -> str:
    console = Console(record=True, width=84, file=StringIO(), force_terminal=True, legacy_windows=False)
    terminal = TerminalTable(console, find("blackjack-poker-pairs"), {})
    terminal.welcome()
    for line in LINES:
        terminal.obey(line)
    terminal.say(terminal.prompt() + "deal")
    log = RoundLog("blackjack-poker-pairs", list(CARDS), terminal.table.slip.deal(), choices=["split"])
    terminal.table.round, terminal.table.state = log, log.replay()
    terminal.settings["speed"] = "turbo"
    terminal.show_events()
    console.print(table_art(console, terminal.table.state.view(1), {}))
    awaiting = terminal.table.state.awaiting
    if awaiting is None:
        raise Refused("no-choice", "the picture wants a round that waits for a choice")
    terminal.say("Seat 1, hand 1: [s] stand  [h] hit  [d] double (+10.00) > ")
    return console.export_svg(title="pairhouse play", theme=DIMMED_MONOKAI, code_format=SVG, unique_id="pairhouse")


if __name__ == "__main__":
    (Path(__file__).parent / "terminal.svg").write_text(picture())
