"""Options of a game: named switches with a closed set of values, validated in one place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pairhouse.core.errors import Refused, one_of, shown, unknown

Value: TypeAlias = bool | int | str
Options: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Option:
    """A switch: what it may be set to, and what it means in a few words."""

    name: str
    default: Value
    choices: tuple[Value, ...]
    says: str

    def accept(self, given: object) -> Value:
        """The value, from JSON or from words typed by a person."""
        for choice in self.choices:
            if type(given) is type(choice) and given == choice:
                return choice
            if isinstance(given, str) and given.lower() in self.words(choice):
                return choice
        raise Refused("bad-option", f"{self.name} {shown(given)} is not possible; it can be {self.accepted}")

    @property
    def accepted(self) -> str:
        """`1 to 8`, or the values by name."""
        numbers = [choice for choice in self.choices if type(choice) is int]
        if len(numbers) > 3 and numbers == list(range(numbers[0], numbers[-1] + 1)):
            return f"{numbers[0]} to {numbers[-1]}"
        return one_of(map(self.text, self.choices))

    @staticmethod
    def text(value: Value) -> str:
        """As a person reads it: `yes`, `8`, `stand`."""
        return str(value) if not isinstance(value, bool) else "yes" if value else "no"

    @classmethod
    def words(cls, value: Value) -> tuple[str, ...]:
        """Every way a person may type it."""
        if isinstance(value, bool):
            return ("yes", "true", "on") if value else ("no", "false", "off")
        return (cls.text(value).lower(),)


def switch(name: str, default: bool, says: str) -> Option:
    """An option that is on or off."""
    return Option(name, default, (False, True), says)


def resolve(options: Sequence[Option], given: Options) -> dict[str, Any]:
    """Every option with its value: what was given, checked, and the default elsewhere."""
    names = [option.name for option in options]
    for name in given:
        if name not in names:
            raise unknown("option", name, names)
    return {o.name: o.accept(given[o.name]) if o.name in given else o.default for o in options}
