"""Games and rounds as JSON records, for commands, files and the API."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.core.game import Action, Variant
from pairhouse.core.options import Option
from pairhouse.core.paytable import Row, Wager
from pairhouse.rounds.round_log import read_round


def _encode(value: Any) -> Any:
    """JSON for what msgspec does not know: fractions as exact text (`3/2`), mappings as objects."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


_encoder = msgspec.json.Encoder(enc_hook=_encode)


def to_json(record: Any) -> bytes:
    """A record as one line of JSON."""
    return _encoder.encode(record)


def answer(line: bytes) -> bytes:
    """Settle a round given as a line of JSON; the answer is one line too, the settled round or the refusal."""
    try:
        return to_json(read_round(line).replay().record())
    except Refused as refused:
        return to_json({"error": str(refused), "code": refused.code})
    except RecursionError:
        return to_json({"error": "this JSON is nested too deeply; a round is a flat record", "code": "bad-json"})


def catalogue_record(variants: Sequence[Variant]) -> dict[str, Any]:
    """The record of every game."""
    return {"games": [game_record(variant) for variant in variants]}


def game_record(variant: Variant) -> dict[str, Any]:
    """The record of a game under its options: all that a program needs to offer it."""
    game = variant.game
    decks, jokers = variant.pack
    return {
        "id": game.id,
        "name": game.name,
        "summary": game.summary,
        "rules_hash": variant.rules_hash,
        "seats_max": game.seats_max,
        "seats_per_player": game.seats_per_player,
        "decks": decks,
        "jokers_per_deck": jokers,
        "places": game.places,
        "choices": [action.name for action in variant.actions],
        "actions": [action_record(variant, action) for action in variant.actions],
        "options": [option_record(option, variant.options[option.name]) for option in game.all_options],
        "wagers": [wager_record(wager, variant.steps) for wager in variant.wagers.values()],
    }


def action_record(variant: Variant, action: Action) -> dict[str, Any]:
    """The record of a choice: its key, the wager it stakes more on, and which cards it keeps, where it says so."""
    record: dict[str, Any] = {"name": action.name, "key": action.key}
    if action.wager is not None:
        record["wager"] = action.wager
    keeps = variant.game.shortcuts.keeps
    if keeps is not None:
        record["keeps"] = keeps(1 << variant.game.actions.index(action))
    return record


def option_record(option: Option, value: Any) -> dict[str, Any]:
    """The record of an option and its value."""
    return {
        "name": option.name,
        "value": value,
        "default": option.default,
        "accepted": option.choices if len(option.choices) < 20 else option.accepted,
        "says": option.says,
    }


def wager_record(wager: Wager, steps: dict[str, int]) -> dict[str, Any]:
    """The record of a wager with its paytable. One that follows from a choice names the wager its stake depends on."""
    record: dict[str, Any] = {"id": wager.id, "name": wager.name, "group": wager.group, "rules": wager.paytable.cites}
    if wager.base is None:
        record |= {"opens": wager.opens, "stake_step": steps[wager.id]}
    else:
        record |= {"follows": wager.base, "stake": Fraction(0 if wager.bonus else wager.multiple)}
    if wager.fixed is not None:
        record["stake_fixed"] = wager.fixed
    return record | {"rows": [row_record(line) for line in wager.paytable.rows], "otherwise": wager.paytable.otherwise}


def row_record(line: Row) -> dict[str, Any]:
    """The record of a paytable row: what it pays to 1, or its share of the meter."""
    if line.share is not None:
        return {"name": line.name, "share": line.share}
    return {"name": line.name, "pays": line.pays}
