"""A designed paytable as a file: a small module that is a game of its own, for every command and the floor."""

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant

SUFFIX = ".py"
_NAME = re.compile(r"[^\W\d]\w{0,60}", re.ASCII)
TEMPLATE = '''"""{title}: {wager_name} paid by a table of `pairhouse design`."""

from dataclasses import replace
from fractions import Fraction

from {module} import GAME as BASE
from pairhouse.kit import Options, Paytable, Wager

WAGER = {wager!r}
TABLE = {options!r}  # the options that choose the rows
PAYS = {{
{pays}}}


def designed(wager: Wager) -> Wager:
    """The wager with the designed pays; rows that are not named and would win are gone."""
    table = wager.paytable
    kept = [line for line in table.rows if line.name in PAYS or line.pays <= 0]
    rows = tuple(replace(line, pays=PAYS.get(line.name, line.pays)) for line in kept)
    return replace(wager, paytable=Paytable(table.name, table.cites, rows, table.otherwise))


def wagers(options: Options) -> tuple[Wager, ...]:
    """The wagers of the game, one of them redesigned."""
    offered = BASE.wagers({{**options, **TABLE}})
    return tuple(designed(wager) if wager.id == WAGER else wager for wager in offered)


GAME = replace(BASE, id={game_id!r}, name={title!r}, module=__name__, wagers=wagers)
'''


def check_name(file: Path) -> None:
    """Refuse a file that could not be imported as a module."""
    if file.suffix != SUFFIX or not _NAME.fullmatch(file.stem):
        raise Refused("bad-file", f"{file.name} cannot hold a game; name it like my_table.py")


def module_text(variant: Variant, wager: str, rows: Mapping[str, Fraction | int], file: Path) -> str:
    """The source of the file."""
    check_name(file)
    if not variant.game.module.startswith("pairhouse.games."):
        given = f"{variant.game.name} is not a game of the package"
        raise Refused("bad-file", f"{given}, so a saved table could not name it; put the pays into its own file")
    tables = {name: value for name, value in variant.options.items() if name not in ("decks", "rounding", "cut_card")}
    chosen = {name: value for name, value in tables.items() if _changes_rows(variant, wager, name)}
    pays = "".join(f"    {name!r}: {_fraction(Fraction(pay))},\n" for name, pay in rows.items())
    return TEMPLATE.format(
        title=f"{variant.game.name}, {file.stem.replace('_', ' ')}",
        wager_name=variant.wagers[wager].name,
        module=variant.game.module,
        wager=wager,
        options=chosen,
        pays=pays,
        game_id=file.stem.replace("_", "-").lower(),
    )


def _changes_rows(variant: Variant, wager: str, name: str) -> bool:
    """Whether an option chooses the rows of the wager."""
    option = next((each for each in variant.game.all_options if each.name == name), None)
    if option is None:
        return False
    own = [line.name for line in variant.wagers[wager].paytable.rows]
    for choice in option.choices:
        offered = {each.id: each for each in variant.game.wagers({**variant.options, name: choice})}
        if wager not in offered or [line.name for line in offered[wager].paytable.rows] != own:
            return True
    return False


def _fraction(pay: Fraction) -> str:
    return f"Fraction({pay.numerator})" if pay.denominator == 1 else f"Fraction({pay.numerator}, {pay.denominator})"
