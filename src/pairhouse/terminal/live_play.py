"""Sit at a live table of a house, in a terminal: bet, decide, hear the dealer and the clock, leave."""

from contextlib import suppress
from functools import partial

from rich.console import Console

from pairhouse.client.house_client import News
from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.core.money import amount_text
from pairhouse.machines.events import View
from pairhouse.rounds.live_entries import RoundCorrected
from pairhouse.rounds.live_round import BETTING, CLOSED, PLAYING
from pairhouse.rounds.live_view import LiveView, Turn
from pairhouse.terminal.draw import signed, table_art, wagers_art
from pairhouse.terminal.keys import LeftTableError, ask_key, ask_line, wait_for_line
from pairhouse.terminal.live_line import LiveLine
from pairhouse.terminal.live_words import Telling, stakes_text
from pairhouse.terminal.play import parse_amount

HELP = """
  ante 10          put 10.00 on ante (any wager by its name; see `bets`); again to raise it
  clear            take all your bets back
  Enter            ready: when everybody who sits is ready, the cards come
  wait             sit this round out
  bets             what can be bet and what it pays
  leave            stand up; a bet in a round stays, and the round is played
"""


class LiveTerminal:
    """A seat at a live table with a screen and a keyboard."""

    def __init__(self, console: Console, house: str, table: str, seat: int | None = None) -> None:
        self.console = console
        self.telling = Telling()
        self.is_corrected = False  # an earlier round was, and the balance may be another
        self.mine: int | None = None
        self.line = LiveLine(house, self.hear)
        self.line.client.on_lost = self.say_lost
        try:
            self.found, self.place = self.line.sit(table, seat)
            self.variant = self.line.variant(self.found.table)
        except BaseException:
            self.line.close()
            raise
        self.note_seat()
        self.opener = next(wager.id for wager in self.variant.wagers.values() if wager.opens)
        self.stakes: dict[str, int] = {}
        self.sits_out = ""  # a round this player only watches
        self.is_ready = ""
        self.shown = ""  # the round whose result was shown

    def note_seat(self) -> None:
        """Which hand is the player's."""
        self.mine = self.place.seat
        self.names = {self.mine or 0: f"{self.mine} (you)"}

    def say(self, text: str) -> None:
        """Print a line as it is."""
        self.console.print(text, markup=False, highlight=False)

    def hear(self, news: News) -> None:
        """Print what happens; called on the thread of the line."""
        self.is_corrected |= any(isinstance(entry, RoundCorrected) for entry in news.entries)
        for words in self.telling.lines(news, self.mine):
            self.say(f"  {words}")

    def say_lost(self) -> None:
        """Print that nobody answers; called on the thread of the line."""
        self.say("  The line is lost. Your seat and your bets are kept; waiting for the house ...")

    def count_money(self) -> None:
        """Ask what the balance is now."""
        self.is_corrected = False
        self.place.balance = self.line.ask(self.line.client.ask("GET", "/players/me"))["balance"]

    def run(self) -> None:
        """Play until the player leaves."""
        self.console.rule(f"[bold]{self.found.name}")
        self.say(f"You sit in seat {self.mine}, with play money of {amount_text(self.place.balance)}.")
        self.say(f"Try `{self.opener} 10`, then Enter. `help` lists the commands, `leave` leaves.")
        try:
            while True:
                self.next_step()
        except (LeftTableError, KeyboardInterrupt):
            self.leave()
        finally:
            self.line.close()

    def next_step(self) -> None:
        """Wait until the table wants something from this seat or has a result for it, and see to that."""
        view = self.line.wait_for(self.concerns_me)
        if view.phase == BETTING:
            self.bet(view)
        elif view.phase == CLOSED:
            self.show_result(view)
        elif view.turn is not None:
            self.decide(view, view.turn)

    def concerns_me(self, view: LiveView) -> bool:
        if view.phase == BETTING:
            return view.round_id not in (self.sits_out, self.is_ready)
        if view.phase == CLOSED:
            return self.place.has_bet(view) and self.shown != view.round_id
        return view.phase == PLAYING and view.turn is not None and bool(view.turn.options)

    # Betting.

    def bet(self, view: LiveView) -> None:
        """One line from the player while betting is open."""
        if self.line.has_lost_seat(view):
            self.line.ask(self.place.sit())
            self.note_seat()
            self.say(f"  You did nothing here for a while and lost your seat. Now you sit in seat {self.mine}.")
        if not self.place.has_bet(view):
            self.stakes = {}
        if self.is_corrected:
            self.count_money()
        left = self.line.seconds_until(view.closes_at)
        clock = f" (betting closes in {left} s)" if left is not None else ""
        bets = f"  [{stakes_text(self.stakes)}]" if self.stakes else ""
        prompt = f"\n{amount_text(self.place.balance)}{bets}{clock} > "
        if not wait_for_line(self.console, prompt, lambda: self.line.is_at(view.round_id, BETTING)):
            return  # the dealer has closed the betting meanwhile
        answer = ask_line(self.console, "")
        try:
            self.obey(view, " ".join(answer.lower().split()))
        except Refused as refused:
            self.say(f"  {refused}.")
            if refused.code == "no-more-bets":
                self.sits_out = view.round_id

    def obey(self, view: LiveView, words: str) -> None:
        """A command, or a bet."""
        match words:
            case "leave" | "quit" | "q" | "exit":
                raise LeftTableError
            case "help" | "?":
                self.say(HELP)
            case "bets":
                self.console.print(wagers_art(list(self.variant.wagers.values())))
            case "wait":
                self.sits_out = view.round_id
            case "clear":
                self.line.ask(self.place.take_back())
                self.stakes = {}
            case "" | "ready" | "deal":
                if not self.stakes:
                    raise Refused("no-bets", f"bet first, such as `{self.opener} 10`; or `wait` for the next round")
                self.line.ask(self.place.ready())
                self.is_ready = view.round_id
            case _:
                self.raise_bet(words.split())

    def raise_bet(self, words: list[str]) -> None:
        """Put more on a wager."""
        wagers = {wager.id.lower(): wager for wager in self.variant.wagers.values() if wager.base is None}
        if words[0] not in wagers:
            raise Refused("unknown-wager", f"{shown(words[0])} is neither a command nor a wager; see `help` and `bets`")
        wager = wagers[words[0]]
        if len(words) != 2:
            raise Refused("bad-stake", f"{shown(' '.join(words))} is not a bet; write it as `{wager.id} 10`")
        stakes = {**self.stakes, wager.id: self.stakes.get(wager.id, 0) + parse_amount(words[1])}
        self.line.ask(self.place.bet(stakes))
        self.stakes = stakes

    # Deciding.

    def decide(self, view: LiveView, turn: Turn) -> None:
        """Ask for the decision that the table waits for."""
        self.console.print(table_art(self.console, self.seen(view), self.names))
        offered = turn.options or []
        keys = {action.key: action.name for action in self.variant.game.actions if action.name in offered}
        costs = turn.costs or {}
        labels = "  ".join(
            f"[{key}] {name}{f' (+{amount_text(costs[name])})' if name in costs else ''}" for key, name in keys.items()
        )
        left = self.line.seconds_until(turn.decide_by)
        prompt = f"Your turn, {left} s: {labels} > "
        is_my_turn = partial(self.line.is_at, view.round_id, PLAYING, turn.number)
        answer = ask_key(self.console, prompt, is_my_turn)
        if not is_my_turn():
            return  # the time is over, and the table has decided
        word = keys.get(answer, answer)
        if word in ("leave", "quit"):
            raise LeftTableError
        if word not in offered:
            self.say(f"  Press {one_of(f'{key} ({name})' for key, name in keys.items())}.")
            return
        try:
            self.line.ask(self.place.choose(word, turn.number))
        except Refused as refused:
            self.say(f"  {refused}.")
            return
        self.line.wait_for(lambda now: now.round_id != view.round_id or now.turn is None or now.turn != turn)

    def seen(self, view: LiveView) -> View:
        """The cards as the drawing reads them."""
        wagers = [each.result or {} for each in view.seats]
        return View(view.game, view.seat, [*view.hands], [*view.events], wagers, None)

    # The end of a round, and of the visit.

    def show_result(self, view: LiveView) -> None:
        """The cards, and what this seat has won or lost."""
        self.shown = view.round_id
        self.console.print(table_art(self.console, self.seen(view), self.names))
        result = next((each.result for each in view.seats if each.seat == self.mine), None) or {}
        staked = sum(bet["stake"] for bet in result.values())
        returned = sum(bet["returned"] or 0 for bet in result.values())
        if view.void is None:
            back = f"{amount_text(returned)} back: {signed(returned - staked)}"
            self.say(f"You staked {amount_text(staked)} and get {back}.")
        self.count_money()
        self.stakes = {}

    def leave(self) -> None:
        """Stand up. A bet is never withdrawn by it."""
        news = self.line.news
        view = news.view if news is not None else None
        stays = view is not None and view.phase != CLOSED and self.place.has_bet(view)
        with suppress(Refused):
            self.line.ask(self.place.leave())
        if stays:
            self.say("\nYour bet stays in the round, and what it wins is yours.")
            if self.variant.game.actions:
                self.say("What you have not decided the clock decides.")
        self.say("\nGoodbye.")


def play_live(house: str, table: str, seat: int | None = None) -> None:
    """Sit at a live table of a house until the player leaves."""
    LiveTerminal(Console(highlight=False), house, table, seat).run()
