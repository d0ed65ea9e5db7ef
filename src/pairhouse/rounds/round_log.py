"""The log of a round, which is all there is to a round: it can be written by hand, stored, replayed and verified."""

from collections.abc import Callable, Sequence
from dataclasses import replace as replace_fields
from typing import Any

import msgspec

from pairhouse.core.cards import FACES, Card, parse
from pairhouse.core.errors import Refused, one_of
from pairhouse.core.game import Variant
from pairhouse.core.meter import Meter
from pairhouse.games.catalogue import find
from pairhouse.machines.events import Replay
from pairhouse.machines.replay import replay


class MeterReading(msgspec.Struct, forbid_unknown_fields=True):
    """What a progressive meter shows, and its reserve, in minor units."""

    amount: int
    reserve: int = 0


class RoundLog(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A round: its game and options, the order of its cards, the wagers of each seat and the choices made.

    `rules` is the hash of the rules the round was dealt under; without it, the rules in force are used. `meter` is the
    progressive meter before the round. `void` is the reason why the round was called off, if it was.
    """

    game: str
    cards: list[Any]
    seats: list[dict[str, Any]]
    options: dict[str, Any] = {}
    choices: list[str] = []
    rules: str | None = None
    meter: MeterReading | None = None
    void: str | None = None

    @property
    def variant(self) -> Variant:
        """The game under the options of this round."""
        return find(self.game).variant(self.options)

    def replay(self) -> Replay:
        """Replay the round; refused if it was dealt under other rules than those in force."""
        variant = self.variant
        if self.rules is not None and self.rules != variant.rules_hash:
            dealt, now = self.rules[:12], variant.rules_hash[:12]
            raise Refused("other-rules", f"the round was dealt under rules {dealt}; the rules in force are {now}")
        return replay(
            variant, parse(self.cards), self.seats, self.choices, meter=self.meter_before(variant), void=self.void
        )

    def meter_before(self, variant: Variant) -> Meter | None:
        """The progressive meter before the round, from the log or new; None where the game has none."""
        return meter_at(variant, self.meter)


def meter_at(variant: Variant, reading: MeterReading | None) -> Meter | None:
    """The progressive meter of a game at a reading, or new; None where the game has none."""
    meter = variant.game.meter(variant.options)
    if reading is None:
        return meter
    if meter is None:
        raise Refused("bad-meter", f"a meter was given, but {variant.game.name} plays no progressive here")
    amount, reserve = reading.amount, reading.reserve
    if not 0 <= amount <= meter.ceiling or reserve < 0:
        sentence = f"a meter of {amount} with {reserve} in reserve is not possible; it stands from 0 to {meter.ceiling}"
        raise Refused("bad-meter", sentence)
    return replace_fields(meter, amount=amount, reserve=reserve)


def faces(cards: list[Card] | tuple[Card, ...]) -> list[str]:
    """Cards as a log writes them."""
    return [FACES[card] for card in cards]


_decoder = msgspec.json.Decoder(RoundLog)


def read_round(text: bytes | str) -> RoundLog:
    """A round from its JSON, or a refusal that says what is wrong with it."""
    try:
        return _decoder.decode(text)
    except msgspec.ValidationError as error:
        fields = one_of(RoundLog.__struct_fields__)
        raise Refused("bad-round", f"the round cannot be read: {error}; a round has {fields}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused("bad-json", f"this is not JSON: {error}") from None
    except RecursionError:
        raise Refused("bad-json", "this JSON is nested too deeply; a round is a flat record") from None


def play_on(log: RoundLog, pick: Callable[[Sequence[str]], str]) -> Replay:
    """Play a round to its end, making each further choice with `pick`; the choices are added to the log."""
    state = log.replay()
    while state.awaiting is not None:
        log.choices = [*log.choices, pick(state.awaiting.options)]
        state = log.replay()
    return state
