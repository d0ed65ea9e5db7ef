"""The commands that have a module of their own; each is loaded when it is asked for, and all of them for `--help`."""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

COMMANDS = {  # by name, in the order of `--help`: the module of this room and what it is called there
    "solve": "solve:solve",
    "par": "analysis:par",
    "price": "analysis:price",
    "certify": "analysis:certify",
    "new": "kit:new",
    "check": "kit:check",
    "file": "kit:file",
    "serve": "serve:serve",
    "key": "serve:key",
    "verify": "verify:verify",
    "audit": "books:audit",
    "export": "books:export",
    "hold": "books:hold",
    "watch": "books:watch",
    "report": "report:report",
    "wallet-key": "wallet_key:wallet_key",
    "staff": "staff:staff",
    "void": "books:void",
    "table": "books:table",
    "free-bet": "free_bets:free_bet",
    "backup": "operate:backup",
    "restore": "operate:restore",
    "epoch": "operate:epoch",
    "migrate": "operate:migrate",
    "rekey": "operate:rekey",
    "change-sealing-key": "operate:change_sealing_key",
    "dispute": "operate:dispute",
    "simulate": "simulate:simulate",
    "agree": "agree:agree",
    "shoes": "shoes:shoes",
    "bankroll": "bankroll:bankroll",
    "crowd": "crowd:crowd",
    "protect": "protect:protect",
    "design": "design:design",
}


class CommandGroup(TyperGroup):
    """The commands of the main module, and those of `COMMANDS`."""

    def list_commands(self, ctx: Any) -> list[str]:
        """All names, for `--help`."""
        self._load(*COMMANDS)
        return super().list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One command; where there is none of this name all are loaded, so that one like it can be suggested."""
        if cmd_name not in self.commands:
            self._load(*([cmd_name] if cmd_name in COMMANDS else COMMANDS))
        return super().get_command(ctx, cmd_name)

    def _load(self, *names: str) -> None:
        for name in names:
            if name not in self.commands:
                module, _, called = COMMANDS[name].partition(":")
                self.add_command(command(name, getattr(import_module(f"pairhouse.cli.{module}"), called)), name)


def command(name: str, found: Any) -> Any:
    """A function, or a group of commands, as a command of this name."""
    app = found
    if not isinstance(found, typer.Typer):
        app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        app.command(name)(found)
    made = typer.main.get_command(app)
    made.name = name
    return made
