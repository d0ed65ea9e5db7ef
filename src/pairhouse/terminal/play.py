"""Play in a terminal: bets by name, cards drawn as cards, choices by key press."""

import re
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import msgspec
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

from pairhouse.core.errors import Refused, one_of, shown, unknown
from pairhouse.core.game import Game
from pairhouse.core.money import amount_text
from pairhouse.core.options import Option
from pairhouse.games.catalogue import GAMES
from pairhouse.machines.events import Event
from pairhouse.rounds.private_table import PrivateTable
from pairhouse.rounds.rulebook import read_book
from pairhouse.terminal.draw import hand_title, results_art, signed, symbol, table_art, wagers_art
from pairhouse.terminal.keys import LeftTableError, ask_key, ask_line

BALANCE = 100_000
PAUSE_S = 0.35

# Settings of the screen, for every game: none of them changes a card, a choice or a price. [BPP-45] [BPP-47]
SETTINGS = (
    Option("speed", "normal", ("normal", "turbo"), "pauses between events, or none"),
    Option("sound", "off", ("on", "off"), "a bell when you win"),
    Option("safety", "on", ("on", "off"), "a warning before a hit that looks like a slip"),
)

HELP = """
  main 10          put 10.00 on main (any wager by its name; see `bets`)
  main             put one chip on main; `chip 25` picks the chip
  2 main 10        the same on seat 2
  undo, clear      take back the last bet, or all of them
  double           double every bet on the table
  rebet            the bets of the last game again
  double rebet     the same at twice the size
  deal             begin (or just press Enter)
  rebet deal       rebet and deal in one
  new              clear the table for a new game
  bets, rules      what can be bet and what it pays; the rule book
  set              show or change options: `set speed turbo`
  log              the last round, as `pairhouse settle` reads it
  lobby, quit      another table, or home
"""


class TerminalTable:
    """A private table with a screen and a keyboard."""

    def __init__(self, console: Console, game: Game, options: dict[str, Any], balance: int = BALANCE) -> None:
        self.console = console
        self.table = PrivateTable(game, options, balance)
        self.settings = {setting.name: setting.default for setting in SETTINGS}
        self.chip = self.table.betting.limits.chips[1]
        self.shown = 0
        self.commands: dict[str, Callable[[], None]] = {
            "undo": lambda: self.table.slip.undo(),
            "clear": lambda: self.table.slip.clear(),
            "double": lambda: self.table.slip.double(self.table.balance),
            "rebet": lambda: self.table.slip.rebet(self.table.balance),
            "double rebet": lambda: self.table.slip.rebet(self.table.balance, times=2),
            "rebet deal": self.rebet_and_deal,
            "new": lambda: self.table.slip.new_game(),
            "deal": self.deal,
            "bets": self.show_bets,
            "rules": self.show_rules,
            "log": self.show_log,
            "help": lambda: self.say(HELP),
            "?": lambda: self.say(HELP),
        }

    def say(self, text: str) -> None:
        """Print a line as it is, without markup."""
        self.console.print(text, markup=False, highlight=False)

    def run(self) -> int:
        """Play until the player goes back to the lobby; the balance that is left."""
        self.welcome()
        try:
            while (line := ask_line(self.console, self.prompt())).strip().lower() != "lobby":
                try:
                    self.obey(line)
                except Refused as refused:
                    self.say(f"  {refused}.")
        finally:
            made = self.table.leave()
            if made:
                self.say(f"\nYou leave, and your bets stay. Decided for you: {', '.join(made)}.")
                self.say(f"Your balance is {amount_text(self.table.balance)}.")
        return self.table.balance

    def welcome(self) -> None:
        """Print what this table is, and how to begin."""
        limits = self.table.betting.limits
        self.console.rule(f"[bold]{self.table.game.name}")
        self.say(self.table.game.summary)
        self.say(
            f"Play money: {amount_text(self.table.balance)}. Stakes {amount_text(limits.minimum)} to "
            f"{amount_text(limits.maximum)} a wager; chips {', '.join(str(chip // 100) for chip in limits.chips)}."
        )
        openers = [w.id for w in self.table.betting.variant.wagers.values() if w.opens]
        self.say(f"Try `{openers[0]} 10`, then Enter to deal. `help` lists the commands, `quit` leaves.")

    def prompt(self) -> str:
        """The prompt, with the balance and the bets."""
        slip = self.table.slip
        many = len({seat for seat, _ in slip.bets}) > 1
        bets = ", ".join(
            f"{f'{seat} ' if many else ''}{wager} {amount_text(stake)}" for (seat, wager), stake in slip.bets.items()
        )
        return f"\n{amount_text(self.table.balance - slip.total)}{f'  [{bets}]' if bets else ''} > "

    def obey(self, line: str) -> None:
        """Run one command, or place a bet."""
        words = " ".join(line.lower().split())
        if words in ("q", "quit", "exit"):
            raise LeftTableError
        if words in ("", *self.commands):
            self.commands[words or ("deal" if self.table.slip.bets else "help")]()
        elif words.split()[0] == "set":
            self.change(words.split()[1:])
        elif words.split()[0] == "chip":
            self.pick_chip(words.split()[1:])
        else:
            self.place(line.split())

    def pick_chip(self, words: list[str]) -> None:
        """Choose the chip in hand. [BPP-11]"""
        chips = self.table.betting.limits.chips
        if not words or parse_amount(words[0]) not in chips:
            raise Refused("bad-chip", f"choose a chip of {one_of(chip // 100 for chip in chips)}")
        self.chip = parse_amount(words[0])

    def place(self, words: list[str]) -> None:
        """A bet: a wager by name, with an amount or the chip in hand, on seat 1 or another. [BPP-11]"""
        seated = len(words) > 1 and words[0].isdecimal() and len(words[0]) < 3 and not words[1][0].isdecimal()
        seat = int(words.pop(0)) if seated else 1
        wagers = {wager.id.lower(): wager for wager in self.table.betting.variant.wagers.values()}
        if words[0].lower() not in wagers:
            given = shown(words[0])
            raise Refused("unknown-wager", f"{given} is neither a command nor a wager; `help` and `bets` list them")
        if len(words) > 2:
            raise Refused("bad-stake", f"{shown(' '.join(words))} is not a bet; write it as `{words[0]} 10`")
        wager = wagers[words[0].lower()]
        amount = parse_amount(words[1]) if len(words) == 2 else wager.fixed or self.chip
        self.table.slip.place(seat, wager.id, amount, self.table.balance)

    def change(self, words: list[str]) -> None:
        """Show or change options of the table and of the game."""
        options = {option.name: option for option in (*SETTINGS, *self.table.game.all_options)}
        if len(words) != 2:
            current = {**self.settings, **self.table.betting.variant.options}
            for name, option in options.items():
                self.say(f"  {name} = {Option.text(current[name])}  ({option.accepted}): {option.says}")
            return
        name, value = words
        if name not in options:
            raise unknown("option", name, options)
        if name in self.settings:
            self.settings[name] = options[name].accept(value)
        else:
            self.table.open({**self.table.options, name: options[name].accept(value)})
            self.say("The table is open under the new option.")

    def show_bets(self) -> None:
        """Print every wager with what it pays."""
        self.console.print(wagers_art(list(self.table.betting.variant.wagers.values())))

    def show_rules(self) -> None:
        """Print the rule book."""
        self.console.print(Markdown(read_book(self.table.game.id)))

    def show_log(self) -> None:
        """Print the log of the last round, as `pairhouse settle` reads it."""
        log = self.table.log
        if log is None:
            raise Refused("no-round", "no round has been played yet")
        self.console.print(msgspec.json.encode(log).decode(), markup=False, highlight=False, soft_wrap=True)

    def rebet_and_deal(self) -> None:
        """Rebet and deal in one step. [BPP-15]"""
        self.table.slip.rebet(self.table.balance)
        self.deal()

    def deal(self) -> None:
        """Play one round, from the first card to the last payment."""
        state = self.table.deal()
        self.shown = 0
        while not state.is_over:
            self.show_events()
            self.console.print(table_art(self.console, state.view(self.seat_to_move()), self.table.seat_numbers))
            state = self.table.choose(self.decide())
        self.show_events()
        self.console.print(table_art(self.console, state.view(1), self.table.seat_numbers))
        self.finish()

    def seat_to_move(self) -> int:
        """The seat whose view is shown: the one that must choose, or the first."""
        state = self.table.state
        return state.awaiting.seat if state is not None and state.awaiting is not None else 1

    def decide(self) -> str:
        """Ask until the player makes a legal choice that the balance covers."""
        state = self.table.state
        if state is None or state.awaiting is None:
            raise AssertionError("the table asks for a choice although none is awaited")
        awaiting = state.awaiting
        keys = {a.key: a.name for a in self.table.game.actions if a.name in awaiting.options}
        labels = "  ".join(f"[{key}] {name}{self.cost_text(awaiting.costs.get(name))}" for key, name in keys.items())
        hand = next(h for h in state.view(awaiting.seat).hands if (h.seat, h.hand) == (awaiting.seat, awaiting.hand))
        many = len(state.bets) > 1
        count = sum(h.seat == awaiting.seat for h in state.view(awaiting.seat).hands)
        while True:
            answer = ask_key(self.console, f"{hand_title(hand, many, count, self.table.seat_numbers)}: {labels} > ")
            name = keys.get(answer, answer)
            if name not in awaiting.options:
                self.say(f"  Press {one_of(f'{key} ({name})' for key, name in keys.items())}.")
            elif awaiting.costs.get(name, 0) > self.table.balance:
                self.say(f"  {name} costs more than your balance of {amount_text(self.table.balance)}.")
            elif self.is_confirmed(name, awaiting.warnings.get(name, "")):
                return name

    def is_confirmed(self, name: str, warning: str) -> bool:
        """The safety net: warn and ask again; the choice stays the player's. [BPP-47]"""
        if not warning or self.settings["safety"] == "off":
            return True
        return ask_key(self.console, f"  Careful: {warning}. Really {name}? [y/n] > ") in ("y", "yes")

    @staticmethod
    def cost_text(cost: int | None) -> str:
        return f" (+{amount_text(cost)})" if cost else ""

    def show_events(self) -> None:
        """Print what has happened since the last time, in a dealer's words."""
        state = self.table.state
        if state is None:
            return
        for event in state.events[self.shown :]:
            text = self.event_text(event, many_seats=len(state.bets) > 1)
            if text:
                self.say(f"  {text}")
                if self.settings["speed"] == "normal" and self.console.is_terminal:
                    time.sleep(PAUSE_S)
        self.shown = len(state.events)

    def event_text(self, event: Event, many_seats: bool) -> str:
        """An event as a line, or empty where the cards on the table say as much."""
        numbers = self.table.seat_numbers
        where = f"Seat {numbers.get(event.seat, event.seat)}: " if event.seat and many_seats else ""
        if event.kind == "said":
            return f"{where}{event.text}"
        if event.kind == "settled" and event.returned:
            return f"{where}{event.wager} returns {amount_text(event.returned)} ({event.row})."
        if event.at and (event.kind == "turned-up" or event.face == "up"):
            return f"{event.at[0].upper()}{event.at[1:]}: {symbol(self.console, event.card)}"
        return ""

    def finish(self) -> None:
        """Print the result of each wager, and the state of the meter and the shoe."""
        state = self.table.state
        if state is None:
            return
        self.console.print(results_art(state.bets, self.table.seat_numbers))
        net = sum(state.net(seat) or 0 for seat in range(1, len(state.bets) + 1))
        self.say(f"This round {signed(net)}, at this table so far {signed(self.table.result)}.")
        if net > 0 and self.settings["sound"] == "on":
            self.console.bell()
        if state.meter is not None:
            self.say(f"The meter stands at {amount_text(state.meter.amount)}.")
        if self.table.shoe is not None and self.table.shoe.finished:
            self.say("The shoe is finished; the next coup comes from a new one.")
        elif self.table.shoe is not None and self.table.shoe.last_round:
            self.say("The cut card is out: one more coup from this shoe.")


def parse_amount(text: str) -> int:
    """`10` or `2.50` as minor units."""
    if not re.fullmatch(r"\d{1,12}(\.\d{1,2})?", text, re.ASCII) or not Decimal(text):
        raise Refused("bad-stake", f"{shown(text)} is not an amount; give one such as 10 or 2.50")
    return int(Decimal(text) * 100)


def choose_game(console: Console) -> Game:
    """The lobby: choose a game by number or by name."""
    console.rule("[bold]Pairhouse")
    games = list(GAMES.values())
    listed = Table.grid(padding=(0, 2))
    for number, game in enumerate(games, 1):
        listed.add_row(str(number), f"[bold]{game.name}[/]", game.summary)
    console.print(listed)
    while True:
        answer = ask_line(console, f"Table (1 to {len(games)}, or its name; quit leaves) > ").strip().lower()
        if answer in ("q", "quit", "exit"):
            raise LeftTableError
        if answer.isdecimal() and len(answer) < 3 and 1 <= int(answer) <= len(games):
            return games[int(answer) - 1]
        if answer in GAMES:
            return GAMES[answer]
        console.print(f"  There is no table {shown(answer)}.", markup=False)


def play_in_terminal(game: Game | None, options: dict[str, Any]) -> None:
    """Play at a table, or choose tables in the lobby, until the player leaves."""
    console = Console(highlight=False)
    balance = BALANCE
    try:
        while True:
            table = TerminalTable(console, game or choose_game(console), options, balance)
            balance = table.run()
            game, options = None, {}
    except (LeftTableError, KeyboardInterrupt):
        console.print("\nGoodbye.")
