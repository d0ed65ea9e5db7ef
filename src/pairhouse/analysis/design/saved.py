"""A designed paytable as a file: a small module that is a game of its own, for every command and the floor."""

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import SOURCES, read_source

SUFFIX = ".py"
_NAME = re.compile(r"[^\W\d]\w{0,60}", re.ASCII)
ON_A_MODULE = '''"""{title}: {wager_name} paid by a table of `pairhouse design`."""

from dataclasses import replace
from fractions import Fraction

from {module} import GAME as DESIGNED_FROM
from pairhouse.kit import Options, Paytable, Wager

'''
ON_A_FILE = """{source}

# {title}: {wager_name} paid by a table of `pairhouse design`. What stands above is the file of {base}.

from dataclasses import replace  # noqa: E402
from fractions import Fraction  # noqa: E402

from pairhouse.kit import Options, Paytable, Wager  # noqa: E402

DESIGNED_FROM = {name}
"""
TEMPLATE = '''DESIGNED = {wager!r}
CHOSEN = {options!r}  # the options that choose the rows
DESIGNED_PAYS = {{
{pays}}}


def redesigned(wager: Wager) -> Wager:
    """The wager with the designed pays; rows that are not named and would win are gone."""
    table = wager.paytable
    kept = [line for line in table.rows if line.name in DESIGNED_PAYS or line.pays <= 0]
    rows = tuple(replace(line, pays=DESIGNED_PAYS.get(line.name, line.pays)) for line in kept)
    return replace(wager, paytable=Paytable(table.name, table.cites, rows, table.otherwise))


def designed_wagers(options: Options) -> tuple[Wager, ...]:
    """The wagers of the game, one of them redesigned."""
    offered = DESIGNED_FROM.wagers({{**options, **CHOSEN}})
    return tuple(redesigned(wager) if wager.id == DESIGNED else wager for wager in offered)


GAME = replace(
    DESIGNED_FROM,
    id={game_id!r},
    name={title!r},
    module=__name__,
    options=tuple(
        replace(each, default=CHOSEN[each.name], choices=(CHOSEN[each.name],)) if each.name in CHOSEN else each
        for each in DESIGNED_FROM.options
    ),
    defaults=lambda given: DESIGNED_FROM.defaults({{**CHOSEN, **given}}),
    wagers=designed_wagers,
)
'''


def check_name(file: Path) -> None:
    """Refuse a file that could not be imported as a module."""
    if file.suffix != SUFFIX or not _NAME.fullmatch(file.stem):
        raise Refused("bad-file", f"{file.name} cannot hold a game; name it like my_table.py")


def module_text(variant: Variant, wager: str, rows: Mapping[str, Fraction | int], file: Path) -> str:
    """The source of the file: on top of the game's module, or of a copy of the file that the game came from."""
    check_name(file)
    tables = {name: value for name, value in variant.options.items() if name not in ("decks", "rounding", "cut_card")}
    chosen = {name: value for name, value in tables.items() if _changes_rows(variant, wager, name)}
    pays = "".join(f"    {name!r}: {_fraction(Fraction(pay))},\n" for name, pay in rows.items())
    title = f"{variant.game.name}, {file.stem.replace('_', ' ')}"
    told = TEMPLATE.format(
        wager=wager, options=chosen, pays=pays, title=title, game_id=file.stem.replace("_", "-").lower()
    )
    return _beginning(variant, variant.wagers[wager].name, title) + told


def _beginning(variant: Variant, wager_name: str, title: str) -> str:
    """What makes the game known in the file, as DESIGNED_FROM."""
    game = variant.game
    is_file, (path, name) = read_source(SOURCES.get(game.id, game.module))
    if not is_file:
        return ON_A_MODULE.format(title=title, wager_name=wager_name, module=game.module)
    try:
        source = Path(path).read_text(encoding="utf-8").rstrip()
    except OSError as error:
        raise Refused("bad-file", f"{path} cannot be read again: {error.strerror}") from None
    return ON_A_FILE.format(source=source, title=title, wager_name=wager_name, base=game.name, name=name or "GAME")


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
